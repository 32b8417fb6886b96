/* json_scan.h: scans the bytes of a JSON text to tokens, one at a time, on demand.
** Memory: texts of strings are as in text/json_string.h.
** Errors: none. A malformed token has a bad kind or a `why`, and the parser reports it. */
#ifndef HX_SYNTAX_JSON_SCAN_H
#define HX_SYNTAX_JSON_SCAN_H

#include "base/cx.h"
#include "base/range.h"
#include "text/json_string.h"

typedef enum hx_json_kind {
  HX_JSON_END,
  HX_JSON_OBRACE,
  HX_JSON_CBRACE,
  HX_JSON_OBRACK,
  HX_JSON_CBRACK,
  HX_JSON_COMMA,
  HX_JSON_COLON,
  HX_JSON_ASSIGN, /* `=`: recognised only for a message */
  HX_JSON_STRING,
  HX_JSON_NUMBER,  /* characters of numbers, in any order */
  HX_JSON_WORD,    /* letters and underscores */
  HX_JSON_INVALID, /* any other byte: nothing after it is read */
} hx_json_kind;

typedef struct hx_json_token {
  uint32_t start, stop;
  uint8_t kind; /* hx_json_kind */
} hx_json_token;

typedef struct hx_json_scanner {
  hx_cx *cx;
  const char *text;
  uint32_t pos, end;
  hx_json_string string; /* of the last STRING */
} hx_json_scanner;

/* Returns the next token; END on every call after the last one. */
hx_json_token hx_json_scan(hx_json_scanner *s);

#endif
