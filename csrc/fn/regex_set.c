/* regex_set.c: patterns that are one set of ASCII characters, such as [^a-zA-Z0-9-]. Modules that make names replace the characters that a
** name can't have, and often use no other pattern. Loading RE2 and the C++ library for one takes 2.5 of the 35 million instructions of an
** answer of the console, and a seventh of its time. */
#include "fn/regex.h"

#include "base/ascii.h"
#include "fn/text_search.h"

static void add(hx_char_set *set, unsigned char c) {
  set->ascii[c / 64] |= (uint64_t)1 << c % 64;
}

static bool has(const hx_char_set *set, unsigned char c) {
  return c < 128 ? (set->ascii[c / 64] >> c % 64 & 1) != set->negative : set->negative;
}

/* Reads a character of a set, and moves *p past it; -1: it isn't plain ASCII, or may begin something else. */
static int read_char(const char **p, const char *end) {
  if (*p == end) return -1;
  unsigned char c = (unsigned char)*(*p)++;
  if (c >= 128 || c == '[') return -1;
  if (c != '\\') return c;
  if (*p == end) return -1;
  c = (unsigned char)*(*p)++;
  return c > ' ' && c < 127 && c != '_' && !hx_is_alnum((char)c) ? c : -1;
}

/* Reads a character or a range. */
static bool read_item(const char **p, const char *end, hx_char_set *set) {
  int from = read_char(p, end), to = from;
  if (end - *p >= 2 && (*p)[0] == '-' && (*p)[1] != ']') {
    ++*p;
    to = read_char(p, end);
  }
  if (from < 0 || to < from) return false;
  for (int c = from; c <= to; c++) add(set, (unsigned char)c);
  return true;
}

bool hx_char_set_read(hx_str pattern, hx_char_set *set) {
  const char *p = pattern.p + 1, *end = pattern.p + pattern.len;
  if (pattern.len < 3 || pattern.p[0] != '[') return false;
  *set = (hx_char_set){ .negative = *p == '^' };
  p += set->negative;
  bool good = p < end && *p != ']'; /* RE2 takes a ] at the beginning as a character */
  while (good && p < end && *p != ']') good = read_item(&p, end, set);
  return good && end - p == 1;
}

bool hx_char_set_find(const hx_char_set *set, hx_str text, uint32_t from, int64_t *at) {
  while (from < text.len && !has(set, (unsigned char)text.p[from])) from++;
  if (from >= text.len) return false;
  at[0] = from;
  at[1] = from + hx_code_point_len(hx_str_from(text, from));
  return true;
}
