/* diagnostics.h: the second result of a failing call: an array of diagnostics. Its fields are made when first read, so that
** an error that nobody reads costs little.
** Memory: each call has a table of its own, over a listing (listing.h).
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_DATA_DIAGNOSTICS_H
#define HX_BINDING_DATA_DIAGNOSTICS_H

#include "binding/data/listing.h"

/* Pushes Diagnostics with copies of those in the activity cx. unit: whose sources they point into, or NULL. */
void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The same for a program's own activity (parse errors, warnings): shared, not copied. */
void hx_diagnostics_push_of(lua_State *L, hx_unit *unit);
/* Pushes nil and the Diagnostics of cx; returns 2. */
int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The same for functions that make Values, or text of them; without memory it raises, as Lua does. */
int hx_fail_made(lua_State *L, hx_why why, const hx_cx *cx);

/* The diagnostics of the Diagnostics at an index; NULL if it is something else. */
const hx_listing *hx_to_diagnostics(lua_State *L, int at);
/* The same for argument arg; raises for anything else. */
const hx_listing *hx_check_diagnostics(lua_State *L, int arg);

#endif
