/* format_parts.h: what the files of the formatter share (config/format.h): which tokens have a space between them, and the alignment of
** cells. A group is a run of lines that all have an assign or a comment cell. In a group, assigns are aligned over each run of lines that
** have one, then comments. A line is written with one space before each cell (or no space, see `have`). When a group is complete, missing
** spaces are inserted from its end back to its start, so that each byte moves once.
** Memory: rows are in the activity's scratch, those of one group at a time.
** Errors: aborts with HX_WHY_OUTPUT as format.h says. */
#ifndef HX_CONFIG_FORMAT_PARTS_H
#define HX_CONFIG_FORMAT_PARTS_H

#include "base/buf.h"
#include "base/vec.h"
#include "syntax/token.h"

/* format_space.c */

/* A set of token kinds. */
typedef uint64_t hx_token_set;
_Static_assert(HX_TOK_COUNT <= 64, "a set of token kinds has 64 places");

#define HX_TOKEN_SET(kind) (UINT64_C(1) << HX_TOK_##kind)

HX_INLINE bool hx_token_in(hx_token_set set, uint8_t kind) {
  return (set >> kind & 1) != 0;
}

/* Returns the kinds that follow t without a space. before: the kind of the token before t, HX_TOK_END if t is the first of its line; next:
** the token after t. */
hx_token_set hx_format_joined(const char *text, hx_token t, uint8_t before, hx_token next);

/* Defined in format.c: 1 for tokens that open a bracket or sequence, -1 for those that close one, 0 for others. */
extern const int8_t hx_format_bracket[HX_TOK_COUNT];

/* format_align.c */

/* A line that has an assign or a comment cell. */
typedef struct hx_format_row {
  uint32_t assign, comment; /* where in the output the cells begin, or HX_FORMAT_NONE */
  uint32_t lead;            /* columns of the lead */
  uint32_t rest;            /* columns of the assign, without spaces before it */
  uint32_t have;            /* spaces written before the assign: 0 or 1 */
} hx_format_row;

#define HX_FORMAT_NONE UINT32_MAX

typedef HX_VEC(hx_format_row) hx_format_group;

/* Makes room for n more bytes of output, or aborts. */
void hx_format_room(hx_buf *out, uint64_t n);
/* Aligns the group and empties it. Its lines are the last ones of the output, except perhaps for the line that ended it. */
void hx_format_align(hx_buf *out, hx_format_group *group);

#endif
