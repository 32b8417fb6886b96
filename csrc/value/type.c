/* type.c: makes, copies and compares types. */
#include "value/type.h"
#include "value/sort.h"
#include "value/value.h"

const hx_type hx_type_dynamic = { .kind = HX_K_DYNAMIC };
const hx_type hx_type_string = { .kind = HX_K_STRING };
const hx_type hx_type_number = { .kind = HX_K_NUMBER };
const hx_type hx_type_bool = { .kind = HX_K_BOOL };
const hx_type hx_type_capsule = { .kind = HX_K_CAPSULE };
/* Empty types also have an address for `elems`, not NULL: in C, NULL plus 0 is undefined. */
static const hx_type *const nothing[1];
const hx_type hx_type_empty_tuple = { .kind = HX_K_TUPLE, .elems = nothing };
const hx_type hx_type_empty_object = { .kind = HX_K_OBJECT };
const hx_type hx_type_list_dynamic = { .kind = HX_K_LIST, .elem = &hx_type_dynamic };
const hx_type hx_type_set_dynamic = { .kind = HX_K_SET, .elem = &hx_type_dynamic };
const hx_type hx_type_map_dynamic = { .kind = HX_K_MAP, .elem = &hx_type_dynamic };
const hx_type hx_type_list_string = { .kind = HX_K_LIST, .elem = &hx_type_string };
const hx_type hx_type_list_number = { .kind = HX_K_LIST, .elem = &hx_type_number };
const hx_type hx_type_set_string = { .kind = HX_K_SET, .elem = &hx_type_string };
const hx_type hx_type_map_string = { .kind = HX_K_MAP, .elem = &hx_type_string };

/* Types that need no memory. A function that makes or copies an equal type returns one of these. */
static const hx_type *const fixed[] = {
  &hx_type_list_dynamic, &hx_type_set_dynamic, &hx_type_map_dynamic, &hx_type_list_string,
  &hx_type_list_number,  &hx_type_set_string,  &hx_type_map_string,
};

uint64_t hx_types_weight(hx_cx *cx, const hx_type *const *elems, uint32_t n) {
  uint64_t weight = 0;
  for (uint32_t i = 0; i < n; i++) weight += hx_type_weight(elems[i]);
  return hx_check_weight(cx, weight);
}

const hx_type *hx_type_collection(hx_cx *cx, hx_kind kind, const hx_type *elem) {
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fixed[i]->kind == kind && fixed[i]->elem == elem) return fixed[i];
  hx_type *t = HX_NEW(cx, hx_type);
  *t = (hx_type){ .kind = (uint8_t)kind, .weight = hx_type_weight(elem), .elem = elem };
  return t;
}

const hx_type *hx_type_tuple(hx_cx *cx, const hx_type *const *elems, uint32_t n) {
  if (!n) return &hx_type_empty_tuple;
  hx_type *t = HX_NEW(cx, hx_type);
  *t = (hx_type){ .kind = HX_K_TUPLE, .n = n, .weight = hx_types_weight(cx, elems, n), .elems = elems };
  return t;
}

const hx_type *hx_type_object(hx_cx *cx, const hx_str *names, const hx_type *const *elems, const bool *optional, uint32_t n) {
  if (!n) return &hx_type_empty_object;
  hx_type *t = HX_NEW(cx, hx_type);
  hx_str *own_names = HX_NEW_ARRAY(cx, hx_str, n);
  const hx_type **own_elems = HX_NEW_ARRAY(cx, const hx_type *, n);
  bool *own_optional = optional && memchr(optional, 1, n) ? HX_NEW_ARRAY(cx, bool, n) : NULL;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  uint32_t *order = hx_arena_alloc(&cx->scratch, n * sizeof *order);
  hx_sort_strs(cx, names, n, order);
  for (uint32_t i = 0; i < n; i++) {
    own_names[i] = names[order[i]];
    own_elems[i] = elems[order[i]];
    if (own_optional) own_optional[i] = optional[order[i]];
  }
  hx_arena_release(&cx->scratch, mark);
  *t = (hx_type){ .kind = HX_K_OBJECT, .n = n, .weight = hx_types_weight(cx, own_elems, n), .elems = own_elems };
  t->names = own_names;
  t->optional = own_optional;
  return t;
}

static const hx_type *const primitives[] = {
  [HX_K_DYNAMIC] = &hx_type_dynamic, [HX_K_STRING] = &hx_type_string,   [HX_K_NUMBER] = &hx_type_number,
  [HX_K_BOOL] = &hx_type_bool,       [HX_K_CAPSULE] = &hx_type_capsule,
};

