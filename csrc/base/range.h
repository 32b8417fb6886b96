/* range.h: a range of source text as byte offsets; the end is exclusive. text/source.c computes line and column when a range is shown.
** Memory: by value.
** Errors: none. */
#ifndef HX_BASE_RANGE_H
#define HX_BASE_RANGE_H

#include "base/platform.h"

typedef struct hx_range {
  uint32_t start, stop;
} hx_range;

HX_INLINE hx_range hx_range_of(uint32_t start, uint32_t stop) {
  return (hx_range){ start, stop };
}
/* Returns the range from the start of a to the end of b. */
HX_INLINE hx_range hx_range_join(hx_range a, hx_range b) {
  return (hx_range){ a.start < b.start ? a.start : b.start, a.stop > b.stop ? a.stop : b.stop };
}

#endif
