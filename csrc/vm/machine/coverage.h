/* coverage.h: records at the nodes of conditionals which results evaluations took (HX_AST_TOOK_YES, HX_AST_TOOK_NO), if the host
** has `covers`. The machine evaluates both results, but conditionals inside a result that isn't taken don't count. So their choices
** wait until the outermost conditional has chosen. Conditionals in template files that a call reads aren't recorded.
** Memory: the waiting choices are in the evaluation's arena.
** Errors: limits only. */
#ifndef HX_VM_MACHINE_COVERAGE_H
#define HX_VM_MACHINE_COVERAGE_H

#include "vm/machine/machine.h"

/* Begins a conditional, whose evaluated condition is on top of the stack. */
void hx_coverage_open(hx_machine *m, const hx_node *conditional, const hx_val *condition);
/* Ends a conditional, whose results have been evaluated. */
void hx_coverage_close(hx_machine *m, const hx_node *conditional);

HX_INLINE bool hx_covers(const hx_machine *m) {
  return HX_UNLIKELY(m->host->covers) && !m->frame;
}

#endif
