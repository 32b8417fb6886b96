/* source.c: computes lines and columns on demand. */
#include "text/source.h"

#include "base/vec.h"
#include "text/json_string.h"
#include "text/unicode.h"

#include <string.h>

/* In a line that is longer than twice this, a place is noted every STRIDE bytes, so that positions in one long line cost no more than in
** many short lines. */
#define STRIDE 512u
/* One start of a short line is noted for every LINES_STRIDE bytes. A table of all starts would be several times the size of a source of
** empty lines. */
#define LINES_STRIDE 128u

hx_source *hx_source_new(hx_cx *cx, hx_str text, hx_str name, uint32_t line, uint32_t column) {
  hx_source *src = HX_NEW(cx, hx_source);
  *src = (hx_source){ .line = line ? line : 1, .column = column ? column : 1, .owner = cx };
  src->text = hx_str_copy(cx, text);
  src->name = hx_str_copy(cx, name);
  return src;
}

/* Returns where the text begins. A byte order mark isn't part of the first line's text, although its bytes count. */
static uint32_t text_start(const hx_source *src) {
  return !src->json && src->text.len >= 3 && memcmp(src->text.p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Returns the offset of the line's newline, or `end` if that comes first. */
static uint32_t line_end(const hx_source *src, uint32_t from, uint32_t end) {
  const char *text = src->text.p, *q = from < end ? memchr(text + from, '\n', end - from) : NULL;
  return q ? (uint32_t)(q - text) : end;
}

static uint32_t count_clusters(hx_str s) {
  return hx_is_ascii(s) ? s.len : hx_grapheme_count(s);
}

static uint32_t count_columns(const hx_source *src, uint32_t from, uint32_t to) {
  hx_str part = hx_str_of(src->text.p + from, to - from);
  uint32_t n = count_clusters(part);
  if (!src->json || from >= src->text.len) return n; /* pieces follow the rules of native syntax */
  for (uint32_t i = 0; i < part.len; i++) {
    n += part.p[i] == '\t';
    n -= part.p[i] == '\r';
  }
  return n;
}

/* Returns where a cluster begins, STRIDE bytes or more after `from`, where a cluster begins as well. No cluster contains two ASCII
** characters, except a carriage return and the newline after it. If no two ASCII characters are near, reads clusters one by one. */
static uint32_t next_boundary(const hx_source *src, uint32_t from, uint32_t end) {
  const char *text = src->text.p;
  uint32_t at = from + STRIDE;
  for (; at < from + 2 * STRIDE; at++) {
    if ((unsigned char)text[at - 1] < 0x80 && (unsigned char)text[at] < 0x80 && text[at - 1] != '\r') return at;
  }
  for (at = from; at < from + STRIDE;) at += hx_grapheme_len(hx_str_of(text + at, end - at));
  return at;
}

typedef HX_VEC(hx_place) place_vec;

/* Notes places between two offsets, with lines counted from 0. The first place is `from`. A line that contains places has one at its
** start. */
static hx_places make_places(hx_cx *cx, const hx_source *src, uint32_t from, uint32_t to) {
  place_vec places = { 0 };
  hx_place at = { from, 0, 0 };
  uint32_t due = from;
  for (;;) {
    uint32_t end = line_end(src, at.offset, to);
    bool is_long = end - at.offset > 2 * STRIDE;
    if (is_long || at.offset >= due) {
      *HX_VEC_PUSH(&cx->arena, &places) = at;
      due = at.offset + LINES_STRIDE;
    }
    while (end - at.offset > 2 * STRIDE) {
      uint32_t next = next_boundary(src, at.offset, to);
      at.column += count_columns(src, at.offset, next);
      at.offset = next;
      *HX_VEC_PUSH(&cx->arena, &places) = at;
    }
    if (end == to) break;
    at = (hx_place){ end + 1, at.line + 1, 0 };
  }
  return (hx_places){ places.p, places.n };
}

static bool has_places(hx_cx *cx, hx_source *src) {
  if (!src->places.p && cx && cx == src->owner) src->places = make_places(cx, src, text_start(src), src->text.len);
  return src->places.p != NULL;
}

/* Returns the index of the last of n items at or before offset; 0 if all are after it. Each item begins with its offset. */
static uint32_t last_before(const void *items, size_t size, uint32_t n, uint32_t offset) {
  uint32_t low = 0, high = n, at;
  while (high - low > 1) {
    uint32_t mid = low + (high - low) / 2;
    memcpy(&at, (const char *)items + mid * size, sizeof at);
    if (at <= offset) low = mid;
    else high = mid;
  }
  return low;
}

static uint32_t place_before(const hx_places *places, uint32_t offset) {
  return last_before(places->p, sizeof *places->p, places->n, offset);
}

/* Returns the index of a line's first place, or places->n if the line doesn't exist. */
static uint32_t first_of_line(const hx_places *places, uint32_t line) {
  uint32_t low = 0, high = places->n;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (places->p[mid].line < line) low = mid + 1;
    else high = mid;
  }
  return low;
}

/* Returns the start of offset's line, or the last noted place before offset in that line. The text begins at `from`. */
static hx_place find_among(const hx_source *src, const hx_places *places, uint32_t from, uint32_t offset) {
  hx_place at = places->p ? places->p[place_before(places, offset)] : (hx_place){ from, 0, 0 };
  uint32_t end;
  while ((end = line_end(src, at.offset, offset)) < offset) at = (hx_place){ end + 1, at.line + 1, 0 };
  return at;
}

static hx_place find_place(hx_cx *cx, hx_source *src, uint32_t offset) {
  has_places(cx, src);
  return find_among(src, &src->places, text_start(src), offset);
}

/* Sections */

void hx_source_divide(hx_cx *cx, hx_source *src, const hx_section *sections, uint32_t n) {
  hx_section *copy = HX_NEW_ARRAY(cx, hx_section, n);
  uint32_t line = 0, from = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t end; (end = line_end(src, from, sections[i].at)) < sections[i].at; from = end + 1) line++;
    copy[i] = sections[i];
    copy[i].name = hx_str_copy(cx, sections[i].name);
    copy[i].first = line;
  }
  src->sections = copy;
  src->nsections = n;
}

