/* open.h: functions for partly known values: open objects, items, and untyped unknowns (value/unknown.h). They say what such a value
** becomes if it is unified with other values, or if a result can't keep its marks.
** Memory: results in cx->arena.
** Errors: memory and limits only. */
#ifndef HX_VALUE_OPEN_H
#define HX_VALUE_OPEN_H

#include "value/marks.h"
#include "value/unknown.h"

/* Returns true if v contains an open object, items, or an untyped unknown. Ignores marks. */
bool hx_has_open(const hx_val *v);
/* Returns true if v is or may be a map or an object. Only such a value can be unified with an open object. */
bool hx_may_be_mapping(const hx_val *v);
/* Returns true if v is or may be a list, set or tuple. */
bool hx_may_be_sequence(const hx_val *v);
/* Returns all marks in v if hx_has_open(v), otherwise NULL. An unknown result made from v gets these marks, because the final result may
** contain the marked parts. */
const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v);
/* Returns the result of reading a part of `bare`, an unknown of `any`: an untyped unknown if hx_has_open(bare), otherwise an ordinary
** one. */
hx_val hx_unknown_from(const hx_val *bare);
/* Returns an unknown of `any` with the marks of hx_open_marks(v), for a result made from v. */
hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v);
/* Returns an untyped unknown with all marks in v. */
hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v);
/* Returns what stays certain about v after it is unified with an open object. Strings and nulls stay. Objects and maps become open
** objects, whose attributes are loosened in the same way. Everything else might be converted, and becomes unknown. */
hx_val hx_loosened(hx_cx *cx, const hx_val *v);
/* Returns true if the items of v surely differ from each other, so that a set of them has the same length. */
bool hx_items_differ(hx_cx *cx, const hx_val *v);
/* Returns true if every collection that v may become has the items in this order, each once. (A set sorts its elements.) */
bool hx_items_in_order(const hx_val *v);
/* Returns true if v, without marks, is surely a sequence that has exactly its known items, in their order. */
bool hx_are_sure_elements(const hx_val *bare);
/* Says whether v, an open object or items, may equal w, a known value that isn't null. */
hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w);
/* Returns v for uses that treat lists, sets and tuples alike: items whose order is certain become tuples. */
hx_val hx_as_data(hx_cx *cx, const hx_val *v);
/* Returns v as it was written: open objects become objects, items become tuples. */
hx_val hx_as_written(hx_cx *cx, const hx_val *v);
/* Returns true if anything is certain about an argument called `name` with the value v, when no schema is known. Null and empty values
** aren't certain, because a provider may compute them. Nor are write-only and ephemeral ones, because a provider doesn't keep them. */
bool hx_is_planned(hx_str name, const hx_val *v);
/* Returns what is certain about an argument with the value v, when no schema is known. Objects and maps become open objects with the
** certain attributes; lists, tuples and sets become items. A plan shows the value as written, without write-only and ephemeral parts.
** json: v is from JSON syntax, where an object may be a block, and a list several blocks. */
hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json);
/* Returns what is certain about v after it is unified with w. Returns v itself unless hx_has_open is true for one of the two. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w);
/* Unifies each of the n elements of a list or map with the others, as hx_beside does, in place. Returns false if nothing is certain
** about these elements. */
bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n);

#endif
