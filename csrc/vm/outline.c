/* outline.c: makes and recognises outlines, and words the rejection of one. */
#include "vm/outline.h"

#include "value/convert/convert.h"
#include "value/unknown.h"

hx_val hx_outline_tuple(uint32_t n) {
  static const hx_seq no_elements = { NULL, NULL, 0, false };
  return (hx_val){ .tag = HX_T_TUPLE, .len = n, .u.seq = &no_elements };
}

hx_val hx_outline_object(void) {
  static const hx_str keys[] = { { "", 0 } };
  static const hx_shape shape = { .n = 1, .sorted = true, .keys = keys };
  static const hx_obj object = { .shape = &shape, .v = &hx_unknown_dynamic, .weight = 16 };
  return (hx_val){ .tag = HX_T_OBJECT, .len = 1, .u.obj = &object };
}

bool hx_is_outline(const hx_val *v) {
  if (v->tag == HX_T_TUPLE) return v->len != 0 && !v->u.seq->v;
  return v->tag == HX_T_OBJECT && v->u.obj->v == &hx_unknown_dynamic;
}

hx_str hx_refusal(hx_cx *cx, const hx_val *v, const hx_type *want) {
  /* The words for a tuple or object don't depend on its contents. */
  const hx_type *is = v->tag == HX_T_TUPLE    ? &hx_type_empty_tuple
                      : v->tag == HX_T_OBJECT ? &hx_type_empty_object
                                              : hx_val_type(cx, v);
  return hx_mismatch(cx, is, want, 0);
}
