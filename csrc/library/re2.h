/* re2.h: RE2 for C. Only re2.cc uses RE2.
** Memory: RE2's own, within the bound given for a pattern. `close` frees it, or keeps it for its thread, within bounds.
** Errors: no C++ exception leaves these functions. */
#ifndef HX_LIBRARY_RE2_H
#define HX_LIBRARY_RE2_H

#include "base/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hx_re2 hx_re2;

typedef struct hx_re2_library {
  /* Compiles a pattern. usual: the bytes that the pattern and its automata may take; most: the bytes that a large pattern may take.
  ** Returns NULL if the pattern is wrong or memory ran out. `error` then has the reason (at most `size` bytes, NUL-terminated), or is
  ** empty if memory ran out. *too_large: the pattern is too large. */
  hx_re2 *(*open)(const char *pattern, size_t len, int64_t usual, int64_t most, bool *too_large, char *error, size_t size);
  void (*close)(hx_re2 *re);
  /* Returns the number of instructions of the compiled pattern, by which it is charged. */
  int (*size)(const hx_re2 *re);
  /* Finds the leftmost match in text[0..len) that begins at `start` or later. Sets at[2 * i] and at[2 * i + 1] to the begin and end of
  ** group i < groups, or to -1; group 0 is the whole match. Returns 1: matched, 0: no match, -1: no memory. */
  int (*match)(hx_re2 *re, const char *text, size_t len, size_t start, int64_t *at, int groups);
} hx_re2_library;

extern HX_EXPORT const hx_re2_library hx_library_re2;

#ifdef __cplusplus
}
#endif

#endif
