/* equal.c: compares values by ==, compares them exactly (hx_same), and hashes them. */
#include "value/equal.h"
#include "value/number/number.h"

static hx_sure equal(hx_cx *cx, const hx_val *a, const hx_val *b);

/* Compares elements in order. The first pair that isn't surely equal decides. */
static hx_sure equal_seqs(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->len != b->len) return HX_NO;
  for (uint32_t i = 0; i < a->len; i++) {
    hx_sure s = equal(cx, &a->u.seq->v[i], &b->u.seq->v[i]);
    if (s != HX_YES) return s;
  }
  return HX_YES;
}

/* Compares attributes or keys, whose order doesn't matter: a pair that surely differs decides, even after pairs that may differ. */
static hx_sure equal_objs(hx_cx *cx, const hx_val *a, const hx_val *b) {
  const hx_obj *x = a->u.obj, *y = b->u.obj;
  hx_sure all = HX_YES;
  if (a->len != b->len) return HX_NO;
  for (uint32_t i = 0; i < a->len; i++) {
    int64_t at = x->shape == y->shape ? i : hx_shape_find(y->shape, x->shape->keys[i]);
    if (at < 0) return HX_NO;
    hx_sure s = equal(cx, &x->v[i], &y->v[at]);
    if (s == HX_NO) return HX_NO;
    if (s == HX_MAYBE) all = HX_MAYBE;
  }
  return all;
}

static bool has_unknown_element(const hx_val *v) {
  if (v->u.seq->plain) return false;
  for (uint32_t i = 0; i < v->len; i++)
    if (v->u.seq->v[i].tag == HX_T_UNKNOWN) return true;
  return false;
}

/* Compares sets. With an unknown element, the result is unknown. An element that only contains an unknown equals no other. */
static hx_sure equal_sets(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (has_unknown_element(a) || has_unknown_element(b)) return HX_MAYBE;
  if (a->len != b->len) return HX_NO;
  if (!a->u.seq->plain) hx_charge_steps(cx, 2 * (uint64_t)a->len); /* comparing composite elements writes their texts */
  for (uint32_t i = 0; i < a->len; i++) {
    const hx_val *x = &a->u.seq->v[i], *y = &b->u.seq->v[i];
    /* Both sets are in the same order, except for elements that the order doesn't distinguish. */
    if (!hx_set_same(cx, x, y) && !hx_set_has(cx, b, x)) return HX_NO;
  }
  return HX_YES;
}

/* Compares two known values of one type. */
static hx_sure equal_known(hx_cx *cx, const hx_val *a, const hx_val *b) {
  bool same = false;
  if (a->tag > HX_T_STR) hx_stack_check();
  switch ((hx_tag)a->tag) {
    case HX_T_BOOL: same = a->u.i == b->u.i; break;
    case HX_T_STR: same = hx_str_eq(hx_val_str(a), hx_val_str(b)); break;
    case HX_T_INT:
    case HX_T_NUM: same = hx_num_equal(cx, a, b); break;
    case HX_T_CAPSULE: same = hx_type_equal(a->u.type, b->u.type); break;
    case HX_T_LIST:
    case HX_T_TUPLE: return equal_seqs(cx, a, b);
    case HX_T_MAP:
    case HX_T_OBJECT: return equal_objs(cx, a, b);
    case HX_T_SET: return equal_sets(cx, a, b);
    case HX_T_NONE:
    case HX_T_NULL:
    case HX_T_UNKNOWN:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
  return same ? HX_YES : HX_NO;
}

/* Compares two values of the same type, without marks: first nulls and unknowns, then known values. No type inside may be unknown. */
static hx_sure equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  bool a_unknown = a->tag == HX_T_UNKNOWN, b_unknown = b->tag == HX_T_UNKNOWN;
  if (a->tag == HX_T_NULL && hx_surely_not_null(b)) return HX_NO;
  if (b->tag == HX_T_NULL && hx_surely_not_null(a)) return HX_NO;
  if (a_unknown && b_unknown) return HX_MAYBE;
  if (a_unknown || b_unknown) {
    hx_sure s = a_unknown ? hx_range_includes(cx, a, b) : hx_range_includes(cx, b, a);
    return s == HX_NO ? HX_NO : HX_MAYBE;
  }
  if (a->tag == HX_T_NULL) return HX_YES;
  return equal_known(cx, a, b);
}

/* Returns true if no type inside v is unknown. A null of `any` counts as known. */
static bool has_known_type(const hx_val *v) {
  if (v->tag == HX_T_UNKNOWN) return !hx_type_has_dynamic(v->u.unk->type);
  if (hx_is_plain_seq(v)) return true;
  const hx_val *parts = hx_is_seq(v) ? v->u.seq->v : hx_is_obj(v) ? v->u.obj->v : NULL;
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < v->len; i++)
    if (parts[i].tag > HX_T_STR && !has_known_type(&parts[i])) return false;
  return true;
}

static bool unrelated_types(hx_cx *cx, const hx_val *a, const hx_val *b) {
  const hx_type *t = hx_val_type(cx, a), *u = hx_val_type(cx, b);
  return !hx_type_conforms(t, u) && !hx_type_conforms(u, t);
}

/* Compares the outermost values, which may have different types. */
static hx_sure equal_any(hx_cx *cx, const hx_val *a, const hx_val *b) {
  bool known = a->tag != HX_T_UNKNOWN && b->tag != HX_T_UNKNOWN;
  bool null = a->tag == HX_T_NULL || b->tag == HX_T_NULL;
  if (known && !null) {
    if (hx_val_kind(a) != hx_val_kind(b)) return HX_NO; /* whatever the values contain */
    if (!has_known_type(a) || !has_known_type(b)) return unrelated_types(cx, a, b) ? HX_NO : HX_MAYBE;
    if (!hx_val_same_type(a, b)) return HX_NO;
  }
  /* If one value is unknown, equal() checks whether its range includes the other. A value of another type is never included, unless the
  ** types contain `any`. */
  return equal(cx, a, b);
}

