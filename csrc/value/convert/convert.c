/* convert.c: carries out a conversion plan on a value, part by part, and remembers each part's place for messages. */
#include "value/convert/convert.h"
#include "text/quote.h"
#include "text/unicode.h"
#include "value/convert/part.h"
#include "value/number/number.h"
#include "value/open.h"

static const hx_str word_true = { "true", 4 }, word_false = { "false", 5 };

static void write_place(const hx_conversion *c, hx_buf *b, const hx_place *at, bool hidden) {
  if (!at) return;
  hx_stack_check();
  if (at == c->secret) hidden = false;
  write_place(c, b, at->up, hidden);
  bool attribute = at->of->kind == HX_K_OBJECT;
  if (attribute || at->of->kind == HX_K_MAP) {
    hx_buf_c(b, hidden ? "an " : "");
    hx_buf_c(b, attribute ? "attribute" : "element");
    if (!hidden) {
      hx_buf_put(b, ' ');
      hx_buf_str(b, hx_quote_short(c->cx, at->key, 40));
    }
  } else if (hidden) {
    hx_buf_c(b, "an element");
  } else {
    hx_buf_f(b, "element %u", (unsigned)at->index);
  }
  hx_buf_c(b, ": ");
}

bool hx_conversion_fail(hx_conversion *c, const hx_place *at, hx_str reason) {
  hx_buf b;
  if (!c->why) return false;
  if (c->cx->silent) {
    c->why->text = HX_UNSAID;
    return false;
  }
  if (!at) {
    c->why->text = reason;
    return false;
  }
  hx_buf_init(&b, &c->cx->arena, 64);
  write_place(c, &b, at, c->hidden > 0);
  hx_buf_str(&b, reason);
  c->why->text = hx_buf_done(&b);
  return false;
}

/* Rejects a string. The message quotes the string unless it must stay hidden. */
static bool refuse(hx_conversion *c, const hx_val *v, const hx_place *at, const char *need) {
  if (!c->why || c->hidden) return hx_conversion_fail(c, at, hx_str_c(need));
  hx_str text = hx_quote_short(c->cx, hx_val_str(v), 40);
  return hx_conversion_fail(c, at, hx_say(c->cx, "%s, not %.*s", need, HX_STR_ARG(text)));
}

static bool to_number(hx_conversion *c, const hx_val *v, const hx_place *at, hx_val *out) {
  *out = hx_num_parse(c->cx, hx_val_str(v));
  return out->tag != HX_T_NONE || refuse(c, v, at, "a number is required");
}

static bool to_bool(hx_conversion *c, const hx_val *v, const hx_place *at, hx_val *out) {
  hx_str s = hx_val_str(v);
  bool yes = hx_str_eq(s, word_true) || hx_str_eq(s, HX_STR("1"));
  *out = hx_bool(yes);
  if (yes || hx_str_eq(s, word_false) || hx_str_eq(s, HX_STR("0"))) return true;
  hx_str lower = s.len <= word_false.len ? hx_lower(c->cx, s) : s;
  if (hx_str_eq(lower, word_true) || hx_str_eq(lower, word_false))
    return refuse(c, v, at, "true or false is required, in lower case");
  return refuse(c, v, at, "true or false is required");
}

hx_val hx_to_string_fast(hx_cx *cx, const hx_val *v) {
  if (v->tag == HX_T_STR) return *v;
  if (v->tag == HX_T_BOOL) return hx_string(v->u.i ? word_true : word_false);
  return hx_is_number(v) ? hx_string(hx_num_text(cx, v)) : hx_none();
}

/* Converts an unknown to an unknown of type `to`. Keeps the bounds of its length, and that it isn't null. */
static hx_val to_unknown(hx_cx *cx, const hx_val *v, const hx_type *to) {
  const hx_unk *u = v->u.unk;
  const hx_type *from = u->type;
  hx_val result = u->not_null ? hx_unknown_not_null(cx, to) : hx_unknown(cx, to);
  hx_refine f;
  hx_refine_begin(&f, &result);
  bool to_set = to->kind == HX_K_SET;
  if (from->kind == HX_K_OBJECT && to->kind == HX_K_MAP) hx_refine_length(&f, from->n, from->n);
  else if (from->kind == HX_K_TUPLE && to->kind == HX_K_LIST) hx_refine_length(&f, from->n, from->n);
  /* Elements of a set may become equal, but at least one remains. */
  else if (from->kind == HX_K_TUPLE && to_set) hx_refine_length(&f, from->n > 0, from->n);
  else if (hx_type_is_collection(from) && hx_type_is_collection(to))
    hx_refine_length(&f, to_set ? u->min_length > 0 : u->min_length, u->max_length);
  else return result;
  return hx_refine_done(cx, &f);
}

