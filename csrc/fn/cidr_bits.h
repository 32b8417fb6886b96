/* cidr_bits.h: 128 bits without a sign: addresses, masks and host numbers.
** Memory: none.
** Errors: none; higher bits than these 128 are lost. */
#ifndef HX_FN_CIDR_BITS_H
#define HX_FN_CIDR_BITS_H

#include "base/platform.h"

typedef struct hx_bits {
  uint64_t hi, lo;
} hx_bits;

HX_INLINE hx_bits hx_bits_and(hx_bits a, hx_bits b) {
  return (hx_bits){ a.hi & b.hi, a.lo & b.lo };
}
HX_INLINE hx_bits hx_bits_or(hx_bits a, hx_bits b) {
  return (hx_bits){ a.hi | b.hi, a.lo | b.lo };
}
HX_INLINE hx_bits hx_bits_not(hx_bits a) {
  return (hx_bits){ ~a.hi, ~a.lo };
}
HX_INLINE bool hx_bits_eq(hx_bits a, hx_bits b) {
  return a.hi == b.hi && a.lo == b.lo;
}
HX_INLINE bool hx_bits_is_zero(hx_bits a) {
  return (a.hi | a.lo) == 0;
}
HX_INLINE bool hx_bits_gt(hx_bits a, hx_bits b) {
  return a.hi != b.hi ? a.hi > b.hi : a.lo > b.lo;
}
HX_INLINE hx_bits hx_bits_next(hx_bits a) {
  return (hx_bits){ a.hi + (a.lo == UINT64_MAX), a.lo + 1 };
}
HX_INLINE hx_bits hx_bits_sub(hx_bits a, hx_bits b) {
  return (hx_bits){ a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo };
}

/* Shifts to the left by n, which is 0 … 128. */
HX_INLINE hx_bits hx_bits_shift(hx_bits a, uint32_t n) {
  if (n == 0) return a;
  if (n >= 128) return (hx_bits){ 0, 0 };
  if (n >= 64) return (hx_bits){ a.lo << (n - 64), 0 };
  return (hx_bits){ a.hi << n | a.lo >> (64 - n), a.lo << n };
}
/* Returns the n lowest bits as ones. */
HX_INLINE hx_bits hx_bits_low(uint32_t n) {
  return hx_bits_not(hx_bits_shift((hx_bits){ UINT64_MAX, UINT64_MAX }, n));
}
HX_INLINE bool hx_bits_fit(hx_bits a, uint32_t n) {
  return !hx_bits_gt(a, hx_bits_low(n));
}

#endif
