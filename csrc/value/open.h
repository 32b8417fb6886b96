/* open.h: what open objects, items and untyped unknowns (value/unknown.h) become where their marks would be lost, or where they get one
** type with other values.
** Memory: results in cx->arena.
** Errors: memory and limits only. */
#ifndef HX_VALUE_OPEN_H
#define HX_VALUE_OPEN_H

#include "value/marks.h"
#include "value/unknown.h"

/* Does v contain an open object, items, or an untyped unknown? Marks are ignored. */
bool hx_has_open(const hx_val *v);
/* Is v a map or an object, or might it be? Nothing else gets one type with an open object. */
bool hx_may_be_mapping(const hx_val *v);
/* Is it a list, set or tuple, or might it be? */
bool hx_may_be_sequence(const hx_val *v);
/* All marks in a value that holds an open object; NULL for any other. A result made from it bears them if it is unknown: a
** completion would make it known, with its parts marked. */
const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v);
/* The unknown that reading v, an unknown of `any`, gives: untyped if v is open or untyped. */
hx_val hx_unknown_from(const hx_val *bare);
/* The unknown of `any` for a value made from v, with these marks. */
hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v);
/* The unknown of `any` with all marks in any value. */
hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v);
/* What is certain about v, an object or map, open or not, once it has one type with another that is open: texts and nulls in it stay, and
** objects in it are loosened too; all else may be converted. Anything else is unknown. */
hx_val hx_loosened(hx_cx *cx, const hx_val *v);
/* Are the items of v so different that a set has as many? */
bool hx_items_differ(hx_cx *cx, const hx_val *v);
/* Do the items come in this order, each once, whichever kind v turns out to be? */
bool hx_items_in_order(const hx_val *v);
/* Is v, without marks, surely a sequence of items in that order? */
bool hx_are_sure_elements(const hx_val *bare);
/* Could v, an open object or items, be equal to w, a known value that isn't null? */
hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The value where it doesn't matter whether a sequence is a list, a set or a tuple: tuples for items that are in order. */
hx_val hx_as_data(hx_cx *cx, const hx_val *v);
/* The value as written: objects for open objects, tuples for items. */
hx_val hx_as_written(hx_cx *cx, const hx_val *v);
/* Without a schema: is anything certain about the value of an argument or attribute of that name? Null or empty values may be computed,
** and write-only or ephemeral values are not kept. */
bool hx_is_planned(hx_str name, const hx_val *v);
/* What is certain about such a value: objects and maps are open, with the attributes that are certain; lists, tuples and sets are items.
** It shows as written, without parts that are not kept. json: in JSON syntax, where an object may be a block, and a list several. */
hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json);
/* What is certain about v once it has one type with w, where either may hold open objects. v is converted to the type that both unify to,
** if that is known. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The same for the elements of a list or map, in place; false: not even these elements are certain. */
bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n);

#endif
