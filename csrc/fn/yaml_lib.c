/* yaml_lib.c: see yaml_lib.h. libyaml uses malloc, so the scratch arena defers the end of its handles, and nothing aborts inside
** libyaml. */
#include "fn/yaml_lib.h"

#include "fn/text_search.h"
#include "library/library.h"

const hx_yaml_library *hx_yaml_get(void) {
  return hx_library_get(HX_LIBRARY_YAML);
}

/* Reading */

struct hx_yaml_reader {
  hx_cx *cx;
  hx_str text;
  const hx_yaml_library *yaml;
  void *parser;
  hx_yaml_parsed event;
  uint32_t byte, mark; /* the place in the text of the character with number `mark` */
  uint32_t flow;       /* number of open flow collections; all collections inside one are flow */
  bool slashes;        /* the text contains \/ */
  uint32_t handles;    /* number of lines that may declare a handle for tags */
};

/* The steps for an event, in addition to a step for each STEP_BYTES bytes of the text. */
#define EVENT_STEPS 4u
#define STEP_BYTES 8u
/* At each token libyaml examines every open flow collection. A step pays for OPEN_A_STEP examinations. */
#define OPEN_A_STEP 16u
#define AHEAD_MAX 1024u
/* The steps for an event that is written, in addition to those for its bytes. */
#define PUT_STEPS 2u

/* Returns the most examinations of open collections that the text can take. libyaml reads a possible key of a mapping to the end of
** its line, or for 1024 characters, before it returns an event. Collections that begin there are open, too, and libyaml examines
** each of them at each token. */
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

