/* type.h: the Type userdata: a type constraint with the defaults of its optional attributes.
** Memory: a home of its own, which keeps the home of the value whose type it is.
** Errors: for a bad constraint text, functions return nil and Diagnostics to Lua. */
#ifndef HX_BINDING_DATA_TYPE_H
#define HX_BINDING_DATA_TYPE_H

#include "binding/state/state.h"
#include "vm/constraint.h"

typedef struct hx_type_handle {
  hx_home *home;
  const hx_constraint *constraint;
  hx_unit *unit; /* the unit of the constraint text, while that is parsed */
} hx_type_handle;

/* Pushes the Type of v, and keeps v's home. */
void hx_type_push_of(lua_State *L, hx_home *home, const hx_val *v);
/* Pushes a copy of a type; raises if Lua is out of memory. */
void hx_type_push_copy(lua_State *L, const hx_type *t);
/* Pushes the Type of a copy of a constraint, and returns it; raises if Lua is out of memory. */
hx_type_handle *hx_type_push_constraint(lua_State *L, const hx_constraint *c);
/* Replaces argument arg, if it is a constraint text, by its Type, and returns this Type. For a bad text, pushes nil and diagnostics
** and returns NULL. Raises for anything but a Type or a text. */
hx_type_handle *hx_type_argument(lua_State *L, int arg);
/* Returns the type of the Type or constraint text on top of the stack, kept in the home. Raises at argument 1 for anything else,
** and names the option `what`. */
const hx_type *hx_type_option(lua_State *L, hx_home *home, const char *what);

#endif
