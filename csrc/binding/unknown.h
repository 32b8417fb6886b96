/* unknown.h: unknown Values and what is known of them, as Lua sees them.
** Memory: a new Value has a home of its own; bounds share that of theirs.
** Errors: refinements that are none, or don't suit the type, raise; a bad type is nil and diagnostics. */
#ifndef HX_BINDING_UNKNOWN_H
#define HX_BINDING_UNKNOWN_H

#include "binding/state.h"

/* core.unknown(type, refinements?) */
int hx_value_unknown(lua_State *L);
/* value:refinements(): the same table back; nothing for a value that is known. */
int hx_value_refinements(lua_State *L);

#endif
