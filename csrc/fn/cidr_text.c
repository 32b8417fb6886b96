/* cidr_text.c: reads and writes internet addresses and prefixes. */
#include "fn/cidr.h"

#include "base/ascii.h"

#define GROUPS 8                     /* groups of 16 bits in an IPv6 address */
#define MAPPED_HIGH UINT64_C(0xffff) /* bits 32 to 63 of an IPv4 address in IPv6 form; the bits above are 0 */

/* Reading */

/* Reads a number of at most `max` at *p, and moves *p past it. Leading zeros are allowed. */
static bool read_number(const char **p, const char *end, uint32_t base, uint32_t max, uint32_t *out) {
  const char *start = *p;
  uint32_t n = 0;
  for (; *p < end && (uint32_t)hx_hex_digit(**p) < base; ++*p) {
    n = n * base + (uint32_t)hx_hex_digit(**p);
    if (n > max) return false;
  }
  *out = n;
  return *p > start;
}

/* Reads four decimal numbers, with nothing after them. reference: leading zeros are ignored: "010" is ten. */
static bool read_ipv4(const char *p, const char *end, uint32_t *out) {
  uint32_t part;
  *out = 0;
  for (int i = 0; i < 4; i++) {
    if (i > 0 && (p == end || *p++ != '.')) return false;
    if (!read_number(&p, end, 10, 255, &part)) return false;
    *out = *out << 8 | part;
  }
  return p == end;
}

static hx_bits join_groups(const uint16_t *g) {
  hx_bits bits = { 0, 0 };
  for (int i = 0; i < GROUPS; i++) bits = hx_bits_or(hx_bits_shift(bits, 16), (hx_bits){ 0, g[i] });
  return bits;
}

/* Reads groups up to the end of the text, and counts them in *n. The last two may be written as an IPv4 address. *gap: the place of "::",
** or -1 if none was read so far. */
static bool read_groups(const char *p, const char *end, uint16_t *g, int *n, int *gap) {
  uint32_t v;
  while (*n < GROUPS) {
    const char *start = p;
    if (!read_number(&p, end, 16, 0xffff, &v)) return false;
    if (p < end && *p == '.') {
      bool in_place = *n + 2 <= GROUPS && (*gap >= 0 || *n + 2 == GROUPS);
      if (!in_place || !read_ipv4(start, end, &v)) return false;
      g[(*n)++] = (uint16_t)(v >> 16);
      g[(*n)++] = (uint16_t)v;
      return true;
    }
    g[(*n)++] = (uint16_t)v;
    if (p == end) return true;
    if (*p++ != ':' || p == end) return false;
    if (*p != ':') continue;
    if (*gap >= 0) return false;
    *gap = *n;
    if (++p == end) return true;
  }
  return p == end;
}

static bool read_ipv6(const char *p, const char *end, hx_bits *out) {
  uint16_t g[GROUPS] = { 0 };
  int n = 0, gap = -1;
  if (end - p >= 2 && p[0] == ':' && p[1] == ':') {
    gap = 0;
    p += 2;
  }
  if ((gap < 0 || p < end) && !read_groups(p, end, g, &n, &gap)) return false;
  if (gap < 0 ? n < GROUPS : n == GROUPS) return false; /* "::" replaces one group at least */
  for (int i = n - 1; gap >= 0 && i >= gap; i--) {
    g[i + GROUPS - n] = g[i];
    g[i] = 0;
  }
  *out = join_groups(g);
  return true;
}

bool hx_ip_read(hx_str text, hx_ip *out) {
  const char *end = text.p + text.len;
  uint32_t v4;
  if (read_ipv4(text.p, end, &v4)) {
    *out = (hx_ip){ { 0, v4 }, HX_IPV4_BITS };
    return true;
  }
  out->width = HX_IPV6_BITS;
  return read_ipv6(text.p, end, &out->bits);
}

