/* open.c: open objects among other values. */
#include "value/open.h"
#include "value/equal.h"

/* Parts of a value that may hold open objects, *n of them. */
static const hx_val *parts_of(const hx_val *v, uint32_t *n) {
  *n = v->len;
  if (hx_is_seq(v)) return v->u.seq->plain ? NULL : v->u.seq->v;
  return hx_is_obj(v) ? v->u.obj->v : NULL;
}

bool hx_has_open(const hx_val *v) {
  uint32_t n;
  v = hx_unmarked(v);
  if (hx_known_parts(v)) return true;
  const hx_val *parts = parts_of(v, &n);
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < n; i++)
    if (parts[i].tag > HX_T_STR && hx_has_open(&parts[i])) return true;
  return false;
}

const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v) {
  const hx_marks *marks = NULL;
  if (hx_has_open(v)) hx_unmark_deep(cx, v, &marks);
  return marks;
}

hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v) {
  return hx_mark(cx, hx_unknown_dynamic, hx_open_marks(cx, v));
}

hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v) {
  const hx_marks *marks = NULL;
  hx_unmark_deep(cx, v, &marks);
  return hx_mark(cx, hx_unknown_dynamic, marks);
}

/* An object or map, open or not, as OBJECT or MAP; NULL for anything else. */
static const hx_val *attributes_of(const hx_val *bare) {
  if (hx_open_of(bare)) return hx_open_of(bare);
  return hx_is_obj(bare) ? bare : NULL;
}

hx_val hx_loosened(hx_cx *cx, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v), *from = attributes_of(bare);
  hx_kind kind = hx_val_kind(bare);
  if (bare->tag == HX_T_STR) return *v;
  if (bare->tag == HX_T_UNKNOWN && !hx_known_parts(bare) && (kind == HX_K_DYNAMIC || kind == HX_K_STRING)) return *v;
  if (bare->tag == HX_T_NULL) return hx_mark(cx, hx_null(&hx_type_dynamic), hx_marks_get(v));
  if (!from) return hx_unknown_with_marks(cx, v);
  hx_stack_check();
  hx_val *parts = HX_NEW_ARRAY(cx, hx_val, from->len);
  for (uint32_t i = 0; i < from->len; i++) parts[i] = hx_loosened(cx, &from->u.obj->v[i]);
  hx_val object = hx_object(cx, from->u.obj->shape, parts);
  return hx_mark(cx, hx_open_object(cx, &object), hx_marks_get(v));
}

bool hx_may_be_mapping(const hx_val *v) {
  hx_kind kind = hx_val_kind(v);
  return kind == HX_K_DYNAMIC || kind == HX_K_MAP || kind == HX_K_OBJECT;
}

bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n) {
  bool any = false;
  for (uint32_t i = 0; i < n; i++) any = any || hx_has_open(&v[i]);
  if (!any || n == 1) return true;
  for (uint32_t i = 0; i < n; i++)
    if (!hx_may_be_mapping(&v[i])) return false;
  for (uint32_t i = 0; i < n; i++) v[i] = hx_loosened(cx, &v[i]);
  return true;
}

static bool same_keys(const hx_val *v, const hx_val *w) {
  if (v->len != w->len) return false;
  for (uint32_t i = 0; i < v->len; i++)
    if (!hx_obj_get(w, v->u.obj->shape->keys[i])) return false;
  return true;
}

/* Part by part: the other is of the same form. */
static hx_val parts_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  uint32_t n = v->len;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  hx_stack_check();
  if (v->tag == HX_T_TUPLE) {
    for (uint32_t i = 0; i < n; i++) out[i] = hx_beside(cx, &v->u.seq->v[i], &w->u.seq->v[i]);
    return hx_tuple(cx, out, n);
  }
  const hx_shape *shape = v->u.obj->shape;
  for (uint32_t i = 0; i < n; i++) out[i] = hx_beside(cx, &v->u.obj->v[i], hx_obj_get(w, shape->keys[i]));
  return hx_object(cx, shape, out);
}

