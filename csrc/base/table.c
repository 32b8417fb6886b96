/* table.c: makes hash tables, and hashes strings. */
#include "base/table.h"

hx_table hx_table_new(hx_arena *arena, uint64_t n) {
  uint32_t size = 16;
  while (size <= n * 2) size *= 2;
  hx_table t = { hx_arena_alloc(arena, (size_t)size * sizeof *t.slots), size - 1 };
  memset(t.slots, 0, (size_t)size * sizeof *t.slots);
  return t;
}

static inline uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b;
  a *= UINT64_C(0x9E3779B97F4A7C15);
  return a ^ (a >> 29);
}

uint32_t hx_str_hash(hx_str s) {
  uint64_t h = UINT64_C(0x2545F4914F6CDD1D) ^ s.len;
  const char *p = s.p, *end = p + s.len;
  uint64_t w = 0;
  if (s.len >= 8) {
    for (; end - p > 8; p += 8) {
      memcpy(&w, p, 8);
      h = mix(h, w);
    }
    memcpy(&w, end - 8, 8); /* some bytes are hashed twice */
  } else if (s.len >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, end - 4, 4);
    w = (uint64_t)last << 32 | first;
  } else if (s.len) {
    w = (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[s.len / 2] << 8 | (uint64_t)(unsigned char)end[-1] << 16;
  }
  h = mix(h, w);
  /* The last bytes of the string have changed only high bits. These must reach the low bits, which choose the slot. */
  h = (h ^ (h >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
  return (uint32_t)(h >> 32);
}
