/* coverage.c: records which results of conditionals evaluations took. */
#include "vm/machine/coverage.h"

#include "base/vec.h"

typedef struct choice_taken {
  const hx_node *node; /* the CONDITIONAL */
  uint16_t took;       /* HX_AST_TOOK_YES, HX_AST_TOOK_NO; 0: the condition is unknown or failed */
  bool open;           /* the results of the conditional are being evaluated */
} choice_taken;

struct hx_coverage {
  HX_VEC(choice_taken) list;
};

void hx_coverage_open(hx_machine *m, const hx_node *conditional, const hx_val *condition) {
  const hx_val *bare = hx_unmarked(condition);
  uint16_t took = 0;
  if (bare->tag == HX_T_BOOL) took = bare->u.i ? HX_AST_TOOK_YES : HX_AST_TOOK_NO;
  if (!m->coverage) {
    m->coverage = HX_NEW(&m->cx, struct hx_coverage);
    *m->coverage = (struct hx_coverage){ { NULL, 0, 0 } };
  }
  hx_charge_memory(&m->cx, sizeof(choice_taken));
  *HX_VEC_PUSH(&m->cx.arena, &m->coverage->list) = (choice_taken){ conditional, took, true };
}

static bool is_within(const hx_node *n, const hx_node *part) {
  return n->start >= part->start && n->stop <= part->stop;
}

/* Records the choice at its node. Trees are only written when they are made, and here. */
static void note(const choice_taken *c) {
  ((hx_node *)(uintptr_t)c->node)->flags |= c->took;
}

void hx_coverage_close(hx_machine *m, const hx_node *conditional) {
  struct hx_coverage *taken = m->coverage;
  uint32_t at = taken ? taken->list.n : 0;
  while (at > 0 && !(taken->list.p[at - 1].open && taken->list.p[at - 1].node == conditional)) at--;
  if (at == 0) return;
  choice_taken *own = &taken->list.p[at - 1];
  const hx_node *yes = conditional->u.kids.first->next, *result = own->took == HX_AST_TOOK_YES ? yes : yes->next;
  uint32_t kept = at;
  own->open = false;
  for (uint32_t i = at; own->took && i < taken->list.n; i++)
    if (is_within(taken->list.p[i].node, result)) taken->list.p[kept++] = taken->list.p[i];
  taken->list.n = kept;
  if (at > 1) return;
  for (uint32_t i = 0; i < kept; i++) note(&taken->list.p[i]);
  taken->list.n = 0;
}
