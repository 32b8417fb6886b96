/* region.c: see region.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/region.h"

#include "base/stack.h"

#include <sys/mman.h>

/* Less in test builds, so that specs fill the region. */
#ifdef HX_TEST
#define SIZE ((size_t)32 << 20)
#else
#define SIZE ((size_t)256 << 20)
#endif
/* The first part has small pages, because the shortest commands need less than one large page. Large pages follow for most commands. The
** rest has small pages again: a virtual machine may have returned its free memory to the host, which takes milliseconds to provide a large
** page. */
#define FIRST_PART ((size_t)256 << 10)
#define LARGE_PART ((size_t)8 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
/* The bytes that are prepared at once, in the first part and later. */
#define PORTION ((size_t)32 << 10)
#define LARGE_PORTION ((size_t)256 << 10)

hx_region hx_region_used;

#if defined(MAP_NORESERVE) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void hx_region_open(void) {
  if (hx_region_used.first) return;
  char *p = mmap(NULL, SIZE + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return;
  char *large = p + LARGE_PAGE - (uintptr_t)p % LARGE_PAGE;
  if ((size_t)(large - p) < FIRST_PART) large += LARGE_PAGE;
#ifdef MADV_HUGEPAGE
  (void)madvise(large, LARGE_PART, MADV_HUGEPAGE);
#endif
  p = large - FIRST_PART;
  hx_region_used = (hx_region){ .first = p, .next = p, .ready = p, .end = large + SIZE - LARGE_PAGE };
}
#else
void hx_region_open(void) {
}
#endif

static size_t class_size(size_t class) {
  const size_t small = HX_REGION_SMALL / HX_REGION_UNIT;
  if (class <= small) return class * HX_REGION_UNIT;
  return (9 + (class - small - 1) % 8) << ((class - small - 1) / 8 + 6);
}

/* Asks the system for all pages of the next portion at once: a fault for each page would take half as long again, 2 % of a plan. */
static bool prepare(void) {
  if (hx_region_used.ready == hx_region_used.end) return false;
  size_t size = (size_t)(hx_region_used.ready - hx_region_used.first) < FIRST_PART ? PORTION : LARGE_PORTION;
#ifdef MADV_POPULATE_WRITE
  (void)madvise(hx_region_used.ready, size, MADV_POPULATE_WRITE);
#endif
  hx_region_used.ready += size;
  return true;
}

void *hx_region_take(size_t size) {
  hx_region *r = &hx_region_used;
  if (size - 1 >= HX_REGION_LARGEST) return NULL;
  size_t class = hx_region_class(size), rounded = class_size(class);
  void *p = r->free[class];
  if (p) {
    r->free[class] = *(void **)p;
    return p;
  }
  while ((size_t)(r->ready - r->next) < rounded)
    if (!prepare()) return NULL;
  p = r->next;
  r->next += rounded;
  return p;
}
