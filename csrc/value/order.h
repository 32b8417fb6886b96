/* order.h: the order of a set's elements, and the text by which composite elements are ordered.
** Memory: the text is written to the buffer.
** Errors: memory only. */
#ifndef HX_VALUE_ORDER_H
#define HX_VALUE_ORDER_H

#include "base/buf.h"
#include "value/value.h"

/* Appends the text of an element without marks. Equal elements have equal texts; different ones mostly have different texts. */
void hx_order_text(hx_cx *cx, hx_buf *b, const hx_val *v);
/* Appends a string, quoted as hx_order_text does. The console quotes in the same way. */
void hx_order_quote(hx_buf *b, hx_str s);
/* Compares two known numbers. -0 and 0 are equal, but a set may hold both, so they have an order as well. */
int hx_order_numbers(const hx_val *a, const hx_val *b);
/* Returns a rank: known elements come before unknown ones, and unknown ones before null. */
int hx_order_rank(const hx_val *v);

#endif
