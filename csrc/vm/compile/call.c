/* call.c: compiles calls, and the forms try(), can() and convert() whose arguments are not simply evaluated.
**
**   CALL_BEGIN                                   finds the function; jumps to the end if that fails
**   [the collection before `...`, SPREAD]        reference: it is evaluated first
**   arguments; those of try() and can() are followed by TRY_NEXT, types are preceded by TYPE_ARG
**   CALL or TRY_END */
#include "vm/compile/compiler.h"

#include "vm/call.h"
#include "vm/constraint.h"
#include "vm/references.h"

enum { SPREAD_DONE = 1, ARGUMENTS, FORM_ARGUMENT, TYPE_ARGUMENT };

/* Returns true if the number of arguments is right, and the function exists in every scope that has the built-ins. */
static bool is_sure(const hx_fn *fn, const hx_node *node) {
  uint32_t n = 0;
  if ((fn->flags & HX_CONSOLE) || (node->flags & HX_AST_EXPAND)) return false;
  while (n < HX_MAX_PARAMS && fn->params[n].name) n++;
  return node->count == n || (node->count > n && fn->rest.name);
}

static uint32_t add_site(hx_compiler *c, const hx_node *node) {
  hx_str name = hx_call_name(c->cx, c->p->source, node);
  const hx_fn *builtin = hx_builtin(name);
  bool sure = builtin && is_sure(builtin, node);
  uint16_t form = builtin ? builtin->flags & (HX_FORM_TRY | HX_FORM_CAN | HX_FORM_CONVERT | HX_FORM_TEMPLATE) : 0;
  *HX_VEC_PUSH(&c->cx->scratch, &c->calls) = (hx_call_site){
    .name = name,
    .node = node,
    .builtin = builtin,
    .nargs = node->count,
    .form = form,
    .spread = (node->flags & HX_AST_EXPAND) != 0,
    .sure = sure,
    .quick = sure ? builtin->quick : NULL,
    .begin = c->code.n,
  };
  return c->calls.n - 1;
}

static bool is_type_arg(const hx_call_site *site, uint32_t i) {
  return (site->form & HX_FORM_CONVERT) && i < HX_MAX_PARAMS && site->builtin->params[i].name &&
         site->builtin->params[i].type->kind == HX_K_CAPSULE;
}

/* Reads a type argument. Its errors are not reported now but when it is evaluated, because the call may be in a branch that isn't taken. */
static const hx_constraint *parse_type(hx_compiler *c, const hx_node *arg) {
  hx_diags_mark mark = hx_diags_get_mark(c->cx);
  const hx_constraint *type = hx_constraint_parse(c->cx, c->p->source, arg, true);
  hx_diags_rollback(c->cx, mark);
  return type;
}

static hx_want argument_want(const hx_call_site *site, uint32_t i) {
  if (!site->builtin) return HX_WANT_WHOLE;
  if (i == 0 && (site->builtin->flags & HX_FOREIGN_OK)) return HX_WANT_OPEN;
  const hx_param *p = hx_call_param(site->builtin, i);
  return p && hx_type_is_primitive(p->type) && !site->form ? HX_WANT_ARGUMENT : HX_WANT_WHOLE;
}

static const hx_node *last_argument(const hx_node *call) {
  const hx_node *n = call->u.call.first;
  while (n->next) n = n->next;
  return n;
}

static void begin(hx_compiler *c, hx_compile_task *t) {
  t->mark = add_site(c, t->node);
  t->kid = t->node->u.call.first;
  hx_emit(c, HX_I_CALL_BEGIN, 0, t->mark, t->node, t->start);
  t->phase = ARGUMENTS;
  if (!c->calls.p[t->mark].spread) return;
  t->phase = SPREAD_DONE;
  hx_compile_child(c, last_argument(t->node), HX_WANT_WHOLE);
}

static void end(hx_compiler *c, hx_compile_task *t) {
  hx_call_site *site = &c->calls.p[t->mark];
  bool form = (site->form & (HX_FORM_TRY | HX_FORM_CAN)) != 0;
  hx_code call = site->quick ? HX_I_CALL_QUICK : HX_I_CALL;
  hx_emit_varying(c, form ? HX_I_TRY_END : call, 0, t->mark, t->node, t->start, site->nargs);
  site->end = c->code.n;
  hx_compile_done(c);
}

/* Returns the number of an argument. All arguments after the first 65,535 get the same number. */
static uint16_t argument_number(uint32_t i) {
  return (uint16_t)(i < UINT16_MAX ? i : UINT16_MAX);
}

static void next_argument(hx_compiler *c, hx_compile_task *t) {
  const hx_call_site *site = &c->calls.p[t->mark];
  const hx_node *arg = t->kid;
  if (!arg || (site->spread && !arg->next)) {
    end(c, t);
    return;
  }
  uint32_t i = t->count++;
  t->kid = arg->next;
  t->from = c->code.n;
  if (site->form & (HX_FORM_TRY | HX_FORM_CAN)) t->phase = FORM_ARGUMENT;
  if ((site->form & HX_FORM_TEMPLATE) && i == 0) t->phase = TYPE_ARGUMENT;
  if (is_type_arg(site, i)) {
    t->phase = TYPE_ARGUMENT;
    c->calls.p[t->mark].constraint = parse_type(c, arg);
    hx_emit(c, HX_I_TYPE_ARG, argument_number(i), t->mark, arg, c->code.n);
    c->depth--; /* the instruction leaves its value only if it jumps over the following code */
  }
  hx_compile_child(c, arg, argument_want(site, i));
}

void hx_compile_call(hx_compiler *c, hx_compile_task *t) {
  if (t->phase == 0) {
    begin(c, t);
    return;
  }
  if (t->phase == SPREAD_DONE) {
    t->phase = ARGUMENTS;
    hx_emit(c, HX_I_SPREAD, 0, t->mark, last_argument(t->node), t->start + 1);
  }
  if (t->phase == FORM_ARGUMENT) {
    t->phase = ARGUMENTS;
    hx_emit(c, HX_I_TRY_NEXT, argument_number(t->count - 1), t->mark, t->node, t->from);
  }
  if (t->phase == TYPE_ARGUMENT) {
    t->phase = ARGUMENTS;
    c->calls.p[t->mark].type_end = c->code.n;
  }
  next_argument(c, t);
}
