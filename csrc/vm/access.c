/* access.c: reads attributes and indexes of values, and words the messages for missing ones. */
#include "vm/access.h"

#include "base/ascii.h"
#include "text/quote.h"
#include "text/source.h"
#include "text/suggest.h"
#include "text/unicode.h"
#include "value/open.h"
#include "value/render.h"

/* Returns the result after a reported error: an unknown value. */
static hx_val failed(void) {
  return hx_unknown_dynamic;
}

static hx_val unknown_like(hx_cx *cx, const hx_type *t, const hx_marks *marks) {
  return hx_mark(cx, hx_unknown(cx, t), marks);
}

/* Returns the names for "did you mean" and sets *n to their number: the keys of v, or of an unknown object's type. Returns NULL if v has no
** keys, if they may be secret, or if the message isn't shown. */
static const hx_str *keys_to_suggest(const hx_cx *cx, const hx_val *v, uint32_t *n) {
  *n = 0;
  if (v->tag == HX_T_MARKED || cx->secret || hx_is_silent(cx)) return NULL;
  if (hx_is_obj(v)) {
    *n = v->u.obj->shape->n;
    return v->u.obj->shape->keys;
  }
  const hx_type *t = hx_stated_type(v);
  if (!t || t->kind != HX_K_OBJECT) return NULL;
  *n = t->n;
  return t->names;
}

static hx_str kind_text(hx_cx *cx, const hx_val *v) {
  return hx_type_friendly(cx, hx_val_type(cx, v));
}

/* Attributes */

/* Returns true if v is a list or set of objects. The reference has a separate message for an attribute of such a collection. */
static bool is_collection_of_objects(const hx_val *v) {
  const hx_type *t = hx_stated_type(v), *elem = NULL;
  if (t) elem = t->kind == HX_K_LIST || t->kind == HX_K_SET ? t->elem : NULL;
  else if (v->tag == HX_T_LIST || v->tag == HX_T_SET) elem = v->u.seq->elem;
  return elem && elem->kind == HX_K_OBJECT;
}

static hx_val attr_fault(hx_cx *cx, const hx_val *v, hx_str name, const struct hx_source *src, hx_range at) {
  const hx_val *bare = hx_unmarked(v);
  hx_kind kind = hx_val_kind(bare);
  if (kind == HX_K_OBJECT || kind == HX_K_MAP) {
    uint32_t n;
    const hx_str *keys = keys_to_suggest(cx, v, &n);
    hx_report_missing(cx, kind == HX_K_OBJECT ? HX_D_REFERENCE_ATTRIBUTE : HX_D_REFERENCE_MAP_KEY, src, at, name, keys, n,
                      HX_STR(""));
  } else if (is_collection_of_objects(bare)) {
    hx_diag_add(cx, HX_D_REFERENCE_ATTRIBUTE_OF_EACH, src, at, HX_STR_ARG(name), kind == HX_K_LIST ? "list" : "set");
  } else {
    hx_str is = kind_text(cx, bare);
    hx_diag_add(cx, HX_D_REFERENCE_NO_ATTRIBUTES, src, at, HX_STR_ARG(name), HX_STR_ARG(is));
  }
  return failed();
}

/* Finds an attribute. Keys are in NFC, but a name in a source may not be: a name that isn't found as written is normalised and
** tried again. */
static const hx_val *find_attr(hx_cx *cx, const hx_val *bare, hx_str name) {
  const hx_val *found = hx_obj_get(bare, name);
  if (found || hx_is_ascii(name)) return found;
  return hx_obj_get(bare, hx_nfc(cx, name));
}

static hx_val get_attr(hx_cx *cx, const hx_val *v, hx_str name, const struct hx_source *src, hx_range at);

static hx_val unknown_attr(hx_cx *cx, const hx_val *v, hx_str name, const struct hx_source *src, hx_range at) {
  const hx_val *bare = hx_unmarked(v);
  const hx_type *t = bare->u.unk->type, *found = NULL;
  if (t->kind == HX_K_DYNAMIC) {
    if (hx_items_of(bare) && !hx_is_blocks(bare)) return attr_fault(cx, hx_items_of(bare), name, src, at);
    const hx_val *blocks = hx_items_of(bare), *part = hx_open_of(bare) ? find_attr(cx, hx_open_of(bare), name) : NULL;
    hx_val only = blocks && blocks->len == 1 ? get_attr(cx, &blocks->u.seq->v[0], name, src, at) : hx_unknown_from(bare);
    if (blocks && cx->tries) only = hx_unknown_with_marks(cx, &only); /* the attribute fails if the value turns out to be a list */
    return hx_mark(cx, part ? *part : only, hx_marks_get(v));
  }
  if (t->kind == HX_K_OBJECT) found = hx_type_attr(t, hx_nfc(cx, name));
  if (t->kind == HX_K_MAP) found = t->elem;
  return found ? unknown_like(cx, found, hx_marks_get(v)) : attr_fault(cx, v, name, src, at);
}

