/* limbs.c: arithmetic on limbs by schoolbook methods, for builds without GMP. testing/limbs_compare.c compares it with GMP. */
#include "value/number/limbs.h"

#if !defined HX_HAS_GMP || defined HX_TEST

__extension__ typedef unsigned __int128 two_limbs;

/* Sums and differences */

hx_limb hx_plain_add(hx_limb *r, const hx_limb *a, const hx_limb *b, size_t n) {
  hx_limb carry = 0;
  for (size_t i = 0; i < n; i++) {
    hx_limb sum, with;
    carry = __builtin_add_overflow(a[i], carry, &with);
    carry += __builtin_add_overflow(with, b[i], &sum);
    r[i] = sum;
  }
  return carry;
}

hx_limb hx_plain_sub(hx_limb *r, const hx_limb *a, const hx_limb *b, size_t n) {
  hx_limb borrow = 0;
  for (size_t i = 0; i < n; i++) {
    hx_limb difference, without;
    borrow = __builtin_sub_overflow(a[i], borrow, &without);
    borrow += __builtin_sub_overflow(without, b[i], &difference);
    r[i] = difference;
  }
  return borrow;
}

hx_limb hx_plain_add_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b) {
  for (size_t i = 0; i < n; i++) b = __builtin_add_overflow(a[i], b, &r[i]);
  return b;
}

hx_limb hx_plain_sub_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b) {
  for (size_t i = 0; i < n; i++) b = __builtin_sub_overflow(a[i], b, &r[i]);
  return b;
}

hx_limb hx_plain_negate(hx_limb *r, const hx_limb *a, size_t n) {
  hx_limb borrow = 0;
  for (size_t i = 0; i < n; i++) {
    hx_limb limb = a[i];
    r[i] = 0 - limb - borrow;
    borrow |= limb != 0;
  }
  return borrow;
}

/* Shifts */

hx_limb hx_plain_shift_up(hx_limb *r, const hx_limb *a, size_t n, unsigned bits) {
  hx_limb out = a[n - 1] >> (LIMB_BITS - bits);
  for (size_t i = n - 1; i > 0; i--) r[i] = a[i] << bits | a[i - 1] >> (LIMB_BITS - bits);
  r[0] = a[0] << bits;
  return out;
}

hx_limb hx_plain_shift_down(hx_limb *r, const hx_limb *a, size_t n, unsigned bits) {
  hx_limb out = a[0] << (LIMB_BITS - bits);
  for (size_t i = 0; i + 1 < n; i++) r[i] = a[i] >> bits | a[i + 1] << (LIMB_BITS - bits);
  r[n - 1] = a[n - 1] >> bits;
  return out;
}

/* Products */

/* Sets r to a × b + c; returns the limb above r. */
static hx_limb mul_and_add(hx_limb *r, const hx_limb *a, size_t n, hx_limb b, hx_limb c) {
  for (size_t i = 0; i < n; i++) {
    two_limbs t = (two_limbs)a[i] * b + c;
    r[i] = (hx_limb)t;
    c = (hx_limb)(t >> LIMB_BITS);
  }
  return c;
}

hx_limb hx_plain_mul_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b) {
  return mul_and_add(r, a, n, b, 0);
}

/* Adds a × b to r; returns what to add to the limb above. */
static hx_limb add_product(hx_limb *r, const hx_limb *a, size_t n, hx_limb b) {
  hx_limb carry = 0;
  for (size_t i = 0; i < n; i++) {
    two_limbs t = (two_limbs)a[i] * b + r[i] + carry; /* (B-1)² + 2(B-1) = B² - 1: it fits */
    r[i] = (hx_limb)t;
    carry = (hx_limb)(t >> LIMB_BITS);
  }
  return carry;
}

void hx_plain_mul(hx_limb *r, const hx_limb *a, size_t an, const hx_limb *b, size_t bn) {
  r[an] = hx_plain_mul_limb(r, a, an, b[0]);
  for (size_t i = 1; i < bn; i++) r[an + i] = add_product(r + i, a, an, b[i]);
}

/* Quotients */

hx_limb hx_plain_div_limb(hx_limb *q, size_t fraction, const hx_limb *a, size_t n, hx_limb d) {
  hx_limb rest = 0;
  for (size_t i = fraction + n; i-- > 0;) {
    hx_limb low = i < fraction ? 0 : a[i - fraction];
    q[i] = (hx_limb)(((two_limbs)rest << LIMB_BITS | low) / d);
    rest = low - q[i] * d;
  }
  return rest;
}

