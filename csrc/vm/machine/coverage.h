/* coverage.h: which results of conditionals evaluations took, noted at their nodes (HX_AST_TOOK_YES, HX_AST_TOOK_NO), if the host has
** `covers`. The machine evaluates both results, and conditionals inside a result that isn't taken don't count: so choices are kept until
** the outermost conditional has chosen. Conditionals in template files that a call reads aren't noted.
** Memory: the choices kept are in the evaluation's arena.
** Errors: limits only. */
#ifndef HX_VM_MACHINE_COVERAGE_H
#define HX_VM_MACHINE_COVERAGE_H

#include "vm/machine/machine.h"

/* Begins a conditional, whose condition was evaluated and is on top of the stack. */
void hx_coverage_open(hx_machine *m, const hx_node *conditional, const hx_val *condition);
/* Ends the conditional, which has its result. */
void hx_coverage_close(hx_machine *m, const hx_node *conditional);

HX_INLINE bool hx_covers(const hx_machine *m) {
  return HX_UNLIKELY(m->host->covers) && !m->frame;
}

#endif
