/* evaluation.h: one evaluation as Lua sees it: a machine, and the C host that answers it from Lua tables and bound values.
**
** While C runs, the Lua stack is:
**   1 Expression   2 variables   3 Scope   4 Evaluation   5 the table of a root name (`root`)   6 the ledger   …
** Slot 5 is in use once the host has found such a table, slot 6 once the host keeps something or must ask Lua.
** While the evaluation is suspended, lua/hclexpr/driver.lua keeps 1 to 3 and hands them back.
** The ledger is the Evaluation's own table, for values that must stay while the evaluation lives. It is cleared at the end.
** Memory: a userdata. The memory of its machine ends with the evaluation, at once. One Evaluation is kept for the next (state.h).
** Errors: Lua errors pass through. They leave an Evaluation that is not used again and is collected. */
#ifndef HX_BINDING_HOST_EVALUATION_H
#define HX_BINDING_HOST_EVALUATION_H

#include "base/vec.h"
#include "binding/objects/lookups.h"
#include "binding/data/pull.h"
#include "binding/objects/scope.h"
#include "vm/machine/machine.h"

enum { HX_AT_EXPRESSION = 1, HX_AT_VARIABLES, HX_AT_SCOPE, HX_AT_EVALUATION, HX_AT_ROOT, HX_AT_LEDGER, HX_AT_TOP = HX_AT_LEDGER };

/* The ledger holds tables and answers by number, from 1 on. Lazy values are keys of the ledger as well, with their answers. The answer of a
** failed one is a light userdata that points to its message, and that is itself a key. */
#define HX_LEDGER_FIRST 1

/* How data was reached, for messages. */
typedef struct hx_origin {
  const hx_path *path; /* the path whose first `steps` steps lead to the data; or NULL */
  uint32_t steps;
  int32_t parent; /* if path is NULL: the FOREIGN value that has the data as an element */
  hx_str key;     /* key of the element; p is NULL: see index */
  int64_t index;
  const hx_path_step *more; /* further steps from there */
  uint32_t nmore;
} hx_origin;
/* A Lua table that the machine knows as a FOREIGN value, by its index among these. */
typedef struct hx_foreign {
  int slot; /* slot of the table in the ledger */
  hx_origin origin;
  hx_val whole;       /* the converted table, cached on first use */
  const hx_str *keys; /* the table's keys, cached on first use */
  uint32_t n;
  bool counted;   /* n is set, and the keys are valid */
  bool scattered; /* an array that Lua doesn't keep in order: its keys were checked, and it is read by index */
} hx_foreign;

typedef enum hx_mode {
  HX_MODE_EVAL,
  HX_MODE_TEST,
  HX_MODE_VALUE,
  HX_MODE_RENDER,
  HX_MODE_CHECK,
  HX_MODE_EXPLAIN,
  HX_MODE_PLAIN
} hx_mode;

/* What an evaluation waits for. */
typedef enum hx_wait {
  HX_WAIT_NONE,
  HX_WAIT_LOOKUP,
  HX_WAIT_LAZY,
  HX_WAIT_CLOCK,
  HX_WAIT_RANDOM,
  HX_WAIT_OUTSIDE,
  HX_WAIT_CALL,
  HX_WAIT_TYPE,
  HX_WAIT_SLICE, /* the end of a slice: Lua runs, for its hooks and signals */
} hx_wait;

