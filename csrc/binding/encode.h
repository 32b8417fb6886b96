/* encode.h: what hcl.encode and hcl.edit take from C: literals, names, places where code begins.
** Memory: Lua's.
** Errors: for wrong data nil and diagnostics. */
#ifndef HX_BINDING_ENCODE_H
#define HX_BINDING_ENCODE_H

#include "binding/state.h"

void hx_open_encode(lua_State *L);

#endif
