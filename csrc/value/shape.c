/* shape.c: finds keys of objects. Few keys are searched one by one, many are found by a hash table. */
#include "value/sort.h"
#include "value/value.h"

/* Up to this many keys are searched one by one: that is cheaper than a hash, and needs no table. */
#define SMALL 8u
/* What is_wanted compares: a key to find in an array of keys. */
typedef struct wanted {
  const hx_str *keys;
  hx_str key;
} wanted;

static inline bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return hx_str_eq(w->keys[i], w->key);
}

/* Makes a table of distinct keys, with room for `room` keys. No keys are compared. */
static hx_table table_of(hx_cx *cx, const hx_str *keys, uint32_t n, uint64_t room) {
  hx_table t = hx_table_new(&cx->arena, room);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t hash = hx_str_hash(keys[i]);
    hx_table_put(&t, hx_table_find(&t, cx, hash, NULL, NULL), i, hash);
  }
  return t;
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
  if (n > SMALL) s->table = table_of(cx, keys, n, n);
  return s;
}

/* Finds a key by its hash. The search isn't charged, because the charges for making the keys limit how many of them collide. */
static int64_t find_hashed(const hx_shape *s, hx_str key) {
  const uint32_t *slot = hx_table_find(&s->table, NULL, hx_str_hash(key), is_wanted, &(wanted){ s->keys, key });
  return *slot ? (int64_t)hx_table_index(&s->table, slot) : -1;
}

int64_t hx_shape_find(const hx_shape *s, hx_str key) {
  return s->table.mask ? find_hashed(s, key) : find_small(s->keys, s->n, key);
}

const uint32_t *hx_shape_order(hx_cx *cx, const hx_shape *s) {
  if (s->sorted) return NULL;
  if (!s->order) {
    uint32_t *order = HX_NEW_ARRAY(cx, uint32_t, s->n);
    hx_sort_strs(cx, s->keys, s->n, order);
    /* The order is only a cache: the shape itself doesn't change. */
    ((hx_shape *)(uintptr_t)s)->order = order;
  }
  return s->order;
}

const hx_val *hx_obj_get(const hx_val *v, hx_str key) {
  int64_t i = hx_shape_find(v->u.obj->shape, key);
  return i < 0 ? NULL : &v->u.obj->v[i];
}

void hx_obj_builder_init(hx_obj_builder *b, hx_cx *cx, uint32_t expected) {
  *b = (hx_obj_builder){ .cx = cx, .cap = expected < 4 ? 4 : expected };
  b->keys = HX_NEW_ARRAY(cx, hx_str, b->cap);
  b->v = HX_NEW_ARRAY(cx, hx_val, b->cap);
}

/* The most room that a cleared builder keeps. A table is made as large as the room, so one large object would make the tables of all
** later objects large. */
#define CLEARED_CAP 16u

void hx_obj_builder_clear(hx_obj_builder *b) {
  if (b->cap > CLEARED_CAP) b->cap = CLEARED_CAP;
  b->n = 0;
  b->table = (hx_table){ 0 };
}

static HX_NOINLINE void builder_grow(hx_obj_builder *b) {
  uint64_t cap = (uint64_t)b->cap * 2;
  if (cap > UINT32_MAX) hx_abort(b->cx, HX_WHY_MEMORY);
  b->keys = hx_arena_grow(&b->cx->arena, b->keys, b->cap * sizeof *b->keys, (size_t)cap * sizeof *b->keys);
  b->v = hx_arena_grow(&b->cx->arena, b->v, b->cap * sizeof *b->v, (size_t)cap * sizeof *b->v);
  b->cap = (uint32_t)cap;
}

static HX_NOINLINE void builder_rehash(hx_obj_builder *b) {
  b->table = table_of(b->cx, b->keys, b->n, b->cap > b->n ? b->cap : b->n + UINT64_C(1));
}

static uint32_t builder_add(hx_obj_builder *b, hx_str key) {
  if (b->n == b->cap) builder_grow(b);
  hx_charge_memory(b->cx, 32);
  b->keys[b->n] = key;
  b->v[b->n].tag = HX_T_NONE;
  return b->n++;
}

/* Returns the index of a key, and adds the key if it is new. */
HX_INLINE uint32_t put_hashed(hx_obj_builder *b, hx_str key, uint32_t hash) {
  if (hx_table_is_full(&b->table, b->n + UINT64_C(1))) builder_rehash(b);
  uint32_t *slot = hx_table_find(&b->table, b->cx, hash, is_wanted, &(wanted){ b->keys, key });
  if (*slot) return hx_table_index(&b->table, slot);
  uint32_t i = builder_add(b, key); /* may abort, so the table must not contain the key yet */
  hx_table_put(&b->table, slot, i, hash);
  return i;
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

int64_t hx_obj_builder_find(const hx_obj_builder *b, hx_str key) {
  const hx_shape s = { .n = b->n, .keys = b->keys, .table = b->table };
  return hx_shape_find(&s, key);
}

static const hx_shape *builder_shape(hx_obj_builder *b) {
  hx_shape *s = HX_NEW(b->cx, hx_shape);
  *s = (hx_shape){ .n = b->n, .sorted = hx_strs_sorted(b->keys, b->n), .keys = b->keys };
  if (b->n > SMALL) s->table = b->table;
  return s;
}

static hx_val builder_done(hx_obj_builder *b, hx_tag tag, const hx_type *elem) {
  hx_charge_memory(b->cx, 16);
  hx_obj *o = HX_NEW(b->cx, hx_obj);
  *o = (hx_obj){ .elem = elem, .shape = builder_shape(b), .v = b->v, .weight = hx_vals_weight(b->cx, b->v, b->n) };
  return (hx_val){ .tag = tag, .len = b->n, .u.obj = o };
}

hx_val hx_obj_builder_object(hx_obj_builder *b) {
  return b->n ? builder_done(b, HX_T_OBJECT, NULL) : hx_empty_object;
}

hx_val hx_obj_builder_map(hx_obj_builder *b, const hx_type *elem) {
  return builder_done(b, HX_T_MAP, elem);
}
