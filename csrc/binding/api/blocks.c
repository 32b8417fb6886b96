/* blocks.c: an allocator for Lua's heap, which takes pieces of the region (base/region.h). Lua calls pieces of memory blocks; they aren't
** HCL's blocks. What the region doesn't have comes from the allocator that Lua had before.
** Memory: that of region.h.
** Errors: none: without a region Lua keeps its allocator. */
#define _GNU_SOURCE /* dladdr */
#include "binding/state/openers.h"

#include "base/region.h"
#include "binding/state/state.h"

#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_NODELETE

/* The allocator that Lua had before. */
static lua_Alloc other;
static void *other_ud;

/* Allocates a block. tag: what Lua allocates (a type), or 0. */
static void *take(size_t tag, size_t size) {
  void *p = hx_region_take(size);
  return p || size == 0 ? p : other(other_ud, NULL, tag, size);
}

/* Frees the block p, or gives it another size. */
static void *resize(void *p, size_t size, size_t wanted) {
  if (!hx_region_has(p)) return other(other_ud, p, size, wanted);
  if (!wanted) {
    hx_region_give(p, size);
    return NULL;
  }
  if (wanted <= HX_REGION_LARGEST && hx_region_class(wanted) == hx_region_class(size)) return p;
  void *moved = take(0, wanted);
  if (!moved) return wanted < size ? p : NULL; /* shrinking a block must not fail */
  memcpy(moved, p, size < wanted ? size : wanted);
  hx_region_give(p, size);
  return moved;
}

/* The lua_Alloc function. size: the size of the block p; if p is NULL, the type of object that Lua allocates, or 0. */
static void *pooled(void *ud, void *p, size_t size, size_t wanted) {
  (void)ud;
  if (p) return resize(p, size, wanted);
  p = hx_region_take_ready(wanted);
  return p ? p : take(size, wanted);
}

/* Keeps the library in memory: Lua unloads it before it frees its last blocks. Returns false if that fails. */
static bool stays_loaded(void) {
  static const char here = 0;
  Dl_info info;
  return dladdr(&here, &info) && info.dli_fname && dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void pool_blocks(lua_State *L) {
  if (other || !stays_loaded()) return;
  hx_region_open();
  other = lua_getallocf(L, &other_ud);
  lua_setallocf(L, pooled, NULL);
}

#else
static void pool_blocks(lua_State *L) {
  (void)L;
}
#endif

/* core.pool_blocks(): makes the blocks of this state, and the core's own memory, come from the region from now on. Call it only in a
** process with one thread and one state, and not under LuaJIT, whose own allocator is as fast. */
static int l_pool_blocks(lua_State *L) {
  pool_blocks(L);
  return 0;
}

static const luaL_Reg functions[] = { { "pool_blocks", l_pool_blocks }, { NULL, NULL } };

void hx_open_blocks(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