/* Reads v.name. */
static hx_val get_attr(hx_cx *cx, const hx_val *v, hx_str name, const struct hx_source *src, hx_range at) {
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_obj(bare)) {
    const hx_val *found = find_attr(cx, bare, name);
    if (!found) return attr_fault(cx, v, name, src, at);
    return v == bare ? *found : hx_mark(cx, *found, hx_marks_get(v));
  }
  if (hx_is_null(bare)) {
    hx_diag_add(cx, HX_D_REFERENCE_NULL_ATTRIBUTE, src, at, HX_STR_ARG(name));
    return failed();
  }
  if (hx_is_unknown(bare)) return unknown_attr(cx, v, name, src, at);
  return attr_fault(cx, v, name, src, at);
}

/* Indexes. The reference drops the key's marks for objects, if the key is unknown, and if the collection is unknown and not a tuple.
** Otherwise the result has them. */

typedef struct index_at {
  hx_cx *cx;
  const hx_val *v;    /* the collection, with its marks */
  const hx_val *bare; /* without its marks */
  const hx_marks *marks;
  hx_kind kind;
  const struct hx_source *src;
  hx_range at;
} index_at;

static hx_val index_fault(const index_at *x, hx_diag_id id) {
  hx_diag_add(x->cx, id, x->src, x->at, hx_kind_name(x->kind));
  return failed();
}

/* Converts the key to the collection's key type. Returns false after reporting an error. */
static bool convert_key(const index_at *x, const hx_val *key, const hx_type *want, hx_val *out) {
  if ((want->kind == HX_K_STRING && key->tag == HX_T_STR) || (want->kind == HX_K_NUMBER && hx_is_number(key))) {
    *out = *key;
    return true;
  }
  hx_why_not why = { { "", 0 } };
  if (hx_convert(x->cx, key, want, out, &why)) return true;
  hx_diag_add(x->cx, HX_D_INDEX_TYPE, x->src, x->at, hx_kind_name(x->kind), HX_STR_ARG(why.text));
  return false;
}

static uint32_t elements(const hx_val *bare) {
  const hx_type *t = hx_stated_type(bare);
  return t ? t->n : bare->len;
}

void hx_report_range(hx_cx *cx, hx_kind kind, uint32_t n, const struct hx_source *src, hx_range at) {
  hx_diag_id id = cx->secret ? HX_D_INDEX_RANGE_HIDDEN : n == 0 ? HX_D_INDEX_EMPTY : HX_D_INDEX_RANGE;
  if (id == HX_D_INDEX_RANGE) hx_diag_add(cx, id, src, at, hx_kind_name(kind), (long long)n - 1);
  else hx_diag_add(cx, id, src, at, hx_kind_name(kind));
}

/* Sets *out to the position that a known number denotes. Returns false after reporting an error. */
static bool position(const index_at *x, const hx_val *key, uint32_t *out) {
  int64_t i = -1;
  uint32_t n = elements(x->bare);
  bool whole = hx_num_to_int(key, &i);
  if (!whole && hx_num_sign(key) == 0) whole = true, i = 0; /* -0 counts as 0 */
  if (whole && i >= 0 && i < (int64_t)n) {
    *out = (uint32_t)i;
    return true;
  }
  if (!hx_num_is_whole(key) && !hx_num_is_inf(key)) index_fault(x, HX_D_INDEX_FRACTION);
  else if (hx_num_sign(key) < 0) index_fault(x, HX_D_INDEX_NEGATIVE);
  else if (x->marks) index_fault(x, HX_D_INDEX_RANGE_HIDDEN);
  else hx_report_range(x->cx, x->kind, n, x->src, x->at);
  return false;
}

