/* body.c: compiles bodies prepared by config/ (vm/body_plan.h).
**
**   EACH        for_each EACH ROWS body: [key value state] labels… content EACH_APPEND end:
**   checked     for_each EACH_CHECK faults… TUPLE after:
**   ARGUMENT    ARGUMENT(end) expression [ARGUMENT_MARK] end: [ARGUMENT_TYPE] */
#include "vm/compile/compiler.h"

#include "vm/body_plan.h"

const hx_shape *hx_iterator_shape(hx_cx *cx) {
  static const hx_str keys[] = { { "key", 3 }, { "value", 5 } };
  return hx_shape_new(cx, keys, 2);
}

/* Compiles the children one after the other; then op takes their values. */
static void compile_all(hx_compiler *c, hx_compile_task *t, hx_code op) {
  if (t->phase == 0) {
    t->phase = 1;
    t->kid = t->node->u.made.first;
  }
  if (hx_compile_next(c, t)) return;
  hx_emit_varying(c, op, 0, t->node->count, t->node, t->start, t->node->count);
  hx_compile_done(c);
}

void hx_compile_expanded(hx_compiler *c, hx_compile_task *t) {
  compile_all(c, t, HX_I_TUPLE);
}
void hx_compile_decoded(hx_compiler *c, hx_compile_task *t) {
  compile_all(c, t, HX_I_DECODED);
}
void hx_compile_nested(hx_compiler *c, hx_compile_task *t) {
  compile_all(c, t, HX_I_NESTED);
}

void hx_compile_fault(hx_compiler *c, hx_compile_task *t) {
  hx_emit(c, HX_I_FAULT, 0, 0, t->node, t->start);
  hx_compile_done(c);
}

static bool has_type(const hx_argument_plan *plan) {
  return plan && (plan->type || plan->not_null || plan->value.tag != HX_T_NONE);
}

/* Ends an argument. In a generated block its value may become unknown, or get marks. */
static void end_argument(hx_compiler *c, hx_compile_task *t) {
  bool direct = c->scope && t->node->flags & HX_AST_GENERATED;
  if (direct) hx_emit(c, HX_I_ARGUMENT_MARK, 0, c->scope->loop, t->node, t->start);
  if (c->scope) c->code.p[t->mark].b = c->code.n;
  if (has_type(t->node->u.argument.plan)) hx_emit(c, HX_I_ARGUMENT_TYPE, 0, 0, t->node, t->start);
  hx_compile_done(c);
}

void hx_compile_argument(hx_compiler *c, hx_compile_task *t) {
  const hx_node *expression = t->node->u.argument.first;
  if (!expression) {
    hx_emit_constant(c, t->node, &t->node->u.argument.plan->value);
    hx_compile_done(c);
  } else if (t->phase == 0) {
    t->phase = 1;
    if (c->scope) t->mark = hx_emit(c, HX_I_ARGUMENT, 0, 0, t->node, t->start);
    hx_compile_child(c, expression, HX_WANT_WHOLE);
  } else {
    end_argument(c, t);
  }
}

/* Iterators */

static void bind(hx_compiler *c, const hx_bound_name *names) {
  hx_compile_scope *outer = c->scope, **at = &c->scope;
  for (; names; names = names->outer) {
    hx_compile_scope *s = hx_arena_alloc(&c->cx->scratch, sizeof *s);
    *s = (hx_compile_scope){ .value = names->name, .loop = hx_compile_constant(c, &names->value), .kind = HX_SCOPE_BOUND };
    *at = s;
    at = &s->outer;
  }
  *at = outer;
}

static void unbind(hx_compiler *c, const hx_bound_name *names) {
  for (; names; names = names->outer) c->scope = c->scope->outer;
}

