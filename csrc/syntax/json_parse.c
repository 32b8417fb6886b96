/* json_parse.c: makes nodes from JSON tokens. The parser is a push-down machine with a stack of the open brackets. A mistake leaves a
** BROKEN node. After an error the parser continues where the reference does, because that decides which follow-up errors are reported. */
#include "syntax/json.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "syntax/json_scan.h"
#include "syntax/parse_state.h"
#include "text/suggest.h"
#include "text/unicode.h"

/* An open object or array. */
typedef struct level {
  hx_kids kids;
  bool object;
  bool at_name; /* of an object: the name of a property must follow */
} level;

typedef struct json_parser {
  hx_cx *cx;
  hx_source *src;
  hx_json_scanner scan;
  hx_json_token tok; /* the next token */
  uint32_t max_depth;
  bool stopped; /* a limit was reached: nothing more is read */
  uint32_t errors;
  HX_VEC(level) levels;
} json_parser;

/* Tokens and errors */

static hx_json_token take(json_parser *p) {
  hx_json_token t = p->tok;
  p->tok = hx_json_scan(&p->scan);
  return t;
}

static hx_range range_of(hx_json_token t) {
  return (hx_range){ t.start, t.stop };
}

static hx_str text_of(const json_parser *p, hx_json_token t) {
  return hx_str_of(p->scan.text + t.start, t.stop - t.start);
}

/* Reports an error. `what` is the argument of the row's detail, if it takes one. */
static hx_diag *wrong(json_parser *p, hx_diag_id id, hx_range at, hx_str what) {
  p->errors++;
  return hx_diag_add(p->cx, id, p->src, at, HX_STR_ARG(what));
}

/* Skips to the probable end of the open object or array. t is the last token read. As in the reference, the end of an object inside the
** object, or of an array inside the array, is taken for that end. */
static void recover(json_parser *p, hx_json_token t, hx_json_kind open, hx_json_kind close) {
  for (uint32_t depth = 1; t.kind != HX_JSON_END; t = take(p)) {
    if (t.kind == open) depth++;
    if (t.kind == close && --depth <= 1) return;
  }
}

/* Nodes */

static hx_node *new_node(json_parser *p, hx_ast_kind kind, hx_range at) {
  hx_node *n = HX_NEW(p->cx, hx_node);
  *n = (hx_node){ .kind = (uint8_t)kind, .flags = HX_AST_JSON, .start = at.start, .stop = at.stop, .u.kids.mark = at };
  return n;
}

static hx_node *broken(json_parser *p, hx_range at) {
  return new_node(p, HX_AST_BROKEN, at);
}

/* Scalars */

static const char *skip_digits(const char *p, const char *end) {
  while (p < end && hx_is_digit(*p)) p++;
  return p;
}

/* Returns true if s is a number by JSON's grammar. */
static bool is_number(hx_str s) {
  const char *p = s.p, *end = s.p + s.len;
  if (p < end && *p == '-') p++;
  if (p == end || !hx_is_digit(*p)) return false;
  p = *p == '0' ? p + 1 : skip_digits(p, end);
  if (p < end && *p == '.') {
    if (++p == end || !hx_is_digit(*p)) return false;
    p = skip_digits(p, end);
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    if (p < end && (*p == '+' || *p == '-')) p++;
    if (p == end || !hx_is_digit(*p)) return false;
    p = skip_digits(p, end);
  }
  return p == end;
}

static hx_node *read_number(json_parser *p) {
  hx_json_token t = take(p);
  hx_str text = text_of(p, t);
  uint32_t sign = text.p[0] == '-';
  if (!is_number(text) || !hx_number_is_valid(text.p + sign, text.len - sign)) {
    wrong(p, HX_D_JSON_NUMBER, range_of(t), text.len > 40 ? HX_STR("This") : text);
    return broken(p, range_of(t));
  }
  hx_node *n = new_node(p, HX_AST_NUMBER, range_of(t));
  n->u.text.p = text.p;
  n->u.text.len = text.len;
  return n;
}

static bool has_sequence(hx_str s) {
  for (uint32_t i = 0; i + 1 < s.len; i++)
    if (s.p[i + 1] == '{' && (s.p[i] == '$' || s.p[i] == '%')) return true;
  return false;
}

