/* call.c: executes calls. Source: the reference's FunctionCallExpr.Value. vm/call.h prepares the arguments. */
#include "vm/machine/parts.h"

#include "text/report.h"
#include "text/suggest.h"
#include "value/open.h"
#include "vm/entry.h"

const hx_fn *hx_call_function(hx_machine *m, const hx_call_site *site) {
  if (m->plain && site->sure) return site->builtin;
  return m->host->function(m->host, &m->cx, site->name, site->builtin);
}

bool hx_calls_builtins(hx_machine *m) {
  hx_program *p = (hx_program *)(uintptr_t)m->program;
  hx_host *host = m->host;
  if (host->plain || (host->functions && p->builtins_in == host->functions)) return true;
  for (uint32_t i = 0; i < p->ncalls; i++) {
    const hx_call_site *site = &p->calls[i];
    if (site->builtin && host->function(host, &m->cx, site->name, site->builtin) != site->builtin) return false;
  }
  p->builtins_in = host->functions; /* saves finding each name again, which takes a tenth of an evaluation */
  return true;
}

/* Places */

hx_range hx_call_start(const hx_call_site *site) {
  return hx_range_of(site->node->start, site->node->u.call.open + 1);
}

/* A position among the arguments of a call. It only moves forward, so that errors of many arguments take one pass in all. */
typedef struct argument_at {
  const hx_node *node;
  uint32_t i;
} argument_at;

static argument_at first_argument(const hx_call_site *site) {
  return (argument_at){ site->node->u.call.first, 0 };
}

/* Returns the range of argument i. Calls with the same *at must not go back to an earlier argument. */
static hx_range argument_range(const hx_call_site *site, argument_at *at, uint32_t i) {
  for (; at->i < i && at->node->next; at->i++) at->node = at->node->next;
  /* reference: elements of a spread collection are literals at the place of the collection */
  bool spread = site->spread && !at->node->next;
  HX_ASSERT(spread || at->i == i);
  return spread ? hx_node_range(at->node) : hx_node_start_range(at->node);
}

static hx_range blamed(const hx_call_site *site, argument_at *at, int32_t arg) {
  if (arg == HX_BLAME_CLOSE) return hx_range_of(site->node->u.call.close_start, site->node->stop);
  return arg < 0 ? hx_call_start(site) : argument_range(site, at, (uint32_t)arg);
}

static hx_diag *report(hx_machine *m, const hx_call_site *site, hx_diag_id id, int32_t arg, hx_str text) {
  argument_at at = first_argument(site);
  hx_diag *d = hx_report_at(m, id, blamed(site, &at, arg), text);
  d->context = hx_node_range(site->node);
  if (HX_LIKELY(!m->call.inner)) return d;
  if (m->call.inner->source) d->chain = hx_report_chain(&m->cx, m->call.inner);
  d->reason = hx_str_copy(&m->cx, m->call.inner->reason);
  return d;
}

static void report_fault(hx_machine *m, const hx_call_site *site) {
  const hx_call *call = &m->call;
  hx_diag *first = report(m, site, call->bad_arg >= 0 ? HX_D_CALL_ARGUMENT : HX_D_CALL_FAILED, call->bad_arg, call->message);
  if (call->reason) first->reason = hx_str_c(call->reason);
  argument_at at = first_argument(site);
  for (const hx_call_fault *f = call->more; f; f = f->next) {
    hx_diag *d = hx_report_at(m, HX_D_CALL_ARGUMENT, blamed(site, &at, f->arg), f->message);
    d->context = hx_node_range(site->node);
  }
}

/* Beginning: finds the function and checks the number of arguments, before any argument is evaluated */

static hx_str namespace_of(hx_str name) {
  uint32_t n = name.len;
  while (n > 1 && !(name.p[n - 1] == ':' && name.p[n - 2] == ':')) n--;
  return (hx_str){ name.p, n > 1 ? n : 0 };
}