void hx_compile_within(hx_compiler *c, hx_compile_task *t) {
  const hx_within_plan *plan = hx_plan_of(t->node);
  if (plan->unknown.tag != HX_T_NONE) {
    hx_emit_constant(c, t->node, &plan->unknown);
    hx_compile_done(c);
  } else if (t->phase == 0) {
    t->phase = 1;
    if (hx_within_is_secret(plan)) hx_emit(c, HX_I_SECRET, 0, 0, t->node, c->code.n);
    bind(c, plan->names);
    hx_compile_child(c, t->node->u.made.first, HX_WANT_WHOLE);
  } else {
    const hx_val *marked = plan->marked.tag == HX_T_NONE ? &hx_empty_tuple : &plan->marked;
    unbind(c, plan->names);
    if (hx_within_is_secret(plan)) hx_emit(c, HX_I_MARK, 0, hx_compile_constant(c, marked), t->node, t->start);
    hx_compile_done(c);
  }
}

/* EACH */

enum { COLLECTION, FIRST, PARTS, FAULTS };

/* Emits the values of the current element that EXPANDED content needs. */
static void emit_iteration(hx_compiler *c, const hx_compile_task *t) {
  hx_emit(c, HX_I_LOOP_KEY, 0, t->mark, t->node, t->start);
  hx_emit(c, HX_I_ELEMENT, (uint16_t)hx_compile_column(c, t->mark, NULL, 0, HX_WANT_WHOLE), t->mark, t->node, t->start);
  hx_emit(c, HX_I_EACH_STATE, 0, t->mark, t->node, t->start);
}

static void begin_each(hx_compiler *c, hx_compile_task *t) {
  const hx_each_plan *plan = hx_plan_of(t->node);
  t->kid = t->node->u.made.first->next;
  if (plan->check) {
    t->phase = FAULTS;
    t->mark = hx_emit(c, HX_I_EACH_CHECK, 0, 0, t->node, t->start);
    return;
  }
  t->phase = PARTS;
  hx_compile_loop_begin(c, t->mark, HX_I_EACH, t, (hx_compile_scope){ .value = plan->names.value, .kind = HX_SCOPE_EACH });
  if (plan->expanded) emit_iteration(c, t);
}

/* Compiles the next label, or the content after the last one. Each label is checked directly after its code. */
static void compile_part(hx_compiler *c, hx_compile_task *t) {
  const hx_each_plan *plan = hx_plan_of(t->node);
  uint32_t n = hx_each_values(plan);
  if (t->count > 0) {
    if (t->count <= plan->nlabels) hx_emit(c, HX_I_EACH_LABEL, 0, hx_each_before_labels(plan) + t->count, t->kid, t->from);
    t->kid = t->kid->next;
  }
  t->from = c->code.n;
  t->count++;
  c->label = t->count <= plan->nlabels;
  if (t->kid) {
    hx_compile_child(c, t->kid, HX_WANT_WHOLE);
    return;
  }
  hx_emit_varying(c, HX_I_EACH_APPEND, 0, n, t->node, t->start, n);
  hx_compile_loop_end(c, t->mark);
  hx_compile_done(c);
}

static void compile_fault_of_each(hx_compiler *c, hx_compile_task *t) {
  if (hx_compile_next(c, t)) return;
  hx_emit_varying(c, HX_I_TUPLE, 0, t->node->count, t->node, t->start, t->node->count);
  c->code.p[t->mark].b = c->code.n;
  hx_compile_done(c);
}

void hx_compile_each(hx_compiler *c, hx_compile_task *t) {
  const hx_each_plan *plan = hx_plan_of(t->node);
  switch (t->phase) {
    case COLLECTION:
      t->phase = FIRST;
      if (!plan->check) t->mark = hx_compile_loop_new(c, t->node, HX_LOOP_EACH);
      hx_compile_child(c, t->node->u.made.first, plan->check ? HX_WANT_WHOLE : HX_WANT_OPEN);
      return;
    case FIRST: begin_each(c, t); return;
    case PARTS: compile_part(c, t); return;
    default: compile_fault_of_each(c, t);
  }
}
