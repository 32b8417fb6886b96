/* regex_unicode.h: \p{…} of a pattern: the names that exist, and the characters that they stand for.
** Memory: static.
** Errors: none. Source: Unicode 15.0, as in the reference. */
#ifndef HX_FN_REGEX_UNICODE_H
#define HX_FN_REGEX_UNICODE_H

#include "base/buf.h"

/* Writes the class of a name (the text between the braces) in RE2's syntax; false: there is no such name. inside: as an item of
** a class in brackets, else on its own. */
bool hx_regex_class(hx_cx *cx, hx_buf *out, hx_str name, bool negative, bool inside);

#endif
