/* outline.h: collections where only a primitive will do. No collection ever becomes one, whatever is in it, so all that a refusal needs
** to know of a host's table is whether it is a tuple, and of how many elements, or an object: an outline. Making one converts nothing: what
** is in the table, which may be much, or wrong itself, or a lazy value not asked for yet, is left alone.
**   Nor does a refusal say more of a tuple or object, so marks on elements hide nothing of it: how many there are is no secret unless
** it bears a mark itself, as with length(). Of a list, set or map the type of the elements is told too.
** Memory: an outline takes none; what is said of one is in cx->arena.
** Errors: none but memory. */
#ifndef HX_VM_OUTLINE_H
#define HX_VM_OUTLINE_H

#include "vm/host.h"
#include "vm/machine.h"

/* To be refused, not to be looked into: of n elements, none of which is there, or an object that isn't empty. */
hx_val hx_outline_tuple(uint32_t n);
hx_val hx_outline_object(void);
/* The host gave an outline for what is wanted in this way. false: its elements count after all. */
bool hx_outline_will_do(hx_machine *m, hx_want want);

/* Is v a collection, which can't become what is wanted, a primitive type? Marked ones aren't looked at. */
HX_INLINE bool hx_is_refused(const hx_val *v, const hx_type *want) {
  return v->tag >= HX_T_LIST && v->tag <= HX_T_OBJECT && hx_type_is_primitive(want);
}
/* Why it is, as hx_mismatch says it. */
hx_str hx_refusal(hx_cx *cx, const hx_val *v, const hx_type *want);

#endif
