/* json.h: JSON text from and to values, as jsonencode and jsondecode have it.
** Memory: results in cx->arena.
** Errors: what is wrong is returned, nothing is reported; limits abort (nesting is bounded by limits.depth). */
#ifndef HX_FN_JSON_H
#define HX_FN_JSON_H

#include "fn/arguments.h"

typedef enum hx_json_fault {
  HX_JSON_FINE,
  HX_JSON_UNKNOWN,  /* something in it is unknown: the text is incomplete */
  HX_JSON_INFINITE, /* JSON has no infinities */
  HX_JSON_MARKED,   /* these two only where the style is exact */
  HX_JSON_TYPE,
} hx_json_fault;

/* Keys in byte order; <, >, &, U+2028 and U+2029 as escapes; numbers with all their digits. Marks are looked through. Memory for
** the text is charged. */
hx_json_fault hx_json_write(hx_cx *cx, hx_buf *out, const hx_val *v);

/* How it may look otherwise. */
typedef struct hx_json_style {
  uint32_t indent; /* spaces that a level is indented by; 0: all is on one line */
  uint32_t depth;  /* levels that the text is to stand in */
  bool html;       /* <, > and & as escapes */
  bool omit_nulls; /* of objects and maps, marked ones too */
  bool exact;      /* nothing is looked through: marks and types are faults, and the first fault ends it */
} hx_json_style;

/* What is at fault. */
typedef struct hx_json_place {
  const hx_val *v;
  hx_str path; /* a.b[0]; empty: the whole */
} hx_json_place;

/* place: written where the style is exact and the text is not HX_JSON_FINE; else it may be NULL. */
hx_json_fault hx_json_write_as(hx_cx *cx, hx_buf *out, const hx_val *v, const hx_json_style *style, hx_json_place *place);

/* Where and why a text is no JSON. */
typedef struct hx_json_error {
  uint32_t at; /* byte offset */
  hx_str why;
} hx_json_error;

/* Objects, tuples, exact numbers, nulls of any type. Reference: after the value only white space may follow, or anything that
** begins with a closing bracket; keys must be normalised (NFC); a key may stand twice with values of one type, and the last
** counts. */
bool hx_json_read(hx_cx *cx, hx_str text, hx_val *out, hx_json_error *error);

#endif