/* Replaces a null part by a new null without marks, as the reference does. */
static void renew_null(hx_cx *cx, hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  if (bare->tag == HX_T_NULL) *v = hx_null(hx_type_plain(cx, bare->u.type));
}

static const hx_shape *result_shape(hx_cx *cx, const hx_plan *p) {
  /* Every result has the plan's attributes, so they all share one shape. */
  if (!p->shape) ((hx_plan *)(uintptr_t)p)->shape = hx_shape_new(cx, p->out->names, p->out->n);
  return p->shape;
}

static unsigned hides(const hx_conversion *c) {
  return c->hidden ? HX_HIDE_GOT : 0;
}

static bool to_object(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  const hx_type *t = p->out;
  hx_val *parts = HX_NEW_ARRAY(c->cx, hx_val, t->n);
  for (uint32_t i = 0; i < t->n; i++) {
    hx_place here = { at, p->in, t->names[i], i };
    const hx_val *from = hx_obj_get(v, t->names[i]);
    if (from) {
      if (p->impossible && p->impossible[i])
        return hx_conversion_fail(c, &here, hx_mismatch(c->cx, p->in->elem, t->elems[i], hides(c)));
      if (!hx_conversion_run(c, p->parts[i], from, &here, &parts[i])) return false;
      renew_null(c->cx, &parts[i]);
    } else if (t->optional && t->optional[i]) {
      parts[i] = hx_null(hx_type_plain(c->cx, t->elems[i]));
    } else {
      hx_str name = hx_quote_short(c->cx, t->names[i], 40); /* the name is from the constraint, not from the value */
      return hx_conversion_fail(c, at, hx_say(c->cx, "the map has no element %.*s, which is required", HX_STR_ARG(name)));
    }
  }
  *out = t->n ? hx_object(c->cx, result_shape(c->cx, p), parts) : hx_empty_object;
  return true;
}

static bool convert_open_part(hx_conversion *c, const hx_val *part, const hx_type *t, const hx_place *at, hx_val *out) {
  hx_why_not why = { { "", 0 } };
  if (!c->why) return hx_convert(c->cx, part, t, out, NULL);
  return hx_convert(c->cx, part, t, out, &why) || hx_conversion_fail(c, at, why.text);
}

/* Converts an open object to an object. Attributes that aren't among its parts become unknown, so no default applies. */
static bool open_to_object(hx_conversion *c, const hx_val *v, const hx_type *t, const hx_place *at, hx_val *out) {
  const hx_val *from = hx_open_of(v);
  hx_val *parts = HX_NEW_ARRAY(c->cx, hx_val, t->n);
  for (uint32_t i = 0; i < t->n; i++) {
    const hx_val *part = hx_obj_get(from, t->names[i]);
    hx_place here = { at, t, t->names[i], i };
    if (!part) parts[i] = hx_unknown(c->cx, hx_type_plain(c->cx, t->elems[i]));
    else if (!convert_open_part(c, part, t->elems[i], &here, &parts[i])) return false;
    else renew_null(c->cx, &parts[i]);
  }
  *out = t->n ? hx_object(c->cx, hx_shape_new(c->cx, t->names, t->n), parts) : hx_empty_object;
  return true;
}

static bool open_to_map(hx_conversion *c, const hx_val *v, const hx_type *t, const hx_place *at, hx_val *out) {
  const hx_val *from = hx_open_of(v);
  const hx_marks *marks = NULL;
  hx_val made, map = hx_unknown_not_null(c->cx, hx_type_plain(c->cx, t));
  hx_charge_steps(c->cx, from->len / 4);
  for (uint32_t i = 0; i < from->len; i++) {
    hx_place here = { at, t, from->u.obj->shape->keys[i], i };
    if (!convert_open_part(c, &from->u.obj->v[i], t->elem, &here, &made)) return false;
  }
  hx_refine f;
  hx_refine_begin(&f, &map);
  hx_refine_length(&f, from->len, HX_NO_MAX);
  map = hx_refine_done(c->cx, &f);
  hx_unmark_deep(c->cx, v, &marks);
  *out = hx_mark(c->cx, map, marks);
  return true;
}

