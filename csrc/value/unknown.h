/* unknown.h: values that are not known yet: their type, and what is known about them (refinements).
**
** An open object is an unknown of type `any` that is an object or a map, not null, with some known attributes: its parts.
** Its completions are all objects and maps with these parts and any others. Every operation keeps this law: if a completion
** evaluates, the open object does too; a result that it gives as known is the same; no mark of a part is lost. Code that doesn't know of
** open objects sees an unknown of `any`, which keeps the law except for the marks: hx_unmark_deep finds those.
**
** Items are an unknown of `any`, not null, whose elements are known. Those of nested blocks, of a resource without a schema, are a list or
** set of them, or the only one itself; those of an argument's sequence are a list, tuple or set. Only what holds for all of
** these is known: neither an order that a set wouldn't have, nor how many there are if some are equal.
**
** An unknown that is read from an open object or from items is an untyped unknown: an unknown of `any` whose own type may be any.
** Nothing else that has one type with it is certain of its type, and it isn't certain either that they have none in common. In values made
** from others, hx_unknown_like keeps that; where it is lost, the unknown is an ordinary one of `any`.
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
  hx_val parts;   /* OBJECT: the attributes of an open object; TUPLE: items, at least one. Unmarked itself */
  hx_val written; /* what a plan shows instead of the parts; NONE: the parts */
  hx_items_form form;
} hx_open_info;

struct hx_unk {
#ifdef HX_TEST
  uint32_t poison[6]; /* where other values have pointers: HX_POISON */
#endif
  const hx_type *type;
  bool not_null, untyped;
  bool min_inclusive, max_inclusive;
  hx_str prefix;            /* string: empty if none */
  hx_val min, max;          /* number: HX_T_NONE if none */
  uint64_t min_length;      /* collections: 0 if none */
  uint64_t max_length;      /* HX_NO_MAX if none */
  const hx_open_info *open; /* NULL: neither an open object nor items */
};
#define HX_NO_MAX UINT64_MAX

/* Makes an unknown with these refinements. */
HX_INLINE hx_val hx_unknown_as(const hx_unk *u) {
  return (hx_val){ .tag = HX_T_UNKNOWN, .len = HX_POISON, .u.unk = u };
}

extern const hx_val hx_unknown_dynamic, hx_unknown_untyped;
HX_INLINE bool hx_is_untyped(const hx_val *bare) {
  return bare->tag == HX_T_UNKNOWN && bare->u.unk->untyped;
}
hx_val hx_unknown(hx_cx *cx, const hx_type *t);
/* Makes the unknown of type t that is not null. */
hx_val hx_unknown_not_null(hx_cx *cx, const hx_type *t);
/* Make an open object whose parts are the attributes of an unmarked OBJECT, or items that are the elements of a TUPLE. */
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
/* Is v items of blocks? Then a single item may be the value itself. */
HX_INLINE bool hx_is_blocks(const hx_val *v) {
  return hx_items_of(v) && v->u.unk->open->form == HX_ITEMS_BLOCKS;
}

/* Refining. hx_refine_begin copies what is known about an unknown. The other functions add to that; the tighter bound counts.
** hx_refine_done returns the value: a known one if only one is possible (equal bounds, length 0). A known value is returned as it is.
** Unknowns of `any` take no refinements. Marks are kept. */
typedef struct hx_refine {
  hx_val of; /* the value to refine, without marks */
  hx_unk r;
  const struct hx_marks *marks;
  bool active; /* false: the value was known or dynamic */
} hx_refine;
void hx_refine_begin(hx_refine *f, const hx_val *v);
void hx_refine_not_null(hx_refine *f);
/* Adds a prefix, cut to the part that can't combine with the text that follows (the reference's safe prefix); _full adds it uncut. */
void hx_refine_prefix(hx_cx *cx, hx_refine *f, hx_str prefix);
void hx_refine_prefix_full(hx_cx *cx, hx_refine *f, hx_str prefix);
/* Add a bound; NONE means unbounded. If the number may be infinite, that infinity is the bound: without a bound, numbers are finite. */
void hx_refine_min(hx_refine *f, hx_val min, bool inclusive);
void hx_refine_max(hx_refine *f, hx_val max, bool inclusive);
void hx_refine_length(hx_refine *f, uint64_t min, uint64_t max);
hx_val hx_refine_done(hx_cx *cx, hx_refine *f);

/* What is certain about any value, known or not (the reference's ValueRange). Marks must be off. */
typedef enum hx_sure { HX_NO, HX_YES, HX_MAYBE } hx_sure;
bool hx_surely_not_null(const hx_val *v);
hx_str hx_prefix_of(const hx_val *v); /* a known string is its own prefix */
void hx_bounds_of(const hx_val *v, hx_val *min, bool *min_inclusive, hx_val *max, bool *max_inclusive); /* NONE: unbounded */
/* Is v a known set with unknown elements? These may turn out equal to others, so its length is unknown. */
bool hx_set_may_shrink(const hx_val *v);
void hx_length_bounds_of(const hx_val *v, uint64_t *min, uint64_t *max);
/* Could v, an unknown, be w? Decides as the reference's ValueRange.Includes. */
hx_sure hx_range_includes(hx_cx *cx, const hx_val *v, const hx_val *w);

/* Returns the type that a null or unknown value has of itself; NULL for any other value. */
HX_INLINE const hx_type *hx_stated_type(const hx_val *v) {
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->type;
  return v->tag == HX_T_NULL ? v->u.type : NULL;
}

#endif
