/* format.h: hcl.format.
** Memory: Lua's; the memory of a call ends with it, or with its diagnostics.
** Errors: nil and diagnostics; raises for want of memory for the result. */
#ifndef HX_BINDING_FORMAT_H
#define HX_BINDING_FORMAT_H

#include "binding/state.h"

void hx_open_format(lua_State *L);

#endif