/* Returns the section of an offset. The text between two sections belongs to the first one. */
static const hx_section *find_section(const hx_source *src, uint32_t offset) {
  return &src->sections[last_before(src->sections, sizeof *src->sections, src->nsections, offset)];
}

static hx_pos section_pos(const hx_source *src, const hx_place *at, uint32_t column, uint32_t offset) {
  const hx_section *s = find_section(src, offset);
  if (offset < s->at) return (hx_pos){ s->line, s->column, s->byte };
  uint32_t line = at->line - s->first;
  return (hx_pos){ s->line + line, column + (line == 0 ? s->column : 1), s->byte + (offset - s->at) };
}

static hx_pos place_pos(hx_cx *cx, hx_source *src, uint32_t offset) {
  hx_place at = find_place(cx, src, offset);
  uint32_t column = at.column + (offset > at.offset ? count_columns(src, at.offset, offset) : 0);
  if (src->nsections) return section_pos(src, &at, column, offset);
  return (hx_pos){ src->line + at.line, column + (at.line == 0 ? src->column : 1), src->byte + offset };
}

/* Pieces */

/* The number of bytes between the text and the first piece, and between pieces: the end of one must not be the start of the next. */
#define GAP 2u

hx_range hx_source_extend(hx_cx *cx, hx_source *src, hx_str text, uint32_t origin) {
  uint32_t held = src->held ? src->held : src->text.len;
  uint64_t need = (uint64_t)held + GAP + text.len;
  if (need >= UINT32_MAX / 2) hx_abort(cx, HX_WHY_MEMORY);
  if (need > src->room) {
    uint32_t room = (uint32_t)(need + need / 2 + 256);
    char *p = hx_alloc(cx, room);
    memcpy(p, src->text.p, held);
    src->text.p = p;
    src->room = room;
  }
  hx_range at = { held + GAP, (uint32_t)need };
  char *to = (char *)(uintptr_t)src->text.p + held;
  memset(to, ' ', GAP);
  memcpy(to + GAP, text.p, text.len);
  src->held = (uint32_t)need;
  if (src->npieces == src->pieces_cap)
    hx_vec_grow(&cx->arena, (void **)(void *)&src->pieces, &src->pieces_cap, src->npieces + 1, sizeof *src->pieces);
  src->pieces[src->npieces++] = (hx_piece){ .at = at.start, .len = text.len, .origin = origin };
  return at;
}

