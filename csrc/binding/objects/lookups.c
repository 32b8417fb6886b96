/* lookups.c: the answers of an evaluation's lookups. */
#include "binding/objects/lookups.h"

#define FEW 8 /* up to this many answers are searched one by one */

static bool same_step(const hx_path_step *a, const hx_path_step *b) {
  if (a->kind == HX_STEP_INDEX || b->kind == HX_STEP_INDEX) return a->kind == b->kind && a->index == b->index;
  return hx_str_eq(a->name, b->name);
}

/* Returns true if the answer holds for the path. none: only the answer "no such name" is wanted, which holds for the identical path
** alone. */
static bool is_good_for(const hx_lookup_answer *a, const hx_scope *s, const hx_path *p, bool none) {
  if (none != hx_lookup_is_none(a) || (none && a->n != p->n)) return false;
  if (a->scope != s || p->n < a->n || !hx_str_eq(a->path->root, p->root)) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!same_step(&a->path->steps[i], &p->steps[i])) return false;
  return true;
}

/* Hashes of paths: of the root, then of one step after the other */

static uint64_t hash_root(const hx_scope *s, const hx_path *p) {
  return (hx_str_hash(p->root) ^ (uint64_t)(uintptr_t)s) * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t hash_step(uint64_t h, const hx_path_step *s) {
  uint64_t part = s->kind == HX_STEP_INDEX ? (uint64_t)s->index : hx_str_hash(s->name);
  h = (h ^ part) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ h >> 32;
}

static uint32_t length_bit(uint32_t n) {
  return n < 63 ? n : 63;
}

/* Adds an answer to the table. Answers with the same hash are in order of arrival, because none is ever removed. */
static void put(hx_lookups *l, hx_cx *cx, uint32_t index) {
  const hx_lookup_answer *a = &l->all.p[index];
  uint64_t h = hash_root(a->scope, a->path);
  for (uint32_t i = 0; i < a->n; i++) h = hash_step(h, &a->path->steps[i]);
  hx_table_put(&l->table, hx_table_find(&l->table, cx, (uint32_t)(h >> 32), NULL, NULL), index, (uint32_t)(h >> 32));
}

void hx_lookups_add(hx_lookups *l, hx_cx *cx, const hx_lookup_answer *a) {
  *HX_VEC_PUSH(&cx->arena, &l->all) = *a;
  l->lengths |= (uint64_t)1 << length_bit(a->n);
  if (l->all.n <= FEW) return;
  if (!hx_table_is_full(&l->table, l->all.n)) {
    put(l, cx, l->all.n - 1);
    return;
  }
  l->table = hx_table_new(&cx->arena, 2 * (uint64_t)l->all.n);
  for (uint32_t i = 0; i < l->all.n; i++) put(l, cx, i);
}

/* What is searched: an answer for the first n steps of a path. */
typedef struct wanted {
  const hx_lookups *l;
  const hx_scope *scope;
  const hx_path *path;
  uint32_t n;
  bool none;
} wanted;

static inline bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return w->l->all.p[i].n == w->n && is_good_for(&w->l->all.p[i], w->scope, w->path, w->none);
}

static const hx_lookup_answer *find(const hx_lookups *l, hx_cx *cx, const hx_scope *s, const hx_path *p, bool none) {
  uint32_t best = l->all.n;
  if (!l->table.slots) {
    for (uint32_t i = 0; i < l->all.n; i++)
      if (is_good_for(&l->all.p[i], s, p, none)) return &l->all.p[i];
    return NULL;
  }
  uint64_t h = hash_root(s, p);
  for (uint32_t n = 0;; n++) {
    if (l->lengths >> length_bit(n) & 1) {
      const uint32_t *slot = hx_table_find(&l->table, cx, (uint32_t)(h >> 32), is_wanted, &(wanted){ l, s, p, n, none });
      if (*slot && hx_table_index(&l->table, slot) < best) best = hx_table_index(&l->table, slot);
    }
    if (n == p->n || !(l->lengths >> length_bit(n) >> (n < 63 ? 1 : 0))) break;
    h = hash_step(h, &p->steps[n]);
  }
  return best < l->all.n ? &l->all.p[best] : NULL;
}

const hx_lookup_answer *hx_lookups_find(const hx_lookups *l, hx_cx *cx, const hx_scope *s, const hx_path *p) {
  const hx_lookup_answer *a = find(l, cx, s, p, false);
  return a ? a : find(l, cx, s, p, true);
}
