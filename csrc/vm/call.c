/* call.c: the argument protocol, in numbered steps: number, conversion, marks and unknowns, result. */
#include "vm/call.h"

#include "value/open.h"
#include "value/render.h"
#include "vm/entry.h"
#include "vm/host.h"
#include "vm/outline.h"

#include <stdarg.h>

static uint32_t count_params(const hx_fn *fn) {
  uint32_t n = 0;
  while (n < HX_MAX_PARAMS && fn->params[n].name) n++;
  return n;
}

const hx_param *hx_call_param(const hx_fn *fn, uint32_t i) {
  if (i < HX_MAX_PARAMS) {
    for (uint32_t k = 0; k <= i; k++)
      if (!fn->params[k].name) return fn->rest.name ? &fn->rest : NULL;
    return &fn->params[i];
  }
  return fn->rest.name ? &fn->rest : NULL;
}

void hx_call_init(hx_call *call, const hx_fn *fn) {
  call->fn = fn;
  call->bad_arg = HX_BLAME_CALL;
  call->message = (hx_str){ "", 0 };
  call->failed = call->for_type = call->items = call->unknown_result = false;
  call->written = UINT32_MAX;
  call->marked = 0;
  call->ret = fn->type;
  call->more = call->last = NULL;
  call->constraint = NULL;
  call->text = NULL;
  call->entry = NULL;
  call->inner = NULL;
}

/* Blame */

hx_val hx_fail_because(hx_call *call, int32_t i, const char *reason, hx_str message) {
  if (!call->failed) {
    call->failed = true;
    call->bad_arg = i;
    call->message = message;
    call->reason = reason;
  }
  return hx_none();
}

static hx_val blame(hx_call *call, int32_t i, hx_str message) {
  return hx_fail_because(call, i, NULL, message);
}

hx_val hx_fail(hx_call *call, int32_t i, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  hx_str message = hx_say_with(call->cx, fmt, &args);
  va_end(args);
  return blame(call, i, message);
}

hx_val hx_fail_call(hx_call *call, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  hx_str message = hx_say_with(call->cx, fmt, &args);
  va_end(args);
  return blame(call, HX_BLAME_CALL, message);
}

static uint64_t mark_bit(uint32_t i) {
  return (uint64_t)1 << (i < 63 ? i : 63);
}

bool hx_arg_is_marked(const hx_call *call, uint32_t i) {
  return call->cx->secret || (call->marked & mark_bit(i)) != 0;
}

hx_val hx_fail_with(hx_call *call, int32_t i, const char *fmt, hx_str text) {
  hx_buf b;
  if (call->cx->silent) return blame(call, i, HX_UNSAID);
  hx_buf_init(&b, &call->cx->arena, 96);
  const char *at = strstr(fmt, "%s");
  size_t before = at ? (size_t)(at - fmt) : strlen(fmt);
  hx_buf_bytes(&b, fmt, (uint32_t)before);
  if (at) {
    hx_buf_str(&b, text);
    hx_buf_c(&b, at + 2);
  }
  return blame(call, i, hx_buf_done(&b));
}

hx_val hx_fail_value(hx_call *call, int32_t i, const hx_val *v, const char *fmt) {
  bool hidden = i >= 0 ? hx_arg_is_marked(call, (uint32_t)i) : call->marked != 0;
  return hx_fail_with(call, i, fmt, hidden ? HX_STR(HX_HIDDEN_TEXT) : hx_render_in_sentence(call->cx, v));
}

hx_str hx_call_detail(const hx_call *call, int32_t arg, hx_str message) {
  const hx_param *p = arg >= 0 ? hx_call_param(call->fn, (uint32_t)arg) : NULL;
  if (!p) return hx_say(call->cx, "%s(): %.*s", call->fn->name, HX_STR_ARG(message));
  /* A parameter of a script's function has no name. */
  if (!*p->name) return hx_say(call->cx, "%s(): argument %d: %.*s", call->fn->name, arg + 1, HX_STR_ARG(message));
  return hx_say(call->cx, "%s(): argument %d, %s: %.*s", call->fn->name, arg + 1, p->name, HX_STR_ARG(message));
}

