/* each.c: executes `dynamic` blocks: the loop over for_each. Source: reference's dynblock package. An unknown for_each gives one block,
** whose arguments are all unknown (state TRIAL: the iterator is unknown too). */
#include "vm/machine/parts.h"

#include "value/marks.h"
#include "vm/body_plan.h"

static void report(hx_machine *m, hx_diag_id id, hx_range at, hx_str text) {
  hx_diag_add(&m->cx, id, m->program->source, at, HX_STR_ARG(text));
}

/* Returns true if for_each can be looped over, perhaps once it is known. Otherwise reports why not, unless the code of for_each
** failed: its errors were reported already. */
static bool can_iterate(hx_machine *m) {
  if (hx_operands_failed(m)) return false;
  const hx_val *bare = hx_unmarked(m->top - 1);
  hx_range at = hx_node_range(hx_machine_node(m)->u.made.first);
  hx_kind kind = hx_val_kind(bare);
  if (hx_is_null(bare)) {
    report(m, HX_D_DYNAMIC_NULL, at, HX_STR(""));
    return false;
  }
  if (hx_kind_has_elements(kind) || kind == HX_K_DYNAMIC) return true;
  report(m, HX_D_DYNAMIC_TYPE, at, hx_type_friendly(&m->cx, hx_val_type(&m->cx, bare)));
  return false;
}

static hx_went begin(hx_machine *m, hx_loop_frame *f) {
  if (f->state != HX_LOOP_CHECK) f->state = f->unsettled ? HX_LOOP_TRIAL : HX_LOOP_RUN;
  if (f->unsettled) {
    f->n = 1;
    f->item = &hx_unknown_dynamic;
    m->pc = f->plan->body;
  } else if (f->n == 0) {
    return hx_loop_leave(m, f, hx_empty_tuple);
  } else {
    m->pc = hx_loop_first(m, f);
  }
  return HX_WENT_JUMP;
}

hx_went hx_slow_each(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  const hx_val *v = m->top - 1;
  if (v->tag == HX_T_FOREIGN) {
    hx_kind kind = HX_K_TUPLE;
    hx_answer a = hx_loop_over_foreign(m, f, v, &kind);
    if (a == HX_ANSWER_WAIT) return HX_WENT_WAIT;
    if (a != HX_ANSWER_OK) return hx_loop_skip(m, f, hx_unknown_dynamic);
  } else {
    if (!can_iterate(m)) return hx_loop_skip(m, f, hx_unknown_dynamic);
    hx_loop_enter(m, f);
    hx_loop_mark(m, f, hx_marks_get(v));
    f->unsettled = hx_is_unknown(hx_unmarked(v));
    if (m->host->check) hx_check_elements(m, f, hx_unmarked(v));
    else if (!f->unsettled) hx_loop_over(m, f, hx_unmarked(v));
  }
  m->top--;
  return begin(m, f);
}

hx_went hx_slow_each_check(hx_machine *m, const hx_instr *in) {
  bool can = can_iterate(m);
  m->top[-1] = hx_unknown_dynamic;
  if (can) return HX_WENT_ON;
  m->pc = in->b;
  return HX_WENT_JUMP;
}

/* Converts a value to a label in *out. Returns the error if the value can't be a label; HX_D_COUNT: no error. */
static hx_diag_id label_fault(hx_machine *m, const hx_val *v, hx_val *out, hx_why_not *why) {
  const hx_val *bare = hx_unmarked(v);
  /* The marks stay, because they hide values that the message would show. */
  if (!hx_convert(&m->cx, v, &hx_type_string, out, why)) return HX_D_DYNAMIC_LABEL_TYPE;
  if (hx_is_null(bare)) return HX_D_DYNAMIC_LABEL_NULL;
  if (hx_is_unknown(hx_unmarked(out))) return HX_D_DYNAMIC_LABEL_UNKNOWN;
  return bare != v ? HX_D_DYNAMIC_LABEL_MARKED : HX_D_COUNT;
}

static hx_went next(hx_machine *m, hx_loop_frame *f) {
  uint32_t pc = hx_loop_next(m, f);
  if (pc == UINT32_MAX) return hx_loop_leave(m, f, f->nout ? hx_tuple(&m->cx, f->out, f->nout) : hx_empty_tuple);
  m->pc = pc;
  return HX_WENT_JUMP;
}

/* Checks a label. reference: a block with a wrong label isn't made, and the rest of it is ignored. */
hx_went hx_slow_each_label(hx_machine *m, const hx_instr *in) {
  hx_val *v = m->top - 1, out = hx_none();
  hx_why_not why = { { "", 0 } };
  /* A string alone proves nothing: a template with an error also leaves a string, made of its valid parts. */
  if (v->tag == HX_T_STR && !m->cx.diags.errors) return HX_WENT_ON;
  bool told = hx_operands_failed(m);
  hx_diag_id fault = told ? HX_D_COUNT : label_fault(m, v, &out, &why);
  if (m->host->check && (told || fault == HX_D_DYNAMIC_LABEL_UNKNOWN)) {
    *v = hx_check_text(m, m->loop);
    return HX_WENT_ON;
  }
  if (!told && fault == HX_D_COUNT) {
    *v = out;
    return HX_WENT_ON;
  }
  if (!told) {
    report(m, fault, hx_node_range(hx_machine_node(m)), why.text);
    hx_errors_note(m, m->pc);
  }
  m->top -= in->b;
  return next(m, m->loop);
}

hx_went hx_slow_each_state(hx_machine *m, const hx_instr *in) {
  const hx_loop_frame *f = &m->loops[in->b];
  hx_val state = f->state == HX_LOOP_RUN ? hx_null(&hx_type_dynamic) : hx_unknown_dynamic;
  hx_machine_put(m, 0, hx_mark(&m->cx, state, f->marks));
  return HX_WENT_ON;
}

hx_went hx_slow_each_append(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = m->loop;
  hx_val *entry = HX_NEW_ARRAY(&m->cx, hx_val, in->b);
  memcpy(entry, m->top - in->b, in->b * sizeof *entry);
  if (f->nout == f->cap) hx_loop_grow(m, f);
  f->out[f->nout++] = hx_tuple(&m->cx, entry, in->b);
  m->top -= in->b;
  return next(m, f);
}
