/* buf.h: a growing run of bytes in an arena.
** Memory: the bytes lie in the arena given at init. The text that hx_buf_done returns is valid until the arena ends, or until the buffer is
**   written to again.
** Errors: no memory: hx_abort. Sizes are checked; more than 4 GiB aborts with HX_WHY_MEMORY. */
#ifndef HX_BASE_BUF_H
#define HX_BASE_BUF_H

#include "base/cx.h"

#include <stdarg.h>

typedef struct hx_buf {
  char *p;
  uint32_t len, cap;
  hx_arena *arena;
} hx_buf;

void hx_buf_init(hx_buf *b, hx_arena *arena, uint32_t cap);
void hx_buf_more(hx_buf *b, uint32_t n);

HX_INLINE char *hx_buf_reserve(hx_buf *b, uint32_t n) {
  if (HX_UNLIKELY(n > b->cap - b->len)) hx_buf_more(b, n);
  return b->p + b->len;
}
HX_INLINE void hx_buf_put(hx_buf *b, char c) {
  *hx_buf_reserve(b, 1) = c;
  b->len++;
}
HX_INLINE void hx_buf_bytes(hx_buf *b, const char *p, uint32_t n) {
  if (n) memcpy(hx_buf_reserve(b, n), p, n);
  b->len += n;
}
HX_INLINE void hx_buf_str(hx_buf *b, hx_str s) {
  hx_buf_bytes(b, s.p, s.len);
}
void hx_buf_c(hx_buf *b, const char *s);
void hx_buf_int(hx_buf *b, int64_t n);
void hx_buf_fill(hx_buf *b, char c, uint32_t n);
/* Appends formatted text as printf does, but independent of the locale. The conversions are %s %.*s %c %d %lld %u %llu %X %%; %u and %X
** may have a width. Any other conversion is a bug, and stops a test build. hx_buf_vf uses up its va_list. */
void hx_buf_vf(hx_buf *b, const char *fmt, va_list *args);
void hx_buf_f(hx_buf *b, const char *fmt, ...) HX_PRINTF(2, 3);
/* Appends a message as hx_buf_vf does, but cuts each text among the arguments to HX_SHOWN_MAX bytes, because a name may be as long as
** its source. */
#define HX_SHOWN_MAX 16384u
void hx_buf_say(hx_buf *b, const char *fmt, va_list *args);
/* Returns the text so far, never NULL. Unused memory returns to the arena if possible. */
hx_str hx_buf_done(hx_buf *b);

#endif
