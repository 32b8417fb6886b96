/* format.c: lays out a source's tokens line by line: cells, spaces and indentation. */
#include "config/format.h"

#include "config/format_parts.h"
#include "syntax/scanner.h"
#include "text/unicode.h"

#define INDENT 2u

typedef struct formatter {
  hx_cx *cx;
  const char *text;
  hx_scanner scan;
  hx_token next; /* the next token to write */
  uint32_t stop; /* the end of the token before the next one */
  uint32_t wide; /* each byte from the last token examined up to here takes one column */
  hx_buf out;
  hx_format_group group;
  HX_VEC(uint32_t) indents; /* how many open brackets share each level of indentation */
} formatter;

/* A line that is being written. The output has it from `at` on, but without its indentation, and without the source from `run` to the
** formatter's `stop`. That stretch is right as it is, and is copied before something else is written. */
typedef struct line {
  uint32_t at, run;
  uint32_t assign, comment; /* where in the line the cells begin, or HX_FORMAT_NONE */
  uint32_t assign_space;    /* spaces written before the assign: 0 or 1 */
  uint32_t hidden;          /* bytes that take no column of their own, without those of the comment */
  uint32_t lead_hidden;     /* those of `hidden` that are in the lead */
  int64_t net;              /* brackets opened minus closed, up to a heredoc */
  int64_t lead_net;         /* `net` of the lead alone */
  int64_t assign_net;       /* brackets opened minus closed, from the assign on */
  bool heredoc;
  hx_token_set joined; /* the kinds that follow the last token without a space */
} line;

const int8_t hx_format_bracket[HX_TOK_COUNT] = {
  [HX_TOK_OBRACE] = 1,  [HX_TOK_OBRACK] = 1,  [HX_TOK_OPAREN] = 1,  [HX_TOK_INTERP] = 1,   [HX_TOK_CONTROL] = 1,
  [HX_TOK_CBRACE] = -1, [HX_TOK_CBRACK] = -1, [HX_TOK_CPAREN] = -1, [HX_TOK_SEQ_END] = -1,
};

#define EACH_BYTE(n) (UINT64_MAX / 255 * (n))

/* Returns the first byte from p on that may not take exactly one column: not ASCII, or a carriage return. */
static const char *find_wide(const char *p, const char *end) {
  for (; end - p >= 8; p += 8) {
    uint64_t word, differs;
    memcpy(&word, p, 8);
    differs = word ^ EACH_BYTE('\r');
    if ((word | (differs - EACH_BYTE(1))) & EACH_BYTE(0x80)) break;
  }
  while (p < end && (unsigned char)*p < 0x80 && *p != '\r') p++;
  return p;
}

/* Returns how many bytes of a token take no column of their own. Columns are grapheme clusters, counted within each token. */
static uint32_t hidden_in(formatter *f, hx_token t) {
  if (t.stop <= f->wide) return 0;
  if (f->wide < t.start) f->wide = (uint32_t)(find_wide(f->text + t.start, f->text + f->scan.end) - f->text);
  if (t.stop <= f->wide) return 0;
  return t.stop - t.start - hx_grapheme_count(hx_str_of(f->text + t.start, t.stop - t.start));
}

static bool ends_line(const formatter *f, hx_token t) {
  return t.kind == HX_TOK_NEWLINE || (t.kind == HX_TOK_COMMENT && f->text[t.stop - 1] == '\n');
}

/* Returns how many bytes of the line precede the next one, without the indentation. */
static uint32_t length(const formatter *f, const line *l) {
  return f->out.len - l->at + (f->stop - l->run);
}

static void copy_run(formatter *f, const line *l) {
  hx_buf_bytes(&f->out, f->text + l->run, f->stop - l->run);
}

/* Leaves one space or no space between the last token and t. */
static void put_space(formatter *f, line *l, hx_token t, uint32_t space) {
  if (t.start - f->stop == space && (space == 0 || f->text[f->stop] == ' ')) return;
  copy_run(f, l);
  if (space) hx_buf_put(&f->out, ' ');
  l->run = t.start;
}

static void put_comment(formatter *f, line *l, hx_token t) {
  l->comment = length(f, l) + 1;
  put_space(f, l, t, 1);
}

static void put_token(formatter *f, line *l, hx_token t) {
  uint32_t space = !hx_token_in(l->joined, t.kind);
  if (t.kind == HX_TOK_ASSIGN && l->assign == HX_FORMAT_NONE) {
    l->assign = length(f, l) + space;
    l->assign_space = space;
    l->lead_hidden = l->hidden;
    l->lead_net = l->net;
  }
  put_space(f, l, t, space);
}

static void count(formatter *f, line *l, hx_token t) {
  int8_t change = hx_format_bracket[t.kind];
  if (t.kind == HX_TOK_OHEREDOC) l->heredoc = true;
  if (!l->heredoc) l->net += change;
  if (l->assign != HX_FORMAT_NONE) l->assign_net += change;
  l->hidden += hidden_in(f, t);
}

