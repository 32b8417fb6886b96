/* set.c: makes sets in n log n time, and looks up their elements. */
#include "value/equal.h"
#include "value/number/number.h"
#include "value/order.h"
#include "value/sort.h"

/* What making a set needs to remember about the known elements, all in scratch memory. */
typedef struct set_maker {
  hx_cx *cx;
  const hx_val *v;     /* all elements, without marks */
  hx_sort_item *items; /* the known elements */
  uint32_t n;
  hx_str *texts;      /* indexed by element; NULL unless elements are composite */
  const uint32_t *of; /* while texts are sorted: the element that each text belongs to */
} set_maker;

static bool are_equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_val equal = hx_equal(cx, a, b);
  return hx_is_true(&equal);
}

static hx_str string_of(void *ud, uint32_t i) {
  const set_maker *m = ud;
  return hx_val_str(&m->v[m->of ? m->of[i] : i]);
}

static hx_str text_of(void *ud, uint32_t i) {
  const set_maker *m = ud;
  return m->texts[m->of[i]];
}

static int cmp_numbers(void *ud, uint32_t a, uint32_t b) {
  const set_maker *m = ud;
  return hx_order_numbers(&m->v[a], &m->v[b]);
}

/* Returns true if two elements are the same in a set. They are compared by ==, with two exceptions that come from the reference's
** hashing: an element with an unknown inside equals no other, and -0 is not 0. */
static bool same_item(const set_maker *m, uint32_t a, uint32_t b) {
  const hx_val *x = &m->v[a], *y = &m->v[b];
  if (m->texts) return hx_str_eq(m->texts[a], m->texts[b]) && are_equal(m->cx, x, y);
  return hx_num_is_negative(x) == hx_num_is_negative(y) && hx_num_equal(m->cx, x, y);
}

typedef struct wanted {
  const set_maker *m;
  uint32_t i;
} wanted;

static bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return same_item(w->m, w->m->items[i].i, w->i);
}

/* Keeps only the first of equal elements, which a hash table finds. Sorting by text isn't enough: different numbers may have the same
** text, so equal elements may end up apart. */
static void drop_equal_hashed(set_maker *m) {
  uint32_t kept = 0;
  hx_table t = hx_table_new(&m->cx->scratch, m->n);
  for (uint32_t k = 0; k < m->n; k++) {
    uint32_t i = m->items[k].i;
    if (hx_is_wholly_known(&m->v[i])) {
      uint32_t hash = hx_val_hash(m->cx, &m->v[i]), *slot = hx_table_find(&t, m->cx, hash, is_wanted, &(wanted){ m, i });
      if (*slot) continue;
      hx_table_put(&t, slot, kept, hash);
    }
    m->items[kept++] = m->items[k];
  }
  m->n = kept;
}

/* Sorts the items by their texts. */
static void sort_items(set_maker *m, hx_sort_text text) {
  uint32_t *of = hx_arena_alloc(&m->cx->scratch, m->n * sizeof *of);
  for (uint32_t k = 0; k < m->n; k++) of[k] = m->items[k].i;
  m->of = of;
  uint32_t *order = hx_arena_alloc(&m->cx->scratch, m->n * sizeof *order);
  hx_sort_texts(m->cx, m->n, text, m, order);
  for (uint32_t k = 0; k < m->n; k++)
    m->items[k] = (hx_sort_item){ 0, of[order[k] & HX_SORT_INDEX], (order[k] & HX_SORT_REPEATS) != 0 };
}

/* Sorts bools or whole numbers. Equal ones end up next to each other, and all but the first are noted as repeated. */
static void sort_whole(set_maker *m) {
  /* Flips the sign bit, so that unsigned keys have the order of the signed numbers. */
  for (uint32_t k = 0; k < m->n; k++) m->items[k].key = (uint64_t)m->v[m->items[k].i].u.i ^ (UINT64_C(1) << 63);
  hx_sort(m->cx, m->items, m->n, NULL, m);
  for (uint32_t k = 0; k < m->n; k++) m->items[k].repeats = k && m->items[k].key == m->items[k - 1].key;
}

/* Returns the nearest double as an unsigned number that sorts as the double does. -0 comes before 0, as in hx_order_numbers. */
static uint64_t number_key(const hx_val *v) {
  double d = hx_num_to_double(v);
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Sorts numbers of any kind. No two may be equal. */
static void sort_numbers(set_maker *m) {
  for (uint32_t k = 0; k < m->n; k++) m->items[k].key = number_key(&m->v[m->items[k].i]);
  hx_sort(m->cx, m->items, m->n, cmp_numbers, m);
}

/* Drops all but the first of equal items. */
static void drop_repeated(set_maker *m) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < m->n; k++)
    if (!m->items[k].repeats) m->items[kept++] = m->items[k];
  m->n = kept;
}

static void sort_composite(set_maker *m, uint32_t all) {
  hx_cx *cx = m->cx;
  uint64_t weight = hx_vals_weight(cx, m->v, all);
  if (weight > cx->memory_left) hx_abort(cx, HX_WHY_MEMORY); /* the texts take about as much memory */
  hx_charge_walk(cx, 4 * weight);
  m->texts = hx_arena_alloc(&cx->scratch, all * sizeof *m->texts);
  for (uint32_t k = 0; k < m->n; k++) {
    uint32_t i = m->items[k].i;
    hx_buf b;
    hx_buf_init(&b, &cx->scratch, 64);
    hx_order_text(cx, &b, &m->v[i]);
    m->texts[i] = hx_buf_done(&b);
  }
  drop_equal_hashed(m);
  sort_items(m, text_of);
}

