/* table.h: a hash table, which finds indexes of the caller's array by the hashes of its entries. It uses open addressing and fills at most
** half of its slots. An empty slot is 0. A filled slot holds index + 1 in the bits of the mask, and the hash's other bits above them, so
** that a search skips most other entries without comparing keys.
** Memory: the slots lie in the arena given. A table doesn't grow: the caller makes a larger one and puts the entries into that.
** Errors: if the caller gives an activity, each slot visited after HX_FREE_PROBES is charged, so keys chosen to collide reach the limit
**   of steps instead of taking quadratic time. Slots after HX_FAR_PROBES, which other keys never reach, cost more the further they are,
**   because finding entries later is mostly not charged. */
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
/* Returns true if the table has no room for n entries. */
HX_INLINE bool hx_table_is_full(const hx_table *t, uint64_t n) {
  return n * 2 > t->mask;
}

/* Returns true if entry i is the one that `ud` describes. */
typedef bool hx_table_same(const void *ud, uint32_t i);

/* Returns the slot of the entry, or the free slot where it belongs. same: NULL if the entry isn't in the table. cx: NULL to charge
** nothing. */
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
