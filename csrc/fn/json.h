/* json.h: reads and writes JSON text, as in jsondecode and jsonencode.
** Memory: results in cx->arena.
** Errors: returned, not reported; limits abort (limits.depth bounds nesting). */
#ifndef HX_FN_JSON_H
#define HX_FN_JSON_H

#include "fn/arguments.h"

typedef enum hx_json_fault {
  HX_JSON_FINE,
  HX_JSON_UNKNOWN,  /* a part is unknown, so the text is incomplete */
  HX_JSON_INFINITE, /* JSON has no infinities */
  HX_JSON_MARKED,   /* this fault and the next occur only in exact style */
  HX_JSON_TYPE,
} hx_json_fault;

/* Writes v. Keys are in byte order; <, >, &, U+2028 and U+2029 are escaped; numbers have all their digits. Marks are ignored. The text's
** memory is charged. */
hx_json_fault hx_json_write(hx_cx *cx, hx_buf *out, const hx_val *v);

/* Other styles of the text. */
typedef struct hx_json_style {
  uint32_t indent; /* spaces for each level; 0: everything on one line */
  uint32_t depth;  /* the level at which the text begins */
  bool html;       /* writes <, > and & as escapes */
  bool omit_nulls; /* leaves out attributes of objects and elements of maps that are null, also marked ones */
  bool exact;      /* marks and types count as faults, the first fault ends the text, and long numbers have an exponent */
} hx_json_style;

/* The place of a fault. */
typedef struct hx_json_place {
  const hx_val *v;
  hx_str path; /* for example a.b[0]; empty: the whole value */
} hx_json_place;

/* Writes v in a style. *place is set in exact style if the result is not HX_JSON_FINE; in other styles place may be NULL. */
hx_json_fault hx_json_write_as(hx_cx *cx, hx_buf *out, const hx_val *v, const hx_json_style *style, hx_json_place *place);

/* Where and why a text is not JSON. */
typedef struct hx_json_error {
  uint32_t at; /* byte offset */
  hx_str why;
} hx_json_error;

/* Reads objects, tuples, exact numbers, and nulls of type `any`. Returns false after setting *error. As in the reference, only white space
** may follow the value, or any text that begins with a closing bracket; keys must be normalised (NFC); a key may occur twice with values of
** one type, and the last one counts. */
bool hx_json_read(hx_cx *cx, hx_str text, hx_val *out, hx_json_error *error);

#endif
