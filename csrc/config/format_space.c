/* format_space.c: decides which tokens have a space between them, by a table of the kinds that follow each kind without one. */
#include "config/format_parts.h"

#include "base/ascii.h"

#include <string.h>

#define SET HX_TOKEN_SET

#define ALL UINT64_MAX
/* Tokens without a space before them, whatever comes before. */
#define NEWLINE_DOT_COMMA (SET(NEWLINE) | SET(DOT) | SET(COMMA) | SET(ELLIPSIS))
/* A space before text of a template, or before its end, would change the value. */
#define TEXT (SET(QUOTED_LIT) | SET(STRING_LIT) | SET(CQUOTE) | SET(CHEREDOC))
#define BRACES (SET(OBRACE) | SET(CBRACE))
/* Closing brackets other than braces have no space before them. */
#define CLOSING (SET(CBRACK) | SET(CPAREN) | SET(SEQ_END))
#define PLAIN (NEWLINE_DOT_COMMA | TEXT | CLOSING)
/* After the possible ends of an expression: a bracket there is an index. */
#define INDEXED (PLAIN | SET(OBRACK))

/* Rows that are not here are PLAIN. */
static const hx_token_set rows[HX_TOK_COUNT] = {
  [HX_TOK_IDENT] = INDEXED | SET(OPAREN) | SET(DOUBLE_COLON),
  [HX_TOK_NUMBER] = INDEXED,
  [HX_TOK_CBRACK] = INDEXED,
  [HX_TOK_CPAREN] = INDEXED,
  [HX_TOK_CBRACE] = INDEXED & ~SET(SEQ_END), /* "${ {} }" */
  [HX_TOK_SEQ_END] = INDEXED | SET(INTERP) | SET(CONTROL),
  [HX_TOK_DOUBLE_COLON] = PLAIN | SET(IDENT),
  [HX_TOK_DOT] = ALL,
  [HX_TOK_COMMA] = NEWLINE_DOT_COMMA,
  [HX_TOK_BANG] = ALL,
  [HX_TOK_MINUS] = NEWLINE_DOT_COMMA | TEXT, /* between two operands */
  [HX_TOK_OBRACE] = NEWLINE_DOT_COMMA | TEXT | SET(CBRACE),
  [HX_TOK_OBRACK] = ALL & ~SET(CBRACE),
  [HX_TOK_OPAREN] = ALL & ~SET(CBRACE),
  [HX_TOK_INTERP] = ALL & ~BRACES,
  [HX_TOK_CONTROL] = ALL & ~BRACES,
  [HX_TOK_OQUOTE] = ALL,
  [HX_TOK_OHEREDOC] = ALL,
  [HX_TOK_QUOTED_LIT] = ALL,
  [HX_TOK_STRING_LIT] = ALL,
};

/* After `in` between names, in a `for`: `in` isn't a name, so a bracket after it begins a tuple. */
#define KEYWORD_IN (NEWLINE_DOT_COMMA | TEXT | SET(OPAREN) | SET(DOUBLE_COLON))

/* After these a minus is a sign, and has no space after it. END: the minus begins the line. */
#define BEFORE_SIGN                                                                                                            \
  (SET(END) | SET(OPAREN) | SET(OBRACE) | SET(OBRACK) | SET(ASSIGN) | SET(COLON) | SET(COMMA) | SET(QUESTION) | SET(PLUS) |    \
   SET(STAR) | SET(SLASH) | SET(PERCENT) | SET(MINUS) | SET(EQ) | SET(NE) | SET(GT) | SET(GE) | SET(LT) | SET(LE) | SET(AND) | \
   SET(OR) | SET(BANG))

/* Returns true if t, after a number and a dot, would be read as part of the number. Another number would, and a name that looks like an
** exponent. */
static bool continues_number(const char *text, hx_token t) {
  const char *p = text + t.start;
  uint32_t len = t.stop - t.start;
  if (t.kind == HX_TOK_NUMBER) return true;
  if (t.kind != HX_TOK_IDENT || len < 2 || (*p != 'e' && *p != 'E')) return false;
  return hx_is_digit(p[1]) || (p[1] == '-' && len > 2 && hx_is_digit(p[2]));
}

hx_token_set hx_format_joined(const char *text, hx_token t, uint8_t before, hx_token next) {
  hx_token_set row = rows[t.kind];
  if (t.kind == HX_TOK_DOT && before == HX_TOK_NUMBER && continues_number(text, next)) return NEWLINE_DOT_COMMA;
  if (t.kind == HX_TOK_IDENT) {
    bool in = before == HX_TOK_IDENT && t.stop - t.start == 2 && memcmp(text + t.start, "in", 2) == 0;
    return in ? KEYWORD_IN : row;
  }
  if (t.kind == HX_TOK_MINUS && hx_token_in(BEFORE_SIGN, before)) return ALL;
  return row ? row : PLAIN;
}
