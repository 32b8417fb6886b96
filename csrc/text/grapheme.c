/* grapheme.c: finds grapheme clusters, the characters that a reader sees. The classes of characters are those of UAX #29. The sequences
** are those of the reference, which differs from the annex in two cases: an emoji after a zero width joiner joins any cluster except a
** plain one, and a trailing consonant doesn't follow a leading one with an LV syllable. */
#include "text/unicode.h"

#include "text/ucd.h"

/* The state of reading clusters: the class of the next character and its length in bytes. The class is -1 at the end, or at bytes that
** can't be a character and form no cluster. */
typedef struct reader {
  const char *p, *end;
  uint32_t len;
  int kind;
} reader;

/* A class that only this file needs: U+FFFD is always a cluster of its own, like a control character. */
#define KIND_REPLACEMENT 100

/* Returns the length of a plain character at p by its lead byte alone, if that many continuation bytes follow; 0: they don't. The bytes
** need not form a valid character (overlong forms, surrogates): the reference counts columns in the same way. */
static uint32_t loose_len(const char *p, const char *end) {
  unsigned char c = (unsigned char)*p;
  uint32_t n = c >= 0xF8 ? 0 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 0, i;
  if (n == 0 || (size_t)(end - p) < n) return 0;
  for (i = 1; i < n; i++) {
    if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
  }
  return n;
}

static void look(reader *r) {
  int32_t cp;
  if (r->p == r->end) {
    r->kind = -1;
    return;
  }
  r->len = hx_utf8_read(r->p, r->end, &cp);
  if (cp < 0) {
    uint32_t n = loose_len(r->p, r->end);
    r->kind = n ? HX_UCD_PLAIN : -1;
    if (n) r->len = n;
  } else if (cp < 0x7F && cp >= 0x20) {
    r->kind = HX_UCD_PLAIN;
  } else if (cp == 0xFFFD) {
    r->kind = KIND_REPLACEMENT;
  } else {
    r->kind = (int)hx_ucd_cluster_of(cp);
  }
}

static void step(reader *r) {
  r->p += r->len;
  look(r);
}

static void step_all(reader *r, int kind) {
  while (r->kind == kind) step(r);
}

static bool is_extender(int kind) {
  return kind == HX_UCD_EXTEND || kind == HX_UCD_SPACING_MARK || kind == HX_UCD_JOINER;
}

/* Skips marks and joiners after a plain character. */
static void plain_tail(reader *r) {
  while (is_extender(r->kind)) step(r);
}

/* Skips marks and joiners after Hangul, emoji and flags. An emoji after a joiner belongs to the cluster. */
static void joining_tail(reader *r) {
  while (is_extender(r->kind)) {
    bool joins = r->kind == HX_UCD_JOINER;
    step(r);
    if (joins && r->kind == HX_UCD_PICTOGRAPHIC) step(r);
  }
}

/* Skips L+ ((LV? V+ | LVT) T* | LV)?  or  LV V* T*  or  V+ T*  or  LVT T*  or  T+ */
static void hangul(reader *r) {
  bool led = r->kind == HX_UCD_HANGUL_L;
  step_all(r, HX_UCD_HANGUL_L);
  if (r->kind == HX_UCD_HANGUL_LVT) {
    step(r);
  } else {
    bool lv = r->kind == HX_UCD_HANGUL_LV;
    bool v;
    if (lv) step(r);
    v = r->kind == HX_UCD_HANGUL_V;
    step_all(r, HX_UCD_HANGUL_V);
    if (led && !v) return;
  }
  step_all(r, HX_UCD_HANGUL_T);
}

static bool is_hangul(int kind) {
  return kind >= HX_UCD_HANGUL_L && kind <= HX_UCD_HANGUL_LVT;
}

/* Returns true if the character is always a cluster by itself. Then it can't follow a prepended mark. */
static bool stands_alone(int kind) {
  return kind < 0 || kind == KIND_REPLACEMENT || kind == HX_UCD_CR || kind == HX_UCD_LF || kind == HX_UCD_CONTROL;
}

uint32_t hx_grapheme_len(hx_str s) {
  reader r = { s.p, s.p + s.len, 0, 0 };
  HX_ASSERT(s.len > 0);
  if ((unsigned char)s.p[0] < 0x80 && (s.len == 1 || (unsigned char)s.p[1] < 0x80)) {
    return s.p[0] == '\r' && s.len > 1 && s.p[1] == '\n' ? 2 : 1;
  }
  look(&r);
  if (stands_alone(r.kind)) return r.len;
  step_all(&r, HX_UCD_PREPEND);
  if (stands_alone(r.kind)) return (uint32_t)(r.p - s.p);
  if (is_hangul(r.kind)) {
    hangul(&r);
    joining_tail(&r);
  } else if (r.kind == HX_UCD_PICTOGRAPHIC) {
    step(&r);
    joining_tail(&r);
  } else if (r.kind == HX_UCD_REGIONAL_INDICATOR) {
    step(&r);
    if (r.kind == HX_UCD_REGIONAL_INDICATOR) step(&r);
    joining_tail(&r);
  } else {
    step(&r);
    plain_tail(&r);
  }
  return (uint32_t)(r.p - s.p);
}

uint32_t hx_grapheme_count(hx_str s) {
  uint32_t n = 0;
  while (s.len) {
    uint32_t len = hx_grapheme_len(s);
    s = hx_str_of(s.p + len, s.len - len);
    n++;
  }
  return n;
}

#define EMOJI_STYLE 0xFE0F

uint32_t hx_grapheme_width(hx_str cluster) {
  const char *p = cluster.p, *end = p + cluster.len;
  int width = 0;
  while (p < end) {
    int32_t cp;
    int w;
    p += hx_utf8_read(p, end, &cp);
    w = cp < 0 ? 1 : cp == EMOJI_STYLE ? 2 : hx_ucd_width(cp);
    if (w > width) width = w;
  }
  return (uint32_t)width;
}
