/* number.c: makes, examines and compares numbers, and computes whole parts. Arithmetic, text and doubles have files of their own. */
#include "value/number/number.h"

#include "value/number/internal.h"

static uint64_t log2_of(uint64_t n) {
  return 63 - (uint64_t)__builtin_clzll(n);
}

/* For operands of STACK_LIMBS to STACK_LIMBS_MOST limbs, GMP takes work space from the stack, STACK_EACH bytes for each limb. Smaller
** operands need little, and larger ones use other memory. */
#define STACK_LIMBS 32u
#define STACK_LIMBS_MOST 1024u
#define STACK_EACH 88u

void hx_limbs_charge_many(hx_cx *cx, uint64_t n) {
  hx_charge_steps(cx, n <= 64 ? n / 8 : n / 4 * log2_of(n));
#ifdef HX_HAS_GMP
  if (n > STACK_LIMBS) hx_stack_need(n < STACK_LIMBS_MOST ? STACK_EACH * (size_t)n : (size_t)STACK_EACH * STACK_LIMBS_MOST);
#endif
  if (n > 500) {
    /* GMP's work space is several times the size of the operands here. If memory can be allocated now, it can be allocated again. */
    if (n > SIZE_MAX / 64) hx_abort(cx, HX_WHY_NO_MEMORY);
    void *probe = hx_raw_alloc((size_t)n * 48);
    if (!probe) hx_abort(cx, HX_WHY_NO_MEMORY);
    hx_raw_free(probe);
  }
}

#define PRODUCTS_A_STEP 64u /* products of two limbs, charged as one step */

void hx_limbs_charge_long_product(hx_cx *cx, uint64_t a, uint64_t b) {
  uint64_t products;
  hx_charge_steps(cx, __builtin_mul_overflow(a, b, &products) ? UINT64_MAX : products / PRODUCTS_A_STEP);
}

void hx_limbs_charge_base(hx_cx *cx, uint64_t n) {
  if (n > 64) hx_charge_steps(cx, n / 4 * log2_of(n) * log2_of(n));
  hx_limbs_charge(cx, n);
  hx_limbs_charge_product(cx, n, n);
}

/* Making */

static const hx_num plus_inf = { .prec = HX_PREC, .kind = HX_NUM_INF },
                    minus_inf = { .prec = HX_PREC, .kind = HX_NUM_INF, .neg = true };
static const hx_num minus_zero = { .prec = HX_PREC, .kind = HX_NUM_ZERO, .neg = true };

static hx_val special(hx_cx *cx, const hx_num *common, uint32_t prec) {
  if (prec == HX_PREC) return hx_num_of(common);
  hx_num *num = hx_alloc(cx, sizeof *num);
  *num = *common;
  num->prec = prec;
  return hx_num_of(num);
}

hx_val hx_num_zero(hx_cx *cx, bool neg, uint32_t prec) {
  return neg ? special(cx, &minus_zero, prec) : hx_int_prec(0, prec);
}

hx_val hx_num_infinity(hx_cx *cx, bool neg, uint32_t prec) {
  return special(cx, neg ? &minus_inf : &plus_inf, prec);
}

hx_val hx_num_inf(bool negative) {
  return hx_num_of(negative ? &minus_inf : &plus_inf);
}

hx_val hx_num_from_u64(hx_cx *cx, uint64_t i, uint32_t prec) {
  hx_limb limb = i;
  int64_t exp = LIMB_BITS;
  uint32_t n = 1;
  if (!i) return hx_int_prec(0, prec);
  hx_num_normalise(&exp, &limb, &n);
  return hx_num_make(cx, false, exp, &limb, n, false, prec);
}

void hx_num_normalise(int64_t *exp, hx_limb *p, uint32_t *n) {
  while (!p[*n - 1]) {
    --*n;
    *exp -= LIMB_BITS;
  }
  unsigned shift = (unsigned)__builtin_clzll(p[*n - 1]);
  if (shift) hx_limbs_shift_up(p, p, *n, shift);
  *exp -= shift;
}

