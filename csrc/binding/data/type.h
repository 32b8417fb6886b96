/* type.h: the Type userdata: a type constraint with the defaults of its optional attributes.
** Memory: a home of its own, which keeps that of the value it was taken from.
** Errors: a bad constraint text is nil and diagnostics. */
#ifndef HX_BINDING_DATA_TYPE_H
#define HX_BINDING_DATA_TYPE_H

#include "binding/state/state.h"
#include "vm/constraint.h"

typedef struct hx_type_handle {
  hx_home *home;
  const hx_constraint *constraint;
  hx_unit *unit; /* of its text, while the text is read */
} hx_type_handle;

/* Pushes the Type of v, whose home is kept. */
void hx_type_push_of(lua_State *L, hx_home *home, const hx_val *v);
/* Pushes a copy of a type; raises if Lua is out of memory. */
void hx_type_push_copy(lua_State *L, const hx_type *t);
/* The same for a constraint; also returns it. */
hx_type_handle *hx_type_push_constraint(lua_State *L, const hx_constraint *c);
/* Makes the argument, a Type or a constraint text, a Type in its place. NULL: nil and diagnostics are pushed. */
hx_type_handle *hx_type_argument(lua_State *L, int arg);
/* The type on top of the stack, a Type or constraint text, in a home. Raises otherwise: `what` names the option, of argument 1. */
const hx_type *hx_type_option(lua_State *L, hx_home *home, const char *what);

#endif
