/* sort.c: merges existing runs. Otherwise items are distributed by some bits of their keys, most significant first, until
** few are left. This stays in the caches, and comparisons that read the items' data are rare. */
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
static void sort_alike(const sorter *s, hx_sort_item *items, hx_sort_item *room, uint32_t n) {
  hx_sort_item *from = items, *to = room;
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

/* The bits in which keys differ, put together to a shorter key: of decimal digits four each. All are shifted down to begin with; then a
** bit moves by as many places as there are gaps below it, in steps of 1, 2, 4 and so on. Few steps are needed where gaps are alike. */
typedef struct squeeze {
  uint64_t mask;        /* the bits that are taken */
  uint32_t bits, shift; /* how many those are, and the places below the lowest */
  uint32_t n;           /* steps */
  struct {
    uint64_t moved;
    uint32_t by;
  } steps[6];
  bool all; /* the bits are all there are */
} squeeze;

/* Of each bit: is the number of bits below it odd? */
static uint64_t parity_below(uint64_t x) {
  x <<= 1;
  for (uint32_t by = 1; by < 64; by *= 2) x ^= x << by;
  return x;
}

/* Of no more bits than that, the highest. Some bits differ. */
static squeeze find_squeeze(uint64_t differ, uint32_t most_bits) {
  squeeze q = { .mask = differ };
  for (uint64_t rest = differ; rest; rest &= rest - 1) q.bits++;
  for (; q.bits > most_bits; q.bits--) q.mask &= q.mask - 1;
  q.all = q.mask == differ;
  while (!(q.mask >> q.shift & 1)) q.shift++;
  uint64_t taken = q.mask >> q.shift, gaps = ~taken;
  for (uint32_t by = 1; by < 64; by *= 2) {
    uint64_t odd = parity_below(gaps), moved = odd & taken;
    gaps &= odd; /* every other one is left, and counts for two of those that were */
    if (!moved) continue;
    taken = (taken ^ moved) | moved >> by;
    q.steps[q.n].moved = moved;
    q.steps[q.n++].by = by;
  }
  return q;
}

static inline uint64_t short_key(const squeeze *q, uint64_t key) {
  uint64_t k = (key & q->mask) >> q->shift;
  for (uint32_t i = 0; i < q->n; i++) {
    uint64_t moved = k & q->steps[i].moved;
    k ^= moved ^ moved >> q->steps[i].by;
  }
  return k;
}

/* `common` are the bits outside the mask. */
static inline uint64_t long_key(const squeeze *q, uint64_t common, uint64_t k) {
  for (uint32_t i = q->n; i-- > 0;) {
    uint64_t moved = k & q->steps[i].moved >> q->steps[i].by;
    k ^= moved ^ moved << q->steps[i].by;
  }
  return common | k << q->shift;
}

/* Where counts of what goes to each pile are, there will be where the pile begins. */
static void add_up(uint32_t *counts, uint32_t piles) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < piles; p++) {
    uint32_t count = counts[p];
    counts[p] = sum;
    sum += count;
  }
}

/* Many items, keys short enough to stand in one word with an index: dealt out by the lowest bits first, a few times. Half the memory
** for items is half the way where they don't fit into the cache. */
#define SHORT_BITS 32u
#define PASS_BITS 11u

/* As many passes as keep the piles few for so many items; 0: too many. */
static uint32_t count_passes(uint32_t bits, uint32_t n) {
  for (uint32_t passes = 1; passes <= 4; passes++) {
    uint32_t each = (bits + passes - 1) / passes;
    if (each <= PASS_BITS && (1u << each) * passes <= n) return passes;
  }
  return 0;
}

typedef struct passes {
  uint32_t n, bits, piles; /* of each: bits, and piles they are dealt to */
  uint32_t *counts;        /* of each what goes to each pile */
} passes;

static passes passes_of(hx_cx *cx, uint32_t bits, uint32_t n) {
  passes p = { .n = n, .bits = (bits + n - 1) / n };
  p.piles = 1u << p.bits;
  p.counts = hx_arena_alloc(&cx->scratch, (size_t)n * p.piles * sizeof *p.counts);
  memset(p.counts, 0, (size_t)n * p.piles * sizeof *p.counts);
  return p;
}

/* The word for a key and an index; it is counted. */
static inline uint64_t pack(passes p, const squeeze *q, uint64_t key, uint32_t index) {
  uint64_t k = short_key(q, key), rest = k;
  uint32_t *counts = p.counts;
  for (uint32_t i = 0; i < p.n; i++, rest >>= p.bits, counts += p.piles) counts[rest & (p.piles - 1)]++;
  return k << 32 | index;
}

/* Places so far ahead are fetched. */
#define AHEAD 16u

