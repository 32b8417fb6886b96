/* equal.h: equality, order and hashes of values.
** Memory: scratch only.
** Errors: none. */
#ifndef HX_VALUE_EQUAL_H
#define HX_VALUE_EQUAL_H

#include "value/marks.h"
#include "value/unknown.h"

/* Compares two values as the language's == does. The result is unknown if an unknown part decides it. It has the marks of both values
** and of everything inside them. Types are not converted: values of different types are unequal. */
hx_val hx_equal(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Compares values without any mark, outside or inside, as hx_equal does. (To look for marks would take as long as to compare.) */
hx_val hx_equal_unmarked(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns true if both have the same type and value, including marks, refinements and unknowns (the reference's RawEquals). */
bool hx_same(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns a hash. Known values that are equal have the same hash. */
uint32_t hx_val_hash(hx_cx *cx, const hx_val *v);
/* Compares two elements of a set in the order in which the reference iterates over it: <0, 0, >0. */
int hx_set_order(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns true if two elements (unmarked, of one type) are the same in a set. The test is stricter than ==: -0 is not 0, and a value
** with an unknown inside equals nothing. */
bool hx_set_same(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns true if v (unmarked) is an element of set. Takes linear time only if the set has unknown elements. */
bool hx_set_has(hx_cx *cx, const hx_val *set, const hx_val *v);

#endif
