/* map.c: functions over maps and objects. Headers: vm/fn.h.
** Source: go-cty's stdlib; lookup and transpose: Terraform's recorded answers. */
#include "fn/arguments.h"
#include "base/vec.h"
#include "text/quote.h"
#include "text/suggest.h"
#include "value/open.h"
#include "vm/host.h"

/* keys */

/* Returns the names of keys as strings, in byte order: a list with elements of type elem, or a tuple if elem is NULL. */
static hx_val key_strings(hx_cx *cx, const hx_type *elem, const hx_str *names, const uint32_t *order, uint32_t n) {
  uint64_t weight = 0;
  hx_need_memory(cx, 16ull * n);
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) {
    out[i] = hx_string(names[order ? order[i] : i]);
    weight += 16 + (uint64_t)out[i].len;
  }
  return hx_seq_weighed(cx, elem, out, n, weight, true);
}

/* Returns the keys of a value. An unknown object has known keys, too, because its type lists them. */
static hx_val keys_of(hx_call *call, const hx_val *v) {
  hx_cx *cx = call->cx;
  if (hx_is_obj(v)) {
    const hx_shape *shape = v->u.obj->shape;
    return key_strings(cx, v->tag == HX_T_MAP ? &hx_type_string : NULL, shape->keys, hx_shape_order(cx, shape), shape->n);
  }
  if (hx_is_unknown(v)) {
    const hx_type *t = v->u.unk->type;
    if (t->kind == HX_K_MAP) return hx_unknown(cx, &hx_type_list_string);
    if (t->kind == HX_K_OBJECT) return key_strings(cx, NULL, t->names, NULL, t->n);
  }
  return hx_fail_with(call, 0, "It must be a map or an object, not %s.", hx_arg_type(call, v));
}

static hx_val fn_keys(hx_call *call, const hx_val *args) {
  hx_val out = keys_of(call, hx_unmarked(&args[0]));
  return call->failed ? out : hx_mark(call->cx, out, hx_marks_get(&args[0]));
}

/* values */

static hx_val fail_values(hx_call *call, const hx_val *v) {
  return hx_fail_with(call, HX_BLAME_CALL, "Values are those of a map or an object, not of %s.", hx_arg_type(call, v));
}

static const hx_type *type_values(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  const hx_type *t = hx_val_type(call->cx, v);
  if (t->kind == HX_K_MAP) return hx_type_list(call->cx, t->elem);
  if (t->kind == HX_K_OBJECT) return hx_type_tuple(call->cx, t->elems, t->n);
  fail_values(call, v);
  return NULL;
}

static hx_val fn_values(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *v = hx_unmarked(&args[0]);
  if (!hx_is_obj(v)) return fail_values(call, v);
  const hx_obj *obj = v->u.obj;
  const uint32_t *order = hx_shape_order(cx, obj->shape);
  const hx_val *out = obj->v;
  if (order) {
    hx_need_memory(cx, 16ull * v->len);
    hx_val *sorted = HX_NEW_ARRAY(cx, hx_val, v->len);
    for (uint32_t i = 0; i < v->len; i++) sorted[i] = obj->v[order[i]];
    out = sorted;
  }
  return hx_mark(cx, hx_seq_weighed(cx, obj->elem, out, v->len, obj->weight, false), hx_marks_get(&args[0]));
}

/* lookup */

static hx_val fail_no_map(hx_call *call, const hx_val *v) {
  return hx_fail_with(call, 0, "It must be a map or an object, not %s.", hx_arg_type(call, v));
}

static hx_val fail_default(hx_call *call, const hx_type *elem) {
  return hx_fail_with(call, 2, "The default can't be converted to %s, the type of the map's elements.",
                      hx_type_friendly(call->cx, elem));
}

/* Reports that the element is absent and a default is missing. Names are shown only if neither the map nor the key was marked. */
static hx_val fail_absent(hx_call *call, int32_t blamed, const hx_str *names, uint32_t n, hx_str key) {
  hx_cx *cx = call->cx;
  bool hide = hx_arg_is_marked(call, 0) || hx_arg_is_marked(call, 1);
  hx_str shown = hide ? HX_STR("of that name (it is not shown)") : hx_quote_short(cx, key, 60);
  hx_str hint = hide ? HX_STR("") : hx_did_you_mean(cx, key, names, n);
  static const char text[] = "No element has the key %.*s.%.*s Give a default as the third argument.";
  if (blamed >= 0) return hx_fail(call, blamed, text, HX_STR_ARG(shown), HX_STR_ARG(hint));
  return hx_fail_call(call, text, HX_STR_ARG(shown), HX_STR_ARG(hint));
}

