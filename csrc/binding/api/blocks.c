/* blocks.c: an allocator for Lua's heap (its "blocks" are pieces of memory, not HCL's blocks). The command uses it: a plan allocates some
** hundred thousand small pieces, keeps most of them to its end, and ends. malloc and free take 220 instructions for a piece; this takes 30,
** which saves a fifteenth of a plan. All sizes up to LARGEST are rounded up to a multiple of 16 bytes, their class, and come from one
** region; freed pieces are kept in a list for each class. Larger pieces, and all pieces when the region is full, come from the allocator
** that Lua had before.
** Memory: the region stays for the rest of the process; the system provides its pages as they are used.
** Errors: none: without a region Lua keeps its allocator. */
#define _GNU_SOURCE /* dladdr, MAP_NORESERVE */
#include "binding/state/openers.h"

#include "base/stack.h"
#include "binding/state/state.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#define CLASS ((size_t)16)
#define LARGEST ((size_t)512)
#define REGION ((size_t)64 << 20)
#define PORTION ((size_t)32 << 10) /* bytes of the region that are prepared at once; more than LARGEST */

/* Not under a sanitizer, which has to see each allocation. */
#if defined(RTLD_NODELETE) && defined(MAP_NORESERVE) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

typedef struct {
  char *first, *next, *ready, *end; /* ready: the end of the prepared pages */
  void *free[LARGEST / CLASS + 1];  /* lists by class; each free piece begins with the next one's address */
  lua_Alloc other;
  void *other_ud;
} pool;

/* Asks the system for all pages of the next portion at once: a fault for each page would take half as long again, 2 % of a plan.
** Returns false if the region is full. */
static bool extend(pool *s) {
  if (s->ready == s->end) return false;
#ifdef MADV_POPULATE_WRITE
  (void)madvise(s->ready, PORTION, MADV_POPULATE_WRITE);
#endif
  s->ready += PORTION;
  return true;
}

static void *take(pool *s, size_t tag, size_t size) {
  size_t class = (size + CLASS - 1) / CLASS;
  void *p = s->free[class];
  if (p) {
    s->free[class] = *(void **)p;
    return p;
  }
  if ((size_t)(s->ready - s->next) < class * CLASS && !extend(s)) return s->other(s->other_ud, NULL, tag, size);
  p = s->next;
  s->next += class * CLASS;
  return p;
}

static void give(pool *s, void *p, size_t size) {
  void **list = &s->free[(size + CLASS - 1) / CLASS];
  *(void **)p = *list;
  *list = p;
}

/* The lua_Alloc function. size: the size of the block p; if p is NULL, the type of object that Lua allocates, or 0. */
static void *pooled(void *ud, void *p, size_t size, size_t wanted) {
  pool *s = ud;
  if (!p) return wanted - 1 < LARGEST ? take(s, size, wanted) : wanted ? s->other(s->other_ud, NULL, size, wanted) : NULL;
  if ((char *)p < s->first || (char *)p >= s->end) return s->other(s->other_ud, p, size, wanted);
  if (!wanted) {
    give(s, p, size);
    return NULL;
  }
  if (wanted <= LARGEST && (wanted + CLASS - 1) / CLASS == (size + CLASS - 1) / CLASS) return p;
  void *moved = wanted <= LARGEST ? take(s, 0, wanted) : s->other(s->other_ud, NULL, 0, wanted);
  if (!moved) return wanted < size ? p : NULL; /* shrinking a block must not fail */
  memcpy(moved, p, size < wanted ? size : wanted);
  give(s, p, size);
  return moved;
}

/* Keeps the library in memory: Lua unloads it before it frees its last blocks. Returns false if that fails. */
static bool stays_loaded(void) {
  static const char here = 0;
  Dl_info info;
  return dladdr(&here, &info) && info.dli_fname && dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void pool_blocks(lua_State *L) {
  if (!stays_loaded()) return;
  void *region = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return;
  pool *s = region;
  *s = (pool){ .first = region, .ready = region, .end = (char *)region + REGION };
  (void)extend(s);
  s->next = s->first + (sizeof *s + CLASS - 1) / CLASS * CLASS;
  s->other = lua_getallocf(L, &s->other_ud);
  lua_setallocf(L, pooled, s);
}

#else
static void pool_blocks(lua_State *L) {
  (void)L;
}
#endif

/* core.pool_blocks(): makes the small blocks of this state come from the region from now on. Call it only once, and not under
** LuaJIT, whose own
** allocator is as fast. */
static int l_pool_blocks(lua_State *L) {
  pool_blocks(L);
  return 0;
}

static const luaL_Reg functions[] = { { "pool_blocks", l_pool_blocks }, { NULL, NULL } };

void hx_open_blocks(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
