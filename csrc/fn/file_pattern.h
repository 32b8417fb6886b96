/* file_pattern.h: fileset's patterns: matches one element of a path against one element of a pattern.
** Memory: scratch.
** Errors: limits abort; each attempt is charged. */
#ifndef HX_FN_FILE_PATTERN_H
#define HX_FN_FILE_PATTERN_H

#include "base/cx.h"

typedef enum hx_pattern_answer { HX_PATTERN_NO, HX_PATTERN_YES, HX_PATTERN_BAD } hx_pattern_answer;

/* `*` matches any characters, `?` one, `[a-z]` and `[^a-z]` one of a class, `{a,b}` one of these, `\` the next character
** itself. */
hx_pattern_answer hx_pattern_match(hx_cx *cx, hx_str pattern, hx_str name);
/* The position of the first `c` without a `\` before it; s.len if there is none. */
uint32_t hx_pattern_find(hx_str s, char c);

#endif
