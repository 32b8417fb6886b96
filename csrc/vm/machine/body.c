/* body.c: evaluates the arguments of a decoded body, and makes the object of its items. */
#include "vm/machine/parts.h"

#include "value/marks.h"
#include "vm/body_plan.h"

/* Returns the outermost enclosing block with an unknown for_each, or NULL. The only loops around arguments are those of `dynamic`
** blocks. */
static const hx_loop_frame *unknown_block(const hx_machine *m) {
  const hx_loop_frame *found = NULL;
  for (const hx_loop_frame *f = m->loop; f; f = f->outer)
    if (f->unsettled) found = f;
  return found;
}

/* Begins an argument; in an unknown block its value is unknown. reference: unknownBody: the contents of such a block aren't evaluated. */
hx_went hx_slow_argument(hx_machine *m, const hx_instr *in) {
  const hx_loop_frame *f = unknown_block(m);
  if (!f) return HX_WENT_ON;
  hx_machine_put(m, 0, hx_mark(&m->cx, hx_unknown_dynamic, f->marks));
  m->pc = in->b;
  return HX_WENT_JUMP;
}

hx_went hx_slow_argument_mark(hx_machine *m, const hx_instr *in) {
  const hx_loop_frame *f = &m->loops[in->b];
  if (f->marks) m->top[-1] = hx_mark(&m->cx, m->top[-1], f->marks);
  return HX_WENT_ON;
}

static hx_went check_argument(hx_machine *m) {
  const hx_node *n = hx_machine_node(m);
  const hx_argument_plan *plan = n->u.argument.plan;
  hx_range at = hx_node_range(n->u.argument.first);
  hx_str name = *n->u.argument.name;
  hx_val *v = m->top - 1, out;
  hx_why_not why = { { "", 0 } };
  if (hx_is_null(hx_unmarked(v)) && (plan->not_null || plan->value.tag != HX_T_NONE)) {
    if (plan->value.tag != HX_T_NONE) *v = hx_mark(&m->cx, plan->value, hx_marks_get(v));
    else hx_diag_add(&m->cx, HX_D_BODY_NULL, m->program->source, at, HX_STR_ARG(name));
    return HX_WENT_ON;
  }
  if (!plan->type) return HX_WENT_ON;
  if (hx_constraint_convert(&m->cx, plan->type, v, &out, &why)) {
    *v = out;
    return HX_WENT_ON;
  }
  hx_diag_add(&m->cx, HX_D_BODY_TYPE, m->program->source, at, HX_STR_ARG(name), HX_STR_ARG(why.text));
  *v = hx_unknown_dynamic;
  return HX_WENT_ON;
}

/* Checks the type of an argument. Messages hide a value that is part of a secret, even if it has no mark itself. */
hx_went hx_slow_argument_type(hx_machine *m, const hx_instr *in) {
  const hx_node *expression = hx_machine_node(m)->u.made.first;
  bool was_secret = m->cx.secret;
  (void)in;
  if (expression->kind == HX_AST_WITHIN) m->cx.secret |= hx_within_is_secret(hx_plan_of(expression));
  hx_went went = check_argument(m);
  m->cx.secret = was_secret;
  return went;
}

hx_went hx_slow_secret(hx_machine *m, const hx_instr *in) {
  (void)in;
  hx_machine_put(m, 0, hx_bool(m->cx.secret));
  m->cx.secret = true;
  return HX_WENT_ON;
}

hx_went hx_slow_mark(hx_machine *m, const hx_instr *in) {
  m->cx.secret = m->top[-2].u.i != 0;
  hx_machine_put(m, 2, hx_mark(&m->cx, m->top[-1], hx_marks_get(&m->program->constants[in->b])));
  return HX_WENT_ON;
}

hx_went hx_slow_fault(hx_machine *m, const hx_instr *in) {
  const hx_node *n = hx_machine_node(m);
  const hx_diag *d = n->u.fault;
  (void)in;
  hx_diag_report(&m->cx, d);
  for (uint32_t i = 1; i < n->count; i++) hx_diag_report(&m->cx, d = d->next);
  hx_machine_put(m, 0, hx_unknown_dynamic);
  return HX_WENT_ON;
}

static hx_str name_of(const hx_node *item) {
  if (item->kind == HX_AST_ARGUMENT) return *item->u.argument.name;
  return ((const hx_nested_plan *)hx_plan_of(item))->type;
}

/* Returns true if the object gets this item. The value of an absent optional block is HX_T_NONE. An argument that is null counts as
** absent if the schema gives it no default, unless the null has a mark: then it may be secret that it is null. */
static bool is_there(const hx_node *item, const hx_val *v) {
  const hx_argument_plan *plan = item->kind == HX_AST_ARGUMENT ? item->u.argument.plan : NULL;
  if (plan && plan->value.tag == HX_T_NONE && hx_is_null(v)) return false;
  return item->kind != HX_AST_FAULT && v->tag != HX_T_NONE;
}

hx_went hx_slow_decoded(hx_machine *m, const hx_instr *in) {
  const hx_val *v = m->top - in->b;
  hx_obj_builder b;
  hx_obj_builder_init(&b, &m->cx, in->b);
  for (const hx_node *item = hx_machine_node(m)->u.made.first; item; item = item->next, v++)
    if (is_there(item, v)) *hx_obj_builder_put(&b, name_of(item)) = *v;
  hx_machine_put(m, in->b, hx_obj_builder_object(&b));
  return HX_WENT_ON;
}
