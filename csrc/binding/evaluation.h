/* evaluation.h: one evaluation as Lua sees it: a machine, and the C host that answers it from Lua tables and bound values.
**
** While C runs, the Lua stack is:   1 Expression   2 variables   3 Scope   4 Evaluation   and once a host was asked for something
**   5 its ledger, or nil   6 the first table that is a FOREIGN value, or nil   7 root, or nil   …
** While it is suspended lua/hclexpr/driver.lua keeps 1 to 3, and hands them back.
** The ledger is the Evaluation's own table: what must stay while the evaluation lives. It is fetched when first needed, and cleared
** at the end. The root is the table of the named value read last: most paths of an expression begin with the same name. Many
** expressions have one FOREIGN value or none, so the first has a place of its own as long as the evaluation isn't suspended.
** Memory: a userdata; its machine's memory ends with the evaluation, at once. One Evaluation is kept for the next (state.h).
** Errors: Lua errors pass through and leave an Evaluation that is not used again and is collected. */
#ifndef HX_BINDING_EVALUATION_H
#define HX_BINDING_EVALUATION_H

#include "base/vec.h"
#include "binding/lookups.h"
#include "binding/pull.h"
#include "binding/scope.h"
#include "vm/machine.h"

enum {
  HX_AT_EXPRESSION = 1,
  HX_AT_VARIABLES,
  HX_AT_SCOPE,
  HX_AT_EVALUATION,
  HX_AT_LEDGER,
  HX_AT_FOREIGN,
  HX_AT_ROOT,
  HX_AT_TOP = HX_AT_ROOT
};

/* The ledger has tables and answers by number, from 1 on. Lazy values are keys in it too, with their answers. */
#define HX_LEDGER_FIRST 1

/* A Lua table that the machine knows as FOREIGN value of this index, and how it was reached, for messages. */
typedef struct hx_foreign {
  int slot;            /* in the ledger; 0: at HX_AT_FOREIGN */
  const hx_path *path; /* where it comes from: `steps` steps of a path … */
  uint32_t steps;
  int32_t parent; /* … or, if path is NULL, an element of another */
  hx_str key;     /* p is NULL: index */
  int64_t index;
  const hx_path_step *more; /* and from there so many steps */
  uint32_t nmore;
  hx_val whole;       /* the table converted, once it was asked for */
  const hx_str *keys; /* its keys, once they were asked for */
  uint32_t n;
  bool counted;   /* its keys are sound, and n of them */
  bool scattered; /* an array that Lua doesn't keep in order: checked, and read by index */
} hx_foreign;

typedef enum hx_mode { HX_MODE_EVAL, HX_MODE_TEST, HX_MODE_VALUE, HX_MODE_RENDER } hx_mode;

/* What an evaluation waits for. */
typedef enum hx_wait {
  HX_WAIT_NONE,
  HX_WAIT_LOOKUP,
  HX_WAIT_LAZY,
  HX_WAIT_CLOCK,
  HX_WAIT_RANDOM,
  HX_WAIT_CALL,
  HX_WAIT_TYPE,
} hx_wait;

typedef struct hx_evaluation {
  hx_host host; /* first: the machine's host is the evaluation */
  hx_machine machine;
  hx_drafts drafts; /* of what it reports */
  lua_State *L;     /* of the call that runs */
  hx_state *state;
  const hx_scope *scope;
  hx_unit *unit;
  uint64_t scope_number; /* whose host fields are in `host`; UINT64_MAX: nobody's */
  uint8_t mode;
  bool busy; /* begun and not finished */
  bool has_variables;
  /* From here on: the host's own. Nothing of it is touched before `open` is set, and all is as before when the evaluation is over. */
  bool open;                  /* slots 5 to 7 are there */
  bool has_room;              /* and room above them has been asked for */
  bool has_ledger;            /* slot 5 holds it */
  const char *root;           /* name, as paths have it, whose table HX_AT_ROOT holds; NULL: nobody's */
  bool mixed_ledger;          /* it has keys other than the numbers below `used` */
  bool suspended;             /* it was, at least once: it holds its program */
  int used;                   /* slots of the ledger that are taken */
  HX_VEC(hx_foreign) foreign; /* at first in `first_foreign` */
  hx_foreign first_foreign;
  hx_lookups lookups;
  HX_VEC(hx_str *) failures; /* of lazy values: light userdata in the ledger point to them */
  hx_home *kept;             /* the home kept last: most data comes from one */
  /* What is waited for */
  uint8_t wait; /* hx_wait */
  const hx_scope *wait_scope;
  const hx_path *wait_path;
  int wait_first, wait_next, wait_end; /* lazy values to ask for: slots of the ledger */
  uint32_t wait_bytes;
  int32_t bad_argument; /* from 1: an argument that Lua can't be given, and why */
  hx_str bad_text;
  size_t told;    /* bytes that the collector has been told of */
  uint8_t failed; /* hx_why: an answer could not be taken in */
  bool answered;  /* clock, random: the answer is here */
  int64_t clock_answer;
  hx_str random_answer;
} hx_evaluation;

HX_INLINE hx_evaluation *hx_evaluation_of(hx_host *h) {
  return (hx_evaluation *)(void *)h;
}

/* Makes sure that there is room on the stack for whatever a host may do there. For a few tables that are stepped through there is room
** in every call. */
void hx_evaluation_room_now(hx_evaluation *ev);
HX_INLINE void hx_evaluation_room(hx_evaluation *ev) {
  if (!ev->has_room) hx_evaluation_room_now(ev);
}

/* Makes sure that the ledger is in its stack slot. */
void hx_ledger_fetch(hx_evaluation *ev);
/* Puts the value on top of the stack into a new slot; pops it. */
int hx_ledger_add(hx_evaluation *ev);
/* Pushes the table of a FOREIGN value. */
HX_INLINE void hx_foreign_push(hx_evaluation *ev, const hx_val *v) {
  int slot = ev->foreign.p[v->u.i].slot;
  if (slot) {
    hx_ledger_fetch(ev);
    lua_rawgeti(ev->L, HX_AT_LEDGER, slot);
  } else {
    lua_pushvalue(ev->L, HX_AT_FOREIGN);
  }
}
/* The lazy value (a Lazy or a function) at `at`: true, its answer pushed; false: it stands in the list of those to ask for, or it was
** asked and failed: *failure. */
bool hx_lazy_answer(hx_evaluation *ev, int at, const hx_str **failure);

/* The Lua state closes. Finalizers may have evaluated when the idle machine's own was over, and some may yet: Lua 5.1 to 5.4 finalize
** nothing that is made so late, so its memory goes here, and later evaluations keep none. */
void hx_evaluation_end(hx_state *st);

void hx_open_evaluation(lua_State *L);

#endif
