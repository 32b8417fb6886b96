/* outline.h: outlines: collections given where a primitive is wanted. No collection ever becomes a primitive. To reject a
** host's table, only this is needed: that it is a tuple, with its number of elements, or an object. This is the table's
** outline. Making one converts nothing, so large contents, mistakes in them and lazy values are left alone.
** A rejection says no more about a tuple or object, so it shows nothing that marks on elements hide. The number of elements is not
** secret, as with length(), unless the collection itself is marked. For a list, set or map the rejection also names the type
** of the elements.
** Memory: an outline takes none; texts about one are in cx->arena.
** Errors: none but memory. */
#ifndef HX_VM_OUTLINE_H
#define HX_VM_OUTLINE_H

#include "value/value.h"

/* To be rejected, not to be looked into: a tuple of n elements that don't exist, and an object that isn't empty. */
hx_val hx_outline_tuple(uint32_t n);
hx_val hx_outline_object(void);

/* Is v a collection where a primitive type is wanted, which it can't become? Marked values aren't looked at. */
HX_INLINE bool hx_is_refused(const hx_val *v, const hx_type *want) {
  return v->tag >= HX_T_LIST && v->tag <= HX_T_OBJECT && hx_type_is_primitive(want);
}
/* Is v one? */
bool hx_is_outline(const hx_val *v);
/* The reason for the rejection, as hx_mismatch words it. */
hx_str hx_refusal(hx_cx *cx, const hx_val *v, const hx_type *want);

#endif
