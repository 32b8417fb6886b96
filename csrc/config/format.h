/* format.h: the canonical layout of a configuration file. Only the blanks between tokens change: each line keeps its tokens, and so
** comments, blank lines, strings and heredocs stay as they are. Nothing is parsed: any bytes can be laid out, broken files too.
**
** A line, up to the newline that is a token (so that a heredoc is part of its line), has up to three cells:
**   lead    all of it, or what stands before the other two
**   assign  from the first `=` on, where the brackets behind it are balanced
**   comment at its end, behind something else
** format.c finds them and indents lines by the brackets that are open, format_space.c knows which tokens are set apart,
** format_align.c puts the cells of neighbouring lines under each other.
**
** Memory: the result is in cx->arena; cx->scratch is used meanwhile. In all some bytes for each of the source and of the result.
** Errors: aborts with HX_WHY_SOURCE where the text is longer than limits.source, with HX_WHY_OUTPUT where the result would be longer
**   than what is left of limits.output (deep nesting and long names multiply blanks), and for want of memory. */
#ifndef HX_CONFIG_FORMAT_H
#define HX_CONFIG_FORMAT_H

#include "base/cx.h"

hx_str hx_format(hx_cx *cx, hx_str text);

#endif
