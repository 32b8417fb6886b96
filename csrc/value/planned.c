/* planned.c: says what a provider may plan for an argument, if no schema gives the argument's type. */
#include "value/open.h"

static bool is_only_written(hx_str name) {
  return name.len >= 3 && memcmp(name.p + name.len - 3, "_wo", 3) == 0;
}

static bool is_ephemeral(const hx_val *v) {
  const hx_marks *marks = hx_marks_get(v);
  return marks && hx_marks_has(marks, HX_STR("ephemeral"));
}

/* Returns true if no state keeps the attribute, because it is write-only or ephemeral. */
static bool is_gone(hx_str name, const hx_val *v) {
  return is_only_written(name) || is_ephemeral(v);
}

static bool is_null_or_empty(const hx_val *bare) {
  return bare->tag == HX_T_NULL || ((bare->tag == HX_T_STR || hx_is_seq(bare) || hx_is_obj(bare)) && bare->len == 0);
}

/* Chosen attributes of an object or map, in its order. */
typedef struct chosen {
  hx_str *keys;
  hx_val *v;
  uint32_t n;
} chosen;

static chosen none_of(hx_cx *cx, const hx_val *from) {
  return (chosen){ HX_NEW_ARRAY(cx, hx_str, from->len), HX_NEW_ARRAY(cx, hx_val, from->len), 0 };
}

static void choose(chosen *c, hx_str key, hx_val v) {
  c->keys[c->n] = key;
  c->v[c->n++] = v;
}

static const hx_shape *shape_of(hx_cx *cx, const chosen *c, const hx_val *from) {
  return c->n == from->len ? from->u.obj->shape : hx_shape_new(cx, c->keys, c->n);
}

/* 1. What a plan shows: everything except write-only and ephemeral parts */

static hx_val kept(hx_cx *cx, const hx_val *v, bool *changed);

static hx_val kept_object(hx_cx *cx, const hx_val *from, bool *changed) {
  chosen c = none_of(cx, from);
  for (uint32_t i = 0; i < from->len; i++) {
    hx_str key = from->u.obj->shape->keys[i];
    const hx_val *v = &from->u.obj->v[i];
    if (!is_gone(key, v)) choose(&c, key, kept(cx, v, changed));
  }
  *changed = *changed || c.n < from->len;
  if (!*changed) return *from;
  return hx_object(cx, shape_of(cx, &c, from), c.v);
}

static hx_val kept_sequence(hx_cx *cx, const hx_val *from, bool *changed) {
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, from->len);
  for (uint32_t i = 0; i < from->len; i++) {
    bool gone = is_ephemeral(&from->u.seq->v[i]);
    v[i] = gone ? hx_unknown_dynamic : kept(cx, &from->u.seq->v[i], changed);
    *changed = *changed || gone;
  }
  return *changed ? hx_tuple(cx, v, from->len) : *from;
}

static hx_val kept(hx_cx *cx, const hx_val *v, bool *changed) {
  const hx_val *bare = hx_unmarked(v);
  bool inside = false;
  hx_val out = *bare;
  if (bare->tag <= HX_T_STR || hx_is_plain_seq(bare)) return *v;
  hx_stack_check();
  if (hx_is_obj(bare)) out = kept_object(cx, bare, &inside);
  else if (hx_is_seq(bare)) out = kept_sequence(cx, bare, &inside);
  if (!inside) return *v;
  *changed = true;
  return hx_mark(cx, out, hx_marks_get(v));
}

/* 2. What is certain about a value */

typedef struct reading {
  hx_cx *cx;
  bool json;  /* the value is from JSON syntax: an object may be a block, and a list of objects several blocks */
  bool exact; /* so far, the result is shown exactly as it was written */
} reading;

static hx_val sure(reading *r, const hx_val *v);

/* Returns the unknown for a value that a provider may compute, with the marks of the written value. */
static hx_val unsure(reading *r, const hx_val *v) {
  r->exact = false;
  return hx_mark(r->cx, hx_unknown_untyped, is_ephemeral(v) ? NULL : hx_marks_get(v));
}

