/* literal.h: writes a value as source text that evaluates to the same value, in the formatter's layout.
** Memory: text is written to the buffer, which lies in cx->scratch; cx->arena is used meanwhile and released.
** Errors: false with one diagnostic in cx: unknown and marked values, and the few types that can't be written, have no
**   literal. */
#ifndef HX_BINDING_DATA_LITERAL_H
#define HX_BINDING_DATA_LITERAL_H

#include "base/buf.h"
#include "value/value.h"

typedef struct hx_literal_style {
  uint32_t indent; /* spaces a level */
  uint32_t level;  /* of the line in which the literal begins */
  bool one_line;
  bool typed; /* values of a type of their own call the function for it: tolist([…]); otherwise only the data are written */
} hx_literal_style;

/* Writes v. name: what messages call the whole. */
bool hx_literal_write(hx_cx *cx, hx_buf *b, const hx_val *v, hx_str name, const hx_literal_style *style);

/* Writes the key of an object: in quotes, unless it reads as a name everywhere. */
void hx_literal_key(hx_buf *b, hx_str key);

#endif
