#include "value/sort.h"
#include "value/value.h"

/* Up to this many keys are searched one by one: cheaper than a hash, and no table to build. */
#define SMALL 8u
/* Looking past this many slots is charged: keys chosen to collide run into the limit of steps, not into quadratic time. (To find one
** of them again isn't charged: there are no more than could be paid for.) */
#define FREE_PROBES 8u

static inline uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b;
  a *= UINT64_C(0x9E3779B97F4A7C15);
  return a ^ (a >> 29);
}

uint32_t hx_str_hash(hx_str s) {
  uint64_t h = UINT64_C(0x2545F4914F6CDD1D) ^ s.len;
  const char *p = s.p, *end = p + s.len;
  uint64_t w = 0;
  if (s.len >= 8) {
    for (; end - p > 8; p += 8) {
      memcpy(&w, p, 8);
      h = mix(h, w);
    }
    memcpy(&w, end - 8, 8); /* some of them twice */
  } else if (s.len >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, end - 4, 4);
    w = (uint64_t)last << 32 | first;
  } else if (s.len) {
    w = (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[s.len / 2] << 8 | (uint64_t)(unsigned char)end[-1] << 16;
  }
  h = mix(h, w);
  /* What the last bytes changed stands high up: it must reach the low bits, which choose the slot. */
  h = (h ^ (h >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
  return (uint32_t)(h >> 32);
}

static uint32_t slots_for(uint64_t n) {
  uint32_t size = 32;
  while (size < n * 2) size *= 2;
  return size;
}

/* keys are distinct: no comparison. */
static void slot_insert(hx_cx *cx, uint32_t *slots, uint32_t mask, const hx_str *keys, uint32_t i) {
  uint32_t hash = hx_str_hash(keys[i]), at = hash & mask;
  for (uint32_t probes = 0; slots[at]; at = (at + 1) & mask, probes++)
    if (probes >= FREE_PROBES) hx_charge_steps(cx, 1);
  slots[at] = hx_slot(i, hash, mask);
}

static inline int64_t find_small(const hx_str *keys, uint32_t n, hx_str key) {
  for (uint32_t i = 0; i < n; i++) {
    if (keys[i].len != key.len) continue;
    if (keys[i].p == key.p || memcmp(keys[i].p, key.p, key.len) == 0) return i;
  }
  return -1;
}

bool hx_shape_is_of(const hx_shape *s, const hx_str *keys, uint32_t n) {
  if (s->n != n) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!hx_str_eq(s->keys[i], keys[i])) return false;
  return true;
}

const hx_shape *hx_shape_new(hx_cx *cx, const hx_str *keys, uint32_t n) {
  hx_shape *s = HX_NEW(cx, hx_shape);
  *s = (hx_shape){ .n = n, .sorted = hx_strs_sorted(keys, n), .keys = keys };
  if (n > SMALL) {
    uint32_t size = slots_for(n);
    uint32_t *slots = HX_NEW_ARRAY(cx, uint32_t, size);
    memset(slots, 0, size * sizeof *slots);
    for (uint32_t i = 0; i < n; i++) slot_insert(cx, slots, size - 1, keys, i);
    s->slots = slots;
    s->mask = size - 1;
  }
  return s;
}

HX_APART static int64_t find_hashed(const hx_shape *s, hx_str key) {
  uint32_t hash = hx_str_hash(key), mask = s->mask;
  for (uint32_t at = hash & mask; s->slots[at]; at = (at + 1) & mask) {
    if (!hx_slot_may_be(s->slots[at], hash, mask)) continue;
    uint32_t i = hx_slot_index(s->slots[at], mask);
    if (hx_str_eq(s->keys[i], key)) return i;
  }
  return -1;
}

int64_t hx_shape_find(const hx_shape *s, hx_str key) {
  return s->mask ? find_hashed(s, key) : find_small(s->keys, s->n, key);
}

const uint32_t *hx_shape_order(hx_cx *cx, const hx_shape *s) {
  if (s->sorted) return NULL;
  if (!s->order) {
    uint32_t *order = HX_NEW_ARRAY(cx, uint32_t, s->n);
    hx_sort_strs(cx, s->keys, s->n, order);
    /* The order is a memory of the shape, which stays what it was. */
    ((hx_shape *)(uintptr_t)s)->order = order;
  }
  return s->order;
}

const hx_val *hx_obj_get(const hx_val *v, hx_str key) {
  int64_t i = hx_shape_find(v->u.obj->shape, key);
  return i < 0 ? NULL : &v->u.obj->v[i];
}

static void init_keys(hx_obj_builder *b, hx_cx *cx, uint32_t expected) {
  *b = (hx_obj_builder){ .cx = cx, .cap = expected < 4 ? 4 : expected };
  b->keys = HX_NEW_ARRAY(cx, hx_str, b->cap);
}

void hx_obj_builder_init(hx_obj_builder *b, hx_cx *cx, uint32_t expected) {
  init_keys(b, cx, expected);
  b->v = HX_NEW_ARRAY(cx, hx_val, b->cap);
}

void hx_obj_builder_clear(hx_obj_builder *b) {
  b->n = b->in_order = b->mask = 0;
  b->slots = NULL;
}

void hx_obj_builder_init_of(hx_obj_builder *b, hx_cx *cx, const hx_val *values) {
  init_keys(b, cx, values->len);
  b->lent = values->u.seq->v;
  b->weight = values->u.seq->weight;
}

static HX_NOINLINE void builder_grow(hx_obj_builder *b) {
  uint64_t cap = (uint64_t)b->cap * 2;
  if (cap > UINT32_MAX) hx_abort(b->cx, HX_WHY_MEMORY);
  b->keys = hx_arena_grow(&b->cx->arena, b->keys, b->cap * sizeof *b->keys, (size_t)cap * sizeof *b->keys);
  b->v = hx_arena_grow(&b->cx->arena, b->v, b->cap * sizeof *b->v, (size_t)cap * sizeof *b->v);
  b->cap = (uint32_t)cap;
}

static HX_NOINLINE void builder_rehash(hx_obj_builder *b) {
  uint32_t size = slots_for((uint64_t)(b->cap > b->n ? b->cap : b->n + 1));
  b->slots = HX_NEW_ARRAY(b->cx, uint32_t, size);
  memset(b->slots, 0, size * sizeof *b->slots);
  b->mask = size - 1;
  for (uint32_t i = 0; i < b->n; i++) slot_insert(b->cx, b->slots, b->mask, b->keys, i);
}

/* Keys and slots of its own, before the first key is added. */
static HX_NOINLINE void builder_unshare(hx_obj_builder *b) {
  const hx_shape *s = b->shared;
  b->keys = HX_NEW_ARRAY(b->cx, hx_str, b->cap);
  memcpy(b->keys, s->keys, s->n * sizeof *b->keys);
  if (b->slots == s->slots) {
    b->slots = HX_NEW_ARRAY(b->cx, uint32_t, s->mask + (size_t)1);
    memcpy(b->slots, s->slots, (s->mask + (size_t)1) * sizeof *b->slots);
  }
  b->shared = NULL;
}

static uint32_t builder_add(hx_obj_builder *b, hx_str key) {
  if (b->n == b->cap) builder_grow(b);
  hx_charge_memory(b->cx, 32);
  b->keys[b->n] = key;
  if (b->v) b->v[b->n].tag = HX_T_NONE;
  return b->n++;
}

/* The index of a key, which is added if it is new. */
HX_INLINE uint32_t put_hashed(hx_obj_builder *b, hx_str key, uint32_t hash) {
  if (b->n * UINT64_C(2) >= b->mask) builder_rehash(b);
  uint32_t mask = b->mask, at = hash & mask;
  for (uint32_t probes = 0; b->slots[at]; at = (at + 1) & mask, probes++) {
    if (probes >= FREE_PROBES) hx_charge_steps(b->cx, 1);
    if (!hx_slot_may_be(b->slots[at], hash, mask)) continue;
    uint32_t i = hx_slot_index(b->slots[at], mask);
    if (hx_str_eq(b->keys[i], key)) return i;
  }
  if (HX_UNLIKELY(b->shared != NULL)) builder_unshare(b);
  b->slots[at] = hx_slot(b->n, hash, mask);
  return builder_add(b, key);
}

HX_INLINE uint32_t put_small(hx_obj_builder *b, hx_str key) {
  int64_t i = find_small(b->keys, b->n, key);
  return i >= 0 ? (uint32_t)i : builder_add(b, key);
}

HX_INLINE uint32_t put_key(hx_obj_builder *b, hx_str key) {
  return b->n < SMALL ? put_small(b, key) : put_hashed(b, key, hx_str_hash(key));
}

hx_val *hx_obj_builder_put(hx_obj_builder *b, hx_str key) {
  uint32_t i = put_key(b, key);
  return &b->v[i];
}

uint32_t hx_obj_builder_index(hx_obj_builder *b, hx_str key) {
  return put_key(b, key);
}

static inline uint64_t weight_of(const hx_val *v) {
  if (v->tag > HX_T_STR) return hx_val_weight(v);
  return 16 + (v->tag == HX_T_STR ? (uint64_t)v->len : 0);
}

/* The key of the value was found or added. As long as the builder has no values of its own, every key so far was a new one: the values
** stand in their places. */
HX_INLINE void put_value(hx_obj_builder *b, uint32_t at, bool is_new, const hx_val *v, uint32_t kept) {
  /* While the key is at hand: to look through all of them later takes as long as to read large ones again. */
  if (is_new && b->in_order == at && (!at || hx_str_cmp(b->keys[at - 1], b->keys[at]) <= 0)) b->in_order++;
  if (!b->v) {
    if (is_new) return;
    b->v = HX_NEW_ARRAY(b->cx, hx_val, b->cap);
    memcpy(b->v, b->lent, b->n * sizeof *b->v);
  }
  if (at < kept) return;
  if (b->weighs) b->weight += weight_of(v) - (is_new ? 0 : weight_of(&b->v[at]));
  b->v[at] = *v;
}

void hx_obj_builder_put_all(hx_obj_builder *b, const hx_str *keys, const hx_val *v, uint32_t n, uint32_t kept) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t before = b->n, at = put_key(b, keys[i]);
    put_value(b, at, b->n > before, &v[i], kept);
  }
}

