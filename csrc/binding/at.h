/* at.h: body:at.
** Memory: Lua's.
** Errors: misuse raises. */
#ifndef HX_BINDING_AT_H
#define HX_BINDING_AT_H

#include "binding/compat.h"

void hx_open_at(lua_State *L);

#endif
