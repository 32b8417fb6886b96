/* open.h: what becomes of open objects, items and untyped unknowns (value/unknown.h) where their marks would be lost, or where they get one
** type with other values.
** Memory: results in cx->arena.
** Errors: none but memory and limits. */
#ifndef HX_VALUE_OPEN_H
#define HX_VALUE_OPEN_H

#include "value/marks.h"
#include "value/unknown.h"

/* Is there an open object in v, items, or an untyped unknown? Marks are looked through. */
bool hx_has_open(const hx_val *v);
/* Is v a map or an object, or isn't that known? Nothing else gets one type with an open object. */
bool hx_may_be_mapping(const hx_val *v);
/* Is it a list, set or tuple, or isn't that known? */
bool hx_may_be_sequence(const hx_val *v);
/* All marks in a value that holds an open object; NULL for any other. What is made of it bears them where it isn't known: of a
** completion it would be known, and its parts marked. */
const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v);
/* The unknown in the place of what is read from v, an unknown of `any`: untyped if that is open or untyped. */
hx_val hx_unknown_from(const hx_val *bare);
/* The unknown of `any` in the place of a value made of v, with these marks. */
hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v);
/* The unknown of `any` with all marks in any value. */
hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v);
/* What is sure of v, an object or map, open or not, once it has one type with another that is open: texts and nulls in it stay, and
** objects in it are loosened, too; all else may be converted. Anything else is unknown. */
hx_val hx_loosened(hx_cx *cx, const hx_val *v);
/* Are the items of v so different that there are as many in a set? */
bool hx_items_differ(hx_cx *cx, const hx_val *v);
/* Are they in the same order whatever v is, each once? */
bool hx_items_in_order(const hx_val *v);
/* Is v, without marks, surely a sequence of items in that order? */
bool hx_are_sure_elements(const hx_val *bare);
/* Could v, an open object or items, be equal to w, a known value that isn't null? */
hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The value where it doesn't matter whether a sequence is a list, a set or a tuple: tuples for items that are in order. */
hx_val hx_as_data(hx_cx *cx, const hx_val *v);
/* The value as it is written: objects for open objects, tuples for items. */
hx_val hx_as_written(hx_cx *cx, const hx_val *v);
/* Without a schema: is anything sure of a value that an argument or attribute of that name has? What is null or empty may be computed, and
** what is only written or ephemeral is kept by nobody. */
bool hx_is_planned(hx_str name, const hx_val *v);
/* What is sure of such a value: objects and maps are open, with the attributes that are sure; lists, tuples and sets are items. It shows
** as it is written, but for what nobody keeps. json: it is in JSON syntax, where an object may be a block, and a list of such blocks. */
hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json);
/* What is sure of v once it has one type with w, where either may hold open objects. v is converted to the type that both unify to, as
** far as that is known. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The same for the elements of a list or map, in place; false: not even that the result has these elements. */
bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n);

#endif
