/* regex_unicode.h: \p{…} of a pattern: which names there are and which characters they stand for.
** Memory: static.
** Errors: none. Source: Unicode 15.0, as the reference has it. */
#ifndef HX_FN_REGEX_UNICODE_H
#define HX_FN_REGEX_UNICODE_H

#include "base/buf.h"

/* Writes the class of a name (as it stands between the braces) in RE2's syntax; false: there is none of that name.
** inside: as an item of a class in brackets, else on its own. */
bool hx_regex_class(hx_cx *cx, hx_buf *out, hx_str name, bool negative, bool inside);

#endif
