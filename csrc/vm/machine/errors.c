/* errors.c: finds which code reported which errors, and drops the errors of code that doesn't count. */
#include "vm/machine/parts.h"

#include "value/render.h"

#define MAX_NAMES 4     /* the most named values shown with a diagnostic */
#define MAX_LOOKED 200u /* the most instructions searched for named values */

static void add_error(hx_machine *m, uint32_t pc, hx_diag *d) {
  if (m->nerrors == m->errors_cap) {
    uint32_t cap = m->errors_cap ? m->errors_cap * 4 : 8;
    hx_charge_memory(&m->cx, (cap - m->errors_cap) * sizeof(hx_error_at));
    m->errors = hx_arena_grow(&m->cx.arena, m->errors, m->errors_cap * sizeof(hx_error_at), cap * sizeof(hx_error_at));
    m->errors_cap = cap;
  }
  m->errors[m->nerrors++] = (hx_error_at){ pc, d };
  if (!d) return;
  d->pc = pc;
  m->nkept++;
}

void hx_errors_note(hx_machine *m, uint32_t pc) {
  const hx_diags *list = &m->cx.diags;
  if (list->kept > m->nkept) {
    hx_diag *d = list->first;
    for (uint32_t i = 0; i < m->nkept; i++) d = d->next;
    for (; d; d = d->next) add_error(m, pc, d);
  }
  while (m->nerrors < list->errors) add_error(m, pc, NULL);
}

static uint32_t since(const hx_machine *m) {
  return m->loop ? m->loop->errors : 0;
}

/* The errors of code in [from, to), as a range of m->errors. This code is an operand of the current instruction. So only errors of
** later operands follow the errors of this code, and the search ends at the first error below `from`. */
typedef struct stretch {
  uint32_t from, to;
} stretch;

static stretch find(const hx_machine *m, uint32_t from, uint32_t to) {
  uint32_t first = since(m), i = m->nerrors;
  stretch s;
  while (i > first && m->errors[i - 1].pc >= to) i--;
  s.to = i;
  while (i > first && m->errors[i - 1].pc >= from) i--;
  s.from = i;
  return s;
}

bool hx_errors_any(const hx_machine *m, uint32_t from, uint32_t to) {
  stretch s = find(m, from, to);
  return s.from < s.to;
}

uint32_t hx_errors_first(const hx_machine *m, uint32_t from, uint32_t to) {
  stretch s = find(m, from, to);
  return s.from < s.to ? m->errors[s.from].pc : UINT32_MAX;
}

/* Removes the diagnostics marked DROPPED from the list. */
#define DROPPED UINT32_MAX

static void sweep(hx_machine *m) {
  hx_diags *list = &m->cx.diags;
  hx_diag **at = &list->first;
  list->last = NULL;
  while (*at) {
    if ((*at)->pc == DROPPED) {
      *at = (*at)->next;
      list->kept--;
      m->nkept--;
    } else {
      list->last = *at;
      at = &(*at)->next;
    }
  }
}

static void drop_one(hx_machine *m, const hx_error_at *e) {
  m->cx.diags.errors--;
  if (e->diag) e->diag->pc = DROPPED;
  else m->cx.diags.dropped--;
}

void hx_errors_drop(hx_machine *m, uint32_t from, uint32_t to) {
  stretch s = find(m, from, to);
  if (s.from == s.to) return;
  for (uint32_t i = s.from; i < s.to; i++) drop_one(m, &m->errors[i]);
  memmove(m->errors + s.from, m->errors + s.to, (m->nerrors - s.to) * sizeof *m->errors);
  m->nerrors -= s.to - s.from;
  sweep(m);
}

void hx_errors_drop_but(hx_machine *m, uint32_t from, uint32_t to, bool (*keep)(const hx_diag *d)) {
  stretch s = find(m, from, to);
  uint32_t at = s.from;
  for (uint32_t i = s.from; i < s.to; i++) {
    if (m->errors[i].diag && keep(m->errors[i].diag)) m->errors[at++] = m->errors[i];
    else drop_one(m, &m->errors[i]);
  }
  memmove(m->errors + at, m->errors + s.to, (m->nerrors - s.to) * sizeof *m->errors);
  m->nerrors -= s.to - at;
  sweep(m);
}

static bool same_mistake(const hx_diag *a, const hx_diag *b) {
  return a && b && a->id == b->id && a->source == b->source && a->subject.start == b->subject.start &&
         a->subject.stop == b->subject.stop;
}

void hx_errors_distinct(hx_machine *m) {
  uint32_t to = 0, k;
  for (uint32_t i = 0; i < m->nerrors; i++) {
    for (k = 0; k < to && !same_mistake(m->errors[i].diag, m->errors[k].diag);) k++;
    if (k == to) m->errors[to++] = m->errors[i];
    else drop_one(m, &m->errors[i]);
  }
  m->nerrors = to;
  sweep(m);
}

void hx_errors_cut(hx_machine *m, uint32_t n) {
  if (m->nerrors == n) return;
  for (uint32_t i = n; i < m->nerrors; i++) drop_one(m, &m->errors[i]);
  m->nerrors = n;
  sweep(m);
}

hx_diag *hx_errors_last(const hx_machine *m, uint32_t from, uint32_t to) {
  stretch s = find(m, from, to);
  for (uint32_t i = s.to; i > s.from; i--)
    if (m->errors[i - 1].diag) return m->errors[i - 1].diag;
  return NULL;
}

hx_diag *hx_report_at(hx_machine *m, hx_diag_id id, hx_range at, hx_str detail) {
  return hx_diag_add_text(&m->cx, id, m->program->source, at, detail);
}

/* Returns the path as written in the source. */
static hx_str path_text(hx_machine *m, const hx_path *p) {
  const hx_source *src = m->program->source;
  const hx_step *last = &p->node->u.trav.steps[p->n];
  return (hx_str){ src->text.p + p->node->start, last->stop - p->node->start };
}

static bool shown_already(const hx_diag *d, hx_str path) {
  for (const hx_diag_value *v = d->values; v; v = v->next)
    if (hx_str_eq(v->path, path)) return true;
  return false;
}

static void explain_one(hx_machine *m, hx_diag *d) {
  const hx_program *p = m->program;
  uint32_t end = d->pc, from = end < p->ncode ? p->starts[end] : end, found = 0;
  /* No single value is to blame for an error of HX_I_NESTED, which is about all blocks of a type. */
  if (end >= p->ncode || p->code[end].op == HX_I_NESTED) return;
  if (end - from > MAX_LOOKED) from = end - MAX_LOOKED;
  for (uint32_t pc = from; pc < end && found < MAX_NAMES; pc++) {
    const hx_instr *in = &p->code[pc];
    if (in->op != HX_I_PATH) continue;
    const hx_val *v = hx_path_known(m, in->b);
    hx_str path = path_text(m, &p->paths[in->b]);
    if (!v || v->tag == HX_T_FOREIGN || shown_already(d, path)) continue;
    hx_diag_add_value(&m->cx, d, path, hx_render_short(&m->cx, v));
    found++;
  }
}

void hx_errors_explain(hx_machine *m) {
  for (uint32_t i = 0; i < m->nerrors; i++)
    if (m->errors[i].diag && m->errors[i].diag->source == m->program->source) explain_one(m, m->errors[i].diag);
}
