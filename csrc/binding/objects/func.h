/* func.h: functions written in Lua, as rows of the argument protocol.
** Memory: hcl.func returns a userdata with a home; a scope copies the row and keeps the home.
** Errors: misuse raises, naming the argument. */
#ifndef HX_BINDING_OBJECTS_FUNC_H
#define HX_BINDING_OBJECTS_FUNC_H

#include "binding/state/state.h"
#include "vm/fn.h"

/* The userdata of hcl.func. The userdata's table has the functions, at the slots below. */
typedef struct hx_func {
  hx_home *home;
  hx_fn row;   /* without name and host */
  bool values; /* impl gets Values */
} hx_func;
enum { HX_FUNC_IMPL = 1, HX_FUNC_RETURNS };

/* The names of a parameter's flags in hcl.func and hcl.functions. */
typedef struct hx_allow_row {
  const char *name;
  uint8_t allow;
} hx_allow_row;
enum { HX_ALLOW_ROWS = 4 };
extern const hx_allow_row hx_allow_rows[HX_ALLOW_ROWS];

/* The row of a plain Lua function, which takes any arguments as they are. */
extern const hx_fn hx_plain_function;

#endif
