/* value.h: a value of the language: 16 bytes, passed by copy.
**
**      byte 0..3         4..7                  8..15
**     +-----------------+----------------+---------------------------+
**     | tag             | len            | payload                   |
**     +-----------------+----------------+---------------------------+
**
** Memory: long parts live in an arena and are immutable once built; values of one arena share them freely. A value moves to
**   another lifetime by hx_val_copy. An evaluation's value may point into its program or into a bound value, never the reverse.
** Errors: memory only. Functions over composite values recurse and check the stack (hx_stack_check).
**
** Speed: never write part of a value and then copy the whole (a store-forward stall): test v->tag and read payloads in place. */
#ifndef HX_VALUE_VALUE_H
#define HX_VALUE_VALUE_H

#include "base/table.h"
#include "value/type.h"

typedef enum hx_tag {
  HX_T_NONE,    /* no value at all: absent, or not yet answered */
  HX_T_BOOL,    /* u.i: 0 or 1 */
  HX_T_INT,     /* u.i: a whole number that fits; len: its precision in bits */
  HX_T_NUM,     /* u.num: any other number (fraction, huge, -0, infinity) */
  HX_T_STR,     /* u.s, len: NFC, well-formed UTF-8 */
  HX_T_LIST,    /* u.seq */
  HX_T_SET,     /* u.seq, in the reference's order, elements distinct */
  HX_T_TUPLE,   /* u.seq */
  HX_T_MAP,     /* u.obj */
  HX_T_OBJECT,  /* u.obj */
  HX_T_NULL,    /* u.type */
  HX_T_UNKNOWN, /* u.unk */
  HX_T_MARKED,  /* u.marked: never nested directly */
  HX_T_CAPSULE, /* u.type: a type as a value */
  HX_T_FOREIGN, /* u.i: the host's handle of data not converted yet; only on the machine's stack, see vm/host.h */
} hx_tag;

typedef struct hx_val hx_val;
typedef struct hx_num hx_num; /* value/number/number.h */
typedef struct hx_seq hx_seq;
typedef struct hx_obj hx_obj;
typedef struct hx_shape hx_shape;
typedef struct hx_unk hx_unk;       /* value/unknown.h */
typedef struct hx_marked hx_marked; /* value/marks.h */

struct hx_val {
  uint32_t tag; /* hx_tag */
  uint32_t len; /* STR: bytes; INT: precision; LIST, SET, TUPLE, MAP, OBJECT: elements */
  union {
    int64_t i;
    const char *s;
    const hx_num *num;
    const hx_seq *seq;
    const hx_obj *obj;
    const hx_type *type;
    const hx_unk *unk;
    const hx_marked *marked;
    const struct hx_asked *asked; /* FOREIGN, within the machine only: see vm/machine/asked.h */
  } u;
};

/* Elements of a list, set or tuple. */
struct hx_seq {
  const hx_type *elem; /* element type of a list or set; NULL for a tuple */
  const hx_val *v;     /* val.len elements; never NULL */
  uint64_t weight;     /* of all elements together */
  bool plain;          /* all elements are known, unmarked and primitive */
};

/* Entries of a map or object: v[i] belongs to shape->keys[i]. */
struct hx_obj {
  const hx_type *elem; /* element type of a map; NULL for an object */
  const hx_shape *shape;
  const hx_val *v;
  uint64_t weight; /* of the entries together */
};

/* Keys, in the order of insertion. Objects with the same keys share a shape. Iteration in the language's order (bytes) goes through
** hx_shape_order, so an object that is never iterated is never sorted. */
struct hx_shape {
  uint32_t n;
  bool sorted; /* keys are in byte order already */
  const hx_str *keys;
  hx_table table;  /* keyed by hx_str_hash; empty for small shapes, whose keys are searched one by one */
  uint32_t *order; /* key indexes in byte order, made on first use; NULL if sorted or not made */
};

#define HX_PREC 512 /* precision in bits of numbers that were text */

/* In test builds, a field that a value doesn't use holds poison, and so does the beginning of an unknown's hx_unk (value/unknown.h).
** Code that reads them without checking the tag reads far outside of memory or through a bad pointer, and so the test crashes. */
#ifdef HX_TEST
#define HX_POISON 0xA5A5A5A5u
#else
#define HX_POISON 0u
#endif