hx_call_state hx_call_left(hx_call *call) {
  call->message = hx_call_detail(call, call->bad_arg, call->message);
  return HX_CALL_FAILED;
}

/* 1. Number of arguments */

bool hx_call_count(hx_call *call, uint32_t n, bool hidden) {
  const hx_fn *fn = call->fn;
  uint32_t want = count_params(fn);
  const char *least = fn->rest.name ? "at least " : "", *s = want == 1 ? "" : "s";
  if (n >= want && (n == want || fn->rest.name)) return true;
  int32_t blamed = n < want ? HX_BLAME_CLOSE : (int32_t)want;
  if (hidden)
    hx_fail(call, blamed, "%s() takes %s%u argument%s, but this call has %s.", fn->name, least, want, s,
            n < want ? "fewer" : "more");
  else if (n < want)
    hx_fail(call, blamed, "%s() takes %s%u argument%s, but \"%s\" is missing.", fn->name, least, want, s, fn->params[n].name);
  else hx_fail(call, blamed, "%s() takes %u argument%s, but this call has %u.", fn->name, want, s, n);
  return false;
}

/* 2. Conversion */

/* Returns true if v is certainly of type t, so that no conversion is needed. After false, v may still be of type t. */
static bool fits(const hx_val *v, const hx_type *t) {
  switch ((hx_kind)t->kind) {
    case HX_K_DYNAMIC: return true;
    case HX_K_STRING: return v->tag == HX_T_STR;
    case HX_K_NUMBER: return hx_is_number(v);
    case HX_K_BOOL: return v->tag == HX_T_BOOL;
    case HX_K_CAPSULE: return v->tag == HX_T_CAPSULE;
    case HX_K_LIST: return v->tag == HX_T_LIST && (v->u.seq->elem == t->elem || t->elem->kind == HX_K_DYNAMIC);
    case HX_K_SET: return v->tag == HX_T_SET && (v->u.seq->elem == t->elem || t->elem->kind == HX_K_DYNAMIC);
    case HX_K_MAP: return v->tag == HX_T_MAP && (v->u.obj->elem == t->elem || t->elem->kind == HX_K_DYNAMIC);
    case HX_K_TUPLE:
    case HX_K_OBJECT: return false;
  }
  return false;
}

static void add_fault(hx_call *call, uint32_t i, hx_str message) {
  if (!call->failed) {
    blame(call, (int32_t)i, message);
    return;
  }
  hx_call_fault *fault = HX_NEW(call->cx, hx_call_fault);
  *fault = (hx_call_fault){ (int32_t)i, hx_call_detail(call, (int32_t)i, message), NULL };
  *(call->more ? &call->last->next : &call->more) = fault;
  call->last = fault;
}

/* Returns true if items (value/unknown.h) may be replaced by their elements, because every form that they may have gives the same
** result. */
static bool are_elements(hx_call *call, const hx_param *p, const hx_val *items) {
  if (p->allow & HX_ITEMS_AS_LIST) return true;
  if ((p->allow & HX_ITEMS_ANY_ORDER) && hx_items_differ(call->cx, items)) return true;
  uint32_t allow = p->allow & (HX_ITEM_AS_LIST | (hx_is_blocks(items) ? 0 : HX_ITEMS_IN_ORDER));
  if (!allow && (hx_is_blocks(items) || (p->allow & (HX_ALLOW_ITEMS | HX_ALLOW_UNKNOWN | HX_ALLOW_DYNAMIC)))) return false;
  return hx_items_in_order(items);
}

static void take_items(hx_call *call, const hx_param *p, hx_val *arg) {
  const hx_val *bare = hx_unmarked(arg);
  if (!are_elements(call, p, bare)) return;
  *arg = hx_mark(call->cx, *hx_items_of(bare), hx_marks_get(arg));
  call->items = true;
}

