/* open.h: partly known values (value/unknown.h): open objects, items, and untyped unknowns. These functions say what such a value becomes
** if it is unified with other values, or if a result can't keep its marks.
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
/* Is v a list, set or tuple, or might it be one? */
bool hx_may_be_sequence(const hx_val *v);
/* Returns all marks in a value that contains an open object; NULL for any other value. An unknown result made from the value gets these
** marks, because the final result may contain the marked parts. */
const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v);
/* Returns the result of reading a part of `bare`, an unknown of `any`: an unknown, untyped if `bare` is open or untyped. */
hx_val hx_unknown_from(const hx_val *bare);
/* Returns an unknown of `any` with the marks of hx_open_marks(v), for a result made from v. */
hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v);
/* Returns an unknown of `any` with all marks in v, whatever v is. */
hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v);
/* Returns what is certain about v, an object or map, after it is unified with an open object. Strings and nulls in v stay, and objects in v
** are loosened in the same way. Everything else might be converted, and becomes unknown. */
hx_val hx_loosened(hx_cx *cx, const hx_val *v);
/* Are the items of v surely different from each other, so that a set of them has the same length? */
bool hx_items_differ(hx_cx *cx, const hx_val *v);
/* Has every collection that v may become the items in this order, each once? (A set sorts its elements.) */
bool hx_items_in_order(const hx_val *v);
/* Is v, without marks, surely a sequence with exactly these items in this order? */
bool hx_are_sure_elements(const hx_val *bare);
/* Could v, an open object or items, be equal to w, a known value that isn't null? */
hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w);
/* Returns v for uses that treat lists, sets and tuples alike: items whose order is certain become tuples. */
hx_val hx_as_data(hx_cx *cx, const hx_val *v);
/* Returns v as it was written: open objects become objects, items become tuples. */
hx_val hx_as_written(hx_cx *cx, const hx_val *v);
/* If no schema is known: is anything certain about an argument called `name` with the value v? A provider may compute null and empty
** values, and doesn't keep write-only or ephemeral ones. */
bool hx_is_planned(hx_str name, const hx_val *v);
/* Returns what is certain about the value of such an argument: objects and maps become open objects with the certain attributes; lists,
** tuples and sets become items. Plans show it as written, without parts that aren't kept. json: v is from JSON syntax, where an object may
** be a block, and a list several blocks. */
hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json);
/* Returns what is certain about v after it is unified with w, if either may contain open objects. If the unified type is known, v is
** converted to it. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w);
/* Does the same for the n elements of a list or map, in place. Returns false if not even these elements are certain. */
bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n);

#endif
