/* literal.h: writes a value as source text that evaluates to the same value, in the formatter's layout.
** Memory: the text goes to the buffer, which lies in cx->scratch; cx->arena is used meanwhile and released.
** Errors: false with one diagnostic in cx: unknown and marked values have no literal, nor have values of the few types that can't be
**   written. */
#ifndef HX_BINDING_DATA_LITERAL_H
#define HX_BINDING_DATA_LITERAL_H

#include "base/buf.h"
#include "value/value.h"

typedef struct hx_literal_style {
  uint32_t indent; /* number of spaces for a level */
  uint32_t level;  /* the level of the line in which the literal begins */
  bool one_line;
  bool typed; /* write calls such as tolist([…]) for types that a literal doesn't have; otherwise only the data */
} hx_literal_style;

/* Writes v. name: what messages call the whole value. */
bool hx_literal_write(hx_cx *cx, hx_buf *b, const hx_val *v, hx_str name, const hx_literal_style *style);

/* Writes the key of an object, in quotes unless it is an identifier that readers can't take for a keyword. */
void hx_literal_key(hx_buf *b, hx_str key);

#endif
