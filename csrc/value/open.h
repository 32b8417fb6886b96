/* open.h: the partly known values (value/unknown.h): open objects, items, and untyped unknowns. What they become if they are unified
** with other values, or where a result can't keep their marks.
** Memory: results in cx->arena.
** Errors: memory and limits only. */
#ifndef HX_VALUE_OPEN_H
#define HX_VALUE_OPEN_H

#include "value/marks.h"
#include "value/unknown.h"

/* Does v contain an open object, items, or an untyped unknown? Marks are ignored. */
bool hx_has_open(const hx_val *v);
/* Is v a map or an object, or might it be one? Only such a value can be unified with an open object. */
bool hx_may_be_mapping(const hx_val *v);
/* Is it a list, set or tuple, or might it be? */
bool hx_may_be_sequence(const hx_val *v);
/* All marks in a value that contains an open object; NULL for any other value. An unknown result made from it gets these marks, because
** the final result may contain the marked parts. */
const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v);
/* The result of reading a part of v, an unknown of `any`: an unknown, untyped if v is open or untyped. */
hx_val hx_unknown_from(const hx_val *bare);
/* An unknown of `any` with the marks of hx_open_marks(v): a value made from v. */
hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v);
/* An unknown of `any` with all marks in v, whatever v is. */
hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v);
/* What is certain about v, an object or map, after it is unified with an open object. Strings and nulls in it stay, and objects in it are
** loosened in the same way. Everything else might be converted, and becomes unknown. */
hx_val hx_loosened(hx_cx *cx, const hx_val *v);
/* Are the items of v surely different from each other, so that a set of them has the same length? */
bool hx_items_differ(hx_cx *cx, const hx_val *v);
/* Does every possible kind of v have the items in this order, each once? A set has its elements sorted. */
bool hx_items_in_order(const hx_val *v);
/* Is v, without marks, surely a sequence whose items are in that order? */
bool hx_are_sure_elements(const hx_val *bare);
/* Could v, an open object or items, be equal to w, a known value that isn't null? */
hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The value for uses that treat lists, sets and tuples alike: items that are in order become tuples. */
hx_val hx_as_data(hx_cx *cx, const hx_val *v);
/* The value as written: open objects become objects, items become tuples. */
hx_val hx_as_written(hx_cx *cx, const hx_val *v);
/* Without a schema: is anything certain about an argument of that name with the value v? A provider may compute null and empty values, and
** doesn't keep write-only or ephemeral ones. */
bool hx_is_planned(hx_str name, const hx_val *v);
/* What is certain about such a value: objects and maps become open objects with the certain attributes; lists, tuples and sets become
** items. It shows as written, without parts that aren't kept. json: it is in JSON syntax, where an object may be a block, and a list
** several blocks. */
hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json);
/* What is certain about v after it is unified with w, if either may contain open objects. If the unified type is known, v is converted to
** it. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w);
/* The same for the n elements of a list or map, in place. Returns false if not even these elements are certain. */
bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n);

#endif