void hx_obj_builder_init_from(hx_obj_builder *b, hx_cx *cx, const hx_val *from, uint32_t expected) {
  const hx_shape *s = from->u.obj->shape;
  uint32_t cap = expected < s->n ? s->n : expected;
  /* The table serves as it is where it has room for all. */
  if (cap * UINT64_C(2) >= s->mask) {
    hx_obj_builder_init(b, cx, cap);
    hx_obj_builder_put_all(b, s->keys, from->u.obj->v, s->n, 0);
    return;
  }
  hx_charge_memory(cx, 32 * (uint64_t)s->n);
  *b = (hx_obj_builder){ .cx = cx, .n = s->n, .cap = cap, .mask = s->mask, .shared = s, .weighs = true };
  /* Written only when they are its own. */
  b->keys = (hx_str *)(uintptr_t)s->keys;
  b->slots = (uint32_t *)(uintptr_t)s->slots;
  b->in_order = s->sorted ? s->n : 0;
  b->weight = from->u.obj->weight;
  b->v = HX_NEW_ARRAY(cx, hx_val, cap);
  memcpy(b->v, from->u.obj->v, s->n * sizeof *b->v);
}

static bool is_sorted(const hx_obj_builder *b) {
  uint32_t from = b->in_order ? b->in_order - 1 : 0;
  return hx_strs_sorted(b->keys + from, b->n - from);
}

