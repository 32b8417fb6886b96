/* format_align.h: aligns the cells of neighbouring lines.
** A group is a run of lines that all have an assign or a comment cell. In a group, assigns are aligned over each run of
** lines that have one, then comments. A line is written with one space before each cell (or none, see `have`). When a group
** is complete, missing spaces are inserted from its end back to its start, so that each byte moves once.
** Memory: rows are in the activity's scratch, those of one group at a time.
** Errors: aborts with HX_WHY_OUTPUT as format.h says. */
#ifndef HX_CONFIG_FORMAT_ALIGN_H
#define HX_CONFIG_FORMAT_ALIGN_H

#include "base/buf.h"
#include "base/vec.h"

/* A line that has an assign or a comment cell. */
typedef struct hx_format_row {
  uint32_t assign, comment; /* where in the output the cells begin; HX_FORMAT_NONE */
  uint32_t lead;            /* columns of the lead */
  uint32_t rest;            /* columns of the assign, without spaces before it */
  uint32_t have;            /* spaces written before the assign: 0 or 1 */
} hx_format_row;

#define HX_FORMAT_NONE UINT32_MAX

typedef HX_VEC(hx_format_row) hx_format_group;

/* Room for n more bytes of output; aborts if there is none. */
void hx_format_room(hx_buf *out, uint64_t n);
/* Aligns the group and empties it. Its lines are the last ones of the output, except perhaps for the line that ended it. */
void hx_format_align(hx_buf *out, hx_format_group *group);

#endif
