/* testing.c: internals for specs: code, arenas, failing allocations, stuttering, small C stacks.
** Memory: Lua's.
** Errors: raises if Lua is out of memory. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include "testing/testing.h"
#include "binding/state/openers.h"

#include "binding/host/evaluation.h"
#include "binding/objects/expression.h"
#include "binding/data/value.h"
#include "vm/compile/compiler.h"

#include <pthread.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <ucontext.h>
#endif

/* testing.code(expression): its code as text. */
static int code(lua_State *L, hx_cx *cx) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  if (!hx_unit_ready(L, u)) return luaL_error(L, "not enough memory");
  hx_guard_again(cx);
  hx_push_str(L, hx_program_disassemble(cx, &u->program));
  return 1;
}

/* testing.fail_after(n): the n-th allocation from now fails; 0: no allocation fails. */
static int l_fail_after(lua_State *L) {
  hx_arena_fail_after((int64_t)luaL_checknumber(L, 1));
  return 0;
}

/* testing.allocations(): the number of allocations so far. */
static int l_allocations(lua_State *L) {
  lua_pushnumber(L, (lua_Number)hx_arena_allocations());
  return 1;
}

/* testing.blocks(): how many blocks of memory are in use now. Blocks that a state keeps for later don't count: they are freed first. */
static int l_blocks(lua_State *L) {
  hx_pool *pool = &hx_state_get(L)->pool;
  size_t most = pool->most;
  hx_pool_free(pool);
  pool->most = most;
  lua_pushnumber(L, (lua_Number)hx_arena_blocks());
  return 1;
}

/* Lua's allocator with failures, which affect requests only, never the release of memory. */
static struct {
  lua_Alloc alloc; /* the state's own; NULL: failing_alloc isn't installed */
  void *ud;
  lua_Number calls, first, last; /* requests from first to last fail */
} lua_memory;

static void *failing_alloc(void *ud, void *p, size_t old, size_t size) {
  (void)ud;
  if (size > (p ? old : 0)) {
    lua_memory.calls++;
    if (lua_memory.calls >= lua_memory.first && lua_memory.calls <= lua_memory.last) return NULL;
  }
  return lua_memory.alloc(lua_memory.ud, p, old, size);
}

/* testing.fail_lua(first, last): from now on, Lua's requests for memory number first to last fail. Without arguments, no request fails,
** and the state has its own allocator again. Returns how many requests there were before. */
static int l_fail_lua(lua_State *L) {
  lua_Number calls = lua_memory.calls;
  if (lua_isnoneornil(L, 1)) {
    if (lua_memory.alloc) lua_setallocf(L, lua_memory.alloc, lua_memory.ud);
    lua_memory.alloc = NULL;
  } else {
    lua_memory.first = luaL_checknumber(L, 1);
    lua_memory.last = luaL_checknumber(L, 2);
    if (!lua_memory.alloc) lua_memory.alloc = lua_getallocf(L, &lua_memory.ud);
    lua_memory.calls = 0;
    lua_setallocf(L, failing_alloc, NULL);
  }
  lua_pushnumber(L, calls);
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

/* testing.held(x): the bytes that x, an Expression or Value, holds; without x, those of the idle evaluation. */
static int l_held(lua_State *L) {
  const hx_expression *e = lua_isnone(L, 1) ? NULL : hx_to_class(L, 1, HX_CLASS_EXPRESSION);
  const hx_value *v = lua_isnone(L, 1) ? NULL : hx_to_class(L, 1, HX_CLASS_VALUE);
  const hx_evaluation *ev = hx_state_get(L)->idle;
  const hx_cx *cx = e ? &e->unit->program.cx : v && v->home ? &v->home->cx : ev ? &ev->machine.cx : NULL;
  lua_pushnumber(L, cx ? (lua_Number)(cx->arena.held + cx->scratch.held) : 0);
  return 1;
}

/* testing.limbs(seed, rounds): returns the operations for which the schoolbook methods and GMP differ on random limbs, "" if they agree,
** or nil if this build has no GMP. */
static int l_limbs(lua_State *L) {
  lua_pushstring(L, hx_limbs_compare((uint64_t)luaL_checknumber(L, 1), (uint32_t)luaL_checknumber(L, 2)));
  return 1;
}

/* Small C stacks: a function is called on a stack of a given size, above a page that can't be accessed. The stack is filled beforehand.
** The filling that is left afterwards shows how much of the stack was never used. */

#define PAGE 4096u
#define FILLING 0xA5

typedef struct stack_job {
  lua_State *L; /* a coroutine with the function, later its result, on top */
  int status;
  char *stack;
  size_t size;
} stack_job;

static void *run_on_stack(void *ud) {
  stack_job *job = ud;
  job->status = lua_pcall(job->L, 0, 1, 0);
  return NULL;
}

static bool in_thread(stack_job *job) {
  pthread_attr_t attributes;
  pthread_t thread;
  bool ok = pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, job->stack, job->size) == 0 &&
            pthread_create(&thread, &attributes, run_on_stack, job) == 0;
  if (ok) pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  return ok;
}

