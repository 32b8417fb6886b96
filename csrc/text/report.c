/* report.c: writes diagnostics for people. Text of a source is shown unchanged, except that tabs become spaces, characters that can't be
** seen or would steer a terminal become U+FFFD, and marks without a base get a dotted circle. So carets are at the right columns. In all
** other text, such characters become escapes (hx_put_plain), because it may contain names of files and text from others. */
#include "text/report.h"

#include "text/quote.h"
#include "text/unicode.h"

#define TAB_WIDTH 4u
/* A line that is too long for the report is shown through a window, which begins LEAD columns before the subject. */
#define WINDOW_LEAST 20u
#define LEAD 30u
/* Columns beside the window: the line's number with its margins, spaces and two ellipses. */
#define BESIDE 7u
/* Text more than this many bytes before the subject isn't measured: a line may be as long as the source. */
#define FAR 1024u
/* A subject with more lines is shown without its middle. */
#define LINES_MAX 4u
/* The most bytes of marks without a base that are shown. More of them are unreadable, and would make the window of a line long. */
#define LONE_MAX 8u

#define ELLIPSIS "\xE2\x80\xA6"
#define REPLACEMENT "\xEF\xBF\xBD"
#define DOTTED_CIRCLE "\xE2\x97\x8C"

typedef enum paint { PLAIN, RED, YELLOW, BLUE, BOLD } paint;

static const char *const paints[] = {
  [PLAIN] = "\x1b[0m", [RED] = "\x1b[1;31m", [YELLOW] = "\x1b[1;33m", [BLUE] = "\x1b[34m", [BOLD] = "\x1b[1m"
};

typedef struct report {
  hx_cx *cx;
  hx_buf *out;
  hx_report_style style;
  hx_source *src;
  uint32_t gutter; /* digits of the largest line number shown */
  uint32_t window; /* columns of a line that are shown */
  paint mark;      /* colour of carets */
} report;

static void colour(report *r, paint p) {
  if (r->style.colours) hx_buf_c(r->out, paints[p]);
}

static hx_str cluster_at(hx_str line, uint32_t at) {
  hx_str rest = hx_str_from(line, at);
  return hx_str_of(rest.p, hx_grapheme_shown(rest));
}

/* A grapheme cluster as it is shown. */
typedef struct shown {
  hx_str before, text;
  uint32_t columns; /* at least one */
} shown;

static shown show(hx_str cluster) {
  int32_t cp;
  if (cluster.p[0] == '\t') return (shown){ HX_STR(""), HX_STR("    "), TAB_WIDTH };
  hx_utf8_read(cluster.p, cluster.p + cluster.len, &cp);
  if (!hx_cp_is_print(cp) || !hx_utf8_valid(cluster)) return (shown){ HX_STR(""), HX_STR(REPLACEMENT), 1 };
  uint32_t width = hx_grapheme_width(cluster);
  if (width) return (shown){ HX_STR(""), cluster, width };
  return cluster.len <= LONE_MAX ? (shown){ HX_STR(DOTTED_CIRCLE), cluster, 1 } : (shown){ HX_STR(""), HX_STR(REPLACEMENT), 1 };
}

static uint32_t count_digits(uint32_t n) {
  uint32_t digits = 1;
  while (n >= 10) {
    n /= 10;
    digits++;
  }
  return digits;
}

/* Writes the left edge with a line's number, aligned to the right; line 0: without a number. */
static void gutter(report *r, uint32_t line) {
  colour(r, BLUE);
  hx_buf_fill(r->out, ' ', r->gutter + 2 - (line ? count_digits(line) : 0));
  if (line) hx_buf_int(r->out, line);
  hx_buf_c(r->out, " |");
  colour(r, PLAIN);
}

typedef struct span {
  uint32_t column, columns;
} span;

/* Returns the columns before the subject, and the columns of the subject, at least one. Columns beyond the window aren't counted. */
static span measure(hx_str line, uint32_t start, uint32_t stop, uint32_t window) {
  span s = { 0, 0 };
  uint32_t at = 0;
  while (at < line.len && at < stop && s.columns <= window) {
    hx_str cluster = cluster_at(line, at);
    uint32_t width = show(cluster).columns;
    at += cluster.len;
    if (at <= start) s.column += width;
    else s.columns += width;
  }
  if (s.columns == 0) s.columns = 1;
  return s;
}