/* Adds one at ulp. If that carries out of the top, p becomes the next power of two. */
static void round_up(int64_t *exp, hx_limb *p, uint32_t n, hx_limb ulp) {
  if (hx_limbs_add_limb(p, p, n, ulp)) {
    p[n - 1] = TOP_BIT;
    ++*exp;
  }
}

hx_limb *hx_num_round(int64_t *exp, hx_limb *p, uint32_t *n, bool sticky, uint32_t prec) {
  uint64_t bits = (uint64_t)*n * LIMB_BITS;
  HX_ASSERT(p[*n - 1] & TOP_BIT);
  if (bits > prec) {
    uint64_t drop = bits - prec;
    unsigned within = drop % LIMB_BITS;
    uint32_t skip = (uint32_t)(drop / LIMB_BITS);
    /* `cut` holds the highest dropped bits: those of the lowest limb that stays, or else the whole limb below it. Lower limbs follow. */
    hx_limb cut = within ? p[skip] << (LIMB_BITS - within) : p[skip - 1], ulp = (hx_limb)1 << within;
    uint32_t under = within ? skip : skip - 1;
    bool up = cut & TOP_BIT;
    p += skip;
    *n -= skip;
    if (up && cut == TOP_BIT && !sticky && hx_limbs_is_zero(p - skip, under)) up = p[0] & ulp;
    if (within) p[0] &= ~(ulp - 1);
    if (up) round_up(exp, p, *n, ulp);
  } else {
    HX_ASSERT(!sticky);
  }
  while (!p[0]) {
    p++;
    --*n;
  }
  return p;
}

hx_val hx_num_finish(hx_cx *cx, bool neg, int64_t exp, const hx_limb *p, uint32_t n, uint32_t prec) {
  if (n == 1 && exp > 0 && exp <= 64) {
    hx_limb whole = exp == 64 ? p[0] : p[0] >> (64 - exp);
    if (exp == 64 ? neg && p[0] == TOP_BIT : !(p[0] << exp)) {
      return hx_int_prec(neg ? (int64_t)(0 - whole) : (int64_t)whole, prec);
    }
  }
  if (exp > INT32_MAX) return hx_num_infinity(cx, neg, prec);
  if (exp < INT32_MIN) return hx_num_zero(cx, neg, prec);
  hx_num *num = hx_num_new(cx, neg, exp, n, prec);
  memcpy(num->limbs, p, (size_t)n * sizeof *p);
  return hx_num_of(num);
}

hx_val hx_num_make(hx_cx *cx, bool neg, int64_t exp, hx_limb *p, uint32_t n, bool sticky, uint32_t prec) {
  p = hx_num_round(&exp, p, &n, sticky, prec);
  return hx_num_finish(cx, neg, exp, p, n, prec);
}

/* Properties of one number */

int hx_num_sign(const hx_val *a) {
  if (a->tag == HX_T_INT) return (a->u.i > 0) - (a->u.i < 0);
  return a->u.num->kind == HX_NUM_ZERO ? 0 : a->u.num->neg ? -1 : 1;
}

bool hx_num_is_negative(const hx_val *a) {
  return a->tag == HX_T_INT ? a->u.i < 0 : a->u.num->neg;
}

bool hx_num_is_inf(const hx_val *a) {
  return a->tag == HX_T_NUM && a->u.num->kind == HX_NUM_INF;
}

bool hx_num_is_whole(const hx_val *a) {
  if (a->tag == HX_T_INT) return true;
  const hx_num *num = a->u.num;
  if (num->kind != HX_NUM_FINITE) return num->kind == HX_NUM_ZERO;
  return num->exp > 0 && (uint64_t)num->exp >= hx_limbs_bits(num->limbs, num->n);
}

uint32_t hx_num_prec(const hx_val *a) {
  return a->tag == HX_T_INT ? a->len : a->u.num->prec;
}

bool hx_num_to_int(const hx_val *a, int64_t *out) {
  if (a->tag == HX_T_INT) {
    *out = a->u.i;
    return true;
  }
  *out = 0;
  return a->u.num->kind == HX_NUM_ZERO;
}

hx_val hx_num_copy(hx_cx *to, const hx_val *a) {
  if (a->tag == HX_T_INT) return *a;
  const hx_num *num = a->u.num;
  if (num->kind != HX_NUM_FINITE) return special(to, num, num->prec);
  return hx_num_copy_to(hx_alloc(to, hx_num_size(a)), a);
}

