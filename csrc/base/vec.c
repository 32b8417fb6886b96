/* vec.c: grows vectors. */
#include "base/vec.h"

#include "base/cx.h"

void hx_vec_grow(hx_arena *a, void **p, uint32_t *cap, uint32_t n, size_t size) {
  uint64_t want = *cap ? (uint64_t)*cap * 2 : 8;
  size_t bytes;
  if (want < n) want = n;
  if (want > UINT32_MAX || __builtin_mul_overflow(want, size, &bytes) || bytes > SIZE_MAX / 2) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  *p = hx_arena_grow(a, *p, *cap * size, bytes);
  *cap = (uint32_t)want;
}