/* Writes the columns from first to last of a line or of a file's name. */
static void put_window(report *r, hx_str line, uint32_t first, uint32_t last) {
  uint32_t at = 0, column = 0;
  while (at < line.len) {
    hx_str cluster = cluster_at(line, at);
    shown as = show(cluster);
    if (column + as.columns > last) {
      hx_buf_c(r->out, ELLIPSIS);
      return;
    }
    if (column >= first) {
      hx_buf_str(r->out, as.before);
      hx_buf_str(r->out, as.text);
    } else if (column + as.columns > first) {
      hx_buf_fill(r->out, ' ', column + as.columns - first);
    }
    column += as.columns;
    at += cluster.len;
  }
}

/* Returns where to begin showing a line whose start is far before offset: at the start of a cluster, if one is near. */
static uint32_t shown_from(report *r, uint32_t offset) {
  uint32_t at = offset - FAR, near = hx_source_near(r->cx, r->src, at);
  if (at - near <= 4 * FAR) return near;
  while (at < offset && ((unsigned char)r->src->text.p[at] & 0xC0) == 0x80) at++;
  return at;
}

/* Writes one line of the source, and carets under its part of the subject. */
static void put_line(report *r, uint32_t number, hx_range line, hx_range subject) {
  bool cut = subject.start > line.start + 2 * FAR;
  if (cut) line.start = shown_from(r, subject.start);
  hx_str text = hx_str_of(r->src->text.p + line.start, line.stop - line.start);
  uint32_t start = subject.start > line.start ? subject.start - line.start : 0;
  uint32_t stop = subject.stop < line.stop ? subject.stop - line.start : text.len;
  uint32_t first = 0, last, lead = r->window / 3 < LEAD ? r->window / 3 : LEAD;
  span s;
  if (subject.start < line.start) {
    while (start < stop && (text.p[start] == ' ' || text.p[start] == '\t')) start++;
  }
  s = measure(text, start, stop > start ? stop : start, r->window);
  if ((cut || s.column + s.columns > r->window) && s.column > lead) first = s.column - lead;
  cut = cut || first > 0;
  last = first + r->window;
  if (s.column + s.columns > last) s.columns = last - s.column;
  gutter(r, number);
  if (text.len) hx_buf_put(r->out, ' ');
  if (cut) hx_buf_c(r->out, ELLIPSIS);
  put_window(r, text, first, last);
  hx_buf_put(r->out, '\n');
  gutter(r, 0);
  hx_buf_fill(r->out, ' ', (cut ? 2u : 1u) + s.column - first);
  colour(r, r->mark);
  hx_buf_fill(r->out, '^', s.columns);
  colour(r, PLAIN);
  hx_buf_put(r->out, '\n');
}

static void put_snippet(report *r, hx_range subject) {
  uint32_t first, last, n;
  hx_range line;
  first = hx_source_pos(r->cx, r->src, subject.start).line;
  /* A subject that ends with a newline ends on the line before. */
  last = hx_source_pos(r->cx, r->src, subject.stop > subject.start ? subject.stop - 1 : subject.start).line;
  r->gutter = count_digits(last);
  r->window = HX_REPORT_WIDTH;
  if (r->style.width) {
    uint32_t beside = BESIDE + r->gutter;
    r->window = r->style.width > beside + WINDOW_LEAST ? r->style.width - beside : WINDOW_LEAST;
  }
  line = hx_source_line(r->cx, r->src, subject.start);
  for (n = first; n <= last; n++) {
    if (last - first + 1 > LINES_MAX && n > first + 1 && n < last) {
      if (n == first + 2) {
        gutter(r, 0);
        hx_buf_c(r->out, " ...\n");
      }
    } else if (n == first || line.stop > line.start) {
      put_line(r, n, line, subject);
    } else {
      gutter(r, n);
      hx_buf_put(r->out, '\n');
    }
    if (n < last) {
      const char *newline = memchr(r->src->text.p + line.stop, '\n', r->src->text.len - line.stop);
      line = hx_source_line(r->cx, r->src, (uint32_t)(newline + 1 - r->src->text.p));
    }
  }
}

static void put_place(report *r, hx_range subject, const char *how) {
  hx_pos pos = hx_source_pos(r->cx, r->src, subject.start);
  hx_buf_c(r->out, how);
  hx_str name = hx_source_name(r->src, subject.start);
  if (name.len) {
    put_window(r, name, 0, UINT32_MAX);
    hx_buf_put(r->out, ' ');
  }
  hx_buf_c(r->out, "line ");
  hx_buf_int(r->out, pos.line);
  hx_buf_c(r->out, ", column ");
  hx_buf_int(r->out, pos.column);
  hx_buf_c(r->out, ":\n");
}

