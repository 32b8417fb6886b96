/* arena.c: allocates chunks whose sizes double, runs deferred frees, and wraps the C library's malloc. */
#include "base/arena.h"

#include "base/cx.h"
#include "base/region.h"

#ifdef HX_TEST
#include <stdatomic.h>
#endif
#include <stdlib.h>
#include <string.h>

/* Each new chunk is twice as large as the last, up to CHUNK_MAX. A larger piece gets its own chunk. */
#define CHUNK_MAX (1u << 20)
/* The largest chunk that a reset keeps for good. */
#define KEEP_MAX (1u << 16)

struct hx_chunk {
  hx_chunk *older;
  size_t size;  /* bytes of data */
  uint32_t age; /* of a spare chunk: resets since its last use */
  _Alignas(16) char data[];
};

struct hx_defer {
  hx_defer *older;
  void (*free_fn)(void *);
  void *p;
};
_Static_assert(sizeof(hx_defer) <= HX_DEFER_SIZE,
               "a record of a handle has a pointer to the older one, a function and its argument");

#ifdef HX_TEST
/* For specs that make each allocation fail in turn. All threads share these counters. */
static atomic_llong fail_after, allocations, blocks;

void hx_arena_fail_after(int64_t n) {
  fail_after = n;
}

int64_t hx_arena_allocations(void) {
  return allocations;
}

int64_t hx_arena_blocks(void) {
  return blocks;
}
#endif

/* A piece of the region begins with its size, which hx_raw_free needs. */
typedef struct region_piece {
  size_t size;
  _Alignas(16) char data[];
} region_piece;

/* Takes a piece from the region; NULL: it has none. */
static void *take_from_region(size_t n) {
  region_piece *piece = n < HX_REGION_LARGEST ? hx_region_take(n + sizeof *piece) : NULL;
  if (!piece) return NULL;
  piece->size = n + sizeof *piece;
  return piece->data;
}

static void free_piece(void *p) {
  region_piece *piece = (region_piece *)((char *)p - sizeof *piece);
  hx_region_give(piece, piece->size);
}

void *hx_raw_alloc(size_t n) {
#ifdef HX_TEST
  allocations++;
  if (fail_after > 0 && --fail_after == 0) return NULL;
#endif
  void *p = take_from_region(n);
  if (!p) p = malloc(n);
#ifdef HX_TEST
  if (p) blocks++;
#endif
  return p;
}

void hx_raw_clear(void *p, size_t n) {
  memset(p, 0, n);
}

void hx_raw_free(void *p) {
#ifdef HX_TEST
  if (p) blocks--;
#endif
  if (hx_region_has(p)) free_piece(p);
  else free(p);
}

static void run_defers(hx_arena *a, const hx_defer *until) {
  while (a->defers != until) {
    hx_defer *d = a->defers;
    a->defers = d->older;
    d->free_fn(d->p);
  }
}

static void free_chunk(hx_arena *a, hx_chunk *c) {
  a->held -= c->size + sizeof(hx_chunk);
  hx_raw_free(c);
}

/* Spare chunks. A request takes the smallest one that is large enough. The list is short, so it isn't sorted. */

static hx_chunk *unlink_spare(hx_arena *a, hx_chunk **at) {
  hx_chunk *c = *at;
  *at = c->older;
  a->spare -= c->size + sizeof(hx_chunk);
  return c;
}

static hx_chunk *take_spare(hx_arena *a, size_t n) {
  hx_chunk **best = NULL;
  for (hx_chunk **at = &a->spares; *at; at = &(*at)->older)
    if ((*at)->size >= n && (!best || (*at)->size < (*best)->size)) best = at;
  return best ? unlink_spare(a, best) : NULL;
}

static void age_spares(hx_arena *a, uint32_t most) {
  for (hx_chunk **at = &a->spares; *at;) {
    if (++(*at)->age > most) free_chunk(a, unlink_spare(a, at));
    else at = &(*at)->older;
  }
}

/* Takes a chunk out of use: keeps it as a spare or frees it. */
static void drop_chunk(hx_arena *a, hx_chunk *c) {
  if (!a->reused || c->size <= KEEP_MAX || c->size >= HX_ARENA_SPARE_MAX - a->spare) {
    free_chunk(a, c);
    return;
  }
  c->age = 0;
  c->older = a->spares;
  a->spares = c;
  a->spare += c->size + sizeof(hx_chunk);
}

static void drop_chunks(hx_arena *a, const hx_chunk *until) {
  while (a->chunks != until) {
    hx_chunk *c = a->chunks;
    a->chunks = c->older;
    drop_chunk(a, c);
  }
}

/* Empty pieces in an arena without chunks get this address, because no piece may be NULL. */
static _Alignas(16) char nowhere[16];

/* Returns true if the arena holds no more than a reset keeps for good. */
static bool is_modest(const hx_arena *a) {
  return !a->chunks || (!a->chunks->older && a->chunks->size <= KEEP_MAX);
}

static void use_newest(hx_arena *a) {
  if (a->chunks) {
    a->cur = a->chunks->data;
    a->end = a->cur + a->chunks->size;
  } else {
    a->cur = a->seed ? a->seed : nowhere;
    a->end = a->cur + a->seed_size;
  }
  a->start = a->reused && !a->defers && !a->spares && is_modest(a) ? a->cur : NULL;
}

