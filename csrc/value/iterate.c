/* iterate.c: iterates over a value's elements in the language's order. */
#include "value/value.h"

/* The precision of the numbers that are keys of lists and tuples. */
#define COUNT_PREC 64

void hx_iter_init(hx_cx *cx, hx_iter *it, const hx_val *v) {
  *it = (hx_iter){ .v = v };
  if (hx_is_obj(v)) it->order = hx_shape_order(cx, v->u.obj->shape);
}

bool hx_iter_next(hx_iter *it) {
  const hx_val *v = it->v;
  if (it->i >= v->len) return false;
  uint32_t i = it->i++;
  if (hx_is_obj(v)) {
    if (it->order) i = it->order[i];
    it->key = hx_string(v->u.obj->shape->keys[i]);
    it->value = &v->u.obj->v[i];
    return true;
  }
  it->value = &v->u.seq->v[i];
  it->key = v->tag == HX_T_SET ? *it->value : hx_int_prec(i, COUNT_PREC);
  return true;
}
