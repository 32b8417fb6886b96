/* vec.c: growth of vectors. */
#include "base/vec.h"

#include "base/cx.h"

void hx_vec_grow(hx_arena *a, void **p, uint32_t *cap, uint32_t n, size_t size) {
  uint64_t want = *cap ? (uint64_t)*cap * 2 : 8;
  if (want < n) want = n;
  if (want > UINT32_MAX || want > SIZE_MAX / 2 / size) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  *p = hx_arena_grow(a, *p, *cap * size, (size_t)want * size);
  *cap = (uint32_t)want;
}
