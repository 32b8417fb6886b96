/* schema.h: reads a schema from a Lua table that lua/hclexpr/body/schema.lua has checked and prepared.
** Memory: in cx->arena, which keeps the homes of types and defaults; names are copied.
** Errors: memory only; Lua errors may pass through. */
#ifndef HX_BINDING_OBJECTS_SCHEMA_H
#define HX_BINDING_OBJECTS_SCHEMA_H

#include "binding/state/state.h"
#include "config/schema.h"

/* Returns the schema that is at `at`: a table, or the userdata that core.schema made of it. Runs under a guard of cx. */
const hx_schema *hx_schema_read(lua_State *L, hx_cx *cx, int at);

#endif
