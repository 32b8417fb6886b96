#include "value/sort.h"

/* Runs of this many are sorted by insertion before they are merged. */
#define RUN 12u

static inline bool goes_after(const hx_sort_item *a, const hx_sort_item *b, hx_sort_cmp cmp, void *ud) {
  if (a->key != b->key) return a->key > b->key;
  return cmp && cmp(ud, a->i, b->i) > 0;
}

static void sort_run(hx_sort_item *v, uint32_t n, hx_sort_cmp cmp, void *ud) {
  for (uint32_t i = 1; i < n; i++) {
    hx_sort_item x = v[i];
    uint32_t j = i;
    for (; j > 0 && goes_after(&v[j - 1], &x, cmp, ud); j--) v[j] = v[j - 1];
    v[j] = x;
  }
}

static void merge(const hx_sort_item *from, hx_sort_item *to, uint32_t lo, uint32_t mid, uint32_t hi, hx_sort_cmp cmp, void *ud) {
  uint32_t a = lo, b = mid;
  for (uint32_t k = lo; k < hi; k++) {
    bool take_b = a == mid || (b < hi && goes_after(&from[a], &from[b], cmp, ud));
    to[k] = take_b ? from[b++] : from[a++];
  }
}

void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud) {
  for (uint32_t lo = 0; lo < n; lo += RUN) sort_run(items + lo, n - lo < RUN ? n - lo : RUN, cmp, ud);
  if (n <= RUN) return;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_sort_item *from = items;
  hx_sort_item *to = hx_arena_alloc(&cx->scratch, n * sizeof *to);
  for (uint64_t width = RUN; width < n; width *= 2) {
    for (uint64_t lo = 0; lo < n; lo += 2 * width) {
      uint64_t mid = lo + width < n ? lo + width : n;
      uint64_t hi = mid + width < n ? mid + width : n;
      merge(from, to, (uint32_t)lo, (uint32_t)mid, (uint32_t)hi, cmp, ud);
    }
    hx_sort_item *t = from;
    from = to;
    to = t;
  }
  if (from != items) memcpy(items, from, n * sizeof *items);
  hx_arena_release(&cx->scratch, mark);
}

static int cmp_strs(void *ud, uint32_t a, uint32_t b) {
  const hx_str *s = ud;
  return hx_str_cmp(s[a], s[b]);
}

void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_sort_item *items = hx_arena_alloc(&cx->scratch, (size_t)n * sizeof *items);
  for (uint32_t i = 0; i < n; i++) items[i] = (hx_sort_item){ hx_sort_key(s[i]), i };
  hx_sort(cx, items, n, cmp_strs, (void *)(uintptr_t)s);
  for (uint32_t i = 0; i < n; i++) order[i] = items[i].i;
  hx_arena_release(&cx->scratch, mark);
}

bool hx_strs_sorted(const hx_str *s, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (hx_str_cmp(s[i - 1], s[i]) > 0) return false;
  return true;
}
