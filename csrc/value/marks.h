/* marks.h: marks on values: "sensitive", "ephemeral", and any names that a user gives. The application decides what a mark means, so no
** message shows a marked value, whatever the mark's name.
** Memory: sets of marks are immutable, in cx->arena; the two common sets are static.
** Errors: memory, and the limit of steps: a union of different sets charges one step for two names. */
#ifndef HX_VALUE_MARKS_H
#define HX_VALUE_MARKS_H

#include "value/value.h"

typedef struct hx_marks {
  uint32_t n;
  const hx_str *names; /* sorted by bytes, distinct */
} hx_marks;

struct hx_marked {
  hx_val v; /* never MARKED itself */
  const hx_marks *marks;
};

extern const hx_marks hx_marks_sensitive;
/* The mark of a value that may or may not be sensitive (terraform/schema/guarded.lua). */
extern const hx_str hx_mark_guarded;

const hx_marks *hx_marks_of(hx_cx *cx, hx_str name);
/* Copies a set of marks into another activity's memory. */
const hx_marks *hx_marks_copy(hx_cx *cx, const hx_marks *from);
/* Returns the union of two sets; NULL is the empty set. */
const hx_marks *hx_marks_join(hx_cx *cx, const hx_marks *a, const hx_marks *b);
const hx_marks *hx_marks_without(hx_cx *cx, const hx_marks *a, hx_str name); /* NULL if nothing is left */
bool hx_marks_has(const hx_marks *m, hx_str name);

/* Adds marks to v. Returns v itself if marks is NULL. */
hx_val hx_mark(hx_cx *cx, hx_val v, const hx_marks *marks);
HX_INLINE const hx_marks *hx_marks_get(const hx_val *v) {
  return v->tag == HX_T_MARKED ? v->u.marked->marks : NULL;
}
HX_INLINE const hx_val *hx_unmarked(const hx_val *v) {
  return v->tag == HX_T_MARKED ? &v->u.marked->v : v;
}
bool hx_is_marked_deep(const hx_val *v);
/* Returns v without the marks on it and inside it, which are added to *marks. If v has no marks, returns v itself. */
hx_val hx_unmark_deep(hx_cx *cx, const hx_val *v, const hx_marks **marks);
/* The text that is shown instead of a secret value. */
#define HX_HIDDEN_TEXT "(sensitive value)"
/* Returns true if messages must hide v and all of its parts. Every mark hides its value, because a mark may mean anything. */
bool hx_is_hidden(const hx_cx *cx, const hx_val *v);

#endif
