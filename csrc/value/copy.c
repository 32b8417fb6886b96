/* copy.c: copies values, shapes and types into another lifetime. */
#include "value/marks.h"
#include "value/number/number.h"
#include "value/sort.h"
#include "value/unknown.h"

/* Siblings share shapes and types, so the copier remembers recent copies. */
typedef struct shape_copy {
  const hx_shape *from, *to;
  const uint32_t *order; /* key i of `to` is key order[i] of `from`; NULL: the same order */
} shape_copy;

#define REMEMBERED 16u

typedef struct copier {
  hx_cx *to;
  shape_copy shapes[REMEMBERED]; /* indexed by a hash of the address */
  const hx_type *type_from, *type_to;
} copier;

/* The copier compares each part with the part at the same place in `like`, an earlier copy, and shares it if both are the same. A part
** without such a counterpart is compared with `nothing`. */
static const hx_val nothing;

static hx_val copy(copier *c, const hx_val *v, const hx_val *like);

/* Returns true if both values have the same tag and the same number or pointer. */
static bool is_shared(const hx_val *a, const hx_val *b) {
  return a->tag == b->tag && a->len == b->len && a->u.i == b->u.i;
}

static bool are_shared(const hx_val *a, const hx_val *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!is_shared(&a[i], &b[i])) return false;
  return true;
}

static const hx_type *copy_type(copier *c, const hx_type *t, const hx_type *like) {
  if (like && hx_type_equal(t, like)) return like;
  if (t != c->type_from) {
    c->type_to = hx_type_copy(c->to, t);
    c->type_from = t;
  }
  return c->type_to;
}

static hx_str copy_str(copier *c, hx_str s, hx_str like) {
  return hx_str_eq(s, like) ? like : hx_str_copy(c->to, s);
}

static bool has_keys(const hx_shape *like, const hx_shape *s, const uint32_t *order) {
  if (like->n != s->n) return false;
  for (uint32_t i = 0; i < s->n; i++)
    if (!hx_str_eq(like->keys[i], s->keys[order ? order[i] : i])) return false;
  return true;
}

static shape_copy copy_shape(copier *c, const hx_shape *s, const hx_shape *like) {
  shape_copy *known = &c->shapes[((uintptr_t)s >> 6) % REMEMBERED];
  if (known->from == s) return *known;
  const uint32_t *order = s->order;
  if (!s->sorted && !order) {
    uint32_t *made = HX_NEW_ARRAY(c->to, uint32_t, s->n);
    hx_sort_strs(c->to, s->keys, s->n, made);
    order = made;
  }
  if (!like || !has_keys(like, s, order)) {
    hx_str *keys = HX_NEW_ARRAY(c->to, hx_str, s->n);
    for (uint32_t i = 0; i < s->n; i++) keys[i] = hx_str_copy(c->to, s->keys[order ? order[i] : i]);
    like = hx_shape_new(c->to, keys, s->n);
  }
  *known = (shape_copy){ s, like, order };
  return *known;
}

/* Returns true if all parts are shared with `like`. The copy then uses the old array, and the new one is freed. */
static bool give_back(copier *c, hx_val *parts, const hx_val *like, uint32_t n) {
  if (!are_shared(parts, like, n)) return false;
  hx_arena_trim(&c->to->arena, parts, n * sizeof *parts, 0);
  return true;
}

static hx_val copy_seq(copier *c, const hx_val *v, const hx_val *like) {
  hx_stack_check();
  const hx_seq *from = v->u.seq, *old = like->tag == v->tag && like->len == v->len ? like->u.seq : NULL;
  const hx_type *elem = from->elem ? copy_type(c, from->elem, old ? old->elem : NULL) : NULL;
  hx_val *parts = HX_NEW_ARRAY(c->to, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) parts[i] = copy(c, &from->v[i], old ? &old->v[i] : &nothing);
  if (old && elem == old->elem && give_back(c, parts, old->v, v->len)) return *like;
  hx_val out = from->plain ? hx_seq_weighed(c->to, elem, parts, v->len, from->weight, true) : hx_list(c->to, elem, parts, v->len);
  out.tag = v->tag; /* the elements of a set are in order already */
  return out;
}

static hx_val copy_obj(copier *c, const hx_val *v, const hx_val *like) {
  hx_stack_check();
  const hx_obj *from = v->u.obj, *old = like->tag == v->tag ? like->u.obj : NULL;
  const hx_type *elem = from->elem ? copy_type(c, from->elem, old ? old->elem : NULL) : NULL;
  shape_copy shape = copy_shape(c, from->shape, old ? old->shape : NULL);
  if (old && shape.to != old->shape) old = NULL;
  hx_val *parts = HX_NEW_ARRAY(c->to, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) parts[i] = copy(c, &from->v[shape.order ? shape.order[i] : i], old ? &old->v[i] : &nothing);
  if (old && elem == old->elem && give_back(c, parts, old->v, v->len)) return *like;
  return v->tag == HX_T_MAP ? hx_map(c->to, elem, shape.to, parts) : hx_object(c->to, shape.to, parts);
}

