/* arena.c: chunks by doubling, a list of deferred frees, and the project's one allocator. */
#include "base/arena.h"

#include "base/cx.h"

#include <stdlib.h>

/* Chunks grow from the arena's first size to this one; a larger piece gets a chunk of its own. */
#define CHUNK_MAX (1u << 20)
/* What a reset keeps: larger chunks go back, so that one large evaluation doesn't hold memory for ever. */
#define KEEP_MAX (1u << 16)

struct hx_chunk {
  hx_chunk *older;
  size_t size; /* bytes of data */
  _Alignas(16) char data[];
};

struct hx_defer {
  hx_defer *older;
  void (*free_fn)(void *);
  void *p;
};

#ifdef HX_TEST
/* Which allocation fails, for specs that try them all; one Lua state at a time uses it. */
static int64_t fail_after = 0;
static int64_t allocations = 0;

void hx_arena_fail_after(int64_t n) {
  fail_after = n;
}

int64_t hx_arena_allocations(void) {
  return allocations;
}
#endif

void *hx_raw_alloc(size_t n) {
#ifdef HX_TEST
  allocations++;
  if (fail_after > 0 && --fail_after == 0) return NULL;
#endif
  return malloc(n);
}

void hx_raw_free(void *p) {
  free(p);
}

static void run_defers(hx_arena *a, const hx_defer *until) {
  while (a->defers != until) {
    hx_defer *d = a->defers;
    a->defers = d->older;
    d->free_fn(d->p);
  }
}

static void free_chunks(hx_arena *a, const hx_chunk *until) {
  while (a->chunks != until) {
    hx_chunk *c = a->chunks;
    a->chunks = c->older;
    a->held -= c->size + sizeof(hx_chunk);
    hx_raw_free(c);
  }
}

/* Where an arena without chunks stands: so that a piece of no bytes isn't NULL either. */
static _Alignas(16) char nowhere[16];

static void use_newest(hx_arena *a) {
  if (a->chunks) {
    a->cur = a->chunks->data;
    a->end = a->cur + a->chunks->size;
  } else {
    a->cur = a->seed ? a->seed : nowhere;
    a->end = a->cur + a->seed_size;
  }
}

void hx_arena_init(hx_arena *a, hx_cx *cx, uint32_t first_size) {
  *a = (hx_arena){ .cx = cx, .next_size = first_size < 256 ? 256 : first_size };
  use_newest(a);
}

void hx_arena_seed(hx_arena *a, void *room, uint32_t size) {
  HX_ASSERT(!a->chunks && !a->seed);
  a->seed = room;
  a->seed_size = size;
  use_newest(a);
}

void hx_arena_free(hx_arena *a) {
  run_defers(a, NULL);
  free_chunks(a, NULL);
  use_newest(a);
}

void hx_arena_reset(hx_arena *a) {
  if (a->defers) run_defers(a, NULL);
  if (a->chunks && (a->chunks->older || a->chunks->size > KEEP_MAX)) {
    hx_chunk *keep = NULL;
    while (a->chunks) {
      hx_chunk *c = a->chunks;
      a->chunks = c->older;
      if (!keep && c->size <= KEEP_MAX) {
        keep = c;
        continue;
      }
      a->held -= c->size + sizeof(hx_chunk);
      hx_raw_free(c);
    }
    if (keep) keep->older = NULL;
    a->chunks = keep;
    a->next_size = keep ? (uint32_t)keep->size : 4096;
  }
  use_newest(a);
}

void *hx_arena_more(hx_arena *a, size_t n) {
  size_t size = a->next_size;
  hx_chunk *c;
  if (n > SIZE_MAX / 2) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  if (size < n) size = n;
  c = hx_raw_alloc(sizeof(hx_chunk) + size);
  if (!c) hx_abort(a->cx, HX_WHY_NO_MEMORY);
  c->size = size;
  a->held += size + sizeof(hx_chunk);
  if (a->next_size < CHUNK_MAX) a->next_size *= 2;
  /* A large piece of its own goes below the chunk in use, whose room is not lost that way. But marks name the newest chunk, so
  ** order must be kept: the room is given up. */
  c->older = a->chunks;
  a->chunks = c;
  use_newest(a);
  a->cur += n;
  return c->data;
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
  if (sizeof(hx_defer) > (size_t)(a->end - a->cur)) {
    /* Taken by hand: if there is no memory for the record, p must not leak. */
    size_t size = a->next_size;
    hx_chunk *c = hx_raw_alloc(sizeof(hx_chunk) + size);
    if (!c) {
      free_fn(p);
      hx_abort(a->cx, HX_WHY_NO_MEMORY);
    }
    c->size = size;
    c->older = a->chunks;
    a->held += size + sizeof(hx_chunk);
    a->chunks = c;
    use_newest(a);
  }
  d = hx_arena_alloc(a, sizeof(hx_defer));
  *d = (hx_defer){ a->defers, free_fn, p };
  a->defers = d;
}

hx_arena_mark hx_arena_get_mark(const hx_arena *a) {
  return (hx_arena_mark){ a->chunks, a->cur, a->defers };
}

void hx_arena_release(hx_arena *a, hx_arena_mark m) {
  run_defers(a, m.defers);
  if (a->chunks != m.chunk) {
    if (m.chunk || a->seed) {
      free_chunks(a, m.chunk);
    } else {
      /* The arena was empty at the mark: keep its first chunk for the next user. */
      hx_chunk *c = a->chunks;
      while (c->older) {
        hx_chunk *older = c->older;
        a->held -= c->size + sizeof(hx_chunk);
        hx_raw_free(c);
        c = older;
      }
      a->chunks = c;
    }
    use_newest(a);
  }
  a->cur = a->chunks == m.chunk ? m.cur : a->chunks->data;
}