static const hx_type *copy_parts(hx_cx *to, const hx_type *t) {
  hx_type *c = HX_NEW(to, hx_type);
  const hx_type **elems = HX_NEW_ARRAY(to, const hx_type *, t->n);
  for (uint32_t i = 0; i < t->n; i++) elems[i] = i && t->elems[i] == t->elems[i - 1] ? elems[i - 1] : hx_type_copy(to, t->elems[i]);
  *c = (hx_type){ .kind = t->kind, .n = t->n, .weight = t->weight, .elems = elems };
  if (t->kind == HX_K_TUPLE) return c;
  hx_str *names = HX_NEW_ARRAY(to, hx_str, t->n);
  for (uint32_t i = 0; i < t->n; i++) names[i] = hx_str_copy(to, t->names[i]);
  c->names = names;
  if (t->optional) {
    bool *optional = HX_NEW_ARRAY(to, bool, t->n);
    memcpy(optional, t->optional, t->n * sizeof *optional);
    c->optional = optional;
  }
  return c;
}

const hx_type *hx_type_copy(hx_cx *to, const hx_type *t) {
  hx_stack_check();
  if (hx_type_is_collection(t)) return hx_type_collection(to, (hx_kind)t->kind, hx_type_copy(to, t->elem));
  if (t->kind == HX_K_TUPLE) return t->n ? copy_parts(to, t) : &hx_type_empty_tuple;
  if (t->kind == HX_K_OBJECT) return t->n ? copy_parts(to, t) : &hx_type_empty_object;
  return primitives[t->kind];
}

bool hx_type_equal(const hx_type *a, const hx_type *b) {
  for (;;) {
    if (a == b) return true;
    if (a->kind != b->kind || a->n != b->n) return false;
    if (!hx_type_is_collection(a)) break;
    a = a->elem;
    b = b->elem;
  }
  if (a->kind != HX_K_TUPLE && a->kind != HX_K_OBJECT) return true;
  hx_stack_check();
  for (uint32_t i = 0; i < a->n; i++) {
    /* Objects with different optional attributes have different types. */
    if (a->kind == HX_K_OBJECT && (!hx_str_eq(a->names[i], b->names[i]) || hx_type_is_optional(a, i) != hx_type_is_optional(b, i)))
      return false;
    if (!hx_type_equal(a->elems[i], b->elems[i])) return false;
  }
  return true;
}

bool hx_type_has_dynamic(const hx_type *t) {
  while (hx_type_is_collection(t)) t = t->elem;
  if (t->kind == HX_K_DYNAMIC) return true;
  if (t->n) hx_stack_check();
  for (uint32_t i = 0; i < t->n; i++)
    if (hx_type_has_dynamic(t->elems[i])) return true;
  return false;
}

int64_t hx_type_attr_index(const hx_type *t, hx_str name) {
  return hx_strs_find(t->names, t->n, name);
}

const hx_type *hx_type_attr(const hx_type *t, hx_str name) {
  int64_t i = hx_type_attr_index(t, name);
  return i < 0 ? NULL : t->elems[i];
}

static bool has_optional(const hx_type *t) {
  while (hx_type_is_collection(t)) t = t->elem;
  if (t->optional) return true;
  if (t->n) hx_stack_check();
  for (uint32_t i = 0; i < t->n; i++)
    if (has_optional(t->elems[i])) return true;
  return false;
}

static const hx_type *without_optional(hx_cx *cx, const hx_type *t) {
  if (!t->weight) return t;
  hx_stack_check();
  if (hx_type_is_collection(t)) return hx_type_collection(cx, (hx_kind)t->kind, without_optional(cx, t->elem));
  hx_type *p = HX_NEW(cx, hx_type);
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, t->n);
  for (uint32_t i = 0; i < t->n; i++) elems[i] = without_optional(cx, t->elems[i]);
  *p = (hx_type){ .kind = t->kind, .n = t->n, .weight = t->weight, .elems = elems, .names = t->names };
  return p;
}

const hx_type *hx_type_plain(hx_cx *cx, const hx_type *t) {
  return has_optional(t) ? without_optional(cx, t) : t;
}

uint32_t hx_type_hash(const hx_type *t) {
  uint32_t h = t->kind + 1u;
  for (; hx_type_is_collection(t); t = t->elem) h = h * 0x9E3779B1u + t->elem->kind;
  if (t->n) hx_stack_check();
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->kind == HX_K_OBJECT) h = h * 0x85EBCA6Bu + hx_str_hash(t->names[i]);
    h = (h << 7 | h >> 25) * 0xC2B2AE35u + hx_type_hash(t->elems[i]);
  }
  return h;
}

bool hx_type_conforms(const hx_type *given, const hx_type *want) {
  for (;;) {
    if (want->kind == HX_K_DYNAMIC) return true;
    if (given->kind != want->kind || given->n != want->n) return false;
    if (!hx_type_is_collection(want)) break;
    given = given->elem;
    want = want->elem;
  }
  if (want->n) hx_stack_check();
  for (uint32_t i = 0; i < want->n; i++) {
    if (want->kind == HX_K_OBJECT && !hx_str_eq(given->names[i], want->names[i])) return false;
    if (!hx_type_conforms(given->elems[i], want->elems[i])) return false;
  }
  return true;
}