/* Returns the type of lookup()'s result for an unknown map or key. A map's default must suit the map's elements, whether it is needed or
** not. */
static const hx_type *lookup_type(hx_call *call, const hx_val *args, uint32_t n) {
  const hx_val *v = hx_unmarked(&args[0]), *key = hx_unmarked(&args[1]);
  const hx_type *t = hx_val_type(call->cx, v);
  if (t->kind == HX_K_MAP) {
    hx_val out;
    if (n < 3 || hx_convert(call->cx, &args[2], t->elem, &out, NULL)) return t->elem;
    fail_default(call, t->elem);
    return NULL;
  }
  if (t->kind != HX_K_OBJECT) {
    fail_no_map(call, v);
    return NULL;
  }
  if (hx_is_unknown(key)) return &hx_type_dynamic;
  const hx_type *attr = hx_type_attr(t, hx_val_str(key));
  if (attr) return attr;
  if (n > 2) return hx_val_type(call->cx, &args[2]);
  fail_absent(call, 0, t->names, t->n, hx_val_str(key));
  return NULL;
}

/* Does lookup() in a table of the host, without converting the table. The host is asked what the table is only if the element is absent or
** the key is unknown. */
static hx_val lookup_foreign(hx_call *call, const hx_val *args, uint32_t n) {
  struct hx_host *host = call->host;
  const hx_val *key = hx_unmarked(&args[1]);
  const hx_marks *marks = hx_marks_get(&args[1]);
  hx_answer answer = HX_ANSWER_OK;
  hx_val out;
  bool found = false;
  if (!hx_is_unknown(key)) answer = host->index(host, call->cx, &args[0], key, HX_WANT_WHOLE, &out, &found);
  if (answer == HX_ANSWER_OK && found) return hx_mark(call->cx, out, marks);
  hx_kind kind;
  uint32_t count = 0;
  const hx_str *names = NULL;
  bool named = n < 3; /* without a default the failure's message names keys */
  if (answer == HX_ANSWER_OK) answer = host->shape(host, call->cx, &args[0], &kind, named ? &count : NULL, named ? &names : NULL);
  if (answer == HX_ANSWER_WAIT) return hx_none();
  if (answer != HX_ANSWER_OK) return hx_unknown_dynamic;
  if (kind == HX_K_TUPLE) return hx_fail(call, 0, "It must be a map or an object, not a tuple.");
  if (hx_is_unknown(key)) return hx_mark(call->cx, hx_unknown_dynamic, marks);
  return n > 2 ? hx_mark(call->cx, args[2], marks) : fail_absent(call, 0, names, count, hx_val_str(key));
}

/* Returns the default for an absent key, converted to the type of the map's elements. Without a default, reports that the key is absent. */
static hx_val lookup_default(hx_call *call, const hx_val *args, uint32_t n, const hx_marks *marks) {
  const hx_val *v = hx_unmarked(&args[0]);
  hx_str key = hx_val_str(hx_unmarked(&args[1]));
  const hx_obj *obj = v->u.obj;
  hx_val out;
  if (n < 3) return fail_absent(call, v->tag == HX_T_MAP ? HX_BLAME_CALL : 0, obj->shape->keys, obj->shape->n, key);
  if (v->tag == HX_T_OBJECT) return hx_mark(call->cx, args[2], marks);
  return hx_convert(call->cx, &args[2], obj->elem, &out, NULL) ? hx_mark(call->cx, out, marks) : fail_default(call, obj->elem);
}

/* Returns the result for an open object: the part, or a value about which nothing is known, because it may be the default. */
static hx_val lookup_open(hx_cx *cx, const hx_val *args, uint32_t n, const hx_marks *marks) {
  const hx_val *key = hx_unmarked(&args[1]);
  const hx_val *found = hx_is_unknown(key) ? NULL : hx_obj_get(hx_open_of(hx_unmarked(&args[0])), hx_val_str(key));
  if (found) return hx_mark(cx, *found, marks);
  if (n > 2) hx_unmark_deep(cx, &args[2], &marks);
  return hx_mark(cx, hx_unknown_untyped, marks);
}

