/* spec.h: what hclexpr/spec.lua needs of the core: diagnostics that Lua makes, a level of a body, types put together of types, the type
** that an expression stands for.
** Memory: results are userdata and tables of their own; diagnostics keep the unit of their source.
** Errors: as the row says: nil and diagnostics; misuse raises. */
#ifndef HX_BINDING_SPEC_H
#define HX_BINDING_SPEC_H

#include "binding/state.h"

void hx_open_spec(lua_State *L);

#endif
