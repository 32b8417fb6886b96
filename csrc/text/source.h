/* source.h: a source text and the places in it.
** A template in a JSON string has escapes, so its decoded text is appended to the source as a piece (hx_source_extend). Offsets in a piece
** come after those of the source. A place in a piece is shown where the reference shows it: as far after the start of the string as if
** there were no escapes.
** The texts of several files can be one source. Each is a section, and places in a section are shown as places in its file.
** Memory: hx_source_new copies the text and the name into cx->arena (the program's). The table of places is made there when that same
**   activity first asks for a position. Other activities (evaluations, which end sooner) use the table if it exists, and count otherwise;
**   they allocate nothing.
** Errors: memory only. Any bytes can be a source. */
#ifndef HX_TEXT_SOURCE_H
#define HX_TEXT_SOURCE_H

#include "base/cx.h"

/* A place with its line and column, both from 0. */
typedef struct hx_place {
  uint32_t offset, line, column;
} hx_place;

/* Starts of some lines, and places within long lines, in order; made when first needed. They are so far apart that the table takes less
** memory than the text. */
typedef struct hx_places {
  hx_place *p;
  uint32_t n;
} hx_places;

/* The text of one of several files. It begins at the start of a line. */
typedef struct hx_section {
  uint32_t at, stop; /* offsets of the file's first byte, and after its last one */
  uint32_t first;    /* the line of `at`, from 0, in the whole text */
  hx_str name;       /* this field and the next three: as in hx_source */
  uint32_t line, column;
  uint64_t byte;
} hx_section;

typedef struct hx_source {
  hx_str text;
  hx_str name;           /* file name, or empty */
  uint32_t line, column; /* the line (from 1) and column of the first byte */
  uint64_t byte;         /* added to every byte offset that is shown */
  hx_places places;
  const hx_cx *owner;      /* the activity that may make the tables */
  bool json;               /* columns count as in JSON files: see hx_source_pos */
  bool literal;            /* a JSON file whose strings are plain text, not templates */
  struct hx_piece *pieces; /* pieces appended by hx_source_extend; text.p holds them after text.len */
  uint32_t npieces, pieces_cap;
  const hx_section *sections; /* in order; NULL if the source is a single file */
  uint32_t nsections;
  uint32_t held, room; /* bytes at text.p: in use, and allocated; held == 0: both are text.len */
} hx_source;

/* Decoded text that was appended to a source. */
typedef struct hx_piece {
  uint32_t at, len; /* its offset and length in text.p */
  uint32_t origin;  /* the byte of the source at which it begins */
  hx_places places; /* only of a long piece */
} hx_piece;

/* A position as people read it. Columns count grapheme clusters, from 1. */
typedef struct hx_pos {
  uint32_t line, column;
  uint64_t byte;
} hx_pos;

hx_source *hx_source_new(hx_cx *cx, hx_str text, hx_str name, uint32_t line, uint32_t column);
/* Divides a source into the texts of several files. Copies the sections, and fills in `first`. */
void hx_source_divide(hx_cx *cx, hx_source *src, const hx_section *sections, uint32_t n);
/* Returns the offset of a byte in the file called `name`, counted as in hx_pos; text.len if the file is unknown. */
uint32_t hx_source_offset(const hx_source *src, hx_str name, uint64_t byte);
/* Returns the name of the file that contains an offset. */
hx_str hx_source_name(const hx_source *src, uint32_t offset);
/* Returns the position of any offset. Offsets after the end are at the end. In a JSON source they count as further columns, a tab has two
** columns, a carriage return none, and a byte order mark is an ordinary character (reference: its JSON scanner). */
hx_pos hx_source_pos(hx_cx *cx, hx_source *src, uint32_t offset);
/* Return "line 1, column 5" and "line 1" for messages, after the file's name if the source has several files. */
hx_str hx_source_place_text(hx_cx *cx, const hx_source *src, uint32_t offset);
hx_str hx_source_line_text(hx_cx *cx, const hx_source *src, uint32_t offset);
/* Copies the lines that contain two ranges of a file, or parts of these lines if they are long, as a source without sections and pieces.
** Both ranges become ranges of the copy. */
hx_source *hx_source_plain(hx_cx *cx, const hx_source *src, hx_range *subject, hx_range *context);
/* Appends decoded text, which begins at byte `origin` of the source. Returns its range, which may then be parsed. src->text.p may
** change. */
hx_range hx_source_extend(hx_cx *cx, hx_source *src, hx_str text, uint32_t origin);
/* Returns where a range that may be in a piece is written in the source itself. */
hx_range hx_source_written(const hx_source *src, hx_range at);
/* Returns a place in offset's line where a character begins: the start of the line or, if that is far away, a nearer place. */
uint32_t hx_source_near(hx_cx *cx, hx_source *src, uint32_t offset);
/* Returns the whole line that contains offset, without its newline. */
hx_range hx_source_line(hx_cx *cx, hx_source *src, uint32_t offset);

#endif
