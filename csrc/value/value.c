/* value.c: makes values, weighs them and finds their types. */
#include "value/value.h"
#include "text/unicode.h"
#include "value/marks.h"
#include "value/unknown.h"

/* Values without elements point here instead of having NULL: in C, NULL plus 0 is undefined. */
static const hx_val nothing[1];
static const hx_seq no_elements = { .v = nothing, .plain = true };
static const hx_shape no_keys = { .sorted = true };
static const hx_obj no_attributes = { .shape = &no_keys, .v = nothing };

const hx_val hx_empty_tuple = { .tag = HX_T_TUPLE, .u.seq = &no_elements };
const hx_val hx_empty_object = { .tag = HX_T_OBJECT, .u.obj = &no_attributes };

/* The type for each tag whose values all have the same type. */
static const hx_type *const tag_types[] = {
  [HX_T_BOOL] = &hx_type_bool,  [HX_T_INT] = &hx_type_number,      [HX_T_NUM] = &hx_type_number,
  [HX_T_STR] = &hx_type_string, [HX_T_CAPSULE] = &hx_type_capsule, [HX_T_FOREIGN] = NULL,
};

static const uint8_t tag_kinds[] = {
  [HX_T_NONE] = HX_K_DYNAMIC, [HX_T_BOOL] = HX_K_BOOL,     [HX_T_INT] = HX_K_NUMBER,      [HX_T_NUM] = HX_K_NUMBER,
  [HX_T_STR] = HX_K_STRING,   [HX_T_LIST] = HX_K_LIST,     [HX_T_SET] = HX_K_SET,         [HX_T_TUPLE] = HX_K_TUPLE,
  [HX_T_MAP] = HX_K_MAP,      [HX_T_OBJECT] = HX_K_OBJECT, [HX_T_CAPSULE] = HX_K_CAPSULE, [HX_T_FOREIGN] = HX_K_DYNAMIC,
};

hx_val hx_string_of(hx_cx *cx, hx_str s) {
  hx_charge_memory(cx, 16 + (uint64_t)s.len);
  return hx_string(hx_nfc(cx, s));
}

uint64_t hx_val_weight(const hx_val *v) {
  v = hx_unmarked(v);
  if (v->tag <= HX_T_NUM) return 16;
  if (v->tag == HX_T_STR) return 16 + (uint64_t)v->len;
  if (hx_is_seq(v)) return 16 + v->u.seq->weight;
  if (hx_is_obj(v)) return 16 + v->u.obj->weight;
  if (v->tag == HX_T_NULL) return hx_type_weight(v->u.type);
  if (hx_known_parts(v)) return 16 + hx_val_weight(hx_known_parts(v)) + hx_val_weight(&v->u.unk->open->written);
  return v->tag == HX_T_UNKNOWN ? hx_type_weight(v->u.unk->type) : 16;
}

/* Returns the weight of all n values. Sets *plain to true if all are known, unmarked and primitive. */
static uint64_t weigh(hx_cx *cx, const hx_val *v, uint32_t n, bool *plain) {
  uint64_t weight = 0;
  *plain = true;
  for (uint32_t i = 0; i < n; i++) {
    if (v[i].tag <= HX_T_STR) {
      weight += 16 + (v[i].tag == HX_T_STR ? v[i].len : 0);
    } else {
      weight += hx_val_weight(&v[i]);
      *plain = false;
    }
  }
  return hx_check_weight(cx, weight);
}

uint64_t hx_vals_weight(hx_cx *cx, const hx_val *v, uint32_t n) {
  bool plain;
  return weigh(cx, v, n, &plain);
}

hx_val hx_seq_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain) {
  if (!n && !elem) return hx_empty_tuple;
  hx_charge_memory(cx, 16 + 16 * (uint64_t)n);
  hx_seq *s = HX_NEW(cx, hx_seq);
  s->elem = elem;
  s->v = n ? v : nothing;
  s->weight = hx_check_weight(cx, weight);
  s->plain = plain;
  return (hx_val){ .tag = elem ? HX_T_LIST : HX_T_TUPLE, .len = n, .u.seq = s };
}

hx_val hx_list(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n) {
  bool plain;
  uint64_t weight = weigh(cx, v, n, &plain);
  return hx_seq_weighed(cx, elem, v, n, weight, plain);
}
hx_val hx_tuple(hx_cx *cx, const hx_val *v, uint32_t n) {
  return hx_list(cx, NULL, v, n);
}

static hx_val obj_of(hx_cx *cx, hx_tag tag, const hx_type *elem, const hx_shape *shape, const hx_val *v) {
  hx_charge_memory(cx, 16 + 32 * (uint64_t)shape->n);
  hx_obj *o = HX_NEW(cx, hx_obj);
  o->elem = elem;
  o->shape = shape;
  o->v = shape->n ? v : nothing;
  o->weight = hx_vals_weight(cx, v, shape->n);
  return (hx_val){ .tag = tag, .len = shape->n, .u.obj = o };
}

