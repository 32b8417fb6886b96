/* splat.c: executes splats. Source: reference's SplatExpr.Value. To find the type of the result, the loop may run over unknowns of the
** elements' types instead of elements: if the source is unknown, if a list is empty, and again after errors. */
#include "vm/machine/parts.h"

#include "value/open.h"

/* Ends the loop after the last element. */
static hx_went finish(hx_machine *m, hx_loop_frame *f);

/* Loops over unknowns of the source's element types. */
static hx_went run_types(hx_machine *m, hx_loop_frame *f, hx_loop_state state) {
  const hx_type *t = hx_val_type(&m->cx, &f->collection);
  uint32_t n = t->kind == HX_K_TUPLE ? t->n : 1;
  hx_val *v = HX_NEW_ARRAY(&m->cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) v[i] = hx_unknown(&m->cx, t->kind == HX_K_TUPLE ? t->elems[i] : t->elem);
  f->state = (uint8_t)state;
  f->first_error = m->nerrors;
  f->base = v;
  f->order = NULL;
  f->n = f->cap = n;
  f->nout = 0;
  f->out = HX_NEW_ARRAY(&m->cx, hx_val, n);
  if (n == 0) return finish(m, f);
  m->pc = hx_loop_first(m, f);
  return HX_WENT_JUMP;
}

static hx_went start(hx_machine *m, hx_loop_frame *f) {
  if (f->n == 0) return finish(m, f);
  f->cap = f->n;
  f->out = HX_NEW_ARRAY(&m->cx, hx_val, f->n);
  m->pc = hx_loop_first(m, f);
  return HX_WENT_JUMP;
}

/* Starts a splat over FOREIGN data: a sequence is read by rows. An object is converted, and then treated like any value. */
static hx_went over_foreign(hx_machine *m, hx_loop_frame *f, bool *done) {
  hx_val *v = m->top - 1;
  hx_kind kind = HX_K_TUPLE;
  hx_answer a = hx_loop_over_foreign(m, f, v, &kind);
  *done = true;
  if (a == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (a != HX_ANSWER_OK) return hx_loop_skip(m, f, hx_unknown_dynamic);
  if (kind == HX_K_TUPLE) {
    m->top--;
    return start(m, f);
  }
  hx_loop_exit(m, f);
  if (hx_machine_whole(m, v) == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  *done = false;
  return HX_WENT_ON;
}

/* Starts a splat over a value that isn't a sequence: over a tuple with this one element. */
static void over_single(hx_machine *m, hx_loop_frame *f, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  hx_val *one = HX_NEW(&m->cx, hx_val);
  *one = *v;
  hx_val tuple = hx_tuple(&m->cx, one, 1);
  hx_loop_over(m, f, &tuple);
  /* If the value turns out to be null, the tuple is empty. */
  f->unsettled = hx_is_unknown(bare) && !hx_surely_not_null(bare);
}

static hx_went over_value(hx_machine *m, hx_loop_frame *f, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v), *items = hx_items_of(bare);
  /* A single block is the only element of any collection that contains it. */
  if (items && !hx_items_in_order(bare)) return hx_loop_skip(m, f, hx_unknown_of_open(&m->cx, v));
  if (items) {
    m->top[-1] = hx_mark(&m->cx, *items, hx_marks_get(v));
    hx_went went = over_value(m, f, m->top - 1);
    f->items = went == HX_WENT_JUMP;
    return went;
  }
  hx_kind kind = hx_val_kind(bare);
  bool single = !hx_kind_is_seq(kind);
  bool leave = kind == HX_K_DYNAMIC && !hx_open_of(bare) && !m->host->check;
  if (hx_is_null(bare)) {
    if (single) return hx_loop_skip(m, f, hx_mark(&m->cx, hx_empty_tuple, hx_marks_get(v)));
    const hx_node *node = f->plan->node, *source = node->u.kids.first;
    hx_diag_add(&m->cx, HX_D_SPLAT_NULL, m->program->source, hx_node_range(source))->context =
        hx_range_join(hx_node_range(source), node->u.kids.mark);
    return hx_loop_skip(m, f, hx_unknown_dynamic);
  }
  if (leave) return hx_loop_skip(m, f, hx_mark(&m->cx, hx_unknown_from(bare), hx_marks_get(v)));
  hx_loop_enter(m, f);
  hx_loop_mark(m, f, hx_marks_get(v));
  f->collection = *bare;
  f->known = single || !hx_is_unknown(bare);
  if (single) over_single(m, f, v);
  else if (f->known) hx_loop_over(m, f, bare);
  m->top--;
  return f->known ? start(m, f) : run_types(m, f, HX_LOOP_TYPES);
}

hx_went hx_slow_splat(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  if (hx_operands_failed(m)) return hx_loop_skip(m, f, hx_unknown_dynamic);
  if (m->top[-1].tag == HX_T_FOREIGN) {
    bool done;
    hx_went went = over_foreign(m, f, &done);
    if (done || went != HX_WENT_ON) return went;
  }
  return over_value(m, f, m->top - 1);
}

hx_went hx_slow_splat_append(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  f->out[f->nout++] = *--m->top;
  if (m->cx.diags.errors && hx_errors_any(m, f->plan->body, m->pc)) f->failed = true;
  uint32_t pc = hx_loop_next(m, f);
  if (pc == UINT32_MAX) return finish(m, f);
  m->pc = pc;
  return HX_WENT_JUMP;
}

/* Finds the type that all results have; results of unknown type don't count. Returns false if types differ. */
static bool common_type(hx_machine *m, const hx_val *v, uint32_t n, const hx_type **out) {
  const hx_type *type = &hx_type_dynamic;
  for (uint32_t i = 0; i < n; i++) {
    hx_kind kind = hx_val_kind(&v[i]);
    if (kind == HX_K_DYNAMIC || (kind == type->kind && hx_type_is_primitive(type))) continue;
    const hx_type *t = hx_val_type(&m->cx, &v[i]);
    if (type->kind == HX_K_DYNAMIC) type = t;
    else if (!hx_type_equal(type, t)) return false;
  }
  *out = type;
  return true;
}

/* Gives elements of unknown type the type of the other elements. */
static void settle_types(hx_machine *m, hx_val *v, uint32_t n, const hx_type *type) {
  if (type->kind == HX_K_DYNAMIC) return;
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *bare = hx_unmarked(&v[i]);
    if (hx_val_kind(bare) != HX_K_DYNAMIC) continue;
    hx_val typed = hx_is_null(bare) ? hx_null(type) : hx_unknown(&m->cx, type);
    v[i] = hx_mark(&m->cx, typed, hx_marks_get(&v[i]));
  }
}

