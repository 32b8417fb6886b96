/* source.h: a source text and the places in it.
** Text that stands in the source with escapes (a template in a JSON string) can be given places of its own, behind those of the
** source: offsets from hx_source_extend on. Such a place is shown as the reference shows it, which doesn't know of the escapes:
** as far behind the start of the text as if they weren't there.
** Memory: hx_source_new copies the text and the name into cx->arena (the program's); the table of places is made there when that
**   same activity first asks for a position. Other activities (evaluations, which end sooner) use the table if there is one and
**   count otherwise; they allocate nothing.
** Errors: none but memory. Any bytes are a source. */
#ifndef HX_TEXT_SOURCE_H
#define HX_TEXT_SOURCE_H

#include "base/cx.h"

/* A place whose line and column are known, both from 0. */
typedef struct hx_place {
  uint32_t offset, line, column;
} hx_place;

/* Some of the places that lines begin at, and places within long lines, in order; made when first needed. They lie so far apart that they
** take less memory than the text. */
typedef struct hx_places {
  hx_place *p;
  uint32_t n;
} hx_places;

typedef struct hx_source {
  hx_str text;
  hx_str name;           /* file name; empty where none was given */
  uint32_t line, column; /* of the first byte, from 1 */
  uint64_t byte;         /* added to every byte offset shown */
  hx_places places;
  const hx_cx *owner;      /* the activity that may make the tables */
  bool json;               /* columns are counted as in JSON files: see hx_source_pos */
  bool literal;            /* of a JSON file: its strings are plain text, not templates */
  struct hx_piece *pieces; /* what was appended by hx_source_extend; text.p holds it behind text.len */
  uint32_t npieces, pieces_cap;
  uint32_t held, room; /* bytes at text.p: in use, at most; held == 0: text.len of both */
} hx_source;

/* A piece of decoded text. */
typedef struct hx_piece {
  uint32_t at, len; /* its place */
  uint32_t origin;  /* the source's byte that it begins with */
  hx_places places; /* of a long one */
} hx_piece;

/* A place as people read it. Columns count grapheme clusters, from 1. */
typedef struct hx_pos {
  uint32_t line, column;
  uint64_t byte;
} hx_pos;

hx_source *hx_source_new(hx_cx *cx, hx_str text, hx_str name, uint32_t line, uint32_t column);
/* Any offset counts: those behind the end are that many columns behind it. In a JSON source a tab is two columns wide, a carriage
** return none, and a byte order mark is a character like others (reference: its JSON scanner). */
hx_pos hx_source_pos(hx_cx *cx, hx_source *src, uint32_t offset);
/* Appends decoded text, which begins at byte `origin` of the source: its place, where it may be parsed. src->text.p may move. */
hx_range hx_source_extend(hx_cx *cx, hx_source *src, hx_str text, uint32_t origin);
/* Where in the source itself a stretch is written that may be of a piece: for showing it. */
hx_range hx_source_written(const hx_source *src, hx_range at);
/* Where a character begins in the line of offset: the line's start, or if that is far before it, a place nearer. */
uint32_t hx_source_near(hx_cx *cx, hx_source *src, uint32_t offset);
/* The whole line that holds offset, without its newline. */
hx_range hx_source_line(hx_cx *cx, hx_source *src, uint32_t offset);

#endif