size_t hx_num_size(const hx_val *a) {
  return a->tag == HX_T_INT ? 0 : sizeof *a->u.num + (size_t)a->u.num->n * sizeof(hx_limb);
}

hx_val hx_num_copy_to(void *room, const hx_val *a) {
  if (a->tag == HX_T_INT) return *a;
  memcpy(room, a->u.num, hx_num_size(a));
  return hx_num_of(room);
}

/* Sign and whole part */

static hx_val with_sign(hx_cx *cx, const hx_val *a, bool neg) {
  const hx_num *num = a->u.num;
  if (num->neg == neg) return *a;
  if (num->kind == HX_NUM_ZERO) return hx_num_zero(cx, neg, num->prec);
  if (num->kind == HX_NUM_INF) return hx_num_infinity(cx, neg, num->prec);
  /* -2^63 is an INT and 2^63 is not, so hx_num_finish chooses the form. */
  return hx_num_finish(cx, neg, num->exp, num->limbs, num->n, num->prec);
}

static hx_val negate_int(hx_cx *cx, int64_t i, uint32_t prec) {
  if (i == 0) return hx_num_zero(cx, true, prec);
  if (i == INT64_MIN) return hx_num_from_u64(cx, (uint64_t)1 << 63, prec);
  return hx_int_prec(-i, prec);
}

hx_val hx_num_neg(hx_cx *cx, const hx_val *a) {
  return a->tag == HX_T_INT ? negate_int(cx, a->u.i, a->len) : with_sign(cx, a, !a->u.num->neg);
}

hx_val hx_num_abs(hx_cx *cx, const hx_val *a) {
  if (a->tag == HX_T_INT) return a->u.i < 0 ? negate_int(cx, a->u.i, a->len) : *a;
  return with_sign(cx, a, false);
}

