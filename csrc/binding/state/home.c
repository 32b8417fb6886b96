/* home.c: the reference-counted memory of userdata, and the Lua strings that a program keeps alive. */
#include "binding/state/home.h"

#include "binding/state/state.h"

#include <string.h>

/* The size of the first piece of memory beyond a home's room. There are many values, and most need little memory. */
#define FIRST_CHUNK 256u

hx_home *hx_home_new(uint32_t room) {
  size_t head = (sizeof(hx_home) + 15) & ~(size_t)15;
  hx_home *h = hx_raw_alloc(head + room);
  if (!h) return NULL;
  hx_cx_init(&h->cx, NULL, FIRST_CHUNK);
  if (room) hx_arena_seed(&h->cx.arena, (char *)h + head, room & ~15u);
  h->refs = 1;
  return h;
}

void hx_home_release(void *home) {
  /* Homes keep homes: Values made from Values form chains of any length. To free a chain without recursion, a home that loses its
  ** last reference while another one is being freed only joins a list. */
  static HX_THREAD_LOCAL hx_home *waiting;
  static HX_THREAD_LOCAL bool freeing;
  hx_home *h = home;
  if (!h || --h->refs) return;
  h->next = waiting;
  waiting = h;
  if (freeing) return;
  for (freeing = true; (h = waiting);) {
    waiting = h->next;
    hx_cx_deinit(&h->cx);
    hx_raw_free(h);
  }
  freeing = false;
}

hx_why hx_home_run(hx_home *h, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  hx_cx *cx = &h->cx;
  hx_why why;
  hx_cx_refill(cx, &cx->limits);
  cx->diags = (hx_diags){ 0 };
  cx->why_source = NULL;
  why = hx_guard_run(cx, fn, ud);
  if (why != HX_WHY_NONE) hx_why_report(cx, why);
  return why;
}

void hx_home_rest(hx_home *h) {
  if (h->cx.scratch.held) hx_arena_free(&h->cx.scratch);
}

void hx_home_keep(hx_cx *cx, hx_home *h) {
  if (cx == &h->cx) return;
  hx_arena_defer(&cx->arena, hx_home_release, hx_home_retain(h));
}

static void *take_block(hx_pool *pool, uint32_t size) {
  void **at = &pool->blocks[size / HX_POOL_UNIT], *block = *at;
  if (!block) return hx_raw_alloc(size);
  *at = *(void **)block;
  pool->held -= size;
  return block;
}

static void drop_block(hx_pool *pool, void *block, uint32_t size) {
  if (pool->held + size > pool->most || size / HX_POOL_UNIT > HX_POOL_SIZES) {
    hx_raw_free(block);
    return;
  }
  void **at = &pool->blocks[size / HX_POOL_UNIT];
  *(void **)block = *at;
  *at = block;
  pool->held += size;
}

void hx_pool_free(hx_pool *pool) {
  for (uint32_t i = 0; i <= HX_POOL_SIZES; i++) {
    for (void *block = pool->blocks[i], *next; block; block = next) {
      next = *(void **)block;
      hx_raw_free(block);
    }
  }
  *pool = (hx_pool){ .most = 0 };
}

hx_unit *hx_unit_new(hx_pool *pool, hx_unit *of, uint32_t room) {
  uint32_t size = ((uint32_t)HX_UNIT_SIZE + room + HX_POOL_UNIT - 1) / HX_POOL_UNIT * HX_POOL_UNIT;
  HX_ASSERT(size / HX_POOL_UNIT <= HX_POOL_SIZES);
  hx_unit *u = take_block(pool, size);
  if (!u) return NULL;
  hx_raw_clear(u, sizeof *u);
  u->size = size;
  u->refs = 1;
  u->of = of ? hx_unit_retain(of) : NULL;
  return u;
}

static void drop_anchors(lua_State *L, hx_program *p) {
  for (uint32_t i = 0; i < p->npaths; i++) {
    hx_anchor_drop(L, p->paths[i].root_anchor);
    for (uint32_t j = 0; j < p->paths[i].n; j++) hx_anchor_drop(L, p->paths[i].steps[j].anchor);
  }
}

void hx_unit_release(lua_State *L, hx_unit *u) {
  hx_unit_release_in(L, hx_state_get(L), u);
}

void hx_unit_release_in(lua_State *L, hx_state *st, hx_unit *u) {
  while (u && --u->refs == 0) {
    hx_unit *of = u->of;
    drop_anchors(L, &u->program);
    hx_program_deinit(&u->program);
    hx_home_release(u->home);
    drop_block(&st->pool, u, u->size);
    u = of;
  }
}
