/* str.h: a piece of text or bytes: a pointer and a length, not NUL-terminated.
** Memory: the bytes are borrowed from their owner (a source, an arena, static data).
** Errors: none. */
#ifndef HX_BASE_STR_H
#define HX_BASE_STR_H

#include "base/platform.h"

#include <string.h>

typedef struct hx_str {
  const char *p;
  uint32_t len;
} hx_str;

/* A string literal as hx_str. */
#define HX_STR(lit) ((hx_str){ "" lit "", (uint32_t)(sizeof(lit) - 1) })
/* The arguments for printf's "%.*s". s must be a variable, because it is evaluated twice. */
#define HX_STR_ARG(s) (int)(s).len, (s).p

HX_INLINE hx_str hx_str_of(const char *p, size_t len) {
  return (hx_str){ p, (uint32_t)len };
}

HX_INLINE hx_str hx_str_c(const char *p) {
  return (hx_str){ p, (uint32_t)strlen(p) };
}

/* Returns s without its first `at` bytes. */
HX_INLINE hx_str hx_str_from(hx_str s, uint32_t at) {
  return (hx_str){ s.p + at, s.len - at };
}

HX_INLINE bool hx_str_eq(hx_str a, hx_str b) {
  return a.len == b.len && (a.p == b.p || !a.len || memcmp(a.p, b.p, a.len) == 0);
}

/* Compares by bytes, as the language sorts keys and strings: <0, 0, >0. */
HX_INLINE int hx_str_cmp(hx_str a, hx_str b) {
  uint32_t n = a.len < b.len ? a.len : b.len;
  int c = n ? memcmp(a.p, b.p, n) : 0;
  return c ? c : (a.len > b.len) - (a.len < b.len);
}

#endif
