/* sort.c: runs that are there already are merged; else items are dealt out by a byte of their keys, most significant first, until
** few are left. That stays near the cache, and comparisons that read what the items stand for are rare. */
#include "value/sort.h"

#include "base/vec.h"

/* Up to this many are sorted by insertion. */
#define FEW 12u
/* Pieces in order that are merged as they stand; each has to be worth it. */
#define RUNS_MAX 64u
#define RUN_MIN 8u

typedef struct sorter {
  hx_cx *cx;
  hx_sort_item *room; /* for as many items as there are */
  hx_sort_cmp cmp;
  void *ud;
} sorter;

static inline bool goes_after(const sorter *s, const hx_sort_item *a, const hx_sort_item *b) {
  if (a->key != b->key) return a->key > b->key;
  return s->cmp && s->cmp(s->ud, a->i, b->i) > 0;
}

static void sort_few(const sorter *s, hx_sort_item *v, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    hx_sort_item x = v[i];
    uint32_t j = i;
    for (; j > 0 && goes_after(s, &v[j - 1], &x); j--) v[j] = v[j - 1];
    v[j] = x;
  }
}

/* [lo, mid) and [mid, hi) of from, in order each, to the same place in to. */
static void merge(const sorter *s, const hx_sort_item *from, hx_sort_item *to, uint32_t lo, uint32_t mid, uint32_t hi) {
  uint32_t a = lo, b = mid;
  for (uint32_t k = lo; k < hi; k++) {
    bool take_b = a == mid || (b < hi && goes_after(s, &from[a], &from[b]));
    to[k] = take_b ? from[b++] : from[a++];
  }
}

/* Merges neighbouring runs until there is one; run k ends at ends[k]. */
static void merge_runs(const sorter *s, hx_sort_item *items, uint32_t *ends, uint32_t runs) {
  hx_sort_item *from = items, *to = s->room;
  uint32_t n = ends[runs - 1];
  while (runs > 1) {
    uint32_t lo = 0, made = 0;
    for (uint32_t k = 0; k < runs; k += 2) {
      uint32_t mid = ends[k], hi = k + 1 < runs ? ends[k + 1] : mid;
      merge(s, from, to, lo, mid, hi);
      ends[made++] = lo = hi;
    }
    runs = made;
    hx_sort_item *t = from;
    from = to;
    to = t;
  }
  if (from != items) memcpy(items, from, n * sizeof *items);
}

/* Runs in order, at most `most`; 0 if there are more. */
static uint32_t find_runs(const sorter *s, const hx_sort_item *items, uint32_t n, uint32_t *ends, uint32_t most) {
  uint32_t runs = 0;
  for (uint32_t i = 1; i < n; i++) {
    if (!goes_after(s, &items[i - 1], &items[i])) continue;
    if (runs + 1 >= most) return 0;
    ends[runs++] = i;
  }
  ends[runs++] = n;
  return runs;
}

/* Sorts if the items are in order but for a few places. */
static bool sort_runs(const sorter *s, hx_sort_item *items, uint32_t n) {
  uint32_t ends[RUNS_MAX];
  uint32_t runs = find_runs(s, items, n, ends, n / RUN_MIN < RUNS_MAX ? n / RUN_MIN : RUNS_MAX);
  if (runs > 1) merge_runs(s, items, ends, runs);
  return runs > 0;
}

/* By comparisons alone: their keys are equal. */
static void sort_alike(const sorter *s, hx_sort_item *items, uint32_t n) {
  hx_sort_item *from = items, *to = s->room;
  if (!s->cmp) return;
  for (uint32_t lo = 0; lo < n; lo += FEW) sort_few(s, items + lo, n - lo < FEW ? n - lo : FEW);
  for (uint64_t width = FEW; width < n; width *= 2) {
    for (uint64_t lo = 0; lo < n; lo += 2 * width) {
      uint64_t mid = lo + width < n ? lo + width : n;
      uint64_t hi = mid + width < n ? mid + width : n;
      merge(s, from, to, (uint32_t)lo, (uint32_t)mid, (uint32_t)hi);
    }
    hx_sort_item *t = from;
    from = to;
    to = t;
  }
  if (from != items) memcpy(items, from, n * sizeof *items);
}

