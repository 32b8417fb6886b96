/* print.c: the conversions of messages. */
#include "base/print.h"

#include "base/draft.h"

hx_str hx_print_next(const char **fmt, hx_spec *spec) {
  const char *f = strchr(*fmt, '%');
  hx_str plain = hx_str_of(*fmt, f ? (size_t)(f - *fmt) : strlen(*fmt));
  *spec = (hx_spec){ 0, false, 0 };
  if (!f) return plain;
  f++;
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

static void put_unsigned(hx_buf *b, uint64_t u, uint32_t base, uint32_t width) {
  char digits[24], *end = digits + sizeof digits, *p = end;
  do *--p = "0123456789ABCDEF"[u % base];
  while (u /= base);
  while ((uint32_t)(end - p) < width && p > digits) *--p = ' ';
  hx_buf_bytes(b, p, (uint32_t)(end - p));
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
