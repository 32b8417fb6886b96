/* short.c: operations that are exact in one or two limbs, as most sums, products and quotients in practice are. Nothing is rounded here,
** so of the rules in numbers.md only the result's precision matters. A number of few bits is computed as a whole number over a power of
** two, a larger one in two limbs. */
#include "value/number/internal.h"

HX_INLINE uint32_t wider(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Returns true if v has more than two limbs. Then no short way is tried. */
HX_INLINE bool is_long(const hx_val *v) {
  return v->tag == HX_T_NUM && v->u.num->n > 2;
}

/* Two limbs */

__extension__ typedef unsigned __int128 two_limbs;
#define TOP_OF_TWO ((two_limbs)TOP_BIT << LIMB_BITS)

/* The number ± 0.m × 2^exp; the top bit of m is set. */
typedef struct wide {
  two_limbs m;
  int64_t exp;
  uint32_t prec;
  bool neg;
} wide;

/* Sets *x to v. Returns false if v isn't a number, if it is 0 or infinite, or if it has more limbs. */
HX_INLINE bool look_wide(wide *x, const hx_val *v) {
  hx_num_view view;
  if (v->tag != HX_T_INT && (v->tag != HX_T_NUM || is_long(v))) return false;
  hx_num_look(&view, v);
  if (view.kind != HX_NUM_FINITE) return false;
  *x = (wide){ .m = (two_limbs)view.p[view.n - 1] << LIMB_BITS, .exp = view.exp, .prec = view.prec, .neg = view.neg };
  if (view.n == 2) x->m |= view.p[0];
  return true;
}

/* Sets *to to x. Returns false if m may have more bits than the precision. */
HX_INLINE bool finish_wide(hx_cx *cx, hx_val *to, const wide *x, uint32_t prec) {
  hx_limb limbs[2] = { (hx_limb)x->m, (hx_limb)(x->m >> LIMB_BITS) };
  uint32_t lower = limbs[0] != 0;
  if (prec < (1 + lower) * LIMB_BITS) return false;
  *to = hx_num_finish(cx, x->neg, x->exp, limbs + 1 - lower, 1 + lower, prec);
  return true;
}

/* Adds y to x, or subtracts it, which may change the sign; x->exp ≥ y->exp. Returns false if bits would be lost. */
static bool combine_wide(wide *x, const wide *y, bool minus) {
  uint64_t apart = (uint64_t)(x->exp - y->exp);
  if (apart >= (uint64_t)2 * LIMB_BITS) return false;
  two_limbs lower = y->m >> apart;
  if (lower << apart != y->m) return false;
  if (!minus) {
    x->m += lower;
    if (x->m >= lower) return true;
    if (x->m & 1) return false;
    x->m = x->m >> 1 | TOP_OF_TWO;
    x->exp++;
    return true;
  }
  if (x->m < lower) {
    x->m = lower - x->m;
    x->neg = !x->neg;
  } else {
    x->m -= lower;
    if (x->m == 0) return true;
  }
  hx_limb high = (hx_limb)(x->m >> LIMB_BITS);
  int lead = high ? __builtin_clzll(high) : (int)LIMB_BITS + __builtin_clzll((hx_limb)x->m);
  x->m <<= lead;
  x->exp -= lead;
  return true;
}

static bool add_wide(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b, bool minus) {
  wide x, y;
  if (!look_wide(&x, a) || !look_wide(&y, b)) return false;
  uint32_t prec = wider(x.prec, y.prec);
  y.neg ^= minus;
  minus = x.neg != y.neg;
  if (x.exp < y.exp) {
    wide larger = y;
    y = x;
    x = larger;
  }
  if (!combine_wide(&x, &y, minus)) return false;
  if (x.m) return finish_wide(cx, to, &x, prec);
  *to = hx_int_prec(0, prec);
  return true;
}

/* Multiplies numbers of one limb each. Returns false if one of them has two. */
static bool mul_wide(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b) {
  wide x, y;
  if (!look_wide(&x, a) || !look_wide(&y, b) || (hx_limb)x.m || (hx_limb)y.m) return false;
  x.m = (x.m >> LIMB_BITS) * (y.m >> LIMB_BITS);
  x.exp += y.exp;
  x.neg ^= y.neg;
  if (!(x.m & TOP_OF_TWO)) {
    x.m <<= 1;
    x.exp--;
  }
  return finish_wide(cx, to, &x, wider(x.prec, y.prec));
}

/* Few bits */

/* The number s / 2^f */
typedef struct scaled {
  int64_t s;
  int f;
  uint32_t prec;
} scaled;
#define SCALE_MAX 62

/* Sets *x to v as s / 2^f. Returns false if v isn't a number, or doesn't have that form. */
HX_INLINE bool look(scaled *x, const hx_val *v) {
  if (v->tag == HX_T_INT) {
    *x = (scaled){ .s = v->u.i, .f = 0, .prec = v->len };
    return true;
  }
  if (HX_UNLIKELY(v->tag != HX_T_NUM)) return false;
  const hx_num *num = v->u.num;
  if (num->n != 1) return false;
  int zeros = __builtin_ctzll(num->limbs[0]);
  int64_t f = (int64_t)LIMB_BITS - zeros - num->exp, s = (int64_t)(num->limbs[0] >> zeros);
  if (HX_UNLIKELY(zeros == 0 || f <= 0 || f > SCALE_MAX)) return false;
  *x = (scaled){ .s = num->neg ? -s : s, .f = (int)f, .prec = num->prec };
  return true;
}

/* Multiplies *s by 2^by, for by from 0 to SCALE_MAX. Returns false if the result doesn't fit. */
HX_INLINE bool scale_up(int64_t *s, int by) {
  int64_t up = (int64_t)((uint64_t)*s << by);
  if (HX_UNLIKELY(up >> by != *s)) return false;
  *s = up;
  return true;
}

/* Sets *to to s / 2^f. Returns false if the precision is below 64 bits, so that s may not fit it. */
HX_INLINE bool finish(hx_cx *cx, hx_val *to, int64_t s, int f, uint32_t prec) {
  if (HX_UNLIKELY(prec < LIMB_BITS)) return false;
  if ((s & (((int64_t)1 << f) - 1)) == 0) {
    *to = hx_int_prec(s >> f, prec);
    return true;
  }
  uint64_t u = s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
  int lead = __builtin_clzll(u);
  hx_num *num = hx_num_new(cx, s < 0, (int64_t)LIMB_BITS - lead - f, 1, prec);
  num->limbs[0] = u << lead;
  *to = hx_num_of(num);
  return true;
}

HX_INLINE bool add_short(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b, bool minus) {
  scaled x, y;
  if (HX_UNLIKELY(!look(&x, a) || !look(&y, b))) return !is_long(a) && !is_long(b) && add_wide(cx, to, a, b, minus);
  int64_t s;
  int f = x.f < y.f ? y.f : x.f;
  if (!(x.f < y.f ? scale_up(&x.s, f - x.f) : scale_up(&y.s, f - y.f))) return add_wide(cx, to, a, b, minus);
  bool over = minus ? __builtin_sub_overflow(x.s, y.s, &s) : __builtin_add_overflow(x.s, y.s, &s);
  if (HX_UNLIKELY(over)) return add_wide(cx, to, a, b, minus);
  return finish(cx, to, s, f, wider(x.prec, y.prec));
}

bool hx_short_add(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b) {
  return add_short(cx, to, a, b, false);
}

bool hx_short_sub(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b) {
  return add_short(cx, to, a, b, true);
}

bool hx_short_mul(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b) {
  scaled x, y;
  int64_t s;
  if (HX_UNLIKELY(!look(&x, a) || !look(&y, b))) return !is_long(a) && !is_long(b) && mul_wide(cx, to, a, b);
  if (HX_UNLIKELY(__builtin_mul_overflow(x.s, y.s, &s) || x.f + y.f > SCALE_MAX)) return mul_wide(cx, to, a, b);
  return s && finish(cx, to, s, x.f + y.f, wider(x.prec, y.prec)); /* a product of 0 may be -0, so it isn't short */
}

/* Divides a by a whole number b > 0: by its power of two, and by its odd part if that leaves no remainder. */
bool hx_short_div(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b) {
  scaled x;
  if (b->tag != HX_T_INT || b->u.i <= 0 || !look(&x, a)) return false;
  int twos = __builtin_ctzll((uint64_t)b->u.i);
  int64_t odd = b->u.i >> twos;
  if (x.f + twos > SCALE_MAX) return false;
  if (odd != 1) {
    if (x.s % odd != 0) return false;
    x.s /= odd;
  }
  return finish(cx, to, x.s, x.f + twos, wider(x.prec, b->len));
}
