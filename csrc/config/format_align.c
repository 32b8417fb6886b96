/* format_align.c: aligns the assigns and comments of neighbouring lines. */
#include "config/format_parts.h"

void hx_format_room(hx_buf *out, uint64_t n) {
  hx_cx *cx = out->arena->cx;
  if (n > cx->output_left || out->len > cx->output_left - n) hx_abort(cx, HX_WHY_OUTPUT);
  if (n > UINT32_MAX) hx_abort(cx, HX_WHY_MEMORY);
  hx_buf_reserve(out, (uint32_t)n);
}

/* Computes the spaces of rows [from, to), which all have an assign; `widest` is the largest number of columns of a lead. From here on
** `lead` is the number of spaces missing before the assign, and `rest` the columns of the line without its comment. */
static void end_assigns(hx_format_row *from, const hx_format_row *to, uint32_t widest) {
  for (; from < to; from++) {
    from->lead = widest + 1 - from->lead - from->have;
    from->rest += widest + 1;
  }
}

static void align_assigns(hx_format_row *row, const hx_format_row *end) {
  while (row < end) {
    hx_format_row *first = row;
    uint32_t widest = 0;
    for (; row < end && row->assign != HX_FORMAT_NONE; row++) {
      if (row->lead > widest) widest = row->lead;
    }
    end_assigns(first, row, widest);
    for (; row < end && row->assign == HX_FORMAT_NONE; row++) {
      row->rest = row->lead;
      row->lead = 0;
    }
  }
}

/* Computes the spaces before comments. From here on `rest` is the number of spaces missing before the comment, besides the one written. */
static void align_comments(hx_format_row *row, const hx_format_row *end) {
  while (row < end) {
    hx_format_row *first = row;
    uint32_t widest = 0;
    for (; row < end && row->comment != HX_FORMAT_NONE; row++) {
      if (row->rest > widest) widest = row->rest;
    }
    for (; first < row; first++) first->rest = widest - first->rest;
    for (; row < end && row->comment == HX_FORMAT_NONE; row++) row->rest = 0;
  }
}

/* Moves the output from `at` to *end by `shift`, and puts n spaces before it. */
static void open_gap(char *p, uint32_t at, uint32_t *end, uint64_t *shift, uint32_t n) {
  if (n == 0) return;
  memmove(p + at + *shift, p + at, *end - at);
  *shift -= n;
  memset(p + at + *shift, ' ', n);
  *end = at;
}

void hx_format_align(hx_buf *out, hx_format_group *group) {
  const hx_format_row *rows = group->p;
  uint32_t n = group->n, end = out->len;
  uint64_t shift = 0;
  if (n == 0) return;
  align_assigns(group->p, rows + n);
  align_comments(group->p, rows + n);
  for (uint32_t i = 0; i < n; i++) shift += (uint64_t)rows[i].lead + rows[i].rest;
  group->n = 0;
  hx_format_room(out, shift);
  out->len += (uint32_t)shift;
  while (shift) {
    n--;
    open_gap(out->p, rows[n].comment, &end, &shift, rows[n].rest);
    open_gap(out->p, rows[n].assign, &end, &shift, rows[n].lead);
  }
}