static hx_val fn_lookup(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  hx_cx *cx = call->cx;
  if (n > 3) return hx_fail_call(call, "lookup() takes a map, a key and at most one default.");
  if (args[0].tag == HX_T_FOREIGN) return lookup_foreign(call, args, n);
  const hx_val *v = hx_unmarked(&args[0]), *key = hx_unmarked(&args[1]);
  if (!hx_is_obj(v) && !hx_is_unknown(v)) return fail_no_map(call, v);
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(&args[0]), hx_marks_get(&args[1]));
  if (hx_open_of(v)) return lookup_open(cx, args, n, marks);
  if (hx_is_unknown(v) || hx_is_unknown(key)) {
    const hx_type *t = lookup_type(call, args, n);
    return t ? hx_mark(cx, hx_unknown(cx, t), marks) : hx_none();
  }
  const hx_val *found = hx_obj_get(v, hx_val_str(key));
  /* A map's default is checked even if the key is present. */
  if (n > 2 && v->tag == HX_T_MAP && found) {
    hx_val unused;
    if (!hx_convert(cx, &args[2], v->u.obj->elem, &unused, NULL)) return fail_default(call, v->u.obj->elem);
  }
  return found ? hx_mark(cx, *found, marks) : lookup_default(call, args, n, marks);
}

/* The quick part of lookup(), for known values. A map's default is used unchanged if it is a primitive of the element type. */
static const hx_val *quick_lookup(const hx_val *args, uint32_t n, hx_val *room) {
  (void)room;
  if (!hx_is_obj(&args[0]) || args[1].tag != HX_T_STR || n > 3) return NULL;
  if (n == 3 && args[0].tag == HX_T_MAP && (args[2].tag > HX_T_STR || !hx_val_is_of(&args[2], args[0].u.obj->elem))) return NULL;
  const hx_val *found = hx_obj_get(&args[0], hx_val_str(&args[1]));
  if (!found && n == 3) found = &args[2];
  return found && found->tag != HX_T_UNKNOWN && found->tag != HX_T_MARKED ? found : NULL;
}

/* merge: maps of one type give a map, other arguments an object. A null has no elements. reference: the types of arguments after a null of
** no type don't matter, and an argument without elements adds none, whatever its type. */

static bool merge_takes(hx_call *call, const hx_val *v) {
  hx_kind kind = hx_val_kind(v);
  if (kind == HX_K_MAP || kind == HX_K_OBJECT || hx_open_of(v)) return true;
  hx_fail_with(call, HX_BLAME_CALL, "All arguments must be maps or objects, not %s.", hx_arg_type(call, v));
  return false;
}

static bool is_dynamic(const hx_val *v) {
  return hx_val_kind(v) == HX_K_DYNAMIC && !hx_open_of(v);
}

/* Returns the type that merge() uses for an argument. A null object counts as an empty object. */
static const hx_type *merged_type(hx_call *call, const hx_val *v) {
  const hx_type *t = hx_val_type(call->cx, v);
  return hx_is_null(v) && t->kind == HX_K_OBJECT ? &hx_type_empty_object : t;
}

/* Adds the attributes of an argument, as unknowns of their types. */
static void gather_types(hx_call *call, hx_obj_builder *all, const hx_val *v, const hx_type *t) {
  if (t->kind == HX_K_OBJECT) {
    for (uint32_t i = 0; i < t->n; i++) *hx_obj_builder_put(all, t->names[i]) = hx_unknown(call->cx, t->elems[i]);
  } else if (v->tag == HX_T_MAP) {
    const hx_shape *shape = v->u.obj->shape;
    for (uint32_t i = 0; i < shape->n; i++) *hx_obj_builder_put(all, shape->keys[i]) = hx_unknown(call->cx, t->elem);
  }
}

/* Returns the type of merge() for unknown arguments. */
static const hx_type *type_merge(hx_call *call, const hx_val *args) {
  const hx_type *first = NULL;
  bool same = true, known = true; /* known: the attributes of the result are known */
  hx_obj_builder all;
  hx_obj_builder_init(&all, call->cx, 8);
  for (uint32_t i = 0; i < call->n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    if (is_dynamic(v)) return &hx_type_dynamic;
    if (!merge_takes(call, v)) return NULL;
    const hx_type *t = merged_type(call, v);
    gather_types(call, &all, v, t);
    if (hx_open_of(v) || (t->kind == HX_K_MAP && hx_is_unknown(v))) known = false;
    if (i == 0) first = t;
    else same = same && hx_type_equal(t, first);
  }
  if (same) return first ? first : &hx_type_empty_object;
  if (!known) return &hx_type_dynamic;
  hx_val object = hx_obj_builder_object(&all);
  return hx_val_type(call->cx, &object);
}

