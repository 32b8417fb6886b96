/* source.c: lines and columns, worked out when someone asks. */
#include "text/source.h"

#include "base/vec.h"
#include "text/unicode.h"

#include <string.h>

/* In a line longer than this a place is noted every so many bytes, so that positions in one long line cost no more than in many
** short ones. */
#define STRIDE 512u

hx_source *hx_source_new(hx_cx *cx, hx_str text, hx_str name, uint32_t line, uint32_t column) {
  hx_source *src = HX_NEW(cx, hx_source);
  *src = (hx_source){ .line = line ? line : 1, .column = column ? column : 1, .owner = cx };
  src->text = hx_str_copy(cx, text);
  src->name = hx_str_copy(cx, name);
  return src;
}

/* A byte order mark is no character of the first line, but its bytes count. */
static uint32_t text_start(const hx_source *src) {
  return src->text.len >= 3 && memcmp(src->text.p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Offset of the end of the line, where its newline or the end of the text is. */
static uint32_t line_end(const hx_source *src, uint32_t from) {
  const char *text = src->text.p, *q = from < src->text.len ? memchr(text + from, '\n', src->text.len - from) : NULL;
  return q ? (uint32_t)(q - text) : src->text.len;
}

static uint32_t count_columns(const hx_source *src, uint32_t from, uint32_t to) {
  hx_str part = hx_str_of(src->text.p + from, to - from);
  return hx_is_ascii(part) ? part.len : hx_grapheme_count(part);
}

/* The first offset from `from` on that no cluster spans: between two ASCII characters. A carriage return may belong to what
** follows. stop if there is none. */
static uint32_t sure_boundary(const hx_source *src, uint32_t from, uint32_t stop) {
  const char *text = src->text.p;
  for (; from < stop; from++) {
    if ((unsigned char)text[from - 1] < 0x80 && (unsigned char)text[from] < 0x80 && text[from - 1] != '\r') return from;
  }
  return stop;
}

typedef HX_VEC(hx_place) place_vec;

static void make_places(hx_cx *cx, hx_source *src) {
  place_vec places = { 0 };
  hx_place at = { text_start(src), 0, 0 };
  for (;;) {
    uint32_t end = line_end(src, at.offset);
    *HX_VEC_PUSH(&cx->arena, &places) = at;
    while (end - at.offset > 2 * STRIDE) {
      uint32_t next = sure_boundary(src, at.offset + STRIDE, end);
      at.column += count_columns(src, at.offset, next);
      at.offset = next;
      *HX_VEC_PUSH(&cx->arena, &places) = at;
    }
    if (end == src->text.len) break;
    at = (hx_place){ end + 1, at.line + 1, 0 };
  }
  src->places = places.p;
  src->nplaces = places.n;
}

/* The last known place at or before offset. */
static hx_place find_place(hx_cx *cx, hx_source *src, uint32_t offset) {
  uint32_t low = 0, high;
  if (!src->places && cx == src->owner) make_places(cx, src);
  if (!src->places) {
    hx_place at = { text_start(src), 0, 0 };
    uint32_t end;
    while ((end = line_end(src, at.offset)) < offset) at = (hx_place){ end + 1, at.line + 1, 0 };
    return at;
  }
  high = src->nplaces;
  while (high - low > 1) {
    uint32_t mid = low + (high - low) / 2;
    if (src->places[mid].offset <= offset) low = mid;
    else high = mid;
  }
  return src->places[low];
}

hx_pos hx_source_pos(hx_cx *cx, hx_source *src, uint32_t offset) {
  hx_place at;
  uint32_t column;
  if (offset > src->text.len) offset = src->text.len;
  at = find_place(cx, src, offset);
  column = at.column + (offset > at.offset ? count_columns(src, at.offset, offset) : 0);
  return (hx_pos){ src->line + at.line, column + (at.line == 0 ? src->column : 1), src->byte + offset };
}

hx_range hx_source_line(hx_cx *cx, hx_source *src, uint32_t offset) {
  uint32_t first = text_start(src), start, end;
  (void)cx;
  if (offset > src->text.len) offset = src->text.len;
  if (offset < first) offset = first;
  for (start = offset; start > first && src->text.p[start - 1] != '\n'; start--) continue;
  end = line_end(src, offset);
  if (end > start && src->text.p[end - 1] == '\r') end--;
  return hx_range_of(start, end);
}
