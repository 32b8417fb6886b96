/* home.h: memory that several userdata share: values and types made for Lua, the options of a scope, diagnostics kept, programs.
** Each is counted; a Lua state is one thread, so the counts are plain numbers.
** Memory: a home or unit is freed with its last reference. Make the userdata first, then the home: so nothing leaks when Lua raises.
** Errors: no memory: NULL. */
#ifndef HX_BINDING_HOME_H
#define HX_BINDING_HOME_H

#include "binding/compat.h"
#include "value/value.h"
#include "vm/program.h"

struct hx_state; /* binding/state.h */

typedef struct hx_home {
  hx_cx cx;
  uint32_t refs;
} hx_home;

/* With one reference. room: bytes of arena that come with it. */
hx_home *hx_home_new(uint32_t room);
HX_INLINE hx_home *hx_home_retain(hx_home *h) {
  h->refs++;
  return h;
}
/* NULL is fine. For hx_arena_defer, thus void. */
void hx_home_release(void *home);
/* Runs fn under a guard with all limits full again: a home is used by many short operations. */
hx_why hx_home_run(hx_home *h, void (*fn)(hx_cx *cx, void *ud), void *ud);
/* Its work is done for now, and it may live long: large scratch memory goes. */
void hx_home_rest(hx_home *h);
/* Keeps h until the arena of cx ends. */
void hx_home_keep(hx_cx *cx, hx_home *h);

/* Blocks of units that ended, kept for new ones: programs of small sources come and go by the thousand. A Lua state has one pool. */
#define HX_POOL_UNIT 128u /* sizes are multiples of it */
#define HX_POOL_SIZES 24u
typedef struct hx_pool {
  void *blocks[HX_POOL_SIZES + 1]; /* by size, chained; none is larger */
  size_t held, most;               /* their bytes */
} hx_pool;
void hx_pool_free(hx_pool *pool);

/* A program and what the binding keeps with it. */
typedef struct hx_unit {
  hx_program program;
  uint32_t refs;
  uint32_t runs;      /* evaluations begun, up to two: the second anchors the constants */
  uint32_t size;      /* of its block */
  bool fails;         /* it is expected to, with some scope: listing.h */
  struct hx_unit *of; /* the body's unit whose source and tree it shares, or NULL */
  hx_home *home;      /* of values that its program points at, or NULL */
} hx_unit;
#define HX_UNIT_SIZE ((sizeof(hx_unit) + 15) & ~(size_t)15)

/* A unit with one reference whose program is not made yet: zeroed, of its parent if any. Behind it are at least `room` bytes for the
** program's first pieces (hx_unit_room), so that a small one is a single block. NULL: no memory. */
hx_unit *hx_unit_new(hx_pool *pool, hx_unit *of, uint32_t room);
HX_INLINE void *hx_unit_room(hx_unit *u) {
  return (char *)u + HX_UNIT_SIZE;
}
HX_INLINE uint32_t hx_unit_room_size(const hx_unit *u) {
  return u->size - (uint32_t)HX_UNIT_SIZE;
}
HX_INLINE hx_unit *hx_unit_retain(hx_unit *u) {
  u->refs++;
  return u;
}
/* Call it in a function of ours (its upvalues hold the anchors). NULL is fine. */
void hx_unit_release(lua_State *L, hx_unit *u);
/* The same for who has the state at hand. */
void hx_unit_release_in(lua_State *L, struct hx_state *st, hx_unit *u);
/* The unit whose activity owns the source: positions are worked out there. */
HX_INLINE hx_unit *hx_unit_root(hx_unit *u) {
  while (u->of) u = u->of;
  return u;
}
/* Gives the strings among the constants a Lua string each. */
void hx_unit_anchor_constants(lua_State *L, hx_unit *u);

#endif
