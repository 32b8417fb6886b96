/* literal.h: values as source text that gives them again when it is evaluated, laid out as the formatter leaves it.
** Memory: written to the buffer, which lies in cx->scratch: what is made meanwhile comes and goes in cx->arena.
** Errors: false with one diagnostic in cx: unknown and marked values, and the few types that can't be written, have no literal. */
#ifndef HX_BINDING_LITERAL_H
#define HX_BINDING_LITERAL_H

#include "base/buf.h"
#include "value/value.h"

typedef struct hx_literal_style {
  uint32_t indent; /* spaces a level */
  uint32_t level;  /* of the line that the literal begins in */
  bool one_line;
  bool typed; /* what has a type of its own calls the function that gives it: tolist([…]). Otherwise the data alone is written */
} hx_literal_style;

/* Writes v. name: what messages call the whole. */
bool hx_literal_write(hx_cx *cx, hx_buf *b, const hx_val *v, hx_str name, const hx_literal_style *style);

#endif
