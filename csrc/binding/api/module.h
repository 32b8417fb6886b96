/* module.h: the one symbol that the module exports.
** Memory: Lua's.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_API_MODULE_H
#define HX_BINDING_API_MODULE_H

#include "binding/state/compat.h"

HX_EXPORT int luaopen_hclexpr_core(lua_State *L);

#endif
