/* call.h: the argument protocol: what happens to arguments before an implementation sees them and to its result.
** Source: reference's FunctionCallExpr and Function.Call. The order of the checks decides which error is given:
**   1. the number of arguments (after expansion; the reference checks it before the other arguments are evaluated);
**   2. conversion of every argument to its parameter's type: each that fails is an error of its own;
**   3. for each argument in order: marks off, null refused, an argument of unknown type ends the checks;
**   4. an unknown argument: the result is unknown, of the row's type; else the implementation runs;
**   5. marks back on.
** Memory: scratch for converted arguments is the caller's stack slots: args are rewritten in place.
** Errors: reported through hx_call (message, bad_arg, more), turned into diagnostics by the machine, which knows the places. */
#ifndef HX_VM_CALL_H
#define HX_VM_CALL_H

#include "vm/fn.h"

/* Functions of strings look at every character, which is more work than going past an element of as many bytes. */
#define HX_TEXT_WEIGHT 4u

typedef enum hx_call_state {
  HX_CALL_DONE,   /* *out is the result */
  HX_CALL_FAILED, /* call->message, call->bad_arg; conversions: call->more too */
  HX_CALL_HOST,   /* a Lua function: args are ready; the machine suspends with them, then calls hx_call_finish. call->for_type:
                  ** its `returns` function is wanted, whose answer is a CAPSULE */
  HX_CALL_ENTER,  /* call->entry: a program to be run first; then hx_call_leave with its result */
} hx_call_state;

/* The parameter that argument i goes to; NULL: there is none. */
const hx_param *hx_call_param(const hx_fn *fn, uint32_t i);
/* Makes call ready for fn; cx and host are the caller's to set, once. */
void hx_call_init(hx_call *call, const hx_fn *fn);
/* Step 1. bad_arg is HX_BLAME_CLOSE or the first argument that is too many. hidden: how many there are isn't told. */
bool hx_call_count(hx_call *call, uint32_t n, bool hidden);
/* Where an argument's evaluation failed only this is done of step 2: can they be converted at all? What is found is reported. */
bool hx_call_check(hx_call *call, hx_val *args, uint32_t n);

/* Carries out fn on args[0..n), whose number is right: steps 2 to 5. args are rewritten in place. *marks is what hx_call_finish must put
** back for a Lua function. */
hx_call_state hx_call_run(hx_call *call, hx_val *args, uint32_t n, hx_val *out, const hx_marks **marks);
/* The end of a Lua function's call: checks and converts result, puts marks on. HX_CALL_HOST again after an answer for_type
** where all arguments are known: now the value is wanted, with the same arguments. */
hx_call_state hx_call_finish(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out);
/* The end of a call that entered a program: its result turned into the call's, marks put on. */
hx_call_state hx_call_leave(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out);
/* The same where the program failed: call->failed says how. */
hx_call_state hx_call_left(hx_call *call);
/* The detail of a diagnostic: message with the function's and the argument's names; messages of hx_call_run have it already.
** For what a host refuses: arg as in hx_machine_refuse. */
hx_str hx_call_detail(const hx_call *call, int32_t arg, hx_str message);

#endif
