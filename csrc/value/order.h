/* order.h: what the order of a set's elements is made from: the text that stands for an element.
** Memory: the text is written to the buffer.
** Errors: none but memory. */
#ifndef HX_VALUE_ORDER_H
#define HX_VALUE_ORDER_H

#include "base/buf.h"
#include "value/value.h"

/* The text of an element. Equal elements have the same; different ones mostly not. Marks must be off. */
void hx_order_text(hx_cx *cx, hx_buf *b, const hx_val *v);
/* The quoting in it, which is also that of the console. */
void hx_order_quote(hx_buf *b, hx_str s);
/* Order of known elements that are both numbers; -0 and 0, which are equal but stand beside each other in a set, included. */
int hx_order_numbers(const hx_val *a, const hx_val *b);
/* Known elements stand before unknown ones, those before null. */
int hx_order_rank(const hx_val *v);

#endif
