/* call.h: the argument protocol: the treatment of arguments before an implementation sees them, and of its result. The order of the checks
** decides which error is reported:
**   1. the number of arguments (after expansion; the reference checks it before the other arguments are evaluated);
**   2. conversion of every argument to its parameter's type; each failure is an error of its own;
**   3. for each argument in order: marks are taken off; null is rejected; an argument of unknown type ends the checks;
**   4. if an argument is unknown, the result is unknown, of the row's type; otherwise the implementation runs;
**   5. the result gets the marks.
** Memory: converted arguments replace the given ones in the caller's stack slots.
** Errors: reported through hx_call (message, bad_arg, more). The machine knows the places and makes diagnostics from them.
** Source: reference's FunctionCallExpr and Function.Call. */
#ifndef HX_VM_CALL_H
#define HX_VM_CALL_H

#include "vm/fn.h"

/* Functions of strings read every character, so a byte of text costs more steps than a byte of a composite value. */
#define HX_TEXT_WEIGHT 4u

typedef enum hx_call_state {
  HX_CALL_DONE,   /* *out is the result */
  HX_CALL_FAILED, /* call->message, call->bad_arg; for conversions also call->more */
  /* A Lua function: the arguments are ready. The machine suspends with them, then calls hx_call_finish. If call->for_type, the function's
  ** `returns` is called instead, and the answer is a CAPSULE. */
  HX_CALL_HOST,
  HX_CALL_ENTER, /* call->entry is a program to run first; the machine passes its result to hx_call_leave */
} hx_call_state;

/* Returns the parameter that takes argument i, or NULL if i is too great. */
const hx_param *hx_call_param(const hx_fn *fn, uint32_t i);
/* Prepares call for fn. The caller sets cx and host, once. */
void hx_call_init(hx_call *call, const hx_fn *fn);
/* Does step 1. Returns false if the number is wrong, and blames HX_BLAME_CLOSE or the first superfluous argument. hidden: the message
** doesn't show how many arguments were given. */
bool hx_call_count(hx_call *call, uint32_t n, bool hidden);
/* Does only the part of step 2 that makes sense if an argument failed: reports the arguments that can't be converted at all. */
bool hx_call_check(hx_call *call, hx_val *args, uint32_t n);

/* Calls fn with args[0..n), whose number is right: steps 2 to 5. args are rewritten in place. Sets *marks to those that hx_call_finish or
** hx_call_leave must put on the result. */
hx_call_state hx_call_run(hx_call *call, hx_val *args, uint32_t n, hx_val *out, const hx_marks **marks);
/* Ends a Lua function's call: checks and converts the result, and puts the marks on it. If `result` is a type (call->for_type) and all
** arguments are known, returns HX_CALL_HOST again: now the value is wanted, for the same arguments. */
hx_call_state hx_call_finish(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out);
/* Ends a call that entered a program: turns the program's result into the call's, and puts the marks on it. */
hx_call_state hx_call_leave(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out);
/* Ends a call whose program failed, and completes the message of the error. */
hx_call_state hx_call_left(hx_call *call);
/* Returns the detail of a diagnostic: message with the names of the function and the argument. Messages of hx_call_run have them already;
** this is for a host's rejections. arg is as in hx_machine_refuse. */
hx_str hx_call_detail(const hx_call *call, int32_t arg, hx_str message);

#endif
