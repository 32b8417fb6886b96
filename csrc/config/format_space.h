/* format_space.h: whether two neighbouring tokens of a cell have a space between them.
** Memory: static tables.
** Errors: none. */
#ifndef HX_CONFIG_FORMAT_SPACE_H
#define HX_CONFIG_FORMAT_SPACE_H

#include "syntax/token.h"

/* A set of token kinds. */
typedef uint64_t hx_token_set;
_Static_assert(HX_TOK_COUNT <= 64, "a set of token kinds has 64 places");

#define HX_TOKEN_SET(kind) (UINT64_C(1) << HX_TOK_##kind)

HX_INLINE bool hx_token_in(hx_token_set set, uint8_t kind) {
  return (set >> kind & 1) != 0;
}

/* The kinds that follow t without a space. before: the kind of the token before t, HX_TOK_END if t is the first of its line;
** next: the token behind t. */
hx_token_set hx_format_joined(const char *text, hx_token t, uint8_t before, hx_token next);

#endif