/* Making values (no allocation) */
HX_INLINE hx_val hx_none(void) {
  return (hx_val){ .tag = HX_T_NONE };
}
HX_INLINE hx_val hx_bool(bool b) {
  return (hx_val){ .tag = HX_T_BOOL, .len = HX_POISON, .u.i = b };
}
/* Makes a whole number with the precision of text (512 bits). */
HX_INLINE hx_val hx_int(int64_t i) {
  return (hx_val){ .tag = HX_T_INT, .len = HX_PREC, .u.i = i };
}
/* Makes a whole number with another precision, such as the 64 bits that length() gives. */
HX_INLINE hx_val hx_int_prec(int64_t i, uint32_t prec) {
  return (hx_val){ .tag = HX_T_INT, .len = prec, .u.i = i };
}
/* Makes a string. s must be NFC and well-formed, and live as long as the value. */
HX_INLINE hx_val hx_string(hx_str s) {
  HX_ASSERT(s.p);
  return (hx_val){ .tag = HX_T_STR, .len = s.len, .u.s = s.p };
}
HX_INLINE hx_val hx_null(const hx_type *t) {
  return (hx_val){ .tag = HX_T_NULL, .len = HX_POISON, .u.type = t };
}
HX_INLINE hx_val hx_capsule(const hx_type *t) {
  return (hx_val){ .tag = HX_T_CAPSULE, .len = HX_POISON, .u.type = t };
}
/* Returns true if v is the known value true. */
HX_INLINE bool hx_is_true(const hx_val *v) {
  return v->tag == HX_T_BOOL && v->u.i != 0;
}
HX_INLINE hx_str hx_val_str(const hx_val *v) {
  return (hx_str){ v->u.s, v->len };
}

/* Making values (in cx->arena; elements must live there or longer). Each function charges memory as cx.h says. */
hx_val hx_string_of(hx_cx *cx, hx_str s);                /* any well-formed text: borrowed if it is NFC, else copied */
hx_val hx_tuple(hx_cx *cx, const hx_val *v, uint32_t n); /* v is borrowed */
hx_val hx_list(hx_cx *cx, const hx_type *elem, const hx_val *v,
               uint32_t n); /* v is borrowed; elements are of type elem; elem NULL: makes a tuple */
/* Makes a list, or a tuple if elem is NULL, when the elements' total weight and plainness are known already, as when elements only
** change places. */
hx_val hx_seq_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain);
/* Makes a set of n elements of type elem, in the reference's order. Equal elements become one. Marks of elements move to the set itself.
** Unknown elements are treated as in the reference. */
hx_val hx_set(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n);
/* Makes a set of elements that are already distinct and in the set's order, such as elements of another set. v is borrowed. */
hx_val hx_set_in_order(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n);
/* Makes a set as hx_set_in_order does, when the elements' total weight and plainness are known already. */
hx_val hx_set_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain);
hx_val hx_object(hx_cx *cx, const hx_shape *shape, const hx_val *v); /* v is borrowed */
hx_val hx_map(hx_cx *cx, const hx_type *elem, const hx_shape *shape, const hx_val *v);
extern const hx_val hx_empty_tuple, hx_empty_object;

/* Makes a shape of distinct keys. keys is borrowed. */
const hx_shape *hx_shape_new(hx_cx *cx, const hx_str *keys, uint32_t n);
/* Returns the index of a key, or -1. */
int64_t hx_shape_find(const hx_shape *s, hx_str key);
/* Returns true if the shape has exactly these keys, in this order. */
bool hx_shape_is_of(const hx_shape *s, const hx_str *keys, uint32_t n);
/* Returns the indexes of the keys in byte order, or NULL if the keys are in that order already. The array is made once, in cx->arena, so
** an unsorted shape must not outlive that arena. */
const uint32_t *hx_shape_order(hx_cx *cx, const hx_shape *s);