hx_val hx_object(hx_cx *cx, const hx_shape *shape, const hx_val *v) {
  return obj_of(cx, HX_T_OBJECT, NULL, shape, v);
}

hx_val hx_map(hx_cx *cx, const hx_type *elem, const hx_shape *shape, const hx_val *v) {
  return obj_of(cx, HX_T_MAP, elem, shape, v);
}

hx_kind hx_val_kind(const hx_val *v) {
  v = hx_unmarked(v);
  if (v->tag == HX_T_NULL) return (hx_kind)v->u.type->kind;
  if (v->tag == HX_T_UNKNOWN) return (hx_kind)v->u.unk->type->kind;
  return (hx_kind)tag_kinds[v->tag];
}

/* Siblings usually share a type, so type_after uses the previous one's again if it fits. This keeps the types of large tuples small. */
static const hx_type *type_of(hx_cx *cx, const hx_val *v);

static const hx_type *type_after(hx_cx *cx, const hx_val *v, const hx_type *previous) {
  return previous && hx_val_is_of(v, previous) ? previous : type_of(cx, v);
}

static const hx_type *tuple_type(hx_cx *cx, const hx_val *v) {
  hx_stack_check();
  hx_charge_memory(cx, 16 + 8 * (uint64_t)v->len);
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, v->len);
  for (uint32_t i = 0; i < v->len; i++) elems[i] = type_after(cx, &v->u.seq->v[i], i ? elems[i - 1] : NULL);
  return hx_type_tuple(cx, elems, v->len);
}

static const hx_type *object_type(hx_cx *cx, const hx_val *v) {
  const hx_shape *shape = v->u.obj->shape;
  if (!shape->n) return &hx_type_empty_object;
  hx_stack_check();
  hx_charge_memory(cx, 16 + 16 * (uint64_t)shape->n);
  const uint32_t *order = hx_shape_order(cx, shape);
  hx_type *t = HX_NEW(cx, hx_type);
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, shape->n);
  const hx_str *names = shape->keys;
  if (order) {
    hx_str *sorted = HX_NEW_ARRAY(cx, hx_str, shape->n);
    for (uint32_t i = 0; i < shape->n; i++) sorted[i] = shape->keys[order[i]];
    names = sorted;
  }
  for (uint32_t i = 0; i < shape->n; i++) elems[i] = type_after(cx, &v->u.obj->v[order ? order[i] : i], i ? elems[i - 1] : NULL);
  *t = (hx_type){
    .kind = HX_K_OBJECT, .n = shape->n, .weight = hx_types_weight(cx, elems, shape->n), .elems = elems, .names = names
  };
  return t;
}

static const hx_type *type_of(hx_cx *cx, const hx_val *v) {
  v = hx_unmarked(v);
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL:
    case HX_T_INT:
    case HX_T_NUM:
    case HX_T_STR:
    case HX_T_CAPSULE: return tag_types[v->tag];
    case HX_T_LIST:
    case HX_T_SET: return hx_type_collection(cx, (hx_kind)tag_kinds[v->tag], v->u.seq->elem);
    case HX_T_MAP: return hx_type_map(cx, v->u.obj->elem);
    case HX_T_TUPLE: return tuple_type(cx, v);
    case HX_T_OBJECT: return object_type(cx, v);
    case HX_T_NULL: return v->u.type;
    case HX_T_UNKNOWN: return v->u.unk->type;
    case HX_T_NONE:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
  return &hx_type_dynamic;
}

const hx_type *hx_val_type(hx_cx *cx, const hx_val *v) {
  if (v->tag > HX_T_STR) hx_charge_walk(cx, hx_val_weight(v));
  return type_of(cx, v);
}

/* Returns true if two types are equal apart from optional(), which types of values never have. */
static bool same_plain(const hx_type *a, const hx_type *b) {
  for (; a != b; a = a->elem, b = b->elem) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (hx_type_is_collection(a)) continue;
    if (a->n) hx_stack_check();
    for (uint32_t i = 0; i < a->n; i++) {
      if (a->kind == HX_K_OBJECT && !hx_str_eq(a->names[i], b->names[i])) return false;
      if (!same_plain(a->elems[i], b->elems[i])) return false;
    }
    return true;
  }
  return true;
}

static bool object_is_of(const hx_val *v, const hx_type *t) {
  const hx_shape *shape = v->u.obj->shape;
  if (t->kind != HX_K_OBJECT || shape->n != t->n) return false;
  hx_stack_check();
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t at = i;
    if (!shape->sorted || !hx_str_eq(shape->keys[i], t->names[i])) {
      int64_t found = hx_shape_find(shape, t->names[i]);
      if (found < 0) return false;
      at = (uint32_t)found;
    }
    if (!hx_val_is_of(&v->u.obj->v[at], t->elems[i])) return false;
  }
  return true;
}

