/* token.h: the tokens of the language.
** Memory: by value; a token is a stretch of its source.
** Errors: none. */
#ifndef HX_SYNTAX_TOKEN_H
#define HX_SYNTAX_TOKEN_H

#include "base/range.h"

typedef enum hx_token_kind {
#define HX_TOK(id, name) HX_TOK_##id,
#include "syntax/token_list.h"
#undef HX_TOK
  HX_TOK_COUNT
} hx_token_kind;

#define HX_TOK_LAST_BLANK HX_TOK_COMMENT /* newlines and comments: either ignored, or the end of an item */
#define HX_TOK_FIRST_BAD HX_TOK_BIT_AND  /* never valid: the scanner recognises them only for messages */

typedef struct hx_token {
  uint32_t start, stop;
  uint8_t kind; /* hx_token_kind */
  bool plain;   /* QUOTED_LIT, STRING_LIT: surely without escapes; NUMBER: surely digits only */
} hx_token;

HX_INLINE hx_range hx_token_range(hx_token t) {
  return (hx_range){ t.start, t.stop };
}

/* Returns the name of a kind in messages, with its article. */
const char *hx_token_name(hx_token_kind k);

#endif