/* Returns the element type of the result if that is a map; otherwise NULL. */
static const hx_type *merged_map(hx_call *call, const hx_val *args, uint32_t n) {
  const hx_type *elem = NULL;
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    if (hx_val_kind(v) != HX_K_MAP) return NULL;
    const hx_type *is = v->tag == HX_T_MAP ? v->u.obj->elem : hx_val_type(call->cx, v)->elem;
    if (elem && !hx_type_equal(elem, is)) return NULL;
    elem = is;
  }
  return elem;
}

typedef struct merging {
  const hx_val *last;    /* the last argument that has attributes */
  uint32_t len;          /* the number of its attributes */
  uint64_t total;        /* length of all arguments together */
  const hx_marks *marks; /* of all arguments together */
  const hx_type *elem;   /* element type of the result if that is a map; otherwise NULL */
  bool open;             /* an argument is an open object, so the result is one */
} merging;

/* Gathers facts about the arguments to merge. Returns false after reporting a mistake. */
static bool look_at_all(hx_call *call, const hx_val *args, uint32_t n, merging *m) {
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    any = any || is_dynamic(v);
    bool empty = hx_is_null(v) || (hx_is_seq(v) && v->len == 0);
    if (!(any && empty) && !merge_takes(call, v)) return false;
    if (!hx_is_null(v)) m->marks = hx_marks_join(call->cx, m->marks, hx_marks_get(&args[i]));
    const hx_val *open = hx_open_of(v), *known = open ? open : v;
    m->open = m->open || open;
    if (!hx_is_obj(known) || !known->len) continue;
    m->total += known->len;
    m->last = known;
    m->len = known->len;
  }
  m->elem = merged_map(call, args, n);
  return true;
}

/* Merges if only one argument has attributes: the result shares them. */
static hx_val merge_alone(hx_cx *cx, const merging *m) {
  const hx_obj *obj = m->last->u.obj;
  return m->elem ? hx_map(cx, m->elem, obj->shape, obj->v) : hx_object(cx, obj->shape, obj->v);
}

/* Adds an argument to the known attributes of the result. An open object may replace the attributes so far, which become unknown. */
static void merge_into(hx_cx *cx, hx_obj_builder *all, const hx_val *v) {
  const hx_val *parts = hx_open_of(v);
  if (parts) hx_charge_steps(cx, all->n / 4);
  for (uint32_t i = 0; parts && i < all->n; i++) all->v[i] = hx_unknown_with_marks(cx, &all->v[i]);
  if (parts) v = parts;
  if (hx_is_obj(v)) hx_charge_steps(cx, v->len / 4);
  for (uint32_t i = 0; hx_is_obj(v) && i < v->len; i++) *hx_obj_builder_put(all, v->u.obj->shape->keys[i]) = v->u.obj->v[i];
}

/* Merges arguments if one is an open object. The result is an open object, too. */
static hx_val merge_open(hx_cx *cx, const hx_val *args, uint32_t n, uint64_t total) {
  hx_obj_builder all;
  hx_obj_builder_init(&all, cx, (uint32_t)total);
  for (uint32_t i = 0; i < n; i++) merge_into(cx, &all, hx_unmarked(&args[i]));
  hx_val parts = hx_obj_builder_object(&all);
  return hx_open_object(cx, &parts);
}

static hx_val fn_merge(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  merging m = { 0 };
  if (!look_at_all(call, args, call->n, &m)) return hx_none();
  hx_need_memory(cx, 16 * m.total);
  if (m.open) return hx_mark(cx, merge_open(cx, args, call->n, m.total), m.marks);
  hx_charge_steps(cx, m.total / 4);
  if (m.total && m.total == m.len) return hx_mark(cx, merge_alone(cx, &m), m.marks);
  hx_obj_builder out;
  hx_obj_builder_init(&out, cx, (uint32_t)m.total);
  for (uint32_t i = 0; i < call->n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    for (uint32_t k = 0; hx_is_obj(v) && k < v->len; k++) *hx_obj_builder_put(&out, v->u.obj->shape->keys[k]) = v->u.obj->v[k];
  }
  return hx_mark(cx, m.elem ? hx_obj_builder_map(&out, m.elem) : hx_obj_builder_object(&out), m.marks);
}

/* zipmap: a list of values gives a map, a tuple an object. */