/* Returns the words in order, which is one of the two places. */
static const uint64_t *sort_words(const passes *p, uint64_t *from, uint64_t *to, uint32_t n) {
  for (uint32_t k = 0; k < p->n; k++) {
    uint32_t *ends = p->counts + k * p->piles, shift = 32 + k * p->bits;
    add_up(ends, p->piles);
    uint32_t i = 0, mask = p->piles - 1, fetched = n > HX_SORT_LARGE ? n - AHEAD : 0;
    for (; i < fetched; i++) {
      HX_SOON(&to[ends[from[i + AHEAD] >> shift & mask]]);
      to[ends[from[i] >> shift & mask]++] = from[i];
    }
    for (; i < n; i++) to[ends[from[i] >> shift & mask]++] = from[i];
    uint64_t *t = from;
    from = to;
    to = t;
  }
  return from;
}

/* Returns whether all keys are different. */
static bool sort_short(const sorter *s, const squeeze *q, hx_sort_item *items, hx_sort_item *room, uint32_t n, uint32_t turns) {
  uint64_t *words = (uint64_t *)(void *)room, common = items[0].key & ~q->mask;
  hx_arena_mark mark = hx_arena_get_mark(&s->cx->scratch);
  passes p = passes_of(s->cx, q->bits, turns);
  for (uint32_t i = 0; i < n; i++) words[i] = pack(p, q, items[i].key, items[i].i);
  const uint64_t *sorted = sort_words(&p, words, words + n, n);
  bool different = true;
  for (uint32_t i = 0; i < n; i++) {
    if (i && sorted[i] >> 32 == sorted[i - 1] >> 32) different = false;
    items[i] = (hx_sort_item){ long_key(q, common, sorted[i] >> 32), (uint32_t)sorted[i], false };
  }
  hx_arena_release(&s->cx->scratch, mark);
  return different;
}

/* Deals the items out to `to` by their highest bits; returns where each pile ends there, in scratch. */
static const uint32_t *deal(const sorter *s, const squeeze *q, const hx_sort_item *items, hx_sort_item *to, uint32_t n) {
  uint32_t piles = 1u << q->bits, *ends = hx_arena_alloc(&s->cx->scratch, piles * sizeof *ends);
  memset(ends, 0, piles * sizeof *ends);
  for (uint32_t i = 0; i < n; i++) ends[short_key(q, items[i].key)]++;
  add_up(ends, piles);
  for (uint32_t i = 0; i < n; i++) to[ends[short_key(q, items[i].key)]++] = items[i];
  return ends;
}

static void sort_keys(const sorter *s, hx_sort_item *items, hx_sort_item *to, uint32_t n, bool move);

/* Every turn uses up some bits of the keys. */
static void sort_dealt(const sorter *s, uint64_t differ, hx_sort_item *items, hx_sort_item *to, uint32_t n, bool move) {
  hx_arena_mark mark = hx_arena_get_mark(&s->cx->scratch);
  uint32_t bits = 1;
  while (bits < PASS_BITS && n >> bits) bits++;
  squeeze q = find_squeeze(differ, bits);
  const uint32_t *ends = deal(s, &q, items, to, n);
  for (uint32_t p = 0, lo = 0; p < 1u << q.bits; lo = ends[p++]) {
    uint32_t count = ends[p] - lo;
    if (count > 1) sort_keys(s, to + lo, items + lo, count, !move);
    else if (count && !move) items[lo] = to[lo];
  }
  hx_arena_release(&s->cx->scratch, mark);
}

/* Sorts many items whose keys differ in these bits, as sort_keys does. Returns whether they are known to be all different. */
static bool sort_many(const sorter *s, uint64_t differ, hx_sort_item *items, hx_sort_item *to, uint32_t n, bool move) {
  bool different = false;
  hx_stack_check();
  if (differ) {
    squeeze all = find_squeeze(differ, SHORT_BITS);
    uint32_t turns = all.all && !s->cmp ? count_passes(all.bits, n) : 0;
    if (!turns) {
      sort_dealt(s, differ, items, to, n, move);
      return false;
    }
    different = sort_short(s, &all, items, to, n, turns);
  } else {
    sort_alike(s, items, to, n);
  }
  if (move) memcpy(to, items, n * sizeof *to);
  return different;
}

/* Sorts n items; they come to stand in `to` if `move`, else where they are, and the other place is room. */
static void sort_keys(const sorter *s, hx_sort_item *items, hx_sort_item *to, uint32_t n, bool move) {
  uint64_t differ = 0;
  if (n <= FEW) {
    sort_few(s, items, n);
    if (move) memcpy(to, items, n * sizeof *to);
    return;
  }
  for (uint32_t i = 1; i < n; i++) differ |= items[i].key ^ items[0].key;
  sort_many(s, differ, items, to, n, move);
}