static hx_val index_seq(const index_at *x, const hx_val *key) {
  hx_val k;
  if (!convert_key(x, key, &hx_type_number, &k)) return failed();
  const hx_val *number = hx_unmarked(&k);
  const hx_type *t = hx_stated_type(x->bare);
  if (hx_is_unknown(number) || (t && x->kind == HX_K_LIST)) {
    if (x->kind == HX_K_TUPLE) return hx_mark(x->cx, hx_unknown_dynamic, x->marks);
    return unknown_like(x->cx, t ? t->elem : x->bare->u.seq->elem, x->marks);
  }
  uint32_t i;
  if (!position(x, number, &i)) return failed();
  const hx_marks *marks = hx_marks_join(x->cx, x->marks, hx_marks_get(&k));
  /* With a stated type, this is an unknown tuple, whose type lists the types of its elements. */
  return t ? unknown_like(x->cx, t->elems[i], marks) : hx_mark(x->cx, x->bare->u.seq->v[i], marks);
}

static hx_val key_fault(const index_at *x, const hx_val *given, const hx_val *key) {
  bool shown_key = given->tag != HX_T_MARKED && !x->cx->secret;
  hx_str name = hx_val_str(key);
  hx_str text = shown_key ? hx_quote_short(x->cx, name, 60) : HX_STR("given (its value is not shown)");
  if (x->kind == HX_K_OBJECT && hx_is_number(hx_unmarked(given))) {
    hx_diag_add(x->cx, HX_D_INDEX_KEY_NUMBER, x->src, x->at, HX_STR_ARG(text));
    return failed();
  }
  uint32_t n;
  const hx_str *keys = keys_to_suggest(x->cx, x->v, &n);
  hx_str hint = hx_did_you_mean(x->cx, name, keys, shown_key ? n : 0);
  hx_diag_add(x->cx, HX_D_INDEX_KEY, x->src, x->at, hx_kind_name(x->kind), HX_STR_ARG(text), HX_STR_ARG(hint));
  return failed();
}

static hx_val index_map(const index_at *x, const hx_val *key) {
  hx_val k;
  if (!convert_key(x, key, &hx_type_string, &k)) return failed();
  const hx_val *name = hx_unmarked(&k);
  const hx_type *t = hx_stated_type(x->bare);
  if (t || hx_is_unknown(name)) return unknown_like(x->cx, t ? t->elem : x->bare->u.obj->elem, x->marks);
  const hx_val *found = hx_obj_get(x->bare, hx_val_str(name));
  if (!found) return key_fault(x, key, name);
  return hx_mark(x->cx, *found, hx_marks_join(x->cx, x->marks, hx_marks_get(&k)));
}

static hx_val index_object(const index_at *x, const hx_val *key) {
  hx_val k;
  if (!convert_key(x, key, &hx_type_string, &k)) return failed();
  const hx_val *name = hx_unmarked(&k);
  if (hx_is_unknown(name)) return hx_mark(x->cx, hx_unknown_dynamic, x->marks);
  const hx_type *t = hx_stated_type(x->bare);
  if (t) {
    const hx_type *found = hx_type_attr(t, hx_val_str(name));
    return found ? unknown_like(x->cx, found, x->marks) : key_fault(x, key, name);
  }
  const hx_val *found = hx_obj_get(x->bare, hx_val_str(name));
  return found ? hx_mark(x->cx, *found, x->marks) : key_fault(x, key, name);
}

/* Indexes items (value/unknown.h) that form a sequence. If they may turn out to be a set, which has no indexes, the result inside
** try() and can() is unknown. */
static hx_val index_items(const index_at *x, const hx_val *key) {
  hx_val list = hx_mark(x->cx, *hx_items_of(x->bare), x->marks);
  bool sure = !x->cx->tries || x->bare->u.unk->open->form == HX_ITEMS_ORDERED;
  uint32_t before = x->cx->diags.errors;
  hx_val out = hx_get_index(x->cx, &list, key, x->src, x->at);
  return sure || x->cx->diags.errors != before ? out : hx_unknown_with_marks(x->cx, &out);
}

/* Indexes blocks: a number selects a block; if there is only one block, any other key selects a part of it. In all other cases the result
** is unknown. Inside try() and can() every result is unknown: the blocks may become a list, which has no names, or an object, which has no
** such number. */
static hx_val index_blocks(const index_at *x, const hx_val *key) {
  const hx_val *items = hx_items_of(x->bare);
  hx_val k, out = hx_unknown_untyped;
  int64_t i;
  if (hx_convert(x->cx, key, &hx_type_number, &k, NULL)) {
    const hx_val *number = hx_unmarked(&k);
    if (hx_is_number(number) && hx_num_to_int(number, &i) && i >= 0 && i < (int64_t)items->len) out = items->u.seq->v[i];
  } else if (items->len == 1) {
    hx_val only = hx_mark(x->cx, items->u.seq->v[0], x->marks);
    out = hx_get_index(x->cx, &only, key, x->src, x->at);
  }
  if (x->cx->tries) out = hx_unknown_with_marks(x->cx, &out);
  return hx_mark(x->cx, out, hx_marks_join(x->cx, x->marks, hx_marks_get(key)));
}

