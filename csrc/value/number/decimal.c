/* decimal.c: computes the digits of a number. Source: numbers.md "Text". Computes only as many digits as decide the text: multiplies the
** number by a power of ten, and cuts the product to a whole number. For a huge or tiny number (1e600000000) the leading bits of the
** power of five suffice. The result then lies between two bounds. If these disagree about a digit, more bits are computed. */
#include "value/number/internal.h"

#include <math.h>

/* 5^k, or its leading limbs: p × 2^(64·dropped) ≤ 5^k < (p + 2^128) × 2^(64·dropped). If exact, p × 2^(64·dropped) = 5^k. */
typedef struct power {
  hx_limb *p;
  uint64_t n, dropped;
  bool exact;
} power;

/* Computes 5^k. The error stays far below 2^128: p has limit limbs, limit ≥ 8, and at most 33 squarings are needed. */
static void power_init(hx_cx *cx, power *w, uint64_t k, uint64_t limit) {
  uint64_t need = (k * 149 >> 6) / LIMB_BITS + 2; /* log2(5) < 149/64 */
  uint64_t room = 2 * (need < limit ? need + 1 : limit + 1);
  unsigned bits = 0;
  hx_limbs_charge(cx, 4 * room);
  hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)room * 2 * sizeof *p), *square = p + room;
  while (k >> bits > HX_POW5_MAX) bits++;
  p[0] = hx_pow5[k >> bits];
  *w = (power){ .n = 1, .exact = true };
  while (bits--) {
    hx_limbs_charge_product(cx, w->n, w->n);
    hx_limbs_square(square, p, w->n);
    w->n *= 2;
    w->dropped *= 2;
    if (k >> bits & 1) {
      square[w->n] = hx_limbs_mul_limb(square, square, w->n, 5);
      w->n++;
    }
    while (!square[w->n - 1]) w->n--;
    if (w->n > limit) {
      uint64_t low = w->n - limit;
      hx_limbs_copy(square, square + low, limit);
      w->n = limit;
      w->dropped += low;
      w->exact = false;
    }
    hx_limb *t = p;
    p = square;
    square = t;
  }
  w->p = p;
}

/* A whole number in scratch memory; `more` says whether a fraction was cut off. */
typedef struct whole {
  hx_limb *p;
  uint64_t n; /* 0 if the number is 0 */
  bool more;
} whole;

static void strip(whole *w) {
  while (w->n && !w->p[w->n - 1]) w->n--;
}

/* Shifts w by `shift` bits and truncates it to a whole number. A shift up takes new memory. */
static void shift_whole(hx_cx *cx, whole *w, int64_t shift) {
  if (shift > 0) {
    uint64_t far = (uint64_t)shift / LIMB_BITS, n = w->n + far + 1;
    hx_limbs_charge(cx, n);
    hx_charge_steps(cx, n / 8);
    if (n * sizeof(hx_limb) / 2 > cx->memory_left + 65536) hx_abort(cx, HX_WHY_MEMORY);
    hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)n * sizeof *p);
    memset(p, 0, (size_t)far * sizeof *p);
    p[n - 1] = 0;
    if (shift % LIMB_BITS) p[n - 1] = hx_limbs_shift_up(p + far, w->p, w->n, (unsigned)(shift % LIMB_BITS));
    else hx_limbs_copy(p + far, w->p, w->n);
    w->p = p;
    w->n = n;
  } else if (shift < 0) {
    uint64_t far = (uint64_t)(-shift) / LIMB_BITS;
    unsigned bits = (unsigned)((uint64_t)(-shift) % LIMB_BITS);
    if (far >= w->n) {
      w->more = w->more || w->n;
      w->n = 0;
      return;
    }
    w->more = w->more || (far && !hx_limbs_is_zero(w->p, far));
    w->p += far;
    w->n -= far;
    if (bits && hx_limbs_shift_down(w->p, w->p, w->n, bits)) w->more = true;
  }
  strip(w);
}

/* Returns m × 2^exp × 10^s, cut to a whole number, where 5^|s| is w or the upper bound of w. */
static whole scale_with(hx_cx *cx, const hx_limb *m, uint64_t mn, int64_t exp, int64_t s, const power *w, bool upper) {
  whole r = { .n = w->n + mn };
  hx_limb *five = w->p;
  hx_limbs_charge(cx, r.n);
  if (upper) {
    five = hx_arena_alloc(&cx->scratch, (size_t)w->n * sizeof *five);
    hx_limbs_copy(five, w->p, w->n);
    /* If the sum overflows, the number with all bits set is the bound. */
    if (hx_limbs_add_limb(five + 2, five + 2, w->n - 2, 1)) memset(five, 0xff, (size_t)w->n * sizeof *five);
  }
  exp += s + (s < 0 ? -1 : 1) * (int64_t)(w->dropped * LIMB_BITS);
  r.p = hx_arena_alloc(&cx->scratch, (size_t)r.n * sizeof *r.p);
  if (s >= 0) {
    hx_limbs_charge_product(cx, mn, w->n);
    hx_limbs_mul(r.p, m, mn, five, w->n);
    strip(&r);
    shift_whole(cx, &r, exp);
    return r;
  }
  /* For a quotient, exp shifts the numerator up if it is positive, otherwise the divisor. */
  whole top = { .n = mn }, divisor = { .n = w->n };
  top.p = r.p;
  hx_limbs_copy(top.p, m, mn);
  divisor.p = five;
  if (exp >= 0) shift_whole(cx, &top, exp);
  else shift_whole(cx, &divisor, -exp);
  r.n = 0;
  r.more = top.n > 0;
  if (top.n < divisor.n) return r;
  hx_limbs_charge(cx, top.n);
  r.n = top.n - divisor.n + 1;
  hx_limbs_charge_product(cx, r.n, divisor.n);
  r.p = hx_arena_alloc(&cx->scratch, (size_t)r.n * sizeof *r.p);
  hx_limbs_div(r.p, top.p, top.n, divisor.p, divisor.n);
  r.more = !hx_limbs_is_zero(top.p, divisor.n);
  strip(&r);
  return r;
}