static void convert_one(hx_call *call, hx_val *arg, uint32_t i, const hx_type *want) {
  /* A failed conversion to a number or string needs no explanation. */
  hx_why_not why = { { "", 0 } };
  bool tells = want->kind != HX_K_NUMBER && want->kind != HX_K_STRING;
  bool refused = hx_is_refused(arg, want);
  hx_val out;
  if (!refused && hx_convert(call->cx, arg, want, &out, tells ? &why : NULL)) {
    *arg = out;
    return;
  }
  if (refused && tells) why.text = hx_refusal(call->cx, arg, want);
  bool counted = refused && (arg->tag == HX_T_TUPLE || arg->tag == HX_T_OBJECT);
  bool hidden = counted ? call->cx->secret : hx_is_hidden(call->cx, arg);
  hx_str shown = hidden ? HX_STR(HX_HIDDEN_TEXT) : hx_render_in_sentence(call->cx, arg);
  hx_str needed = hx_type_with_article(call->cx, want);
  if (why.text.len) add_fault(call, i, hx_say(call->cx, "%.*s.", HX_STR_ARG(why.text)));
  else add_fault(call, i, hx_say(call->cx, "%.*s is required, not %.*s.", HX_STR_ARG(needed), HX_STR_ARG(shown)));
}

/* Returns true if argument i is used as a type but comes from a spread collection. reference: a type is read from the source; no
** value is a type. */
static bool is_spread_type(const hx_call *call, const hx_param *p, uint32_t i) {
  return p->type->kind == HX_K_CAPSULE && i >= call->written && (call->fn->flags & HX_FORM_CONVERT);
}

static void convert_arg(hx_call *call, const hx_param *p, hx_val *arg, uint32_t i) {
  if (is_spread_type(call, p, i))
    add_fault(call, i, HX_STR("A type must be written here, such as list(string). It can't come out of a collection by `...`."));
  else if (!fits(arg, p->type)) {
    if (hx_items_of(hx_unmarked(arg))) take_items(call, p, arg);
    convert_one(call, arg, i, p->type);
  }
}

static bool is_foreign_ok(const hx_fn *fn, const hx_val *v, uint32_t i) {
  return i == 0 && v->tag == HX_T_FOREIGN && (fn->flags & HX_FOREIGN_OK) != 0;
}

static bool convert_args(hx_call *call, hx_val *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const hx_param *p = hx_call_param(call->fn, i);
    if (!is_foreign_ok(call->fn, &args[i], i)) convert_arg(call, p, &args[i], i);
  }
  if (call->failed) hx_call_left(call);
  return !call->failed;
}

bool hx_call_check(hx_call *call, hx_val *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const hx_param *p = hx_call_param(call->fn, i);
    /* The unknown value of a failed argument converts to any type. */
    bool any = args[i].tag == HX_T_UNKNOWN && args[i].u.unk->type->kind == HX_K_DYNAMIC;
    if (!any || is_spread_type(call, p, i)) convert_arg(call, p, &args[i], i);
  }
  if (call->failed) hx_call_left(call);
  return !call->failed;
}

/* 3. Marks, null, unknown */

/* Takes the marks off argument i, unless its parameter accepts marks, and adds them to *marks. */
static void take_marks(hx_call *call, const hx_param *p, hx_val *arg, uint32_t i, const hx_marks **marks) {
  if (arg->tag == HX_T_FOREIGN) return; /* host data have no marks until an element is read */
  if (p->allow & HX_ALLOW_MARKED) {
    if (arg->tag == HX_T_MARKED) call->marked |= mark_bit(i);
    return;
  }
  const hx_marks *found = NULL;
  hx_val bare = hx_unmark_deep(call->cx, arg, &found);
  if (!found) return;
  *arg = bare;
  call->marked |= mark_bit(i);
  *marks = hx_marks_join(call->cx, *marks, found);
}

static bool is_dynamic(const hx_val *bare) {
  return (bare->tag == HX_T_UNKNOWN && bare->u.unk->type->kind == HX_K_DYNAMIC) ||
         (bare->tag == HX_T_NULL && bare->u.type->kind == HX_K_DYNAMIC);
}

typedef struct outlook {
  bool unknown; /* some argument is unknown: impl doesn't run */
  bool dynamic; /* some argument's type is unknown, so the result's type is, too */
  bool open;    /* some argument is an open object or blocks, and impl doesn't receive the parts of such values */
  bool seen;    /* some argument is an open object or blocks, and impl receives its parts */
  bool untyped; /* some argument is an open object, blocks or an untyped unknown */
} outlook;

