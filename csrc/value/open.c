/* open.c: unifies partly known values with others, and compares them. */
#include "value/open.h"
#include "value/convert/convert.h"
#include "value/equal.h"
#include "value/number/number.h"

/* Returns the *n parts of a value that may contain open objects, or NULL. */
static const hx_val *parts_of(const hx_val *v, uint32_t *n) {
  *n = v->len;
  if (hx_is_seq(v)) return v->u.seq->plain ? NULL : v->u.seq->v;
  return hx_is_obj(v) ? v->u.obj->v : NULL;
}

bool hx_has_open(const hx_val *v) {
  uint32_t n;
  v = hx_unmarked(v);
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->open || v->u.unk->untyped;
  const hx_val *parts = parts_of(v, &n);
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < n; i++)
    if (parts[i].tag > HX_T_STR && hx_has_open(&parts[i])) return true;
  return false;
}

/* Returns the marks on a value and in it. If only parts are sensitive, adds the guarded mark, because a result made from the value may
** or may not be sensitive. */
static const hx_marks *marks_within(hx_cx *cx, const hx_val *v) {
  const hx_marks *marks = hx_marks_get(v), *inner = NULL;
  hx_charge_walk(cx, hx_val_weight(v));
  hx_unmark_deep(cx, hx_unmarked(v), &inner);
  bool is_sure = marks && hx_marks_has(marks, HX_STR("sensitive"));
  if (!is_sure && inner && hx_marks_has(inner, HX_STR("sensitive")))
    inner = hx_marks_join(cx, inner, hx_marks_of(cx, hx_mark_guarded));
  return hx_marks_join(cx, marks, inner);
}

const hx_marks *hx_open_marks(hx_cx *cx, const hx_val *v) {
  return hx_has_open(v) ? marks_within(cx, v) : NULL;
}

hx_val hx_unknown_from(const hx_val *bare) {
  return hx_has_open(bare) ? hx_unknown_untyped : hx_unknown_dynamic;
}

hx_val hx_unknown_of_open(hx_cx *cx, const hx_val *v) {
  return hx_mark(cx, hx_unknown_from(v), hx_open_marks(cx, v));
}

hx_val hx_unknown_with_marks(hx_cx *cx, const hx_val *v) {
  return hx_mark(cx, hx_unknown_untyped, marks_within(cx, v));
}

/* Returns the attributes of `bare`: the value itself if it is an object or map, the parts of an open object, NULL for any other value. */
static const hx_val *attributes_of(const hx_val *bare) {
  const hx_val *parts = hx_open_of(bare);
  return parts ? parts : hx_is_obj(bare) ? bare : NULL;
}

hx_val hx_loosened(hx_cx *cx, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v), *from = attributes_of(bare);
  hx_kind kind = hx_val_kind(bare);
  if (bare->tag == HX_T_STR) return *v;
  if (bare->tag == HX_T_UNKNOWN && !hx_known_parts(bare) && (kind == HX_K_DYNAMIC || kind == HX_K_STRING)) return *v;
  if (bare->tag == HX_T_NULL) return hx_mark(cx, hx_null(&hx_type_dynamic), hx_marks_get(v));
  if (!from) return hx_unknown_with_marks(cx, v);
  hx_stack_check();
  hx_charge_steps(cx, from->len / 2);
  hx_val *parts = HX_NEW_ARRAY(cx, hx_val, from->len);
  for (uint32_t i = 0; i < from->len; i++) parts[i] = hx_loosened(cx, &from->u.obj->v[i]);
  hx_val object = hx_object(cx, from->u.obj->shape, parts);
  return hx_mark(cx, hx_open_object(cx, &object), hx_marks_get(v));
}

bool hx_may_be_mapping(const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  hx_kind kind = hx_val_kind(bare);
  if (kind == HX_K_DYNAMIC) return !hx_items_of(bare) || hx_is_blocks(bare);
  return kind == HX_K_MAP || kind == HX_K_OBJECT;
}

bool hx_may_be_sequence(const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  hx_kind kind = hx_val_kind(bare);
  return kind == HX_K_DYNAMIC ? !hx_open_of(bare) : hx_kind_is_seq(kind);
}

static bool same_keys(const hx_val *v, const hx_val *w) {
  if (v->len != w->len) return false;
  for (uint32_t i = 0; i < v->len; i++)
    if (!hx_obj_get(w, v->u.obj->shape->keys[i])) return false;
  return true;
}

