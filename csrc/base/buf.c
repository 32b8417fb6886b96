/* buf.c: buffers that grow, and formatted text. */
#include "base/buf.h"

void hx_buf_init(hx_buf *b, hx_arena *arena, uint32_t cap) {
  *b = (hx_buf){ .arena = arena, .cap = cap };
  if (cap) b->p = hx_arena_alloc(arena, cap);
}

void hx_buf_more(hx_buf *b, uint32_t n) {
  uint64_t want = (uint64_t)b->len + n, cap = (uint64_t)b->cap * 2;
  if (cap < want) cap = want;
  if (cap < 64) cap = 64;
  if (cap > UINT32_MAX) cap = UINT32_MAX;
  if (want > cap) hx_abort(b->arena->cx, HX_WHY_MEMORY);
  b->p = hx_arena_grow(b->arena, b->p, b->cap, (size_t)cap);
  b->cap = (uint32_t)cap;
}

void hx_buf_c(hx_buf *b, const char *s) {
  hx_buf_str(b, hx_str_c(s));
}

void hx_buf_int(hx_buf *b, int64_t n) {
  char digits[24], *p = digits + sizeof digits;
  uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  do *--p = (char)('0' + u % 10);
  while (u /= 10);
  if (n < 0) *--p = '-';
  hx_buf_bytes(b, p, (uint32_t)(digits + sizeof digits - p));
}

void hx_buf_fill(hx_buf *b, char c, uint32_t n) {
  if (n) memset(hx_buf_reserve(b, n), c, n);
  b->len += n;
}

/* Formatted text */

static void put_unsigned(hx_buf *b, uint64_t u, uint32_t base, uint32_t width) {
  char digits[24], *end = digits + sizeof digits, *p = end;
  do *--p = "0123456789ABCDEF"[u % base];
  while (u /= base);
  while ((uint32_t)(end - p) < width && p > digits) *--p = ' ';
  hx_buf_bytes(b, p, (uint32_t)(end - p));
}

/* Appends at most the first `most` bytes of a text, cut at a character boundary. */
static void put_text(hx_buf *b, hx_str s, uint32_t most) {
  bool cut = s.len > most;
  if (cut) s.len = most;
  while (cut && s.len && ((unsigned char)s.p[s.len] & 0xC0) == 0x80) s.len--;
  hx_buf_str(b, s);
  if (cut) hx_buf_c(b, "…");
}

/* Takes the text for %s or %.*s from the arguments. If `sized` (%.*s), its length comes before it. */
static hx_str take_text(va_list *args, bool sized) {
  int len = sized ? va_arg(*args, int) : 0;
  const char *p = va_arg(*args, const char *);
  return sized ? (hx_str){ p, (uint32_t)len } : hx_str_c(p);
}

static void put_format(hx_buf *b, const char *fmt, va_list *args, uint32_t most) {
  for (const char *at; (at = strchr(fmt, '%')); fmt = at + 1) {
    uint32_t width = 0;
    hx_buf_bytes(b, fmt, (uint32_t)(at - fmt));
    at++;
    bool sized = *at == '.';
    if (sized) at += 2;
    for (; *at >= '0' && *at <= '9'; at++) width = width * 10 + (uint32_t)(*at - '0');
    bool wide = *at == 'l';
    if (wide) at += 2;
    switch (*at) {
      case 's': put_text(b, take_text(args, sized), most); break;
      case 'c': hx_buf_put(b, (char)va_arg(*args, int)); break;
      case 'd': hx_buf_int(b, wide ? va_arg(*args, long long) : va_arg(*args, int)); break;
      case 'u': put_unsigned(b, wide ? va_arg(*args, unsigned long long) : va_arg(*args, unsigned), 10, width); break;
      case 'X': put_unsigned(b, va_arg(*args, unsigned), 16, width); break;
      case '%': hx_buf_put(b, '%'); break;
      default: HX_UNREACHABLE();
    }
  }
  hx_buf_c(b, fmt);
}

void hx_buf_vf(hx_buf *b, const char *fmt, va_list *args) {
  put_format(b, fmt, args, UINT32_MAX);
}

void hx_buf_say(hx_buf *b, const char *fmt, va_list *args) {
  put_format(b, fmt, args, HX_SHOWN_MAX);
}

void hx_buf_f(hx_buf *b, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  hx_buf_vf(b, fmt, &args);
  va_end(args);
}

hx_str hx_buf_done(hx_buf *b) {
  hx_arena_trim(b->arena, b->p, b->cap, b->len);
  b->cap = b->len;
  return (hx_str){ b->len ? b->p : "", b->len }; /* never NULL, which libraries reject even for an empty text */
}
