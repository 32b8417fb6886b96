/* yaml.c: reads and writes YAML by libyaml. */
#include "library/yaml.h"

#include <yaml.h>

/* Reading */

typedef struct yaml_reader {
  yaml_parser_t parser;
  yaml_event_t event; /* the last event; its texts are lent to the caller */
} yaml_reader;

static bool open_reader(void *reader, hx_str text) {
  yaml_reader *r = reader;
  memset(&r->event, 0, sizeof r->event);
  if (!yaml_parser_initialize(&r->parser)) return false;
  yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.p, text.len);
  return true;
}

static void close_reader(void *reader) {
  yaml_reader *r = reader;
  yaml_event_delete(&r->event);
  yaml_parser_delete(&r->parser);
}

static bool fail(const yaml_parser_t *p, hx_yaml_problem *problem) {
  problem->memory = p->error == YAML_MEMORY_ERROR;
  problem->bytes = p->error == YAML_READER_ERROR;
  problem->text = p->problem;
  problem->at = problem->bytes ? p->problem_offset : p->problem_mark.line;
  return false;
}

/* Returns our kind for a type of event. libyaml's NO_EVENT and STREAM_START don't arrive here. */
static hx_yaml_kind kind_of(yaml_event_type_t type) {
  switch (type) {
    case YAML_DOCUMENT_START_EVENT: return HX_YAML_DOCUMENT_START;
    case YAML_DOCUMENT_END_EVENT: return HX_YAML_DOCUMENT_END;
    case YAML_ALIAS_EVENT: return HX_YAML_ALIAS;
    case YAML_SCALAR_EVENT: return HX_YAML_SCALAR;
    case YAML_SEQUENCE_START_EVENT: return HX_YAML_SEQUENCE;
    case YAML_SEQUENCE_END_EVENT: return HX_YAML_SEQUENCE_END;
    case YAML_MAPPING_START_EVENT: return HX_YAML_MAPPING;
    case YAML_MAPPING_END_EVENT: return HX_YAML_MAPPING_END;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: break;
  }
  return HX_YAML_STREAM_END;
}

static hx_yaml_form form_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return HX_YAML_FORM_SINGLE;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return HX_YAML_FORM_DOUBLE;
    case YAML_LITERAL_SCALAR_STYLE: return HX_YAML_FORM_LITERAL;
    case YAML_FOLDED_SCALAR_STYLE: return HX_YAML_FORM_FOLDED;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE: break;
  }
  return HX_YAML_FORM_PLAIN;
}

static void take_event(const yaml_event_t *e, hx_yaml_parsed *event) {
  const yaml_version_directive_t *version = NULL;
  *event = (hx_yaml_parsed){ .kind = kind_of(e->type), .text = HX_STR("") };
  event->start = e->start_mark.index;
  event->stop = e->end_mark.index;
  event->line = e->start_mark.line;
  if (e->type == YAML_DOCUMENT_START_EVENT) version = e->data.document_start.version_directive;
  if (version) event->major = version->major, event->minor = version->minor;
  if (e->type == YAML_ALIAS_EVENT) event->anchor = (const char *)e->data.alias.anchor;
  if (e->type == YAML_SCALAR_EVENT) {
    event->form = form_of(e->data.scalar.style);
    event->implicit = e->data.scalar.plain_implicit;
    event->tag = (const char *)e->data.scalar.tag;
    event->anchor = (const char *)e->data.scalar.anchor;
    event->text = hx_str_of((const char *)e->data.scalar.value, e->data.scalar.length);
  }
  if (e->type == YAML_SEQUENCE_START_EVENT) {
    event->flow = e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    event->tag = (const char *)e->data.sequence_start.tag;
    event->anchor = (const char *)e->data.sequence_start.anchor;
  }
  if (e->type == YAML_MAPPING_START_EVENT) {
    event->flow = e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    event->tag = (const char *)e->data.mapping_start.tag;
    event->anchor = (const char *)e->data.mapping_start.anchor;
  }
}

static bool next(void *reader, hx_yaml_parsed *event, hx_yaml_problem *problem) {
  yaml_reader *r = reader;
  do {
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event)) return fail(&r->parser, problem);
  } while (r->event.type == YAML_STREAM_START_EVENT);
  take_event(&r->event, event);
  return true;
}

/* Writing */

static bool open_writer(void *writer, int (*take)(void *ud, unsigned char *bytes, size_t n), void *ud) {
  yaml_emitter_t *w = writer;
  if (!yaml_emitter_initialize(w)) return false;
  yaml_emitter_set_output(w, take, ud);
  yaml_emitter_set_unicode(w, 1);
  return true;
}

static void close_writer(void *writer) {
  yaml_emitter_delete(writer);
}

/* Emits an event if it could be made. libyaml then frees the event, even if emitting fails. */
static bool emit(yaml_emitter_t *w, int made, yaml_event_t *event) {
  return made && yaml_emitter_emit(w, event);
}

static bool begin(void *writer) {
  yaml_event_t e;
  return emit(writer, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING), &e) &&
         emit(writer, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, 1), &e);
}

static const yaml_scalar_style_t styles[] = {
  [HX_YAML_FORM_PLAIN] = YAML_PLAIN_SCALAR_STYLE,          [HX_YAML_FORM_SINGLE] = YAML_SINGLE_QUOTED_SCALAR_STYLE,
  [HX_YAML_FORM_DOUBLE] = YAML_DOUBLE_QUOTED_SCALAR_STYLE, [HX_YAML_FORM_LITERAL] = YAML_LITERAL_SCALAR_STYLE,
  [HX_YAML_FORM_FOLDED] = YAML_FOLDED_SCALAR_STYLE,
};

static int make_event(yaml_event_t *e, hx_yaml_kind kind, hx_str text, hx_yaml_form form) {
  switch (kind) {
    case HX_YAML_SCALAR:
      return yaml_scalar_event_initialize(e, NULL, NULL, (const yaml_char_t *)text.p, (int)text.len, 1, 1, styles[form]);
    case HX_YAML_SEQUENCE: return yaml_sequence_start_event_initialize(e, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE);
    case HX_YAML_SEQUENCE_END: return yaml_sequence_end_event_initialize(e);
    case HX_YAML_MAPPING: return yaml_mapping_start_event_initialize(e, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE);
    case HX_YAML_MAPPING_END: return yaml_mapping_end_event_initialize(e);
    case HX_YAML_DOCUMENT_END: return yaml_document_end_event_initialize(e, 1);
    case HX_YAML_STREAM_END: return yaml_stream_end_event_initialize(e);
    case HX_YAML_DOCUMENT_START:
    case HX_YAML_ALIAS: break;
  }
  HX_UNREACHABLE();
  return 0;
}

static bool put(void *writer, hx_yaml_kind kind, hx_str text, hx_yaml_form form) {
  yaml_event_t e;
  return emit(writer, make_event(&e, kind, text, form), &e);
}

const hx_yaml_library hx_library_yaml = {
  sizeof(yaml_reader), sizeof(yaml_emitter_t), open_reader, next, close_reader, open_writer, begin, put, close_writer,
};
