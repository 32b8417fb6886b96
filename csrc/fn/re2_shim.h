/* re2_shim.h: RE2 for C. re2_shim.cc is the only file that knows RE2; without HX_HAS_RE2 it is empty.
** Memory: RE2's own, within the bound given for a pattern; hx_re2_free frees it.
** Errors: no C++ exception leaves the shim. */
#ifndef HX_FN_RE2_SHIM_H
#define HX_FN_RE2_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hx_re2 hx_re2;

/* usual, most: bytes that the compiled pattern and its automaton may take, and those for a large pattern. NULL: the pattern is
** wrong and error has the reason (size bytes, NUL-terminated), or error is empty and there is no memory. */
hx_re2 *hx_re2_new(const char *pattern, size_t len, int64_t usual, int64_t most, char *error, size_t size);
void hx_re2_free(void *re);
/* Instructions of the compiled pattern: its cost. */
int hx_re2_size(const hx_re2 *re);
/* The leftmost match in text[0..len) that begins at start or later. at[2 * i], at[2 * i + 1]: begin and end of group i <
** groups, or -1; group 0 is the whole match. Returns 1: matched, 0: no match, -1: no memory. */
int hx_re2_match(hx_re2 *re, const char *text, size_t len, size_t start, int64_t *at, int groups);

#ifdef __cplusplus
}
#endif

#endif