#ifdef __GLIBC__
static stack_job *fibre_job;
static void run_fibre(void) {
  run_on_stack(fibre_job);
}

static bool in_fibre(stack_job *job) {
  ucontext_t outer, inner;
  getcontext(&inner);
  inner.uc_stack.ss_sp = job->stack;
  inner.uc_stack.ss_size = job->size;
  inner.uc_link = &outer;
  fibre_job = job;
  makecontext(&inner, run_fibre, 0);
  swapcontext(&outer, &inner);
  return true;
}
#else
#define in_fibre in_thread
#endif

/* testing.on_stack(kilobytes, f, fibre): calls f in a thread with a stack of that size, or in this thread on a stack that isn't the
** thread's own. Returns the results of pcall(f), and the bytes never used; or nil if no such thread can be made. Sanitizers make frames
** larger; the kilobytes are increased accordingly. */
static int l_on_stack(lua_State *L) {
  stack_job job = { .size = (size_t)luaL_checknumber(L, 1) * HX_STACK_UNIT };
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 3);
  job.L = lua_newthread(L);
  lua_pushvalue(L, 2);
  lua_xmove(L, job.L, 1);
  char *memory = mmap(NULL, PAGE + job.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return luaL_error(L, "not enough memory");
  mprotect(memory, PAGE, PROT_NONE);
  job.stack = memory + PAGE;
  memset(job.stack, FILLING, job.size);
  /* No fibre with AddressSanitizer, where HX_STACK_UNIT is larger: it knows only the thread's own stack, and after a longjmp on another one
  ** it takes abandoned frames for live ones. */
  bool fibre = lua_toboolean(L, 3) && HX_STACK_UNIT == 1024;
  bool ok = fibre ? in_fibre(&job) : in_thread(&job);
  size_t unused = 0;
  while (ok && unused < job.size && (unsigned char)job.stack[unused] == FILLING) unused++;
  munmap(memory, PAGE + job.size);
  if (!ok) return 0;
  lua_pushboolean(L, job.status == 0);
  lua_xmove(job.L, L, 1);
  lua_pushnumber(L, (lua_Number)unused);
  return 3;
}

static const luaL_Reg functions[] = {
  { "fail_after", l_fail_after }, { "allocations", l_allocations }, { "blocks", l_blocks },
  { "fail_lua", l_fail_lua },     { "stutter", l_stutter },         { "held", l_held },
  { "limbs", l_limbs },           { "on_stack", l_on_stack },       { NULL, NULL },
};

static const hx_work_row work[] = { { "code", 1, code, false } };

void hx_open_testing(lua_State *L) {
  hx_compile_check = hx_program_verify;
  lua_newtable(L);
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  HX_REGISTER_WORK(L, work);
  lua_setfield(L, -2, "testing");
}
