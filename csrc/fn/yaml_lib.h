/* yaml_lib.h: YAML's syntax: reads events from text and writes events as text. This file knows what libyaml costs and what the reference
** rejects; library/yaml.c knows libyaml itself.
** Memory: handles live in cx->scratch, and end with libyaml's own memory when scratch is released below the mark taken before them. Texts
**   of events are borrowed until the next event is read.
** Errors: malformed text is the reader's error; nothing is reported. Lack of memory and limits abort, never inside libyaml. */
#ifndef HX_FN_YAML_LIB_H
#define HX_FN_YAML_LIB_H

#include "base/buf.h"
#include "library/yaml.h"

typedef enum hx_yaml_style {
  HX_YAML_PLAIN, /* also text that the tag ! makes a plain scalar */
  HX_YAML_QUOTED,
  HX_YAML_BLOCK, /* literal or folded; also plain with another tag */
} hx_yaml_style;

typedef struct hx_yaml_event {
  hx_yaml_kind kind;
  hx_yaml_style style; /* only for scalars */
  hx_str tag, anchor;  /* empty: no tag; tags are written in full: "tag:yaml.org,2002:int" */
  hx_str text;         /* only for scalars */
  uint32_t line;       /* from 1 */
} hx_yaml_event;

typedef struct hx_yaml_reader hx_yaml_reader;
typedef struct hx_yaml_writer hx_yaml_writer;

/* Returns libyaml's functions, or NULL if libyaml isn't available. Then the other functions must not be called. */
const hx_yaml_library *hx_yaml_get(void);

/* Makes a reader of text, which must be well-formed UTF-8 and outlive the reader. */
hx_yaml_reader *hx_yaml_reader_new(hx_cx *cx, hx_str text);
/* Reads the next event, and skips the start of the stream. Returns false if the text is not YAML; *why has the reason (in cx->arena). */
bool hx_yaml_next(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why);

/* Makes a writer of one document in block style, in lines of about 80 columns. */
hx_yaml_writer *hx_yaml_writer_new(hx_cx *cx);
/* Writes an event. room: the most bytes that its output may take. Ends of sequences and mappings have no text. Plain: the text as it is;
** quoted: in double quotes; block: literal, if YAML allows that. */
void hx_yaml_put(hx_yaml_writer *w, hx_yaml_kind kind, hx_str text, hx_yaml_style style, uint64_t room);
/* Ends the document; returns its text, in cx->arena. */
hx_str hx_yaml_done(hx_yaml_writer *w);

#endif