/* Converts an open object to type t. It can become what an object or a map can become. */
static bool convert_open(hx_conversion *c, const hx_val *v, const hx_type *t, const hx_place *at, hx_val *out) {
  if (t->kind == HX_K_OBJECT) return open_to_object(c, v, t, at, out);
  if (t->kind == HX_K_MAP) return open_to_map(c, v, t, at, out);
  return hx_conversion_fail(c, at, hx_mismatch(c->cx, &hx_type_empty_object, t, hides(c)));
}

static bool items_can_be(const hx_val *v, hx_kind kind) {
  bool alone = hx_is_blocks(v) && hx_items_of(v)->len == 1;
  return kind == HX_K_LIST || kind == HX_K_SET || (alone && (kind == HX_K_OBJECT || kind == HX_K_MAP));
}

/* Converts items to type t. A single block may be the value itself. Otherwise the result may be an unknown with bounds of its length:
** for a list, unless a set would have the same order; for a set, unless all items are known, because unknown items may turn out to be
** equal. */
static bool convert_items(hx_conversion *c, const hx_val *v, const hx_type *t, const hx_place *at, hx_val *out) {
  const hx_val *items = hx_items_of(v);
  bool list = t->kind == HX_K_LIST, set = t->kind == HX_K_SET;
  if (!list && !set) return convert_open_part(c, items->u.seq->v, t, at, out);
  if (!convert_open_part(c, items, t, at, out)) return false;
  if (set ? items->len == 1 || hx_is_wholly_known(out) : hx_items_in_order(v)) return true;
  hx_val several = hx_unknown_not_null(c->cx, hx_type_plain(c->cx, t));
  hx_refine f;
  hx_refine_begin(&f, &several);
  hx_refine_length(&f, list && hx_items_differ(c->cx, v) ? items->len : 1, items->len);
  *out = hx_mark(c->cx, hx_refine_done(c->cx, &f), hx_open_marks(c->cx, v));
  return true;
}

static bool to_tuple(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  hx_val *parts = HX_NEW_ARRAY(c->cx, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) {
    hx_place here = { at, p->in, { 0 }, i };
    if (!hx_conversion_run(c, p->parts[i], &v->u.seq->v[i], &here, &parts[i])) return false;
  }
  *out = hx_tuple(c->cx, parts, v->len);
  return true;
}

/* Converts a known value without marks. */
static bool run_known(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  switch (p->op) {
    case HX_PLAN_AS_IS: *out = *v; return true;
    case HX_PLAN_LATER: return hx_convert(c->cx, v, p->out, out, c->why) || (c->why && hx_conversion_fail(c, at, c->why->text));
    case HX_PLAN_TO_STRING: *out = hx_to_string_fast(c->cx, v); return true;
    case HX_PLAN_TO_NUMBER: return to_number(c, v, at, out);
    case HX_PLAN_TO_BOOL: return to_bool(c, v, at, out);
    case HX_PLAN_OBJECT:
    case HX_PLAN_MAP_OBJECT: return to_object(c, p, v, at, out);
    case HX_PLAN_TUPLE: return to_tuple(c, p, v, at, out);
    case HX_PLAN_LIST:
    case HX_PLAN_SET:
    case HX_PLAN_TUPLE_LIST:
    case HX_PLAN_TUPLE_SET: return hx_convert_elements(c, p, v, at, out);
    case HX_PLAN_MAP:
    case HX_PLAN_OBJECT_MAP: return hx_convert_to_map(c, p, v, at, out);
  }
  return false;
}

static bool run_marked(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  if (!c->hidden++) c->secret = at;
  bool ok = hx_conversion_run(c, p, &v->u.marked->v, at, out);
  c->hidden--;
  if (ok) *out = hx_mark(c->cx, *out, v->u.marked->marks);
  return ok;
}

