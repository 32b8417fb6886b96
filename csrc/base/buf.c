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

static void put_unsigned(hx_buf *b, uint64_t u, uint32_t base, uint32_t width) {
  char digits[24], *end = digits + sizeof digits, *p = end;
  do *--p = "0123456789ABCDEF"[u % base];
  while (u /= base);
  while ((uint32_t)(end - p) < width && p > digits) *--p = ' ';
  hx_buf_bytes(b, p, (uint32_t)(end - p));
}

hx_str hx_print_next(const char **fmt, hx_spec *spec) {
  const char *f = strchr(*fmt, '%');
  hx_str plain = hx_str_of(*fmt, f ? (size_t)(f - *fmt) : strlen(*fmt));
  *spec = (hx_spec){ 0, false, 0 };
  if (!f++) return plain;
  if (f[0] == '.' && f[1] == '*' && f[2] == 's') {
    spec->letter = 'S';
    *fmt = f + 3;
    return plain;
  }
  for (; *f >= '0' && *f <= '9'; f++) spec->width = (uint8_t)(spec->width * 10 + (*f - '0'));
  if (f[0] == 'l' && f[1] == 'l') spec->wide = true, f += 2;
  spec->letter = *f;
  *fmt = f + 1;
  return plain;
}

hx_arg hx_print_take(const hx_spec *spec, va_list *args) {
  hx_arg arg = { .number = 0 };
  switch (spec->letter) {
    case 'S':
      arg.text.len = (uint32_t)va_arg(*args, int);
      arg.text.p = va_arg(*args, const char *);
      break;
    case 's': arg.text = hx_str_c(va_arg(*args, const char *)); break;
    case 'c': arg.number = va_arg(*args, int); break;
    case 'd': arg.number = spec->wide ? va_arg(*args, long long) : va_arg(*args, int); break;
    case 'u': arg.number = spec->wide ? (int64_t)va_arg(*args, unsigned long long) : (int64_t)va_arg(*args, unsigned); break;
    case 'X': arg.number = (int64_t)va_arg(*args, unsigned); break;
    case '%': break;
    default: HX_UNREACHABLE();
  }
  return arg;
}

void hx_print_put(hx_buf *b, const hx_spec *spec, const hx_arg *arg) {
  switch (spec->letter) {
    case 'S':
    case 's': hx_draft_put(b, arg->text); break;
    case 'c': hx_buf_put(b, (char)arg->number); break;
    case 'd': hx_buf_int(b, arg->number); break;
    case 'u': put_unsigned(b, (uint64_t)arg->number, 10, spec->width); break;
    case 'X': put_unsigned(b, (uint64_t)arg->number, 16, spec->width); break;
    default: hx_buf_put(b, '%'); break;
  }
}

void hx_buf_vf(hx_buf *b, const char *fmt, va_list *args) {
  for (;;) {
    hx_spec spec;
    hx_buf_str(b, hx_print_next(&fmt, &spec));
    if (!spec.letter) return;
    hx_arg arg = hx_print_take(&spec, args);
    hx_print_put(b, &spec, &arg);
  }
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
