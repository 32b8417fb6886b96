/* lookups.c: what the lookups of an evaluation answered. */
#include "binding/lookups.h"

#define FEW 8 /* so many are gone through one by one */

static bool same_step(const hx_path_step *a, const hx_path_step *b) {
  if (a->kind == HX_STEP_INDEX || b->kind == HX_STEP_INDEX) return a->kind == b->kind && a->index == b->index;
  return hx_str_eq(a->name, b->name);
}

static bool is_good_for(const hx_lookup_answer *a, const hx_scope *s, const hx_path *p) {
  if (a->scope != s || p->n < a->n || !hx_str_eq(a->path->root, p->root)) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!same_step(&a->path->steps[i], &p->steps[i])) return false;
  return a->slot || a->failure.p || a->diags || a->n == p->n;
}

/* ---- hashes: of the root, and then with one step after the other ---- */

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

/* Answers of one hash stand in their order, since none is ever taken out. */
static void put(hx_lookups *l, uint32_t index) {
  const hx_lookup_answer *a = &l->all.p[index];
  uint64_t h = hash_root(a->scope, a->path);
  for (uint32_t i = 0; i < a->n; i++) h = hash_step(h, &a->path->steps[i]);
  uint32_t mask = l->nslots - 1, at = (uint32_t)(h >> 32) & mask;
  while (l->slots[at]) at = (at + 1) & mask;
  l->slots[at] = index + 1;
}

static void make_slots(hx_lookups *l, hx_cx *cx, uint32_t nslots) {
  l->slots = HX_NEW_ARRAY(cx, uint32_t, nslots);
  l->nslots = nslots;
  memset(l->slots, 0, nslots * sizeof *l->slots);
  for (uint32_t i = 0; i < l->all.n; i++) put(l, i);
}

void hx_lookups_add(hx_lookups *l, hx_cx *cx, const hx_lookup_answer *a) {
  *HX_VEC_PUSH(&cx->arena, &l->all) = *a;
  l->lengths |= (uint64_t)1 << length_bit(a->n);
  if (l->all.n <= FEW) return;
  if (!l->slots) make_slots(l, cx, 8 * FEW);
  else if (l->all.n > l->nslots / 2) make_slots(l, cx, 2 * l->nslots);
  else put(l, l->all.n - 1);
}

/* Among those for the path's first n steps, whose hash that is: the first one before `best`. */
static uint32_t find_of_length(const hx_lookups *l, hx_cx *cx, const hx_scope *s, const hx_path *p, uint64_t h, uint32_t n,
                               uint32_t best) {
  uint32_t mask = l->nslots - 1, at = (uint32_t)(h >> 32) & mask, probes = 0;
  for (; l->slots[at]; at = (at + 1) & mask, probes++) {
    uint32_t i = l->slots[at] - 1;
    if (i < best && l->all.p[i].n == n && is_good_for(&l->all.p[i], s, p)) best = i;
  }
  hx_charge_steps(cx, probes >> 3);
  return best;
}

const hx_lookup_answer *hx_lookups_find(const hx_lookups *l, hx_cx *cx, const hx_scope *s, const hx_path *p) {
  uint32_t best = l->all.n;
  if (!l->slots) {
    for (uint32_t i = 0; i < l->all.n; i++)
      if (is_good_for(&l->all.p[i], s, p)) return &l->all.p[i];
    return NULL;
  }
  uint64_t h = hash_root(s, p);
  for (uint32_t n = 0;; n++) {
    if (l->lengths >> length_bit(n) & 1) best = find_of_length(l, cx, s, p, h, n, best);
    if (n == p->n || !(l->lengths >> length_bit(n) >> (n < 63 ? 1 : 0))) break;
    h = hash_step(h, &p->steps[n]);
  }
  return best < l->all.n ? &l->all.p[best] : NULL;
}
