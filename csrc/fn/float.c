/* float.c: log, exp and pow of doubles. The C library's are as exact, but round some cases in a hundred differently, and the
** reference prints all digits. The algorithms are classic ones: log by the polynomial of Sun's fdlibm, exp by N. Shibata's Taylor
** series of an argument made small by halving, pow by repeated squaring. The order of every operation matters. */
#include "fn/float.h"

#include <math.h>
#include <string.h>

static uint64_t bits_of(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

#define MANTISSA_MASK 0x000FFFFFFFFFFFFFu
#define HALF_BITS 0x3FE0000000000000u

/* log(x) = k·ln 2 + log(1 + f) with 1 + f between √½ and √2; s = f / (2 + f) turns the second into an even polynomial. */
double hx_float_log(double x) {
  static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  static const double odd[] = { 6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01,
                                1.479819860511658591e-01 };
  static const double even[] = { 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01 };
  if (isnan(x) || x == HUGE_VAL) return x;
  if (x <= 0) return x == 0 ? -HUGE_VAL : NAN;
  /* The mantissa is taken from the bits, as the reference does: for denormal numbers the answer is wrong, but equal to the reference's. */
  double m = from_bits((bits_of(x) & MANTISSA_MASK) | HALF_BITS), k = (double)((int)(bits_of(x) >> 52) - 0x3FE);
  if (m <= 7.07106781186547524401e-01) {
    m *= 2;
    k -= 1;
  }
  double f = m - 1, s = f / (2 + f), s2 = s * s, s4 = s2 * s2;
  double r = s2 * (odd[0] + s4 * (odd[1] + s4 * (odd[2] + s4 * odd[3]))) + s4 * (even[0] + s4 * (even[1] + s4 * even[2]));
  double half = 0.5 * f * f;
  return k * ln2_high - ((half - (s * (half + r) + k * ln2_low)) - f);
}

/* exp(x) for an x between -400 and 400: 2^k · e^r; e^(r/16) - 1 by its Taylor series, then doubled four times: (1 + t)² - 1 = t·(t + 2). */
static double power_of_e(double x) {
  static const double log2_e = 1.4426950408889634073599246810018920;
  static const double ln2_high = 0.69314718055966295651160180568695068359375;
  static const double ln2_low = 0.28235290563031577122588448175013436025525412068e-12;
  static const double series[] = { 1.9841269841269841270e-4,
                                   1.3888888888888888889e-3,
                                   8.3333333333333333333e-3,
                                   4.1666666666666666667e-2,
                                   1.6666666666666666667e-1,
                                   0.5,
                                   1.0 };
  double k = rint(x * log2_e), t;
  x = fma(-k, ln2_high, x);
  x = fma(-k, ln2_low, x) * 0.0625;
  t = 2.4801587301587301587e-5;
  for (unsigned i = 0; i < sizeof series / sizeof *series; i++) t = fma(x, t, series[i]);
  x *= t;
  for (int i = 0; i < 3; i++) x *= x + 2;
  return fma(x + 2, x, 1.0) * from_bits((uint64_t)((int)k + 0x3FF) << 52);
}

static bool is_odd(double y) {
  return fabs(y) < 9007199254740992.0 && floor(y) == y && fmod(y, 2) != 0;
}

/* Returns pow(x, y) where x or y is a zero or an infinity. */
static double special_pow(double x, double y) {
  if (x == 0) {
    double zero = is_odd(y) ? x : 0.0;
    return y > 0 ? zero : copysign(HUGE_VAL, zero);
  }
  if (isinf(y)) {
    if (x == -1) return 1;
    return (fabs(x) < 1) == (y > 0) ? 0 : HUGE_VAL;
  }
  if (x < 0) return special_pow(-0.0, -y);
  return y < 0 ? 0 : HUGE_VAL;
}

/* Returns a · x^n for a whole n > 0, computing mantissa and exponent of 2 apart, so that nothing overflows on the way. invert:
** returns the reciprocal. */
static double whole_pow(double a, double x, int64_t n, bool invert) {
  int64_t exp = 0;
  int part;
  double square = frexp(x, &part);
  int64_t square_exp = part;
  for (; n; n >>= 1) {
    if (square_exp < -4096 || square_exp > 4096) {
      /* The result is far outside of all doubles: the highest bit of n is still to come. */
      exp += square_exp;
      break;
    }
    if (n & 1) {
      a *= square;
      exp += square_exp;
    }
    square *= square;
    square_exp *= 2;
    if (square < 0.5) {
      square += square;
      square_exp--;
    }
  }
  if (invert) {
    a = 1 / a;
    exp = -exp;
  }
  int far = exp > 100000 ? 100000 : exp < -100000 ? -100000 : (int)exp;
  return ldexp(a, far);
}

double hx_float_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (isnan(x) || isnan(y)) return NAN;
  if (x == 0 || isinf(x) || isinf(y)) return special_pow(x, y);
  if (y == 0.5) return sqrt(x);
  if (y == -0.5) return 1 / sqrt(x);
  double whole = floor(fabs(y)), fraction = fabs(y) - whole, a = 1;
  if (fraction != 0 && x < 0) return NAN;
  if (whole >= 9223372036854775808.0) {
    if (x == -1) return 1;
    return (fabs(x) < 1) == (y > 0) ? 0 : HUGE_VAL;
  }
  if (fraction != 0) {
    if (fraction > 0.5) {
      fraction--;
      whole++;
    }
    a = power_of_e(fraction * hx_float_log(x));
  }
  return whole_pow(a, x, (int64_t)whole, y < 0);
}