/* Returns true if all values are objects with the same attributes, or tuples of one length. Their types are then unified part by part. */
static bool of_one_form(const hx_val *v, uint32_t n) {
  const hx_val *first = hx_unmarked(v);
  if (first->tag != HX_T_OBJECT && first->tag != HX_T_TUPLE) return false;
  for (uint32_t i = 1; i < n; i++) {
    const hx_val *bare = hx_unmarked(&v[i]);
    if (bare->tag != first->tag || bare->len != first->len || (bare->tag == HX_T_OBJECT && !same_keys(first, bare))) return false;
  }
  return true;
}

static bool columns_beside(hx_cx *cx, hx_val *v, uint32_t n) {
  const hx_val *first = hx_unmarked(v);
  uint32_t width = first->len;
  bool object = first->tag == HX_T_OBJECT;
  const hx_shape *shape = object ? first->u.obj->shape : NULL;
  hx_val *column = HX_NEW_ARRAY(cx, hx_val, n), *parts = HX_NEW_ARRAY(cx, hx_val, (size_t)n * width);
  hx_stack_check();
  for (uint32_t k = 0; k < width; k++) {
    for (uint32_t i = 0; i < n; i++)
      column[i] = object ? *hx_obj_get(hx_unmarked(&v[i]), shape->keys[k]) : hx_unmarked(&v[i])->u.seq->v[k];
    if (!hx_beside_one_another(cx, column, n)) return false;
    for (size_t i = 0; i < n; i++) parts[i * width + k] = column[i];
  }
  for (size_t i = 0; i < n; i++) {
    hx_val made = object ? hx_object(cx, shape, parts + i * width) : hx_tuple(cx, parts + i * width, width);
    v[i] = hx_mark(cx, made, hx_marks_get(&v[i]));
  }
  return true;
}

bool hx_beside_one_another(hx_cx *cx, hx_val *v, uint32_t n) {
  bool any = false, parts = false;
  uint64_t weight = 0;
  for (uint32_t i = 0; i < n; i++) {
    weight += hx_val_weight(&v[i]);
    any = any || hx_has_open(&v[i]);
    parts = parts || hx_known_parts(hx_unmarked(&v[i]));
  }
  if (!any || n == 1) return true;
  hx_charge_walk(cx, weight);
  if (of_one_form(v, n)) return columns_beside(cx, v, n);
  for (uint32_t i = 0; parts && i < n; i++)
    if (!hx_may_be_mapping(&v[i])) return false;
  for (uint32_t i = 0; i < n; i++) v[i] = hx_loosened(cx, &v[i]);
  return true;
}

/* Unifies v part by part with w, which has the same attributes or the same length. Returns what v becomes. */
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

/* Unifies v with w, where both are sequences or both are maps or objects, as collections of one element type. Returns what v becomes. */
static hx_val elements_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  uint32_t n = v->len;
  bool seq = hx_is_seq(v);
  if (!n || (n == 1 && !w->len)) return *v;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, (size_t)n + w->len);
  memcpy(out, seq ? v->u.seq->v : v->u.obj->v, n * sizeof *out);
  if (w->len) memcpy(out + n, seq ? w->u.seq->v : w->u.obj->v, w->len * sizeof *out);
  if (!hx_beside_one_another(cx, out, n + w->len)) return hx_unknown_with_marks(cx, v);
  return seq ? hx_list(cx, &hx_type_dynamic, out, n) : hx_map(cx, &hx_type_dynamic, v->u.obj->shape, out);
}

/* Returns the elements of v, which is items or a sequence, if all are strings; otherwise NULL. */
static const hx_val *texts_of(const hx_val *v) {
  const hx_val *items = hx_items_of(v) ? hx_items_of(v) : hx_is_seq(v) && v->len ? v : NULL;
  for (uint32_t i = 0; items && i < items->len; i++)
    if (items->u.seq->v[i].tag != HX_T_STR) return NULL;
  return items;
}

static bool is_ordered(const hx_val *v) {
  return v->tag == HX_T_LIST || v->tag == HX_T_TUPLE || (hx_items_of(v) && v->u.unk->open->form == HX_ITEMS_ORDERED);
}

/* Unifies v with w, if one is items and the other items or a sequence. If all elements of both are strings, they stay strings, whatever
** type the collection gets. Otherwise nothing is certain. */
static hx_val items_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  const hx_val *texts = texts_of(v);
  if (!texts || !texts_of(w)) return hx_unknown_with_marks(cx, v);
  hx_val items = hx_tuple(cx, texts->u.seq->v, texts->len);
  return hx_open_items(cx, &items, is_ordered(v) && is_ordered(w) ? HX_ITEMS_ORDERED : HX_ITEMS_LISTED);
}