/* Returns the piece that contains offset, or NULL. */
static hx_piece *find_piece(const hx_source *src, uint32_t offset) {
  if (!src->npieces || offset < src->pieces[0].at) return NULL;
  return &src->pieces[last_before(src->pieces, sizeof *src->pieces, src->npieces, offset)];
}

static hx_pos piece_pos(hx_cx *cx, hx_source *src, hx_piece *piece, uint32_t offset) {
  hx_pos pos = place_pos(cx, src, piece->origin);
  uint32_t stop = piece->at + piece->len;
  if (!piece->places.p && piece->len > 2 * STRIDE && cx && cx == src->owner) piece->places = make_places(cx, src, piece->at, stop);
  hx_place at = find_among(src, &piece->places, piece->at, offset);
  pos.line += at.line;
  pos.column = (at.line ? 1 : pos.column) + at.column + count_columns(src, at.offset, offset);
  pos.byte += offset - piece->at;
  return pos;
}

hx_pos hx_source_pos(hx_cx *cx, hx_source *src, uint32_t offset) {
  hx_piece *piece = find_piece(src, offset);
  if (piece) return piece_pos(cx, src, piece, offset);
  if (offset <= src->text.len || !src->json) return place_pos(cx, src, offset < src->text.len ? offset : src->text.len);
  hx_pos pos = place_pos(cx, src, src->text.len);
  pos.column += offset - src->text.len;
  pos.byte += offset - src->text.len;
  return pos;
}

static uint32_t offset_from(const hx_source *src, uint32_t at, uint64_t first, uint64_t byte) {
  return byte >= first && byte - first <= src->text.len - at ? at + (uint32_t)(byte - first) : src->text.len;
}

uint32_t hx_source_offset(const hx_source *src, hx_str name, uint64_t byte) {
  for (uint32_t i = 0; i < src->nsections; i++) {
    const hx_section *s = &src->sections[i];
    if (hx_str_eq(s->name, name)) return offset_from(src, s->at, s->byte, byte);
  }
  return offset_from(src, 0, src->byte, byte);
}

hx_str hx_source_name(const hx_source *src, uint32_t offset) {
  if (!src->nsections) return src->name;
  const hx_piece *piece = find_piece(src, offset);
  return find_section(src, piece ? piece->origin : offset)->name;
}

/* If the source consists of several files, returns the name of the file and a space; otherwise an empty text. */
static hx_str section_name(hx_cx *cx, const hx_source *src, uint32_t offset) {
  hx_str name = src->nsections ? hx_source_name(src, offset) : HX_STR("");
  return name.len ? hx_strf(cx, "%.*s ", HX_STR_ARG(name)) : name;
}

hx_str hx_source_place_text(hx_cx *cx, const hx_source *src, uint32_t offset) {
  hx_pos pos = hx_source_pos(cx, (hx_source *)(uintptr_t)src, offset);
  hx_str name = section_name(cx, src, offset);
  return hx_strf(cx, "%.*sline %u, column %u", HX_STR_ARG(name), (unsigned)pos.line, (unsigned)pos.column);
}

hx_str hx_source_line_text(hx_cx *cx, const hx_source *src, uint32_t offset) {
  hx_str name = section_name(cx, src, offset);
  return hx_strf(cx, "%.*sline %u", HX_STR_ARG(name), (unsigned)hx_source_pos(cx, (hx_source *)(uintptr_t)src, offset).line);
}

hx_range hx_source_written(const hx_source *src, hx_range at) {
  const hx_piece *piece = find_piece(src, at.start);
  if (!piece) return at;
  const char *open = src->text.p + piece->origin - 1, *end = src->text.p + src->text.len;
  uint32_t stop = at.stop < piece->at + piece->len ? at.stop : piece->at + piece->len;
  return (hx_range){ piece->origin + hx_json_string_written(open, end, at.start - piece->at),
                     piece->origin + hx_json_string_written(open, end, stop - piece->at) };
}