/* Returns about how many columns a word of a message takes. Clusters are counted as one column each: messages are mostly ASCII. */
static uint32_t word_width(hx_str word) {
  return hx_is_ascii(word) ? word.len : hx_grapheme_count(word);
}

/* Writes a paragraph as lines of at most `most` columns, broken at single spaces. Indented lines stay as they are. */
static void put_wrapped(hx_buf *out, hx_str line, uint32_t most) {
  uint32_t at = 0, column = 0;
  if (line.len && (line.p[0] == ' ' || line.p[0] == '\t')) {
    hx_put_plain(out, line, false);
    return;
  }
  while (at < line.len) {
    uint32_t stop = at;
    hx_str word;
    uint32_t width;
    while (stop < line.len && line.p[stop] == ' ') stop++;
    while (stop < line.len && line.p[stop] != ' ') stop++;
    word = hx_str_of(line.p + at, stop - at);
    width = word_width(word);
    if (column > 0 && column + width > most) {
      hx_buf_put(out, '\n');
      column = 0;
      while (word.len && *word.p == ' ') {
        word = hx_str_of(word.p + 1, word.len - 1);
        width--;
      }
    }
    hx_put_plain(out, word, false);
    column += width;
    at = stop;
  }
}

static void put_text(hx_buf *out, hx_str text, uint32_t most) {
  while (text.len) {
    const char *newline = memchr(text.p, '\n', text.len);
    uint32_t len = newline ? (uint32_t)(newline - text.p) : text.len;
    put_wrapped(out, hx_str_of(text.p, len), most);
    if (!newline) return;
    hx_buf_put(out, '\n');
    text = hx_str_of(newline + 1, text.len - len - 1);
  }
}

static void put_values(report *r, const hx_diag_value *v) {
  for (; v; v = v->next) {
    gutter(r, 0);
    hx_buf_put(r->out, ' ');
    colour(r, BOLD);
    hx_put_plain(r->out, v->path, false);
    colour(r, PLAIN);
    hx_buf_c(r->out, " is ");
    hx_put_plain(r->out, v->text, false);
    hx_buf_put(r->out, '\n');
  }
}

static hx_range clamp(const hx_source *src, hx_range at) {
  if (at.start > src->text.len) at.start = src->text.len;
  if (at.stop > src->text.len) at.stop = src->text.len;
  if (at.stop < at.start) at.stop = at.start;
  return at;
}

/* Writes a place in a source, with its lines. The cast drops const because computing a position may make the source's table of places. */
static void put_source(report *r, const hx_source *src, hx_range at, const char *how) {
  r->src = (hx_source *)(uintptr_t)src;
  at = clamp(src, hx_source_written(src, at));
  put_place(r, at, how);
  put_snippet(r, at);
}

hx_str hx_report_chain(hx_cx *cx, const hx_diag *inner) {
  hx_buf out;
  hx_buf_init(&out, &cx->arena, 256);
  report r = { .cx = cx, .out = &out, .gutter = 1, .mark = RED };
  put_source(&r, inner->source, inner->subject, "  in ");
  put_values(&r, inner->values);
  hx_buf_str(&out, inner->chain);
  return hx_buf_done(&out);
}

static void put_diag(hx_cx *cx, hx_buf *out, const hx_diag *d, hx_report_style style) {
  bool is_error = hx_diag_severity(d) == HX_ERROR;
  report r = { .cx = cx, .out = out, .style = style, .gutter = 1, .mark = is_error ? RED : YELLOW };
  colour(&r, r.mark);
  hx_buf_c(out, is_error ? "Error: " : "Warning: ");
  colour(&r, PLAIN);
  colour(&r, BOLD);
  hx_put_plain(out, hx_diag_summary(d), true);
  colour(&r, PLAIN);
  hx_buf_put(out, '\n');
  if (d->source && d->has_range) put_source(&r, d->source, d->subject, "  on ");
  hx_buf_str(out, d->chain);
  put_values(&r, d->values);
  put_text(out, d->detail, style.width ? style.width : HX_REPORT_WIDTH);
  if (out->len && out->p[out->len - 1] == '\n') out->len--;
}

static bool same_source(const hx_source *a, const hx_source *b) {
  if (a == b || !a || !b) return a == b;
  return a->byte == b->byte && a->line == b->line && a->column == b->column && hx_str_eq(a->name, b->name) &&
         hx_str_eq(a->text, b->text);
}