/* Returns true if the string must be read as a template, or be converted to form C. A string with a byte order mark counts, too. */
static bool is_unread(json_parser *p, const hx_json_string *s) {
  if (s->sigils && has_sequence(s->text)) return true;
  if (s->ascii && s->verbatim) return false;
  if (s->text.len >= 3 && memcmp(s->text.p, "\xEF\xBB\xBF", 3) == 0) return true;
  return hx_nfc(p->cx, s->text).p != s->text.p;
}

static hx_node *read_string(json_parser *p) {
  hx_json_string s = p->scan.string; /* taken before the next token, which may be a string as well */
  hx_json_token t = take(p);
  if (s.why) {
    /* As in the reference, the diagnostic points to the byte after the mistake. */
    uint32_t at = (uint32_t)(s.bad - p->scan.text) + (s.bad != s.end);
    hx_diag *d = wrong(p, HX_D_JSON_STRING, hx_range_of(at, at + 1), hx_str_c(s.why));
    d->context = hx_range_join(range_of(t), d->subject);
    return broken(p, range_of(t));
  }
  hx_node *n = new_node(p, HX_AST_STRING, range_of(t));
  if (p->src->literal) s.text = hx_nfc(p->cx, s.text);
  n->u.text.p = s.text.p;
  n->u.text.len = s.text.len;
  n->u.text.mark = range_of(t);
  if (!p->src->literal && is_unread(p, &s)) {
    n->flags |= HX_AST_UNREAD;
    n->u.text.place = t.start + 1;
    if (!s.verbatim) n->u.text.place = hx_source_extend(p->cx, p->src, s.text, t.start + 1).start;
  }
  return n;
}

static hx_node *read_word(json_parser *p) {
  static const hx_str words[] = { { "false", 5 }, { "true", 4 }, { "null", 4 } };
  static const uint8_t kinds[] = { HX_AST_BOOL, HX_AST_BOOL, HX_AST_NULL };
  hx_json_token t = take(p);
  hx_str text = text_of(p, t);
  for (uint8_t i = 0; i < 3; i++) {
    if (!hx_str_eq(text, words[i])) continue;
    hx_node *n = new_node(p, (hx_ast_kind)kinds[i], range_of(t));
    n->op = i == 1;
    return n;
  }
  hx_str hint = hx_did_you_mean(p->cx, text, words, 3);
  hx_str what = text.len > 40 ? HX_STR("This") : hx_strf(p->cx, "\"%.*s\"", HX_STR_ARG(text));
  wrong(p, HX_D_JSON_WORD, range_of(t), hx_strf(p->cx, "%.*s is not a value of JSON.%.*s", HX_STR_ARG(what), HX_STR_ARG(hint)));
  return broken(p, range_of(t));
}

/* Reports that a value is missing. The token found instead is left for the next step. */
static hx_node *no_value(json_parser *p) {
  hx_diag_id id = HX_D_JSON_VALUE;
  char c = p->tok.kind == HX_JSON_INVALID ? p->scan.text[p->tok.start] : ' ';
  if (p->tok.kind == HX_JSON_END) id = HX_D_JSON_ENDS;
  else if (c == '/' || c == '#') id = HX_D_JSON_COMMENT;
  else if (c == '\'' || c == '`') id = HX_D_JSON_QUOTE;
  wrong(p, id, range_of(p->tok), HX_STR(""));
  return broken(p, range_of(p->tok));
}

/* Objects and arrays */

static bool is_closing(const level *l, hx_json_kind kind) {
  return kind == (l->object ? HX_JSON_CBRACE : HX_JSON_CBRACK);
}

/* Closes the object or array on top, which is complete; its closing bracket is the next token. */
static hx_node *close_level(json_parser *p) {
  hx_node *n = p->levels.p[--p->levels.n].kids.node;
  n->stop = take(p).stop;
  return n;
}

/* Gives up the object or array on top: a BROKEN node at its bracket replaces it. */
static hx_node *give_up(json_parser *p, hx_diag_id id, hx_range at, hx_str what) {
  const hx_node *n = p->levels.p[--p->levels.n].kids.node;
  wrong(p, id, at, what);
  return broken(p, n->u.kids.mark);
}

