/* print.h: the conversions of a message's format, one after the other. buf.c writes them, draft.c keeps them.
** The conversions are %s %.*s %c %d %lld %u %llu %X %%, and a width for %u and %X. None depends on the locale.
** Memory: texts are borrowed.
** Errors: none. Any other conversion is a bug, and stops a test build. */
#ifndef HX_BASE_PRINT_H
#define HX_BASE_PRINT_H

#include "base/buf.h"

typedef struct hx_spec {
  char letter; /* s c d u X %, and S for %.*s; 0: end of the format */
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

/* Returns the text up to the next conversion, and reads that conversion. fmt then points behind it. */
hx_str hx_print_next(const char **fmt, hx_spec *spec);
/* Takes a conversion's argument off the list. */
hx_arg hx_print_take(const hx_spec *spec, va_list *args);
void hx_print_put(hx_buf *b, const hx_spec *spec, const hx_arg *arg);

#endif
