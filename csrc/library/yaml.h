/* yaml.h: libyaml's events. Only yaml.c uses libyaml.
** Memory: readers and writers are in the caller's memory; libyaml's own is malloc's, and closing frees it. Texts of events are borrowed
**   until the next event is read.
** Errors: reported by the result. */
#ifndef HX_LIBRARY_YAML_H
#define HX_LIBRARY_YAML_H

#include "base/str.h"

typedef enum hx_yaml_kind {
  HX_YAML_STREAM_END,
  HX_YAML_DOCUMENT_START,
  HX_YAML_DOCUMENT_END,
  HX_YAML_SCALAR,
  HX_YAML_ALIAS, /* anchor: that of the target */
  HX_YAML_SEQUENCE,
  HX_YAML_SEQUENCE_END,
  HX_YAML_MAPPING,
  HX_YAML_MAPPING_END,
} hx_yaml_kind;

/* How a scalar is written. */
typedef enum hx_yaml_form {
  HX_YAML_FORM_PLAIN,
  HX_YAML_FORM_SINGLE,
  HX_YAML_FORM_DOUBLE,
  HX_YAML_FORM_LITERAL,
  HX_YAML_FORM_FOLDED,
} hx_yaml_form;

typedef struct hx_yaml_parsed {
  hx_yaml_kind kind;
  hx_yaml_form form;        /* of a scalar */
  bool implicit;            /* the scalar's type follows from its text: it is plain without a tag, or has the tag ! */
  bool flow;                /* a sequence or mapping in brackets */
  const char *tag, *anchor; /* NULL if missing; tags are written in full: "tag:yaml.org,2002:int" */
  hx_str text;              /* of a scalar */
  size_t start, stop;       /* counted in characters, without a byte order mark */
  size_t line;              /* from 0 */
  int major, minor;         /* the YAML version that a document states; 0.0: none */
} hx_yaml_parsed;

typedef struct hx_yaml_problem {
  bool memory;      /* memory ran out; if not, the other fields say what is wrong */
  bool bytes;       /* the bytes are wrong, at offset `at`; if false, the text is wrong, in line `at`, from 0 */
  const char *text; /* NULL: the library gives no reason */
  size_t at;
} hx_yaml_problem;

typedef struct hx_yaml_library {
  size_t reader_size, writer_size;
  /* Opens a reader of text, which must be well-formed UTF-8. Returns false without memory; then don't close the reader. */
  bool (*open_reader)(void *reader, hx_str text);
  /* Reads the next event, but skips the start of the stream. Returns false if something is wrong, which *problem describes. */
  bool (*next)(void *reader, hx_yaml_parsed *event, hx_yaml_problem *problem);
  void (*close_reader)(void *reader);
  /* Opens a writer. `take` receives the output, and returns 0 if memory runs out. Returns false without memory; then don't close the
  ** writer. */
  bool (*open_writer)(void *writer, int (*take)(void *ud, unsigned char *bytes, size_t n), void *ud);
  /* `begin` begins the stream and its only document; `put` writes an event. They return false if memory runs out. No well-formed event
  ** is rejected. */
  bool (*begin)(void *writer);
  bool (*put)(void *writer, hx_yaml_kind kind, hx_str text, hx_yaml_form form);
  void (*close_writer)(void *writer);
} hx_yaml_library;

extern HX_EXPORT const hx_yaml_library hx_library_yaml;

#endif
