/* unknown.h: unknown Values and their refinements, as Lua sees them.
** Memory: a new Value has a home of its own; Values of bounds share the home of the unknown.
** Errors: invalid refinements, and those that don't suit the type, raise. A bad type is nil and diagnostics. */
#ifndef HX_BINDING_DATA_UNKNOWN_H
#define HX_BINDING_DATA_UNKNOWN_H

#include "binding/state/state.h"

/* core.unknown(type, refinements?) */
int hx_value_unknown(lua_State *L);
/* value:refinements(): the same table back; nothing for a value that is known. */
int hx_value_refinements(lua_State *L);

#endif
