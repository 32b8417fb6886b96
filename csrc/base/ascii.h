/* ascii.h: tests of ASCII characters, independent of the locale, and a macro for tables that are indexed by a byte.
** Memory: none.
** Errors: none. */
#ifndef HX_BASE_ASCII_H
#define HX_BASE_ASCII_H

#include "base/platform.h"

HX_INLINE bool hx_is_digit(int32_t c) {
  return c >= '0' && c <= '9';
}

HX_INLINE bool hx_is_letter(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

HX_INLINE bool hx_is_alnum(int32_t c) {
  return hx_is_digit(c) || hx_is_letter(c);
}

/* Returns the value of a hexadecimal digit, 0 to 15, or -1. */
HX_INLINE int32_t hx_hex_digit(int32_t c) {
  if (hx_is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

HX_INLINE char hx_lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Expands to the rows of a constant table: HX_BYTE_ROWS(ROW) is ROW(0), … ROW(255). */
#define HX_BYTE_ROWS(row_) \
  HX_BYTE_ROWS_64(row_, 0), HX_BYTE_ROWS_64(row_, 64), HX_BYTE_ROWS_64(row_, 128), HX_BYTE_ROWS_64(row_, 192)
#define HX_BYTE_ROWS_64(row_, c_) \
  HX_BYTE_ROWS_16(row_, c_), HX_BYTE_ROWS_16(row_, (c_) + 16), HX_BYTE_ROWS_16(row_, (c_) + 32), HX_BYTE_ROWS_16(row_, (c_) + 48)
#define HX_BYTE_ROWS_16(row_, c_) \
  HX_BYTE_ROWS_4(row_, c_), HX_BYTE_ROWS_4(row_, (c_) + 4), HX_BYTE_ROWS_4(row_, (c_) + 8), HX_BYTE_ROWS_4(row_, (c_) + 12)
#define HX_BYTE_ROWS_4(row_, c_) row_(c_), row_((c_) + 1), row_((c_) + 2), row_((c_) + 3)

#endif