/* Both become one collection: a single element of all has nothing beside it. */
static hx_val elements_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  uint32_t n = v->len;
  bool seq = hx_is_seq(v);
  if (!n || (n == 1 && !w->len)) return *v;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  memcpy(out, seq ? v->u.seq->v : v->u.obj->v, n * sizeof *out);
  for (uint32_t i = 0; i < n; i++) {
    if (!hx_may_be_mapping(&out[i])) return hx_unknown_with_marks(cx, v);
    out[i] = hx_loosened(cx, &out[i]);
  }
  return seq ? hx_list(cx, &hx_type_dynamic, out, n) : hx_map(cx, &hx_type_dynamic, v->u.obj->shape, out);
}

static hx_val bare_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  if (v->tag == HX_T_NULL || w->tag == HX_T_NULL || v->tag <= HX_T_STR) return *v;
  bool nothing_beside = hx_is_seq(w) && !w->len, nothing = hx_is_seq(v) && !v->len;
  if (hx_blocks_of(v)) return nothing_beside ? *v : hx_unknown_with_marks(cx, v);
  if (hx_blocks_of(w) && nothing) return *v;
  if (hx_open_of(v) || hx_open_of(w)) return hx_loosened(cx, v);
  if (v->tag == HX_T_TUPLE && w->tag == HX_T_TUPLE && v->len == w->len) return parts_beside(cx, v, w);
  if (v->tag == HX_T_OBJECT && w->tag == HX_T_OBJECT && same_keys(v, w)) return parts_beside(cx, v, w);
  bool lists = (v->tag == HX_T_LIST || v->tag == HX_T_TUPLE) && (w->tag == HX_T_LIST || w->tag == HX_T_TUPLE);
  if (lists || (hx_is_obj(v) && hx_is_obj(w))) return elements_beside(cx, v, w);
  return hx_unknown_with_marks(cx, v);
}

hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  if (!hx_has_open(v) && !hx_has_open(w)) return *v;
  return hx_mark(cx, bare_beside(cx, hx_unmarked(v), hx_unmarked(w)), hx_marks_get(v));
}

/* Do two blocks differ in an attribute that both say, whatever else they hold? What is marked says nothing. */
static bool surely_differ(hx_cx *cx, const hx_val *a, const hx_val *b) {
  a = hx_open_of(a);
  b = hx_open_of(b);
  for (uint32_t i = 0; a && b && i < a->len; i++) {
    const hx_val *other = hx_obj_get(b, a->u.obj->shape->keys[i]);
    if (!other) continue;
    hx_val same = hx_equal(cx, &a->u.obj->v[i], other);
    if (same.tag == HX_T_BOOL && !same.u.i) return true;
  }
  return false;
}

#define BLOCKS_COMPARED 64u

bool hx_blocks_differ(hx_cx *cx, const hx_val *v) {
  const hx_val *items = hx_blocks_of(v);
  if (items->len < 2 || items->len > BLOCKS_COMPARED) return false;
  for (uint32_t i = 0; i < items->len; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!surely_differ(cx, &items->u.seq->v[i], &items->u.seq->v[j])) return false;
  return true;
}

hx_val hx_as_written(hx_cx *cx, const hx_val *v) {
  if (!hx_has_open(v)) return *v;
  const hx_val *bare = hx_unmarked(v), *from = hx_known_parts(bare) ? hx_known_parts(bare) : bare;
  uint32_t n = from->len;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  hx_stack_check();
  for (uint32_t i = 0; i < n; i++) out[i] = hx_as_written(cx, hx_is_seq(from) ? &from->u.seq->v[i] : &from->u.obj->v[i]);
  hx_val made = hx_is_seq(from) ? hx_tuple(cx, out, n) : hx_object(cx, from->u.obj->shape, out);
  return hx_mark(cx, made, hx_marks_get(v));
}
