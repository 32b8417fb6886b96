/* for.c: executes `for` expressions. Source: reference's ForExpr.Value. The condition is first evaluated with unknown names (state TRIAL).
** So its errors are reported once, not for each element, and even without elements. */
#include "vm/machine/fast.h"
#include "vm/machine/parts.h"

#include "text/quote.h"
#include "value/open.h"

/* Frames, also for splats */

void hx_loop_enter(hx_machine *m, hx_loop_frame *f) {
  f->outer = m->loop;
  m->loop = f;
  f->errors = m->nerrors;
  f->marks = NULL;
  f->was_secret = m->cx.secret;
  f->known = true;
  f->failed = f->is_set = f->unsettled = f->items = false;
  f->out = NULL;
  f->nout = f->cap = 0;
  f->order = NULL;
  f->keys = NULL;
  f->state = HX_LOOP_RUN;
  f->i = 0;
  if (f->cache || !f->plan->columns.n) return;
  f->cache = HX_NEW_ARRAY(&m->cx, hx_column_cache, f->plan->columns.n);
  for (uint32_t i = 0; i < f->plan->columns.n; i++) f->cache[i].shape = NULL;
}

static void take_cells(hx_machine *m, hx_loop_frame *f) {
  if (!f->cells && f->plan->columns.n) f->cells = HX_NEW_ARRAY(&m->cx, hx_val, (size_t)f->plan->columns.n * HX_ROWS);
}

void hx_loop_over(hx_machine *m, hx_loop_frame *f, const hx_val *collection) {
  f->collection = *collection;
  f->item = f->base = NULL;
  f->n = collection->len;
  if (hx_is_seq(collection)) {
    f->base = collection->u.seq->v;
    f->is_set = collection->tag == HX_T_SET;
  } else {
    f->base = collection->u.obj->v;
    f->keys = collection->u.obj->shape->keys;
    f->order = hx_shape_order(&m->cx, collection->u.obj->shape);
  }
}

/* Returns true if the body of a loop is only one of its columns, as in `var.users[*].name`. Then the helper copies the elements:
** the machine would execute two instructions for each. The last element, and elements that aren't plain, are left to the machine. */

static bool gives_column(const hx_machine *m, const hx_loop_frame *f) {
  const hx_instr *in = &m->program->code[f->plan->body];
  uint32_t loop = (uint32_t)(f - m->loops);
  return (in[0].op == HX_I_COLUMN || in[0].op == HX_I_ELEMENT) && (in[1].op == HX_I_FOR_APPEND || in[1].op == HX_I_SPLAT_APPEND) &&
         in[0].b == loop && in[1].b == loop && !m->cx.diags.errors && f->state == HX_LOOP_RUN;
}

/* Makes room for the next elements, and returns how many of them may be copied. */
static uint32_t most_taken(hx_machine *m, hx_loop_frame *f) {
  uint64_t steps = hx_machine_steps(m);
  uint32_t n = f->n - f->i - 1;
  if (f->nout == f->cap) hx_loop_grow(m, f);
  return steps / 2 < n ? (uint32_t)(steps / 2) : n;
}

static void taken(hx_machine *m, hx_loop_frame *f, uint32_t n) {
  f->i += n;
  f->nout += n;
  m->cx.steps_left -= 2 * (uint64_t)n;
}

/* Copies elements from the fetched rows. Returns true if it copied all rows. */
static bool take_rows(hx_machine *m, hx_loop_frame *f) {
  const hx_val *cells = f->cells + (size_t)m->program->code[f->plan->body].a * HX_ROWS;
  uint32_t n = most_taken(m, f), i = 0;
  if (n > HX_ROWS) n = HX_ROWS;
  for (hx_val *out = f->out + f->nout; i < n && cells[i].tag != HX_T_NONE; i++) hx_fast_copy(&out[i], &cells[i]);
  taken(m, f, i);
  return i == HX_ROWS;
}

