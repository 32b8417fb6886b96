/* scope.h: what hcl.scope prepares: named values, functions, limits, capabilities and how results become Lua data.
** Memory: a userdata with a home; its Lua values are in the userdata's table, at the slots below. A parent outlives it there.
** Errors: misuse raises, naming the option. */
#ifndef HX_BINDING_SCOPE_H
#define HX_BINDING_SCOPE_H

#include "binding/push.h"
#include "vm/host.h"

/* Slots of a scope's table. Those of `convert` (push.h) come first. */
enum {
  HX_SCOPE_VARIABLES = HX_CONVERT_OBJECT_MT + 1,
  HX_SCOPE_LOOKUP,
  HX_SCOPE_PARENT,
  HX_SCOPE_CLOCK,
  HX_SCOPE_RANDOM,
  HX_SCOPE_FUNCTIONS, /* from here on: the functions, two slots each: impl, returns */
};

/* A Value among `variables` when the scope was made: the name is bound to it for good. */
typedef struct hx_pin {
  hx_str name;
  hx_val v;
} hx_pin;

typedef struct hx_scope hx_scope;

/* Behind a row of a Lua function (hx_fn.host). */
typedef struct hx_function {
  const hx_scope *scope;
  int slot; /* in the scope's table: impl; returns is the next */
  bool values;
} hx_function;

struct hx_scope {
  hx_host host; /* ready to be copied: all but the evaluation's own part */
  hx_limits limits;
  hx_convert_options convert;
  hx_home *home;
  hx_scope *parent;
  uint64_t number; /* never reused; 0: the default scope */
  hx_pin *pins;    /* sorted by name, as functions and stdlib are */
  uint32_t npins;
  hx_fn *functions;
  uint32_t nfunctions;
  const hx_str *stdlib; /* names of the built-ins that are seen, or NULL: see all_stdlib */
  uint32_t nstdlib;
  bool all_stdlib;
  bool has_variables, has_lookup, has_clock, has_random;
};

/* The Scope that is an argument; NULL if it is none. */
const hx_scope *hx_to_scope(lua_State *L, hx_state *st, int arg);
/* Pushes the table of `scope`, the one at stack index `at` or one of its ancestors. */
void hx_scope_push_table(lua_State *L, int at, const hx_scope *scope);
/* The function called name: the scope's and its ancestors', then the built-in if it is seen. */
const hx_fn *hx_scope_function(const hx_scope *scope, hx_str name);
/* The Value that a name of this scope is bound to for good, or NULL. */
const hx_val *hx_scope_bound(const hx_scope *scope, hx_str name);
bool hx_scope_sees(const hx_scope *scope, hx_str builtin);
void hx_open_scope(lua_State *L);

#endif