static hx_val bare_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  if (hx_is_untyped(v) || hx_is_untyped(w)) return hx_loosened(cx, v);
  if (v->tag == HX_T_NULL || w->tag == HX_T_NULL || v->tag <= HX_T_STR) return *v;
  bool nothing_beside = hx_is_seq(w) && !w->len, nothing = hx_is_seq(v) && !v->len;
  if ((hx_items_of(v) && nothing_beside) || (hx_items_of(w) && nothing)) return *v;
  if (hx_items_of(v) || hx_items_of(w)) return items_beside(cx, v, w);
  if (hx_open_of(v) || hx_open_of(w)) return hx_loosened(cx, v);
  if (v->tag == HX_T_TUPLE && w->tag == HX_T_TUPLE && v->len == w->len) return parts_beside(cx, v, w);
  if (v->tag == HX_T_OBJECT && w->tag == HX_T_OBJECT && same_keys(v, w)) return parts_beside(cx, v, w);
  bool lists = (v->tag == HX_T_LIST || v->tag == HX_T_TUPLE) && (w->tag == HX_T_LIST || w->tag == HX_T_TUPLE);
  if (lists || (hx_is_obj(v) && hx_is_obj(w))) return elements_beside(cx, v, w);
  return hx_unknown_with_marks(cx, v);
}

/* The search for open objects is charged even if the values contain none. */
hx_val hx_beside(hx_cx *cx, const hx_val *v, const hx_val *w) {
  if (v->tag > HX_T_STR || w->tag > HX_T_STR) hx_charge_walk(cx, hx_val_weight(v) + hx_val_weight(w));
  if (!hx_has_open(v) && !hx_has_open(w)) return *v;
  return hx_mark(cx, bare_beside(cx, hx_unmarked(v), hx_unmarked(w)), hx_marks_get(v));
}

/* Returns true if two values differ after conversion to type t, or if one of them can't be converted to it. */
static bool differ_as(hx_cx *cx, const hx_val *a, const hx_val *b, const hx_type *t) {
  hx_val x, y;
  if (!hx_convert(cx, a, t, &x, NULL) || !hx_convert(cx, b, t, &y, NULL)) return true;
  hx_val same = hx_equal(cx, &x, &y);
  return same.tag == HX_T_BOOL && !same.u.i;
}

static bool is_plain(const hx_val *v) {
  return v->tag == HX_T_BOOL || v->tag == HX_T_STR || hx_is_number(v);
}

/* Returns true if two values differ after every conversion that a schema may ask for. Objects do if one of their common attributes does.
** Primitive values do if they differ as strings, as numbers and as bools. For sequences, and for unknown, null or marked values, that is
** never certain. */
static bool surely_differ(hx_cx *cx, const hx_val *a, const hx_val *b) {
  HX_ASSERT(a && b);
  const hx_val *x = attributes_of(a), *y = attributes_of(b);
  if (!x || !y)
    return is_plain(a) && is_plain(b) && differ_as(cx, a, b, &hx_type_string) && differ_as(cx, a, b, &hx_type_number) &&
           differ_as(cx, a, b, &hx_type_bool);
  hx_stack_check();
  for (uint32_t i = 0; i < x->len; i++) {
    hx_charge_steps(cx, 1);
    const hx_val *other = hx_obj_get(y, x->u.obj->shape->keys[i]);
    if (other && surely_differ(cx, &x->u.obj->v[i], other)) return true;
  }
  return false;
}

/* Says whether an open object with these parts may equal w. It can't if w lacks one of the attributes, or surely differs in one. */
static hx_sure object_may_be(hx_cx *cx, const hx_val *parts, const hx_val *w) {
  if (!hx_is_obj(w)) return HX_NO;
  for (uint32_t i = 0; i < parts->len; i++) {
    const hx_val *other = hx_obj_get(w, parts->u.obj->shape->keys[i]);
    if (!other || surely_differ(cx, &parts->u.obj->v[i], other)) return HX_NO;
  }
  return HX_MAYBE;
}

