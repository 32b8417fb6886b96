/* scope.h: the scope that hcl.scope prepares: named values, functions, limits, capabilities, and how results become Lua data.
** Memory: a userdata with a home. Its Lua values are in the userdata's table, at the slots below, which also keep the parent.
** Errors: misuse raises, naming the option. */
#ifndef HX_BINDING_OBJECTS_SCOPE_H
#define HX_BINDING_OBJECTS_SCOPE_H

#include "binding/data/push.h"
#include "vm/host.h"

/* The slots of a scope's table. The slots of `convert` (push.h) come first. */
enum {
  HX_SCOPE_VARIABLES = HX_CONVERT_OBJECT_MT + 1,
  HX_SCOPE_LOOKUP,
  HX_SCOPE_PARENT,
  HX_SCOPE_CLOCK,
  HX_SCOPE_RANDOM,
  HX_SCOPE_OUTSIDE,
  HX_SCOPE_FUNCTIONS, /* the first of the functions' slots; each function has two: impl, returns */
};

/* The bit for a slot with a function that an evaluation waits for: HX_SCOPE_CLOCK and the slots after it. */
#define HX_SCOPE_SOURCE(slot) (1u << ((slot)-HX_SCOPE_CLOCK))

/* A Value that was in `variables` when the scope was made. Its name always has this value. */
typedef struct hx_pin {
  hx_str name;
  hx_val v;
} hx_pin;
typedef struct hx_pins {
  hx_pin *p; /* sorted by name */
  uint32_t n;
} hx_pins;

/* The steps and memory that evaluations under a scope, and under scopes made from it, may still spend together (core.budget). */
typedef struct hx_budget {
  uint64_t steps, memory;
} hx_budget;

typedef struct hx_scope hx_scope;

/* The host data in the row of a Lua function (hx_fn.host). */
typedef struct hx_function {
  const hx_scope *scope;
  int slot; /* the slot of impl in the scope's table; the next slot has `returns` */
  bool values;
} hx_function;

struct hx_scope {
  hx_host host; /* is copied into each evaluation; complete except for the evaluation's own part */
  hx_limits limits;
  hx_convert_options convert;
  hx_home *home;
  hx_scope *parent;
  hx_pins pins, declared; /* declared: the names of lookup_types, as unknowns of their types */
  hx_fn *functions;       /* sorted by name, as stdlib is */
  uint32_t nfunctions;
  const hx_str *stdlib; /* names of the visible built-ins, or NULL: see all_stdlib */
  uint32_t nstdlib;
  bool all_stdlib;
  bool has_variables, has_lookup;
  bool declares;          /* the lookup knows only the names in `declared` */
  uint8_t sources;        /* HX_SCOPE_SOURCE bits of the slots that have a function */
  bool files_off;         /* filesystem = false took file access away, here or in a parent */
  hx_budget *budget, own; /* budget is NULL: each evaluation has the limits for itself */
};

/* Returns the Scope that is argument arg, or NULL for any other value. */
const hx_scope *hx_to_scope(lua_State *L, hx_state *st, int arg);
/* Pushes the table of `scope`, which is the scope at stack index `at` or an ancestor of it. */
void hx_scope_push_table(lua_State *L, int at, const hx_scope *scope);
/* Returns the function called name: from the scope, else from its ancestors, else the built-in of that name if it is visible.
** Returns NULL if there isn't one. */
const hx_fn *hx_scope_function(const hx_scope *scope, hx_str name, const hx_fn *builtin);
/* Returns the value that is bound to a name, or NULL. */
const hx_val *hx_pins_find(const hx_pins *pins, hx_str name);
bool hx_scope_sees(const hx_scope *scope, hx_str builtin);
/* Sorts a scope's pins and functions, which are found by name afterwards. Call it when the scope has all of them. */
void hx_scope_sort(hx_scope *s);
/* Makes only these built-ins visible. Keeps their names, and sorts them. */
void hx_scope_see(hx_scope *s, hx_str *builtins, uint32_t n);
/* The longest name of a namespace, with its colons, for which a scope may have one function. */
enum { HX_NAMESPACE_MAX = 200 };

#endif