/* Checks the arguments in order, and takes off their marks. reference: the first argument of unknown type ends the checks, so a null after
** it isn't an error. Marks and unknowns of all arguments still count. */
static bool check_args(hx_call *call, hx_val *args, const hx_marks **marks, outlook *o) {
  for (uint32_t i = 0; i < call->n; i++) {
    const hx_param *p = hx_call_param(call->fn, i);
    if (HX_UNLIKELY(hx_items_of(hx_unmarked(&args[i])) != NULL)) take_items(call, p, &args[i]);
    take_marks(call, p, &args[i], i, marks);
    const hx_val *bare = hx_unmarked(&args[i]);
    if (bare->tag != HX_T_NULL && bare->tag != HX_T_UNKNOWN) continue;
    if (!o->dynamic && hx_is_null(bare) && !(p->allow & HX_ALLOW_NULL)) {
      hx_fail(call, (int32_t)i, "It must not be null. Test for null first, or give a value in its place, as coalesce() does.");
      return false;
    }
    if (hx_known_parts(bare)) {
      if (p->allow & (hx_open_of(bare) ? HX_ALLOW_OPEN : HX_ALLOW_ITEMS)) {
        o->seen = true;
        continue;
      }
      *marks = hx_marks_join(call->cx, *marks, hx_open_marks(call->cx, &args[i]));
      o->open = o->untyped = true;
    }
    if (hx_is_untyped(bare)) o->untyped = true;
    if (is_dynamic(bare) && !(p->allow & HX_ALLOW_DYNAMIC)) o->dynamic = true;
    if (hx_is_unknown(bare) && !(p->allow & HX_ALLOW_UNKNOWN)) o->unknown = true;
  }
  return true;
}

/* 4. The result */

/* Adds to an unknown result that it isn't null, if the row promises that. An unknown of `any` stays as it is. */
static hx_val refined(hx_call *call, hx_val v) {
  if (!(call->fn->flags & HX_NOT_NULL) || !hx_is_unknown(hx_unmarked(&v))) return v;
  hx_refine f;
  hx_refine_begin(&f, &v);
  hx_refine_not_null(&f);
  return hx_refine_done(call->cx, &f);
}

/* Returns true if the function may be called here. reference: inside a template, functions that run templates exist, but every call of them
** fails. Inside templatestring(), so does every call of a function that reads files. */
static bool is_allowed(hx_call *call) {
  if (HX_LIKELY(!call->host || !(call->fn->needs & call->host->forbids))) return true;
  if (call->fn->needs & HX_NEEDS_ENTRY)
    hx_fail_call(call, "A template can't run another one. Run that one outside, and pass its text in.");
  else hx_fail_call(call, "A template that was given as text can't read files. Read the file outside, and pass its content in.");
  return false;
}

#if defined HX_TEST && !defined NDEBUG
/* Returns true if the arguments are as the row asks for them. known: impl is about to run, so an argument may be unknown only if
** the row allows it. */
static bool as_asked(const hx_call *call, const hx_val *args, bool known) {
  for (uint32_t i = 0; i < call->n; i++) {
    const hx_param *p = hx_call_param(call->fn, i);
    const hx_val *bare = hx_unmarked(&args[i]);
    if (is_foreign_ok(call->fn, bare, i)) continue;
    if (!(p->allow & HX_ALLOW_MARKED) && hx_is_marked_deep(&args[i])) return false;
    if (p->type->kind != HX_K_DYNAMIC && hx_val_kind(bare) != p->type->kind) return false;
    /* reference: a set whose elements aren't all known becomes an unknown list that keeps the type of the elements. */
    if (!hx_is_unknown(bare) && !hx_type_has_dynamic(p->type) && !hx_val_is_of(bare, p->type)) return false;
    if (hx_is_null(bare) && !(p->allow & HX_ALLOW_NULL)) return false;
    if (hx_known_parts(bare) && (p->allow & (hx_open_of(bare) ? HX_ALLOW_OPEN : HX_ALLOW_ITEMS))) continue;
    if (is_dynamic(bare) && !(p->allow & HX_ALLOW_DYNAMIC)) return false;
    if (known && hx_is_unknown(bare) && !(p->allow & HX_ALLOW_UNKNOWN)) return false;
  }
  return true;
}