/* Sets *out to m × 2^exp × 10^s, cut to a whole number. Returns false if the two bounds of 5^|s| give different results. */
static bool scale(hx_cx *cx, whole *out, const hx_limb *m, uint64_t mn, int64_t exp, int64_t s, const power *w) {
  *out = scale_with(cx, m, mn, exp, s, w, false);
  if (w->exact) return true;
  whole other = scale_with(cx, m, mn, exp, s, w, true);
  if (!out->more || !other.more || out->n != other.n) return false;
  return !out->n || hx_limbs_equal(out->p, other.p, out->n);
}

static const char digit_chars[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Returns the digits of a whole number that isn't 0, without leading zeros, and their number in *len. p is overwritten and has room for n +
** 1 limbs. */
static char *whole_text(hx_cx *cx, hx_limb *p, uint64_t n, int base, uint64_t *len) {
  /* A limb has at most 64 digits in base 2, and 20 in base 10. */
  uint64_t size = n * (base == 2 ? 64u : base < 10 ? 32u : 20u) + 2;
  hx_limbs_charge_base(cx, n);
  unsigned char *text = hx_arena_alloc(&cx->scratch, (size_t)size);
  size_t got = hx_limbs_to_digits(text, p, n, base), zeros = 0;
  while (zeros < got && !text[zeros]) zeros++;
  for (size_t i = zeros; i < got; i++) text[i] = (unsigned char)digit_chars[text[i]];
  *len = got - zeros;
  return (char *)text + zeros;
}

/* Sets *d to the digits of w / 10^s. Trailing zeros are dropped, unless w has further digits that were cut off (w->more). */
static void to_decimal(hx_cx *cx, hx_decimal *d, whole *w, int64_t s) {
  *d = (hx_decimal){ .digits = NULL };
  if (!w->n) return;
  hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)(w->n + 1) * sizeof *p);
  hx_limbs_copy(p, w->p, w->n);
  d->digits = whole_text(cx, p, w->n, 10, &d->n);
  d->exp = (int64_t)d->n - s;
  if (!w->more)
    while (d->digits[d->n - 1] == '0') d->n--;
}

char *hx_whole_digits(hx_cx *cx, const hx_num_view *v, int base, uint64_t *n) {
  whole w = { .n = v->n };
  HX_ASSERT(v->kind == HX_NUM_FINITE && hx_view_is_whole(v));
  hx_limbs_charge(cx, v->n);
  w.p = hx_arena_alloc(&cx->scratch, (v->n + 1) * sizeof *w.p);
  hx_limbs_copy(w.p, v->p, v->n);
  shift_whole(cx, &w, v->exp - (int64_t)v->n * LIMB_BITS);
  hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)(w.n + 1) * sizeof *p);
  hx_limbs_copy(p, w.p, w.n);
  return whole_text(cx, p, w.n, base, n);
}

/* Returns x or x - 1 for a number of the form 0.ddd × 10^x: an estimate of the place of its decimal point. */
static int64_t decimal_exp(int64_t exp) {
  return (int64_t)floor((double)(exp - 1) * 0.30102999566398120) + 1;
}

#define FIRST_LIMIT 26u /* limbs: 5^716 is exact */

static uint64_t magnitude(int64_t s) {
  return s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
}

/* Rounding */

/* Cuts d to n digits, rounded up or down. */
static void cut(hx_decimal *d, uint64_t n, bool up) {
  if (n >= d->n) return;
  if (up) {
    while (n && d->digits[n - 1] == '9') n--;
    if (!n) {
      d->digits[0] = '1';
      d->n = 1;
      d->exp++;
      return;
    }
    d->digits[n - 1]++;
  } else {
    while (n && d->digits[n - 1] == '0') n--;
    if (!n) d->exp = 0;
  }
  d->n = n;
}

