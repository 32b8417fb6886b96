/* number_arith.c: + - * / %. Source: numbers.md "Arithmetic". Whole numbers that fit come first; the rest goes over limbs. */
#include "value/number_internal.h"

static uint32_t wider(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static uint32_t limbs_of(uint32_t bits) {
  return bits / LIMB_BITS + (bits % LIMB_BITS != 0);
}

/* Is a whole number exact at so many bits? Below 64 a large one may have to be rounded. */
static bool holds(int64_t i, uint32_t prec) {
  if (HX_LIKELY(prec >= 64)) return true;
  uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  return u >> prec == 0;
}

static bool both_int(const hx_val *a, const hx_val *b) {
  return a->tag == HX_T_INT && b->tag == HX_T_INT;
}

/* Addition */

/* Adds b, shifted down by apart bits, into sum (whose top limb is 0, for the carry), or takes it away. */
static void add_shifted(mp_limb_t *sum, uint32_t size, const hx_num_view *b, uint64_t apart, bool minus, hx_cx *cx) {
  hx_limbs room;
  unsigned bits = (unsigned)(apart % LIMB_BITS);
  uint32_t below = b->n + (bits != 0), at = size - 1 - (uint32_t)(apart / LIMB_BITS) - below;
  mp_limb_t *shifted = hx_limbs_take(cx, &room, below);
  if (bits) shifted[0] = mpn_rshift(shifted + 1, b->p, b->n, bits);
  else memcpy(shifted, b->p, b->n * sizeof *shifted);
  if (minus) mpn_sub(sum + at, sum + at, size - at, shifted, below);
  else mpn_add(sum + at, sum + at, size - at, shifted, below);
  hx_limbs_drop(cx, &room);
}

/* |a| ± |b| for finite numbers, a->exp ≥ b->exp, with the sign neg (turned where b is larger). */
static hx_val sum_of(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, bool minus, bool neg, uint32_t prec) {
  uint64_t apart = (uint64_t)(a->exp - b->exp), far = apart / LIMB_BITS;
  uint32_t top = wider(a->n, limbs_of(prec)) + 2, size;
  hx_limbs room;
  bool tiny = far >= top;
  if (tiny) {
    size = top + 1;
  } else {
    size = wider(a->n, (uint32_t)far + b->n + 1) + 1;
  }
  hx_limbs_charge(cx, size);
  mp_limb_t *sum = hx_limbs_take(cx, &room, size);
  memset(sum, 0, (size - 1 - a->n) * sizeof *sum);
  memcpy(sum + size - 1 - a->n, a->p, a->n * sizeof *sum);
  sum[size - 1] = 0;
  if (!tiny) {
    add_shifted(sum, size, b, apart, minus, cx);
    if (minus && (sum[size - 1] & TOP_BIT)) {
      mpn_neg(sum, sum, size);
      neg = !neg;
    }
  } else if (minus) {
    /* Far below the last bit: one unit less and something above it. */
    mpn_sub_1(sum, sum, size, 1);
  }
  int64_t exp = a->exp + LIMB_BITS;
  hx_val result;
  if (!tiny && mpn_zero_p(sum, size)) {
    result = hx_int_prec(0, prec);
  } else {
    hx_num_normalise(&exp, sum, &size);
    result = hx_num_make(cx, neg, exp, sum, size, tiny, prec);
  }
  hx_limbs_drop(cx, &room);
  return result;
}

static hx_val add(hx_cx *cx, const hx_val *a, const hx_val *b, bool minus, uint32_t prec) {
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  if (minus) y.neg = !y.neg;
  if (x.kind == HX_NUM_INF || y.kind == HX_NUM_INF) {
    if (x.kind == y.kind && x.neg != y.neg) return hx_none();
    return hx_num_infinity(cx, x.kind == HX_NUM_INF ? x.neg : y.neg, prec);
  }
  if (x.kind == HX_NUM_ZERO && y.kind == HX_NUM_ZERO) return hx_num_zero(cx, x.neg && y.neg, prec);
  if (x.kind == HX_NUM_ZERO) return hx_view_round(cx, &y, prec);
  if (y.kind == HX_NUM_ZERO) return hx_view_round(cx, &x, prec);
  if (x.exp < y.exp) return sum_of(cx, &y, &x, x.neg != y.neg, y.neg, prec);
  return sum_of(cx, &x, &y, x.neg != y.neg, x.neg, prec);
}

/* A number of one limb as a whole number of up to 62 bits, times 2^exp; false: it has no such shape. */
static bool is_short(const hx_val *v, int64_t *whole, int64_t *exp) {
  if (v->tag == HX_T_INT) {
    *whole = v->u.i;
    *exp = 0;
  } else {
    const hx_num *num = v->u.num;
    if (num->kind != HX_NUM_FINITE || num->n != 1) return false;
    int zeros = __builtin_ctzll(num->limbs[0]);
    if (zeros < 2) return false;
    int64_t m = (int64_t)(num->limbs[0] >> zeros);
    *whole = num->neg ? -m : m;
    *exp = (int64_t)num->exp - (int64_t)LIMB_BITS + zeros;
  }
  return *whole != 0 && *whole < (int64_t)1 << 62 && *whole > -((int64_t)1 << 62);
}

/* m times 2^exp, which is exact in one limb: m isn't 0, exp is small, the precision at least a limb's. */
static hx_val short_number(hx_cx *cx, int64_t m, int64_t exp, uint32_t prec) {
  mp_limb_t bits = m < 0 ? 0 - (mp_limb_t)m : (mp_limb_t)m;
  int lead = __builtin_clzll(bits);
  int64_t whole = exp + __builtin_ctzll(bits);
  if (whole >= 0 && exp < lead) return hx_int_prec(exp >= 0 ? m * ((int64_t)1 << exp) : m / ((int64_t)1 << -exp), prec);
  return hx_num_of_limb(cx, m < 0, exp + (int64_t)LIMB_BITS - lead, bits << lead, prec);
}

/* a ± b where both have few bits and lie near each other, such as 7.5 + 3: exact, in one limb. HX_T_NONE: they don't, or it is 0. */
static hx_val add_exactly(hx_cx *cx, const hx_val *a, const hx_val *b, bool minus, uint32_t prec) {
  int64_t x, y, x_exp, y_exp;
  if (prec < LIMB_BITS || !is_short(a, &x, &x_exp) || !is_short(b, &y, &y_exp)) return hx_none();
  int64_t exp = x_exp < y_exp ? x_exp : y_exp, x_up = x_exp - exp, y_up = y_exp - exp;
  if (x_up > 61 || y_up > 61 || exp < -62 || exp > 62) return hx_none();
  int64_t x_most = INT64_MAX >> (x_up + 1), y_most = INT64_MAX >> (y_up + 1);
  if (x > x_most || x < -x_most || y > y_most || y < -y_most) return hx_none();
  x *= (int64_t)1 << x_up;
  y *= (int64_t)1 << y_up;
  int64_t sum = minus ? x - y : x + y;
  return sum ? short_number(cx, sum, exp, prec) : hx_none();
}

hx_val hx_view_round(hx_cx *cx, const hx_num_view *v, uint32_t prec) {
  hx_limbs room;
  if (v->kind == HX_NUM_ZERO) return hx_num_zero(cx, v->neg, prec);
  if (v->kind == HX_NUM_INF) return hx_num_infinity(cx, v->neg, prec);
  hx_limbs_charge(cx, v->n);
  mp_limb_t *p = hx_limbs_take(cx, &room, v->n);
  memcpy(p, v->p, v->n * sizeof *p);
  hx_val result = hx_num_make(cx, v->neg, v->exp, p, v->n, false, prec);
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_num_add(hx_cx *cx, const hx_val *a, const hx_val *b) {
  uint32_t prec = wider(hx_num_prec(a), hx_num_prec(b));
  if (HX_LIKELY(both_int(a, b))) {
    int64_t whole;
    if (HX_LIKELY(!__builtin_add_overflow(a->u.i, b->u.i, &whole) && holds(whole, prec))) return hx_int_prec(whole, prec);
  }
  hx_val sum = add_exactly(cx, a, b, false, prec);
  return sum.tag != HX_T_NONE ? sum : add(cx, a, b, false, prec);
}

hx_val hx_num_sub(hx_cx *cx, const hx_val *a, const hx_val *b) {
  uint32_t prec = wider(hx_num_prec(a), hx_num_prec(b));
  if (HX_LIKELY(both_int(a, b))) {
    int64_t whole;
    if (HX_LIKELY(!__builtin_sub_overflow(a->u.i, b->u.i, &whole) && holds(whole, prec))) return hx_int_prec(whole, prec);
  }
  hx_val difference = add_exactly(cx, a, b, true, prec);
  return difference.tag != HX_T_NONE ? difference : add(cx, a, b, true, prec);
}

/* Multiplication */

hx_val hx_view_mul(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, uint32_t round_to, uint32_t prec) {
  bool neg = a->neg != b->neg;
  if (a->kind != HX_NUM_FINITE || b->kind != HX_NUM_FINITE) {
    if (a->kind != HX_NUM_INF && b->kind != HX_NUM_INF) return hx_num_zero(cx, neg, prec);
    if (a->kind == HX_NUM_ZERO || b->kind == HX_NUM_ZERO) return hx_none();
    return hx_num_infinity(cx, neg, prec);
  }
  hx_limbs room;
  uint32_t n = a->n + b->n;
  int64_t exp = a->exp + b->exp;
  hx_limbs_charge(cx, n);
  mp_limb_t *product = hx_limbs_take(cx, &room, n), *p;
  if (b->n == 1) product[n - 1] = mpn_mul_1(product, a->p, a->n, b->p[0]);
  else if (a->n == 1) product[n - 1] = mpn_mul_1(product, b->p, b->n, a->p[0]);
  else if (a->n >= b->n) mpn_mul(product, a->p, a->n, b->p, b->n);
  else mpn_mul(product, b->p, b->n, a->p, a->n);
  if (!(product[n - 1] & TOP_BIT)) {
    mpn_lshift(product, product, n, 1);
    exp--;
  }
  p = hx_num_round(&exp, product, &n, false, round_to);
  uint32_t needed = n * LIMB_BITS - (uint32_t)__builtin_ctzll(p[0]);
  hx_val result = hx_num_make(cx, neg, exp, p, n, false, wider(prec, needed));
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_num_mul(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (HX_LIKELY(both_int(a, b))) {
    int64_t product;
    uint32_t prec = wider(a->len, b->len);
    if (HX_LIKELY(!__builtin_mul_overflow(a->u.i, b->u.i, &product) && holds(product, prec))) {
      if (product || (a->u.i >= 0 && b->u.i >= 0)) return hx_int_prec(product, prec);
    }
  }
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  return hx_view_mul(cx, &x, &y, HX_PREC, wider(x.prec, y.prec));
}

/* Division */

/* The quotient of two mantissas lies in (½, 2): `quotient` limbs of fraction, and one that is 0 or 1. */
static hx_val divide(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, bool neg, uint32_t prec) {
  hx_limbs room;
  uint32_t quotient = limbs_of(prec) + 1, over = b->n + quotient;
  uint32_t taken = a->n < over ? a->n : over, n = quotient + 1;
  hx_limbs_charge(cx, over + (uint64_t)a->n);
  mp_limb_t *q = hx_limbs_take(cx, &room, (uint64_t)n + over + b->n), *top = q + n, *rest = top + over;
  memset(top, 0, (over - taken) * sizeof *top);
  memcpy(top + over - taken, a->p + a->n - taken, taken * sizeof *top);
  bool sticky = taken < a->n;
  if (b->n == 1) {
    sticky |= mpn_divrem_1(q, 0, top, over, b->p[0]) != 0;
  } else {
    mpn_tdiv_qr(q, rest, 0, top, over, b->p, b->n);
    sticky |= !mpn_zero_p(rest, b->n);
  }
  int64_t exp = a->exp - b->exp;
  if (q[quotient]) {
    sticky |= (int)(mpn_rshift(q, q, n, 1) != 0);
    exp++;
    q[quotient - 1] |= TOP_BIT;
  }
  hx_val result = hx_num_make(cx, neg, exp, q, quotient, sticky, prec);
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_view_div(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, uint32_t prec) {
  bool neg = a->neg != b->neg;
  if (a->kind == HX_NUM_FINITE && b->kind == HX_NUM_FINITE) return divide(cx, a, b, neg, prec);
  if (a->kind == b->kind) return hx_none();
  if (a->kind == HX_NUM_ZERO || b->kind == HX_NUM_INF) return hx_num_zero(cx, neg, prec);
  return hx_num_infinity(cx, neg, prec);
}

/* a / b for whole numbers, b > 0, where that is a whole number or a binary fraction of few bits, such as 5 / 2: exact, in one
** limb. HX_T_NONE: it isn't. */
static hx_val divide_exactly(hx_cx *cx, int64_t a, int64_t b, uint32_t prec) {
  if (prec < LIMB_BITS || a == INT64_MIN) return hx_none();
  int twos = __builtin_ctzll((uint64_t)b);
  int64_t odd = b >> twos, over = odd == 1 ? a : a / odd;
  if (over * odd != a) return hx_none();
  if (over == 0) return hx_int_prec(0, prec);
  return short_number(cx, over, -twos, prec);
}

hx_val hx_num_div(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (both_int(a, b) && b->u.i > 0) {
    hx_val quotient = divide_exactly(cx, a->u.i, b->u.i, wider(a->len, b->len));
    if (quotient.tag != HX_T_NONE) return quotient;
  }
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  return hx_view_div(cx, &x, &y, wider(x.prec, y.prec));
}

/* Remainder */

hx_val hx_num_mod(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (hx_num_sign(b) == 0) return *a;
  if (hx_num_is_inf(a) || hx_num_is_inf(b)) return hx_none();
  /* With 128 bits the quotient isn't rounded up to a whole number, and every further step is exact. */
  if (both_int(a, b) && a->u.i > INT64_MIN && a->len >= 64 && wider(a->len, b->len) >= 128) {
    return hx_int_prec(a->u.i % b->u.i, a->len);
  }
  hx_val quotient = hx_num_div(cx, a, b);
  if (hx_num_is_inf(&quotient)) return hx_none();
  hx_val whole = hx_num_trunc(cx, &quotient);
  hx_num_view x, y, q;
  hx_num_look(&q, &whole);
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  hx_val times = hx_view_round(cx, &q, x.prec), product;
  hx_num_look(&q, &times);
  product = hx_view_mul(cx, &y, &q, x.prec, x.prec);
  return add(cx, a, &product, true, x.prec);
}