/* Sorts the known elements and drops repeated ones. */
static void sort_known(set_maker *m, uint32_t all) {
  bool plain = true, numbers = true;
  hx_tag tag = m->n ? (hx_tag)m->v[m->items[0].i].tag : HX_T_STR;
  for (uint32_t k = 0; k < m->n; k++) {
    const hx_val *v = &m->v[m->items[k].i];
    plain = plain && v->tag == tag && tag != HX_T_NUM && tag <= HX_T_STR;
    numbers = numbers && hx_is_number(v);
  }
  if (plain) {
    if (tag == HX_T_STR) sort_items(m, string_of);
    else sort_whole(m);
    drop_repeated(m);
  } else if (numbers) {
    drop_equal_hashed(m);
    sort_numbers(m);
  } else {
    sort_composite(m, all);
  }
}

/* Builds a set: known elements in order, then unknown ones in the order given, then null. */
static hx_val build(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  set_maker m = { .cx = cx, .v = v, .items = hx_arena_alloc(&cx->scratch, n * sizeof *m.items) };
  uint32_t unknown = 0, at = 0;
  const hx_val *null = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (v[i].tag == HX_T_NULL) null = null ? null : &v[i];
    else if (v[i].tag == HX_T_UNKNOWN) unknown++;
    else m.items[m.n++] = (hx_sort_item){ 0, i, false };
  }
  sort_known(&m, n);
  uint32_t count = m.n + unknown + (null != NULL);
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, count);
  for (; at < m.n; at++) out[at] = v[m.items[at].i];
  hx_arena_release(&cx->scratch, mark);
  for (uint32_t i = 0; unknown && i < n; i++)
    if (v[i].tag == HX_T_UNKNOWN) out[at++] = v[i];
  if (null) out[at] = *null;
  return hx_set_in_order(cx, elem, out, count);
}

hx_val hx_set_in_order(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n) {
  hx_val set = hx_list(cx, elem, v, n);
  set.tag = HX_T_SET;
  return set;
}

hx_val hx_set_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain) {
  hx_val set = hx_seq_weighed(cx, elem, v, n, weight, plain);
  set.tag = HX_T_SET;
  return set;
}

hx_val hx_set(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n) {
  const hx_marks *marks = NULL;
  hx_val *bare = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (!bare && v[i].tag > HX_T_STR && hx_is_marked_deep(&v[i])) {
      bare = HX_NEW_ARRAY(cx, hx_val, n);
      memcpy(bare, v, i * sizeof *bare);
    }
    if (bare) bare[i] = hx_unmark_deep(cx, &v[i], &marks);
  }
  return hx_mark(cx, build(cx, elem, bare ? bare : v, n), marks);
}

/* Compares two elements, composite ones by their texts. */
static int order_of(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->tag > HX_T_STR) hx_charge_walk(cx, 4 * (hx_val_weight(a) + hx_val_weight(b)));
  return hx_set_order(cx, a, b);
}

/* Returns the index of the first element in [0, known) that doesn't come before v. */
static uint32_t lower_bound(hx_cx *cx, const hx_val *set, uint32_t known, const hx_val *v) {
  uint32_t lo = 0, hi = known;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (order_of(cx, &set->u.seq->v[mid], v) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* Returns true if two numbers are so near that they may be equal: their doubles differ by at most 2^-50 of their size. */
static bool is_near(const hx_val *a, const hx_val *b) {
  double x = hx_num_to_double(a), y = hx_num_to_double(b);
  double size = x < 0 ? -x : x;
  double gap = x > y ? x - y : y - x;
  return !(gap > size * 0x1p-50);
}

static bool has_number(hx_cx *cx, const hx_val *set, uint32_t known, const hx_val *v) {
  const hx_val *e = set->u.seq->v;
  set_maker m = { .cx = cx };
  uint32_t from = lower_bound(cx, set, known, v);
  for (uint32_t up = from; up < known && is_near(&e[up], v); up++) {
    m.v = (hx_val[]){ e[up], *v };
    if (same_item(&m, 0, 1)) return true;
  }
  for (uint32_t down = from; down > 0 && is_near(&e[down - 1], v); down--) {
    m.v = (hx_val[]){ e[down - 1], *v };
    if (same_item(&m, 0, 1)) return true;
  }
  return false;
}

bool hx_set_same(hx_cx *cx, const hx_val *a, const hx_val *b) {
  bool numbers = hx_is_number(a) && hx_is_number(b);
  if (numbers && hx_num_is_negative(a) != hx_num_is_negative(b)) return false;
  if (!are_equal(cx, a, b)) return false;
  return numbers || hx_set_order(cx, a, b) == 0;
}

bool hx_set_has(hx_cx *cx, const hx_val *set, const hx_val *v) {
  const hx_val *e = set->u.seq->v;
  if (v->tag == HX_T_NULL) return set->len && e[set->len - 1].tag == HX_T_NULL;
  if (!hx_is_wholly_known(v)) return false;
  uint32_t known = set->len;
  while (known && hx_order_rank(&e[known - 1])) known--;
  if (hx_is_number(v)) return has_number(cx, set, known, v);
  for (uint32_t i = lower_bound(cx, set, known, v); i < known; i++) {
    if (order_of(cx, &e[i], v) != 0) break;
    if (are_equal(cx, &e[i], v)) return true;
  }
  return false;
}
