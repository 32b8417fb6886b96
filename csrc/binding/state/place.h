/* place.h: places in the sources of units, for Lua.
** Memory: the table of places goes to the arena of the unit that owns the source. In a copied source (unit NULL) lines are counted, which
**   takes no memory and no activity.
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_STATE_PLACE_H
#define HX_BINDING_STATE_PLACE_H

#include "binding/state/state.h"
#include "text/source.h"

HX_INLINE bool hx_diag_has_place(const hx_diag *d) {
  return d->has_range && d->source;
}

/* Calls fn in the activity of the unit's source, which keeps the source's table of places. Without a unit, or if that aborts (fn may then
** have begun), calls fn with NULL. */
void hx_place_run(hx_unit *unit, void (*fn)(hx_cx *cx, void *ud), void *job);
void hx_place_find(hx_unit *unit, const hx_source *source, hx_range range, hx_pos *start, hx_pos *stop);
/* Pushes a Range of unit's source. */
void hx_range_push(lua_State *L, hx_unit *unit, const hx_source *source, hx_range range);
/* Sets a field of the table on top of the stack to a Range. */
void hx_set_range(lua_State *L, const char *name, hx_unit *unit, hx_range range);

#endif
