/* table.h: the hash table: indexes of an array that the caller keeps, found by the hashes of its entries. Open addressing, at most half of
** the slots in use. A slot is 0, or index + 1 in the bits of the mask and the hash above them, so that most other entries are passed over
** without a look at their keys.
** Memory: the slots lie in the arena given. A table doesn't grow: the caller makes a new one and puts its entries there.
** Errors: if the caller gives an activity, looking past HX_FREE_PROBES slots is charged: keys chosen to collide reach the limit of
**   steps, and can't take quadratic time. Finding entries again is mostly not charged, so slots further than HX_FAR_PROBES, where no
**   other entry lies, cost more the further they are. */
#ifndef HX_BASE_TABLE_H
#define HX_BASE_TABLE_H

#include "base/cx.h"

typedef struct hx_table {
  uint32_t *slots;
  uint32_t mask; /* slots - 1; 0: no table yet */
} hx_table;

#define HX_FREE_PROBES 8u
#define HX_FAR_PROBES 48u

uint32_t hx_str_hash(hx_str s);

/* Makes an empty table for up to n entries. */
hx_table hx_table_new(hx_arena *arena, uint64_t n);
/* Does the table lack room for n entries? */
HX_INLINE bool hx_table_is_full(const hx_table *t, uint64_t n) {
  return n * 2 > t->mask;
}

/* Is entry i the one that `ud` describes? */
typedef bool hx_table_same(const void *ud, uint32_t i);

/* Returns the slot of the entry, or the free slot where it belongs. same: NULL for an entry that isn't in the table. cx: if NULL, nothing
** is charged. */
HX_INLINE uint32_t *hx_table_find(const hx_table *t, hx_cx *cx, uint32_t hash, hx_table_same *same, const void *ud) {
  uint32_t at = hash & t->mask;
  for (uint32_t probes = 0; t->slots[at]; at = (at + 1) & t->mask, probes++) {
    if (cx && probes >= HX_FREE_PROBES) hx_charge_steps(cx, probes < HX_FAR_PROBES ? 1 : probes / 2);
    if (!same || ((t->slots[at] ^ hash) & ~t->mask)) continue;
    if (same(ud, (t->slots[at] & t->mask) - 1)) break;
  }
  return &t->slots[at];
}
HX_INLINE uint32_t hx_table_index(const hx_table *t, const uint32_t *slot) {
  return (*slot & t->mask) - 1;
}
HX_INLINE void hx_table_put(const hx_table *t, uint32_t *slot, uint32_t index, uint32_t hash) {
  HX_ASSERT(index < t->mask / 2 + 1);
  *slot = (hash & ~t->mask) | (index + 1);
}

#endif
