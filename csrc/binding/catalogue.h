/* catalogue.h: the built-in functions as tables for hcl.functions.
** Memory: Lua's.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_CATALOGUE_H
#define HX_BINDING_CATALOGUE_H

#include "binding/state.h"

void hx_open_catalogue(lua_State *L);

#endif
