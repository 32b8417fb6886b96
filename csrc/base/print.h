/* print.h: formats of messages, one conversion after the other: for what writes them (buf.c) and what keeps them
** (draft.c).
** Known are %s %.*s %c %d %lld %u %llu %X %%, and a width for %u and %X. Nothing of the locale.
** Memory: texts are borrowed.
** Errors: none. A conversion that isn't known is a mistake of ours, and stops a test build. */
#ifndef HX_BASE_PRINT_H
#define HX_BASE_PRINT_H

#include "base/buf.h"

typedef struct hx_spec {
  char letter; /* s c d u X %, and S for %.*s; 0: none, the format ends */
  bool wide;   /* ll */
  uint8_t width;
} hx_spec;

typedef union hx_arg {
  hx_str text; /* s S */
  int64_t number;
} hx_arg;

HX_INLINE bool hx_spec_is_text(const hx_spec *spec) {
  return spec->letter == 's' || spec->letter == 'S';
}

/* The text up to the next conversion, which is read; fmt stands behind it then. */
hx_str hx_print_next(const char **fmt, hx_spec *spec);
/* What a conversion takes of the arguments, which are used up by it. */
hx_arg hx_print_take(const hx_spec *spec, va_list *args);
void hx_print_put(hx_buf *b, const hx_spec *spec, const hx_arg *arg);

#endif