/* Returns the whole number next to a fraction: towards zero, or away from it. */
static hx_val whole_of(hx_cx *cx, const hx_val *a, bool away) {
  if (hx_num_is_inf(a)) return *a;
  if (hx_num_is_whole(a)) return hx_num_sign(a) ? *a : hx_int_prec(0, hx_num_prec(a));
  const hx_num *num = a->u.num;
  if (num->exp <= 0) {
    if (away) return hx_int_prec(num->neg ? -1 : 1, num->prec);
    return hx_int_prec(0, num->prec);
  }
  hx_limbs room;
  hx_limbs_charge(cx, num->n);
  hx_limb *p = hx_limbs_take(cx, &room, num->n);
  int64_t exp = num->exp;
  uint32_t n = num->n;
  uint64_t drop = (uint64_t)n * LIMB_BITS - (uint64_t)exp;
  uint32_t skip = (uint32_t)(drop / LIMB_BITS);
  hx_limb one = (hx_limb)1 << drop % LIMB_BITS;
  n -= skip;
  memcpy(p, num->limbs + skip, (size_t)n * sizeof *p);
  p[0] &= ~(one - 1);
  if (away && hx_limbs_add_limb(p, p, n, one)) {
    p[n - 1] = TOP_BIT;
    exp++;
  }
  hx_val result = hx_num_make(cx, num->neg, exp, p, n, false, num->prec);
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_num_trunc(hx_cx *cx, const hx_val *a) {
  return a->tag == HX_T_INT ? *a : whole_of(cx, a, false);
}

hx_val hx_num_floor(hx_cx *cx, const hx_val *a) {
  return a->tag == HX_T_INT ? *a : whole_of(cx, a, a->u.num->neg);
}

hx_val hx_num_ceil(hx_cx *cx, const hx_val *a) {
  return a->tag == HX_T_INT ? *a : whole_of(cx, a, !a->u.num->neg);
}

/* Comparing */

static int compare_magnitude(const hx_num_view *a, const hx_num_view *b) {
  if (a->kind != HX_NUM_FINITE || b->kind != HX_NUM_FINITE) return (int)a->kind - (int)b->kind;
  if (a->exp != b->exp) return a->exp < b->exp ? -1 : 1;
  uint32_t i = a->n, k = b->n;
  while (i && k) {
    hx_limb x = a->p[--i], y = b->p[--k];
    if (x != y) return x < y ? -1 : 1;
  }
  /* If all limbs so far are equal, the number with more limbs is larger, because its lowest limb isn't 0. */
  return (i > 0) - (k > 0);
}

int hx_num_cmp(const hx_val *a, const hx_val *b) {
  if (a->tag == HX_T_INT && b->tag == HX_T_INT) return (a->u.i > b->u.i) - (a->u.i < b->u.i);
  int sign = hx_num_sign(a), other = hx_num_sign(b);
  if (sign != other) return sign < other ? -1 : 1;
  if (sign == 0) return 0;
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  return sign * compare_magnitude(&x, &y);
}

/* Returns true if two fractions of the same sign have the same text. Compares the digits and the place of the point, so that the zeros
** of 1e-600000000 aren't written. */
static bool same_text(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_num_view x, y;
  hx_decimal d, e;
  char d_room[HX_SHORT_DIGITS], e_room[HX_SHORT_DIGITS];
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  hx_decimal_fraction(cx, &d, &x, d_room);
  hx_decimal_fraction(cx, &e, &y, e_room);
  bool same = d.n == e.n && d.exp == e.exp && memcmp(d.digits, e.digits, (size_t)d.n) == 0;
  hx_arena_release(&cx->scratch, mark);
  return same;
}

#define LIMBS_A_STEP 64u /* limbs compared for one step */

static void charge_limbs(hx_cx *cx, const hx_val *a) {
  if (a->tag == HX_T_NUM && a->u.num->n > LIMBS_A_STEP) hx_charge_steps(cx, a->u.num->n / LIMBS_A_STEP);
}

bool hx_num_less(hx_cx *cx, const hx_val *a, const hx_val *b) {
  charge_limbs(cx, a);
  return hx_num_cmp(a, b) < 0;
}

bool hx_num_equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->tag == HX_T_INT && b->tag == HX_T_INT) return a->u.i == b->u.i;
  charge_limbs(cx, a);
  if (hx_num_cmp(a, b) == 0) {
    /* The values are equal, but fractions are compared as texts, which also depend on the precision. */
    if (hx_num_is_whole(a) || hx_num_is_inf(a) || hx_num_prec(a) == hx_num_prec(b)) return true;
  } else {
    if (hx_num_sign(a) != hx_num_sign(b) || hx_num_is_whole(a) || hx_num_is_whole(b)) return false;
    /* At one precision, different numbers have different texts. */
    if (hx_num_prec(a) == hx_num_prec(b) || hx_num_is_inf(a) || hx_num_is_inf(b)) return false;
    int64_t apart = (int64_t)a->u.num->exp - b->u.num->exp;
    if (apart < -1 || apart > 1) return false;
  }
  return same_text(cx, a, b);
}

static uint32_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0x9E3779B97F4A7C15u;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  return (uint32_t)(h >> 32);
}

uint32_t hx_num_hash(hx_cx *cx, const hx_val *a) {
  if (a->tag == HX_T_INT) return mix((uint64_t)a->u.i);
  const hx_num *num = a->u.num;
  if (num->kind == HX_NUM_ZERO) return mix(0);
  if (num->kind == HX_NUM_INF) return mix(num->neg ? 2 : 1) ^ 0x5EEDu;
  if (hx_num_is_whole(a)) {
    charge_limbs(cx, a);
    uint64_t h = (uint64_t)num->exp * 2 + num->neg;
    for (uint32_t i = 0; i < num->n; i++) h = (h ^ num->limbs[i]) * 0x100000001B3u + (h >> 31);
    return mix(h);
  }
  hx_num_view v;
  hx_decimal d;
  char room[HX_SHORT_DIGITS];
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_charge_steps(cx, 1);
  hx_num_look(&v, a);
  hx_decimal_fraction(cx, &d, &v, room);
  uint32_t h = mix(hx_str_hash(hx_str_of(d.digits, (size_t)d.n)) + ((uint64_t)d.exp << 33) + v.neg);
  hx_arena_release(&cx->scratch, mark);
  return h;
}