/* Copies an attribute of successive objects while they have the shape of the first one. */
static void take_attributes(hx_machine *m, hx_loop_frame *f) {
  const hx_instr *in = &m->program->code[f->plan->body];
  const hx_column *column = &f->plan->columns.p[in->a];
  const hx_val *v = f->item;
  if (in->op != HX_I_COLUMN || column->n != 1 || column->steps[0].kind == HX_STEP_INDEX || v->tag != HX_T_OBJECT || f->order ||
      m->host->absent != HX_ABSENT_NULL)
    return;
  const hx_shape *shape = v->u.obj->shape;
  int64_t at = hx_shape_find(shape, column->steps[0].name);
  if (at < 0) return;
  f->cache[in->a] = (hx_column_cache){ shape, (uint32_t)at };
  uint32_t n = most_taken(m, f), i = 0;
  for (hx_val *out = f->out + f->nout; i < n && v[i].tag == HX_T_OBJECT && v[i].u.obj->shape == shape; i++)
    hx_fast_copy(&out[i], &v[i].u.obj->v[at]);
  taken(m, f, i);
  f->item += i;
}

uint32_t hx_loop_first(hx_machine *m, hx_loop_frame *f) {
  f->i = 0;
  f->errors = m->nerrors;
  if (!f->base) {
    f->item = NULL;
    take_cells(m, f);
    return f->plan->rows;
  }
  f->item = f->order ? f->base + f->order[0] : f->base;
  if (gives_column(m, f)) take_attributes(m, f);
  return f->plan->body;
}

hx_went hx_loop_leave(hx_machine *m, hx_loop_frame *f, hx_val result) {
  hx_loop_exit(m, f);
  *m->top++ = result;
  m->pc = f->plan->end;
  return HX_WENT_JUMP;
}

void hx_loop_grow(hx_machine *m, hx_loop_frame *f) {
  uint32_t left = f->n - f->i, cap = f->cap ? f->cap * 2 : 8;
  /* Without a condition each element gives one result; with a condition, the array grows as needed. */
  if (!f->plan->has_if || cap - f->cap > left) cap = f->nout + left;
  f->out = hx_arena_grow(&m->cx.arena, f->out, (size_t)f->cap * sizeof(hx_val), (size_t)cap * sizeof(hx_val));
  f->cap = cap;
}

/* Clears the cells that are null after their steps, so that hx_slow_column handles them. */
static void leave_absent(hx_loop_frame *f, uint32_t rows) {
  for (uint32_t c = 0; c < f->plan->columns.n; c++) {
    hx_val *cells = f->cells + (size_t)c * HX_ROWS;
    for (uint32_t r = 0; f->plan->columns.p[c].n && r < rows; r++)
      if (cells[r].tag != HX_T_NONE && hx_is_null(hx_unmarked(&cells[r]))) cells[r] = hx_none();
  }
}

