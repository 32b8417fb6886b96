/* defaults.c: fills in the defaults of optional attributes before a value is converted. */
#include "vm/defaults.h"

static const hx_defaults *one(hx_cx *cx, hx_kind kind, uint32_t n, const hx_defaults **children) {
  hx_defaults *d = HX_NEW(cx, hx_defaults);
  *d = (hx_defaults){ .kind = (uint8_t)kind, .n = n, .children = children };
  return d;
}

static bool any_child(const hx_defaults **children, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (children[i]) return true;
  return false;
}

const hx_defaults *hx_defaults_of_collection(hx_cx *cx, hx_kind kind, const hx_defaults *elem) {
  if (!elem) return NULL;
  const hx_defaults **children = HX_NEW(cx, const hx_defaults *);
  children[0] = elem;
  return one(cx, kind, 1, children);
}

const hx_defaults *hx_defaults_of_tuple(hx_cx *cx, const hx_defaults **elems, uint32_t n) {
  return any_child(elems, n) ? one(cx, HX_K_TUPLE, n, elems) : NULL;
}

const hx_defaults *hx_defaults_of_object(hx_cx *cx, const hx_str *names, const hx_val *values, const hx_defaults **children,
                                         uint32_t n) {
  bool any = any_child(children, n);
  for (uint32_t i = 0; i < n && !any; i++) any = values[i].tag != HX_T_NONE;
  if (!any) return NULL;
  hx_defaults *d = HX_NEW(cx, hx_defaults);
  *d = (hx_defaults){ .kind = HX_K_OBJECT, .n = n, .names = hx_shape_new(cx, names, n), .values = values, .children = children };
  return d;
}

/* Returns the defaults for all elements of a sequence or map; NULL if d has defaults by name or index. */
static const hx_defaults *child_of_each(const hx_defaults *d) {
  return hx_kind_is_collection((hx_kind)d->kind) ? d->children[0] : NULL;
}

static const hx_defaults *child_at(const hx_defaults *d, uint32_t i) {
  if (d->kind == HX_K_TUPLE) return i < d->n ? d->children[i] : NULL;
  return child_of_each(d);
}

static const hx_defaults *child_named(const hx_defaults *d, hx_str name) {
  if (d->kind != HX_K_OBJECT) return child_of_each(d);
  int64_t i = hx_shape_find(d->names, name);
  return i < 0 ? NULL : d->children[i];
}

/* Converts filled-in elements, in place, to their common type, and returns this type. Returns NULL if they have no common type.
** Then the collection becomes a tuple or object, and the conversion that follows reports the error. */
static const hx_type *unify_values(hx_cx *cx, hx_val *v, uint32_t n) {
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, n);
  for (uint32_t i = 0; i < n; i++) types[i] = hx_val_type(cx, &v[i]);
  const hx_type *t = hx_unify(cx, types, n, false);
  if (!t) return NULL;
  hx_val *made = HX_NEW_ARRAY(cx, hx_val, n);
  hx_why_not why;
  for (uint32_t i = 0; i < n; i++)
    if (!hx_convert(cx, &v[i], t, &made[i], &why)) return NULL;
  if (n) memcpy(v, made, n * sizeof *v);
  return t;
}

static hx_val apply_seq(hx_cx *cx, const hx_defaults *d, const hx_val *v) {
  uint32_t n = v->len;
  if (n == 0) return *v;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) {
    const hx_defaults *child = child_at(d, i);
    out[i] = child ? hx_defaults_apply(cx, child, &v->u.seq->v[i]) : v->u.seq->v[i];
  }
  const hx_type *elem = v->tag == HX_T_TUPLE ? NULL : unify_values(cx, out, n);
  if (!elem) return hx_tuple(cx, out, n);
  return v->tag == HX_T_LIST ? hx_list(cx, elem, out, n) : hx_set(cx, elem, out, n);
}

/* Returns *v, refined to "not null" if it is unknown and its default isn't null. */
static hx_val refined_by_default(hx_cx *cx, const hx_val *v, const hx_val *fallback) {
  const hx_val *bare = hx_unmarked(v);
  if (!hx_is_unknown(bare) || bare->u.unk->type->kind == HX_K_DYNAMIC || !hx_surely_not_null(fallback)) return *v;
  hx_refine f;
  hx_refine_begin(&f, v);
  hx_refine_not_null(&f);
  return hx_refine_done(cx, &f);
}

static void fill_in(hx_cx *cx, const hx_defaults *d, hx_obj_builder *b) {
  for (uint32_t i = 0; i < d->n; i++) {
    const hx_val *fallback = &d->values[i];
    if (fallback->tag == HX_T_NONE) continue;
    hx_val *slot = hx_obj_builder_put(b, d->names->keys[i]);
    if (slot->tag != HX_T_NONE && !hx_is_null(hx_unmarked(slot))) *slot = refined_by_default(cx, slot, fallback);
    else *slot = d->children[i] ? hx_defaults_apply(cx, d->children[i], fallback) : *fallback;
  }
}

static hx_val apply_obj(hx_cx *cx, const hx_defaults *d, const hx_val *v) {
  hx_obj_builder b;
  hx_obj_builder_init(&b, cx, v->len + d->n);
  hx_iter it;
  hx_iter_init(cx, &it, v);
  while (hx_iter_next(&it)) {
    hx_str name = hx_val_str(&it.key);
    const hx_defaults *child = child_named(d, name);
    hx_val filled = child ? hx_defaults_apply(cx, child, it.value) : *it.value;
    *hx_obj_builder_put(&b, name) = filled;
  }
  if (d->kind == HX_K_OBJECT) fill_in(cx, d, &b);
  if (v->tag == HX_T_OBJECT) return hx_obj_builder_object(&b);
  if (b.n == 0) return *v;
  const hx_type *elem = unify_values(cx, b.v, b.n);
  return elem ? hx_obj_builder_map(&b, elem) : hx_obj_builder_object(&b);
}

hx_val hx_defaults_apply(hx_cx *cx, const hx_defaults *d, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  hx_stack_check();
  if (hx_is_seq(bare)) return hx_mark(cx, apply_seq(cx, d, bare), hx_marks_get(v));
  if (hx_is_obj(bare)) return hx_mark(cx, apply_obj(cx, d, bare), hx_marks_get(v));
  /* Null and unknown stay. A primitive has no attributes; if it is wrong, the conversion that follows reports it. */
  return *v;
}

const hx_defaults *hx_defaults_copy(hx_cx *to, const hx_defaults *d) {
  if (!d) return NULL;
  hx_stack_check();
  hx_defaults *out = HX_NEW(to, hx_defaults);
  *out = (hx_defaults){ .kind = d->kind, .n = d->n };
  out->children = HX_NEW_ARRAY(to, const hx_defaults *, d->n);
  for (uint32_t i = 0; i < d->n; i++) out->children[i] = hx_defaults_copy(to, d->children[i]);
  if (d->kind != HX_K_OBJECT) return out;
  hx_str *names = HX_NEW_ARRAY(to, hx_str, d->n);
  hx_val *values = HX_NEW_ARRAY(to, hx_val, d->n);
  for (uint32_t i = 0; i < d->n; i++) {
    names[i] = hx_str_copy(to, d->names->keys[i]);
    values[i] = d->values[i].tag == HX_T_NONE ? hx_none() : hx_val_copy(to, &d->values[i]);
  }
  out->names = hx_shape_new(to, names, d->n);
  out->values = values;
  return out;
}
