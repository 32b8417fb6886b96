/* text_search.c: searches a text within another. It first looks for places with the text's first byte, which is fast in ordinary
** texts. If too many of these places don't match, the rest is searched with a rolling hash, so that no text takes more than linear
** time. */
#include "fn/text_search.h"

#define HASH_FACTOR 16777619u

static uint32_t hash_bytes(const char *p, uint32_t n) {
  uint32_t h = 0;
  for (uint32_t i = 0; i < n; i++) h = h * HASH_FACTOR + (unsigned char)p[i];
  return h;
}

static uint32_t find_by_hash(hx_str s, hx_str needle, uint32_t from) {
  uint32_t m = needle.len, power = 1;
  if (m > s.len - from) return s.len;
  for (uint32_t i = 0; i < m; i++) power *= HASH_FACTOR;
  uint32_t want = hash_bytes(needle.p, m), is = hash_bytes(s.p + from, m);
  for (uint32_t at = from;; at++) {
    if (is == want && memcmp(s.p + at, needle.p, m) == 0) return at;
    if (at + m >= s.len) return s.len;
    is = is * HASH_FACTOR + (unsigned char)s.p[at + m] - power * (unsigned char)s.p[at];
  }
}

#define SHALLOW 16u      /* bytes that are compared first */
#define ASTRAY_BYTES 8u  /* comparing at a place costs as much as skipping this many bytes */
#define ASTRAY_FREE 1024 /* the cost, in bytes, of failed comparisons beyond the distance covered so far */

uint32_t hx_find_text(hx_str s, hx_str needle, uint32_t from) {
  uint32_t shallow = needle.len < SHALLOW ? needle.len : SHALLOW, start = from;
  uint64_t astray = 0;
  while (needle.len <= s.len - from) {
    const char *at = memchr(s.p + from, needle.p[0], s.len - from - needle.len + 1);
    if (!at) break;
    from = (uint32_t)(at - s.p);
    if (memcmp(at, needle.p, shallow) == 0) {
      if (memcmp(at, needle.p, needle.len) == 0) return from;
      astray += needle.len;
    }
    astray += ASTRAY_BYTES;
    from++;
    if (astray > ASTRAY_FREE + (uint64_t)(from - start)) return find_by_hash(s, needle, from);
  }
  return s.len;
}

uint32_t hx_count_text(hx_str s, hx_str needle) {
  uint32_t n = 0;
  for (uint32_t at = hx_find_text(s, needle, 0); at < s.len; at = hx_find_text(s, needle, at + needle.len)) n++;
  return n;
}

uint32_t hx_count_code_points(hx_str s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s.len; i++) n += !hx_is_continuation(s.p[i]);
  return n;
}

uint32_t hx_code_point_len(hx_str s) {
  uint32_t n = 1;
  while (n < s.len && hx_is_continuation(s.p[n])) n++;
  return n;
}
