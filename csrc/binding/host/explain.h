/* explain.h: what an evaluation recorded (vm/machine/record.h), as Lua tables. lua/hclexpr/explain/tree.lua makes a tree of them.
** Memory: the values share one home, which is a copy.
** Errors: a limit exceeded in making them is in the table as that of the evaluation; raises if Lua is out of memory. */
#ifndef HX_BINDING_HOST_EXPLAIN_H
#define HX_BINDING_HOST_EXPLAIN_H

#include "binding/host/evaluation.h"

/* Pushes the records of a finished evaluation, as an array in order of evaluation, with the Diagnostics of a failed one as
** `err`. */
void hx_explain_push(hx_evaluation *ev, bool failed);

#endif
