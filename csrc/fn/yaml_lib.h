/* yaml_lib.h: YAML's syntax: text to events and events to text. yaml_lib.c is the only file that knows libyaml; without
** HX_HAS_YAML it is empty.
** Memory: handles live in cx->scratch and end when it is released below the mark that was taken before them; libyaml's own memory
**   ends with them. Texts of events are borrowed until the next event is read.
** Errors: malformed text is the reader's error, nothing is reported. No memory and limits abort, never inside of libyaml. */
#ifndef HX_FN_YAML_LIB_H
#define HX_FN_YAML_LIB_H

#include "base/buf.h"

typedef enum hx_yaml_kind {
  HX_YAML_STREAM_END,
  HX_YAML_DOCUMENT_START,
  HX_YAML_DOCUMENT_END,
  HX_YAML_SCALAR,
  HX_YAML_ALIAS, /* anchor: whose */
  HX_YAML_SEQUENCE,
  HX_YAML_SEQUENCE_END,
  HX_YAML_MAPPING,
  HX_YAML_MAPPING_END,
} hx_yaml_kind;

typedef enum hx_yaml_style {
  HX_YAML_PLAIN, /* and whatever else the tag ! says to read as if it were */
  HX_YAML_QUOTED,
  HX_YAML_BLOCK, /* literal or folded; and plain with another tag */
} hx_yaml_style;

typedef struct hx_yaml_event {
  hx_yaml_kind kind;
  hx_yaml_style style; /* scalars */
  hx_str tag, anchor;  /* empty: none; tags are written out: "tag:yaml.org,2002:int" */
  hx_str text;         /* scalars */
  uint32_t line;       /* from 1 */
} hx_yaml_event;

typedef struct hx_yaml_reader hx_yaml_reader;
typedef struct hx_yaml_writer hx_yaml_writer;

/* A reader of text, which is well-formed UTF-8 and stays as long. */
hx_yaml_reader *hx_yaml_reader_new(hx_cx *cx, hx_str text);
/* The next event; the stream's start is read over. False: the text is no YAML, as *why tells (in cx->arena). */
bool hx_yaml_next(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why);

/* A writer of one document in block style, lines of about 80 columns. */
hx_yaml_writer *hx_yaml_writer_new(hx_cx *cx);
/* One event after the other; room: bytes that it may become, at most. Ends of sequences and mappings have no text. Plain: the
** text as it is; quoted: double quotes; block: literal, where YAML allows it. */
void hx_yaml_put(hx_yaml_writer *w, hx_yaml_kind kind, hx_str text, hx_yaml_style style, uint64_t room);
/* Ends the document: its text, in cx->arena. */
hx_str hx_yaml_done(hx_yaml_writer *w);

#endif