/* Returns true if the result keeps the promises of the row. Optional attributes and `any` in the row's type promise nothing. */
static bool keeps_promise(hx_call *call, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_null(bare)) return !(call->fn->flags & HX_NOT_NULL);
  if (!call->fn->type || hx_type_has_dynamic(call->fn->type)) return true;
  return hx_val_is_of(bare, call->fn->type);
}
#endif

/* Adds the marks of the parts of open objects and items, because impl, which would have handled these parts, doesn't run. */
static const hx_marks *marks_of_parts(hx_call *call, const hx_val *args, const hx_marks *marks) {
  for (uint32_t i = 0; i < call->n; i++)
    if (hx_known_parts(hx_unmarked(&args[i]))) marks = hx_marks_join(call->cx, marks, hx_open_marks(call->cx, &args[i]));
  return marks;
}

static hx_call_state unknown_result(hx_call *call, const hx_val *args, const hx_marks *marks, outlook o, hx_val *out) {
  if (o.seen) {
    marks = marks_of_parts(call, args, marks);
    o.open = o.untyped = true;
  }
  if (o.dynamic) {
    *out = hx_mark(call->cx, o.untyped ? hx_unknown_untyped : hx_unknown_dynamic,
                   call->fn->flags & HX_TYPED_MARKS && !o.open ? NULL : marks);
    return HX_CALL_DONE;
  }
  HX_ASSERT(as_asked(call, args, false));
  if (call->fn->needs && !is_allowed(call)) return hx_call_left(call);
  if (!call->ret && call->fn->type_fn) {
    call->ret = call->fn->type_fn(call, args);
    if (call->failed) return hx_call_left(call);
  }
  hx_val v = o.untyped ? hx_unknown_untyped : hx_unknown_dynamic;
  if (call->ret && call->ret->kind != HX_K_DYNAMIC) v = hx_unknown(call->cx, call->ret);
  *out = hx_mark(call->cx, refined(call, v), marks);
  return HX_CALL_DONE;
}

/* The capabilities of the scope that a row may need, and the options that grant them. */
static const struct capability {
  uint8_t need;
  const char *reason, *grant;
} capabilities[] = {
  { HX_NEEDS_FILES, "files", "This scope may not read files. Set its option filesystem = \"DIR\", and that of its parent." },
  { HX_NEEDS_CLOCK, "clock",
    "This scope has no clock: it or a parent was made with clock = false. Leave that out, or set clock to a function." },
  { HX_NEEDS_RANDOM, "random",
    "This scope has no random bytes: it or a parent was made with random = false. Leave that out, or set random to "
    "a function." },
};

static bool is_granted(hx_call *call) {
  if (!is_allowed(call)) return false;
  uint8_t lacks = call->fn->needs & (uint8_t) ~(call->host ? call->host->has | HX_NEEDS_ENTRY : HX_NEEDS_ENTRY);
  if (HX_LIKELY(!lacks)) return true;
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
    if (lacks & capabilities[i].need) hx_fail_because(call, HX_BLAME_CALL, capabilities[i].reason, hx_str_c(capabilities[i].grant));
  return false;
}

static hx_call_state run_impl(hx_call *call, const hx_val *args, const hx_marks *marks, hx_val *out) {
  if (call->fn->needs && !is_granted(call)) return hx_call_left(call);
  HX_ASSERT(as_asked(call, args, true));
  hx_val v = call->fn->impl(call, args);
  if (HX_UNLIKELY(call->failed)) return hx_call_left(call);
  /* A function that reads a host's data or uses a capability may have to wait. Then it returns HX_T_NONE, and is called again. */
  if (v.tag == HX_T_NONE) {
    if (call->entry) return HX_CALL_ENTER;
    HX_ASSERT(call->fn->needs || (call->n && args[0].tag == HX_T_FOREIGN));
    *out = v;
    return HX_CALL_DONE;
  }
  /* If the items that were taken turn out to be a list, the result may be a list, too. */
  if (HX_UNLIKELY(call->items) && v.tag == HX_T_TUPLE && v.len) v = hx_open_items(call->cx, &v, HX_ITEMS_ORDERED);
  HX_ASSERT(keeps_promise(call, &v));
  if (v.tag == HX_T_UNKNOWN || v.tag == HX_T_MARKED) v = refined(call, v);
  *out = marks ? hx_mark(call->cx, v, marks) : v;
  return HX_CALL_DONE;
}

