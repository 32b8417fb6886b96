/* machine.h: the machine: runs a program's code, one instruction after the other, with all of its state in one struct. It
** returns to its host when it is done or when it needs something, and goes on from there: so callbacks may yield, any depth of
** nesting needs no C stack, limits are exact, and an evaluation can be dropped half-way without a leak.
** Memory: one hx_machine an evaluation; values, stack and diagnostics are in its own activity `cx`; hx_machine_start empties it
**   and keeps a chunk, so a machine is best reused. The result lives until the next start or deinit.
** Errors: HX_FAILED: cx.diags has at least one error. An abort (memory, limits) is one too: its diagnostic is in cx.diags. */
#ifndef HX_VM_MACHINE_H
#define HX_VM_MACHINE_H

#include "vm/call.h"
#include "vm/host.h"
#include "vm/program.h"

typedef enum hx_status {
  HX_DONE,      /* m->result */
  HX_FAILED,    /* m->cx.diags */
  HX_NEED_NAME, /* the host said WAIT: it knows what for; then hx_machine_step again */
  HX_NEED_CALL, /* m->need: a Lua function and its arguments; then hx_machine_answer or _refuse, then step again */
  HX_SLICED,    /* `slice` instructions were executed; step again */
} hx_status;

typedef struct hx_need {
  const hx_fn *fn;
  const hx_val *args;
  uint32_t nargs;
  bool for_type; /* fn->host's `returns` function is wanted, not its value */
} hx_need;

/* Private: an error that was reported, by the instruction it was reported at. */
typedef struct hx_error_at {
  uint32_t pc;
  hx_diag *diag; /* NULL: past HX_DIAGS_MAX, only counted */
} hx_error_at;

/* Private: what stands still while a program runs that a call entered (machine_enter.c). */
struct hx_frame;

typedef struct hx_machine {
  hx_cx cx;
  const hx_program *program;
  hx_host *host;
  hx_val result;
  hx_need need;
  /* Private: the machine's own state (machine_parts.h). What hx_machine_start sets to zero, from here … */
  hx_val *stack;                /* NULL: nothing is executed yet */
  hx_val *path_values;          /* one a path: answers of this evaluation; NULL: there is none yet */
  struct hx_loop_frame *loop;   /* innermost loop being run */
  struct hx_frame *frame;       /* the program being run was entered from it; NULL: it wasn't */
  hx_error_at *errors;          /* all that were reported and not dropped, in order */
  uint32_t nerrors, errors_cap; /* nerrors == cx.diags.errors between instructions */
  uint32_t nkept;               /* of these, how many have a diagnostic */
  const hx_str *functions;      /* names of the functions there are, once they were asked for */
  uint32_t nfunctions;
  uint32_t quiet; /* try() and can() being run: their errors need no hints */
  uint32_t pc;
  uint8_t phase; /* HX_PHASE_* */
  /* … to here. */
  hx_status status;
  hx_val *top;
  uint64_t held;               /* steps that a slice leaves for later */
  struct hx_loop_frame *loops; /* one a plan of the program */
  const hx_fn **fns;           /* one a call, where the host may shadow built-ins; NULL: not asked yet */
  hx_call call;
  const hx_marks *call_marks;
  hx_val *call_args;
  uint32_t call_nargs;
  hx_val answer;
  hx_str refusal;
  int32_t refused_arg;
  hx_error_at first_errors[2]; /* room for those of most evaluations that fail; programs that were entered have their own */
} hx_machine;

void hx_machine_init(hx_machine *m);
void hx_machine_deinit(hx_machine *m);
void hx_machine_start(hx_machine *m, const hx_program *p, hx_host *host, const hx_limits *limits);
/* May be tried right after the start, where all paths are bound or there is none: most small expressions need no host then, next to no
** memory and no guard, and are done here: true. Else hx_machine_step goes on from where this came to. */
bool hx_machine_run_straight(hx_machine *m);
/* Where that came to: is it a path that is known to fail, as d says, and that for good? Then d is the first that would be reported. For
** evaluations that nobody will read more of (cx.unread). */
bool hx_machine_comes_to(const hx_machine *m, const hx_diag *d);
/* Runs until done, failed or in need; at most `slice` instructions (0: no bound). */
hx_status hx_machine_step(hx_machine *m, uint32_t slice);
/* A slice of one instruction: suspends (HX_SLICED) after every one, so that tests see all state survive anywhere. */
hx_status hx_machine_stutter(hx_machine *m);
/* The function's result, in m->cx.arena or longer. For for_type: a CAPSULE. */
void hx_machine_answer(hx_machine *m, hx_val result);
/* The function said no: message, and the argument to blame (-1: the call). */
void hx_machine_refuse(hx_machine *m, hx_str message, int32_t arg);

#endif
