/* home.c: counted memory of userdata, and the Lua strings that a program holds. */
#include "binding/home.h"

#include "binding/state.h"

#include <string.h>

hx_home *hx_home_new(uint32_t room) {
  size_t head = (sizeof(hx_home) + 15) & ~(size_t)15;
  hx_home *h = hx_raw_alloc(head + room);
  if (!h) return NULL;
  hx_cx_init(&h->cx, NULL, 1024);
  if (room) hx_arena_seed(&h->cx.arena, (char *)h + head, room & ~15u);
  h->refs = 1;
  return h;
}

void hx_home_release(void *home) {
  hx_home *h = home;
  if (!h || --h->refs) return;
  hx_cx_deinit(&h->cx);
  hx_raw_free(h);
}

hx_why hx_home_run(hx_home *h, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  hx_cx *cx = &h->cx;
  hx_why why;
  cx->steps_left = cx->limits.steps;
  cx->memory_left = cx->limits.memory;
  cx->output_left = cx->limits.output;
  cx->diags = (hx_diags){ 0 };
  cx->why_source = NULL;
  why = hx_guard_run(cx, fn, ud);
  if (why != HX_WHY_NONE) hx_why_report(cx, why);
  return why;
}

void hx_home_keep(hx_cx *cx, hx_home *h) {
  if (cx == &h->cx) return;
  hx_arena_defer(&cx->arena, hx_home_release, hx_home_retain(h));
}

hx_unit *hx_unit_new(hx_unit *of) {
  hx_unit *u = hx_raw_alloc(sizeof *u);
  if (!u) return NULL;
  memset(u, 0, sizeof *u);
  u->refs = 1;
  u->of = of ? hx_unit_retain(of) : NULL;
  return u;
}

static void drop_anchors(lua_State *L, hx_program *p) {
  for (uint32_t i = 0; i < p->nconstants; i++) hx_anchor_drop(L, p->constants[i].anchor);
  for (uint32_t i = 0; i < p->npaths; i++) {
    hx_anchor_drop(L, p->paths[i].root_anchor);
    for (uint32_t j = 0; j < p->paths[i].n; j++) hx_anchor_drop(L, p->paths[i].steps[j].anchor);
  }
}

static void forget_report(lua_State *L, const hx_unit *u) {
  hx_reported *last = &hx_state_get(L)->reported[hx_reported_at(u)];
  if (last->unit == u) last->unit = NULL;
}

void hx_unit_release(lua_State *L, hx_unit *u) {
  while (u && --u->refs == 0) {
    hx_unit *of = u->of;
    forget_report(L, u);
    drop_anchors(L, &u->program);
    hx_program_deinit(&u->program);
    hx_home_release(u->home);
    hx_raw_free(u);
    u = of;
  }
}

void hx_unit_anchor_constants(lua_State *L, hx_unit *u) {
  hx_program *p = &u->program;
  for (uint32_t i = 0; i < p->nconstants; i++) {
    hx_val *v = &p->constants[i];
    if (v->tag == HX_T_STR && !v->anchor) v->anchor = hx_anchor_new(L, hx_val_str(v)) & 0xFFFFFFu;
  }
}
