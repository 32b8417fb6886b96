/* nfc.c: converts text to normalisation form C, segment by segment, and skips parts that need no change. Like the reference, it follows
** the Stream-Safe Text Format of UAX #15: U+034F breaks a run of more than 30 marks. This also keeps the time for hostile input linear. */
#include "text/unicode.h"

#include "base/buf.h"
#include "text/ucd.h"

#define MARKS_MAX 30
#define JOINER 0x034F
/* Bytes that are examined for one step, in a text that isn't all ASCII. */
#define LOOK_BYTES 16u
/* A segment has room for a starter with its decomposition, the marks, and a joiner. */
#define SEGMENT_MAX 64

/* Hangul: the first code point of each kind of jamo and of the syllables, and how many there are of each kind. */
#define JAMO_L 0x1100
#define JAMO_V 0x1161
#define JAMO_T 0x11A7
#define SYLLABLE 0xAC00
#define L_COUNT 19
#define V_COUNT 21
#define T_COUNT 28

/* A character and the characters that combine with it, decomposed and in order. */
typedef struct segment {
  int32_t cps[SEGMENT_MAX];
  hx_ucd_form forms[SEGMENT_MAX]; /* combining classes */
  uint32_t n;
  uint32_t marks; /* characters that combine with the one before them, counted up to the limit */
  hx_buf *out;
} segment;

static bool is_syllable(int32_t cp) {
  return cp >= SYLLABLE && cp < SYLLABLE + L_COUNT * V_COUNT * T_COUNT;
}

static bool is_jamo_v(int32_t cp) {
  return cp >= JAMO_V && cp < JAMO_V + V_COUNT;
}

static bool is_jamo_t(int32_t cp) {
  return cp > JAMO_T && cp < JAMO_T + T_COUNT;
}

/* The first code point that may be a mark. */
#define MARKS_FROM 0x300

static hx_ucd_form part_form(int32_t cp) {
  return cp < MARKS_FROM ? (hx_ucd_form){ .mark = 0 } : hx_ucd_form_of(cp);
}

static bool combines_back(int32_t cp, hx_ucd_form form) {
  return form.joins || is_jamo_v(cp) || is_jamo_t(cp);
}

static bool is_mark_by(int32_t cp, hx_ucd_form form) {
  return form.mark != 0 || combines_back(cp, form);
}

static bool is_mark(int32_t cp) {
  return cp >= MARKS_FROM && is_mark_by(cp, hx_ucd_form_of(cp));
}

/* How many marks a character begins and ends with. They are counted in its compatibility decomposition, so that a run of marks is broken
** at the same places in all forms. */
typedef struct mark_count {
  uint32_t leading, trailing;
} mark_count;

static mark_count count_marks(int32_t cp) {
  int32_t parts[HX_UCD_PARTS_MAX];
  uint32_t n = hx_ucd_decompose(cp, parts, true), i;
  mark_count c = { 0, 0 };
  for (i = 0; i < n && is_mark(parts[i]); i++) c.leading++;
  for (i = n; i > 0 && is_mark(parts[i - 1]); i--) c.trailing++;
  return c;
}

/* Charges steps to payer; NULL: charges nothing. */
static void charge(hx_cx *payer, uint32_t steps) {
  if (payer) hx_charge_steps(payer, steps);
}

static bool is_plain_by_form(hx_cx *payer, int32_t cp) {
  hx_ucd_form form = hx_ucd_form_of(cp);
  if (is_mark_by(cp, form)) return false;
  if (form.parts != HX_UCD_COMPATIBLE) return form.parts == HX_UCD_WHOLE;
  charge(payer, 2); /* the decomposition may have 18 parts */
  return count_marks(cp).leading == 0;
}

/* Returns true if a character stays as it is, and doesn't combine with the one before it. */
HX_INLINE bool is_plain(hx_cx *payer, int32_t cp) {
  return cp < MARKS_FROM || is_syllable(cp) || is_plain_by_form(payer, cp);
}

