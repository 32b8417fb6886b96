/* equal.h: equality, order and hashes of values.
** Memory: scratch only.
** Errors: none. */
#ifndef HX_VALUE_EQUAL_H
#define HX_VALUE_EQUAL_H

#include "value/marks.h"
#include "value/unknown.h"

/* Compares by the language's ==. The result is unknown if an unknown part leaves it open, and has the marks of both values, also those
** inside. Types are not converted: values of different types are unequal. */
hx_val hx_equal(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Does the same for values without any mark, elements included. (Looking for marks would take as long as comparing.) */
hx_val hx_equal_unmarked(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Have both the same type and value, including marks, refinements and unknowns (the reference's RawEquals)? */
bool hx_same(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns a hash: values that are known and equal have the same one. */
uint32_t hx_val_hash(hx_cx *cx, const hx_val *v);
/* Compares two elements of a set in the order in which the reference iterates over it: <0, 0, >0. */
int hx_set_order(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Are two elements (unmarked, of one type) the same in a set? Stricter than ==: -0 is not 0, and a value with an unknown inside
** equals nothing. */
bool hx_set_same(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Is v (unmarked) an element of set? Takes linear time only with unknown elements. */
bool hx_set_has(hx_cx *cx, const hx_val *set, const hx_val *v);

#endif
