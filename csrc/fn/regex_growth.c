/* regex_growth.c: does a pattern's automaton stay small, or may it have a new state for every byte of a text? A state of it is the set of
** places in the pattern that a search may have come to: whatever the text, those are few if the pattern has few places where more
** than one character may stand, or if no two of its sets of characters have only a part in common, so that where a search stands
** follows from what it read last. All else is said to grow: often it doesn't, but there is no short way to know. Headers: fn/regex.h. */
#include "fn/regex.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "fn/text_search.h"

/* So many places give 2^12 states at most, about, which is not much to build. */
#define PLACES_MAX 12u
/* RE2's bound of counts, and the reference's. */
#define COUNT_MAX 1000u
/* More sets than this are taken to overlap. */
#define SETS_MAX 8u
#define MUCH 10000000u

/* ASCII characters, and whether all others belong to it too. */
typedef struct char_set {
  uint64_t bits[2];
  bool beyond;
} char_set;

/* Places of a part of the pattern. */
typedef struct part {
  uint32_t places;   /* where one of several characters may stand, or that may be passed over or come again */
  uint32_t literals; /* where one stands: places, too, if all of it comes again */
  uint32_t loose;    /* places that may be there or not, one by one */
  uint32_t optional; /* copies that may be left out, written out */
  uint32_t counts;   /* the largest product of counts in one another: 0 for 1 */
  bool group, alternates;
} part;

typedef struct reader {
  hx_cx *cx;
  const char *p, *end;
  HX_VEC(part) open; /* groups, the pattern itself first */
  part last;         /* what a quantifier would belong to */
  bool fold, apart;  /* (?i) was seen; sets are the same or have nothing in common, and no group comes again */
  bool lines;        /* (?m) was seen */
  bool endless;      /* something comes again without end */
  bool branches;     /* a part may be there or not, or another one */
  bool refused;      /* counts are larger than RE2 takes, which it sees before it compiles anything */
  char_set single;   /* characters that stand for themselves */
  char_set sets[SETS_MAX];
  uint32_t nsets;
} reader;

static uint32_t add(uint32_t a, uint32_t b) {
  return a + b < MUCH ? a + b : MUCH;
}

static uint32_t times(uint32_t a, uint32_t n) {
  uint64_t product = (uint64_t)a * n;
  return product < MUCH ? (uint32_t)product : MUCH;
}

/* Sets */

static void set_put(char_set *s, int32_t first, int32_t last) {
  for (int32_t c = first; c <= last && c < 0x80; c++) s->bits[c >> 6] |= UINT64_C(1) << (c & 63);
}

static void set_fold(char_set *s) {
  uint64_t letters = (s->bits[1] | s->bits[1] >> 32) & 0x7fffffe;
  s->bits[1] |= letters | letters << 32;
}

static void set_negate(char_set *s) {
  s->bits[0] = ~s->bits[0];
  s->bits[1] = ~s->bits[1];
  s->beyond = !s->beyond;
}

static bool set_is_same(const char_set *a, const char_set *b) {
  return a->bits[0] == b->bits[0] && a->bits[1] == b->bits[1] && a->beyond == b->beyond;
}

static bool set_overlaps(const char_set *a, const char_set *b) {
  return (a->bits[0] & b->bits[0]) || (a->bits[1] & b->bits[1]) || (a->beyond && b->beyond);
}

/* \d and its like; false: it is something else. */
static bool put_perl_class(char_set *s, char name) {
  char_set class = { { 0, 0 }, false };
  switch (hx_lower_ascii(name)) {
    case 'd': set_put(&class, '0', '9'); break;
    case 'w':
      set_put(&class, '0', '9');
      set_put(&class, 'A', 'Z');
      set_put(&class, 'a', 'z');
      set_put(&class, '_', '_');
      break;
    case 's':
      set_put(&class, '\t', '\n');
      set_put(&class, '\f', '\r');
      set_put(&class, ' ', ' ');
      break;
    default: return false;
  }
  if (name != hx_lower_ascii(name)) set_negate(&class);
  s->bits[0] |= class.bits[0];
  s->bits[1] |= class.bits[1];
  s->beyond = s->beyond || class.beyond;
  return true;
}

static void put_set(reader *r, char_set s) {
  if (r->fold && !s.beyond) set_fold(&s);
  r->last = (part){ .places = 1 };
  if (set_overlaps(&s, &r->single)) r->apart = false;
  for (uint32_t i = 0; i < r->nsets; i++) {
    if (set_is_same(&s, &r->sets[i])) return;
    if (set_overlaps(&s, &r->sets[i])) r->apart = false;
  }
  if (r->nsets == SETS_MAX) r->apart = false;
  else r->sets[r->nsets++] = s;
}

