/* record.c: records the values of an expression's parts while they are computed. */
#include "vm/machine/record.h"

#include "value/marks.h"
#include "vm/machine/asked.h"
#include "vm/machine/parts.h"
#include "vm/outline.h"

/* The number of turns (iterations) that are recorded of a loop, of a loop within it, and of deeper loops. */
static const uint32_t most_turns[] = { 5, 2, 1 };
#define MOST_FAILURES 20u /* the number of errors after which failed turns aren't recorded either */

/* Returns the error that the node itself reported in the current turn, or NULL. The node's code is [from, pc), and m->errors is in
** the order of the reports. */
static const hx_diag *own_error(const hx_machine *m, uint32_t from, const hx_node *node) {
  uint32_t first = m->loop ? m->loop->errors : 0;
  for (uint32_t i = m->nerrors; i > first && m->errors[i - 1].pc >= from; i--)
    if (m->errors[i - 1].diag && m->program->nodes[m->errors[i - 1].pc] == node) return m->errors[i - 1].diag;
  return NULL;
}

/* Sets r->turn. Returns false if the turn isn't recorded. Failed turns are recorded even beyond most_turns. */
static bool find_turn(const hx_machine *m, hx_record *r) {
  const hx_loop_frame *f = m->loop;
  uint32_t depth = 0;
  r->turn = HX_NO_TURN;
  if (!f) return true;
  for (const hx_loop_frame *o = f; o; o = o->outer) {
    if (o->state != HX_LOOP_RUN && (o->state != HX_LOOP_TRIAL || !r->failed)) return false;
    depth++;
  }
  for (const hx_loop_frame *o = f; o; o = o->outer) {
    uint32_t at = --depth, last = sizeof most_turns / sizeof *most_turns - 1;
    if (o->i >= most_turns[at < last ? at : last] && (!r->failed || m->nerrors > MOST_FAILURES)) return false;
  }
  r->turn = f->state == HX_LOOP_TRIAL ? HX_TRIAL : f->i;
  if (f->state == HX_LOOP_RUN && f->keys && !m->cx.secret) r->key = f->keys[f->order ? f->order[f->i] : f->i];
  return true;
}

/* Returns the number of elements that a `for` with this result iterated over. Only a known and unmarked result shows that it iterated. */
static uint32_t total_of(const hx_machine *m, const hx_node *node, const hx_val *result) {
  const hx_program *p = m->program;
  if (node->kind != HX_AST_FOR || (result->tag != HX_T_TUPLE && result->tag != HX_T_OBJECT)) return HX_NO_TURN;
  for (uint32_t i = 0; i < p->nloops; i++)
    if (p->loops[i].node == node) return m->loops[i].n;
  return HX_NO_TURN;
}

/* For a heavier collection, only the number of elements is recorded. */
#define HEAVY (1u << 20)

static bool is_whole(const hx_machine *m) {
  return m->program->code[m->pc + 1].op == HX_I_END;
}

/* Records the value of a part, or only its number of elements. The result of the whole expression is always recorded, and no memory is
** charged for that, as in evaluations without records. */
static void take(hx_machine *m, hx_record *r, const hx_val *v) {
  if (r->failed || v->tag == HX_T_NONE || hx_is_asked(v)) return;
  r->outline = hx_is_outline(v);
  r->secret = m->cx.secret;
  if (r->outline || (r->secret && v->tag == HX_T_FOREIGN)) return;
  uint64_t weight = v->tag == HX_T_FOREIGN ? 16 : hx_val_weight(v);
  if (weight > HEAVY && !is_whole(m) && hx_kind_has_elements(hx_val_kind(hx_unmarked(v)))) {
    r->secret = r->secret || v->tag == HX_T_MARKED;
    if (!r->secret) r->count = v->len;
    return;
  }
  hx_charge_walk(&m->cx, weight);
  if (!is_whole(m)) hx_charge_memory(&m->cx, weight);
  r->value = r->secret ? hx_mark(&m->cx, *v, &hx_marks_sensitive) : *v;
}

hx_went hx_slow_record(hx_machine *m, const hx_instr *in) {
  uint32_t from = m->program->starts[m->pc];
  hx_record r = { .node = hx_machine_node(m), .value = hx_none(), .total = HX_NO_TURN };
  (void)in;
  if (m->cx.diags.errors) {
    r.failed = hx_errors_any(m, from, m->pc);
    r.error = own_error(m, from, r.node);
  }
  if (!find_turn(m, &r)) return HX_WENT_ON;
  if (!m->records) {
    m->records = HX_NEW(&m->cx, hx_records);
    *m->records = (hx_records){ { NULL, 0, 0 } };
  }
  hx_charge_memory(&m->cx, sizeof r);
  take(m, &r, m->top - 1);
  r.total = total_of(m, r.node, &r.value);
  *HX_VEC_PUSH(&m->cx.arena, &m->records->list) = r;
  return HX_WENT_ON;
}