/* Begins the next value. Returns the value if it is complete, as an empty object or array is. Otherwise opens the value's bracket and
** returns NULL; if that nests too deeply, only reports it, sets p->stopped and returns NULL. */
static hx_node *begin_value(json_parser *p) {
  hx_json_token t = p->tok;
  switch (t.kind) {
    case HX_JSON_STRING: return read_string(p);
    case HX_JSON_NUMBER: return read_number(p);
    case HX_JSON_WORD: return read_word(p);
    case HX_JSON_OBRACE:
    case HX_JSON_OBRACK: break;
    default: return no_value(p);
  }
  bool object = t.kind == HX_JSON_OBRACE;
  if (p->levels.n == p->max_depth) {
    wrong(p, HX_D_LIMIT_DEPTH, range_of(t), hx_strf(p->cx, "%llu", (unsigned long long)p->cx->limits.depth));
    p->stopped = true;
    return NULL;
  }
  take(p);
  level *l = HX_VEC_PUSH(&p->cx->scratch, &p->levels);
  hx_node *node = new_node(p, object ? HX_AST_OBJECT : HX_AST_TUPLE, range_of(t));
  *l = (level){ .kids = hx_kids_of(node), .object = object, .at_name = object };
  return is_closing(l, (hx_json_kind)p->tok.kind) ? close_level(p) : NULL;
}

/* Takes the name of a property, and its colon. Returns NULL if the value follows; otherwise a BROKEN node that replaces the object. */
static hx_node *take_name(json_parser *p, level *l, hx_node *name) {
  if (name->kind != HX_AST_STRING) return give_up(p, HX_D_JSON_NAME, hx_node_start_range(name), HX_STR(""));
  hx_json_token t = take(p);
  if (t.kind == HX_JSON_COLON) {
    hx_node *key = new_node(p, HX_AST_KEY, hx_node_range(name));
    key->flags |= HX_AST_FORCED;
    key->u.kids.first = name;
    key->count = 1;
    hx_kids_add(&l->kids, key);
    l->at_name = false;
    return NULL;
  }
  recover(p, t, HX_JSON_OBRACE, HX_JSON_CBRACE);
  hx_diag_id id = HX_D_JSON_COLON;
  if (t.kind == HX_JSON_CBRACE || t.kind == HX_JSON_COMMA) id = HX_D_JSON_NO_VALUE;
  else if (t.kind == HX_JSON_ASSIGN) id = HX_D_JSON_ASSIGN;
  return give_up(p, id, range_of(t), HX_STR(""));
}

/* Takes the comma of the level on top. Returns NULL if another property or element follows. If the closing bracket follows, reports that
** and returns a BROKEN node. */
static hx_node *take_comma(json_parser *p, level *l) {
  hx_json_token comma = take(p);
  if (is_closing(l, (hx_json_kind)p->tok.kind)) return give_up(p, HX_D_JSON_TRAILING, range_of(comma), HX_STR(""));
  l->at_name = l->object;
  return NULL;
}

/* Continues after a property's value or an element of an array. Returns NULL if another follows; otherwise the finished object or array, or
** a BROKEN node in its place. */
static hx_node *after_value(json_parser *p, level *l) {
  hx_json_kind kind = (hx_json_kind)p->tok.kind;
  hx_str close = l->object ? HX_STR("}") : HX_STR("]"), what = l->object ? HX_STR("Properties") : HX_STR("Elements");
  hx_diag_id id = HX_D_JSON_COMMA;
  if (kind == HX_JSON_COMMA) return take_comma(p, l);
  if (is_closing(l, kind)) return close_level(p);
  if (kind == HX_JSON_END) return give_up(p, HX_D_JSON_UNCLOSED, l->kids.node->u.kids.mark, close);
  if (l->object && kind == HX_JSON_CBRACK) {
    take(p);
    return give_up(p, HX_D_JSON_MISMATCH, range_of(p->tok), close);
  }
  if (kind == HX_JSON_CBRACE) {
    id = HX_D_JSON_MISMATCH;
    what = close;
  } else if (!l->object && kind == HX_JSON_COLON) {
    id = HX_D_JSON_ELEMENT_COLON;
  }
  if (l->object) recover(p, take(p), HX_JSON_OBRACE, HX_JSON_CBRACE);
  else recover(p, take(p), HX_JSON_OBRACK, HX_JSON_CBRACK);
  return give_up(p, id, range_of(p->tok), what);
}

