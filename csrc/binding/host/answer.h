/* answer.h: the questions of a suspended evaluation to Lua, and its treatment of the answers.
** Memory: answers are in the evaluation's arena or its ledger.
** Errors: a wrong answer is a diagnostic at the call or path. */
#ifndef HX_BINDING_HOST_ANSWER_H
#define HX_BINDING_HOST_ANSWER_H

#include "binding/host/evaluation.h"

/* Pushes the function to call and its arguments; returns their number. */
int hx_need_push(hx_evaluation *ev);
/* Takes the results on the stack above HX_AT_TOP. False: there is more to ask before the machine can go on. */
bool hx_need_answer(hx_evaluation *ev);

#endif
