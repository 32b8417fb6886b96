/* testing.c: internals for specs: code, arenas, failing allocations, stuttering. */
#include "binding/testing.h"

#ifdef HX_TEST

#include "binding/evaluation.h"
#include "binding/expression.h"
#include "binding/value.h"
#include "value/limbs.h"
#include "vm/compiler.h"

typedef struct code_job {
  const hx_program *program;
  hx_str text;
} code_job;

static void run_code(hx_cx *cx, void *ud) {
  code_job *job = ud;
  job->text = hx_program_disassemble(cx, job->program);
}

/* testing.code(expression): its code as text. */
static int l_code(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  code_job job = { &u->program, { "", 0 } };
  if (!hx_unit_ready(L, u)) return luaL_error(L, "not enough memory");
  hx_home_must(L, hx_work_push(L), run_code, &job);
  hx_push_str(L, job.text);
  return 1;
}

/* testing.fail_after(n): the n-th allocation from now fails; 0: none. */
static int l_fail_after(lua_State *L) {
  hx_arena_fail_after((int64_t)luaL_checknumber(L, 1));
  return 0;
}

/* testing.allocations(): the number of allocations so far. */
static int l_allocations(lua_State *L) {
  lua_pushnumber(L, (lua_Number)hx_arena_allocations());
  return 1;
}

/* testing.stutter(on): every evaluation suspends at each instruction. Returns the previous setting. */
static int l_stutter(lua_State *L) {
  hx_state *st = hx_state_get(L);
  bool was = st->stutter;
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  st->stutter = lua_toboolean(L, 1) != 0;
  lua_pushboolean(L, was);
  return 1;
}

/* testing.held(x): bytes that an Expression or Value holds; without x: the idle evaluation. */
static int l_held(lua_State *L) {
  const hx_expression *e = lua_isnone(L, 1) ? NULL : hx_to_class(L, 1, HX_CLASS_EXPRESSION);
  const hx_value *v = lua_isnone(L, 1) ? NULL : hx_to_class(L, 1, HX_CLASS_VALUE);
  const hx_evaluation *ev = hx_state_get(L)->idle;
  const hx_cx *cx = e ? &e->unit->program.cx : v && v->home ? &v->home->cx : ev ? &ev->machine.cx : NULL;
  lua_pushnumber(L, cx ? (lua_Number)(cx->arena.held + cx->scratch.held) : 0);
  return 1;
}

/* testing.limbs(seed, rounds): the operation in which the schoolbook methods and GMP differ on random limbs; "": none. nil:
** this build has no GMP. */
static int l_limbs(lua_State *L) {
  lua_pushstring(L, hx_limbs_compare((uint64_t)luaL_checknumber(L, 1), (uint32_t)luaL_checknumber(L, 2)));
  return 1;
}

static const luaL_Reg functions[] = {
  { "code", l_code },
  { "fail_after", l_fail_after },
  { "allocations", l_allocations },
  { "stutter", l_stutter },
  { "held", l_held },
  { "limbs", l_limbs },
  { NULL, NULL },
};

void hx_open_testing(lua_State *L) {
  lua_newtable(L);
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  lua_setfield(L, -2, "testing");
}

#endif
