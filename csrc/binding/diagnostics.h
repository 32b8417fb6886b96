/* diagnostics.h: what a failing call returns beside nil: an array of diagnostics whose fields are filled in when first read, so
** that an evaluation that fails costs little more than one that succeeds.
** Memory: a table of each call's own, over a listing (listing.h) that several may share.
** Errors: raises for want of Lua's memory. */
#ifndef HX_BINDING_DIAGNOSTICS_H
#define HX_BINDING_DIAGNOSTICS_H

#include "binding/listing.h"

/* Pushes Diagnostics of the activity cx: copies. unit: whose sources they point into, or NULL. */
void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The same of a program's own activity (parse errors, warnings): shared. */
void hx_diagnostics_push_of(lua_State *L, hx_unit *unit);
/* nil and the Diagnostics of cx: 2 results. */
int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The same of what a unit has reported again: `slot` as hx_listing_find gives it. More may lie below the results. */
int hx_fail_push_again(lua_State *L, hx_state *st, int slot);

/* What the Diagnostics that are argument arg list; raises for anything else. */
const hx_listing *hx_check_diagnostics(lua_State *L, int arg);

void hx_open_diagnostics(lua_State *L);

#endif