static void put_literal(reader *r, int32_t c) {
  char_set s = { { 0, 0 }, false };
  r->last = (part){ .literals = 1 };
  if (c >= 0x80) {
    r->apart = false;
    return;
  }
  set_put(&s, c, c);
  if (r->fold) set_fold(&s);
  for (uint32_t i = 0; i < r->nsets; i++)
    if (set_overlaps(&s, &r->sets[i])) r->apart = false;
  r->single.bits[0] |= s.bits[0];
  r->single.bits[1] |= s.bits[1];
}

/* Items */

static bool is_at(const reader *r, const char *text) {
  size_t n = strlen(text);
  return (size_t)(r->end - r->p) >= n && memcmp(r->p, text, n) == 0;
}

/* Past one character; 0x80: it is no ASCII. */
static int32_t next_char(reader *r) {
  unsigned char c = (unsigned char)*r->p;
  r->p += c < 0x80 ? 1 : hx_code_point_len(hx_str_of(r->p, (size_t)(r->end - r->p)));
  return c < 0x80 ? c : 0x80;
}

/* The character after a backslash; 0x80: one that isn't worked out here. */
static int32_t next_escaped(reader *r) {
  static const char names[] = "nrtfva", are[] = "\n\r\t\f\v\a";
  if (r->p == r->end) return 0x80;
  int32_t c = next_char(r);
  const char *known = c < 0x80 ? memchr(names, c, sizeof names - 1) : NULL;
  if (known) return are[known - names];
  return hx_is_alnum(c) ? 0x80 : c;
}

/* A character in brackets, or a class of them; 0x80: it isn't worked out here; -1: a class was put. */
static int32_t next_member(reader *r, char_set *s) {
  if (is_at(r, "[:")) {
    hx_str rest = hx_str_of(r->p, (size_t)(r->end - r->p));
    uint32_t stop = hx_find_text(rest, HX_STR(":]"), 2);
    if (stop < rest.len) {
      r->p += stop + 2;
      return 0x80;
    }
  }
  if (*r->p != '\\') return next_char(r);
  r->p++;
  if (r->p < r->end && put_perl_class(s, *r->p)) {
    r->p++;
    return -1;
  }
  return next_escaped(r);
}

static void read_brackets(reader *r) {
  char_set s = { { 0, 0 }, false };
  bool plain = true, negative;
  r->p++;
  negative = is_at(r, "^");
  r->p += negative;
  for (bool first = true; r->p < r->end && (first || *r->p != ']'); first = false) {
    int32_t low = next_member(r, &s), high = low;
    if (low >= 0 && r->end - r->p >= 2 && r->p[0] == '-' && r->p[1] != ']') {
      r->p++;
      high = next_member(r, &s);
    }
    plain = plain && low != 0x80 && high != 0x80;
    if (low >= 0) set_put(&s, low, high);
  }
  r->p += r->p < r->end;
  if (!plain) r->apart = false;
  if (negative) {
    if (r->fold) set_fold(&s);
    set_negate(&s);
  }
  put_set(r, s);
}

static void read_escape(reader *r) {
  char_set s = { { 0, 0 }, false };
  r->p++;
  if (r->p == r->end) return;
  if (memchr("bBAz", *r->p, 4)) {
    r->p++;
  } else if (put_perl_class(&s, *r->p)) {
    r->p++;
    put_set(r, s);
  } else if (*r->p == 'p' || *r->p == 'P') {
    r->apart = false;
    put_set(r, s);
    r->p++;
    if (is_at(r, "{")) {
      while (r->p < r->end && *r->p != '}') r->p++;
    }
    r->p += r->p < r->end;
  } else {
    put_literal(r, next_escaped(r));
  }
}

/* What came last belongs to the group that is open. */
static void settle(reader *r) {
  part *in = &r->open.p[r->open.n - 1];
  in->places = add(in->places, r->last.places);
  in->literals = add(in->literals, r->last.literals);
  in->loose = add(in->loose, r->last.loose);
  in->optional = add(in->optional, r->last.optional);
  if (r->last.counts > in->counts) in->counts = r->last.counts;
  r->last = (part){ 0 };
}

static void read_quoted(reader *r) {
  r->p += 2;
  while (r->p < r->end && !is_at(r, "\\E")) {
    settle(r);
    put_literal(r, next_char(r));
  }
  r->p += r->p < r->end ? 2 : 0;
}

/* Groups */

/* After (?: flags, and whether they are for a group. Such as hold for a part of the pattern only aren't followed. */
static bool read_flags(reader *r) {
  bool fold = false, negative = false;
  for (; r->p < r->end && *r->p != ':' && *r->p != ')'; r->p++) {
    fold = fold || *r->p == 'i';
    negative = negative || *r->p == '-';
    r->lines = r->lines || *r->p == 'm';
  }
  bool group = r->p < r->end && *r->p == ':';
  r->p += r->p < r->end;
  if (fold && (group || negative || r->open.n > 1)) r->apart = false;
  r->fold = r->fold || fold;
  return group;
}

