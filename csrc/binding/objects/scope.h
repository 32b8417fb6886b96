/* scope.h: the scope that hcl.scope prepares: named values, functions, limits, capabilities, and how results become Lua
** data.
** Memory: a userdata with a home. Its Lua values are in the userdata's table, at the slots below, which also keep the
**   parent.
** Errors: misuse raises, naming the option. */
#ifndef HX_BINDING_OBJECTS_SCOPE_H
#define HX_BINDING_OBJECTS_SCOPE_H

#include "binding/data/push.h"
#include "vm/host.h"

/* Slots of a scope's table. Those of `convert` (push.h) come first. */
enum {
  HX_SCOPE_VARIABLES = HX_CONVERT_OBJECT_MT + 1,
  HX_SCOPE_LOOKUP,
  HX_SCOPE_PARENT,
  HX_SCOPE_CLOCK,
  HX_SCOPE_RANDOM,
  HX_SCOPE_OUTSIDE,
  HX_SCOPE_FUNCTIONS, /* from here on: the functions, with two slots each: impl, returns */
};

/* The bit of a slot of functions that an evaluation waits for: HX_SCOPE_CLOCK and those after it. */
#define HX_SCOPE_SOURCE(slot) (1u << ((slot)-HX_SCOPE_CLOCK))

/* A Value that was in `variables` when the scope was made: its name is bound to it for good. */
typedef struct hx_pin {
  hx_str name;
  hx_val v;
} hx_pin;
typedef struct hx_pins {
  hx_pin *p; /* sorted by name */
  uint32_t n;
} hx_pins;

/* What evaluations under a scope, and under scopes made from it, may still spend together (core.budget). */
typedef struct hx_budget {
  uint64_t steps, memory;
} hx_budget;

typedef struct hx_scope hx_scope;

/* The record for the row of a Lua function (hx_fn.host). */
typedef struct hx_function {
  const hx_scope *scope;
  int slot; /* of impl in the scope's table; `returns` is the next */
  bool values;
} hx_function;

struct hx_scope {
  hx_host host; /* to be copied into an evaluation; complete except for the evaluation's own part */
  hx_limits limits;
  hx_convert_options convert;
  hx_home *home;
  hx_scope *parent;
  hx_pins pins, declared; /* declared: by lookup_types, as unknowns of their types */
  hx_fn *functions;       /* sorted by name, as stdlib is */
  uint32_t nfunctions;
  const hx_str *stdlib; /* names of the visible built-ins, or NULL: see all_stdlib */
  uint32_t nstdlib;
  bool all_stdlib;
  bool has_variables, has_lookup;
  bool declares;          /* the lookup knows only the names in `declared` */
  uint8_t sources;        /* HX_SCOPE_SOURCE of the slots that have a function */
  bool files_off;         /* taken away by filesystem = false, here or in a parent */
  hx_budget *budget, own; /* NULL: each evaluation has the limits for itself */
};

/* The Scope at an index, or NULL. */
const hx_scope *hx_to_scope(lua_State *L, hx_state *st, int arg);
/* Pushes the table of `scope`, which is the one at stack index `at` or an ancestor of it. */
void hx_scope_push_table(lua_State *L, int at, const hx_scope *scope);
/* The function called name: of the scope, then of its ancestors, then the built-in of that name if it is visible. */
const hx_fn *hx_scope_function(const hx_scope *scope, hx_str name, const hx_fn *builtin);
/* The value that is bound to a name, or NULL. */
const hx_val *hx_pins_find(const hx_pins *pins, hx_str name);
bool hx_scope_sees(const hx_scope *scope, hx_str builtin);
/* To be called once the scope has all its pins and functions: sorts them, so that they are found by name. */
void hx_scope_sort(hx_scope *s);
/* From now on only these built-ins are visible; their names are kept, and sorted. */
void hx_scope_see(hx_scope *s, hx_str *builtins, uint32_t n);
/* The longest name of a namespace, with its colons, for which a scope may have one function. */
enum { HX_NAMESPACE_MAX = 200 };

#endif