static hx_val list_of(hx_machine *m, hx_loop_frame *f) {
  const hx_type *type;
  if (common_type(m, f->out, f->nout, &type)) {
    settle_types(m, f->out, f->nout, type);
    return hx_mark(&m->cx, hx_list(&m->cx, type, f->out, f->nout), f->marks);
  }
  const hx_node *node = f->plan->node;
  hx_diag_add(&m->cx, HX_D_SPLAT_TYPES, m->program->source, hx_node_range(node->u.kids.first->next))->context = hx_node_range(node);
  return hx_unknown_dynamic;
}

static const hx_type *tuple_of(hx_machine *m, const hx_loop_frame *f) {
  const hx_type **types = HX_NEW_ARRAY(&m->cx, const hx_type *, f->nout);
  for (uint32_t i = 0; i < f->nout; i++) types[i] = hx_val_type(&m->cx, &f->out[i]);
  return hx_type_tuple(&m->cx, types, f->nout);
}

/* Returns the type of the result. The elements were unknown, and their results show the types. */
static const hx_type *result_type(hx_machine *m, const hx_loop_frame *f) {
  if (hx_val_kind(&f->collection) == HX_K_TUPLE) return tuple_of(m, f);
  return hx_type_list(&m->cx, hx_val_type(&m->cx, &f->out[0]));
}

/* Returns the type of the result from the results of the elements themselves, because the host's data have no types of their own.
** An inner splat usually iterates over single values. If these are unknown, they might be null, so its result would be unknown. */
static const hx_type *foreign_type(hx_machine *m, const hx_loop_frame *f) {
  const hx_node *body = f->plan->node->u.kids.first->next;
  bool only_steps = body->kind == HX_AST_ITEM || (body->kind == HX_AST_RELATIVE && body->u.trav.source->kind == HX_AST_ITEM);
  for (uint32_t i = 0; i < f->nout && !only_steps; i++) f->out[i] = hx_unknown_dynamic;
  return tuple_of(m, f);
}

static hx_val unknown_result(hx_machine *m, const hx_loop_frame *f, const hx_type *type) {
  hx_val v = hx_unknown(&m->cx, type);
  hx_refine r;
  hx_refine_begin(&r, &v);
  hx_refine_not_null(&r);
  if (type->kind == HX_K_LIST) {
    uint64_t min, max;
    hx_length_bounds_of(&f->collection, &min, &max);
    hx_refine_length(&r, min, max);
  }
  return hx_refine_done(&m->cx, &r);
}

/* Returns the result of a loop over types. */
static hx_val typed_result(hx_machine *m, hx_loop_frame *f) {
  const hx_type *type = result_type(m, f);
  if (f->state == HX_LOOP_RETYPES) {
    hx_errors_cut(m, f->first_error);
    return hx_unknown(&m->cx, type);
  }
  if (f->known) return hx_list(&m->cx, type->elem, NULL, 0);
  return unknown_result(m, f, type);
}

static hx_went finish(hx_machine *m, hx_loop_frame *f) {
  hx_val v;
  bool foreign = f->collection.tag == HX_T_FOREIGN;
  bool sequence = f->collection.tag == HX_T_LIST || f->collection.tag == HX_T_SET;
  if (f->state != HX_LOOP_RUN) {
    if (m->cx.diags.errors != m->nerrors) hx_errors_note(m, m->pc);
    v = typed_result(m, f);
  } else if (f->unsettled) {
    v = hx_unknown_dynamic;
  } else if (f->failed && foreign) {
    v = hx_unknown(&m->cx, foreign_type(m, f));
  } else if (f->failed) {
    return run_types(m, f, HX_LOOP_RETYPES);
  } else if (sequence) {
    if (f->nout == 0) return run_types(m, f, HX_LOOP_TYPES);
    return hx_loop_leave(m, f, list_of(m, f));
  } else {
    v = f->nout ? hx_tuple(&m->cx, f->out, f->nout) : hx_empty_tuple;
    if (f->items) v = hx_open_items(&m->cx, &v, HX_ITEMS_ORDERED);
  }
  return hx_loop_leave(m, f, hx_mark(&m->cx, v, f->marks));
}
