/* type.h: types of the language: primitives, collections, structural types.
** Memory: types are immutable. Primitives are static; others live in cx->arena and point only at types that live as long.
** Errors: none but memory. Functions recurse over nested types and check the stack (hx_stack_check). */
#ifndef HX_VALUE_TYPE_H
#define HX_VALUE_TYPE_H

#include "base/buf.h"

typedef enum hx_kind {
  HX_K_DYNAMIC, /* `any`: not yet known */
  HX_K_STRING,
  HX_K_NUMBER,
  HX_K_BOOL,
  HX_K_LIST,
  HX_K_SET,
  HX_K_MAP,
  HX_K_TUPLE,
  HX_K_OBJECT,
  HX_K_CAPSULE, /* a type as a value, as the console's type() gives */
} hx_kind;

typedef struct hx_type hx_type;
struct hx_type {
  uint8_t kind;
  uint32_t n;                  /* elements of a tuple, attributes of an object */
  uint64_t weight;             /* of all parts, counting a shared part each time it occurs; 0 for a type without parts */
  const hx_type *elem;         /* list, set, map */
  const hx_type *const *elems; /* tuple (never NULL); object, in the order of names */
  const hx_str *names;         /* object: sorted by bytes */
  const bool *optional;        /* object: one for each attribute; NULL if none is optional */
};

extern const hx_type hx_type_dynamic, hx_type_string, hx_type_number, hx_type_bool, hx_type_capsule;
extern const hx_type hx_type_empty_tuple, hx_type_empty_object;
/* Collections of primitives and of `any`, for the tables of built-in functions. */
extern const hx_type hx_type_list_dynamic, hx_type_set_dynamic, hx_type_map_dynamic;
extern const hx_type hx_type_list_string, hx_type_list_number, hx_type_set_string, hx_type_map_string;

/* Makes a collection type. kind: LIST, SET or MAP. */
const hx_type *hx_type_collection(hx_cx *cx, hx_kind kind, const hx_type *elem);
HX_INLINE const hx_type *hx_type_list(hx_cx *cx, const hx_type *elem) {
  return hx_type_collection(cx, HX_K_LIST, elem);
}
HX_INLINE const hx_type *hx_type_set(hx_cx *cx, const hx_type *elem) {
  return hx_type_collection(cx, HX_K_SET, elem);
}
HX_INLINE const hx_type *hx_type_map(hx_cx *cx, const hx_type *elem) {
  return hx_type_collection(cx, HX_K_MAP, elem);
}
/* Makes a tuple type. elems is borrowed: it must live as long as the arena. */
const hx_type *hx_type_tuple(hx_cx *cx, const hx_type *const *elems, uint32_t n);
/* Makes an object type. names are distinct, in any order: they are copied and sorted, with elems. optional may be NULL. */
const hx_type *hx_type_object(hx_cx *cx, const hx_str *names, const hx_type *const *elems, const bool *optional, uint32_t n);
const hx_type *hx_type_copy(hx_cx *to, const hx_type *t);

/* Returns the weight that a type adds when it is part of another type: see hx_check_weight. */
HX_INLINE uint64_t hx_type_weight(const hx_type *t) {
  HX_ASSERT(t);
  return 16 + t->weight;
}
uint64_t hx_types_weight(hx_cx *cx, const hx_type *const *elems, uint32_t n);

bool hx_type_equal(const hx_type *a, const hx_type *b);
bool hx_type_has_dynamic(const hx_type *t);
HX_INLINE bool hx_type_is_primitive(const hx_type *t) {
  return t->kind == HX_K_STRING || t->kind == HX_K_NUMBER || t->kind == HX_K_BOOL;
}
/* Returns true if the type is a single word: `any` or a primitive. These types are static. */
HX_INLINE bool hx_type_is_word(const hx_type *t) {
  return hx_type_is_primitive(t) || t->kind == HX_K_DYNAMIC;
}
/* Returns true if values of kind k have any number of elements, all of one type. */
HX_INLINE bool hx_kind_is_collection(hx_kind k) {
  return k == HX_K_LIST || k == HX_K_SET || k == HX_K_MAP;
}
/* Returns true if elements of kind k have no keys of their own. */
HX_INLINE bool hx_kind_is_seq(hx_kind k) {
  return k == HX_K_LIST || k == HX_K_SET || k == HX_K_TUPLE;
}
/* Returns true if a loop can iterate over values of kind k. */
HX_INLINE bool hx_kind_has_elements(hx_kind k) {
  return hx_kind_is_collection(k) || k == HX_K_TUPLE || k == HX_K_OBJECT;
}
HX_INLINE bool hx_type_is_collection(const hx_type *t) {
  return hx_kind_is_collection((hx_kind)t->kind);
}
HX_INLINE bool hx_type_is_optional(const hx_type *t, uint32_t i) {
  return t->optional && t->optional[i];
}
/* Returns the type of an object's attribute, or NULL. */
const hx_type *hx_type_attr(const hx_type *t, hx_str name);
/* Returns the index of an attribute among the names, or -1. */
int64_t hx_type_attr_index(const hx_type *t, hx_str name);
/* Returns the type without `optional`, which is the type of its values. */
const hx_type *hx_type_plain(hx_cx *cx, const hx_type *t);

/* Returns a hash that agrees with hx_type_equal. */
uint32_t hx_type_hash(const hx_type *t);
/* Returns true if a value of type `given` can be used as one of type `want` without conversion. `any` in `want` accepts anything. */
bool hx_type_conforms(const hx_type *given, const hx_type *want);

const char *hx_kind_name(hx_kind k);
/* Appends a type in constraint syntax: list(string), object({ a = string }). */
void hx_type_write(hx_buf *b, const hx_type *t);
/* Appends a type as JSON: ["list","string"]. */
void hx_type_write_json(hx_buf *b, const hx_type *t);
/* Returns a type in words, for messages: "list of string", "object", "number"; `any` is "any type". */
hx_str hx_type_friendly(hx_cx *cx, const hx_type *t);
/* Returns a type in words with its article: "a number", "an object". */
hx_str hx_type_with_article(hx_cx *cx, const hx_type *t);
/* Appends a type in words, for the console: `any` is "dynamic". */
void hx_type_write_friendly(hx_buf *b, const hx_type *t);

#endif
