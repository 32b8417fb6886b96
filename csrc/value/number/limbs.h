/* limbs.h: arithmetic on limbs, the 64-bit digits of numbers, lowest first. Only this file uses GMP, and only its mpn_ functions. Without
** HX_HAS_GMP, limbs.c gives the same results by schoolbook methods, in time that grows with the product of the sizes.
** Memory: all buffers are the caller's. GMP allocates only for operands of thousands of limbs, and stops the process if that fails. So
**   hx_limbs_charge (value/number/internal.h) checks beforehand that there is memory.
** Errors: none. Operands have at least one limb unless stated otherwise. In a function marked [in place] the result may begin at the
**   same limb as an operand; otherwise results and operands don't overlap. */
#ifndef HX_VALUE_NUMBER_LIMBS_H
#define HX_VALUE_NUMBER_LIMBS_H

#include "base/platform.h"

#include <string.h>

#ifdef HX_HAS_GMP
#include <gmp.h>
_Static_assert(GMP_NUMB_BITS == 64 && GMP_NAIL_BITS == 0, "numbers are built for a GMP of 64-bit limbs without nails");
typedef mp_limb_t hx_limb;
#define BY(gmp, plain) gmp
#else
typedef uint64_t hx_limb;
#define BY(gmp, plain) plain
#endif

#define LIMB_BITS 64u
#define TOP_BIT ((hx_limb)1 << 63)

/* The schoolbook methods of limbs.c, with the contracts of the functions below. Test builds have both, to compare them with GMP. */
hx_limb hx_plain_add(hx_limb *r, const hx_limb *a, const hx_limb *b, size_t n);
hx_limb hx_plain_sub(hx_limb *r, const hx_limb *a, const hx_limb *b, size_t n);
hx_limb hx_plain_add_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b);
hx_limb hx_plain_sub_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b);
hx_limb hx_plain_negate(hx_limb *r, const hx_limb *a, size_t n);
hx_limb hx_plain_shift_up(hx_limb *r, const hx_limb *a, size_t n, unsigned bits);
hx_limb hx_plain_shift_down(hx_limb *r, const hx_limb *a, size_t n, unsigned bits);
hx_limb hx_plain_mul_limb(hx_limb *r, const hx_limb *a, size_t n, hx_limb b);
void hx_plain_mul(hx_limb *r, const hx_limb *a, size_t an, const hx_limb *b, size_t bn);
hx_limb hx_plain_div_limb(hx_limb *q, size_t fraction, const hx_limb *a, size_t n, hx_limb d);
void hx_plain_div(hx_limb *q, hx_limb *a, size_t n, const hx_limb *d, size_t dn);
size_t hx_plain_from_digits(hx_limb *r, const unsigned char *digits, size_t n, int base);
size_t hx_plain_to_digits(unsigned char *digits, hx_limb *a, size_t n, int base);

