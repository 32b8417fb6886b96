/* limits.h: reads tables of limits, an option of scopes and of most calls.
** Memory: none.
** Errors: misuse raises, naming the limit. */
#ifndef HX_BINDING_STATE_LIMITS_H
#define HX_BINDING_STATE_LIMITS_H

#include "binding/state/state.h"

/* Reads the table of limits at `at` into *limits; limits that it lacks stay. Raises at argument arg for misuse. */
void hx_limits_read(lua_State *L, int at, int arg, hx_limits *limits);

#endif
