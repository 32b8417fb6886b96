/* buf.c: growing runs of bytes, and formats written to them. */
#include "base/buf.h"

#include "base/print.h"

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

/* most: so many bytes of each text, up to a whole character. */
static void put_format(hx_buf *b, const char *fmt, va_list *args, uint32_t most) {
  for (;;) {
    hx_spec spec;
    hx_buf_str(b, hx_print_next(&fmt, &spec));
    if (!spec.letter) return;
    hx_arg arg = hx_print_take(&spec, args);
    bool cut = hx_spec_is_text(&spec) && !hx_is_draft(arg.text) && arg.text.len > most;
    if (cut) arg.text.len = most;
    while (cut && arg.text.len && ((unsigned char)arg.text.p[arg.text.len] & 0xC0) == 0x80) arg.text.len--;
    hx_print_put(b, &spec, &arg);
    if (cut) hx_buf_c(b, "…");
  }
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
  return (hx_str){ b->len ? b->p : "", b->len }; /* libraries take no NULL for an empty text */
}
