/* yaml_lib.c: libyaml, which calls malloc: its handles are freed with the scratch arena, and nothing aborts inside of it. */
#include "fn/yaml_lib.h"

#ifdef HX_HAS_YAML

#include <yaml.h>

/* Reading */

struct hx_yaml_reader {
  hx_cx *cx;
  hx_str text;
  yaml_parser_t parser;
  yaml_event_t event;  /* the one whose texts are lent out */
  uint32_t byte, mark; /* where in the text the character number `mark` stands */
  uint32_t flow;       /* flow collections that are open: inside of one all are */
  bool slashes;        /* is there any \/ in the text? */
  uint32_t handles;    /* lines that may declare a handle for tags */
};

static void free_reader(void *p) {
  hx_yaml_reader *r = p;
  yaml_event_delete(&r->event);
  yaml_parser_delete(&r->parser);
}

static bool has_slash_escape(hx_str s) {
  for (uint32_t i = 0; i + 1 < s.len; i++)
    if (s.p[i] == '\\' && s.p[i + 1] == '/') return true;
  return false;
}

/* Steps for an event, beside one for so many bytes of the text. */
#define EVENT_STEPS 4u
#define STEP_BYTES 8u
/* At each token libyaml looks at every flow collection that is open. */
#define OPEN_A_STEP 16u
#define AHEAD_MAX 1024u
/* Steps for an event that is written, beside those for bytes. */
#define PUT_STEPS 2u

/* libyaml looks at each handle for every other one and for every tag: their number is charged for before. */
static uint32_t count_handles(hx_str s) {
  static const char directive[] = "%TAG";
  const uint32_t len = sizeof directive - 1;
  uint32_t n = 0;
  for (uint32_t i = 0; i + len <= s.len; i++)
    if (s.p[i] == '%' && memcmp(s.p + i, directive, len) == 0) n++;
  return n;
}

/* What may be the key of a mapping libyaml reads to the end of its line, or for 1024 characters, before it gives an event: collections
** that begin there are open, too, and it looks at each of them for each token. As many looks as that may come to. */
static uint64_t count_looks(hx_str s) {
  uint64_t looks = 0;
  uint32_t open = 0;
  for (uint32_t i = 0; i < s.len; i++) {
    switch (s.p[i]) {
      case '[':
      case '{': open += open < AHEAD_MAX; break;
      case ']':
      case '}': open -= open > 0; break;
      case '\n': open = 0; break;
      case ',':
      case ':':
      case '?': break;
      default: continue;
    }
    looks += open;
  }
  return looks;
}

/* libyaml counts characters from behind a byte order mark. */
static uint32_t after_bom(hx_str s) {
  return s.len >= 3 && memcmp(s.p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

hx_yaml_reader *hx_yaml_reader_new(hx_cx *cx, hx_str text) {
  hx_yaml_reader *r = hx_arena_alloc(&cx->scratch, sizeof *r);
  if (text.len == 0) text = HX_STR("\n"); /* libyaml wants an address */
  r->cx = cx;
  r->text = text;
  r->byte = after_bom(text);
  r->mark = r->flow = 0;
  r->slashes = has_slash_escape(text);
  r->handles = count_handles(text);
  hx_charge_steps(cx, text.len / STEP_BYTES + (uint64_t)r->handles * r->handles / 16 + count_looks(text) / OPEN_A_STEP);
  memset(&r->event, 0, sizeof r->event);
  if (!yaml_parser_initialize(&r->parser)) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, free_reader, r);
  yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.p, text.len);
  return r;
}

static hx_str text_of(const yaml_char_t *s) {
  return s ? hx_str_c((const char *)s) : HX_STR("");
}

static bool syntax_error(hx_yaml_reader *r, hx_str *why) {
  const yaml_parser_t *p = &r->parser;
  if (p->error == YAML_MEMORY_ERROR) hx_abort(r->cx, HX_WHY_NO_MEMORY);
  const char *problem = p->problem ? p->problem : "the syntax is broken";
  if (p->error == YAML_READER_ERROR) *why = hx_strf(r->cx, "at byte %u: %s", (uint32_t)p->problem_offset, problem);
  else *why = hx_strf(r->cx, "line %u: %s", (uint32_t)p->problem_mark.line + 1, problem);
  return false;
}

