/* double.c: converts from and to the host's doubles. The results depend neither on the locale nor on the C library's rounding. */
#include "value/number/internal.h"

#include <float.h>
#include <math.h>

#define DOUBLE_BITS 53
#define DOUBLE_EXP_MIN (-1021) /* the exponent of the smallest normal double, 0.1 × 2^-1021 */
#define DOUBLE_EXP_MAX 1024

hx_val hx_num_from_double(hx_cx *cx, double d, uint32_t prec) {
  int exp;
  if (isnan(d)) return hx_none();
  if (isinf(d)) return hx_num_infinity(cx, d < 0, prec);
  if (d == 0) return hx_num_zero(cx, signbit(d) != 0, prec);
  double mantissa = frexp(fabs(d), &exp);
  hx_limb limb = (hx_limb)ldexp(mantissa, DOUBLE_BITS) << (64 - DOUBLE_BITS);
  return hx_num_make(cx, d < 0, exp, &limb, 1, false, prec);
}

/* Returns how many bits a double of this magnitude has: fewer if it is denormal, 0 or less if it is too small. */
static int64_t bits_of_double(int64_t exp) {
  return exp < DOUBLE_EXP_MIN ? DOUBLE_BITS - (DOUBLE_EXP_MIN - exp) : DOUBLE_BITS;
}

/* Returns the denormal double that is nearest to the magnitude of num. */
static double nearest_denormal(const hx_num *num) {
  int64_t bits = bits_of_double(num->exp);
  if (bits < 0) return 0;
  hx_limb top = num->limbs[num->n - 1];
  uint64_t kept = bits ? top >> (64 - bits) : 0;
  hx_limb cut = bits ? top << bits : top;
  if (cut > TOP_BIT || (cut == TOP_BIT && (num->n > 1 || (kept & 1)))) kept++;
  return ldexp((double)kept, (int)(num->exp - bits));
}

_Static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == DOUBLE_BITS && DBL_MAX_EXP == DOUBLE_EXP_MAX && sizeof(double) == sizeof(uint64_t),
               "doubles are put together from their bits");

static double nearest(const hx_num *num) {
  if (HX_UNLIKELY(num->exp > DOUBLE_EXP_MAX)) return HUGE_VAL;
  if (HX_UNLIKELY(num->exp < DOUBLE_EXP_MIN)) return nearest_denormal(num);
  hx_limb top = num->limbs[num->n - 1], cut = top << DOUBLE_BITS;
  uint64_t bits = top >> (64 - DOUBLE_BITS);
  /* The lowest limb is never 0, so if there are more limbs, the part cut off isn't exactly half. */
  if (cut > TOP_BIT || (cut == TOP_BIT && (num->n > 1 || (bits & 1)))) bits++;
  /* The top bit, which a double doesn't store, raises the exponent by one; so does a carry beyond it, up to infinity. */
  bits += (uint64_t)(num->exp - DOUBLE_EXP_MIN) << (DOUBLE_BITS - 1);
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

double hx_num_to_double(const hx_val *a) {
  if (a->tag == HX_T_INT) return (double)a->u.i;
  const hx_num *num = a->u.num;
  double d = HX_LIKELY(num->kind == HX_NUM_FINITE) ? nearest(num) : num->kind == HX_NUM_ZERO ? 0 : HUGE_VAL;
  return num->neg ? -d : d;
}

/* Sets *out to a if a is exactly a double; otherwise returns false. */
static bool is_double(const hx_val *a, double *out) {
  hx_num_view v;
  if (a->tag == HX_T_INT && a->u.i >= -((int64_t)1 << DOUBLE_BITS) && a->u.i <= (int64_t)1 << DOUBLE_BITS) {
    *out = (double)a->u.i;
    return true;
  }
  *out = hx_num_to_double(a);
  hx_num_look(&v, a);
  if (v.kind != HX_NUM_FINITE) return true;
  return v.exp <= DOUBLE_EXP_MAX && bits_of_double(v.exp) >= (int64_t)hx_view_bits(&v);
}

bool hx_num_to_float(const hx_val *a, double *out) {
  if (a->tag == HX_T_INT || (a->u.num->exp > DOUBLE_BITS && hx_num_is_whole(a))) return is_double(a, out);
  *out = hx_num_to_double(a);
  return true;
}

/* The shortest decimal */

static hx_val from_decimal(hx_cx *cx, const hx_num_view *v) {
  hx_buf b;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_buf_init(&b, &cx->scratch, 32);
  hx_decimal d;
  int64_t bits = bits_of_double(v->exp);
  bool narrow = v->n == 1 && v->p[0] == TOP_BIT && bits == DOUBLE_BITS && v->exp > DOUBLE_EXP_MIN;
  hx_decimal_shortest(cx, &d, v, (uint32_t)bits, narrow);
  if (v->neg) hx_buf_put(&b, '-');
  hx_buf_bytes(&b, d.digits, (uint32_t)d.n);
  hx_buf_put(&b, 'e');
  hx_buf_int(&b, d.exp - (int64_t)d.n);
  hx_val result = hx_num_parse_given(cx, hx_buf_done(&b));
  hx_arena_release(&cx->scratch, mark);
  return result;
}

/* Tries to find a decimal of few digits: a whole number near d × 10^k that gives d when divided by 10^k. If it has at most 15 digits, it
** is the shortest, because no two such decimals read as the same double. */
static hx_val from_few_digits(hx_cx *cx, double d) {
  static const double tens[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };
  double size = fabs(d);
  for (unsigned k = 1; k < sizeof tens / sizeof *tens; k++) {
    double scaled = size * tens[k];
    if (scaled >= 1e15) break;
    double whole = floor(scaled + 0.5);
    /* Both are exact, so the quotient is the double that is nearest to the decimal. */
    if (whole / tens[k] == size) {
      hx_short_quotient q;
      hx_short_quotient_init(&q, (uint64_t)whole, k, HX_PREC);
      return hx_num_make(cx, d < 0, q.exp, q.p, q.n, false, HX_PREC);
    }
  }
  return hx_none();
}

hx_val hx_num_from_shortest(hx_cx *cx, double d) {
  if (isnan(d) || isinf(d)) return hx_none();
  if (d == 0) return hx_num_zero(cx, signbit(d) != 0, HX_PREC);
  if (fabs(d) <= 9007199254740992.0 && d == floor(d)) return hx_int((int64_t)d);
  hx_val result = fabs(d) < 1e15 ? from_few_digits(cx, d) : hx_none();
  if (result.tag != HX_T_NONE) return result;
  hx_num_view v;
  hx_val exact = hx_num_from_double(cx, d, DOUBLE_BITS);
  hx_num_look(&v, &exact);
  return from_decimal(cx, &v);
}
