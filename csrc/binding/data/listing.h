/* listing.h: listings: the userdata of Diagnostics, which lists the diagnostics of a call as long as a script keeps
** them.
** Memory: copies follow it in the same block. A short source is copied there as well, which costs less than a finalizer
**   that releases the program. For a long source the program is kept.
** Errors: raises if Lua is out of memory. */
#ifndef HX_BINDING_DATA_LISTING_H
#define HX_BINDING_DATA_LISTING_H

#include "binding/state/state.h"

typedef struct hx_listing {
  hx_unit *unit;   /* kept for its source, or NULL */
  hx_unit **units; /* one for each diagnostic if they come from several units; else NULL, and `unit` is that of all */
  hx_diags list;
} hx_listing;

/* The unit whose source diagnostic i points into; NULL: a copy. */
HX_INLINE hx_unit *hx_listing_unit(const hx_listing *r, uint32_t i) {
  return r->units ? r->units[i] : r->unit;
}

/* The userdata at `at`, or NULL if it isn't one. */
hx_listing *hx_to_listing(lua_State *L, int at);

/* Each of these pushes a listing, which is immutable from then on. */

/* A listing with copies of the activity's diagnostics. unit: whose source they point into, or NULL. */
const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The diagnostics of the program's own activity (parse errors, warnings): shared. */
const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit);
/* Additional data of the diagnostics in a joined listing. */
typedef struct hx_joined {
  bool wide;    /* see hx_diag */
  hx_str chain; /* text after their own chain */
} hx_joined;

/* Copies of n listings, one after the other; part(L, i) gives the i-th, from 1. */
const hx_listing *hx_listing_push_joined(lua_State *L, int n, hx_joined more, const hx_listing *(*part)(lua_State *L, int i));

#endif
