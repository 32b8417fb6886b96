/* arena.h: memory with one lifetime. Pieces are allocated one by one and freed all at once.
** Memory: a piece lives until its arena is reset, released below a mark, or freed. Pieces are aligned to 16 bytes.
** Errors: nothing returns NULL. Without memory, hx_abort ends the arena's activity (cx.h). */
#ifndef HX_BASE_ARENA_H
#define HX_BASE_ARENA_H

#include "base/platform.h"

struct hx_cx;

typedef struct hx_chunk hx_chunk;
typedef struct hx_defer hx_defer;

typedef struct hx_arena {
  char *cur, *end;    /* free part of the newest chunk */
  char *start;        /* the value that a reset gives cur, if that is all it has to do; otherwise NULL */
  hx_chunk *chunks;   /* newest first */
  hx_defer *defers;   /* foreign handles to free, newest first */
  struct hx_cx *cx;   /* the activity that hx_abort ends */
  size_t held;        /* bytes of all chunks */
  hx_chunk *spares;   /* empty chunks of earlier activities: see hx_arena_reset */
  size_t spare;       /* bytes of the spares, included in held */
  uint32_t next_size; /* size of the chunk to take next */
  uint32_t seed_size;
  char *seed;  /* memory lent by hx_arena_seed, or NULL */
  bool reused; /* the arena was reset before, so it will be used again: spares are kept */
} hx_arena;

typedef struct hx_arena_mark {
  hx_chunk *chunk;
  char *cur;
  hx_defer *defers;
} hx_arena_mark;

void hx_arena_init(hx_arena *a, struct hx_cx *cx, uint32_t first_size);
/* Lends an empty arena its first memory, aligned to 16 bytes. The memory must stay valid until the arena is freed. */
void hx_arena_seed(hx_arena *a, void *room, uint32_t size);
/* Runs the deferred functions and frees all chunks. The arena may be used again. */
void hx_arena_free(hx_arena *a);
/* Empties the arena as hx_arena_free does, but keeps memory for its next use: one small chunk for good, and up to HX_ARENA_SPARE_MAX
** bytes of larger chunks, each until HX_ARENA_SPARE_RESETS resets have not used it. So successive large evaluations share memory: to get
** it from the system each time would cost more than an evaluation. */
#define HX_ARENA_SPARE_MAX ((size_t)8 << 20)
#define HX_ARENA_SPARE_RESETS 32u
void hx_arena_empty(hx_arena *a);
HX_INLINE void hx_arena_reset(hx_arena *a) {
  if (HX_LIKELY(a->start != NULL)) a->cur = a->start; /* the usual case after an evaluation */
  else hx_arena_empty(a);
}

void *hx_arena_more(hx_arena *a, size_t n);

/* Returns true if the arena can give n bytes without a new chunk. */
HX_INLINE bool hx_arena_has_room(const hx_arena *a, size_t n) {
  return n + 15 < (size_t)(a->end - a->cur);
}

HX_INLINE void *hx_arena_alloc(hx_arena *a, size_t n) {
  n = (n + 15) & ~(size_t)15;
  if (HX_LIKELY(n <= (size_t)(a->end - a->cur))) {
    void *p = a->cur;
    a->cur += n;
    return p;
  }
  return hx_arena_more(a, n);
}

/* Grows a piece: in place if it is the newest and the chunk has room, otherwise by copying. old_size is the size asked for before. */
void *hx_arena_grow(hx_arena *a, void *p, size_t old_size, size_t new_size);
/* Shrinks the newest piece to new_size bytes, and returns the rest to the arena. Does nothing to any other piece. */
void hx_arena_trim(hx_arena *a, void *p, size_t old_size, size_t new_size);

/* Calls free_fn(p) when the arena ends or is released below this point. Call it on the line after p was made: if no memory is left for the
** record, p is freed at once. */
void hx_arena_defer(hx_arena *a, void (*free_fn)(void *), void *p);
/* The bytes of the arena that a deferred function takes. */
#define HX_DEFER_SIZE (3 * sizeof(void *))

hx_arena_mark hx_arena_get_mark(const hx_arena *a);
/* Frees everything taken since the mark. */
void hx_arena_release(hx_arena *a, hx_arena_mark m);

/* Only in test builds. hx_arena_fail_after makes the n-th allocation from now fail (0: none fails). The other two functions return how
** many allocations were made, and how many blocks are held now. */
void hx_arena_fail_after(int64_t n);
int64_t hx_arena_allocations(void);
int64_t hx_arena_blocks(void);
/* The one allocator: every malloc of the project goes through these two functions. */
void *hx_raw_alloc(size_t n);
void hx_raw_free(void *p);
/* Calls the C library's memset. For some hundred bytes, compilers would write an inline instruction that takes far longer. */
void hx_raw_clear(void *p, size_t n);

#endif