static hx_val sure_object(reading *r, const hx_val *from) {
  chosen c = none_of(r->cx, from);
  for (uint32_t i = 0; i < from->len; i++) {
    hx_str key = from->u.obj->shape->keys[i];
    const hx_val *v = &from->u.obj->v[i];
    if (hx_is_planned(key, v)) choose(&c, key, sure(r, v));
    else if (!is_gone(key, v) && v->tag == HX_T_MARKED) choose(&c, key, unsure(r, v));
  }
  r->exact = r->exact && from->tag == HX_T_OBJECT && c.n == from->len;
  hx_val parts = hx_object(r->cx, shape_of(r->cx, &c, from), c.v);
  return hx_open_object(r->cx, &parts);
}

/* Returns what is certain about an element of a sequence. One that isn't certain becomes unknown, so that the others keep their places. */
static hx_val sure_element(reading *r, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  bool is_sure = bare->tag != HX_T_NULL && !is_ephemeral(v) && !(hx_is_seq(bare) && !bare->len);
  if (!is_sure) return unsure(r, v);
  return hx_is_obj(bare) ? hx_mark(r->cx, sure_object(r, bare), hx_marks_get(v)) : sure(r, v);
}

static hx_val sure_items(reading *r, const hx_val *from, hx_items_form form) {
  hx_val *v = HX_NEW_ARRAY(r->cx, hx_val, from->len);
  for (uint32_t i = 0; i < from->len; i++) v[i] = sure_element(r, &from->u.seq->v[i]);
  r->exact = r->exact && from->tag == HX_T_TUPLE;
  hx_val items = hx_tuple(r->cx, v, from->len);
  return hx_open_items(r->cx, &items, form);
}

/* Returns what is certain about an object in JSON syntax, which may be a block. */
static hx_val sure_block(reading *r, const hx_val *from) {
  hx_val *object = HX_NEW(r->cx, hx_val);
  *object = sure_object(r, from);
  r->exact = false;
  hx_val block = hx_tuple(r->cx, object, 1);
  return hx_open_items(r->cx, &block, HX_ITEMS_BLOCKS);
}

static bool may_be_blocks(const reading *r, const hx_val *v) {
  for (uint32_t i = 0; r->json && i < v->len; i++)
    if (!hx_is_obj(hx_unmarked(&v->u.seq->v[i]))) return false;
  return r->json;
}

/* Returns what is certain about an unknown. If its items may be in another order, as in a set, only their marks are. */
static hx_val sure_unknown(reading *r, const hx_val *v) {
  const hx_val *items = hx_items_of(v), *parts = hx_open_of(v);
  const hx_type *type = v->u.unk->type;
  if (hx_type_is_primitive(type) || (type->kind == HX_K_DYNAMIC && !items && !parts)) return *v;
  r->exact = false;
  if (parts) return sure_object(r, parts);
  if (items && hx_items_in_order(v)) return sure_items(r, items, hx_is_blocks(v) ? HX_ITEMS_BLOCKS : HX_ITEMS_LISTED);
  return hx_unknown_with_marks(r->cx, v);
}

static hx_val sure(reading *r, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  if (bare->tag <= HX_T_STR) return *v;
  hx_val out = *bare;
  hx_stack_check();
  if (hx_is_obj(bare)) out = r->json ? sure_block(r, bare) : sure_object(r, bare);
  else if (hx_is_seq(bare)) out = sure_items(r, bare, may_be_blocks(r, bare) ? HX_ITEMS_BLOCKS : HX_ITEMS_LISTED);
  else if (bare->tag == HX_T_UNKNOWN) out = sure_unknown(r, bare);
  return hx_mark(r->cx, out, hx_marks_get(v));
}

bool hx_is_planned(hx_str name, const hx_val *v) {
  return !is_gone(name, v) && !is_null_or_empty(hx_unmarked(v));
}

hx_val hx_planned(hx_cx *cx, const hx_val *v, bool json) {
  const hx_val *bare = hx_unmarked(v);
  reading r = { cx, json, true };
  bool changed = false;
  hx_charge_walk(cx, hx_val_weight(v));
  hx_val out = sure(&r, v), *made = &out;
  if (r.exact || !hx_known_parts(hx_unmarked(made))) return out;
  hx_val whole = hx_as_written(cx, bare);
  hx_open_info known = *hx_unmarked(made)->u.unk->open;
  known.written = kept(cx, &whole, &changed);
  return hx_mark(cx, hx_open_as(cx, &known), hx_marks_get(v));
}
