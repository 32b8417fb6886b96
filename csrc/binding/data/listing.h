/* listing.h: listings: userdata that hold the diagnostics of a call as long as a script keeps its Diagnostics.
** Memory: copies of diagnostics follow the listing in the same block. A short source is copied there as well, which costs less than a
**   finalizer that releases the program. For a long source the program is kept.
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_DATA_LISTING_H
#define HX_BINDING_DATA_LISTING_H

#include "binding/state/state.h"

typedef struct hx_listing {
  hx_unit *unit;   /* kept for its source, or NULL */
  hx_unit **units; /* one for each diagnostic, if they come from several units; NULL: all come from `unit` */
  hx_diags list;
} hx_listing;

/* Returns the unit into whose source diagnostic i points, or NULL if the diagnostic and its source are copies. */
HX_INLINE hx_unit *hx_listing_unit(const hx_listing *r, uint32_t i) {
  return r->units ? r->units[i] : r->unit;
}

/* Returns the listing at `at`, or NULL if the value there isn't one. */
hx_listing *hx_to_listing(lua_State *L, int at);

/* The next three functions push a listing, which is immutable from then on. */

/* Pushes copies of the activity's diagnostics. unit: the unit into whose source they point, or NULL. */
const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* Pushes the diagnostics of the unit's own activity (parse errors, warnings), which are shared, not copied. */
const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit);
/* What hx_listing_push_joined adds to the diagnostics. */
typedef struct hx_joined {
  bool wide;    /* see hx_diag */
  hx_str chain; /* text to add after each diagnostic's own chain */
} hx_joined;

/* Pushes the diagnostics of n listings, one listing after the other; part(L, i) returns the i-th listing, from 1. */
const hx_listing *hx_listing_push_joined(lua_State *L, int n, hx_joined more, const hx_listing *(*part)(lua_State *L, int i));

#endif