/* Returns the offset after a byte order mark, where libyaml begins to count characters. */
static uint32_t after_bom(hx_str s) {
  return s.len >= 3 && memcmp(s.p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

hx_yaml_reader *hx_yaml_reader_new(hx_cx *cx, hx_str text) {
  hx_yaml_reader *r = hx_arena_alloc(&cx->scratch, sizeof *r);
  if (text.len == 0) text = HX_STR("\n"); /* libyaml needs an address */
  r->cx = cx;
  r->text = text;
  r->byte = after_bom(text);
  r->mark = r->flow = 0;
  r->slashes = hx_find_text(text, HX_STR("\\/"), 0) < text.len;
  /* libyaml compares each handle with every other one and with every tag. */
  r->handles = hx_count_text(text, HX_STR("%TAG"));
  hx_charge_steps(cx, text.len / STEP_BYTES + (uint64_t)r->handles * r->handles / 16 + count_looks(text) / OPEN_A_STEP);
  r->yaml = hx_yaml_get();
  r->parser = hx_arena_alloc(&cx->scratch, r->yaml->reader_size);
  if (!r->yaml->open_reader(r->parser, text)) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, r->yaml->close_reader, r->parser);
  return r;
}

static hx_str text_of(const char *s) {
  return s ? hx_str_c(s) : HX_STR("");
}

static bool syntax_error(hx_yaml_reader *r, const hx_yaml_problem *problem, hx_str *why) {
  if (problem->memory) hx_abort(r->cx, HX_WHY_NO_MEMORY);
  const char *text = problem->text ? problem->text : "the syntax is broken";
  if (problem->bytes) *why = hx_strf(r->cx, "at byte %u: %s", (uint32_t)problem->at, text);
  else *why = hx_strf(r->cx, "line %u: %s", (uint32_t)problem->at + 1, text);
  return false;
}

/* Returns the byte offset of the character with number `mark`. Calls must come in rising order, so that the text is read once. */
static uint32_t byte_of(hx_yaml_reader *r, size_t mark) {
  while (r->mark < mark && r->byte < r->text.len) {
    do r->byte++;
    while (r->byte < r->text.len && ((unsigned char)r->text.p[r->byte] & 0xC0) == 0x80);
    r->mark++;
  }
  return r->byte;
}

/* Additions of YAML 1.2 that libyaml accepts and the reference rejects: \/ in double quotes, ? in plain scalars of flow collections, a tag
** that ends at a comma, and the directive that says 1.2. */
static bool escapes_slash(hx_yaml_reader *r) {
  uint32_t from = byte_of(r, r->event.start), to = byte_of(r, r->event.stop);
  for (uint32_t i = from; i + 1 < to; i++) {
    if (r->text.p[i] != '\\') continue;
    i++;
    if (r->text.p[i] == '/') return true;
  }
  return false;
}

/* Returns true if the tag of a scalar without text ends right before a comma. */
static bool tag_meets_comma(hx_yaml_reader *r) {
  uint32_t from = byte_of(r, r->event.start), at = byte_of(r, r->event.stop);
  if (at >= r->text.len || r->text.p[at] != ',') return false;
  while (at > from && !strchr(" \t\r\n", r->text.p[at - 1])) at--;
  return r->text.p[at] == '!';
}

static bool take_scalar(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why) {
  const hx_yaml_parsed *e = &r->event;
  event->text = e->text;
  event->style = e->implicit ? HX_YAML_PLAIN : HX_YAML_BLOCK; /* with the tag ! a block counts as plain */
  if (e->form == HX_YAML_FORM_SINGLE) event->style = HX_YAML_QUOTED;
  if (e->form == HX_YAML_FORM_PLAIN && r->flow && memchr(event->text.p, '?', event->text.len)) {
    *why = hx_strf(r->cx, "line %u: a ? inside of [] or {} needs quotes", event->line);
    return false;
  }
  if (e->form == HX_YAML_FORM_PLAIN && r->flow && event->text.len == 0 && event->tag.len && tag_meets_comma(r)) {
    *why = hx_strf(r->cx, "line %u: a tag must be followed by a space, also where a comma comes next", event->line);
    return false;
  }
  if (e->form != HX_YAML_FORM_DOUBLE) return true;
  event->style = HX_YAML_QUOTED;
  if (!r->slashes || !escapes_slash(r)) return true;
  *why = hx_strf(r->cx, "line %u: \\/ is not an escape here; write / alone", event->line);
  return false;
}

static void take_collection(hx_yaml_reader *r, hx_yaml_kind kind) {
  bool begins = kind == HX_YAML_SEQUENCE || kind == HX_YAML_MAPPING,
       ends = kind == HX_YAML_SEQUENCE_END || kind == HX_YAML_MAPPING_END;
  if (begins && r->event.flow) r->flow++;
  if (ends && r->flow) r->flow--; /* a collection that is open inside brackets has brackets itself */
}

static bool check_version(hx_yaml_reader *r, const hx_yaml_event *event, hx_str *why) {
  int major = r->event.major, minor = r->event.minor;
  if ((major == 0 && minor == 0) || (major == 1 && minor == 1)) return true;
  *why = hx_strf(r->cx, "line %u: the document says that it is YAML %d.%d, and only 1.1 is read; leave the directive out",
                 event->line, major, minor);
  return false;
}

bool hx_yaml_next(hx_yaml_reader *r, hx_yaml_event *event, hx_str *why) {
  const hx_yaml_parsed *e = &r->event;
  hx_yaml_problem problem;
  hx_charge_steps(r->cx, EVENT_STEPS + r->handles / 16 + r->flow / OPEN_A_STEP);
  if (!r->yaml->next(r->parser, &r->event, &problem)) return syntax_error(r, &problem, why);
  *event = (hx_yaml_event){ .kind = e->kind, .line = (uint32_t)e->line + 1, .text = HX_STR("") };
  event->tag = text_of(e->tag);
  event->anchor = text_of(e->anchor);
  if (event->kind == HX_YAML_SCALAR) return take_scalar(r, event, why);
  if (event->kind == HX_YAML_DOCUMENT_START) return check_version(r, event, why);
  take_collection(r, event->kind);
  return true;
}

/* Writing */

struct hx_yaml_writer {
  hx_cx *cx;
  const hx_yaml_library *yaml;
  void *emitter;
  char *p; /* libyaml's output so far, in memory whose allocation may fail without an abort */
  size_t len, cap, charged;
};

static void free_writer(void *p) {
  hx_yaml_writer *w = p;
  w->yaml->close_writer(w->emitter);
  hx_raw_free(w->p);
}

/* Receives libyaml's output. A failure is an error code here, and an abort after libyaml has returned. */
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

static void charge(hx_yaml_writer *w, bool written) {
  if (!written) hx_abort(w->cx, HX_WHY_NO_MEMORY);
  hx_charge_memory(w->cx, w->len - w->charged);
  w->charged = w->len;
}

hx_yaml_writer *hx_yaml_writer_new(hx_cx *cx) {
  const hx_yaml_library *yaml = hx_yaml_get();
  hx_yaml_writer *w = hx_arena_alloc(&cx->scratch, sizeof *w);
  *w = (hx_yaml_writer){ .cx = cx, .yaml = yaml, .emitter = hx_arena_alloc(&cx->scratch, yaml->writer_size) };
  if (!yaml->open_writer(w->emitter, take_bytes, w)) hx_abort(cx, HX_WHY_NO_MEMORY);
  hx_arena_defer(&cx->scratch, free_writer, w);
  charge(w, yaml->begin(w->emitter));
  return w;
}

static const hx_yaml_form forms[] = {
  [HX_YAML_PLAIN] = HX_YAML_FORM_PLAIN,
  [HX_YAML_QUOTED] = HX_YAML_FORM_DOUBLE,
  [HX_YAML_BLOCK] = HX_YAML_FORM_LITERAL,
};

void hx_yaml_put(hx_yaml_writer *w, hx_yaml_kind kind, hx_str text, hx_yaml_style style, uint64_t room) {
  if (room > w->cx->memory_left || text.len > INT32_MAX) hx_abort(w->cx, HX_WHY_MEMORY);
  hx_charge_steps(w->cx, PUT_STEPS + text.len / STEP_BYTES);
  charge(w, w->yaml->put(w->emitter, kind, text, forms[style]));
}

hx_str hx_yaml_done(hx_yaml_writer *w) {
  hx_yaml_put(w, HX_YAML_DOCUMENT_END, HX_STR(""), HX_YAML_PLAIN, 0);
  hx_yaml_put(w, HX_YAML_STREAM_END, HX_STR(""), HX_YAML_PLAIN, 0);
  if (w->len > UINT32_MAX) hx_abort(w->cx, HX_WHY_MEMORY);
  return hx_str_copy(w->cx, hx_str_of(w->p, w->len));
}