typedef struct hx_evaluation {
  hx_host host; /* first: the machine's host is the evaluation */
  hx_machine machine;
  lua_State *L; /* the Lua thread of the current call */
  hx_state *state;
  const hx_scope *scope;
  hx_unit *unit;
  uint64_t granted; /* steps left when the evaluation began or last continued */
  uint32_t slice;   /* steps of the current slice */
  uint8_t mode;
  bool busy; /* begun, but not finished */
  bool has_variables;
  hx_home *kept; /* the home that was kept last: most data come from one home */
  hx_val whole;  /* the whole value of the Value with that home */
  /* The host's own fields. They are used only after `open` is set, and are reset when the evaluation ends. */
  bool open;           /* the ledger is in its slot, and there is room on the Lua stack above it */
  bool mixed_ledger;   /* the ledger has keys other than the numbers below `used` */
  hx_home *scope_home; /* the scope's home, once suspended; or NULL */
  bool suspended;      /* was suspended at least once, and so holds its program and scope_home */
  int used;            /* slots of the ledger in use */
  HX_VEC(hx_foreign) foreign;
  hx_lookups lookups;
  /* The text of the root name whose table is in HX_AT_ROOT; NULL: that slot is empty. */
  const char *root;
  /* What the evaluation waits for */
  uint8_t wait; /* hx_wait */
  const hx_scope *wait_scope;
  const hx_path *wait_path;
  int wait_first, wait_next, wait_end; /* the lazy values to ask for, as slots of the ledger */
  uint32_t wait_bytes;
  hx_str wait_outside;  /* the path outside the folders */
  int32_t bad_argument; /* the number, from 1, of an argument that Lua can't take, for the reason bad_text; 0: all can be taken */
  hx_str bad_text;
  size_t told;       /* bytes that were reported to the collector */
  uint64_t unhooked; /* steps since the hook that counts instructions was last called */
  uint8_t failed;    /* hx_why: the limit that was exceeded while an answer was taken */
  bool answered;     /* clock, random, outside: the answer has come */
  int64_t clock_answer;
  hx_str random_answer;
} hx_evaluation;

HX_INLINE hx_evaluation *hx_evaluation_of(hx_host *h) {
  return (hx_evaluation *)(void *)h;
}

/* Opens the host before it uses the Lua stack: pushes the ledger, which must become HX_AT_LEDGER, and ensures room above. */
void hx_evaluation_open_now(hx_evaluation *ev);
/* Opens the host unless it is open. First drops what is above HX_AT_ROOT, so that the ledger gets into its slot. */
HX_INLINE void hx_evaluation_open(hx_evaluation *ev) {
  if (ev->open) return;
  lua_settop(ev->L, HX_AT_ROOT); /* host.glance may have left values above */
  hx_evaluation_open_now(ev);
}

/* Moves the value on top of the stack into a new slot of the ledger; returns the slot. */
int hx_ledger_add(hx_evaluation *ev);
/* Pushes the table of a FOREIGN value. (Where such a value exists, the host is open.) */
HX_INLINE void hx_foreign_push(hx_evaluation *ev, const hx_val *v) {
  HX_ASSERT(ev->open);
  lua_rawgeti(ev->L, HX_AT_LEDGER, ev->foreign.p[v->u.i].slot);
}
/* Why a lazy value has no answer: Diagnostics from the script, or a text. */
typedef struct hx_lazy_failure {
  hx_str text;
  const hx_diags *diags; /* or NULL */
} hx_lazy_failure;

/* Answers the lazy value (a Lazy or a function) at `at`. Returns true if it pushed the answer. Returns false if the value's
** function must be called first, or has failed; *failure then says why. */
bool hx_lazy_answer(hx_evaluation *ev, int at, const hx_lazy_failure **failure);

/* answer.c: pushes the function that a suspended evaluation needs to have called, and its arguments; returns their number. */
int hx_need_push(hx_evaluation *ev);
/* Takes the results of that function, which are above HX_AT_TOP on the stack. Returns false if another function must be called
** before the machine can go on. A wrong answer is a diagnostic at the call or path. */
bool hx_need_answer(hx_evaluation *ev);

/* Frees the idle machine's memory when the Lua state closes; later evaluations keep none. Finalizers may have evaluated after the idle
** machine's own finalizer, and more may do so; Lua 5.1 to 5.4 don't finalize objects made so late. */
void hx_evaluation_end(hx_state *st);

#endif