/* By the highest byte that differs, then each bucket by the next: no deeper than a key has bytes. */
static void sort_by_bytes(const sorter *s, hx_sort_item *items, uint32_t n) {
  uint32_t at[256] = { 0 }, shift = 56, end = 0;
  uint64_t differ = 0;
  if (n <= FEW) {
    sort_few(s, items, n);
    return;
  }
  for (uint32_t i = 1; i < n; i++) differ |= items[i].key ^ items[0].key;
  if (!differ) {
    sort_alike(s, items, n);
    return;
  }
  while (!(differ >> shift)) shift -= 8;
  for (uint32_t i = 0; i < n; i++) at[items[i].key >> shift & 255]++;
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t count = at[b];
    at[b] = end;
    end += count;
  }
  for (uint32_t i = 0; i < n; i++) s->room[at[items[i].key >> shift & 255]++] = items[i];
  memcpy(items, s->room, n * sizeof *items);
  /* Where a bucket began, the one before it ends now. */
  for (uint32_t b = 0, lo = 0; b < 256; lo = at[b++])
    if (at[b] - lo > 1) sort_by_bytes(s, items + lo, at[b] - lo);
}

void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  sorter s = { .cx = cx, .cmp = cmp, .ud = ud };
  if (n > FEW) s.room = hx_arena_alloc(&cx->scratch, n * sizeof *s.room);
  if (n <= FEW || !sort_runs(&s, items, n)) sort_by_bytes(&s, items, n);
  hx_arena_release(&cx->scratch, mark);
}

/* Texts: a key is seven bytes of them and how many there were; where all seven are equal and there are more, the next follow. */

#define KEY_BYTES 7u
#define KEY_GOES_ON (KEY_BYTES + 1)

static uint64_t text_key(hx_str s, uint32_t depth) {
  const unsigned char *p = (const unsigned char *)s.p + depth;
  uint32_t left = s.len - depth, n = left < KEY_BYTES ? left : KEY_BYTES;
  uint64_t k = 0;
  for (uint32_t i = 0; i < n; i++) k |= (uint64_t)p[i] << (56 - 8 * i);
  return k | (left < KEY_GOES_ON ? left : KEY_GOES_ON);
}

/* Items whose texts have their first `depth` bytes in common, and more than those. */
typedef struct group {
  uint32_t from, n, depth;
} group;

typedef struct texts {
  hx_sort_text text;
  void *ud;
} texts;

static int cmp_texts(void *ud, uint32_t a, uint32_t b) {
  const texts *t = ud;
  return hx_str_cmp(t->text(t->ud, a), t->text(t->ud, b));
}

typedef HX_VEC(group) group_vec;

/* The groups that a sorted group falls into. */
static void split(hx_cx *cx, const hx_sort_item *items, group g, group_vec *out) {
  for (uint32_t i = g.from, end = g.from + g.n, next; i < end; i = next) {
    for (next = i + 1; next < end && items[next].key == items[i].key;) next++;
    if (next - i > 1 && (items[i].key & 255) == KEY_GOES_ON)
      *HX_VEC_PUSH(&cx->scratch, out) = (group){ i, next - i, g.depth + KEY_BYTES };
  }
}

/* By texts that go on beyond what the keys hold. */
static void sort_groups(sorter *s, texts *t, hx_sort_item *items, uint32_t n) {
  group_vec groups = { 0 };
  *HX_VEC_PUSH(&s->cx->scratch, &groups) = (group){ 0, n, 0 };
  while (groups.n) {
    group g = groups.p[--groups.n];
    hx_sort_item *v = items + g.from;
    hx_charge_steps(s->cx, g.n / 8);
    if (g.depth)
      for (uint32_t i = 0; i < g.n; i++) v[i].key = text_key(t->text(t->ud, v[i].i), g.depth);
    s->cmp = g.n <= FEW ? cmp_texts : NULL;
    sort_by_bytes(s, v, g.n);
    if (!s->cmp) split(s->cx, items, g, &groups);
  }
}

void hx_sort_texts(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_text text, void *ud) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  texts t = { text, ud };
  sorter s = { .cx = cx, .cmp = cmp_texts, .ud = &t };
  for (uint32_t i = 0; i < n; i++) items[i].key = text_key(text(ud, items[i].i), 0);
  if (n <= FEW) {
    sort_few(&s, items, n);
    return;
  }
  s.room = hx_arena_alloc(&cx->scratch, n * sizeof *s.room);
  if (!sort_runs(&s, items, n)) sort_groups(&s, &t, items, n);
  hx_arena_release(&cx->scratch, mark);
}

static hx_str str_text(void *ud, uint32_t i) {
  return ((const hx_str *)ud)[i];
}

void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_sort_item *items = hx_arena_alloc(&cx->scratch, (size_t)n * sizeof *items);
  for (uint32_t i = 0; i < n; i++) items[i].i = i;
  hx_sort_texts(cx, items, n, str_text, (void *)(uintptr_t)s);
  for (uint32_t i = 0; i < n; i++) order[i] = items[i].i;
  hx_arena_release(&cx->scratch, mark);
}

bool hx_strs_sorted(const hx_str *s, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (hx_str_cmp(s[i - 1], s[i]) > 0) return false;
  return true;
}
