/* explain.h: what an evaluation recorded (vm/machine/record.h), as Lua tables. lua/hclexpr/explain/tree.lua makes a tree of the tables.
** Memory: the values share one home, which holds a copy.
** Errors: a limit exceeded while the tables are made is reported like a limit of the evaluation; raises if Lua is out of memory. */
#ifndef HX_BINDING_HOST_EXPLAIN_H
#define HX_BINDING_HOST_EXPLAIN_H

#include "binding/host/evaluation.h"

/* Pushes an array of the records of a finished evaluation, in order of evaluation, with the Diagnostics of a failed one as `err`. */
void hx_explain_push(hx_evaluation *ev, bool failed);

#endif
