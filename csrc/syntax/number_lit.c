/* number_lit.c: decides which number tokens are numbers. The scanner, like the reference's, reads 1.2.3 and 1e5e5 as one token. */
#include "syntax/parse_state.h"

#include "base/ascii.h"

#include <math.h>

/* Returns how many bits a whole number of ndigits digits has. The number begins with `lead`, which has lead_digits digits. The result is
** exact, except for powers of two of more than 18 digits. A digit has 3.3219… bits. */
static int64_t bit_length(uint64_t lead, uint32_t lead_digits, uint32_t ndigits) {
  if (ndigits > lead_digits) return 1 + (int64_t)(log2((double)lead) + (ndigits - lead_digits) * 3.321928094887362348);
  int64_t bits = 0;
  for (; lead; lead >>= 1) bits++;
  return bits;
}

/* Reads the end of a number after the mantissa: an exponent or nothing. Returns false for anything else, and for an exponent that
** doesn't fit 64 bits. */
static bool read_exponent(const char *p, const char *end, int64_t *exponent) {
  *exponent = 0;
  if (p == end) return true;
  if (*p != 'e' && *p != 'E') return false;
  if (++p == end) return false;
  bool negative = *p == '-';
  if (*p == '+' || *p == '-') p++;
  if (p == end) return false;
  uint64_t limit = (uint64_t)INT64_MAX + negative, v = 0;
  for (; p < end; p++) {
    if (!hx_is_digit(*p)) return false;
    uint64_t d = (uint64_t)(*p - '0');
    if (v > (limit - d) / 10) return false;
    v = v * 10 + d;
  }
  *exponent = negative ? (int64_t)(0 - v) : (int64_t)v;
  return true;
}

bool hx_number_is_valid(const char *s, uint32_t len) {
  const char *p = s, *end = s + len;
  while (p < end && hx_is_digit(*p)) p++;
  if (HX_LIKELY(p == end)) return true;
  uint64_t lead = 0; /* the first significant digits */
  uint32_t lead_digits = 0, ndigits = 0, fraction = 0;
  bool dot = false;
  for (p = s; p < end && (hx_is_digit(*p) || (*p == '.' && !dot)); p++) {
    if (*p == '.') {
      dot = true;
      continue;
    }
    fraction += dot;
    if (*p != '0' || ndigits > 0) ndigits++;
    if (ndigits > 0 && lead_digits < 18) lead = lead * 10 + (uint64_t)(*p - '0'), lead_digits++;
  }
  int64_t exponent;
  if (!read_exponent(p, end, &exponent)) return false;
  if (ndigits == 0) return true; /* the number is zero, whatever its exponent */
  /* The reference's floats have 32-bit exponents, and it checks them before it multiplies by the power of five. */
  if (exponent > 2 * (int64_t)INT32_MAX + 2 || exponent < 2 * (int64_t)INT32_MIN - (int64_t)len * 4) return false;
  int64_t exp2 = bit_length(lead, lead_digits, ndigits) - (int64_t)fraction + exponent;
  return exp2 >= INT32_MIN && exp2 <= INT32_MAX;
}
