/* json_string.h: strings of JSON text and their escapes.
** Memory: text that stands in the source as it is is borrowed from there, other text is in cx->arena.
** Errors: where and why a string is none is in the result, nothing is reported. */
#ifndef HX_TEXT_JSON_STRING_H
#define HX_TEXT_JSON_STRING_H

#include "base/cx.h"

typedef struct hx_json_string {
  hx_str text;     /* what it stands for: well-formed UTF-8, not normalised; meaningless if `why` is set */
  const char *end; /* behind its closing quote; of one that isn't closed, behind its last byte */
  const char *bad; /* the byte that can't stand where it stands, or `end` of a string that isn't closed */
  const char *why; /* NULL: nothing is wrong */
  bool verbatim;   /* the text stands between the quotes as it is */
  bool ascii;      /* no other bytes between the quotes: what they stand for may be anything, unless verbatim */
  bool sigils;     /* a dollar or percent sign stands there, or an escape that may mean one */
} hx_json_string;

/* Reads the string whose opening quote is at `open`. One that is wrong is read to its end all the same; a control character ends
** it. Ill-formed bytes and lone surrogates become U+FFFD. */
void hx_json_string_read(hx_cx *cx, const char *open, const char *end, hx_json_string *out);

/* Of a string without errors: how many bytes from behind its opening quote its text's first n bytes are written with. */
uint32_t hx_json_string_written(const char *open, const char *end, uint32_t n);

#endif