/* Subtracts a × b from r; returns what to subtract from the limb above. */
static hx_limb take_product(hx_limb *r, const hx_limb *a, size_t n, hx_limb b) {
  hx_limb borrow = 0;
  for (size_t i = 0; i < n; i++) {
    two_limbs t = (two_limbs)a[i] * b + borrow;
    hx_limb low = (hx_limb)t;
    borrow = (hx_limb)(t >> LIMB_BITS) + (r[i] < low);
    r[i] -= low;
  }
  return borrow;
}

/* Returns the upper limb of high:low shifted up by `bits`, 0 to 63. */
static hx_limb upper_part(hx_limb high, hx_limb low, unsigned bits) {
  return high << bits | low >> 1 >> (LIMB_BITS - 1 - bits);
}

/* Returns an estimate of u[2]:u[1]:u[0] / d[1]:d[0], at most the largest limb. The top bit of d[1] is set and u[2]:u[1] ≤ d[1]:d[0].
** Knuth, volume 2, 4.3.1, algorithm D: with the top limb of d alone, the estimate is at most two too large; the next limb corrects it to
** at most one. */
static hx_limb estimate(const hx_limb u[3], const hx_limb d[2]) {
  two_limbs top = (two_limbs)u[2] << LIMB_BITS | u[1];
  two_limbs q = u[2] >= d[1] ? (hx_limb)-1 : top / d[1], rest = top - q * d[1];
  if (rest >> LIMB_BITS == 0 && q * d[0] > (rest << LIMB_BITS | u[0])) q--;
  return (hx_limb)q;
}

/* Divides by Knuth's algorithm. Instead of shifting both numbers until the divisor's top bit is set, it shifts only the limbs used for
** an estimate, which gives the same digits. */
void hx_plain_div(hx_limb *q, hx_limb *a, size_t n, const hx_limb *d, size_t dn) {
  if (dn == 1) {
    a[0] = hx_plain_div_limb(q, 0, a, n, d[0]);
    return;
  }
  unsigned shift = (unsigned)__builtin_clzll(d[dn - 1]);
  hx_limb below = dn > 2 ? d[dn - 3] : 0, high = 0;
  const hx_limb divisor[2] = { upper_part(d[dn - 2], below, shift), upper_part(d[dn - 1], d[dn - 2], shift) };
  /* `high` and the dn limbs at r hold the remainder so far: it is less than d with one limb appended. */
  for (size_t i = n - dn + 1; i-- > 0;) {
    hx_limb *r = a + i;
    below = dn > 2 ? r[dn - 3] : 0;
    const hx_limb top[3] = { upper_part(r[dn - 2], below, shift), upper_part(r[dn - 1], r[dn - 2], shift),
                             upper_part(high, r[dn - 1], shift) };
    q[i] = estimate(top, divisor);
    if (high < take_product(r, d, dn, q[i])) {
      q[i]--;
      hx_plain_add(r, r, d, dn);
    }
    high = r[dn - 1];
  }
}

/* Digits */

/* Returns the largest power of a base that fits in a limb, and its exponent in *exp. */
static hx_limb largest_power(int base, unsigned *exp) {
  hx_limb power = (hx_limb)base, next;
  for (*exp = 1; !__builtin_mul_overflow(power, (hx_limb)base, &next); ++*exp) power = next;
  return power;
}

size_t hx_plain_from_digits(hx_limb *r, const unsigned char *digits, size_t n, int base) {
  unsigned chunk;
  size_t size = 0;
  largest_power(base, &chunk);
  /* Digits that don't fill a chunk come first. */
  for (size_t i = 0, end = n % chunk ? n % chunk : chunk; i < n; end += chunk) {
    hx_limb value = 0, power = 1;
    for (; i < end; i++) {
      value = value * (hx_limb)base + digits[i];
      power *= (hx_limb)base;
    }
    value = mul_and_add(r, r, size, power, value);
    if (value) r[size++] = value;
  }
  return size;
}

size_t hx_plain_to_digits(unsigned char *digits, hx_limb *a, size_t n, int base) {
  unsigned chunk;
  hx_limb power = largest_power(base, &chunk);
  size_t size = 0;
  /* The digits are written lowest first, and then reversed. */
  while (n) {
    hx_limb value = hx_plain_div_limb(a, 0, a, n, power);
    if (!a[n - 1]) n--;
    for (unsigned i = 0; i < chunk && (n || value); i++, value /= (hx_limb)base)
      digits[size++] = (unsigned char)(value % (hx_limb)base);
  }
  for (size_t i = 0; i < size / 2; i++) {
    unsigned char digit = digits[i];
    digits[i] = digits[size - 1 - i];
    digits[size - 1 - i] = digit;
  }
  return size;
}

#endif
