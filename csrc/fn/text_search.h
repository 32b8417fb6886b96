/* text_search.h: one text within another, in linear time.
** Memory: none.
** Errors: none. */
#ifndef HX_FN_TEXT_SEARCH_H
#define HX_FN_TEXT_SEARCH_H

#include "base/str.h"

/* Where needle (not empty) begins in s, at `from` or later; s.len if nowhere. */
uint32_t hx_find_text(hx_str s, hx_str needle, uint32_t from);
/* How often needle (not empty) stands in s, one occurrence after the end of the other. */
uint32_t hx_count_text(hx_str s, hx_str needle);

/* Code points: their number, and the bytes of the first. s is well-formed. */
uint32_t hx_count_code_points(hx_str s);
uint32_t hx_code_point_len(hx_str s);

HX_INLINE bool hx_is_continuation(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

#endif
