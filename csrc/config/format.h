/* format.h: the canonical layout of a configuration file. Only the spaces between tokens change. Each line keeps its tokens; comments,
** empty lines, strings and heredocs stay as they are. Nothing is parsed, so any bytes can be laid out, even broken files.
**
** A line ends at a newline that is a token, so a heredoc belongs to the line on which it begins. A line has up to three cells:
**   lead    everything, or the part before the other two
**   assign  from the first `=` on, if the brackets after it are balanced
**   comment at the end, after something else
** format.c finds cells and indents lines by the open brackets. format_space.c decides which tokens have a space between them.
** format_align.c aligns the cells of neighbouring lines.
**
** Memory: the result is in cx->arena; cx->scratch is used for intermediate data. Both take a few bytes for each byte of the source and the
**   result.
** Errors: aborts with HX_WHY_SOURCE if the text exceeds limits.source, with HX_WHY_OUTPUT if the result exceeds the rest of
**   limits.output (deep nesting and long names multiply spaces), and if memory runs out. */
#ifndef HX_CONFIG_FORMAT_H
#define HX_CONFIG_FORMAT_H

#include "text/source.h"

hx_str hx_format(hx_cx *cx, hx_str text);
/* Lays out a source as `terraform fmt` does, which also quotes labels, replaces "${x}" by x, and modernises types. A broken source is only
** laid out. */
hx_str hx_format_terraform(hx_cx *cx, const hx_source *src);

#endif