void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  sorter s = { .cx = cx, .cmp = cmp, .ud = ud };
  if (n > FEW) s.room = hx_arena_alloc(&cx->scratch, n * sizeof *s.room);
  if (n <= FEW || !sort_runs(&s, items, n)) sort_keys(&s, items, s.room, n, false);
  hx_arena_release(&cx->scratch, mark);
}

/* Texts: a key is seven bytes of them and how many there were; where all seven are equal and there are more, the next follow. */

#define KEY_BYTES 7u
#define KEY_GOES_ON (KEY_BYTES + 1)

/* Eight bytes as a number of the same order. */
static inline uint64_t eight_bytes(const char *p) {
  const unsigned char *b = (const unsigned char *)p; /* one instruction to compilers */
  return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 | (uint64_t)b[3] << 32 | (uint64_t)b[4] << 24 |
         (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | b[7];
}

static inline uint64_t text_key(hx_str s, uint32_t depth) {
  uint32_t left = s.len - depth;
  uint64_t k = 0;
  if (left >= KEY_GOES_ON) return (eight_bytes(s.p + depth) & ~UINT64_C(255)) | KEY_GOES_ON;
  if (s.len >= 8) k = left ? eight_bytes(s.p + s.len - 8) << (64 - 8 * left) : 0;
  else
    for (uint32_t i = 0; i < left; i++) k |= (uint64_t)(unsigned char)s.p[depth + i] << (56 - 8 * i);
  return k | left;
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

/* The groups that a sorted group falls into: of those with equal keys, whose texts may go on. */
static void split(hx_cx *cx, hx_sort_item *items, group g, group_vec *out) {
  for (uint32_t i = g.from, end = g.from + g.n, next; i < end; i = next) {
    bool goes_on = (items[i].key & 255) == KEY_GOES_ON;
    items[i].repeats = false;
    for (next = i + 1; next < end && items[next].key == items[i].key; next++) items[next].repeats = !goes_on;
    if (next - i > 1 && goes_on) *HX_VEC_PUSH(&cx->scratch, out) = (group){ i, next - i, g.depth + KEY_BYTES };
  }
}

/* Of items in order. */
static void find_repeats(const texts *t, hx_sort_item *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool same = i && items[i].key == items[i - 1].key;
    if (same && (items[i].key & 255) == KEY_GOES_ON) same = hx_str_eq(t->text(t->ud, items[i].i), t->text(t->ud, items[i - 1].i));
    items[i].repeats = same;
  }
}

/* Sets the keys; returns the bits in which they differ. */
static uint64_t set_keys(const texts *t, hx_sort_item *items, uint32_t n, uint32_t depth) {
  uint64_t differ = 0;
  for (uint32_t i = 0; i < n; i++) {
    items[i].key = text_key(t->text(t->ud, items[i].i), depth);
    differ |= items[i].key ^ items[0].key;
  }
  return differ;
}

/* By texts that go on beyond what the keys hold, which are those at the depth, and differ in these bits. */
static void sort_groups(sorter *s, texts *t, hx_sort_item *items, uint32_t n, uint32_t depth, uint64_t differ) {
  group_vec groups = { 0 };
  *HX_VEC_PUSH(&s->cx->scratch, &groups) = (group){ 0, n, depth };
  hx_charge_steps(s->cx, n / 8 * (uint64_t)(depth / KEY_BYTES));
  while (groups.n) {
    group g = groups.p[--groups.n];
    hx_sort_item *v = items + g.from;
    hx_charge_steps(s->cx, g.n / 8);
    if (g.depth > depth) differ = set_keys(t, v, g.n, g.depth);
    if (g.n <= FEW) {
      s->cmp = cmp_texts;
      sort_few(s, v, g.n);
      find_repeats(t, v, g.n);
    } else {
      s->cmp = NULL;
      if (!sort_many(s, differ, v, s->room + g.from, g.n, false)) split(s->cx, items, g, &groups);
    }
  }
}

/* The keys of all texts, at the greatest depth to which the texts have everything in common and beyond which each of them goes. What
** they have in common is mostly seen in a few of them. */
typedef struct text_keys {
  uint64_t *v;
  uint64_t differ; /* the bits in which they differ */
  uint32_t depth;
  bool go_on; /* some text goes on beyond its key */
} text_keys;

static uint32_t common_depth(const texts *t, uint32_t n) {
  hx_str first = t->text(t->ud, 0);
  uint32_t common = first.len ? first.len - 1 : 0;
  for (uint32_t k = 1; k < FEW && common; k++) {
    hx_str s = t->text(t->ud, (uint32_t)((uint64_t)(n - 1) * k / FEW));
    uint32_t same = 0;
    while (same < common && same + 1 < s.len && s.p[same] == first.p[same]) same++;
    common = same;
  }
  return common;
}

/* Are the first `depth` bytes the same, of texts that have more? */
static inline bool same_start(hx_str a, hx_str b, uint32_t depth) {
  if (depth < KEY_BYTES) return (text_key(a, 0) ^ text_key(b, 0)) >> (64 - 8 * depth) == 0;
  for (uint32_t at = 0;; at = at + 2 * KEY_BYTES < depth ? at + KEY_BYTES : depth - KEY_BYTES) {
    if ((eight_bytes(a.p + at) ^ eight_bytes(b.p + at)) >> 8) return false;
    if (at == depth - KEY_BYTES) return true;
  }
}

static bool take_keys(const texts *t, text_keys *keys, uint32_t n) {
  hx_str first = t->text(t->ud, 0);
  uint64_t any = 0;
  keys->differ = 0;
  for (uint32_t i = 0; i < n; i++) {
    hx_str s = t->text(t->ud, i);
    if (keys->depth && (s.len <= keys->depth || !same_start(s, first, keys->depth))) return false;
    keys->v[i] = text_key(s, keys->depth);
    keys->differ |= keys->v[i] ^ keys->v[0];
    any |= keys->v[i];
  }
  keys->go_on = (any & KEY_GOES_ON) != 0;
  return true;
}

/* Are there few places where a key is less than the one before it? */
static bool is_nearly_sorted(const uint64_t *keys, uint32_t n) {
  uint32_t falls = 0;
  for (uint32_t i = 1; i < n && falls < RUNS_MAX; i++) falls += keys[i] < keys[i - 1];
  return falls < RUNS_MAX;
}

/* Most texts are told apart by short keys, and no more is needed than those: true. Their room is used meanwhile. */
static bool order_short(hx_cx *cx, const texts *t, text_keys *keys, uint32_t n, uint32_t *order) {
  if (!keys->differ || is_nearly_sorted(keys->v, n)) return false;
  squeeze q = find_squeeze(keys->differ, SHORT_BITS);
  uint32_t turns = q.all ? count_passes(q.bits, n) : 0;
  if (!turns) return false;
  uint64_t *words = keys->v, *room = hx_arena_alloc(&cx->scratch, n * sizeof *room);
  passes p = passes_of(cx, q.bits, turns);
  for (uint32_t i = 0; i < n; i++) words[i] = pack(p, &q, keys->v[i], i);
  const uint64_t *sorted = sort_words(&p, words, room, n);
  for (uint32_t i = 0; i < n; i++) {
    bool repeats = i && sorted[i] >> 32 == sorted[i - 1] >> 32;
    if (repeats && keys->go_on) {
      take_keys(t, keys, n);
      return false;
    }
    order[i] = (uint32_t)sorted[i] | (repeats ? HX_SORT_REPEATS : 0);
  }
  hx_charge_steps(cx, n / 8 * (uint64_t)(keys->depth / KEY_BYTES + 1));
  return true;
}

/* In every case. */
static void order_items(sorter *s, texts *t, const text_keys *keys, uint32_t n, uint32_t *order) {
  hx_sort_item *items = hx_arena_alloc(&s->cx->scratch, n * sizeof *items);
  for (uint32_t i = 0; i < n; i++) items[i] = (hx_sort_item){ keys->v[i], i, false };
  if (n <= FEW) {
    sort_few(s, items, n);
    find_repeats(t, items, n);
  } else {
    s->room = hx_arena_alloc(&s->cx->scratch, n * sizeof *s->room);
    if (sort_runs(s, items, n)) find_repeats(t, items, n);
    else sort_groups(s, t, items, n, keys->depth, keys->differ);
  }
  for (uint32_t i = 0; i < n; i++) order[i] = items[i].i | (items[i].repeats ? HX_SORT_REPEATS : 0);
}

void hx_sort_texts(hx_cx *cx, uint32_t n, hx_sort_text text, void *ud, uint32_t *order) {
  if (!n) return;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  texts t = { text, ud };
  sorter s = { .cx = cx, .cmp = cmp_texts, .ud = &t };
  text_keys keys = { .v = hx_arena_alloc(&cx->scratch, n * sizeof *keys.v), .depth = n > FEW ? common_depth(&t, n) : 0 };
  HX_ASSERT(n <= HX_SORT_INDEX);
  if (!take_keys(&t, &keys, n)) {
    keys.depth = 0;
    take_keys(&t, &keys, n);
  }
  if (n <= FEW || !order_short(cx, &t, &keys, n, order)) order_items(&s, &t, &keys, n, order);
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
