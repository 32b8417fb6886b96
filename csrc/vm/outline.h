/* outline.h: outlines: collections given where a primitive is wanted. No collection ever becomes a primitive. To reject a host's table, the
** message needs only this: that it is a tuple, with its number of elements, or an object. This is the table's outline. Making one converts
** nothing, so large contents, mistakes in them and lazy values are left alone.
** A rejection says no more about a tuple or object, so it shows nothing that marks on elements hide. The number of elements is not secret,
** as with length(), unless the collection itself is marked. For a list, set or map the rejection also names the type of the elements.
** Memory: an outline takes no memory; texts about one are in cx->arena.
** Errors: memory only. */
#ifndef HX_VM_OUTLINE_H
#define HX_VM_OUTLINE_H

#include "value/value.h"

/* Make an outline: a tuple of n elements that don't exist, or an object that isn't empty. An outline can be rejected, but its parts
** must not be read. */
hx_val hx_outline_tuple(uint32_t n);
hx_val hx_outline_object(void);

/* Returns true if v is a collection and a primitive type is wanted. Marked values aren't examined. */
HX_INLINE bool hx_is_refused(const hx_val *v, const hx_type *want) {
  return v->tag >= HX_T_LIST && v->tag <= HX_T_OBJECT && hx_type_is_primitive(want);
}
/* Returns true if v is an outline. */
bool hx_is_outline(const hx_val *v);
/* Returns the reason for the rejection, as hx_mismatch words it. */
hx_str hx_refusal(hx_cx *cx, const hx_val *v, const hx_type *want);

#endif
