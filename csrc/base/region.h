/* region.h: memory of a process that has one thread and ends soon, such as the command. A plan allocates some hundred thousand small
** pieces, and keeps most of them to its end. malloc and free take 220 instructions for a piece; these functions take 30, which saves a
** fifteenth of a plan. Sizes are rounded up to classes, and freed pieces are kept in a list for each class. The region has some large
** pages: the system provides one in a quarter of the time that it needs for the same memory in small pages. This saves a tenth of an
** answer of the console.
** Memory: the region stays for the rest of the process; the system provides its pages as they are used.
** Errors: NULL: the region isn't open, is full, or has no pieces of this size. */
#ifndef HX_BASE_REGION_H
#define HX_BASE_REGION_H

#include "base/platform.h"

#define HX_REGION_UNIT ((size_t)16)
/* Up to this size classes are multiples of the unit; from there on eight classes double the size. */
#define HX_REGION_SMALL ((size_t)512)
#define HX_REGION_LARGEST ((size_t)64 << 10)
#define HX_REGION_CLASSES 89

typedef struct hx_region {
  char *first, *next, *ready, *end; /* ready: the end of the pages that were asked for */
  void *free[HX_REGION_CLASSES];    /* lists by class; each free piece begins with the next one's address */
} hx_region;
extern hx_region hx_region_used;

/* Opens the region. It does nothing if the region is open, without memory, and under sanitizers, which have to see each allocation. */
void hx_region_open(void);
void *hx_region_take(size_t size);

/* Returns the class of a size from 1 to HX_REGION_LARGEST. */
HX_INLINE size_t hx_region_class(size_t size) {
  if (HX_LIKELY(size <= HX_REGION_SMALL)) return (size + HX_REGION_UNIT - 1) / HX_REGION_UNIT;
  size_t last = size - 1, doubled = 0;
  for (size_t n = last / HX_REGION_SMALL; n > 1; n /= 2) doubled++;
  return HX_REGION_SMALL / HX_REGION_UNIT + 1 + 8 * doubled + (last >> (doubled + 6)) % 8;
}

/* Takes a small piece if that needs no new pages; otherwise NULL, and hx_region_take may have one. */
HX_INLINE void *hx_region_take_ready(size_t size) {
  hx_region *r = &hx_region_used;
  if (size - 1 >= HX_REGION_SMALL) return NULL;
  size_t class = (size + HX_REGION_UNIT - 1) / HX_REGION_UNIT, rounded = class * HX_REGION_UNIT;
  char *p = r->free[class];
  if (p) {
    r->free[class] = *(void **)p;
    return p;
  }
  if (rounded > (size_t)(r->ready - r->next)) return NULL;
  p = r->next;
  r->next += rounded;
  return p;
}

HX_INLINE bool hx_region_has(const void *p) {
  return (const char *)p >= hx_region_used.first && (const char *)p < hx_region_used.end;
}

/* Frees a piece of the region. size: as it was asked for, or another of the same class. */
HX_INLINE void hx_region_give(void *p, size_t size) {
  void **list = &hx_region_used.free[hx_region_class(size)];
  *(void **)p = *list;
  *list = p;
}

#endif