static bool zipmap_keys(hx_call *call, const hx_val *keys, uint32_t values) {
  if (keys->len != values) {
    hx_fail_telling(call, HX_BLAME_CALL, "There are not as many values as keys, and each key must have its value.",
                    "There are %u keys and %u values, and each key must have its value.", keys->len, values);
    return false;
  }
  for (uint32_t i = 0; i < keys->len && !keys->u.seq->plain; i++) {
    if (!hx_is_null(hx_unmarked(&keys->u.seq->v[i]))) continue;
    hx_fail_telling(call, HX_BLAME_CALL, "A key is null. Give every value a name.", "Key %u is null. Give every value a name.", i);
    return false;
  }
  return true;
}

static hx_val fail_zipmap(hx_call *call, const hx_val *v) {
  return hx_fail_with(call, HX_BLAME_CALL, "The values must be a list or a tuple, not %s.", hx_arg_type(call, v));
}

static const hx_type *type_zipmap(hx_call *call, const hx_val *args) {
  const hx_val *keys = hx_unmarked(&args[0]), *values = hx_unmarked(&args[1]);
  const hx_type *t = hx_val_type(call->cx, values);
  if (t->kind == HX_K_LIST) return hx_type_map(call->cx, t->elem);
  if (t->kind != HX_K_TUPLE) {
    fail_zipmap(call, values);
    return NULL;
  }
  if (!hx_is_wholly_known(keys)) return &hx_type_dynamic;
  if (!zipmap_keys(call, keys, t->n)) return NULL;
  hx_obj_builder all;
  hx_obj_builder_init(&all, call->cx, t->n);
  for (uint32_t i = 0; i < t->n; i++) {
    *hx_obj_builder_put(&all, hx_val_str(hx_unmarked(&keys->u.seq->v[i]))) = hx_unknown(call->cx, t->elems[i]);
  }
  hx_val object = hx_obj_builder_object(&all);
  return hx_val_type(call->cx, &object);
}

static hx_val fn_zipmap(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *keys = hx_unmarked(&args[0]), *values = hx_unmarked(&args[1]);
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(&args[0]), hx_marks_get(&args[1]));
  if (values->tag != HX_T_LIST && values->tag != HX_T_TUPLE) return fail_zipmap(call, values);
  bool map = values->tag == HX_T_LIST;
  if (!hx_is_wholly_known(keys)) {
    hx_val out = map ? hx_unknown(cx, hx_type_map(cx, values->u.seq->elem)) : hx_unknown_dynamic;
    return hx_mark(cx, out, marks);
  }
  if (!zipmap_keys(call, keys, values->len)) return hx_none();
  hx_charge_steps(cx, keys->len);
  hx_need_memory(cx, 16ull * keys->len);
  hx_obj_builder out;
  hx_obj_builder_init(&out, cx, keys->len);
  for (uint32_t i = 0; i < keys->len; i++) {
    const hx_val *key = &keys->u.seq->v[i];
    if (key->tag == HX_T_MARKED) marks = hx_marks_join(cx, marks, hx_marks_get(key));
    *hx_obj_builder_put(&out, hx_val_str(hx_unmarked(key))) = values->u.seq->v[i];
  }
  return hx_mark(cx, map ? hx_obj_builder_map(&out, values->u.seq->elem) : hx_obj_builder_object(&out), marks);
}

/* transpose: inverts a map of lists of strings: each string becomes a key, whose list has the keys that led to it. Keys are taken
** in byte order, so each list is sorted. */

typedef HX_VEC(hx_val) key_vec;

static bool transpose_list(hx_call *call, hx_str from, const hx_val *list, hx_obj_builder *at, key_vec *lists, uint32_t *n) {
  if (hx_is_null(list)) {
    hx_fail_call(call, "An element of the map is null, but it must be a list of strings. Use an empty list instead.");
    return false;
  }
  hx_charge_steps(call->cx, list->len);
  for (uint32_t i = 0; i < list->len; i++) {
    const hx_val *to = &list->u.seq->v[i];
    if (hx_is_null(to)) {
      hx_fail_call(call, "A string in the lists is null. Leave nulls out with compact().");
      return false;
    }
    hx_val *slot = hx_obj_builder_put(at, hx_val_str(to));
    if (slot->tag == HX_T_NONE) {
      *slot = hx_int(*n);
      lists[(*n)++] = (key_vec){ 0 };
    }
    *HX_VEC_PUSH(&call->cx->arena, &lists[slot->u.i]) = hx_string(from);
  }
  return true;
}

