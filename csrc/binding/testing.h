/* testing.h: internals for specs; only in builds with HX_TEST.
** Memory: Lua's.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_TESTING_H
#define HX_BINDING_TESTING_H

#include "binding/state.h"

#ifdef HX_TEST
void hx_open_testing(lua_State *L);
#endif

#endif
