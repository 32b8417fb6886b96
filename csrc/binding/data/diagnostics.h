/* diagnostics.h: Diagnostics, the second result of a failing call: an array of diagnostics. The fields of a diagnostic are made when one is
** first read, so an error that nothing reads costs little.
** Memory: each call has an array of its own, over a listing (listing.h).
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_DATA_DIAGNOSTICS_H
#define HX_BINDING_DATA_DIAGNOSTICS_H

#include "binding/data/listing.h"

/* Pushes Diagnostics with copies of the diagnostics in the activity cx. unit: the unit into whose source they point, or NULL. */
void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* Pushes Diagnostics that share the diagnostics of the unit's own activity (parse errors, warnings), without copies. */
void hx_diagnostics_push_of(lua_State *L, hx_unit *unit);
/* Pushes nil and the Diagnostics of cx; returns 2. */
int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* Pushes nil and the Diagnostics of cx for a function that makes Values or their texts; returns 2. Raises if memory ran out. */
int hx_fail_made(lua_State *L, hx_why why, const hx_cx *cx);

/* Returns the listing of the Diagnostics at an index, or NULL if the value there isn't Diagnostics. */
const hx_listing *hx_to_diagnostics(lua_State *L, int at);
/* Returns the listing of the Diagnostics that are argument arg; raises for anything else. */
const hx_listing *hx_check_diagnostics(lua_State *L, int arg);

#endif