/* Composes the segment in place. A combining starter (such as Bengali AA) becomes the base only for the very next character, as in the
** reference; by the letter of UAX #15 it would block all characters that follow. */
static void compose(segment *g) {
  int32_t *cps = g->cps;
  hx_ucd_form *forms = g->forms;
  uint32_t base = 0, kept = 1, i;
  for (i = 1; i < g->n; i++) {
    int32_t cp = cps[i], made = 0;
    if (combines_back(cp, forms[i])) {
      int before = forms[kept - 1].mark;
      if (before == 0) base = kept - 1;
      if (base == kept - 1 || before < forms[i].mark) made = hx_ucd_compose(cps[base], cp);
    }
    if (made) {
      cps[base] = made;
      forms[base] = part_form(made);
    } else {
      forms[kept] = forms[i];
      cps[kept++] = cp;
    }
  }
  g->n = kept;
}

static void flush(segment *g) {
  uint32_t i;
  if (g->n > 1) compose(g);
  for (i = 0; i < g->n; i++) g->out->len += hx_utf8_write(hx_buf_reserve(g->out, 4), g->cps[i]);
  g->n = 0;
}

/* Inserts a decomposed character. Marks are sorted by combining class. */
static void insert(segment *g, int32_t cp) {
  hx_ucd_form form = part_form(cp);
  uint32_t i;
  if (g->n > 0 && !is_mark_by(cp, form) && cp != JOINER) flush(g);
  HX_ASSERT(g->n < SEGMENT_MAX);
  for (i = g->n++; form.mark != 0 && i > 0 && g->forms[i - 1].mark > form.mark; i--) {
    g->cps[i] = g->cps[i - 1];
    g->forms[i] = g->forms[i - 1];
  }
  g->cps[i] = cp;
  g->forms[i] = form;
}

/* Adds a character to the segment, decomposed. Each part takes a step: skipping plain characters costs little in comparison. */
static void add(hx_cx *payer, segment *g, int32_t cp) {
  int32_t parts[HX_UCD_PARTS_MAX];
  uint32_t n = hx_ucd_decompose(cp, parts, false), i;
  mark_count c = count_marks(cp);
  charge(payer, n);
  if (c.leading == 0) {
    flush(g);
    g->marks = c.trailing;
  } else if (g->marks + c.leading > MARKS_MAX) {
    insert(g, JOINER);
    flush(g);
    g->marks = c.leading;
  } else {
    g->marks += c.leading;
  }
  for (i = 0; i < n; i++) insert(g, parts[i]);
}

/* Returns where normalising must begin: at the last plain character before the first one that isn't plain. Returns NULL if all text from
** p on stays as it is. */
static const char *find_work(hx_cx *payer, const char *p, const char *end) {
  const char *plain = p;
  while (p < end) {
    uint32_t n;
    int32_t cp;
    if ((unsigned char)*p < 0x80) {
      plain = p++;
      continue;
    }
    n = hx_utf8_read(p, end, &cp);
    if (cp >= 0 && !is_plain(payer, cp)) return plain;
    plain = p;
    p += n;
  }
  return NULL;
}

static hx_str normalise(hx_cx *cx, hx_cx *payer, hx_str s, const char *work) {
  const char *p = s.p, *end = s.p + s.len;
  hx_buf out;
  segment g;
  g.n = g.marks = 0;
  g.out = &out;
  hx_buf_init(&out, &cx->arena, s.len);
  while (work) {
    hx_buf_bytes(&out, p, (uint32_t)(work - p));
    p = work;
    while (p < end) {
      int32_t cp;
      uint32_t n = hx_utf8_read(p, end, &cp);
      if (p > work && (cp < 0 || is_plain(payer, cp))) break;
      if (cp < 0) hx_buf_bytes(&out, p, 1); /* ill-formed bytes are copied as they are */
      else add(payer, &g, cp);
      p += n;
    }
    flush(&g);
    work = find_work(payer, p, end);
  }
  hx_buf_bytes(&out, p, (uint32_t)(end - p));
  return hx_buf_done(&out);
}