hx_went hx_slow_rows(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  uint32_t left = f->n - f->i, rows = left < HX_ROWS ? left : HX_ROWS;
  if (!f->plan->columns.n) return HX_WENT_ON;
  hx_answer a =
      m->host->rows(m->host, &m->cx, &f->collection, f->keys, f->i, rows, f->plan->columns.p, f->plan->columns.n, f->cells);
  if (a == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (a == HX_ANSWER_OK && m->host->absent != HX_ABSENT_NULL) leave_absent(f, rows);
  if (a != HX_ANSWER_OK)
    for (size_t i = 0; i < (size_t)f->plan->columns.n * HX_ROWS; i++) f->cells[i] = hx_unknown_dynamic;
  if (a != HX_ANSWER_OK || !gives_column(m, f) || !take_rows(m, f)) return HX_WENT_ON;
  m->pc = f->plan->rows;
  return HX_WENT_JUMP;
}

hx_answer hx_loop_over_foreign(hx_machine *m, hx_loop_frame *f, const hx_val *v, hx_kind *kind) {
  uint32_t n = 0;
  const hx_str *keys = NULL;
  hx_answer a = m->host->shape(m->host, &m->cx, v, kind, &n, &keys);
  if (a != HX_ANSWER_OK) return a;
  hx_loop_enter(m, f);
  f->collection = *v;
  f->base = f->item = NULL;
  f->n = n;
  f->keys = *kind == HX_K_OBJECT ? keys : NULL;
  return HX_ANSWER_OK;
}

/* `for` */

static hx_diag *report(hx_machine *m, const hx_loop_frame *f, hx_diag_id id, const hx_node *at, hx_str text) {
  hx_diag *d = hx_diag_add(&m->cx, id, m->program->source, hx_node_range(at), HX_STR_ARG(text));
  d->context = hx_node_range(f->plan->node);
  return d;
}

/* Returns the condition of a FOR, which is the last child. */
static const hx_node *condition_node(const hx_loop_frame *f) {
  const hx_node *n = f->plan->node->u.loop.first;
  while (n->next) n = n->next;
  return n;
}
static const hx_node *key_node(const hx_loop_frame *f) {
  return f->plan->node->u.loop.first->next;
}

static hx_val grouped(hx_machine *m, hx_loop_frame *f) {
  HX_ASSERT(f->groups.n == f->builder.n);
  for (uint32_t i = 0; i < f->groups.n; i++) f->builder.v[i] = hx_tuple(&m->cx, f->groups.p[i].p, f->groups.p[i].n);
  return hx_obj_builder_object(&f->builder);
}

/* Ends the loop after the last element. */
static hx_went finish(hx_machine *m, hx_loop_frame *f) {
  hx_val v = hx_unknown_dynamic;
  if (f->known && f->state == HX_LOOP_CHECK) {
    v = hx_check_loop_result(m, f);
  } else if (f->known) {
    switch ((hx_loop_kind)f->plan->kind) {
      case HX_LOOP_TUPLE:
        if (f->out) hx_arena_trim(&m->cx.arena, f->out, (size_t)f->cap * sizeof(hx_val), (size_t)f->nout * sizeof(hx_val));
        v = f->nout ? hx_tuple(&m->cx, f->out, f->nout) : hx_empty_tuple;
        break;
      case HX_LOOP_OBJECT: v = hx_obj_builder_object(&f->builder); break;
      case HX_LOOP_GROUP: v = grouped(m, f); break;
      case HX_LOOP_SPLAT:
      case HX_LOOP_EACH: HX_UNREACHABLE();
    }
  }
  return hx_loop_leave(m, f, hx_mark(&m->cx, v, f->marks));
}

/* Prepares the result, and begins the first element. */
static hx_went start(hx_machine *m, hx_loop_frame *f) {
  if (f->plan->kind != HX_LOOP_TUPLE) {
    hx_obj_builder_init(&f->builder, &m->cx, f->plan->has_if ? 8 : f->n);
    f->groups.p = NULL;
    f->groups.n = f->groups.cap = 0;
  }
  if (f->n == 0) return finish(m, f);
  m->pc = hx_loop_first(m, f);
  return HX_WENT_JUMP;
}

static hx_went try_condition(hx_machine *m, hx_loop_frame *f) {
  f->state = HX_LOOP_TRIAL;
  f->item = &hx_unknown_dynamic;
  f->errors = m->nerrors;
  m->pc = f->plan->body;
  return HX_WENT_JUMP;
}

/* Returns the result for a collection that can't be looped over, or NONE if it can be. */
static hx_val no_loop(hx_machine *m, const hx_loop_frame *f, const hx_val *v) {
  const hx_node *at = f->plan->node->u.loop.first;
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_null(bare)) {
    report(m, f, HX_D_FOR_NULL, at, HX_STR(""));
    return hx_unknown_dynamic;
  }
  hx_kind kind = hx_val_kind(bare);
  if (hx_kind_has_elements(kind)) return hx_none();
  if (kind == HX_K_DYNAMIC) return m->host->check ? hx_none() : hx_unknown_of_open(&m->cx, v);
  report(m, f, HX_D_FOR_TYPE, at, hx_type_friendly(&m->cx, hx_val_type(&m->cx, bare)));
  return hx_unknown_dynamic;
}