/* Returns a hint about a namespace that doesn't exist, such as the nearest namespace, or "" if it exists. */
static hx_str near_namespace(hx_machine *m, hx_str space, const hx_str *names, uint32_t n) {
  hx_str *spaces = HX_NEW_ARRAY(&m->cx, hx_str, n);
  for (uint32_t i = 0; i < n; i++) {
    spaces[i] = namespace_of(names[i]);
    if (hx_str_eq(spaces[i], space)) return HX_STR("");
  }
  hx_str near = hx_near_name(&m->cx, space, spaces, n);
  if (near.len) return hx_say(&m->cx, " Did you mean the namespace \"%.*s\"?", HX_STR_ARG(near));
  if (space.len > 10 && memcmp(space.p, "provider::", 10) == 0)
    return hx_say(&m->cx, " The provider must be named in required_providers.");
  return hx_say(&m->cx, " There is nothing in the namespace \"%.*s\".", HX_STR_ARG(space));
}

/* Returns a hint for an unknown name in a namespace that has no similar name. It suggests a core:: function if that may be meant. */
static hx_str namespace_hint(hx_machine *m, hx_str called, hx_str space, const hx_str *names, uint32_t n) {
  static const hx_str core = { "core::", 6 };
  hx_str name = hx_str_from(called, space.len);
  bool is_core = hx_str_eq(space, core);
  if (is_core) name = hx_suggest(name, names, n);
  if (name.len && (is_core || hx_suggest(space, &core, 1).len)) {
    hx_str full = hx_strf(&m->cx, "%.*s%.*s", HX_STR_ARG(core), HX_STR_ARG(name));
    if (m->host->function(m->host, &m->cx, full, hx_builtin(full)))
      return hx_say(&m->cx, " Did you mean \"%.*s\"?", HX_STR_ARG(full));
  }
  return is_core ? HX_STR("") : near_namespace(m, space, names, n);
}