static void open_group(reader *r) {
  r->p++;
  if (is_at(r, "?")) {
    r->p++;
    if (!read_flags(r)) return;
  }
  *HX_VEC_PUSH(&r->cx->arena, &r->open) = (part){ 0 };
}

static void close_group(reader *r) {
  if (r->open.n < 2) return;
  part is = r->open.p[--r->open.n];
  is.places = add(is.places, is.alternates);
  is.group = true;
  r->last = is;
}

static void alternate(reader *r) {
  r->p++;
  r->branches = true;
  r->apart = false;
  r->open.p[r->open.n - 1].alternates = true;
}

/* Quantifiers */

/* What was read last may stand low to high times; high 0: without end. */
static void repeat(reader *r, uint32_t low, uint32_t high) {
  part *is = &r->last;
  bool endless = high == 0, ranges = endless || high != low;

  uint32_t most = endless ? add(low, low < 2 ? 0 : 1) : high;
  r->endless = r->endless || endless;
  r->branches = r->branches || ranges;
  is->optional = add(times(is->optional, most < 1 ? 1 : most), ranges && !endless && high > low ? high - low : 0);
  if (is->group && high == 1 && ranges) {
    is->places = add(is->places, 1);
    is->loose = add(is->loose, 1);
  } else if (is->group && !ranges) {
    is->places = times(is->places, most);
    is->literals = times(is->literals, most);
    is->loose = times(is->loose, most);
  } else if (is->group) {
    r->apart = false;
    is->places = times(add(is->places, is->literals), most < 1 ? 1 : most);
    is->literals = 0;
  } else if (is->literals && !ranges) {
    is->literals = most;
  } else {
    is->places = most < 1 ? 1 : most;
    is->literals = 0;
    is->loose = ranges && !endless ? most : 0;
  }
}

/* {n}, {n,} or {n,m}; false: braces that stand for themselves. */
static bool read_count(reader *r) {
  uint32_t at[2] = { 0, 0 }, i = 0;
  bool digits = false, comma = false;
  for (const char *p = r->p + 1; p < r->end; p++) {
    if (hx_is_digit(*p)) {
      at[i] = add(times(at[i], 10), (uint32_t)(*p - '0'));
      digits = true;
    } else if (*p == ',' && digits && !comma) {
      comma = true;
      i = 1;
    } else if (*p == '}' && digits) {
      uint32_t high = comma ? at[1] : at[0], inner = r->last.counts ? r->last.counts : 1;
      repeat(r, at[0], high);
      r->last.counts = times(inner, high > at[0] ? high : at[0]);
      r->refused = r->refused || r->last.counts > COUNT_MAX;
      r->p = p + 1;
      return true;
    } else {
      return false;
    }
  }
  return false;
}

static bool read_quantifier(reader *r) {
  switch (*r->p) {
    case '*': repeat(r, 0, 0); break;
    case '+': repeat(r, 1, 0); break;
    case '?': repeat(r, 0, 1); break;
    case '{': return read_count(r);
    default: return false;
  }
  r->p++;
  return true;
}

static void read_item(reader *r) {
  char_set all_but_newline = { { ~(UINT64_C(1) << '\n'), UINT64_MAX }, true };
  switch (*r->p) {
    case '\\':
      if (is_at(r, "\\Q")) read_quoted(r);
      else read_escape(r);
      break;
    case '[': read_brackets(r); break;
    case '(': open_group(r); return;
    case ')':
      r->p++;
      close_group(r);
      break;
    case '|': alternate(r); return;
    case '^':
    case '$': r->p++; return;
    case '.':
      r->p++;
      put_set(r, all_but_newline);
      break;
    default: put_literal(r, next_char(r)); break;
  }
}

void hx_pattern_measure(hx_cx *cx, hx_pattern *of) {
  hx_str pattern = of->text;
  reader r = { .cx = cx, .p = pattern.p, .end = pattern.p + pattern.len, .apart = true };
  *HX_VEC_PUSH(&cx->arena, &r.open) = (part){ 0 };
  while (r.p < r.end) {
    if (r.last.places + r.last.literals > 0 && read_quantifier(&r)) {
      if (r.p < r.end && *r.p == '?') r.p++; /* as few as may be: the automaton is the same */
      continue;
    }
    settle(&r);
    read_item(&r);
  }
  settle(&r);
  while (r.open.n > 1) close_group(&r), settle(&r);
  const part *all = &r.open.p[0];
  bool at_start = pattern.len > 1 && pattern.p[0] == '^' && !memchr("*?{", pattern.p[1], 3) && !r.lines && !all->alternates;
  bool short_look = at_start && !r.endless; /* no further than it is long */
  of->length = r.refused ? 0 : add(all->places, all->literals);
  of->optional = r.refused ? 0 : all->optional;
  of->straight = !r.branches;
  of->grows = !short_look && all->places > PLACES_MAX && !(r.apart && all->loose <= PLACES_MAX);
}
