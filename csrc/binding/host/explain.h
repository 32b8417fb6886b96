/* explain.h: what an evaluation recorded (vm/machine/record.h), as Lua tables. lua/hclexpr/explain/tree.lua makes a tree of them.
** Memory: the values share one home, which is a copy.
** Errors: a limit met in making them is in the table as that of the evaluation; raises for want of Lua's memory. */
#ifndef HX_BINDING_HOST_EXPLAIN_H
#define HX_BINDING_HOST_EXPLAIN_H

#include "binding/host/evaluation.h"

/* Pushes the records of an evaluation that has ended, as an array in order of evaluation, with the Diagnostics of one that failed as
** `err`. */
void hx_explain_push(hx_evaluation *ev, bool failed);

#endif