/* Replaces items (value/unknown.h) by their elements if the loop has the same result for every collection that the items may become. A loop
** with a key needs ordered items. A loop without a key can also take items that are certainly in order, and, if it makes an object, items
** that differ. */
static void take_items(hx_machine *m, const hx_loop_frame *f, hx_val *v) {
  const hx_val *bare = hx_unmarked(v), *items = hx_items_of(bare);
  if (!items) return;
  bool no_key = !f->plan->node->u.loop.names->key.len, ordered = bare->u.unk->open->form == HX_ITEMS_ORDERED;
  bool entries = f->plan->kind == HX_LOOP_OBJECT && hx_items_differ(&m->cx, bare);
  if (ordered || (no_key && (entries || hx_items_in_order(bare)))) *v = hx_mark(&m->cx, *items, hx_marks_get(v));
}

hx_went hx_slow_for(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  hx_val *v = m->top - 1;
  take_items(m, f, v);
  bool unknown = false;
  if (v->tag == HX_T_FOREIGN) {
    hx_kind kind = HX_K_TUPLE;
    hx_answer a = hx_loop_over_foreign(m, f, v, &kind);
    if (a == HX_ANSWER_WAIT) return HX_WENT_WAIT;
    if (a != HX_ANSWER_OK) return hx_loop_skip(m, f, hx_unknown_dynamic);
  } else {
    hx_val none = no_loop(m, f, v);
    if (none.tag != HX_T_NONE) return hx_loop_skip(m, f, none);
    hx_loop_enter(m, f);
    hx_loop_mark(m, f, hx_marks_get(v));
    if (m->host->check) {
      hx_check_elements(m, f, hx_unmarked(v));
      m->top--;
      return start(m, f);
    }
    unknown = hx_is_unknown(hx_unmarked(v));
    if (!unknown) hx_loop_over(m, f, hx_unmarked(v));
  }
  m->top--;
  f->unsettled = unknown;
  if (f->plan->has_if) return try_condition(m, f);
  if (unknown) return hx_loop_leave(m, f, hx_mark(&m->cx, hx_unknown_dynamic, f->marks));
  return start(m, f);
}

/* Ends the evaluation of the condition with unknown names. */
static hx_went end_trial(hx_machine *m, hx_loop_frame *f, const hx_val *v) {
  const hx_node *at = condition_node(f);
  const hx_val *bare = hx_unmarked(v);
  hx_why_not why = { { "", 0 } };
  hx_val out;
  if (hx_is_null(bare)) {
    report(m, f, HX_D_FOR_IF_NULL, at, HX_STR(""));
    return hx_loop_leave(m, f, hx_unknown_dynamic);
  }
  /* The marks stay, because they hide values that the message would show. */
  if (!hx_convert(&m->cx, v, &hx_type_bool, &out, &why)) {
    report(m, f, HX_D_FOR_IF_TYPE, at, why.text);
    return hx_loop_leave(m, f, hx_unknown_dynamic);
  }
  if (m->cx.diags.errors && hx_errors_any(m, f->plan->body, m->pc)) return hx_loop_leave(m, f, hx_unknown_dynamic);
  if (f->unsettled) {
    const hx_marks *marks = hx_marks_join(&m->cx, f->marks, hx_marks_get(v));
    return hx_loop_leave(m, f, hx_mark(&m->cx, hx_unknown_dynamic, marks));
  }
  f->state = HX_LOOP_RUN;
  return start(m, f);
}

static hx_went next(hx_machine *m, hx_loop_frame *f) {
  uint32_t pc = hx_loop_next(m, f);
  if (pc == UINT32_MAX) return finish(m, f);
  m->pc = pc;
  return HX_WENT_JUMP;
}

/* Makes the loop's result unknown, because the condition or key of an element failed, and continues with the next element. Only the
** first failure is reported: the others probably have the same cause. */
static hx_went fail_element(hx_machine *m, hx_loop_frame *f, hx_diag_id id, const hx_node *at, hx_str text) {
  if (f->known) {
    report(m, f, id, at, text);
    hx_errors_note(m, m->pc);
  }
  f->known = false;
  return next(m, f);
}