/* Byte offset of character number `mark`; asked for in rising order, so that the text is walked over once. */
static uint32_t byte_of(hx_yaml_reader *r, size_t mark) {
  while (r->mark < mark && r->byte < r->text.len) {
    do r->byte++;
    while (r->byte < r->text.len && ((unsigned char)r->text.p[r->byte] & 0xC0) == 0x80);
    r->mark++;
  }
  return r->byte;
}

/* What came with YAML 1.2 libyaml knows, the reference doesn't: \/ in double quotes, ? in plain scalars of flow collections, a tag
** that ends at a comma, and the directive that says 1.2. */
static bool escapes_slash(hx_yaml_reader *r) {
  uint32_t from = byte_of(r, r->event.start_mark.index), to = byte_of(r, r->event.end_mark.index);
  for (uint32_t i = from; i + 1 < to; i++) {
    if (r->text.p[i] != '\\') continue;
    i++;
    if (r->text.p[i] == '/') return true;
  }
  return false;
}

/* Of a scalar that is nothing but its tag and anchor: does the tag come last, right before a comma? */
static bool tag_meets_comma(hx_yaml_reader *r) {
  uint32_t from = byte_of(r, r->event.start_mark.index), at = byte_of(r, r->event.end_mark.index);
  if (at >= r->text.len || r->text.p[at] != ',') return false;
  while (at > from && !strchr(" \t\r\n", r->text.p[at - 1])) at--;
  return r->text.p[at] == '!';
}

static bool take_scalar(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why) {
  const yaml_event_t *e = &r->event;
  yaml_scalar_style_t style = e->data.scalar.style;
  event->kind = HX_YAML_SCALAR;
  event->tag = text_of(e->data.scalar.tag);
  event->anchor = text_of(e->data.scalar.anchor);
  event->text = hx_str_of((const char *)e->data.scalar.value, e->data.scalar.length);
  event->style = e->data.scalar.plain_implicit ? HX_YAML_PLAIN : HX_YAML_BLOCK; /* the tag ! makes a block as good as plain */
  if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE) event->style = HX_YAML_QUOTED;
  if (style == YAML_PLAIN_SCALAR_STYLE && r->flow && memchr(event->text.p, '?', event->text.len)) {
    *why = hx_strf(r->cx, "line %u: a ? inside of [] or {} must stand in quotes", event->line);
    return false;
  }
  if (style == YAML_PLAIN_SCALAR_STYLE && r->flow && event->text.len == 0 && event->tag.len && tag_meets_comma(r)) {
    *why = hx_strf(r->cx, "line %u: a tag must be followed by a space, also where a comma comes next", event->line);
    return false;
  }
  if (style != YAML_DOUBLE_QUOTED_SCALAR_STYLE) return true;
  event->style = HX_YAML_QUOTED;
  if (!r->slashes || !escapes_slash(r)) return true;
  *why = hx_strf(r->cx, "line %u: \\/ is no escape here; write / alone", event->line);
  return false;
}

/* Our kind of an event; the three that begin or end nothing of ours never come here. */
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

static void take_collection(hx_yaml_reader *r, hx_yaml_event *event) {
  const yaml_event_t *e = &r->event;
  bool end = event->kind == HX_YAML_SEQUENCE_END || event->kind == HX_YAML_MAPPING_END, flow = r->flow > 0;
  if (event->kind == HX_YAML_SEQUENCE) {
    event->tag = text_of(e->data.sequence_start.tag);
    event->anchor = text_of(e->data.sequence_start.anchor);
    flow = e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
  } else if (event->kind == HX_YAML_MAPPING) {
    event->tag = text_of(e->data.mapping_start.tag);
    event->anchor = text_of(e->data.mapping_start.anchor);
    flow = e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
  } else if (!end) {
    return;
  }
  if (!flow) return;
  if (end) r->flow--;
  else r->flow++;
}

static bool check_version(hx_yaml_reader *r, const hx_yaml_event *event, hx_str *why) {
  const yaml_version_directive_t *version = r->event.data.document_start.version_directive;
  if (!version || (version->major == 1 && version->minor == 1)) return true;
  *why = hx_strf(r->cx, "line %u: the document says that it is YAML %d.%d, and only 1.1 is read; leave the directive out",
                 event->line, version->major, version->minor);
  return false;
}

