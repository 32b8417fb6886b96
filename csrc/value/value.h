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
  HX_T_NONE,    /* no value at all: absent, not yet answered */
  HX_T_BOOL,    /* i: 0 or 1 */
  HX_T_INT,     /* i: a whole number that fits; len: its precision in bits */
  HX_T_NUM,     /* num: any other number (fraction, huge, -0, infinity) */
  HX_T_STR,     /* s, len: NFC, well-formed UTF-8 */
  HX_T_LIST,    /* seq */
  HX_T_SET,     /* seq, in the reference's order, elements distinct */
  HX_T_TUPLE,   /* seq */
  HX_T_MAP,     /* obj */
  HX_T_OBJECT,  /* obj */
  HX_T_NULL,    /* type */
  HX_T_UNKNOWN, /* unk */
  HX_T_MARKED,  /* marked: never nested directly */
  HX_T_CAPSULE, /* type: a type as a value */
  HX_T_FOREIGN, /* i: the host's handle of data not converted yet; only on the machine's stack, see vm/host.h */
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
  const hx_val *v;     /* val.len of them; never NULL */
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

/* Keys, shared by objects with the same ones. They are in the order of insertion. Iteration in the language's order (bytes)
** goes through hx_shape_order, so an object that is never iterated is never sorted. */
struct hx_shape {
  uint32_t n;
  bool sorted; /* keys are in byte order already */
  const hx_str *keys;
  hx_table table;  /* by hx_str_hash; none: small shapes are searched in line */
  uint32_t *order; /* key indexes in byte order, made on first use; NULL if sorted or not made */
};

#define HX_PREC 512 /* precision in bits of numbers that were text */

/* In test builds, fields that a value doesn't have hold poison, and so does the beginning of what is known about an unknown one
** (value/unknown.h): code that reads them without checking the tag reads far outside or through a bad pointer, and the test ends. */
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
/* A whole number with the precision of text (512 bits). */
HX_INLINE hx_val hx_int(int64_t i) {
  return (hx_val){ .tag = HX_T_INT, .len = HX_PREC, .u.i = i };
}
/* A whole number with another precision: length() gives 64 bits. */
HX_INLINE hx_val hx_int_prec(int64_t i, uint32_t prec) {
  return (hx_val){ .tag = HX_T_INT, .len = prec, .u.i = i };
}
/* s must be NFC and well-formed, and live as long as the value. */
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
/* Is it known to be true? */
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
               uint32_t n); /* v is borrowed; elements are of that type; elem NULL: a tuple */
/* The same if the elements' total weight and plainness are known, as when elements only change places. elem NULL: a tuple. */
hx_val hx_seq_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain);
/* The set of n elements of type elem. Equal elements become one; the order is the reference's. Marks of elements move to the
** set itself. Unknown elements are treated as in the reference. */
hx_val hx_set(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n);
/* The set of elements that are already distinct and in its order, such as a part of another set. v is borrowed. */
hx_val hx_set_in_order(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n);
/* The same if weight and plainness are known. */
hx_val hx_set_weighed(hx_cx *cx, const hx_type *elem, const hx_val *v, uint32_t n, uint64_t weight, bool plain);
hx_val hx_object(hx_cx *cx, const hx_shape *shape, const hx_val *v); /* v is borrowed */
hx_val hx_map(hx_cx *cx, const hx_type *elem, const hx_shape *shape, const hx_val *v);
extern const hx_val hx_empty_tuple, hx_empty_object;

/* Shapes. Keys are distinct. keys is borrowed. */
const hx_shape *hx_shape_new(hx_cx *cx, const hx_str *keys, uint32_t n);
/* Index of a key, or -1. */
int64_t hx_shape_find(const hx_shape *s, hx_str key);
/* Has it exactly these keys, in this order? */
bool hx_shape_is_of(const hx_shape *s, const hx_str *keys, uint32_t n);
/* Key indexes in byte order; NULL: the keys are in it. Made once, in cx->arena, so the shape must not outlive that, or must
** be sorted. */
const uint32_t *hx_shape_order(hx_cx *cx, const hx_shape *s);

/* Builds an object key by key. A key given again replaces its value. */
typedef struct hx_obj_builder {
  hx_cx *cx;
  hx_str *keys;
  hx_val *v;
  uint32_t n, cap;
  hx_table table;
} hx_obj_builder;
void hx_obj_builder_init(hx_obj_builder *b, hx_cx *cx, uint32_t expected);
/* Empties it in the same memory: for names alone, because no object made before may be in use. */
void hx_obj_builder_clear(hx_obj_builder *b);
/* The slot of the value at key; it holds HX_T_NONE if the key is new. The pointer is valid until the next put. */
hx_val *hx_obj_builder_put(hx_obj_builder *b, hx_str key);
/* The index of a key, which is added without a value if it is new. Keys count from 0 in the order in which they were added. For
** a caller with an array of its own beside the keys. */
uint32_t hx_obj_builder_index(hx_obj_builder *b, hx_str key);
/* The index of a key, or -1. */
int64_t hx_obj_builder_find(const hx_obj_builder *b, hx_str key);
hx_val hx_obj_builder_object(hx_obj_builder *b);
hx_val hx_obj_builder_map(hx_obj_builder *b, const hx_type *elem);

/* Reading */
const hx_type *hx_val_type(hx_cx *cx, const hx_val *v); /* derived when asked for; marks are ignored */
/* Is t the type of v? Ignores optional() in t, and marks. Derives no type. */
bool hx_val_is_of(const hx_val *v, const hx_type *t);
/* Have both the same type? Derives no type. */
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
/* A list, set or tuple whose elements are known to be plain (see hx_seq). */
HX_INLINE bool hx_is_plain_seq(const hx_val *v) {
  return hx_is_seq(v) && v->u.seq->plain;
}
HX_INLINE bool hx_is_obj(const hx_val *v) {
  return v->tag == HX_T_MAP || v->tag == HX_T_OBJECT;
}
/* Is nothing inside unknown? Marks are ignored. */
bool hx_is_wholly_known(const hx_val *v);
/* The type's kind without deriving the type. DYNAMIC for unknown or null of `any`. Marks are ignored. */
hx_kind hx_val_kind(const hx_val *v);
/* The attribute of an unmarked map or object, or NULL. */
const hx_val *hx_obj_get(const hx_val *v, hx_str key);

/* Elements in the language's order, for lists, sets, tuples (keys 0, 1, …: INT of 64 bits; a set's key is the element itself),
** maps and objects (keys are strings). v must be known, not null, unmarked.
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

/* Copies a value to another lifetime, with everything in `from`'s arena that it refers to. Sorts shapes. */
hx_val hx_val_copy(hx_cx *to, const hx_val *v);
/* The same where `like`, a copy of another value in that lifetime, has much in common with v: it shares that with the copy. */
hx_val hx_val_copy_like(hx_cx *to, const hx_val *v, const hx_val *like);
/* The logical bytes that a walk through all its parts visits; see hx_check_weight. */
uint64_t hx_val_weight(const hx_val *v);
uint64_t hx_vals_weight(hx_cx *cx, const hx_val *v, uint32_t n);

/* The type that the elements of a list, set or map have in common. Unknown and null ones of `any` don't count; they take the
** type on, in place. False if the types differ. */
bool hx_elem_type(hx_cx *cx, hx_val *v, uint32_t n, const hx_type **elem);

#endif