bool hx_conversion_run(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  if (!p || p->op == HX_PLAN_AS_IS) {
    *out = *v;
    return true;
  }
  if (v->tag > HX_T_STR) hx_stack_check();
  if (v->tag == HX_T_MARKED) return run_marked(c, p, v, at, out);
  if (v->tag != HX_T_UNKNOWN && v->tag != HX_T_NULL) return run_known(c, p, v, at, out);
  if (hx_open_of(v)) return convert_open(c, v, p->out, at, out);
  if (hx_items_of(v) && items_can_be(v, (hx_kind)p->out->kind)) return convert_items(c, v, p->out, at, out);
  if (hx_items_of(v) && !hx_is_blocks(v) && p->out->kind != HX_K_TUPLE)
    return hx_conversion_fail(c, at, hx_mismatch(c->cx, hx_val_type(c->cx, hx_items_of(v)), p->out, hides(c)));
  const hx_marks *marks = hx_items_of(v) ? hx_open_marks(c->cx, v) : NULL;
  bool null = v->tag == HX_T_NULL;
  const hx_type *to = hx_type_fill(c->cx, null ? v->u.type : v->u.unk->type, hx_type_plain(c->cx, p->out));
  *out = null ? hx_null(to) : hx_mark(c->cx, to_unknown(c->cx, v, to), marks);
  return true;
}

/* Returns true if there are parts, and all of them have type t already. */
static bool parts_are(const hx_val *parts, uint32_t n, const hx_type *t) {
  for (uint32_t i = 0; i < n; i++)
    if (!hx_val_is_of(&parts[i], t)) return false;
  return n > 0;
}

/* Converts what arguments mostly are, literal lists or maps whose parts have the right type, without deriving a type or copying parts.
** Returns false if v is another value. */
static bool fits(hx_cx *cx, const hx_val *v, const hx_type *to, hx_val *out) {
  if (hx_type_is_collection(to) && to->elem->kind == HX_K_DYNAMIC) return false; /* open objects may change */
  if (v->tag == HX_T_TUPLE && to->kind == HX_K_LIST && parts_are(v->u.seq->v, v->len, to->elem)) {
    *out = hx_list(cx, hx_type_plain(cx, to->elem), v->u.seq->v, v->len);
    return true;
  }
  if (v->tag == HX_T_OBJECT && to->kind == HX_K_MAP && parts_are(v->u.obj->v, v->len, to->elem)) {
    *out = hx_map(cx, hx_type_plain(cx, to->elem), v->u.obj->shape, v->u.obj->v);
    return true;
  }
  return false;
}

/* Charges the work of finding out how a composite type converts: three steps, plus one for every four of its parts. */
static void charge_plan(hx_cx *cx, const hx_type *from) {
  if (!hx_type_is_primitive(from)) hx_charge_steps(cx, 3 + (hx_type_weight(from) >> 6));
}

/* Converts a value that already has the type. As in the reference, the type of a null or unknown value loses `optional`. */
static hx_val without_optional(hx_cx *cx, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  const hx_type *stated = hx_stated_type(bare), *plain = stated ? hx_type_plain(cx, stated) : NULL;
  if (plain == stated) return *v;
  return hx_mark(cx, hx_is_null(bare) ? hx_null(plain) : to_unknown(cx, bare, plain), hx_marks_get(v));
}

bool hx_convert(hx_cx *cx, const hx_val *v, const hx_type *to, hx_val *out, hx_why_not *why) {
  if (v->tag > HX_T_STR) hx_charge_walk(cx, hx_val_weight(v));
  if (to->kind == HX_K_DYNAMIC) {
    *out = *v;
    return true;
  }
  if (hx_val_is_of(v, to)) {
    *out = without_optional(cx, v);
    return true;
  }
  if (fits(cx, v, to, out)) return true;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  const hx_type *from = hx_val_type(cx, v);
  const hx_plan *p;
  charge_plan(cx, from);
  hx_conversion c = { .cx = cx, .why = why, .hidden = cx->secret };
  bool open = hx_type_has_dynamic(from) && hx_type_has_dynamic(to) && hx_has_open(v);
  bool can = hx_plan_make(cx, from, to, open ? HX_PLAN_WITH_OPEN : HX_PLAN_UNSAFE, &p);
  bool ok = can && hx_conversion_run(&c, p, v, NULL, out);
  hx_arena_release(&cx->scratch, mark);
  if (!can && why) why->text = hx_mismatch(cx, from, to, hx_is_hidden(cx, v) ? HX_HIDE_GOT : 0);
  return ok;
}

bool hx_convertible(hx_cx *cx, const hx_type *from, const hx_type *to, bool safe) {
  const hx_plan *p;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  charge_plan(cx, from);
  bool can = hx_plan_make(cx, from, to, safe ? HX_PLAN_SAFE : HX_PLAN_UNSAFE, &p);
  hx_arena_release(&cx->scratch, mark);
  return can;
}