/* Builds an object key by key. A repeated key replaces the earlier value. */
typedef struct hx_obj_builder {
  hx_cx *cx;
  hx_str *keys;
  hx_val *v;
  uint32_t n, cap;
  hx_table table;
} hx_obj_builder;
void hx_obj_builder_init(hx_obj_builder *b, hx_cx *cx, uint32_t expected);
/* Empties the builder and reuses its memory. Only for builders of names: no object that was made with it may be in use. */
void hx_obj_builder_clear(hx_obj_builder *b);
/* Returns the slot of the value at key; it holds HX_T_NONE if the key is new. The pointer is valid until the next put. */
hx_val *hx_obj_builder_put(hx_obj_builder *b, hx_str key);
/* Returns the index of a key, and adds the key without a value if it is new. Keys are numbered from 0 in the order in which they were
** added, so the caller can have an array of its own with an entry for each key. */
uint32_t hx_obj_builder_index(hx_obj_builder *b, hx_str key);
/* Returns the index of a key, or -1. */
int64_t hx_obj_builder_find(const hx_obj_builder *b, hx_str key);
hx_val hx_obj_builder_object(hx_obj_builder *b);
hx_val hx_obj_builder_map(hx_obj_builder *b, const hx_type *elem);

/* Reading */
const hx_type *hx_val_type(hx_cx *cx, const hx_val *v); /* derived on each call; marks are ignored */
/* Returns true if t is the type of v, without deriving that type. Ignores marks, and optional() in t. */
bool hx_val_is_of(const hx_val *v, const hx_type *t);
/* Returns true if both values have the same type, without deriving it. */
bool hx_val_same_type(const hx_val *a, const hx_val *b);
HX_INLINE bool hx_is_null(const hx_val *v) {
  return v->tag == HX_T_NULL;
}
HX_INLINE bool hx_is_unknown(const hx_val *v) {
  return v->tag == HX_T_UNKNOWN;
}
HX_INLINE bool hx_is_number(const hx_val *v) {
  return v->tag == HX_T_INT || v->tag == HX_T_NUM;
}
HX_INLINE bool hx_is_seq(const hx_val *v) {
  return v->tag == HX_T_LIST || v->tag == HX_T_SET || v->tag == HX_T_TUPLE;
}
/* Returns true if v is a list, set or tuple whose elements are plain (see hx_seq). */
HX_INLINE bool hx_is_plain_seq(const hx_val *v) {
  return hx_is_seq(v) && v->u.seq->plain;
}
HX_INLINE bool hx_is_obj(const hx_val *v) {
  return v->tag == HX_T_MAP || v->tag == HX_T_OBJECT;
}
/* Returns true if v and everything inside it is known. Ignores marks. */
bool hx_is_wholly_known(const hx_val *v);
/* Returns the kind of v's type without deriving the type; DYNAMIC for an unknown or null of `any`. Marks are ignored. */
hx_kind hx_val_kind(const hx_val *v);
/* Returns the value of an attribute or key of an unmarked map or object, or NULL. */
const hx_val *hx_obj_get(const hx_val *v, hx_str key);

/* Iterates over elements in the language's order. Keys of lists and tuples are 0, 1, … (INT of 64 bits), those of maps and objects are
** strings, and a set's key is the element itself. v must be known, not null and unmarked.
**   hx_iter it; hx_iter_init(cx, &it, &v); while (hx_iter_next(&it)) … it.key, it.value … */
typedef struct hx_iter {
  const hx_val *v;
  const uint32_t *order;
  uint32_t i;
  hx_val key;
  const hx_val *value;
} hx_iter;
void hx_iter_init(hx_cx *cx, hx_iter *it, const hx_val *v);
bool hx_iter_next(hx_iter *it);

/* Copies a value to another lifetime, with everything that it refers to. The copy's shapes are sorted. */
hx_val hx_val_copy(hx_cx *to, const hx_val *v);
/* Copies v as hx_val_copy does. `like` is an earlier copy in the same lifetime: the new copy shares all parts that are the same. */
hx_val hx_val_copy_like(hx_cx *to, const hx_val *v, const hx_val *like);
/* Returns the logical bytes that a walk through all parts of v visits; see hx_check_weight. */
uint64_t hx_val_weight(const hx_val *v);
uint64_t hx_vals_weight(hx_cx *cx, const hx_val *v, uint32_t n);

/* Sets *elem to the type that the elements of a list, set or map have in common. Returns false if their types differ. Unknown and null
** elements of `any` don't count; they get that type, in place. */
bool hx_elem_type(hx_cx *cx, hx_val *v, uint32_t n, const hx_type **elem);

#endif
