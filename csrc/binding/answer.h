/* answer.h: what a suspended evaluation asks Lua for, and what it makes of the answer.
** Memory: answers are in the evaluation's arena or its ledger.
** Errors: an answer that is wrong is a diagnostic at the call or path. */
#ifndef HX_BINDING_ANSWER_H
#define HX_BINDING_ANSWER_H

#include "binding/evaluation.h"

/* Pushes the function to call and its arguments: their number. */
int hx_need_push(hx_evaluation *ev);
/* The results are on the stack above HX_AT_TOP. False: there is more to ask before the machine can go on. */
bool hx_need_answer(hx_evaluation *ev);

#endif