bool hx_yaml_next(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why) {
  yaml_event_t *e = &r->event;
  do {
    hx_charge_steps(r->cx, EVENT_STEPS + r->handles / 16 + r->flow / OPEN_A_STEP);
    yaml_event_delete(e);
    if (!yaml_parser_parse(&r->parser, e)) return syntax_error(r, why);
  } while (e->type == YAML_STREAM_START_EVENT);
  *event = (hx_yaml_event){ .kind = kind_of(e->type), .line = (uint32_t)e->start_mark.line + 1 };
  event->tag = event->anchor = event->text = HX_STR("");
  if (event->kind == HX_YAML_SCALAR) return take_scalar(r, event, why);
  if (event->kind == HX_YAML_ALIAS) event->anchor = text_of(e->data.alias.anchor);
  if (event->kind == HX_YAML_DOCUMENT_START) return check_version(r, event, why);
  take_collection(r, event);
  return true;
}

/* Writing */

struct hx_yaml_writer {
  hx_cx *cx;
  yaml_emitter_t emitter;
  char *p; /* what libyaml gave so far, in memory that may fail without an abort */
  size_t len, cap, charged;
};

static void free_writer(void *p) {
  hx_yaml_writer *w = p;
  yaml_emitter_delete(&w->emitter);
  hx_raw_free(w->p);
}

/* Called by libyaml: what goes wrong is an error code here, and an abort after it has returned. */
static int take_bytes(void *ud, unsigned char *bytes, size_t n) {
  hx_yaml_writer *w = ud;
  if (n > w->cap - w->len) {
    size_t cap = w->cap * 2 + n;
    char *more = hx_raw_alloc(cap);
    if (!more) return 0;
    if (w->len) memcpy(more, w->p, w->len);
    hx_raw_free(w->p);
    w->p = more;
    w->cap = cap;
  }
  memcpy(w->p + w->len, bytes, n);
  w->len += n;
  return 1;
}

/* libyaml takes the event over, made or not. It refuses none that is well-formed, so what fails is memory. */
static void emit(hx_yaml_writer *w, int made, yaml_event_t *event) {
  if (!made || !yaml_emitter_emit(&w->emitter, event)) hx_abort(w->cx, HX_WHY_NO_MEMORY);
  hx_charge_memory(w->cx, w->len - w->charged);
  w->charged = w->len;
}

hx_yaml_writer *hx_yaml_writer_new(hx_cx *cx) {
  hx_yaml_writer *w = hx_arena_alloc(&cx->scratch, sizeof *w);
  *w = (hx_yaml_writer){ .cx = cx };
  if (!yaml_emitter_initialize(&w->emitter)) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, free_writer, w);
  yaml_emitter_set_output(&w->emitter, take_bytes, w);
  yaml_emitter_set_unicode(&w->emitter, 1);
  yaml_event_t e;
  emit(w, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING), &e);
  emit(w, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, 1), &e);
  return w;
}

static const yaml_scalar_style_t styles[] = {
  [HX_YAML_PLAIN] = YAML_PLAIN_SCALAR_STYLE,
  [HX_YAML_QUOTED] = YAML_DOUBLE_QUOTED_SCALAR_STYLE,
  [HX_YAML_BLOCK] = YAML_LITERAL_SCALAR_STYLE,
};

static int make_event(yaml_event_t *e, hx_yaml_kind kind, hx_str text, hx_yaml_style style) {
  switch (kind) {
    case HX_YAML_SCALAR:
      return yaml_scalar_event_initialize(e, NULL, NULL, (const yaml_char_t *)text.p, (int)text.len, 1, 1, styles[style]);
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

void hx_yaml_put(hx_yaml_writer *w, hx_yaml_kind kind, hx_str text, hx_yaml_style style, uint64_t room) {
  if (room > w->cx->memory_left || text.len > INT32_MAX) hx_abort(w->cx, HX_WHY_MEMORY);
  hx_charge_steps(w->cx, PUT_STEPS + text.len / STEP_BYTES);
  yaml_event_t e;
  emit(w, make_event(&e, kind, text, style), &e);
}

hx_str hx_yaml_done(hx_yaml_writer *w) {
  hx_yaml_put(w, HX_YAML_DOCUMENT_END, HX_STR(""), HX_YAML_PLAIN, 0);
  hx_yaml_put(w, HX_YAML_STREAM_END, HX_STR(""), HX_YAML_PLAIN, 0);
  if (w->len > UINT32_MAX) hx_abort(w->cx, HX_WHY_MEMORY);
  return hx_str_copy(w->cx, hx_str_of(w->p, w->len));
}

#else
/* A translation unit must hold something. */
typedef int yaml_is_not_built;
#endif
