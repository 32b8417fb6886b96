/* spec.h: what hclexpr/spec.lua needs of the core: diagnostics made by Lua, one level of a body, types composed of types,
** the type that an expression denotes.
** Memory: results are userdata and tables of their own; diagnostics keep the unit of their source.
** Errors: nil and diagnostics, as the row of the function says; misuse raises. */
#ifndef HX_BINDING_SPEC_H
#define HX_BINDING_SPEC_H

#include "binding/state.h"

void hx_open_spec(lua_State *L);

#endif