/* Returns true if impl can take all arguments as they are: known primitives of the right type without marks, host data that the function
** accepts, and known collections, tuples and objects for parameters of any type that accept marks. Charges steps for the size of the
** arguments. */
static bool all_plain(hx_cx *cx, const hx_fn *fn, const hx_val *args, uint32_t n) {
  const hx_param *p = fn->params;
  uint64_t weight = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (p != &fn->rest && (i >= HX_MAX_PARAMS || !p->name)) p = &fn->rest;
    hx_tag tag = (hx_tag)args[i].tag;
    if (tag == HX_T_STR || tag == HX_T_INT || tag == HX_T_BOOL || tag == HX_T_NUM) {
      if (!fits(&args[i], p->type)) return false;
      if (tag == HX_T_STR) weight += HX_TEXT_WEIGHT * (uint64_t)args[i].len;
    } else if (!is_foreign_ok(fn, &args[i], i)) {
      bool composite = tag == HX_T_OBJECT || tag == HX_T_TUPLE || tag == HX_T_MAP || tag == HX_T_LIST || tag == HX_T_SET;
      if (!composite || p->type->kind != HX_K_DYNAMIC || !(p->allow & HX_ALLOW_MARKED)) return false;
      weight += hx_val_weight(&args[i]);
    }
    if (p != &fn->rest) p++;
  }
  hx_charge_walk(cx, weight);
  return true;
}

hx_call_state hx_call_run(hx_call *call, hx_val *args, uint32_t n, hx_val *out, const hx_marks **marks) {
  const hx_fn *fn = call->fn;
  *marks = NULL;
  call->n = n;
  HX_ASSERT(hx_call_count(call, n, true));
  if (!fn->host && all_plain(call->cx, fn, args, n)) return run_impl(call, args, NULL, out);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t weight = args[i].tag == HX_T_STR ? HX_TEXT_WEIGHT * (uint64_t)args[i].len : hx_val_weight(&args[i]);
    if (args[i].tag >= HX_T_STR) hx_charge_walk(call->cx, weight);
  }
  if (!convert_args(call, args, n)) return HX_CALL_FAILED;
  outlook o = { false };
  if (!check_args(call, args, marks, &o)) return hx_call_left(call);
  bool unknown = o.unknown || o.dynamic;
  if (fn->host && !o.dynamic && (!unknown || (fn->flags & HX_TYPE_BY_HOST))) {
    call->for_type = (fn->flags & HX_TYPE_BY_HOST) != 0;
    call->unknown_result = unknown;
    return HX_CALL_HOST;
  }
  if (unknown) return unknown_result(call, args, *marks, o, out);
  return run_impl(call, args, *marks, out);
}

hx_call_state hx_call_finish(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out) {
  if (call->for_type) {
    call->for_type = false;
    call->ret = result.u.type;
    if (!call->unknown_result) return HX_CALL_HOST;
    *out = hx_mark(call->cx, refined(call, hx_unknown(call->cx, call->ret)), marks);
    return HX_CALL_DONE;
  }
  hx_val v = result;
  hx_why_not why = { { "", 0 } };
  bool is = !call->ret || fits(&result, call->ret) || hx_val_is_of(&result, call->ret);
  if (!is && !hx_convert(call->cx, &result, call->ret, &v, &why)) {
    hx_str type = hx_type_friendly(call->cx, call->ret);
    if (marks)
      hx_fail_call(call, "Its result should be %.*s, and isn't. Make the function return that, or state another type.",
                   HX_STR_ARG(type));
    else
      hx_fail_call(call, "Its result should be %.*s: %.*s. Make the function return that, or state another type.", HX_STR_ARG(type),
                   HX_STR_ARG(why.text));
    return hx_call_left(call);
  }
  *out = hx_mark(call->cx, refined(call, v), marks);
  return HX_CALL_DONE;
}

hx_call_state hx_call_leave(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out) {
  hx_val v = call->entry->finish(call, result);
  if (call->failed) return hx_call_left(call);
  HX_ASSERT(keeps_promise(call, &v));
  *out = hx_mark(call->cx, refined(call, v), marks);
  return HX_CALL_DONE;
}