static hx_val fn_transpose(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *v = &args[0];
  uint64_t total = 0;
  if (!hx_is_wholly_known(v)) return hx_unknown_of(cx, v);
  for (uint32_t i = 0; i < v->len; i++) total += hx_is_null(&v->u.obj->v[i]) ? 0 : v->u.obj->v[i].len;
  hx_need_memory(cx, 16 * total);
  hx_obj_builder out;
  hx_obj_builder_init(&out, cx, 8);
  key_vec *lists = HX_NEW_ARRAY(cx, key_vec, (size_t)total);
  uint32_t made = 0;
  hx_iter it;
  for (hx_iter_init(cx, &it, v); hx_iter_next(&it);) {
    if (!transpose_list(call, hx_val_str(&it.key), it.value, &out, lists, &made)) return hx_none();
  }
  for (uint32_t i = 0; i < out.n; i++) {
    const key_vec *list = &lists[out.v[i].u.i];
    out.v[i] = hx_list(cx, &hx_type_string, list->p, list->n);
  }
  return hx_obj_builder_map(&out, &hx_type_list_string);
}

static const hx_type map_list_string = { .kind = HX_K_MAP, .elem = &hx_type_list_string };

const hx_fn hx_fns_map[] = {
  { .name = "keys",
    .impl = fn_keys,
    .flags = HX_NOT_NULL,
    .params = { { "inputMap", &hx_type_dynamic, HX_ALLOW_UNKNOWN | HX_ALLOW_MARKED } },
    .summary = "Returns the keys of a map, or the attribute names of an object.",
    .doc = "They are in the order of their UTF-8 bytes. A map gives a list, an object a tuple.",
    .example = "keys({ b = 1, a = 2 })" },
  { .name = "values",
    .type_fn = type_values,
    .impl = fn_values,
    .flags = HX_NOT_NULL,
    .params = { { "mapping", &hx_type_dynamic, HX_ALLOW_MARKED } },
    .summary = "Returns the values of a map or an object.",
    .doc = "They are in the order of their keys, as in keys().",
    .example = "values({ b = 1, a = 2 })" },
  { .name = "lookup",
    .impl = fn_lookup,
    .quick = quick_lookup,
    .flags = HX_FOREIGN_OK,
    .params = { { "inputMap", &hx_type_dynamic, HX_ALLOW_UNKNOWN | HX_ALLOW_MARKED | HX_ALLOW_OPEN },
                { "key", &hx_type_string, HX_ALLOW_UNKNOWN | HX_ALLOW_MARKED } },
    .rest = { "default", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_MARKED | HX_ALLOW_OPEN },
    .summary = "Returns an element of a map, or a default.",
    .doc = "Without a default, an absent key is an error. The default of a map is converted to the type of its elements.",
    .example = "lookup({ a = 1 }, \"b\", 0)" },
  { .name = "merge",
    .type_fn = type_merge,
    .impl = fn_merge,
    .flags = HX_NOT_NULL,
    .rest = { "maps", &hx_type_dynamic, HX_ALLOW_NULL | HX_ALLOW_DYNAMIC | HX_ALLOW_MARKED | HX_ALLOW_OPEN },
    .summary = "Merges maps or objects into one.",
    .doc = "If several arguments have a key, the last one wins. Maps inside them are not merged. Maps of one type give a map, "
           "anything else an object. Null arguments are ignored.",
    .example = "merge({ a = 1, b = 2 }, { b = 3 })" },
  { .name = "zipmap",
    .type_fn = type_zipmap,
    .impl = fn_zipmap,
    .flags = HX_NOT_NULL,
    .params = { { "keys", &hx_type_list_string, HX_ALLOW_MARKED },
                { "values", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEMS_AS_LIST } },
    .summary = "Makes a map from a list of keys and a list of values.",
    .doc = "Both must have the same length. A list of values gives a map, a tuple an object.",
    .example = "zipmap([\"a\", \"b\"], [1, 2])" },
  { .name = "transpose",
    .type = &map_list_string,
    .impl = fn_transpose,
    .flags = HX_NOT_NULL,
    .params = { { "values", &map_list_string, 0 } },
    .summary = "Swaps the keys and values of a map of lists of strings.",
    .doc = "The strings in the lists become the keys. The value of each one is the sorted list of the keys whose lists had it.",
    .example = "transpose({ a = [\"x\", \"y\"], b = [\"y\"] })" },
  { .name = NULL },
};
