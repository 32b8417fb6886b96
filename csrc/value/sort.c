/* sort.c: a merge sort. A key usually decides without a look at the value; cmp is called only for items with equal keys. Sorted input is
** recognised and stays as it is. */
#include "value/sort.h"

/* Up to this many items are sorted by insertion. */
#define FEW 12u
/* Items sorted for one step. Up to FEW items are free: whether the few keys of a Lua table happen to be in order mustn't change the
** steps. */
#define ITEMS_A_STEP 4u

typedef struct sorter {
  hx_sort_item *room; /* for half of the items */
  hx_sort_cmp cmp;
  void *ud;
} sorter;

static inline bool goes_after(const sorter *s, const hx_sort_item *a, const hx_sort_item *b) {
  if (a->key == b->key) return s->cmp && s->cmp(s->ud, a->i, b->i) > 0;
  return a->key > b->key;
}

static void sort_few(const sorter *s, hx_sort_item *v, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    hx_sort_item x = v[i];
    uint32_t j = i;
    for (; j > 0 && goes_after(s, &v[j - 1], &x); j--) v[j] = v[j - 1];
    v[j] = x;
  }
}

/* Merges the sorted runs [0, mid) and [mid, n). */
static void merge(const sorter *s, hx_sort_item *v, uint32_t mid, uint32_t n) {
  const hx_sort_item *a = s->room, *a_end = a + mid, *b = v + mid, *b_end = v + n;
  memcpy(s->room, v, mid * sizeof *v);
  while (a < a_end && b < b_end) {
    bool after = goes_after(s, a, b); /* without branches, which would be mispredicted half the time */
    *v++ = *(after ? b : a);
    b += after;
    a += !after;
  }
  memcpy(v, a, (size_t)(a_end - a) * sizeof *v);
}

/* Sorts n items. It recurses as deep as n has bits. */
static void sort_many(const sorter *s, hx_sort_item *v, uint32_t n) {
  uint32_t mid = n / 2;
  if (n <= FEW) {
    sort_few(s, v, n);
    return;
  }
  sort_many(s, v, mid);
  sort_many(s, v + mid, n - mid);
  if (goes_after(s, &v[mid - 1], &v[mid])) merge(s, v, mid, n);
}

void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  sorter s = { .cmp = cmp, .ud = ud };
  if (n > FEW) {
    hx_charge_steps(cx, n / ITEMS_A_STEP);
    s.room = hx_arena_alloc(&cx->scratch, n / 2 * sizeof *s.room);
  }
  sort_many(&s, items, n);
  hx_arena_release(&cx->scratch, mark);
}

/* Sorting texts. A text's key holds the seven bytes after the start that all texts share, and in its last byte how many of these bytes
** the text has. If the keys of two texts are equal, the texts are equal, or both are longer. */

#define KEY_BYTES 7u
#define KEY_GOES_ON (KEY_BYTES + 1)
/* Bytes that are compared for one step. */
#define STEP_BYTES 64u

/* Returns eight bytes as a number. These numbers sort as the bytes do. */
static inline uint64_t eight_bytes(const char *p) {
  const unsigned char *b = (const unsigned char *)p; /* compilers make one instruction of this */
  return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 | (uint64_t)b[3] << 32 | (uint64_t)b[4] << 24 |
         (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | b[7];
}

static inline uint64_t text_key(hx_str s, uint32_t depth) {
  uint32_t left = s.len - depth;
  uint64_t k = 0;
  if (left >= KEY_GOES_ON) return (eight_bytes(s.p + depth) & ~UINT64_C(255)) | KEY_GOES_ON;
  for (uint32_t i = 0; i < left; i++) k |= (uint64_t)(unsigned char)s.p[depth + i] << (56 - 8 * i);
  return k | left;
}

static bool goes_on(const hx_sort_item *item) {
  return (item->key & 255) == KEY_GOES_ON;
}

typedef struct texts {
  hx_cx *cx;
  hx_sort_text text;
  void *ud;
} texts;

static int cmp_texts(void *ud, uint32_t a, uint32_t b) {
  const texts *t = ud;
  hx_str x = t->text(t->ud, a), y = t->text(t->ud, b);
  hx_charge_steps(t->cx, (x.len < y.len ? x.len : y.len) / STEP_BYTES);
  return hx_str_cmp(x, y);
}

/* Returns how many bytes all texts share at their start. */
static uint32_t common_start(const texts *t, uint32_t n) {
  hx_str first = t->text(t->ud, 0);
  uint32_t common = first.len;
  for (uint32_t k = 1; k < n && common; k++) {
    hx_str s = t->text(t->ud, k);
    uint32_t same = 0;
    if (s.len < common) common = s.len;
    hx_charge_steps(t->cx, common / STEP_BYTES);
    if (memcmp(first.p, s.p, common) == 0) continue;
    while (s.p[same] == first.p[same]) same++;
    common = same;
  }
  return common;
}

void hx_sort_texts(hx_cx *cx, uint32_t n, hx_sort_text text, void *ud, uint32_t *order) {
  if (!n) return;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  texts t = { cx, text, ud };
  hx_sort_item *items = hx_arena_alloc(&cx->scratch, n * sizeof *items);
  uint32_t depth = common_start(&t, n);
  HX_ASSERT(n <= HX_SORT_INDEX);
  for (uint32_t i = 0; i < n; i++) items[i] = (hx_sort_item){ text_key(text(ud, i), depth), i, false };
  hx_sort(cx, items, n, cmp_texts, &t);
  for (uint32_t i = 0; i < n; i++) {
    bool repeats =
        i && items[i].key == items[i - 1].key && (!goes_on(&items[i]) || hx_str_eq(text(ud, items[i].i), text(ud, items[i - 1].i)));
    order[i] = items[i].i | (repeats ? HX_SORT_REPEATS : 0);
  }
  hx_arena_release(&cx->scratch, mark);
}

static hx_str str_text(void *ud, uint32_t i) {
  return ((const hx_str *)ud)[i];
}

void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order) {
  hx_sort_texts(cx, n, str_text, (void *)(uintptr_t)s, order);
  for (uint32_t i = 0; i < n; i++) order[i] &= HX_SORT_INDEX;
}

bool hx_strs_sorted(const hx_str *s, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (hx_str_cmp(s[i - 1], s[i]) > 0) return false;
  return true;
}

int64_t hx_strs_find(const hx_str *sorted, uint32_t n, hx_str s) {
  uint32_t low = 0, high = n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int c = hx_str_cmp(sorted[middle], s);
    if (c == 0) return middle;
    if (c < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}