static const hx_shape *builder_shape(hx_obj_builder *b) {
  if (b->shared) return b->shared;
  hx_shape *s = HX_NEW(b->cx, hx_shape);
  *s = (hx_shape){ .n = b->n, .sorted = is_sorted(b), .keys = b->keys };
  if (b->n > SMALL) {
    s->slots = b->slots;
    s->mask = b->mask;
  }
  return s;
}

static hx_val builder_done(hx_obj_builder *b, hx_tag tag, const hx_type *elem) {
  hx_charge_memory(b->cx, 16);
  hx_obj *o = HX_NEW(b->cx, hx_obj);
  *o = (hx_obj){ .elem = elem, .shape = builder_shape(b), .v = b->v ? b->v : b->lent };
  HX_ASSERT(!b->weighs || b->weight == hx_vals_weight(b->cx, b->v, b->n));
  o->weight = b->v && !b->weighs ? hx_vals_weight(b->cx, b->v, b->n) : hx_check_weight(b->cx, b->weight);
  return (hx_val){ .tag = tag, .len = b->n, .u.obj = o };
}

hx_val hx_obj_builder_object(hx_obj_builder *b) {
  return b->n ? builder_done(b, HX_T_OBJECT, NULL) : hx_empty_object;
}

hx_val hx_obj_builder_map(hx_obj_builder *b, const hx_type *elem) {
  return builder_done(b, HX_T_MAP, elem);
}
