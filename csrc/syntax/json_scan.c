/* json_scan.c: scans JSON: the first byte of a token decides its kind. */
#include "syntax/json_scan.h"

#include "base/ascii.h"

#include <string.h>

/* Classes of bytes: the kind of token that a byte begins, and the tokens that a byte may be part of. */
enum { KIND = 15, IN_NUMBER = 16, IN_WORD = 32, BLANK = 64 };

#define IS_BLANK(c) ((c) == ' ' || (c) == '\t' || (c) == '\n' || (c) == '\r')
#define IS_NUMBER(c) (((c) >= '0' && (c) <= '9') || (c) == '-' || (c) == '+' || (c) == '.')
#define IS_WORD(c) (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z'))
#define IS_EXPONENT(c) ((c) == 'e' || (c) == 'E')
#define CLASS(c)                                                                       \
  (uint8_t)(IS_BLANK(c)    ? BLANK                                                     \
            : IS_NUMBER(c) ? HX_JSON_NUMBER | IN_NUMBER                                \
            : IS_WORD(c)   ? HX_JSON_WORD | IN_WORD | (IS_EXPONENT(c) ? IN_NUMBER : 0) \
            : (c) == '_'   ? HX_JSON_INVALID | IN_WORD                                 \
            : (c) == '"'   ? HX_JSON_STRING                                            \
            : (c) == '{'   ? HX_JSON_OBRACE                                            \
            : (c) == '}'   ? HX_JSON_CBRACE                                            \
            : (c) == '['   ? HX_JSON_OBRACK                                            \
            : (c) == ']'   ? HX_JSON_CBRACK                                            \
            : (c) == ','   ? HX_JSON_COMMA                                             \
            : (c) == ':'   ? HX_JSON_COLON                                             \
            : (c) == '='   ? HX_JSON_ASSIGN                                            \
                           : HX_JSON_INVALID)

static const uint8_t classes[256] = { HX_BYTE_ROWS(CLASS) };

static uint32_t skip(const hx_json_scanner *s, uint32_t from, uint8_t within) {
  while (from < s->end && classes[(unsigned char)s->text[from]] & within) from++;
  return from;
}

/* Skips white space. Most of it is a newline and indentation, so it skips a newline, and then spaces eight at a time. */
static uint32_t skip_blanks(const hx_json_scanner *s, uint32_t from) {
  const uint64_t spaces = UINT64_C(0x2020202020202020);
  if (from < s->end && s->text[from] == '\n') from++;
  for (uint64_t w; s->end - from >= 8; from += 8) {
    memcpy(&w, s->text + from, 8);
    if (w == spaces) continue;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    from += (uint32_t)__builtin_ctzll(w ^ spaces) / 8;
#endif
    break;
  }
  return skip(s, from, BLANK);
}

hx_json_token hx_json_scan(hx_json_scanner *s) {
  hx_json_token t = { .start = skip_blanks(s, s->pos) };
  t.stop = t.start;
  if (t.start == s->end) {
    s->pos = t.stop;
    return t;
  }
  t.kind = classes[(unsigned char)s->text[t.start]] & KIND;
  t.stop++;
  switch (t.kind) {
    case HX_JSON_STRING:
      hx_json_string_read(s->cx, s->text + t.start, s->text + s->end, &s->string);
      t.stop = (uint32_t)(s->string.end - s->text);
      break;
    case HX_JSON_NUMBER: t.stop = skip(s, t.stop, IN_NUMBER); break;
    case HX_JSON_WORD: t.stop = skip(s, t.stop, IN_WORD); break;
    case HX_JSON_INVALID: s->end = t.stop; break;
    default: break;
  }
  s->pos = t.stop;
  return t;
}