bool hx_val_is_of(const hx_val *v, const hx_type *t) {
  v = hx_unmarked(v);
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL:
    case HX_T_INT:
    case HX_T_NUM:
    case HX_T_STR:
    case HX_T_CAPSULE: return t->kind == tag_kinds[v->tag];
    case HX_T_LIST:
    case HX_T_SET: return t->kind == tag_kinds[v->tag] && same_plain(v->u.seq->elem, t->elem);
    case HX_T_MAP: return t->kind == HX_K_MAP && same_plain(v->u.obj->elem, t->elem);
    case HX_T_NULL: return same_plain(v->u.type, t);
    case HX_T_UNKNOWN: return same_plain(v->u.unk->type, t);
    case HX_T_OBJECT: return object_is_of(v, t);
    case HX_T_TUPLE:
      if (t->kind != HX_K_TUPLE || t->n != v->len) return false;
      hx_stack_check();
      for (uint32_t i = 0; i < v->len; i++)
        if (!hx_val_is_of(&v->u.seq->v[i], t->elems[i])) return false;
      return true;
    case HX_T_NONE:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
  return false;
}

static bool same_attribute_types(const hx_val *a, const hx_val *b) {
  const hx_obj *x = a->u.obj, *y = b->u.obj;
  for (uint32_t i = 0; i < a->len; i++) {
    int64_t at = x->shape == y->shape ? i : hx_shape_find(y->shape, x->shape->keys[i]);
    if (at < 0 || !hx_val_same_type(&x->v[i], &y->v[at])) return false;
  }
  return true;
}

bool hx_val_same_type(const hx_val *a, const hx_val *b) {
  a = hx_unmarked(a);
  b = hx_unmarked(b);
  const hx_type *t = hx_stated_type(a);
  if (t) return hx_val_is_of(b, t);
  t = hx_stated_type(b);
  if (t) return hx_val_is_of(a, t);
  if (tag_kinds[a->tag] != tag_kinds[b->tag]) return false;
  if (a->tag == HX_T_LIST || a->tag == HX_T_SET) return same_plain(a->u.seq->elem, b->u.seq->elem);
  if (a->tag == HX_T_MAP) return same_plain(a->u.obj->elem, b->u.obj->elem);
  if (a->tag != HX_T_TUPLE && a->tag != HX_T_OBJECT) return true;
  if (a->len != b->len) return false;
  hx_stack_check();
  if (a->tag == HX_T_OBJECT) return same_attribute_types(a, b);
  for (uint32_t i = 0; i < a->len; i++)
    if (!hx_val_same_type(&a->u.seq->v[i], &b->u.seq->v[i])) return false;
  return true;
}

/* Returns the parts of a composite value, in no particular order; NULL for other values. */
static const hx_val *parts_of(const hx_val *v) {
  if (hx_is_seq(v)) return v->u.seq->v;
  return hx_is_obj(v) ? v->u.obj->v : NULL;
}

bool hx_is_wholly_known(const hx_val *v) {
  v = hx_unmarked(v);
  if (v->tag == HX_T_UNKNOWN) return false;
  if (hx_is_plain_seq(v)) return true;
  const hx_val *parts = parts_of(v);
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < v->len; i++) {
    if (parts[i].tag <= HX_T_STR) continue;
    if (!hx_is_wholly_known(&parts[i])) return false;
  }
  return true;
}

/* Gives an element the type t of the other elements if it is an unknown or null of `any`. */
static void take_type(hx_cx *cx, hx_val *v, const hx_type *t) {
  const hx_marks *marks = hx_marks_get(v);
  const hx_type *stated = hx_stated_type(hx_unmarked(v));
  if (!stated || stated->kind != HX_K_DYNAMIC) return;
  bool null = hx_unmarked(v)->tag == HX_T_NULL;
  *v = hx_mark(cx, null ? hx_null(t) : hx_unknown(cx, t), marks);
}

bool hx_elem_type(hx_cx *cx, hx_val *v, uint32_t n, const hx_type **elem) {
  const hx_type *t = NULL;
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    const hx_type *stated = hx_stated_type(hx_unmarked(&v[i]));
    if (stated && stated->kind == HX_K_DYNAMIC) any = true;
    else if (!t) t = hx_val_type(cx, &v[i]);
    else if (!hx_val_is_of(&v[i], t)) return false;
  }
  *elem = t ? t : &hx_type_dynamic;
  if (any && t)
    for (uint32_t i = 0; i < n; i++) take_type(cx, &v[i], t);
  return true;
}
