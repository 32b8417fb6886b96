/* arith.c: + - * / %. Source: numbers.md "Arithmetic". Whole numbers that fit an int64 are tried first, then short numbers, then limbs. */
#include "value/number/internal.h"

static uint32_t wider(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static uint32_t limbs_of(uint32_t bits) {
  return bits / LIMB_BITS + (bits % LIMB_BITS != 0);
}

/* Returns true if `prec` bits hold a whole number exactly. With fewer than 64, a large one may have to be rounded. */
static bool holds(int64_t i, uint32_t prec) {
  if (HX_LIKELY(prec >= 64)) return true;
  uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  return u >> prec == 0;
}

static bool both_int(const hx_val *a, const hx_val *b) {
  return a->tag == HX_T_INT && b->tag == HX_T_INT;
}

/* Addition */

/* Writes b, shifted down by `apart` bits, to sum, which has `size` limbs. The top limb and the limbs that b doesn't reach become 0. */
static void lay_shifted(hx_limb *sum, uint32_t size, const hx_num_view *b, uint64_t apart) {
  unsigned bits = (unsigned)(apart % LIMB_BITS);
  uint32_t over = (uint32_t)(apart / LIMB_BITS) + 1, below = b->n + (bits != 0), at = size - over - below;
  for (uint32_t i = 0; i < at; i++) sum[i] = 0;
  if (bits) sum[at] = hx_limbs_shift_down(sum + at + 1, b->p, b->n, bits);
  else memcpy(sum + at, b->p, b->n * sizeof *sum);
  for (uint32_t i = size - over; i < size; i++) sum[i] = 0;
}

/* Turns sum, which holds b, into a + b or a - b. The top limb of a is one place below that of sum. Returns true if the sign changed,
** because b is larger. */
static bool combine(hx_limb *sum, uint32_t size, const hx_num_view *a, bool minus) {
  uint32_t under = size - 1 - a->n;
  if (!minus) {
    sum[size - 1] = hx_limbs_add(sum + under, sum + under, a->p, a->n);
    return false;
  }
  hx_limb borrow = under ? hx_limbs_negate(sum, sum, under) : 0;
  hx_limb less = hx_limbs_sub(sum + under, a->p, sum + under, a->n);
  if (borrow) less += hx_limbs_sub_limb(sum + under, sum + under, a->n, 1);
  if (HX_LIKELY(!less)) return false;
  hx_limbs_negate(sum, sum, size - 1);
  return true;
}

/* Returns |a| ± |b| for finite numbers with a->exp ≥ b->exp. neg is the sign; it changes if b is larger. */
static hx_val sum_of(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, bool minus, bool neg, uint32_t prec) {
  uint64_t apart = (uint64_t)(a->exp - b->exp), far = apart / LIMB_BITS;
  uint32_t top = wider(a->n, limbs_of(prec)) + 2, size;
  hx_limbs room;
  bool tiny = far >= top;
  size = tiny ? top + 1 : wider(a->n, (uint32_t)far + b->n + 1) + 1;
  hx_limbs_charge(cx, size);
  hx_limb *sum = hx_limbs_take(cx, &room, size);
  int64_t exp = a->exp + LIMB_BITS;
  if (HX_LIKELY(!tiny)) {
    lay_shifted(sum, size, b, apart);
    neg ^= combine(sum, size, a, minus);
  } else {
    /* b is far below the last bit, so it only affects rounding: a difference is one unit less, followed by bits that aren't all zero. */
    memset(sum, 0, (size - 1 - a->n) * sizeof *sum);
    memcpy(sum + size - 1 - a->n, a->p, a->n * sizeof *sum);
    sum[size - 1] = 0;
    if (minus) hx_limbs_sub_limb(sum, sum, size, 1);
  }
  hx_val result;
  if (minus && !tiny && hx_limbs_is_zero(sum, size)) {
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

hx_val hx_view_round(hx_cx *cx, const hx_num_view *v, uint32_t prec) {
  hx_limbs room;
  if (v->kind == HX_NUM_ZERO) return hx_num_zero(cx, v->neg, prec);
  if (v->kind == HX_NUM_INF) return hx_num_infinity(cx, v->neg, prec);
  hx_limbs_charge(cx, v->n);
  hx_limb *p = hx_limbs_take(cx, &room, v->n);
  memcpy(p, v->p, v->n * sizeof *p);
  hx_val result = hx_num_make(cx, v->neg, v->exp, p, v->n, false, prec);
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_long_add(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return add(cx, a, b, false, wider(hx_num_prec(a), hx_num_prec(b)));
}

hx_val hx_long_sub(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return add(cx, a, b, true, wider(hx_num_prec(a), hx_num_prec(b)));
}

hx_val hx_num_add(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (HX_LIKELY(both_int(a, b))) {
    uint32_t prec = wider(a->len, b->len);
    int64_t whole;
    if (HX_LIKELY(!__builtin_add_overflow(a->u.i, b->u.i, &whole) && holds(whole, prec))) return hx_int_prec(whole, prec);
  }
  hx_val sum;
  return hx_short_add(cx, &sum, a, b) ? sum : hx_long_add(cx, a, b);
}

hx_val hx_num_sub(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (HX_LIKELY(both_int(a, b))) {
    uint32_t prec = wider(a->len, b->len);
    int64_t whole;
    if (HX_LIKELY(!__builtin_sub_overflow(a->u.i, b->u.i, &whole) && holds(whole, prec))) return hx_int_prec(whole, prec);
  }
  hx_val difference;
  return hx_short_sub(cx, &difference, a, b) ? difference : hx_long_sub(cx, a, b);
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
  hx_limbs_charge_product(cx, a->n, b->n);
  hx_limb *product = hx_limbs_take(cx, &room, n), *p;
  if (b->n == 1) product[n - 1] = hx_limbs_mul_limb(product, a->p, a->n, b->p[0]);
  else if (a->n == 1) product[n - 1] = hx_limbs_mul_limb(product, b->p, b->n, a->p[0]);
  else hx_limbs_mul(product, a->p, a->n, b->p, b->n);
  if (!(product[n - 1] & TOP_BIT)) {
    hx_limbs_shift_up(product, product, n, 1);
    exp--;
  }
  p = hx_num_round(&exp, product, &n, false, round_to);
  /* The precision rises to the bits of the product, which isn't rounded again. */
  hx_val result = hx_num_finish(cx, neg, exp, p, n, wider(prec, (uint32_t)hx_limbs_bits(p, n)));
  hx_limbs_drop(cx, &room);
  return result;
}

hx_val hx_long_mul(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  return hx_view_mul(cx, &x, &y, HX_PREC, wider(x.prec, y.prec));
}

hx_val hx_num_mul(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (HX_LIKELY(both_int(a, b))) {
    int64_t whole;
    uint32_t prec = wider(a->len, b->len);
    if (HX_LIKELY(!__builtin_mul_overflow(a->u.i, b->u.i, &whole) && holds(whole, prec))) {
      if (whole || (a->u.i >= 0 && b->u.i >= 0)) return hx_int_prec(whole, prec);
    }
  }
  hx_val product;
  return hx_short_mul(cx, &product, a, b) ? product : hx_long_mul(cx, a, b);
}

/* Division */

/* Divides. The quotient of two mantissas lies in (½, 2). So it has `quotient` limbs of fraction, and above them one that is 0 or 1. */
static hx_val divide(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, bool neg, uint32_t prec) {
  hx_limbs room;
  uint32_t quotient = limbs_of(prec) + 1, over = b->n + quotient;
  uint32_t taken = a->n < over ? a->n : over, n = quotient + 1;
  hx_limbs_charge(cx, over + (uint64_t)a->n);
  hx_limbs_charge_product(cx, n, b->n);
  hx_limb *q = hx_limbs_take(cx, &room, (uint64_t)n + over), *top = q + n;
  bool sticky = taken < a->n;
  if (b->n == 1) {
    sticky |= hx_limbs_div_limb(q, over - taken, a->p + a->n - taken, taken, b->p[0]) != 0;
  } else {
    memset(top, 0, (over - taken) * sizeof *top);
    memcpy(top + over - taken, a->p + a->n - taken, taken * sizeof *top);
    hx_limbs_div(q, top, over, b->p, b->n);
    sticky |= !hx_limbs_is_zero(top, b->n);
  }
  int64_t exp = a->exp - b->exp;
  if (q[quotient]) {
    sticky |= (int)(hx_limbs_shift_down(q, q, n, 1) != 0);
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

hx_val hx_long_div(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_num_view x, y;
  hx_num_look(&x, a);
  hx_num_look(&y, b);
  return hx_view_div(cx, &x, &y, wider(x.prec, y.prec));
}

hx_val hx_num_div(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_val quotient;
  return hx_short_div(cx, &quotient, a, b) ? quotient : hx_long_div(cx, a, b);
}

/* Remainder */

hx_val hx_num_mod(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (hx_num_sign(b) == 0) return *a;
  if (hx_num_is_inf(a) || hx_num_is_inf(b)) return hx_none();
  /* From 128 bits on, the reference never rounds the quotient up to a whole number, and every further step is exact. */
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
