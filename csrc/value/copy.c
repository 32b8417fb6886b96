/* copy.c: values moved to another lifetime. */
#include "value/marks.h"
#include "value/number/number.h"
#include "value/sort.h"
#include "value/unknown.h"

/* Siblings share shapes and types, so what was copied lately is remembered. */
typedef struct shape_copy {
  const hx_shape *from, *to;
  const uint32_t *order; /* to's key i is from's key order[i]; NULL: the same order */
} shape_copy;

#define REMEMBERED 16u

typedef struct copier {
  hx_cx *to;
  shape_copy shapes[REMEMBERED]; /* by address */
  const hx_type *type_from, *type_to;
} copier;

static hx_val copy(copier *c, const hx_val *v);

static const hx_type *copy_type(copier *c, const hx_type *t) {
  if (t != c->type_from) {
    c->type_to = hx_type_copy(c->to, t);
    c->type_from = t;
  }
  return c->type_to;
}

static shape_copy copy_shape(copier *c, const hx_shape *s) {
  shape_copy *known = &c->shapes[((uintptr_t)s >> 6) % REMEMBERED];
  if (known->from == s) return *known;
  hx_str *keys = HX_NEW_ARRAY(c->to, hx_str, s->n);
  const uint32_t *order = s->order;
  if (!s->sorted && !order) {
    uint32_t *made = HX_NEW_ARRAY(c->to, uint32_t, s->n);
    hx_sort_strs(c->to, s->keys, s->n, made);
    order = made;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    keys[i] = hx_str_copy(c->to, s->keys[order ? order[i] : i]);
  }
  *known = (shape_copy){ s, hx_shape_new(c->to, keys, s->n), order };
  return *known;
}

static hx_val copy_seq(copier *c, const hx_val *v) {
  hx_stack_check();
  const hx_type *elem = v->u.seq->elem ? copy_type(c, v->u.seq->elem) : NULL;
  hx_val *parts = HX_NEW_ARRAY(c->to, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) {
    parts[i] = copy(c, &v->u.seq->v[i]);
  }
  const hx_seq *from = v->u.seq;
  hx_val out = from->plain ? hx_seq_weighed(c->to, elem, parts, v->len, from->weight, true) : hx_list(c->to, elem, parts, v->len);
  out.tag = v->tag; /* a set's elements stay in their order */
  return out;
}

static hx_val copy_obj(copier *c, const hx_val *v) {
  hx_stack_check();
  const hx_type *elem = v->u.obj->elem ? copy_type(c, v->u.obj->elem) : NULL;
  shape_copy shape = copy_shape(c, v->u.obj->shape);
  hx_val *parts = HX_NEW_ARRAY(c->to, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) parts[i] = copy(c, &v->u.obj->v[shape.order ? shape.order[i] : i]);
  return v->tag == HX_T_MAP ? hx_map(c->to, elem, shape.to, parts) : hx_object(c->to, shape.to, parts);
}

static hx_val copy_unknown(copier *c, const hx_val *v) {
  const hx_unk *u = v->u.unk;
  if (u->open) {
    hx_val parts = copy(c, &u->open->parts);
    return hx_open_object(c->to, &parts);
  }
  hx_unk *own = HX_NEW(c->to, hx_unk);
  *own = *u;
  own->type = copy_type(c, u->type);
  own->prefix = hx_str_copy(c->to, u->prefix);
  own->min = copy(c, &u->min);
  own->max = copy(c, &u->max);
  return hx_unknown_as(own);
}

static hx_val copy_marked(copier *c, const hx_val *v) {
  return hx_mark(c->to, copy(c, &v->u.marked->v), hx_marks_copy(c->to, v->u.marked->marks));
}

static hx_val copy(copier *c, const hx_val *v) {
  switch ((hx_tag)v->tag) {
    case HX_T_NONE:
    case HX_T_BOOL:
    case HX_T_INT:
    case HX_T_FOREIGN: return *v;
    case HX_T_NUM: return hx_num_copy(c->to, v);
    case HX_T_STR: hx_charge_memory(c->to, v->len); return hx_string(hx_str_copy(c->to, hx_val_str(v)));
    case HX_T_TUPLE:
      if (!v->len) return hx_empty_tuple;
      return copy_seq(c, v);
    case HX_T_LIST:
    case HX_T_SET: return copy_seq(c, v);
    case HX_T_OBJECT:
      if (!v->len) return hx_empty_object;
      return copy_obj(c, v);
    case HX_T_MAP: return copy_obj(c, v);
    case HX_T_NULL: return hx_null(copy_type(c, v->u.type));
    case HX_T_UNKNOWN: return copy_unknown(c, v);
    case HX_T_MARKED: return copy_marked(c, v);
    case HX_T_CAPSULE: return hx_capsule(copy_type(c, v->u.type));
  }
  return *v;
}

hx_val hx_val_copy(hx_cx *to, const hx_val *v) {
  copier c = { .to = to };
  return copy(&c, v);
}
