/* json_string.h: strings of JSON text and their escapes.
** Memory: a text without escapes is borrowed from the source; any other text is in cx->arena.
** Errors: nothing is reported. The result says where and why a string is malformed. */
#ifndef HX_TEXT_JSON_STRING_H
#define HX_TEXT_JSON_STRING_H

#include "base/cx.h"

typedef struct hx_json_string {
  hx_str text;     /* its decoded text: well-formed UTF-8, not normalised; meaningless if `why` is set */
  const char *end; /* after its closing quote; without one, after its last byte */
  const char *bad; /* the byte that is wrong there, or `end` of a string that isn't closed */
  const char *why; /* NULL: no mistake */
  bool verbatim;   /* the text is the bytes between the quotes */
  bool ascii;      /* only ASCII between the quotes; the text may have other characters, unless verbatim */
  bool sigils;     /* has a dollar or percent sign, or an escape that may mean one */
} hx_json_string;

/* Reads the string whose opening quote is at `open`. A string with a mistake is also read to its end; a control character ends
** it. Ill-formed bytes and lone surrogates become U+FFFD. */
void hx_json_string_read(hx_cx *cx, const char *open, const char *end, hx_json_string *out);

/* For a string without errors: the number of source bytes, from after its opening quote, that encode the first n bytes of its
** text. */
uint32_t hx_json_string_written(const char *open, const char *end, uint32_t n);

#endif
