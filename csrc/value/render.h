/* render.h: writes values as text for people: in full, as `terraform console` prints them, or in short, for messages.
** Memory: text is written to the buffer or to cx->arena.
** Errors: memory and limits only (output is charged). */
#ifndef HX_VALUE_RENDER_H
#define HX_VALUE_RENDER_H

#include "base/buf.h"
#include "value/marks.h"

void hx_render_console(hx_cx *cx, hx_buf *b, const hx_val *v);
/* Renders v on one line for a diagnostic: `"eu-1"`, `5`, `list of string with 3 elements`, `(sensitive value)`, `an unknown string`,
** `null`. */
hx_str hx_render_short(hx_cx *cx, const hx_val *v);
/* Renders v with its article, for use in a sentence: `a list of string with 3 elements`. */
hx_str hx_render_in_sentence(hx_cx *cx, const hx_val *v);

#endif
