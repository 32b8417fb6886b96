/* format_terraform.c: makes the changes of `terraform fmt` that go beyond spaces. Source: Terraform's command fmt. The rewritten text is
** a copy of the source with some stretches replaced; hx_format lays it out like any other. */
#include "config/format.h"
#include "config/format_parts.h"

#include "syntax/parser.h"
#include "syntax/scanner.h"
#include "text/quote.h"
#include "text/unicode.h"

/* A body whose items from `next` on are not read yet. */
typedef struct level {
  const hx_node *next;
  bool of_variable; /* the body of a `variable` block of the file */
} level;

typedef struct rewriting {
  hx_cx *cx;
  hx_str text;
  uint32_t done; /* the source is copied up to here */
  hx_buf out;
} rewriting;

static void copy_to(rewriting *w, uint32_t at) {
  hx_buf_bytes(&w->out, w->text.p + w->done, at - w->done);
  w->done = at;
}

/* Writes labels in quotes, and nothing else between the type and the last label. Returns the body after them. */
static const hx_node *write_labels(rewriting *w, const hx_node *block) {
  const hx_node *n = block->u.block.first;
  uint32_t last = 0;
  for (; n->kind == HX_AST_LABEL; n = n->next) {
    if (last == 0) copy_to(w, block->u.block.head->type_range.stop);
    hx_buf_put(&w->out, ' ');
    hx_quote_hcl(&w->out, hx_nfc(w->cx, hx_node_text(n)));
    last = n->stop;
  }
  if (last) w->done = last;
  return n;
}

static void replace(rewriting *w, const hx_node *n, const char *with) {
  copy_to(w, n->start);
  hx_buf_c(&w->out, with);
  w->done = n->stop;
}

/* Replaces types as they were written before the language had expressions for them. */
static void write_type(rewriting *w, const hx_node *type) {
  static const char *const old[][2] = {
    { "list", "list(any)" },    { "map", "map(any)" },          { "set", "set(any)" },
    { "\"string\"", "string" }, { "\"list\"", "list(string)" }, { "\"map\"", "map(string)" },
  };
  hx_str text = { w->text.p + type->start, type->stop - type->start };
  for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
    if (hx_str_eq(text, hx_str_c(old[i][0]))) replace(w, type, old[i][1]);
  }
}

/* The text within the "${ }" of a WRAP, without the newlines around it. */
typedef struct inside {
  hx_range range;
  uint8_t first, last; /* kinds of its first and last token */
  bool many_lines;     /* a newline is in it, or a comment with its newline outside of brackets */
  bool open_lines;     /* a line ends in it outside of brackets */
  bool ends_line;      /* its last token must end a line: a heredoc, or a comment with its newline */
  bool mixed;          /* a heredoc in it has sequences of its own; such an expression stays as it is */
} inside;

static void add_token(rewriting *w, inside *in, hx_token t) {
  if (in->range.stop == 0) {
    in->range.start = t.start;
    in->first = t.kind;
  }
  in->range.stop = t.stop;
  in->last = t.kind;
  in->ends_line = t.kind == HX_TOK_CHEREDOC || (t.kind == HX_TOK_COMMENT && w->text.p[t.stop - 1] == '\n');
}

static inside look_inside(rewriting *w, const hx_node *wrap) {
  inside in = { .mixed = false };
  uint32_t quotes = 0;
  int32_t depth = 0;
  bool broke = false, newline = false; /* a line ended after the first token, and its newline was a token of its own */
  hx_scanner s;
  hx_scan_init(&s, &w->cx->scratch, w->text.p, wrap->start, wrap->stop, HX_SCAN_MAIN);
  hx_scan_next(&s); /* the quote */
  hx_scan_next(&s); /* the start of the sequence */
  for (hx_token t = hx_scan_next(&s); t.stop < wrap->stop - 1; t = hx_scan_next(&s)) {
    if (t.kind == HX_TOK_OQUOTE) quotes++;
    if (t.kind == HX_TOK_CQUOTE) quotes--;
    if (quotes == 0 && (t.kind == HX_TOK_INTERP || t.kind == HX_TOK_SEQ_END)) in.mixed = true;
    if (t.kind == HX_TOK_NEWLINE) {
      broke = newline = in.range.stop != 0;
      continue;
    }
    if (newline || (broke && depth == 0)) in.many_lines = true;
    if (broke && depth == 0) in.open_lines = true;
    depth += hx_format_bracket[t.kind];
    add_token(w, &in, t);
    newline = false;
    broke = t.kind == HX_TOK_COMMENT && in.ends_line;
  }
  return in;
}

static bool line_ends_at(const rewriting *w, uint32_t at) {
  while (at < w->text.len && (w->text.p[at] == ' ' || w->text.p[at] == '\t' || w->text.p[at] == '\r')) at++;
  return at == w->text.len || w->text.p[at] == '\n';
}

/* Writes x instead of "${x}", in parentheses if it has several lines and no parentheses yet. Text that might then be read differently
** stays. */
static void write_value(rewriting *w, const hx_node *value) {
  inside in;
  bool closed;
  if (value->kind != HX_AST_WRAP || w->text.p[value->start] != '"') return;
  in = look_inside(w, value);
  closed = in.first == HX_TOK_OPAREN && in.last == HX_TOK_CPAREN && !in.open_lines;
  if (in.mixed || (in.ends_line && !in.many_lines && !line_ends_at(w, value->stop))) return;
  copy_to(w, value->start);
  if (in.many_lines && !closed) hx_buf_put(&w->out, '(');
  hx_buf_bytes(&w->out, w->text.p + in.range.start, in.range.stop - in.range.start);
  if (in.many_lines && in.last == HX_TOK_CHEREDOC) hx_buf_put(&w->out, '\n');
  if (in.many_lines && !closed) hx_buf_put(&w->out, ')');
  w->done = value->stop;
}

static void write_body(rewriting *w, const hx_node *body) {
  HX_VEC(level) levels = { 0 };
  *HX_VEC_PUSH(&w->cx->scratch, &levels) = (level){ body->u.kids.first, false };
  while (levels.n) {
    level *at = &levels.p[levels.n - 1];
    const hx_node *n = at->next;
    if (!n) {
      levels.n--;
    } else if (n->kind == HX_AST_ATTRIBUTE) {
      at->next = n->next;
      if (at->of_variable && hx_str_eq(*n->u.attr.name, HX_STR("type"))) write_type(w, n->u.attr.first);
      else write_value(w, n->u.attr.first);
    } else {
      bool of_variable = levels.n == 1 && hx_str_eq(n->u.block.head->type, HX_STR("variable"));
      at->next = n->next;
      body = write_labels(w, n);
      *HX_VEC_PUSH(&w->cx->scratch, &levels) = (level){ body->u.kids.first, of_variable };
    }
  }
}

hx_str hx_format_terraform(hx_cx *cx, const hx_source *src) {
  rewriting w = { .cx = cx, .text = src->text };
  const hx_node *body = hx_parse_body(cx, src);
  hx_arena_mark mark;
  if (cx->diags.errors) {
    cx->diags = (hx_diags){ 0 };
    return hx_format(cx, src->text);
  }
  mark = hx_arena_get_mark(&cx->scratch);
  hx_buf_init(&w.out, &cx->arena, src->text.len);
  write_body(&w, body);
  copy_to(&w, src->text.len);
  hx_arena_release(&cx->scratch, mark);
  return hx_format(cx, hx_buf_done(&w.out));
}