hx_sure hx_open_may_be(hx_cx *cx, const hx_val *v, const hx_val *w) {
  const hx_val *items = hx_items_of(v);
  if (!items) return object_may_be(cx, hx_open_of(v), w);
  if (!hx_is_seq(w)) return hx_is_blocks(v) && items->len == 1 && hx_is_obj(w) ? HX_MAYBE : HX_NO;
  if (w->tag == HX_T_SET) return w->len ? HX_MAYBE : HX_NO;
  if (w->len != items->len) return HX_NO;
  for (uint32_t i = 0; i < items->len; i++)
    if (surely_differ(cx, &items->u.seq->v[i], &w->u.seq->v[i])) return HX_NO;
  return HX_MAYBE;
}

/* The most items that are compared in pairs. Primitive items need no pairs: they are converted to sets, whose elements are counted. */
#define ITEMS_COMPARED 64u

static bool all_plain(const hx_val *items) {
  for (uint32_t i = 0; i < items->len; i++)
    if (!is_plain(&items->u.seq->v[i])) return false;
  return true;
}

/* Returns true if a set of elem would have as many elements as `items`, or if the items can't become such a set. */
static bool differ_in_set(hx_cx *cx, const hx_val *items, const hx_type *elem) {
  hx_val set;
  return !hx_convert(cx, items, hx_type_collection(cx, HX_K_SET, elem), &set, NULL) || set.len == items->len;
}

bool hx_items_differ(hx_cx *cx, const hx_val *v) {
  const hx_val *items = hx_items_of(v);
  if (v->u.unk->open->form == HX_ITEMS_ORDERED) return true;
  if (items->len < 2) return !hx_is_blocks(v);
  if (all_plain(items))
    return differ_in_set(cx, items, &hx_type_string) && differ_in_set(cx, items, &hx_type_number) &&
           differ_in_set(cx, items, &hx_type_bool);
  if (items->len > ITEMS_COMPARED) return false;
  for (uint32_t i = 0; i < items->len; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!surely_differ(cx, &items->u.seq->v[i], &items->u.seq->v[j])) return false;
  return true;
}

/* Returns true if a comes before b in a set, and both are strings, bools or numbers. */
static bool comes_before(const hx_val *a, const hx_val *b) {
  if (a->tag == HX_T_STR && b->tag == HX_T_STR) return hx_str_cmp(hx_val_str(a), hx_val_str(b)) < 0;
  if (a->tag == HX_T_BOOL && b->tag == HX_T_BOOL) return a->u.i < b->u.i;
  return hx_is_number(a) && hx_is_number(b) && hx_num_cmp(a, b) < 0;
}

bool hx_items_in_order(const hx_val *v) {
  const hx_val *items = hx_items_of(v);
  if (v->u.unk->open->form == HX_ITEMS_ORDERED) return true;
  for (uint32_t i = 1; i < items->len; i++)
    if (!comes_before(&items->u.seq->v[i - 1], &items->u.seq->v[i])) return false;
  return true;
}

/* Returns the value that with_parts puts in place of an unknown, or NULL to keep the unknown. */
typedef const hx_val *parts_to_take(const hx_val *bare);

static hx_val with_parts(hx_cx *cx, const hx_val *v, parts_to_take *take) {
  const hx_val *bare = hx_unmarked(v), *from = bare->tag == HX_T_UNKNOWN ? take(bare) : bare;
  if (!from || !hx_has_open(v)) return *v;
  if (!hx_has_open(from)) return hx_mark(cx, *from, hx_marks_get(v));
  uint32_t n = from->len;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  hx_stack_check();
  for (uint32_t i = 0; i < n; i++) out[i] = with_parts(cx, hx_is_seq(from) ? &from->u.seq->v[i] : &from->u.obj->v[i], take);
  hx_val made = hx_is_seq(from) ? hx_tuple(cx, out, n) : hx_object(cx, from->u.obj->shape, out);
  return hx_mark(cx, made, hx_marks_get(v));
}

static const hx_val *written_parts(const hx_val *bare) {
  const hx_open_info *open = bare->u.unk->open;
  return !open || open->written.tag == HX_T_NONE ? hx_known_parts(bare) : &open->written;
}

hx_val hx_as_written(hx_cx *cx, const hx_val *v) {
  return with_parts(cx, v, written_parts);
}

bool hx_are_sure_elements(const hx_val *bare) {
  return hx_items_of(bare) && !hx_is_blocks(bare) && hx_items_in_order(bare);
}

static const hx_val *sure_elements(const hx_val *bare) {
  return hx_are_sure_elements(bare) ? hx_items_of(bare) : NULL;
}

hx_val hx_as_data(hx_cx *cx, const hx_val *v) {
  return with_parts(cx, v, sure_elements);
}