/* Copying and comparing. A copy may overlap its source. */
HX_INLINE void hx_limbs_copy(hx_limb *r, const hx_limb *a, uint64_t n) {
  memmove(r, a, (size_t)n * sizeof *r);
}
HX_INLINE bool hx_limbs_is_zero(const hx_limb *a, uint64_t n) { /* n may be 0 */
  for (uint64_t i = 0; i < n; i++)
    if (a[i]) return false;
  return true;
}
HX_INLINE bool hx_limbs_equal(const hx_limb *a, const hx_limb *b, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/* Sums and differences of n limbs. They return the carry or borrow. [in place] */
HX_INLINE hx_limb hx_limbs_add(hx_limb *r, const hx_limb *a, const hx_limb *b, uint64_t n) {
  return BY(mpn_add_n(r, a, b, (mp_size_t)n), hx_plain_add(r, a, b, n));
}
HX_INLINE hx_limb hx_limbs_sub(hx_limb *r, const hx_limb *a, const hx_limb *b, uint64_t n) {
  return BY(mpn_sub_n(r, a, b, (mp_size_t)n), hx_plain_sub(r, a, b, n));
}
HX_INLINE hx_limb hx_limbs_add_limb(hx_limb *r, const hx_limb *a, uint64_t n, hx_limb b) {
  return BY(mpn_add_1(r, a, (mp_size_t)n, b), hx_plain_add_limb(r, a, n, b));
}
HX_INLINE hx_limb hx_limbs_sub_limb(hx_limb *r, const hx_limb *a, uint64_t n, hx_limb b) {
  return BY(mpn_sub_1(r, a, (mp_size_t)n, b), hx_plain_sub_limb(r, a, n, b));
}
/* Sets r to 0 - a; the borrow is 0 only if a is zero. [in place] */
HX_INLINE hx_limb hx_limbs_negate(hx_limb *r, const hx_limb *a, uint64_t n) {
  return BY(mpn_neg(r, a, (mp_size_t)n), hx_plain_negate(r, a, n));
}

/* Shift by 1 to 63 bits. They return the bits shifted out, where the neighbouring limb has room for them: in its low bits after a shift
** up, in its high bits after a shift down. [in place] In a shift up r may also be above a, in a shift down below it. */
HX_INLINE hx_limb hx_limbs_shift_up(hx_limb *r, const hx_limb *a, uint64_t n, unsigned bits) {
  return BY(mpn_lshift(r, a, (mp_size_t)n, bits), hx_plain_shift_up(r, a, n, bits));
}
HX_INLINE hx_limb hx_limbs_shift_down(hx_limb *r, const hx_limb *a, uint64_t n, unsigned bits) {
  return BY(mpn_rshift(r, a, (mp_size_t)n, bits), hx_plain_shift_down(r, a, n, bits));
}

/* Sets r to a × b, where a has n limbs; returns the limb above r. [in place] */
HX_INLINE hx_limb hx_limbs_mul_limb(hx_limb *r, const hx_limb *a, uint64_t n, hx_limb b) {
  return BY(mpn_mul_1(r, a, (mp_size_t)n, b), hx_plain_mul_limb(r, a, n, b));
}
/* Sets r to a × b: an + bn limbs; the top one may be 0. */
HX_INLINE void hx_limbs_mul(hx_limb *r, const hx_limb *a, uint64_t an, const hx_limb *b, uint64_t bn) {
  if (an >= bn) BY((void)mpn_mul(r, a, (mp_size_t)an, b, (mp_size_t)bn), hx_plain_mul(r, a, an, b, bn));
  else BY((void)mpn_mul(r, b, (mp_size_t)bn, a, (mp_size_t)an), hx_plain_mul(r, b, bn, a, an));
}
HX_INLINE void hx_limbs_square(hx_limb *r, const hx_limb *a, uint64_t n) {
  BY(mpn_sqr(r, a, (mp_size_t)n), hx_plain_mul(r, a, n, a, n));
}

/* Sets q to a / d, with fraction + n limbs, `fraction` of them after the point. Returns the remainder. d isn't 0. n may be 0 if fraction
** isn't. */
HX_INLINE hx_limb hx_limbs_div_limb(hx_limb *q, uint64_t fraction, const hx_limb *a, uint64_t n, hx_limb d) {
  return BY(mpn_divrem_1(q, (mp_size_t)fraction, a, (mp_size_t)n, d), hx_plain_div_limb(q, fraction, a, n, d));
}
/* Sets q to a / d, with n - dn + 1 limbs, for n ≥ dn and a top limb of d that isn't 0. The remainder replaces the lowest dn limbs of a;
** the other limbs of a are then undefined. */
HX_INLINE void hx_limbs_div(hx_limb *q, hx_limb *a, uint64_t n, const hx_limb *d, uint64_t dn) {
  BY(mpn_tdiv_qr(q, a, 0, a, (mp_size_t)n, d, (mp_size_t)dn), hx_plain_div(q, a, n, d, dn));
}

/* Sets r to the number with these n digits, highest first. Each is a number below base (2 to 62), and the first isn't 0. r has room for
** the most limbs that n digits can need. Returns the number of limbs used. */
HX_INLINE uint64_t hx_limbs_from_digits(hx_limb *r, const unsigned char *digits, size_t n, int base) {
  return BY((uint64_t)mpn_set_str(r, digits, n, base), hx_plain_from_digits(r, digits, n, base));
}
/* Writes the digits of a, and returns their number. Some at the front may be 0. Overwrites a, which has room for n + 1 limbs, and whose
** top limb isn't 0. */
HX_INLINE size_t hx_limbs_to_digits(unsigned char *digits, hx_limb *a, uint64_t n, int base) {
  return BY(mpn_get_str(digits, base, a, (mp_size_t)n), hx_plain_to_digits(digits, a, n, base));
}

#undef BY

#endif
