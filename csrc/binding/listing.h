/* listing.h: the userdata behind Diagnostics: what a call listed, for as long as a script holds on to it.
** Memory: copies lie behind it in the same block. A short source is copied there, too, which costs less than a finalizer that lets go
**   of the program; of a long one the program is kept.
**   Texts may be drafts (base/draft.h), which are written for each reader: there is mostly one, or none.
** Errors: raises for want of memory. */
#ifndef HX_BINDING_LISTING_H
#define HX_BINDING_LISTING_H

#include "binding/state.h"

typedef struct hx_listing {
  hx_unit *unit;   /* that is kept for its source, or NULL */
  hx_unit **units; /* one for each diagnostic where they come from several; else NULL, and `unit` is that of all */
  hx_diags list;
  hx_str drafts; /* what texts of the list are made from */
} hx_listing;

/* Whose source diagnostic i points into; NULL: a copy's. */
HX_INLINE hx_unit *hx_listing_unit(const hx_listing *r, uint32_t i) {
  return r->units ? r->units[i] : r->unit;
}

/* The userdata at `at`, or NULL if that is none. */
hx_listing *hx_to_listing(lua_State *L, int at);

/* What it lists, with all texts written. Something is pushed that holds them. */
const hx_diags *hx_listing_read(lua_State *L, const hx_listing *r);

/* Each pushes one, which nobody changes any more. */

/* Copies of what an activity listed. unit: whose source they point into, or NULL; they are remembered as what it reported last. */
const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit);
/* What the program's own activity listed (parse errors, warnings): shared. */
const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit);
/* Copies of n listings one after the other; part(L, i) gives the i-th, from 1. */
const hx_listing *hx_listing_push_joined(lua_State *L, int n, const hx_listing *(*part)(lua_State *L, int i));

/* What a unit reported last is remembered, as far as it needs no finalizer. */

/* The place (in hx_state.reported) of what the unit reported last, if the activity has listed the same, or the beginning of it without
** texts where they are unread; else -1. */
int hx_listing_find(const hx_state *st, const hx_unit *unit, const hx_cx *cx);
/* From now on the unit is expected to report each time what it reported last, when evaluated for `mode` with the scope of this serial: it
** looked at nothing but what is bound there. Such an evaluation writes no texts (cx->unread) and ends with the first error that stays. */
void hx_listing_expect(hx_state *st, hx_unit *unit, uint64_t serial, uint8_t mode);
HX_INLINE bool hx_listing_is_expected(const hx_state *st, const hx_unit *unit, uint64_t serial, uint8_t mode) {
  const hx_reported *last = &st->reported[hx_reported_at(unit)];
  return serial != 0 && last->unit == unit && last->serial == serial && last->mode == mode;
}

/* The first diagnostic of what is expected. */
HX_INLINE const hx_diag *hx_listing_expected(const hx_state *st, const hx_unit *unit) {
  return st->reported[hx_reported_at(unit)].listing->list.first;
}

void hx_open_listing(lua_State *L);

#endif
