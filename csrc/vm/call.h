/* call.h: the argument protocol: what happens to arguments before an implementation sees them and to its result.
** Source: reference's Function.Call. Order of the checks decides which error is given; see call.c.
** Memory: scratch for converted arguments is the caller's stack slots: args are rewritten in place.
** Errors: reported through hx_call (bad_arg, message), turned into a diagnostic by the machine, which knows the places. */
#ifndef HX_VM_CALL_H
#define HX_VM_CALL_H

#include "vm/fn.h"

typedef enum hx_call_state {
  HX_CALL_DONE,   /* *out is the result */
  HX_CALL_FAILED, /* call->message, call->bad_arg */
  HX_CALL_HOST,   /* a Lua function: args are ready; the machine suspends with them, then calls hx_call_finish */
} hx_call_state;

/* Carries out fn on args[0..n): counts them, converts, takes marks off, propagates unknown, runs impl, puts marks on. args are
** rewritten in place. *marks is what hx_call_finish must put back for a Lua function. */
hx_call_state hx_call_run(hx_call *call, hx_val *args, uint32_t n, hx_val *out, const hx_marks **marks);
/* The end of a Lua function's call: checks and converts result, puts marks on. */
hx_call_state hx_call_finish(hx_call *call, hx_val result, const hx_marks *marks, hx_val *out);

#endif