/* Indexes an open object. The result has the key's marks, because the object may be a map. */
static hx_val index_open(const index_at *x, const hx_val *key) {
  hx_val k;
  const hx_val *part = NULL;
  if (hx_convert(x->cx, key, &hx_type_string, &k, NULL) && !hx_is_unknown(hx_unmarked(&k)))
    part = hx_obj_get(hx_open_of(x->bare), hx_val_str(hx_unmarked(&k)));
  return hx_mark(x->cx, part ? *part : hx_unknown_untyped, hx_marks_join(x->cx, x->marks, hx_marks_get(key)));
}

hx_val hx_get_index(hx_cx *cx, const hx_val *v, const hx_val *key, const struct hx_source *src, hx_range at) {
  const hx_val *bare = hx_unmarked(v), *bare_key = hx_unmarked(key);
  index_at x = { cx, v, bare, hx_marks_get(v), hx_val_kind(bare), src, at };
  if (hx_is_null(bare)) return index_fault(&x, HX_D_REFERENCE_NULL_INDEX);
  if (hx_is_null(bare_key)) return index_fault(&x, HX_D_INDEX_NULL);
  if (hx_val_kind(bare_key) == HX_K_DYNAMIC && !hx_open_of(bare_key)) return hx_mark(cx, hx_unknown_from(bare), x.marks);
  switch (x.kind) {
    case HX_K_DYNAMIC:
      if (hx_open_of(bare)) return index_open(&x, key);
      if (hx_is_blocks(bare)) return index_blocks(&x, key);
      return hx_items_of(bare) ? index_items(&x, key) : hx_mark(cx, hx_unknown_from(bare), x.marks);
    case HX_K_LIST:
    case HX_K_TUPLE: return index_seq(&x, key);
    case HX_K_MAP: return index_map(&x, key);
    case HX_K_OBJECT: return index_object(&x, key);
    case HX_K_SET: return index_fault(&x, HX_D_INDEX_SET);
    case HX_K_STRING:
    case HX_K_NUMBER:
    case HX_K_BOOL:
    case HX_K_CAPSULE: break;
  }
  hx_str is = kind_text(cx, bare);
  hx_diag_add(cx, HX_D_INDEX_NONE, src, at, HX_STR_ARG(is));
  return failed();
}

/* Traversals */

/* Returns the value of a constant key that is true, false or null. */
static hx_val constant_key(const hx_step *step) {
  hx_str text = { step->text, step->len };
  if (hx_str_eq(text, HX_STR("null"))) return hx_null(&hx_type_dynamic);
  return hx_bool(hx_str_eq(text, HX_STR("true")));
}

bool hx_step_number(const hx_step *step, int64_t *out) {
  int64_t n = 0;
  if (!step->len || step->len > 18) return false;
  for (uint32_t i = 0; i < step->len; i++) {
    if (!hx_is_digit(step->text[i])) return false;
    n = n * 10 + (step->text[i] - '0');
  }
  *out = n;
  return true;
}

static hx_val step_key(hx_cx *cx, const hx_step *step) {
  hx_str text = { step->text, step->len };
  int64_t n;
  if (step->kind == HX_STEP_KEY) return hx_string(text);
  if (step->kind == HX_STEP_INDEX) return hx_step_number(step, &n) ? hx_int(n) : hx_num_parse(cx, text);
  return constant_key(step);
}

/* Follows steps, and stops at the first one that fails: later steps have no value to start from. */
hx_val hx_get_steps(hx_cx *cx, hx_val v, const hx_step *steps, uint32_t from, uint32_t n, const struct hx_source *src) {
  for (uint32_t i = from; i < n; i++) {
    const hx_step *step = &steps[i];
    hx_range at = { step->start, step->stop };
    uint32_t before = cx->diags.errors;
    if (step->kind == HX_STEP_ATTR) {
      v = get_attr(cx, &v, (hx_str){ step->text, step->len }, src, at);
    } else {
      hx_val key = step_key(cx, step);
      v = hx_get_index(cx, &v, &key, src, at);
    }
    if (cx->diags.errors != before) return failed();
  }
  return v;
}