bool hx_prefix_read(hx_str text, hx_prefix *out) {
  const char *slash = text.len ? memchr(text.p, '/', text.len) : NULL, *end = text.p + text.len;
  if (!slash || !hx_ip_read(hx_str_of(text.p, (size_t)(slash - text.p)), &out->ip)) return false;
  const char *p = slash + 1;
  if (!read_number(&p, end, 10, out->ip.width, &out->length) || p != end) return false;
  out->ip.bits = hx_bits_and(out->ip.bits, hx_bits_not(hx_ip_free_bits(out->ip.width, out->length)));
  return true;
}

/* Kinds of addresses */

bool hx_ip_is_mapped(hx_ip ip) {
  return ip.width == HX_IPV6_BITS && ip.bits.hi == 0 && ip.bits.lo >> 32 == MAPPED_HIGH;
}

hx_ip hx_ip_plain(hx_ip ip) {
  if (!hx_ip_is_mapped(ip)) return ip;
  return (hx_ip){ { 0, ip.bits.lo & UINT32_MAX }, HX_IPV4_BITS };
}

hx_prefix hx_prefix_plain(hx_prefix p) {
  const uint32_t extra = HX_IPV6_BITS - HX_IPV4_BITS;
  if (!hx_ip_is_mapped(p.ip)) return p;
  return (hx_prefix){ hx_ip_plain(p.ip), p.length > extra ? p.length - extra : 0 };
}

hx_bits hx_ip_free_bits(uint32_t width, uint32_t length) {
  HX_ASSERT(length <= width);
  return hx_bits_low(width - length);
}

bool hx_prefix_has(hx_prefix p, hx_ip ip) {
  if (p.ip.width != ip.width) return false;
  hx_bits kept = hx_bits_not(hx_ip_free_bits(ip.width, p.length));
  return hx_bits_eq(hx_bits_and(ip.bits, kept), hx_bits_and(p.ip.bits, kept));
}

/* Writing */

static void write_ipv4(hx_buf *b, uint64_t bits) {
  for (uint32_t i = 0; i < 4; i++) {
    if (i) hx_buf_put(b, '.');
    hx_buf_int(b, (int64_t)(bits >> (24 - 8 * i) & 255));
  }
}

/* Writes a group in hexadecimal, without leading zeros. */
static void write_group(hx_buf *b, uint32_t group) {
  uint32_t shift = 12;
  while (shift && group >> shift == 0) shift -= 4;
  for (;; shift -= 4) {
    hx_buf_put(b, "0123456789abcdef"[group >> shift & 15]);
    if (shift == 0) return;
  }
}

/* Writes an address. The first of the longest runs of zeros becomes "::", if it is longer than one group. */
static void write_ipv6(hx_buf *b, hx_bits bits) {
  uint32_t g[GROUPS];
  int at = GROUPS, longest = 1;
  for (int i = 0; i < GROUPS; i++) g[i] = (uint32_t)((i < 4 ? bits.hi : bits.lo) >> (48 - 16 * (i % 4)) & 0xffff);
  for (int i = 0, run = 0; i < GROUPS; i++) {
    run = g[i] ? 0 : run + 1;
    if (run <= longest) continue;
    longest = run;
    at = i + 1 - run;
  }
  for (int i = 0; i < GROUPS; i++) {
    if (i == at) {
      hx_buf_c(b, "::");
      i += longest - 1;
      continue;
    }
    if (i > 0 && i != at + longest) hx_buf_put(b, ':');
    write_group(b, g[i]);
  }
}

void hx_ip_write(hx_buf *b, hx_ip ip) {
  ip = hx_ip_plain(ip);
  if (ip.width == HX_IPV4_BITS) write_ipv4(b, ip.bits.lo);
  else write_ipv6(b, ip.bits);
}

void hx_prefix_write(hx_buf *b, hx_prefix p) {
  p = hx_prefix_plain(p);
  hx_ip_write(b, p.ip);
  hx_buf_put(b, '/');
  hx_buf_int(b, p.length);
}