static hx_range moved(hx_range at, uint32_t from, uint32_t len) {
  uint32_t start = at.start > from ? at.start - from : 0, stop = at.stop > from ? at.stop - from : 0;
  return hx_range_of(start < len ? start : len, stop < len ? stop : len);
}

/* Bytes of a long line that are kept on either side of a place: more than a report shows. */
#define AROUND 1024u

/* Returns the start of offset's line, or a place in the line that is far enough before offset and surely begins a cluster. */
static uint32_t start_around(const hx_source *src, uint32_t first, uint32_t offset) {
  const char *p = src->text.p;
  uint32_t at = offset;
  while (at > first && offset - at < AROUND && p[at - 1] != '\n') at--;
  if (at == first || p[at - 1] == '\n') return at;
  for (uint32_t to = offset - at < 2 ? at : offset - 1; at < to && ((unsigned char)p[at - 1] | (unsigned char)p[at]) & 0x80;) at++;
  return at;
}

/* Returns the end of the line, after its newline, or a place far enough after offset. */
static uint32_t stop_around(const hx_source *src, uint32_t last, uint32_t offset) {
  uint32_t most = last - offset < AROUND ? last : offset + AROUND, end = line_end(src, offset, most);
  return end < most ? end + 1 : most;
}

hx_source *hx_source_plain(hx_cx *cx, const hx_source *src, hx_range *subject, hx_range *context) {
  *subject = hx_source_written(src, *subject);
  *context = hx_source_written(src, *context);
  const hx_section *s = src->nsections ? find_section(src, subject->start) : NULL;
  uint32_t first = s ? s->at : 0, last = s ? s->stop : src->text.len;
  hx_range all = { subject->start < context->start ? subject->start : context->start,
                   subject->stop > context->stop ? subject->stop : context->stop };
  all.start = start_around(src, first, all.start < first ? first : all.start < last ? all.start : last);
  all.stop = stop_around(src, last, all.stop < last ? all.stop : last);
  hx_charge_memory(cx, all.stop - all.start);
  hx_charge_steps(cx, (all.start - first) >> 8); /* computing the position counts the lines before it */
  hx_pos pos = hx_source_pos(cx, (hx_source *)(uintptr_t)src, all.start);
  hx_str text = hx_str_of(src->text.p + all.start, all.stop - all.start);
  hx_source *copy = hx_source_new(cx, text, s ? s->name : src->name, pos.line, pos.column);
  copy->byte = pos.byte;
  copy->json = src->json;
  *subject = moved(*subject, all.start, copy->text.len);
  *context = moved(*context, all.start, copy->text.len);
  return copy;
}

uint32_t hx_source_near(hx_cx *cx, hx_source *src, uint32_t offset) {
  return find_place(cx, src, offset).offset;
}

/* Returns offset's line by the table of places. A long line has places in it, and the table also has the start of the next line. */
static hx_range line_by_places(const hx_source *src, uint32_t offset) {
  const hx_places *places = &src->places;
  uint32_t line = places->p[place_before(places, offset)].line, first = first_of_line(places, line), next;
  hx_place at = find_among(src, places, 0, offset);
  bool is_long = first + 1 < places->n && places->p[first + 1].line == line;
  if (at.line != line) return hx_range_of(at.offset, line_end(src, offset, src->text.len));
  if (!is_long) return hx_range_of(places->p[first].offset, line_end(src, offset, src->text.len));
  next = first_of_line(places, line + 1);
  return hx_range_of(places->p[first].offset, next < places->n ? places->p[next].offset - 1 : src->text.len);
}

hx_range hx_source_line(hx_cx *cx, hx_source *src, uint32_t offset) {
  uint32_t first = text_start(src), start, end;
  if (offset > src->text.len) offset = src->text.len;
  if (offset < first) offset = first;
  if (has_places(cx, src)) {
    hx_range line = line_by_places(src, offset);
    start = line.start;
    end = line.stop;
  } else {
    for (start = offset; start > first && src->text.p[start - 1] != '\n'; start--) continue;
    end = line_end(src, offset, src->text.len);
  }
  if (end > start && src->text.p[end - 1] == '\r') end--;
  return hx_range_of(start, end);
}
