/* elements.c: makes lists, sets and maps from other collections, tuples and objects. */
#include "value/convert/part.h"
#include "value/equal.h"
#include "value/open.h"

static const hx_str no_one_type = { "the elements have no type in common", 35 };

/* Returns true if all elements have type t. Even after conversion to t they may not: where t has `any`, elements keep their types. */
static bool all_of(const hx_val *v, uint32_t n, const hx_type *t) {
  for (uint32_t i = 0; i < n; i++)
    if (!hx_val_is_of(&v[i], t)) return false;
  return true;
}

/* Sets types[i] to the type of element i; neighbours with equal types share one. Returns true if all are equal. */
static bool types_of(hx_cx *cx, const hx_val *v, uint32_t n, const hx_type **types) {
  bool one = true;
  for (uint32_t i = 0; i < n; i++) {
    types[i] = i && hx_val_is_of(&v[i], types[i - 1]) ? types[i - 1] : hx_val_type(cx, &v[i]);
    one = one && hx_type_equal(types[i], types[0]);
  }
  return one;
}

static hx_place place_of(const hx_place *at, const hx_plan *p, const hx_str *keys, uint32_t i) {
  return (hx_place){ at, p->in, keys ? keys[i] : HX_STR(""), i };
}

/* Converts elements to one type if they still have different ones. That happens where the planned type has `any`. */
static bool level(hx_conversion *c, const hx_plan *p, hx_val *v, uint32_t n, const hx_str *keys, const hx_place *at) {
  hx_cx *cx = c->cx;
  const hx_type **types = hx_arena_alloc(&cx->scratch, n * sizeof *types);
  if (types_of(cx, v, n, types)) return true;
  /* Maps are unified by safe conversions only, as in the reference. */
  bool unsafe = p->op != HX_PLAN_MAP && p->unsafe;
  const hx_type *to = hx_unify(cx, types, n, !unsafe);
  if (!to) return hx_conversion_fail(c, at, no_one_type);
  const hx_plan *plan = NULL;
  for (uint32_t i = 0; i < n; i++) {
    hx_place here = place_of(at, p, keys, i);
    bool again = i && types[i] == types[i - 1];
    if (!again && !hx_plan_make(cx, types[i], to, unsafe ? HX_PLAN_UNSAFE : HX_PLAN_SAFE, &plan))
      return hx_conversion_fail(c, &here, hx_mismatch(cx, types[i], to, c->hidden ? HX_HIDE_GOT : 0));
    hx_val part = v[i];
    if (!hx_conversion_run(c, plan, &part, &here, &v[i])) return false;
  }
  return true;
}

/* Converts the parts one by one. keys are those of a map or object, or NULL. */
static bool convert_parts(hx_conversion *c, const hx_plan *p, const hx_val *from, uint32_t n, const hx_str *keys,
                          const hx_place *at, hx_val *to) {
  for (uint32_t i = 0; i < n; i++) {
    hx_place here = place_of(at, p, keys, i);
    const hx_plan *part = p->each;
    if (p->parts) {
      int64_t k = keys ? hx_type_attr_index(p->in, keys[i]) : i;
      part = p->parts[k];
    }
    if (!hx_conversion_run(c, part, &from[i], &here, &to[i])) return false;
  }
  return true;
}

/* Sets *elem to the elements' type: the planned type if all elements have it, otherwise the one that they have in common. */
static bool settle(hx_conversion *c, const hx_plan *p, hx_val *v, uint32_t n, const hx_place *at, const hx_type **elem) {
  *elem = hx_type_plain(c->cx, p->elem);
  if (all_of(v, n, *elem) || hx_elem_type(c->cx, v, n, elem)) return true;
  return hx_conversion_fail(c, at, no_one_type);
}

/* Returns the element type of an empty result: the planned one or, if that is `any`, the source's element type if it has one. */
static const hx_type *empty_elem(hx_cx *cx, const hx_plan *p) {
  bool open = p->elem->kind == HX_K_DYNAMIC && hx_type_is_collection(p->in);
  return open ? p->in->elem : hx_type_plain(cx, p->elem);
}

/* Replaces null elements by new nulls without marks, unless a tuple becomes a list. */
static void renew_nulls(hx_cx *cx, const hx_plan *p, hx_val *v, uint32_t n) {
  for (uint32_t i = 0; p->op != HX_PLAN_TUPLE_LIST && i < n; i++) {
    const hx_val *bare = hx_unmarked(&v[i]);
    if (bare->tag == HX_T_NULL) v[i] = hx_null(hx_type_plain(cx, bare->u.type));
  }
}

