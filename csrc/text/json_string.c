/* json_string.c: checks and decodes a JSON string in one pass, from its opening quote to its closing one. */
#include "text/json_string.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "text/unicode.h"

/* Flags of a byte: it ends a stretch of plain bytes, it isn't ASCII, or it is $ or %. */
enum { ENDS = 1, HIGH = 2, SIGIL = 4 };

#define CLASS(c) \
  (uint8_t)((c) < 0x20 || (c) == '"' || (c) == '\\' ? ENDS : (c) >= 0x80 ? HIGH : (c) == '$' || (c) == '%' ? SIGIL : 0)

static const uint8_t classes[256] = { HX_BYTE_ROWS(CLASS) };

static const char escapes[128] = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns the top bit of each byte of w that isn't plain ASCII: controls, quotes, backslashes, $, % and bytes beyond ASCII. Bytes above the
** first such byte may be marked by mistake. */
static inline uint64_t special_bytes(uint64_t w) {
  uint64_t quote = w ^ EACH('"'), slash = w ^ EACH('\\'), sigil = (w & EACH(0xFE)) ^ EACH('$');
  uint64_t below = (w - EACH(0x20)) | (quote - EACH(1)) | (slash - EACH(1)) | (sigil - EACH(1));
  return (w | below) & HX_HIGH_BITS;
}

/* Skips plain ASCII, a word at a time. Returns where to continue byte by byte. */
static inline const char *skip_plain(const char *p, const char *end) {
  for (uint64_t w; end - p >= 8; p += 8) {
    memcpy(&w, p, 8);
    uint64_t special = special_bytes(w);
    if (!special) continue;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return p + __builtin_ctzll(special) / 8;
#else
    return p;
#endif
  }
  return p;
}

/* Returns the value of four hex digits at p, or -1. */
static int32_t hex4(const char *p, const char *end) {
  int32_t cp = 0;
  if (end - p < 4) return -1;
  for (int i = 0; i < 4; i++) {
    int d = hx_hex_digit(p[i]);
    if (d < 0) return -1;
    cp = cp * 16 + d;
  }
  return cp;
}

/* Where the string ends, and whether it is well-formed */

static void wrong(hx_json_string *s, const char *at, const char *why) {
  if (s->why) return;
  s->bad = at;
  s->why = why;
}

/* Checks the escape whose backslash is at p. Returns the place after it, or NULL if the string ends there. */
static const char *skip_escape(hx_json_string *s, const char *p, const char *end) {
  if (++p == end || (unsigned char)*p < 0x20) return NULL;
  unsigned char c = (unsigned char)*p;
  if (c == 'u') {
    const char *digits = ++p;
    while (p < end && p - digits < 4 && hx_hex_digit(*p) >= 0) p++;
    if (p < end && (unsigned char)*p >= 0x20 && p - digits < 4) wrong(s, p, "\\u takes four hexadecimal digits");
    return p;
  }
  if (c >= 128 || !escapes[c]) {
    wrong(s, p, "JSON has no such escape");
    return p;
  }
  return p + 1;
}

/* Decoding */

/* Decodes \uXXXX; p is after the u. Returns the place after the escape. Surrogates that aren't in pairs become U+FFFD. */
static const char *decode_u(hx_buf *b, const char *p, const char *end) {
  int32_t cp = hex4(p, end);
  p += 4;
  if (cp >= 0xD800 && cp < 0xE000) {
    int32_t low = -1;
    if (cp < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') low = hex4(p + 2, end);
    if (low >= 0xDC00 && low < 0xE000) {
      p += 6;
      cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
    } else {
      cp = 0xFFFD;
    }
  }
  b->len += hx_utf8_write(hx_buf_reserve(b, 4), cp);
  return p;
}

/* Decodes one character, escaped or not, well-formed or not. Returns the place after it. */
static const char *decode_one(hx_buf *b, const char *p, const char *end) {
  if (*p == '\\') {
    if (p[1] == 'u') return decode_u(b, p + 2, end);
    hx_buf_put(b, escapes[(unsigned char)p[1]]);
    return p + 2;
  }
  int32_t cp;
  uint32_t n = hx_utf8_read(p, end, &cp);
  if (cp < 0) hx_buf_bytes(b, "\xEF\xBF\xBD", 3);
  else hx_buf_bytes(b, p, n);
  return p + n;
}

static hx_str decode(hx_cx *cx, const char *p, const char *end) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, (uint32_t)(end - p));
  while (p < end) {
    const char *from = p;
    while (p < end && !(classes[(unsigned char)*p] & (ENDS | HIGH))) p++;
    hx_buf_bytes(&b, from, (uint32_t)(p - from));
    if (p < end) p = decode_one(&b, p, end);
  }
  return hx_buf_done(&b);
}

void hx_json_string_read(hx_cx *cx, const char *open, const char *end, hx_json_string *out) {
  const char *p = open + 1, *from = p;
  uint8_t seen = 0;
  bool escaped = false;
  out->why = NULL;
  for (;;) {
    uint8_t c = 0;
    p = skip_plain(p, end);
    while (p < end && !((c = classes[(unsigned char)*p]) & ENDS)) seen |= c, p++;
    if (p == end || *p != '\\') break;
    escaped = true;
    const char *after = skip_escape(out, p, end);
    if (!after) {
      p++;
      break;
    }
    p = after;
  }
  bool closed = p < end && *p == '"';
  out->end = closed ? p + 1 : p;
  if (!closed) wrong(out, p, "the string has no end");
  if (out->why) return;
  out->text = hx_str_of(from, (size_t)(p - from));
  out->ascii = !(seen & HIGH);
  out->sigils = seen & SIGIL || escaped;
  out->verbatim = !escaped && (out->ascii || hx_utf8_valid(out->text));
  if (!out->verbatim) out->text = decode(cx, from, p);
}

uint32_t hx_json_string_written(const char *open, const char *end, uint32_t n) {
  const char *p = open + 1;
  uint32_t done = 0;
  while (done < n && p < end && *p != '"') {
    char room[4];
    int32_t cp;
    if (*p != '\\') {
      uint32_t len = hx_utf8_read(p, end, &cp);
      done += cp < 0 ? 3 : len;
      p += len;
    } else if (p[1] != 'u') {
      done++;
      p += 2;
    } else {
      hx_buf b = { .p = room, .cap = sizeof room };
      p = decode_u(&b, p + 2, end);
      done += b.len;
    }
  }
  return (uint32_t)(p - open - 1);
}
