/* json_string.h: strings of JSON text and their escapes.
** Memory: a text without escapes is borrowed from the source; any other text is in cx->arena.
** Errors: nothing is reported. The result says where and why a string is malformed. */
#ifndef HX_TEXT_JSON_STRING_H
#define HX_TEXT_JSON_STRING_H

#include "base/cx.h"

typedef struct hx_json_string {
  hx_str text;     /* the decoded text: well-formed UTF-8, not normalised; meaningless if `why` is set */
  const char *end; /* after the closing quote, or after the last byte if the string isn't closed */
  const char *bad; /* the wrong byte, or `end` if the string isn't closed */
  const char *why; /* NULL: no mistake */
  bool verbatim;   /* the text is the bytes between the quotes */
  bool ascii;      /* the bytes between the quotes are ASCII; the text may have other characters, unless verbatim */
  bool sigils;     /* the string has a dollar or percent sign, or an escape that may mean one */
} hx_json_string;

/* Reads the string whose opening quote is at `open`. A string with a mistake is also read to its end; a control character ends the string.
** Ill-formed bytes and lone surrogates become U+FFFD. */
void hx_json_string_read(hx_cx *cx, const char *open, const char *end, hx_json_string *out);

/* For a string without errors: returns how many source bytes, from after the opening quote, encode the first n bytes of the text. */
uint32_t hx_json_string_written(const char *open, const char *end, uint32_t n);

#endif