static void write_tokens(formatter *f, line *l) {
  uint8_t before = HX_TOK_END;
  bool last = false;
  l->run = f->next.start;
  while (!last) {
    hx_token t = f->next;
    f->next = hx_scan_next(&f->scan);
    last = ends_line(f, t) || f->next.kind == HX_TOK_END;
    if (before == HX_TOK_END) {
      count(f, l, t);
    } else if (last && t.kind == HX_TOK_COMMENT) {
      put_comment(f, l, t);
    } else {
      put_token(f, l, t);
      count(f, l, t);
    }
    l->joined = hx_format_joined(f->text, t, before, f->next);
    before = t.kind;
    f->stop = t.stop;
  }
  copy_run(f, l);
}

/* Ends the levels of indentation that `closed` closing brackets end. */
static void dedent(formatter *f, uint64_t closed) {
  while (closed > 0 && f->indents.n > 0) {
    uint32_t *top = &f->indents.p[f->indents.n - 1];
    if (closed < *top) {
      *top -= (uint32_t)closed;
      return;
    }
    closed -= *top;
    f->indents.n--;
  }
}

/* Writes the indentation of a line that opens `net` brackets more than it closes. Returns the number of spaces. */
static uint32_t indent(formatter *f, const line *l, int64_t net) {
  uint64_t spaces;
  if (net < 0) dedent(f, (uint64_t)-net);
  spaces = (uint64_t)INDENT * f->indents.n;
  if (net > 0) *HX_VEC_PUSH(&f->cx->scratch, &f->indents) = (uint32_t)net;
  if (spaces) {
    hx_format_room(&f->out, spaces);
    memmove(f->out.p + l->at + spaces, f->out.p + l->at, f->out.len - l->at);
    memset(f->out.p + l->at, ' ', (size_t)spaces);
    f->out.len += (uint32_t)spaces;
  }
  return (uint32_t)spaces;
}

/* Adds the line to its group. */
static void add_row(formatter *f, const line *l, uint32_t indentation, bool assigns) {
  hx_format_row *row = HX_VEC_PUSH(&f->cx->scratch, &f->group);
  uint32_t start = l->at + indentation, end = l->comment - 1;
  bool comments = l->comment != HX_FORMAT_NONE;
  *row = (hx_format_row){ HX_FORMAT_NONE, HX_FORMAT_NONE, 0, 0, 0 };
  if (comments) row->comment = start + l->comment;
  if (assigns) {
    row->assign = start + l->assign;
    row->have = l->assign_space;
    row->lead = indentation + l->assign - l->assign_space - l->lead_hidden;
    if (comments) row->rest = end - l->assign - (l->hidden - l->lead_hidden);
  } else {
    row->lead = indentation + end - l->hidden;
  }
}

static void write_line(formatter *f) {
  line l = { .at = f->out.len, .assign = HX_FORMAT_NONE, .comment = HX_FORMAT_NONE };
  bool blank = f->next.kind == HX_TOK_NEWLINE, assigns;
  uint32_t indentation;
  write_tokens(f, &l);
  /* If the brackets after an assign aren't balanced, as in the first line of an object, the assign belongs to the lead. */
  assigns = l.assign != HX_FORMAT_NONE && l.assign_net == 0;
  indentation = blank ? 0 : indent(f, &l, assigns ? l.lead_net : l.net);
  if (assigns || l.comment != HX_FORMAT_NONE) add_row(f, &l, indentation, assigns);
  else hx_format_align(&f->out, &f->group);
}

/* Writes the end. Spaces after the last line's end stay, because they belong to no token. If the source has no tokens, a byte order mark
** counts as a space, as in the reference. */
static void write_end(formatter *f) {
  uint32_t blanks = f->next.start - f->stop;
  hx_format_align(&f->out, &f->group);
  hx_format_room(&f->out, blanks);
  hx_buf_fill(&f->out, ' ', blanks);
}

hx_str hx_format(hx_cx *cx, hx_str text) {
  formatter f = { .cx = cx, .text = text.p };
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  uint64_t guess = (uint64_t)text.len + text.len / 8 + 64;
  if (text.len > cx->limits.source || text.len == UINT32_MAX) hx_abort(cx, HX_WHY_SOURCE);
  hx_buf_init(&f.out, &cx->arena, guess < UINT32_MAX ? (uint32_t)guess : UINT32_MAX);
  hx_scan_init(&f.scan, &cx->scratch, text.p, 0, text.len, HX_SCAN_MAIN);
  f.next = hx_scan_next(&f.scan);
  while (f.next.kind != HX_TOK_END) write_line(&f);
  write_end(&f);
  hx_charge_output(cx, f.out.len);
  hx_arena_release(&cx->scratch, mark);
  return hx_buf_done(&f.out);
}