static hx_val answer(hx_cx *cx, hx_sure s) {
  return s == HX_MAYBE ? hx_unknown_not_null(cx, &hx_type_bool) : hx_bool(s == HX_YES);
}

/* Returns the cost of comparing v. Nested values are walked for marks, for types, and for their parts. Each element of a set may be
** compared twice. */
static uint64_t weight_of(const hx_val *v) {
  uint64_t weight = hx_val_weight(v);
  if (v->tag <= HX_T_STR) return weight;
  if (v->tag == HX_T_SET || hx_is_obj(v)) return 4 * weight;
  return hx_is_plain_seq(v) ? weight : 8 * weight;
}

static void charge(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->tag >= HX_T_STR || b->tag >= HX_T_STR) hx_charge_walk(cx, weight_of(a) + weight_of(b));
}

hx_val hx_equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  charge(cx, a, b);
  if (!hx_is_marked_deep(a) && !hx_is_marked_deep(b)) return answer(cx, equal_any(cx, a, b));
  const hx_marks *marks = NULL;
  hx_val x = hx_unmark_deep(cx, a, &marks), y = hx_unmark_deep(cx, b, &marks);
  return hx_mark(cx, answer(cx, equal_any(cx, &x, &y)), marks);
}

hx_val hx_equal_unmarked(hx_cx *cx, const hx_val *a, const hx_val *b) {
  charge(cx, a, b);
  return answer(cx, equal_any(cx, a, b));
}

static bool same_marks(const hx_marks *a, const hx_marks *b) {
  if (!a || !b) return a == b;
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!hx_str_eq(a->names[i], b->names[i])) return false;
  return true;
}

static bool same_bound(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->tag == HX_T_NONE || b->tag == HX_T_NONE) return a->tag == b->tag;
  return hx_num_equal(cx, a, b);
}

static bool same_unknown(hx_cx *cx, const hx_unk *a, const hx_unk *b) {
  if (a == b) return true;
  if (a->open || b->open)
    return a->open && b->open && a->open->form == b->open->form && hx_same(cx, &a->open->parts, &b->open->parts);
  return a->not_null == b->not_null && a->untyped == b->untyped && hx_str_eq(a->prefix, b->prefix) &&
         same_bound(cx, &a->min, &b->min) && same_bound(cx, &a->max, &b->max) && a->min_inclusive == b->min_inclusive &&
         a->max_inclusive == b->max_inclusive && a->min_length == b->min_length && a->max_length == b->max_length;
}

static bool same(hx_cx *cx, const hx_val *a, const hx_val *b);

static bool same_objs(hx_cx *cx, const hx_val *a, const hx_val *b) {
  const hx_obj *x = a->u.obj, *y = b->u.obj;
  for (uint32_t i = 0; i < a->len; i++) {
    int64_t at = x->shape == y->shape ? i : hx_shape_find(y->shape, x->shape->keys[i]);
    if (at < 0 || !same(cx, &x->v[i], &y->v[at])) return false;
  }
  return true;
}

/* Compares two values of the same type exactly. */
static bool same(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (a->tag > HX_T_STR) hx_stack_check();
  if (!same_marks(hx_marks_get(a), hx_marks_get(b))) return false;
  a = hx_unmarked(a);
  b = hx_unmarked(b);
  if (a->tag == HX_T_UNKNOWN || b->tag == HX_T_UNKNOWN) return a->tag == b->tag && same_unknown(cx, a->u.unk, b->u.unk);
  if (a->tag == HX_T_NULL || b->tag == HX_T_NULL) return a->tag == b->tag;
  if (hx_is_obj(a)) return a->len == b->len && same_objs(cx, a, b);
  if (!hx_is_seq(a)) return equal_known(cx, a, b) == HX_YES;
  if (a->len != b->len) return false;
  for (uint32_t i = 0; i < a->len; i++)
    if (!same(cx, &a->u.seq->v[i], &b->u.seq->v[i])) return false;
  return true;
}

bool hx_same(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return hx_val_same_type(a, b) && same(cx, a, b);
}

static uint32_t stir(uint32_t h, uint32_t x) {
  h = (h ^ x) * 0x9E3779B1u;
  return h ^ (h >> 15);
}

static uint32_t hash_obj(hx_cx *cx, const hx_val *v) {
  uint32_t h = v->len; /* the hashes are added, so the order of keys doesn't matter */
  for (uint32_t i = 0; i < v->len; i++) h += stir(hx_str_hash(v->u.obj->shape->keys[i]), hx_val_hash(cx, &v->u.obj->v[i]));
  return h;
}

uint32_t hx_val_hash(hx_cx *cx, const hx_val *v) {
  v = hx_unmarked(v);
  uint32_t h = 7;
  if (v->tag == HX_T_BOOL) return (uint32_t)v->u.i + 1;
  if (v->tag == HX_T_STR) return hx_str_hash(hx_val_str(v));
  if (hx_is_number(v)) return hx_num_hash(cx, v);
  if (v->tag > HX_T_STR) hx_stack_check();
  if (hx_is_obj(v)) return hash_obj(cx, v);
  if (hx_is_seq(v))
    for (uint32_t i = 0; i < v->len; i++) {
      uint32_t part = hx_val_hash(cx, &v->u.seq->v[i]);
      h = v->tag == HX_T_SET ? h + stir(3, part) : stir(h, part);
    }
  return h;
}