static hx_val copy_open(copier *c, const hx_open_info *open, const hx_val *like) {
  const hx_open_info *old = like->u.unk->open;
  hx_open_info own = { copy(c, &open->parts, old ? &old->parts : &nothing), open->written, open->form };
  if (own.written.tag != HX_T_NONE) own.written = copy(c, &open->written, old ? &old->written : &nothing);
  bool shared = old && own.form == old->form && is_shared(&own.parts, &old->parts) && is_shared(&own.written, &old->written);
  return shared ? *like : hx_open_as(c->to, &own);
}

static bool is_like(const hx_unk *a, const hx_unk *b) {
  return a->type == b->type && a->not_null == b->not_null && a->untyped == b->untyped && a->min_inclusive == b->min_inclusive &&
         a->max_inclusive == b->max_inclusive && a->prefix.p == b->prefix.p && a->prefix.len == b->prefix.len &&
         is_shared(&a->min, &b->min) && is_shared(&a->max, &b->max) && a->min_length == b->min_length &&
         a->max_length == b->max_length && a->open == b->open;
}

static hx_val copy_unknown(copier *c, const hx_val *v, const hx_val *like) {
  if (!hx_is_unknown(like)) like = &hx_unknown_dynamic;
  const hx_unk *u = v->u.unk, *old = like->u.unk;
  if (u->open) return copy_open(c, u->open, like);
  hx_unk own = *u;
  own.type = copy_type(c, u->type, old->type);
  own.prefix = copy_str(c, u->prefix, old->prefix);
  own.min = copy(c, &u->min, &old->min);
  own.max = copy(c, &u->max, &old->max);
  if (is_like(&own, old)) return *like;
  hx_unk *made = HX_NEW(c->to, hx_unk);
  *made = own;
  return hx_unknown_as(made);
}

static bool same_marks(const hx_marks *a, const hx_marks *b) {
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!hx_str_eq(a->names[i], b->names[i])) return false;
  return true;
}

static hx_val copy_marked(copier *c, const hx_val *v, const hx_val *like) {
  const hx_marked *from = v->u.marked, *old = like->tag == HX_T_MARKED ? like->u.marked : NULL;
  if (old && !same_marks(from->marks, old->marks)) old = NULL;
  hx_val bare = copy(c, &from->v, old ? &old->v : &nothing);
  if (old && is_shared(&bare, &old->v)) return *like;
  return hx_mark(c->to, bare, old ? old->marks : hx_marks_copy(c->to, from->marks));
}

static hx_val copy_string(copier *c, const hx_val *v, const hx_val *like) {
  if (like->tag == HX_T_STR && hx_str_eq(hx_val_str(v), hx_val_str(like))) return *like;
  hx_charge_memory(c->to, v->len);
  return hx_string(hx_str_copy(c->to, hx_val_str(v)));
}

static hx_val copy(copier *c, const hx_val *v, const hx_val *like) {
  switch ((hx_tag)v->tag) {
    case HX_T_NONE:
    case HX_T_BOOL:
    case HX_T_INT:
    case HX_T_FOREIGN: return *v;
    case HX_T_NUM: return hx_num_copy(c->to, v);
    case HX_T_STR: return copy_string(c, v, like);
    case HX_T_TUPLE:
      if (!v->len) return hx_empty_tuple;
      return copy_seq(c, v, like);
    case HX_T_LIST:
    case HX_T_SET: return copy_seq(c, v, like);
    case HX_T_OBJECT:
      if (!v->len) return hx_empty_object;
      return copy_obj(c, v, like);
    case HX_T_MAP: return copy_obj(c, v, like);
    case HX_T_NULL: return hx_null(copy_type(c, v->u.type, like->tag == HX_T_NULL ? like->u.type : NULL));
    case HX_T_UNKNOWN: return copy_unknown(c, v, like);
    case HX_T_MARKED: return copy_marked(c, v, like);
    case HX_T_CAPSULE: return hx_capsule(copy_type(c, v->u.type, like->tag == HX_T_CAPSULE ? like->u.type : NULL));
  }
  return *v;
}

hx_val hx_val_copy_like(hx_cx *to, const hx_val *v, const hx_val *like) {
  copier c = { .to = to };
  return copy(&c, v, like);
}

hx_val hx_val_copy(hx_cx *to, const hx_val *v) {
  return hx_val_copy_like(to, v, &nothing);
}
