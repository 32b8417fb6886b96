/* text_search.h: searches a text within another, in linear time.
** Memory: none.
** Errors: none. */
#ifndef HX_FN_TEXT_SEARCH_H
#define HX_FN_TEXT_SEARCH_H

#include "base/str.h"

/* Returns the position of needle (not empty) in s, at `from` or later, or s.len if it isn't found. */
uint32_t hx_find_text(hx_str s, hx_str needle, uint32_t from);
/* Counts the occurrences of needle (not empty) in s that don't overlap. */
uint32_t hx_count_text(hx_str s, hx_str needle);

/* Returns the number of code points in s, which must be well-formed. */
uint32_t hx_count_code_points(hx_str s);
/* Returns the length in bytes of the first code point of s, which must be well-formed. */
uint32_t hx_code_point_len(hx_str s);

HX_INLINE bool hx_is_continuation(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

#endif