void hx_arena_init(hx_arena *a, hx_cx *cx, uint32_t first_size) {
  *a = (hx_arena){ .cur = nowhere, .end = nowhere, .cx = cx, .next_size = first_size < 256 ? 256 : first_size };
}

void hx_arena_seed(hx_arena *a, void *room, uint32_t size) {
  HX_ASSERT(!a->chunks && !a->seed);
  a->seed = room;
  a->seed_size = size;
  use_newest(a);
}

void hx_arena_free(hx_arena *a) {
  a->reused = false;
  if (a->defers) run_defers(a, NULL);
  if (a->chunks) drop_chunks(a, NULL);
  if (a->spares) age_spares(a, 0);
  use_newest(a);
}

/* Empties all chunks. The newest chunk of at most KEEP_MAX bytes stays in use. The others become spares or are freed. */
static void empty_chunks(hx_arena *a) {
  hx_chunk *keep = NULL;
  while (a->chunks) {
    hx_chunk *c = a->chunks;
    a->chunks = c->older;
    if (!keep && c->size <= KEEP_MAX) keep = c;
    else drop_chunk(a, c);
  }
  if (keep) keep->older = NULL;
  a->chunks = keep;
  a->next_size = keep ? (uint32_t)keep->size : 4096;
}

void hx_arena_empty(hx_arena *a) {
  a->reused = true;
  if (a->defers) run_defers(a, NULL);
  if (a->spares) age_spares(a, HX_ARENA_SPARE_RESETS);
  if (!is_modest(a)) empty_chunks(a);
  use_newest(a);
}

/* Adds a chunk with room for n bytes as the newest one. Returns it, or NULL without memory. */
static hx_chunk *add_chunk(hx_arena *a, size_t n) {
  size_t size = a->next_size < n ? n : a->next_size;
  hx_chunk *c = a->spares ? take_spare(a, size) : NULL;
  if (!c) {
    c = hx_raw_alloc(sizeof(hx_chunk) + size);
    if (!c) return NULL;
    c->size = size;
    a->held += size + sizeof(hx_chunk);
  }
  c->older = a->chunks;
  a->chunks = c;
  use_newest(a);
  return c;
}

/* The memory limit counts logical sizes, and chunks may hold HELD_FACTOR times as many bytes. If they hold more, something takes memory
** that isn't counted, and the limit applies to that memory as well. */
#define HELD_FACTOR 16

static void check_held(hx_arena *a, size_t n) {
  uint64_t counted = (a->held + n) / HELD_FACTOR;
  if (counted > CHUNK_MAX && counted - CHUNK_MAX > a->cx->limits.memory) hx_abort(a->cx, HX_WHY_MEMORY);
}

void *hx_arena_more(hx_arena *a, size_t n) {
  if (n > SIZE_MAX / 2) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  check_held(a, n);
  if (!add_chunk(a, n)) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  if (a->next_size < CHUNK_MAX) a->next_size *= 2;
  a->cur += n;
  return a->chunks->data;
}

void *hx_arena_grow(hx_arena *a, void *p, size_t old_size, size_t new_size) {
  size_t old = (old_size + 15) & ~(size_t)15, now = (new_size + 15) & ~(size_t)15;
  void *q;
  if (p && (char *)p + old == a->cur && now <= (size_t)(a->end - (char *)p)) {
    a->cur = (char *)p + now;
    return p;
  }
  q = hx_arena_alloc(a, new_size);
  if (p && old_size) memcpy(q, p, old_size < new_size ? old_size : new_size);
  return q;
}

void hx_arena_trim(hx_arena *a, void *p, size_t old_size, size_t new_size) {
  size_t old = (old_size + 15) & ~(size_t)15, now = (new_size + 15) & ~(size_t)15;
  if (p && (char *)p + old == a->cur) a->cur = (char *)p + now;
}

void hx_arena_defer(hx_arena *a, void (*free_fn)(void *), void *p) {
  hx_defer *d;
  /* If no memory is left for the record, p must not leak. */
  if (sizeof(hx_defer) > (size_t)(a->end - a->cur) && !add_chunk(a, sizeof(hx_defer))) {
    free_fn(p);
    hx_abort(a->cx, HX_WHY_NO_MEMORY);
  }
  d = hx_arena_alloc(a, sizeof(hx_defer));
  *d = (hx_defer){ a->defers, free_fn, p };
  a->defers = d;
  a->start = NULL;
}

hx_arena_mark hx_arena_get_mark(const hx_arena *a) {
  return (hx_arena_mark){ a->chunks, a->cur, a->defers };
}

void hx_arena_release(hx_arena *a, hx_arena_mark m) {
  run_defers(a, m.defers);
  if (a->chunks != m.chunk) {
    if (m.chunk || a->seed) {
      drop_chunks(a, m.chunk);
    } else {
      /* The arena was empty at the mark. Keep its first chunk for the next user. */
      const hx_chunk *first = a->chunks;
      while (first->older) first = first->older;
      drop_chunks(a, first);
    }
    use_newest(a);
  }
  a->cur = a->chunks == m.chunk ? m.cur : a->chunks->data;
}
