/* file_pattern.c: matches names with patterns. Source: the reference's globbing library. It finds a mistake in a pattern only when
** a match reaches the mistake, so the names decide whether a wrong pattern is reported. After a `*` it never finds mistakes. */
#include "fn/file.h"

#include "text/unicode.h"

uint32_t hx_pattern_find(hx_str s, char c) {
  uint32_t from = 0;
  for (;;) {
    const char *at = from < s.len ? memchr(s.p + from, c, s.len - from) : NULL;
    if (!at) return s.len;
    uint32_t i = (uint32_t)(at - s.p);
    if (i == from || s.p[i - 1] != '\\') return i;
    from = i + 1;
  }
}

/* Reads the character at *at, and moves *at past it. Returns -1 if the text is malformed or ends there. */
static int32_t take(hx_str s, uint32_t *at) {
  int32_t cp = -1;
  if (*at < s.len) *at += hx_utf8_read(s.p + *at, s.p + s.len, &cp);
  return cp;
}

/* Reads a bound of a range in a class. Returns false if the class is malformed there. */
static bool take_bound(hx_str class, uint32_t *at, int32_t *cp) {
  *cp = take(class, at);
  if (*cp == '-') return false;
  if (*cp != '\\') return true;
  if (*at >= class.len) return false;
  *cp = take(class, at);
  return true;
}

/* Matches a character with a class between brackets. */
static hx_pattern_answer match_class(hx_str class, int32_t cp) {
  uint32_t at = 0;
  bool found = false, negated = class.len && class.p[0] == '^';
  if (!class.len) return HX_PATTERN_BAD;
  if (negated) at = 1;
  while (at < class.len) {
    int32_t low, high;
    if (!take_bound(class, &at, &low)) return HX_PATTERN_BAD;
    high = low;
    if (at < class.len && class.p[at] == '-') {
      at++;
      if (at >= class.len || !take_bound(class, &at, &high)) return HX_PATTERN_BAD;
    }
    if (low <= cp && cp <= high) found = true;
  }
  return found != negated ? HX_PATTERN_YES : HX_PATTERN_NO;
}

static hx_pattern_answer match(hx_cx *cx, hx_str pattern, hx_str name, uint32_t depth);

/* Tries to match the pattern after a `*` at each character of the name. */
static hx_pattern_answer match_star(hx_cx *cx, hx_str pattern, hx_str name, uint32_t depth) {
  uint32_t at = 0;
  while (at < name.len) {
    if (match(cx, pattern, hx_str_from(name, at), depth) == HX_PATTERN_YES) return HX_PATTERN_YES;
    take(name, &at);
  }
  return HX_PATTERN_NO;
}

/* Matches `{…}` and the pattern after it. options: the text in the braces. */
static hx_pattern_answer match_options(hx_cx *cx, hx_str options, hx_str after, hx_str name, uint32_t depth) {
  for (;;) {
    uint32_t end = hx_pattern_find(options, ',');
    hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
    char *p = hx_arena_alloc(&cx->scratch, (size_t)end + after.len);
    if (end) memcpy(p, options.p, end);
    if (after.len) memcpy(p + end, after.p, after.len);
    hx_pattern_answer a = match(cx, hx_str_of(p, (size_t)end + after.len), name, depth);
    hx_arena_release(&cx->scratch, mark);
    if (a != HX_PATTERN_NO || end == options.len) return a;
    options = hx_str_from(options, end + 1);
  }
}

static hx_pattern_answer match(hx_cx *cx, hx_str pattern, hx_str name, uint32_t depth) {
  uint32_t p = 0, n = 0;
  hx_stack_check();
  hx_check_depth(cx, depth);
  hx_charge_steps(cx, 1 + pattern.len / 32);
  if (!pattern.len) return name.len ? HX_PATTERN_NO : HX_PATTERN_YES;
  if (!name.len) return pattern.len == 1 && pattern.p[0] == '*' ? HX_PATTERN_YES : HX_PATTERN_NO;
  while (p < pattern.len && n < name.len) {
    uint32_t here = n, close;
    int32_t want = take(pattern, &p), cp = take(name, &n);
    hx_pattern_answer a;
    switch (want) {
      case '\\':
        want = take(pattern, &p);
        if (want < 0) return HX_PATTERN_BAD;
        if (want != cp) return HX_PATTERN_NO;
        break;
      case '*':
        if (p >= pattern.len) return HX_PATTERN_YES;
        return match_star(cx, hx_str_from(pattern, p), hx_str_from(name, here), depth + 1);
      case '[':
        close = hx_pattern_find(hx_str_from(pattern, p), ']');
        if (p + close == pattern.len) return HX_PATTERN_BAD;
        a = match_class((hx_str){ pattern.p + p, close }, cp);
        if (a != HX_PATTERN_YES) return a;
        p += close + 1;
        break;
      case '{':
        close = hx_pattern_find(hx_str_from(pattern, p), '}');
        if (p + close == pattern.len) return HX_PATTERN_BAD;
        return match_options(cx, (hx_str){ pattern.p + p, close }, hx_str_from(pattern, p + close + 1), hx_str_from(name, here),
                             depth + 1);
      case '?': break;
      default:
        if (want != cp) return HX_PATTERN_NO;
    }
  }
  if (p >= pattern.len) return n >= name.len ? HX_PATTERN_YES : HX_PATTERN_NO;
  for (; p < pattern.len && pattern.len - p <= 2; p++)
    if (pattern.p[p] != '*') return HX_PATTERN_NO;
  return p == pattern.len ? HX_PATTERN_YES : HX_PATTERN_NO;
}

hx_pattern_answer hx_pattern_match(hx_cx *cx, hx_str pattern, hx_str name) {
  return match(cx, pattern, name, 1);
}