hx_went hx_slow_for_if(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  hx_val v = *--m->top;
  if (f->state == HX_LOOP_TRIAL) return end_trial(m, f, &v);
  const hx_val *bare = hx_unmarked(&v);
  if (hx_is_null(bare)) return fail_element(m, f, HX_D_FOR_IF_NULL, condition_node(f), HX_STR(""));
  f->marks = hx_marks_join(&m->cx, f->marks, hx_marks_get(&v));
  /* reference: only a `for` that makes a tuple tests whether the condition is known before it tests the condition's type */
  if (f->state != HX_LOOP_CHECK && f->plan->kind == HX_LOOP_TUPLE && hx_is_unknown(bare) && !hx_open_of(bare)) {
    f->known = false;
    return next(m, f);
  }
  hx_why_not why = { { "", 0 } };
  hx_val out;
  if (!hx_convert(&m->cx, &v, &hx_type_bool, &out, &why)) return fail_element(m, f, HX_D_FOR_IF_TYPE, condition_node(f), why.text);
  if (f->state == HX_LOOP_CHECK) return HX_WENT_ON;
  const hx_val *answer = hx_unmarked(&out);
  if (hx_is_unknown(answer)) {
    f->known = false;
    return next(m, f);
  }
  return answer->u.i ? HX_WENT_ON : next(m, f);
}

hx_went hx_slow_for_key(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  hx_val *v = m->top - 1;
  const hx_val *bare = hx_unmarked(v);
  hx_why_not why = { { "", 0 } };
  hx_val out;
  if (hx_is_null(bare)) {
    m->top--;
    return fail_element(m, f, HX_D_FOR_KEY_NULL, key_node(f), HX_STR(""));
  }
  f->marks = hx_marks_join(&m->cx, f->marks, hx_marks_get(v));
  if (hx_is_unknown(bare) && !hx_open_of(bare) && f->state != HX_LOOP_CHECK) {
    f->known = false;
    m->top--;
    return next(m, f);
  }
  if (!hx_convert(&m->cx, bare, &hx_type_string, &out, &why)) {
    m->top--;
    return fail_element(m, f, HX_D_FOR_KEY_TYPE, key_node(f), why.text);
  }
  *v = f->state == HX_LOOP_CHECK ? hx_check_text(m, f) : out;
  return HX_WENT_ON;
}

hx_went hx_slow_for_append(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  if (f->nout == f->cap) hx_loop_grow(m, f);
  f->out[f->nout++] = *--m->top;
  return next(m, f);
}

hx_went hx_slow_for_put(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  hx_str key = hx_val_str(m->top - 2);
  hx_val *at = hx_obj_builder_put(&f->builder, key);
  if (at->tag == HX_T_NONE) {
    *at = m->top[-1];
  } else if (f->state != HX_LOOP_CHECK) {
    /* If anything about the loop is marked, the key may be secret. */
    hx_str shown = HX_STR("");
    if (!f->marks && !m->cx.secret) {
      hx_str quoted = hx_quote_short(&m->cx, key, 60);
      shown = hx_say(&m->cx, " %.*s", HX_STR_ARG(quoted));
    }
    report(m, f, HX_D_FOR_KEY_TWICE, key_node(f), shown);
  }
  if (m->cx.diags.errors != m->nerrors) hx_errors_note(m, m->pc);
  m->top -= 2;
  return next(m, f);
}

hx_went hx_slow_for_group(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  uint32_t at = hx_obj_builder_index(&f->builder, hx_val_str(m->top - 2));
  if (at == f->groups.n) *HX_VEC_PUSH(&m->cx.arena, &f->groups) = (hx_loop_group){ 0 };
  *HX_VEC_PUSH(&m->cx.arena, &f->groups.p[at]) = m->top[-1];
  m->top -= 2;
  return next(m, f);
}
