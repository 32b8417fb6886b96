/* home.h: homes and units, which are memory that several userdata share. A home has values and types made for Lua, the options of a
** scope, or kept diagnostics; a unit has a program. Each counts its references; a Lua state is one thread, so the counts are plain
** numbers.
** Memory: a home or unit is freed with its last reference. Make the userdata first, then the home: then nothing leaks when Lua
** raises.
** Errors: NULL: out of memory. */
#ifndef HX_BINDING_STATE_HOME_H
#define HX_BINDING_STATE_HOME_H

#include "binding/state/compat.h"
#include "value/value.h"
#include "vm/compile/program.h"

struct hx_state; /* binding/state/state.h */

typedef struct hx_home {
  hx_cx cx;
  uint32_t refs;
  struct hx_home *next; /* the next home to be freed: see home.c */
} hx_home;

/* Makes a home with one reference, and room for `room` bytes in its arena. */
hx_home *hx_home_new(uint32_t room);
HX_INLINE hx_home *hx_home_retain(hx_home *h) {
  h->refs++;
  return h;
}
/* Releases a reference. home may be NULL, and is a void * for hx_arena_defer. */
void hx_home_release(void *home);
/* Runs fn under a guard. All limits start anew, because a home serves many short operations. */
hx_why hx_home_run(hx_home *h, void (*fn)(hx_cx *cx, void *ud), void *ud);
/* Frees the scratch memory of a home that isn't used at present and may live long. */
void hx_home_rest(hx_home *h);
/* Keeps h alive until the arena of cx is freed. */
void hx_home_keep(hx_cx *cx, hx_home *h);

/* Blocks of freed units, which wait for new units, because programs of small sources come and go by the thousand. Each Lua state
** has one pool. */
#define HX_POOL_UNIT 128u /* all sizes are multiples of it */
#define HX_POOL_SIZES 25u
typedef struct hx_pool {
  void *blocks[HX_POOL_SIZES + 1]; /* a chain for each size; larger blocks aren't kept */
  size_t held, most;               /* bytes of the kept blocks: now, and at most */
} hx_pool;
void hx_pool_free(hx_pool *pool);

/* A program, and what the binding adds to it. */
typedef struct hx_unit {
  hx_program program;
  uint32_t refs;
  uint32_t size;      /* of the unit's block */
  struct hx_unit *of; /* the unit of the body whose source and tree this one shares, or NULL */
  hx_home *home;      /* the home of values that the program points to, or NULL */
} hx_unit;
#define HX_UNIT_SIZE ((sizeof(hx_unit) + 15) & ~(size_t)15)

/* Makes a zeroed unit with one reference, whose program is still to be made. of: the unit that owns the source and tree, or NULL. At
** least `room` bytes follow the unit, for the program's first pieces (hx_unit_room): so a small program is a single block. NULL: out
** of memory. */
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
/* Releases a reference; u may be NULL. The caller must be a C function of this module, whose upvalues have the anchors. */
void hx_unit_release(lua_State *L, hx_unit *u);
/* As hx_unit_release, for callers that have the state. */
void hx_unit_release_in(lua_State *L, struct hx_state *st, hx_unit *u);
/* Returns the unit whose activity owns the source, and so computes positions. */
HX_INLINE hx_unit *hx_unit_root(hx_unit *u) {
  while (u->of) u = u->of;
  return u;
}

#endif
