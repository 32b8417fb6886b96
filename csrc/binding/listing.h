/* listing.h: listings: the userdata behind Diagnostics, which lists the diagnostics of a call as long as a script keeps
** them.
** Memory: copies lie behind it in the same block. A short source is copied there, too, which costs less than a finalizer
**   that releases the program. Of a long source the program is kept. Texts may be drafts (base/draft.h), which are written
**   for each reader: mostly there is one, or none.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_LISTING_H
#define HX_BINDING_LISTING_H

#include "binding/state.h"

typedef struct hx_listing {
  hx_unit *unit;   /* kept for its source, or NULL */
  hx_unit **units; /* one for each diagnostic if they come from several units; else NULL, and `unit` is that of all */
  hx_diags list;
  hx_str drafts; /* the parts of the drafts in the list */
} hx_listing;

/* The unit whose source diagnostic i points into; NULL: a copy. */
HX_INLINE hx_unit *hx_listing_unit(const hx_listing *r, uint32_t i) {
  return r->units ? r->units[i] : r->unit;
}

/* The userdata at `at`, or NULL if that is none. */
hx_listing *hx_to_listing(lua_State *L, int at);

/* Its diagnostics, with all texts written. Pushes something that keeps them. */
const hx_diags *hx_listing_read(lua_State *L, const hx_listing *r);

/* Each of these pushes a listing, which is immutable from then on. */

/* A listing with copies of the activity's diagnostics. unit: whose source they point into, or NULL. The listing is remembered
** as the unit's last report. */
const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* The diagnostics of the program's own activity (parse errors, warnings): shared. */
const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit);
/* What the diagnostics of a joined listing get besides. */
typedef struct hx_joined {
  bool wide;    /* see hx_diag */
  hx_str chain; /* text behind their own chain */
} hx_joined;

/* Copies of n listings, one after the other; part(L, i) gives the i-th, from 1. */
const hx_listing *hx_listing_push_joined(lua_State *L, int n, hx_joined more, const hx_listing *(*part)(lua_State *L, int i));

/* The last report of a unit is remembered if it needs no finalizer. */

/* Has the activity listed the same as the unit's last report, or, if unread, the beginning of it, texts aside? Then the
** report's place in hx_state.reported, else -1. */
int hx_listing_find(const hx_state *st, const hx_unit *unit, const hx_cx *cx);
/* From now on the unit is expected to repeat its last report, when evaluated for `mode` with the scope of this serial: it
** looked only at bound data. Such an evaluation writes no texts (cx->unread) and ends with the first error that stays. */
void hx_listing_expect(hx_state *st, hx_unit *unit, uint64_t serial, uint8_t mode);
HX_INLINE bool hx_listing_is_expected(const hx_state *st, const hx_unit *unit, uint64_t serial, uint8_t mode) {
  const hx_reported *last = &st->reported[hx_reported_at(unit)];
  return serial != 0 && last->unit == unit && last->serial == serial && last->mode == mode;
}

/* The first diagnostic of the expected report. */
HX_INLINE const hx_diag *hx_listing_expected(const hx_state *st, const hx_unit *unit) {
  return st->reported[hx_reported_at(unit)].listing->list.first;
}

void hx_open_listing(lua_State *L);

#endif
