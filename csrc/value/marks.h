/* marks.h: marks on values: "sensitive", "ephemeral" and whatever names a user gives.
** A mark is whatever the application makes of it, so no message shows a value that bears one, whatever its name.
** Memory: mark sets are immutable, in cx->arena; the two common sets are static.
** Errors: none but memory. */
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

const hx_marks *hx_marks_of(hx_cx *cx, hx_str name);
/* Union; either may be NULL (none). */
const hx_marks *hx_marks_join(hx_cx *cx, const hx_marks *a, const hx_marks *b);
const hx_marks *hx_marks_without(hx_cx *cx, const hx_marks *a, hx_str name); /* NULL if nothing is left */
bool hx_marks_has(const hx_marks *m, hx_str name);

/* v with the marks added; v as it is where marks is NULL. */
hx_val hx_mark(hx_cx *cx, hx_val v, const hx_marks *marks);
HX_INLINE const hx_marks *hx_marks_get(const hx_val *v) {
  return v->tag == HX_T_MARKED ? v->u.marked->marks : NULL;
}
HX_INLINE const hx_val *hx_unmarked(const hx_val *v) {
  return v->tag == HX_T_MARKED ? &v->u.marked->v : v;
}
bool hx_is_marked_deep(const hx_val *v);
/* The value with no marks anywhere inside; *marks is joined with all that were found. The value itself where there are none. */
hx_val hx_unmark_deep(hx_cx *cx, const hx_val *v, const hx_marks **marks);
/* What stands for a value that may not be shown. */
#define HX_HIDDEN_TEXT "(sensitive value)"
/* May no message show v, or any part of it? A mark may stand for anything, so all of them hide. */
bool hx_is_hidden(const hx_cx *cx, const hx_val *v);

#endif