static hx_str form_c(hx_cx *cx, hx_cx *payer, hx_str s) {
  const char *work;
  hx_arena_mark mark;
  hx_str done;
  if (hx_is_ascii(s) || !hx_unicode_knows(s)) return s;
  charge(payer, s.len / LOOK_BYTES);
  work = find_work(payer, s.p, s.p + s.len);
  if (!work) return s;
  mark = hx_arena_get_mark(&cx->arena);
  done = normalise(cx, payer, s, work);
  if (hx_str_eq(done, s)) {
    hx_arena_release(&cx->arena, mark);
    return s;
  }
  return done;
}

hx_str hx_nfc(hx_cx *cx, hx_str s) {
  return form_c(cx, cx, s);
}

hx_str hx_nfc_given(hx_cx *cx, hx_str s) {
  return form_c(cx, NULL, s);
}

/* Returns true if normalisation never changes this character at the end of a text, whatever text follows. */
static bool is_inert(int32_t cp) {
  if (is_syllable(cp) || (cp >= JAMO_L && cp < JAMO_L + L_COUNT)) return false;
  hx_ucd_form form = hx_ucd_form_of(cp);
  if (is_mark_by(cp, form) || form.is_joined) return false;
  return form.parts == HX_UCD_WHOLE || (form.parts == HX_UCD_COMPATIBLE && count_marks(cp).trailing == 0);
}

static uint32_t last_char(hx_str s, int32_t *cp) {
  uint32_t at = s.len - 1;
  while (at > 0 && s.len - at < 4 && ((unsigned char)s.p[at] & 0xC0) == 0x80) at--;
  hx_utf8_read(s.p + at, s.p + s.len, cp);
  return at;
}

/* Returns where the last character that can't combine with earlier ones begins, if later text could still change it or its marks.
** Otherwise, and without such a character, returns the length of s. */
static uint32_t last_change(hx_str s) {
  uint32_t at = s.len, marks = 0;
  int32_t cp;
  last_char(s, &cp);
  if (cp < 0 || is_inert(cp)) return s.len;
  while (at > 0) {
    mark_count c;
    uint32_t start = last_char(hx_str_of(s.p, at), &cp);
    if (cp < 0) return at;
    c = count_marks(cp);
    marks += c.trailing;
    if (marks > MARKS_MAX) return at;
    at = start;
    if (c.leading == 0) return at;
  }
  return s.len;
}

/* Returns true if the cluster is taken to be complete, as in the reference. The rules alone would let a mark join it. */
static bool ends_cluster(hx_str cluster) {
  static const char sure[] = "-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'";
  return cluster.len == 1 && memchr(sure, cluster.p[0], sizeof sure - 1) != NULL;
}

hx_str hx_known_before_cut(hx_str s) {
  return s.len ? hx_str_of(s.p, last_change(s)) : s;
}

/* First removes a last character that may still be composed. If that removes nothing, removes a last cluster that may still grow. The
** reference's scanner of clusters can't see that a lone line feed or carriage return is complete, and always stops there. */
hx_str hx_known_prefix(hx_str s) {
  uint32_t at = 0, last = 0, cut;
  if (!s.len) return s;
  cut = last_change(s);
  if (cut < s.len) return hx_str_of(s.p, cut);
  while (at < s.len) {
    uint32_t len = hx_grapheme_len(hx_str_of(s.p + at, s.len - at));
    if (len == 1 && (s.p[at] == '\n' || s.p[at] == '\r')) return hx_str_of(s.p, at);
    last = at;
    at += len;
  }
  return ends_cluster(hx_str_of(s.p + last, s.len - last)) ? s : hx_str_of(s.p, last);
}