/* Hints for functions and words of other languages. */
static const hx_word_note foreign_words[] = {
  { { "not", 3 }, " For \"not\" write \"!\"." },
  { { "and", 3 }, " For \"and\" write \"&&\" between the two." },
  { { "or", 2 }, " For \"or\" write \"||\" between the two." },
  { { "if", 2 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
  { { "len", 3 }, " Did you mean \"length\"?" },
  { { "size", 4 }, " Did you mean \"length\"?" },
  { { "int", 3 }, " Did you mean \"tonumber\", or \"floor\"?" },
  { { "str", 3 }, " Did you mean \"tostring\"?" },
  { { "map", 3 }, " Did you mean \"tomap\"? A new collection is made by a for expression: [for v in list : v + 1]." },
  { { "filter", 6 }, " Some elements are taken by a for expression: [for v in list : v if v > 0]." },
};

/* Returns a hint if the name means something else: a word of another language, or a named value. */
static hx_str other_sense(hx_machine *m, hx_str name) {
  const hx_str *names = NULL;
  uint32_t n = 0;
  if (m->host->names) m->host->names(m->host, &m->cx, false, HX_STR(""), &names, &n);
  for (uint32_t i = 0; i < n; i++)
    if (hx_str_eq(names[i], name))
      return HX_STR(
          " There is a named value of that name, but what is called are functions of the scope: give it in scope.functions.");
  return hx_word_note_of(foreign_words, sizeof foreign_words / sizeof *foreign_words, name);
}

static void report_unknown(hx_machine *m, const hx_call_site *site) {
  hx_range at = hx_range_of(site->node->start, site->node->u.call.name_stop);
  if (hx_is_silent(&m->cx)) {
    hx_report_at(m, HX_D_CALL_UNKNOWN, at, HX_STR(""));
    return;
  }
  const hx_str *names = m->functions;
  uint32_t n = m->nfunctions;
  if (m->host->names && !n) {
    m->host->names(m->host, &m->cx, true, HX_STR(""), &names, &n);
    m->functions = names;
    m->nfunctions = n;
    if (n == 0) {
      /* reference: the diagnostic points at the whole call */
      hx_str sense = other_sense(m, site->name);
      if (!sense.len) sense = HX_STR(" Write the value itself.");
      hx_diag_add(&m->cx, HX_D_CALL_NONE, m->program->source, hx_node_range(site->node), HX_STR_ARG(site->name), HX_STR_ARG(sense))
          ->name = site->name;
      return;
    }
  }
  hx_str space = namespace_of(site->name), hint = other_sense(m, site->name);
  bool is_other = hint.len > 0;
  if (!hint.len) hint = hx_did_you_mean(&m->cx, site->name, names, n);
  bool is_similar = !is_other && hint.len > 0;
  if (!hint.len && space.len) hint = namespace_hint(m, site->name, space, names, n);
  hx_diag *d = hx_diag_add(&m->cx, HX_D_CALL_UNKNOWN, m->program->source, at, HX_STR_ARG(site->name), HX_STR_ARG(hint));
  d->context = hx_node_range(site->node);
  d->name = site->name;
  if (is_similar) d->reason = HX_STR("similar");
}

/* Ends the call: replaces the `takes` values on top by its result. */
static hx_went leave(hx_machine *m, const hx_call_site *site, uint32_t takes, hx_val v) {
  hx_machine_put(m, takes, v);
  m->pc = site->end;
  return HX_WENT_JUMP;
}

static void begin_call(hx_machine *m, const hx_fn *fn) {
  m->call.cx = &m->cx;
  m->call.host = m->host;
  hx_call_init(&m->call, fn);
}

static bool count_is_right(hx_machine *m, const hx_call_site *site, const hx_fn *fn, uint32_t n, bool hidden) {
  begin_call(m, fn);
  if (hx_call_count(&m->call, n, hidden)) return true;
  report(m, site, HX_D_CALL_COUNT, m->call.bad_arg, m->call.message);
  return false;
}

hx_went hx_slow_call_begin(hx_machine *m, const hx_instr *in) {
  const hx_call_site *site = &m->program->calls[in->b];
  const hx_fn *fn = hx_call_function(m, site);
  if (!fn) {
    report_unknown(m, site);
    return leave(m, site, 0, hx_unknown_dynamic);
  }
  if (site->spread) return HX_WENT_ON;
  if (!count_is_right(m, site, fn, site->nargs, false)) return leave(m, site, 0, hx_unknown_dynamic);
  hx_try_begin(m, site);
  return HX_WENT_ON;
}

/* Returns true if items can be spread as arguments, because their order is certain or the function ignores it. */
static bool can_spread(hx_machine *m, const hx_call_site *site, const hx_val *bare) {
  if (!hx_items_of(bare) || hx_is_blocks(bare)) return false;
  if (hx_are_sure_elements(bare)) return true;
  const hx_fn *fn = hx_call_function(m, site);
  return fn && (fn->rest.allow & HX_ITEMS_ANY_ORDER) && hx_items_differ(&m->cx, bare);
}

/* Tests the spread collection. reference: it is evaluated before the other arguments. If it fails or is unknown, the other
** arguments are ignored. */
hx_went hx_slow_spread(hx_machine *m, const hx_instr *in) {
  const hx_call_site *site = &m->program->calls[in->b];
  const hx_val *v = m->top - 1, *bare = hx_unmarked(v);
  const hx_source *src = m->program->source;
  hx_range at = hx_node_range(hx_machine_node(m)), around = hx_node_range(site->node);
  if (hx_operands_failed(m)) return leave(m, site, 1, hx_unknown_dynamic);
  hx_kind kind = hx_val_kind(bare);
  if (!hx_kind_is_seq(kind) && kind != HX_K_DYNAMIC) {
    hx_str is = hx_type_friendly(&m->cx, hx_val_type(&m->cx, bare));
    hx_diag_add(&m->cx, HX_D_CALL_EXPAND_TYPE, src, at, HX_STR_ARG(is))->context = around;
    return leave(m, site, 1, hx_unknown_dynamic);
  }
  if (hx_is_null(bare)) {
    hx_diag_add(&m->cx, HX_D_CALL_EXPAND_NULL, src, at)->context = around;
    return leave(m, site, 1, hx_unknown_dynamic);
  }
  if (can_spread(m, site, bare)) {
    m->top[-1] = hx_mark(&m->cx, *hx_items_of(bare), hx_marks_get(v));
    bare = hx_unmarked(v);
  }
  if (hx_is_unknown(bare)) return leave(m, site, 1, hx_unknown_of_open(&m->cx, v));
  const hx_fn *fn = hx_call_function(m, site);
  bool hidden = v != bare || m->cx.secret;
  if (!count_is_right(m, site, fn, site->nargs - 1 + bare->len, hidden)) return leave(m, site, 1, hx_unknown_dynamic);
  hx_try_begin(m, site);
  return HX_WENT_ON;
}

/* The call itself */

/* Returns the *n arguments in one array: those on the stack, then the elements of the spread collection, with its marks. */
static hx_val *gather(hx_machine *m, const hx_call_site *site, uint32_t *n) {
  uint32_t fixed = site->nargs - (site->spread ? 1 : 0);
  *n = fixed;
  if (!site->spread) return m->top - fixed;
  const hx_val *v = m->top - fixed - 1, *bare = hx_unmarked(v);
  const hx_marks *marks = hx_marks_get(v);
  hx_charge_memory(&m->cx, 16 * (uint64_t)bare->len);
  hx_charge_steps(&m->cx, bare->len / 4);
  hx_val *args = HX_NEW_ARRAY(&m->cx, hx_val, (size_t)fixed + bare->len + 1);
  if (fixed) memcpy(args, m->top - fixed, fixed * sizeof *args);
  for (uint32_t i = 0; i < bare->len; i++) args[fixed + i] = hx_mark(&m->cx, bare->u.seq->v[i], marks);
  *n = fixed + bare->len;
  return args;
}

static hx_went ask_host(hx_machine *m) {
  m->need = (hx_need){ .fn = m->call.fn, .args = m->call_args, .nargs = m->call_nargs, .for_type = m->call.for_type };
  m->phase = HX_PHASE_ASKED;
  return HX_WENT_CALL;
}

/* Returns true if the first argument is FOREIGN and the function doesn't accept this. */
static bool wants_whole(const hx_fn *fn, const hx_val *args, uint32_t n) {
  return n && args[0].tag == HX_T_FOREIGN && !(fn->flags & HX_FOREIGN_OK);
}

/* Copies the arguments: the protocol takes marks off in place, but a call that is repeated after a wait needs the original
** arguments. */
static hx_val *copy_args(hx_machine *m, const hx_val *args, uint32_t n) {
  hx_val *copy = HX_NEW_ARRAY(&m->cx, hx_val, n);
  memcpy(copy, args, n * sizeof *copy);
  return copy;
}

hx_went hx_call_settle(hx_machine *m, const hx_call_site *site, hx_call_state state, hx_val out) {
  switch (state) {
    case HX_CALL_DONE:
      if (HX_UNLIKELY(hx_unmarked(&out)->tag == HX_T_NONE)) return HX_WENT_WAIT; /* the host must ask Lua first */
      break;
    case HX_CALL_FAILED:
      report_fault(m, site);
      out = hx_unknown_dynamic;
      break;
    case HX_CALL_HOST:
      if (!m->host->check) return ask_host(m);
      out = hx_check_called(m);
      break;
    case HX_CALL_ENTER: return hx_frame_enter(m);
  }
  hx_machine_put(m, site->nargs, out);
  return HX_WENT_ON;
}

/* Returns the form of a reference to a template. reference: isValidTemplateStringExpr; an index may be any expression. */
static hx_text_form text_form(const hx_node *n) {
  while (n->kind == HX_AST_RELATIVE || n->kind == HX_AST_INDEX || n->kind == HX_AST_SPLAT) n = hx_node_first(n);
  if (n->kind == HX_AST_TRAVERSAL) return HX_TEXT_REFERENCE;
  bool literal = n->kind == HX_AST_STRING || n->kind == HX_AST_TEMPLATE || n->kind == HX_AST_WRAP || n->kind == HX_AST_JOIN;
  return literal ? HX_TEXT_LITERAL : HX_TEXT_OTHER;
}

/* Returns the text argument, and puts an empty string in its place. reference: the function evaluates the template's text after its other
** argument has passed, so the function reports the text's errors. */
static hx_text_argument *take_text(hx_machine *m, const hx_call_site *site, hx_val *arg) {
  hx_text_argument *text = HX_NEW(&m->cx, hx_text_argument);
  bool spread = site->spread && site->nargs == 1;
  *text = (hx_text_argument){ .form = spread ? HX_TEXT_OTHER : text_form(site->node->u.call.first), .v = *arg };
  *arg = hx_string(HX_STR(""));
  if (!m->cx.diags.errors || spread || !hx_errors_any(m, site->begin, site->type_end)) return text;
  const hx_diag *d = hx_errors_last(m, site->begin, site->type_end);
  text->failed = true;
  text->why = d ? d->detail : HX_STR("");
  hx_errors_drop(m, site->begin, site->type_end);
  return text;
}

hx_went hx_call_go(hx_machine *m, const hx_call_site *site) {
  const hx_fn *fn = hx_call_function(m, site);
  uint32_t n;
  hx_val *args = gather(m, site, &n), out = hx_unknown_dynamic;
  if (wants_whole(fn, args, n) && hx_machine_whole(m, &args[0]) == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (fn->needs && n && !site->spread) args = copy_args(m, args, n);
  begin_call(m, fn);
  m->call.constraint = site->constraint;
  m->call.written = site->nargs - (site->spread ? 1 : 0);
  if (HX_UNLIKELY(site->form & HX_FORM_TEMPLATE) && n && hx_call_is_form(m, site)) m->call.text = take_text(m, site, &args[0]);
  if (hx_operands_failed(m)) {
    if (n && args[0].tag == HX_T_FOREIGN) args[0] = hx_unknown_dynamic;
    if (!hx_call_check(&m->call, args, n)) report_fault(m, site);
    hx_machine_put(m, site->nargs, out);
    return HX_WENT_ON;
  }
  m->call_args = args;
  m->call_nargs = n;
  hx_call_state state = hx_call_run(&m->call, args, n, &out, &m->call_marks);
  if (HX_LIKELY(state == HX_CALL_DONE && out.tag != HX_T_NONE)) {
    hx_machine_put(m, site->nargs, out);
    return HX_WENT_ON;
  }
  return hx_call_settle(m, site, state, out);
}

hx_went hx_slow_call(hx_machine *m, const hx_instr *in) {
  return hx_call_go(m, &m->program->calls[in->b]);
}

/* Reports that the function rejected an argument, or the call. */
static void report_refusal(hx_machine *m, const hx_call_site *site) {
  bool at_arg = m->refused_arg >= 0 && (uint32_t)m->refused_arg < m->call_nargs;
  int32_t arg = at_arg ? m->refused_arg : HX_BLAME_CALL;
  if (m->refused_with) {
    argument_at at = first_argument(site);
    hx_range place = blamed(site, &at, arg);
    hx_diags_report_at(&m->cx, m->refused_with, m->program->source, place, hx_node_range(site->node));
    return;
  }
  report(m, site, at_arg ? HX_D_CALL_ARGUMENT : HX_D_CALL_FAILED, arg, hx_call_detail(&m->call, arg, m->refusal));
}

hx_went hx_call_resume(hx_machine *m) {
  const hx_call_site *site = &m->program->calls[m->program->code[m->pc].b];
  uint8_t phase = m->phase;
  if (phase == HX_PHASE_ASKED) return HX_WENT_CALL; /* not answered yet */
  m->phase = HX_PHASE_RUN;
  if (phase == HX_PHASE_REFUSED) {
    report_refusal(m, site);
    hx_machine_put(m, site->nargs, hx_unknown_dynamic);
    return HX_WENT_ON;
  }
  hx_val out = hx_unknown_dynamic;
  hx_call_state state = hx_call_finish(&m->call, m->answer, m->call_marks, &out);
  return hx_call_settle(m, site, state, out);
}