/* Rounds d to n digits: to nearest, exact halves to even. more: digits that aren't all 0 follow those of d. */
static void round_nearest(hx_decimal *d, uint64_t n, bool more) {
  if (n >= d->n) return;
  bool up = d->digits[n] >= '5';
  if (d->digits[n] == '5' && n + 1 == d->n && !more) up = n && (d->digits[n - 1] & 1);
  cut(d, n, up);
}

static int64_t fraction_digits(const hx_num_view *v) {
  int64_t lowest = v->exp - (int64_t)hx_view_bits(v);
  return lowest < 0 ? -lowest : 0;
}

void hx_decimal_rounded(hx_cx *cx, hx_decimal *d, const hx_num_view *v, int64_t digits, bool fraction) {
  /* Rounding needs one digit more than wanted, and it must be known whether anything follows that. Another digit makes up for the
  ** estimate. No more digits are computed than exist. */
  int64_t s = digits + 2 - (fraction ? 0 : decimal_exp(v->exp)), all = fraction_digits(v);
  if (s > all) s = all;
  whole w;
  power five;
  for (uint64_t limit = FIRST_LIMIT;; limit *= 2) {
    power_init(cx, &five, magnitude(s), limit > v->n + 8u ? limit : v->n + 8u);
    if (scale(cx, &w, v->p, v->n, v->exp - (int64_t)v->n * LIMB_BITS, s, &five)) break;
  }
  to_decimal(cx, d, &w, s);
  int64_t keep = digits + (fraction ? d->exp : 0);
  if (keep < 0) {
    d->n = 0;
    d->exp = 0;
  } else {
    round_nearest(d, (uint64_t)keep, w.more);
  }
}

/* The shortest decimal */

/* The number, and the numbers half a unit below and above it, each times 10^s. */
typedef struct triple {
  whole value, lower, upper;
} triple;

static bool scale_triple(hx_cx *cx, triple *t, const hx_limb *m, uint64_t n, int64_t exp, unsigned above, int64_t s,
                         const power *five) {
  hx_limb *bound = hx_arena_alloc(&cx->scratch, (size_t)n * sizeof *bound);
  if (!scale(cx, &t->value, m, n, exp, s, five)) return false;
  hx_limbs_sub_limb(bound, m, n, 1);
  if (!scale(cx, &t->lower, bound, n, exp, s, five)) return false;
  hx_limbs_add_limb(bound, m, n, above);
  return scale(cx, &t->upper, bound, n, exp, s, five);
}

static char digit_at(const hx_decimal *d, uint64_t i) {
  return i < d->n ? d->digits[i] : '0';
}

/* Shortens d to as few digits as still lie between the bounds (numbers.md "Text"). even: a decimal equal to a bound reads back as the
** number. */
static void walk(hx_decimal *d, const hx_decimal *lower, const hx_decimal *upper, const triple *t, bool even) {
  for (uint64_t i = 0; i < d->n; i++) {
    char m = d->digits[i], l = digit_at(lower, i), u = digit_at(upper, i);
    bool lower_ends = !t->lower.more && i + 1 == lower->n, upper_goes_on = t->upper.more || i + 1 < upper->n;
    bool down = l != m || (even && lower_ends);
    bool up = m != u && (even || m + 1 < u || upper_goes_on);
    if (down && up) round_nearest(d, i + 1, t->value.more);
    else if (down) cut(d, i + 1, false);
    else if (up) cut(d, i + 1, true);
    if (down || up) return;
  }
}

void hx_decimal_shortest(hx_cx *cx, hx_decimal *d, const hx_num_view *v, uint32_t prec, bool narrow) {
  /* m is the mantissa with prec bits, and with one more (two if narrow), so that the distance to the lower bound is 1. */
  unsigned spare = narrow ? 2 : 1;
  uint64_t bits = (uint64_t)prec + spare, n = bits / LIMB_BITS + 1, size = n > v->n ? n : v->n;
  int64_t exp = v->exp - (int64_t)bits;
  hx_limbs_charge(cx, 3 * size);
  whole m = { .n = size };
  m.p = hx_arena_alloc(&cx->scratch, (size_t)(size + 1) * sizeof *m.p);
  memset(m.p, 0, (size_t)(size - v->n) * sizeof *m.p);
  hx_limbs_copy(m.p + size - v->n, v->p, v->n);
  shift_whole(cx, &m, (int64_t)bits - (int64_t)(size * LIMB_BITS));
  bool even = !(m.p[0] >> spare & 1);
  /* The digits must show that distance; two more make up for the estimates. */
  int64_t s = (int64_t)((double)bits * 0.30103) + 4 - decimal_exp(v->exp);
  triple t;
  power five;
  for (uint64_t limit = FIRST_LIMIT;; limit *= 2) {
    power_init(cx, &five, magnitude(s), limit > m.n + 8 ? limit : m.n + 8);
    if (scale_triple(cx, &t, m.p, m.n, exp, spare, s, &five)) break;
  }
  hx_decimal lower, upper;
  to_decimal(cx, d, &t.value, s);
  to_decimal(cx, &lower, &t.lower, s);
  to_decimal(cx, &upper, &t.upper, s);
  walk(d, &lower, &upper, &t, even);
}