/* Returns true if the elements of v, a list or set, are primitive and known, and the conversion doesn't change them. */
static bool stay_plain(const hx_plan *p, const hx_val *v) {
  bool as_is = (p->op == HX_PLAN_LIST || p->op == HX_PLAN_SET) && (!p->each || p->each->op == HX_PLAN_AS_IS);
  return as_is && v->u.seq->plain && hx_type_is_primitive(v->u.seq->elem);
}

/* Makes the result unknown if elements contain open objects and it isn't certain what becomes of them: in a set, some may be equal.
** Returns false if the elements can be used as they are. */
static bool of_open(hx_conversion *c, const hx_plan *p, const hx_val *v, hx_val *parts, hx_val *out) {
  hx_cx *cx = c->cx;
  const hx_marks *marks = NULL;
  bool any = false, set = p->out->kind == HX_K_SET;
  if (!hx_type_has_dynamic(p->elem)) return false;
  for (uint32_t i = 0; i < v->len && !any; i++) any = hx_has_open(&parts[i]);
  if (!any || (!set && hx_beside_one_another(cx, parts, v->len))) return false;
  hx_unmark_deep(cx, v, &marks);
  *out = hx_mark(cx, hx_unknown_not_null(cx, hx_type_plain(cx, p->out)), marks);
  return true;
}

bool hx_convert_elements(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  hx_cx *cx = c->cx;
  bool to_set = p->out->kind == HX_K_SET;
  if (!v->len) {
    const hx_type *t = empty_elem(cx, p);
    *out = to_set ? hx_set(cx, t, NULL, 0) : hx_list(cx, t, NULL, 0);
    return true;
  }
  const hx_type *elem;
  /* A set with unknown elements has no certain length, nor has a list made from it. As in the reference, the list keeps the type of the
  ** set's elements, even if they were to be converted. Within another value that type doesn't fit, and the reference fails; here the
  ** list gets the converted type. */
  if (!to_set && hx_set_may_shrink(v)) {
    elem = at ? hx_type_fill(cx, p->in->elem, hx_type_plain(cx, p->elem)) : v->u.seq->elem;
    *out = hx_unknown(cx, hx_type_list(cx, elem));
    return true;
  }
  if (stay_plain(p, v)) {
    const hx_seq *from = v->u.seq;
    *out = to_set ? hx_set(cx, from->elem, from->v, v->len) : hx_seq_weighed(cx, from->elem, from->v, v->len, from->weight, true);
    return true;
  }
  hx_val *parts = HX_NEW_ARRAY(cx, hx_val, v->len);
  if (!convert_parts(c, p, v->u.seq->v, v->len, NULL, at, parts)) return false;
  renew_nulls(cx, p, parts, v->len);
  if (of_open(c, p, v, parts, out)) return true;
  if (p->op == HX_PLAN_TUPLE_LIST) {
    const hx_type *planned = hx_type_plain(cx, p->elem);
    if (!all_of(parts, v->len, planned) && !level(c, p, parts, v->len, NULL, at)) return false;
  }
  if (!settle(c, p, parts, v->len, at, &elem)) return false;
  *out = to_set ? hx_set(cx, elem, parts, v->len) : hx_list(cx, elem, parts, v->len);
  return true;
}

bool hx_convert_to_map(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out) {
  hx_cx *cx = c->cx;
  const hx_shape *shape = v->u.obj->shape;
  if (!v->len) {
    *out = hx_map(cx, empty_elem(cx, p), shape, NULL);
    return true;
  }
  const hx_type *elem;
  hx_charge_steps(cx, v->len); /* finding each key takes a step */
  hx_val *parts = HX_NEW_ARRAY(cx, hx_val, v->len);
  if (!convert_parts(c, p, v->u.obj->v, v->len, shape->keys, at, parts)) return false;
  if (of_open(c, p, v, parts, out)) return true;
  bool nested = hx_type_is_collection(p->elem) || p->elem->kind == HX_K_OBJECT;
  if (nested && !all_of(parts, v->len, hx_type_plain(cx, p->elem)) && !level(c, p, parts, v->len, shape->keys, at)) return false;
  if (!settle(c, p, parts, v->len, at, &elem)) return false;
  *out = hx_map(cx, elem, shape, parts);
  return true;
}
