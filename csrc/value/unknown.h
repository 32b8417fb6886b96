/* unknown.h: values that are not known yet: their type, and what is known about them (refinements).
**
** An open object is an object or map with some known attributes, its parts, and perhaps others. It is an unknown of type `any` that is not
** null. Its completions are all objects and maps with these parts and any others. Every operation obeys three rules. If it succeeds for one
** completion, it succeeds for the open object. If its result for the open object is known, every completion has the same result. It loses
** no mark of a part. Code that doesn't know about open objects treats them as unknowns of `any`. So it obeys the rules, except that only
** hx_unmark_deep finds the marks.
**
** Items are a collection with known elements and an uncertain type, also an unknown of `any` that is not null. They come from resources
** without a schema. Nested blocks may become a list or set, and a single block may become the value itself. A sequence in an argument may
** become a list, tuple or set. Only what holds for all of these is certain. In a set, items may have another order, and equal ones are one
** element.
**
** An untyped unknown was read from an open object or from items, so its type is uncertain as well. When values are unified with it, it
** isn't certain which type they get, nor that they have no type in common. A result made from it is untyped only if the code asks for that
** (hx_unknown_from); otherwise it is an ordinary unknown of `any`.
**
** Memory: in cx->arena; hx_unknown_dynamic and hx_unknown_untyped are static.
** Errors: none but memory. Source: reference's refinements of unknown values. */
#ifndef HX_VALUE_UNKNOWN_H
#define HX_VALUE_UNKNOWN_H

#include "value/value.h"

/* The kinds of items. Each rules out some of the forms that the one before it allows. */
typedef enum hx_items_form {
  HX_ITEMS_BLOCKS, /* a list or set of the items, or the only item itself */
  HX_ITEMS_LISTED, /* a list, tuple or set */
  HX_ITEMS_ORDERED /* a list or tuple */
} hx_items_form;

/* What is known about an open object, or about items. */
typedef struct hx_open_info {
  hx_val parts;   /* OBJECT: the attributes of an open object; TUPLE: the items, at least one. Not marked itself */
  hx_val written; /* what a plan shows instead of the parts; NONE: it shows the parts */
  hx_items_form form;
} hx_open_info;

struct hx_unk {
#ifdef HX_TEST
  uint32_t poison[6]; /* HX_POISON where other values have pointers */
#endif
  const hx_type *type;
  bool not_null, untyped;
  bool min_inclusive, max_inclusive;
  hx_str prefix;            /* of strings; empty: not known */
  hx_val min, max;          /* of numbers; HX_T_NONE: no bound */
  uint64_t min_length;      /* of collections; 0: no bound */
  uint64_t max_length;      /* HX_NO_MAX: no bound */
  const hx_open_info *open; /* NULL: neither an open object nor items */
};
#define HX_NO_MAX UINT64_MAX

/* Makes an unknown that has the type and refinements of u. */
HX_INLINE hx_val hx_unknown_as(const hx_unk *u) {
  return (hx_val){ .tag = HX_T_UNKNOWN, .len = HX_POISON, .u.unk = u };
}

extern const hx_val hx_unknown_dynamic, hx_unknown_untyped;
HX_INLINE bool hx_is_untyped(const hx_val *bare) {
  return bare->tag == HX_T_UNKNOWN && bare->u.unk->untyped;
}
hx_val hx_unknown(hx_cx *cx, const hx_type *t);
/* Makes an unknown of type t that is not null. */
hx_val hx_unknown_not_null(hx_cx *cx, const hx_type *t);
/* hx_open_as makes an open object or items, whichever `known` describes. hx_open_object makes an open object from the attributes of an
** unmarked OBJECT, hx_open_items makes items from the elements of a TUPLE. */
hx_val hx_open_as(hx_cx *cx, const hx_open_info *known);
hx_val hx_open_object(hx_cx *cx, const hx_val *parts);
hx_val hx_open_items(hx_cx *cx, const hx_val *items, hx_items_form form);
/* Returns the known parts of v, an unmarked value, if it is an open object (an OBJECT) or items (a TUPLE); otherwise NULL. */
HX_INLINE const hx_val *hx_known_parts(const hx_val *v) {
  return v->tag == HX_T_UNKNOWN && v->u.unk->open ? &v->u.unk->open->parts : NULL;
}
/* Returns the parts of an open object, else NULL. */
HX_INLINE const hx_val *hx_open_of(const hx_val *v) {
  const hx_val *parts = hx_known_parts(v);
  return parts && parts->tag == HX_T_OBJECT ? parts : NULL;
}
/* Returns the items, else NULL. */
HX_INLINE const hx_val *hx_items_of(const hx_val *v) {
  const hx_val *parts = hx_known_parts(v);
  return parts && parts->tag == HX_T_TUPLE ? parts : NULL;
}
/* Returns true if v is items made from blocks. If there is only one, it may be the value itself. */
HX_INLINE bool hx_is_blocks(const hx_val *v) {
  return hx_items_of(v) && v->u.unk->open->form == HX_ITEMS_BLOCKS;
}

/* Refines a value. hx_refine_begin copies what is known about an unknown. The functions after it add to that. hx_refine_done returns the
** result: a known value if only one is possible (equal bounds, length 0), a collection of unknown elements if their number is certain,
** otherwise an unknown. Known values and unknowns of `any` are returned unchanged. Marks are kept. */
typedef struct hx_refine {
  hx_val of; /* the value to refine, without marks */
  hx_unk r;
  const struct hx_marks *marks;
  bool active; /* false: the value was known or dynamic */
} hx_refine;
void hx_refine_begin(hx_refine *f, const hx_val *v);
void hx_refine_not_null(hx_refine *f);
/* Adds a prefix without its last part if that might combine with the text that follows (the reference's safe prefix).
** hx_refine_prefix_full adds the whole prefix. */
void hx_refine_prefix(hx_cx *cx, hx_refine *f, hx_str prefix);
void hx_refine_prefix_full(hx_cx *cx, hx_refine *f, hx_str prefix);
/* Add a bound; NONE adds nothing. A number without a bound on one side is finite on that side. To allow an infinity, give it as the
** bound. */
void hx_refine_min(hx_refine *f, hx_val min, bool inclusive);
void hx_refine_max(hx_refine *f, hx_val max, bool inclusive);
void hx_refine_length(hx_refine *f, uint64_t min, uint64_t max);
hx_val hx_refine_done(hx_cx *cx, hx_refine *f);

/* Says what is certain about any value, known or not (the reference's ValueRange). The value must be unmarked. */
typedef enum hx_sure { HX_NO, HX_YES, HX_MAYBE } hx_sure;
bool hx_surely_not_null(const hx_val *v);
hx_str hx_prefix_of(const hx_val *v); /* a known string is its own prefix */
void hx_bounds_of(const hx_val *v, hx_val *min, bool *min_inclusive, hx_val *max, bool *max_inclusive); /* NONE: unbounded */
/* Returns true if v is a known set with unknown elements. Some of these may turn out to be equal, so its length is unknown. */
bool hx_set_may_shrink(const hx_val *v);
void hx_length_bounds_of(const hx_val *v, uint64_t *min, uint64_t *max);
/* Says whether v, an unknown, may become w, as the reference's ValueRange.Includes does. */
hx_sure hx_range_includes(hx_cx *cx, const hx_val *v, const hx_val *w);

/* Returns the type that is stored in a null or unknown value; NULL for any other value. */
HX_INLINE const hx_type *hx_stated_type(const hx_val *v) {
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->type;
  return v->tag == HX_T_NULL ? v->u.type : NULL;
}

#endif
