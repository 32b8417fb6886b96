/* home.h: memory that several userdata share: values and types made for Lua, the options of a scope, diagnostics kept, programs.
** Each is counted; a Lua state is one thread, so the counts are plain numbers.
** Memory: a home or unit is freed with its last reference. Make the userdata first, then the home: so nothing leaks when Lua raises.
** Errors: no memory: NULL. */
#ifndef HX_BINDING_HOME_H
#define HX_BINDING_HOME_H

#include "binding/compat.h"
#include "value/value.h"
#include "vm/program.h"

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
/* Keeps h until the arena of cx ends. */
void hx_home_keep(hx_cx *cx, hx_home *h);

/* A program and what the binding keeps with it. */
typedef struct hx_unit {
  hx_program program;
  uint32_t refs;
  uint32_t runs;      /* evaluations begun: constants are anchored at the second */
  struct hx_unit *of; /* the body's unit whose source and tree it shares, or NULL */
  hx_home *home;      /* of values that its program points at, or NULL */
} hx_unit;

/* A unit with one reference whose program is not made yet: zeroed, of its parent if any. */
hx_unit *hx_unit_new(hx_unit *of);
HX_INLINE hx_unit *hx_unit_retain(hx_unit *u) {
  u->refs++;
  return u;
}
/* Call it in a function of ours (its upvalues hold the anchors). NULL is fine. */
void hx_unit_release(lua_State *L, hx_unit *u);
/* The unit whose activity owns the source: positions are worked out there. */
HX_INLINE hx_unit *hx_unit_root(hx_unit *u) {
  while (u->of) u = u->of;
  return u;
}
/* Gives the strings among the constants a Lua string each. */
void hx_unit_anchor_constants(lua_State *L, hx_unit *u);

#endif
