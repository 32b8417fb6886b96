/* order.h: the text of an element, by which the elements of a set are ordered.
** Memory: the text is written to the buffer.
** Errors: memory only. */
#ifndef HX_VALUE_ORDER_H
#define HX_VALUE_ORDER_H

#include "base/buf.h"
#include "value/value.h"

/* The text of an element. Equal elements have equal texts; different ones mostly different texts. Marks must be off. */
void hx_order_text(hx_cx *cx, hx_buf *b, const hx_val *v);
/* How strings are quoted in it; the console quotes alike. */
void hx_order_quote(hx_buf *b, hx_str s);
/* Order of known elements that are both numbers. -0 and 0 are equal, but a set may hold both, so they have an order as well. */
int hx_order_numbers(const hx_val *a, const hx_val *b);
/* Known elements come before unknown ones, those before null. */
int hx_order_rank(const hx_val *v);

#endif