bool hx_report_same(const hx_diag *d, const hx_diag *e) {
  return e->id == d->id && e->subject.start == d->subject.start && e->subject.stop == d->subject.stop &&
         hx_str_eq(e->chain, d->chain) && same_source(e->source, d->source) && hx_str_eq(e->detail, d->detail) &&
         hx_str_eq(e->summary, d->summary);
}

/* Returns true if both diagnostics are of one kind. Kinds made by scripts differ in their summaries, which begin with the code. */
static bool is_same_kind(const hx_diag *d, const hx_diag *e) {
  return d->id == e->id && hx_diag_severity(d) == hx_diag_severity(e) && hx_str_eq(d->summary, e->summary);
}

static bool is_same_place(const hx_diag *d, const hx_diag *e) {
  return d->has_range && d->subject.start == e->subject.start && d->subject.stop == e->subject.stop &&
         same_source(d->source, e->source);
}

/* Returns true if e says the same as d for another instance: each call of a module, and each instance, reports at the same place. Errors
** must also have the same detail. */
static bool is_again(const hx_diag *d, const hx_diag *e) {
  return is_same_kind(d, e) && is_same_place(d, e) && (hx_diag_severity(d) != HX_ERROR || hx_str_eq(d->detail, e->detail));
}

/* How many similar diagnostics are shown, unless all are shown. */
#define SHOWN_MAX 3

/* Returns true if d and e are similar. Errors are similar if they have the same place or the same detail; other errors are separate
** mistakes. */
static bool is_alike(const hx_diag *d, const hx_diag *e) {
  if (!is_same_kind(d, e)) return false;
  return hx_diag_severity(d) != HX_ERROR || is_same_place(d, e) || hx_str_eq(d->detail, e->detail);
}

typedef struct listed {
  const hx_diag *diag;
  uint32_t again; /* how many diagnostics say the same for other instances */
  uint32_t more;  /* how many similar diagnostics are counted here instead of being shown */
} listed;

/* Returns the count to which d is added instead of being shown, or NULL if d is shown. */
static uint32_t *count_of(listed *all, uint32_t n, const hx_diag *d, bool brief) {
  uint32_t alike = 0;
  listed *same = NULL, *last = NULL;
  for (listed *s = all; s < all + n; s++) {
    if (is_again(s->diag, d)) return &s->again;
    if (!is_alike(s->diag, d)) continue;
    alike++;
    last = s;
    if (!same && hx_diag_severity(d) != HX_ERROR && hx_str_eq(s->diag->detail, d->detail)) same = s;
  }
  if (!brief) return NULL;
  return same ? &same->more : alike >= SHOWN_MAX ? &last->more : NULL;
}

static bool is_repeated(const hx_diags *list, const hx_diag *d) {
  const hx_diag *e = list->first;
  while (e != d && !hx_report_same(d, e)) e = e->next;
  return e != d;
}

/* Lists the diagnostics to show in `all`, which has room for every diagnostic. Returns their number. */
static uint32_t choose(const hx_diags *diags, listed *all, bool brief) {
  uint32_t n = 0;
  for (const hx_diag *d = diags->first; d; d = d->next) {
    if (is_repeated(diags, d)) continue;
    uint32_t *counted = count_of(all, n, d, brief);
    if (counted) ++*counted;
    else all[n++] = (listed){ .diag = d };
  }
  return n;
}

static void put_counts(hx_cx *cx, hx_buf *out, const listed *s, hx_report_style style) {
  uint32_t most = style.width ? style.width : HX_REPORT_WIDTH;
  if (s->again)
    put_text(out, hx_say(cx, "\nThe same comes up %u more time%s here, for other instances.", s->again, s->again == 1 ? "" : "s"),
             most);
  if (s->more) put_text(out, hx_say(cx, "\n%u more like this: %.*s.", s->more, HX_STR_ARG(style.all)), most);
}

hx_str hx_report(hx_cx *cx, const hx_diags *diags, hx_report_style style) {
  hx_buf b;
  listed *all = HX_NEW_ARRAY(cx, listed, diags->kept);
  uint32_t n = choose(diags, all, style.all.len > 0);
  hx_buf_init(&b, &cx->arena, 512);
  for (uint32_t i = 0; i < n; i++) {
    if (i) hx_buf_c(&b, "\n\n");
    put_diag(cx, &b, all[i].diag, style);
    put_counts(cx, &b, &all[i], style);
  }
  if (diags->dropped) {
    hx_buf_c(&b, "\n\n");
    hx_buf_int(&b, diags->dropped);
    hx_buf_c(&b, " more of them are not shown.");
  }
  return hx_buf_done(&b);
}
