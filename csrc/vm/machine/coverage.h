/* coverage.h: which results of conditionals evaluations took, noted at their nodes (HX_AST_TOOK_YES, HX_AST_TOOK_NO), if the host
** says `covers`. The machine evaluates both results, and conditionals inside a result that isn't taken don't count: so choices
** are kept until the outermost conditional has chosen. Templates of files that a call reads aren't noted.
** Memory: what is kept lives in the evaluation's arena.
** Errors: none but limits. */
#ifndef HX_VM_MACHINE_COVERAGE_H
#define HX_VM_MACHINE_COVERAGE_H

#include "vm/machine/machine.h"

/* The condition of a conditional was evaluated, the top of the stack. */
void hx_coverage_open(hx_machine *m, const hx_node *conditional, const hx_val *condition);
/* It has its result. */
void hx_coverage_close(hx_machine *m, const hx_node *conditional);

HX_INLINE bool hx_covers(const hx_machine *m) {
  return HX_UNLIKELY(m->host->covers) && !m->frame;
}

#endif
