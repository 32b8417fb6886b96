/* machine.h: the machine: executes a program's instructions one after the other, with all of its state in one struct. It returns to its
** caller when it is done or needs something, and continues from there. So callbacks may yield, nesting needs no C stack, limits are exact,
** and an evaluation can be dropped half-way without a leak.
** Memory: one hx_machine for each evaluation. Values, stack and diagnostics are in its own activity `cx`. hx_machine_start
**   empties the activity and keeps a chunk, so reusing a machine is best. The result lives until the next start or deinit.
** Errors: HX_FAILED: cx.diags has at least one error. An abort (memory, limits) is an error as well, with a diagnostic in
**   cx.diags. */
#ifndef HX_VM_MACHINE_MACHINE_H
#define HX_VM_MACHINE_MACHINE_H

#include "vm/call.h"
#include "vm/host.h"
#include "vm/compile/program.h"

typedef enum hx_status {
  HX_DONE,      /* m->result */
  HX_FAILED,    /* m->cx.diags */
  HX_NEED_NAME, /* the host answered WAIT; when it has the answer, call hx_machine_step again */
  HX_NEED_CALL, /* m->need: a Lua function and its arguments; call hx_machine_answer or _refuse, then step again */
  HX_SLICED,    /* `slice` instructions were executed; step again */
} hx_status;

typedef struct hx_need {
  const hx_fn *fn;
  const hx_val *args;
  uint32_t nargs;
  bool for_type; /* the answer of fn->host's `returns` function is wanted, not the result */
} hx_need;

/* Private: a reported error, with the instruction that reported it. */
typedef struct hx_error_at {
  uint32_t pc;
  hx_diag *diag; /* NULL: the error is past HX_DIAGS_MAX, and only counted */
} hx_error_at;

/* Private: the state that is saved while a program entered by a call runs (enter.c). */
struct hx_frame;

typedef struct hx_machine {
  hx_cx cx;
  const hx_program *program;
  hx_host *host;
  hx_val result;
  hx_need need;
  /* Private: the machine's own state (parts.h). hx_machine_start sets the fields from `stack` to `coverage` to zero. */
  hx_val *stack;                /* NULL: no instruction was executed so far */
  hx_val *path_values;          /* this evaluation's answer for each path; NULL: none so far */
  struct hx_loop_frame *loop;   /* innermost running loop */
  struct hx_frame *frame;       /* of the call that entered the running program; NULL: no call entered it */
  hx_error_at *errors;          /* all errors that were reported and not dropped, in order */
  const hx_str *functions;      /* names of all functions, cached on first use */
  uint32_t nerrors, errors_cap; /* nerrors == cx.diags.errors between instructions */
  uint32_t nfunctions, pc;
  uint32_t nkept;               /* number of errors that have a diagnostic */
  uint8_t phase;                /* HX_PHASE_* */
  struct hx_coverage *coverage; /* vm/machine/coverage.h; NULL: no conditional so far */
  hx_status status;
  bool plain; /* calls with names of built-ins call the built-ins (hx_calls_builtins) */
  hx_val *top;
  uint64_t held;               /* steps that a slice leaves for later */
  struct hx_loop_frame *loops; /* one for each plan of the program */
  hx_call call;
  const hx_marks *call_marks;
  hx_val *call_args;
  uint32_t call_nargs;
  hx_val answer;
  hx_str refusal;
  const hx_diags *refused_with; /* errors to report instead of a message; or NULL */
  int32_t refused_arg;
  struct hx_records *records; /* set if the program records (vm/machine/record.h); NULL: nothing recorded so far */
} hx_machine;

void hx_machine_init(hx_machine *m);
void hx_machine_deinit(hx_machine *m);
void hx_machine_start(hx_machine *m, const hx_program *p, hx_host *host, const hx_limits *limits);
/* Runs until the machine is done, failed or needs something; at most `slice` instructions (0: no bound). */
hx_status hx_machine_step(hx_machine *m, uint32_t slice);
/* Runs one instruction and suspends (HX_SLICED), so that tests can suspend an evaluation anywhere. */
hx_status hx_machine_stutter(hx_machine *m);
/* Makes reports count again after an abort, which may come while cx is silent, or between two steps. */
void hx_machine_end_silence(hx_machine *m);
/* Passes the function's result to the machine. The result must live as long as m->cx.arena, or longer. If need.for_type, it is a type, as a
** CAPSULE. */
void hx_machine_answer(hx_machine *m, hx_val result);
/* Passes the function's rejection to the machine: a message, and the argument to blame (-1: the call). The caller may then set
** m->refused_with to errors that are reported instead, in m->cx.arena; errors without a place get the place of the call. */
void hx_machine_refuse(hx_machine *m, hx_str message, int32_t arg);

#endif
