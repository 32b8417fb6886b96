/* source.h: a source text and the places in it.
** Memory: hx_source_new copies the text and the name into cx->arena (the program's); the table of places is made there when that
**   same activity first asks for a position. Other activities (evaluations, which end sooner) use the table if there is one and
**   count otherwise; they allocate nothing.
** Errors: none but memory. Any bytes are a source. */
#ifndef HX_TEXT_SOURCE_H
#define HX_TEXT_SOURCE_H

#include "base/cx.h"

typedef struct hx_source {
  hx_str text;
  hx_str name;             /* file name; empty where none was given */
  uint32_t line, column;   /* of the first byte, from 1 */
  uint64_t byte;           /* added to every byte offset shown */
  struct hx_place *places; /* starts of lines and places within long ones, in order; made when first needed */
  uint32_t nplaces;
  const hx_cx *owner; /* the activity that may make the table */
} hx_source;

/* A place whose line and column are known, both from 0. */
typedef struct hx_place {
  uint32_t offset, line, column;
} hx_place;

/* A place as people read it. Columns count grapheme clusters, from 1. */
typedef struct hx_pos {
  uint32_t line, column;
  uint64_t byte;
} hx_pos;

hx_source *hx_source_new(hx_cx *cx, hx_str text, hx_str name, uint32_t line, uint32_t column);
hx_pos hx_source_pos(hx_cx *cx, hx_source *src, uint32_t offset);
/* The whole line that holds offset, without its newline. */
hx_range hx_source_line(hx_cx *cx, hx_source *src, uint32_t offset);

#endif