/* Adds a complete value to the level on top, or takes it as the name of a property. Returns NULL if the level continues; otherwise the
** finished object or array, or a BROKEN node in its place. */
static hx_node *deliver(json_parser *p, hx_node *value) {
  level *l = &p->levels.p[p->levels.n - 1];
  if (l->at_name) return take_name(p, l, value);
  hx_kids_add(&l->kids, value);
  return after_value(p, l);
}

/* Reads a value. Returns NULL if it is nested too deeply. */
static hx_node *read_value(json_parser *p) {
  for (;;) {
    hx_node *n = begin_value(p);
    while (n && p->levels.n) n = deliver(p, n);
    if (n || p->stopped) return n;
  }
}

/* Entry points */

/* Parses a source. outer: how many of the outermost levels don't count for the depth. */
static hx_node *parse(json_parser *p, hx_cx *cx, hx_source *src, uint32_t outer) {
  hx_range all = { 0, src->text.len };
  *p = (json_parser){ .cx = cx, .src = src };
  src->json = true;
  if (src->text.len > cx->limits.source || src->text.len >= UINT32_MAX / 2) {
    wrong(p, HX_D_LIMIT_SOURCE, (hx_range){ 0, 0 }, hx_strf(cx, "%llu", (unsigned long long)cx->limits.source));
    p->stopped = true;
    return broken(p, all);
  }
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  p->max_depth = outer + (cx->limits.depth < HX_DEPTH_MAX ? (uint32_t)cx->limits.depth : HX_DEPTH_MAX);
  p->scan = (hx_json_scanner){ .cx = cx, .text = src->text.p, .end = src->text.len };
  take(p);
  hx_node *n = read_value(p);
  if (n && !p->errors && p->tok.kind != HX_JSON_END) wrong(p, HX_D_JSON_EXTRA, range_of(p->tok), HX_STR(""));
  hx_arena_release(&cx->scratch, mark);
  return n ? n : broken(p, all);
}

hx_node *hx_parse_json(hx_cx *cx, hx_source *src) {
  json_parser p;
  return parse(&p, cx, src, 0);
}

hx_node *hx_parse_json_body(hx_cx *cx, hx_source *src) {
  json_parser p;
  hx_node *n = parse(&p, cx, src, 1); /* the outermost object, the body, doesn't count: it has no brackets in native syntax */
  if (n->kind == HX_AST_OBJECT || n->kind == HX_AST_TUPLE) return n;
  if (!p.stopped) wrong(&p, HX_D_JSON_ROOT, hx_node_start_range(n), HX_STR(""));
  return broken(&p, hx_node_range(n));
}

/* Templates and paths */

/* Parses decoded text as a source of its own. The node's place in the original source is counted as if there were no escapes before or
** in the node, as for pieces (text/source.h). */
static hx_node *parse_decoded(hx_cx *cx, const hx_node *string) {
  hx_source decoded = { .text = { string->u.text.p, string->u.text.len }, .line = 1, .column = 1 };
  hx_node *n = hx_parse_expression_at(cx, &decoded, (hx_range){ 0, decoded.text.len });
  n->start += string->start + 1;
  n->stop += string->start + 1;
  return n;
}

hx_node *hx_json_expression(hx_cx *cx, const hx_source *src, const hx_node *string) {
  hx_range at = { string->start + 1, string->stop - 1 };
  bool verbatim = hx_str_eq(hx_node_text(string), hx_str_of(src->text.p + at.start, at.stop - at.start));
  hx_diags_mark mark = hx_diags_get_mark(cx);
  hx_node *n = verbatim ? hx_parse_expression_at(cx, src, at) : parse_decoded(cx, string);
  bool sound = cx->diags.errors == mark.errors;
  hx_diags_rollback(cx, mark);
  return sound ? n : NULL;
}

hx_node *hx_json_template(hx_cx *cx, const hx_source *src, const hx_node *string) {
  hx_diags_mark before = hx_diags_get_mark(cx);
  hx_range at = { string->u.text.place, string->u.text.place + string->u.text.len };
  hx_node *n = hx_parse_template_at(cx, src, at);
  if (cx->diags.errors == before.errors) return n;
  n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_FAULT, .flags = HX_AST_JSON, .start = string->start, .stop = string->stop };
  n->u.fault = before.last ? before.last->next : cx->diags.first;
  if (!n->u.fault) n->u.fault = cx->diags.last; /* too many diagnostics to keep this one: any other will do */
  n->count = cx->diags.kept - before.kept;
  return n;
}
