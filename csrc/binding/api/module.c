/* module.c: opens the module. A Lua state has one hx_state and one set of metatables, however often the module is opened. */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "binding/state/openers.h"
#include "binding/objects/body.h"
#include "binding/data/diagnostics.h"
#include "binding/host/evaluation.h"
#include "binding/host/explain.h"
#include "binding/objects/expression.h"
#include "binding/objects/func.h"
#include "binding/state/limits.h"
#include "binding/objects/scope.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "library/library.h"

#include <time.h>

/* The one symbol that the module exports. */
HX_EXPORT int luaopen_hclexpr_core(lua_State *L);

#define REGISTRY_KEY "hclexpr.store"

/* Bytes that the pool of units may keep; none under the sanitizer, which has to see every freed block. */
#ifdef __SANITIZE_ADDRESS__
#define POOL_MAX 0
#else
#define POOL_MAX (768u << 10)
#endif

static void (*const openers[])(lua_State *L) = {
  hx_open_schema,  hx_open_scope,   hx_open_expression,  hx_open_ast,    hx_open_evaluation, hx_open_explain,   hx_open_value,
  hx_open_type,    hx_open_func,    hx_open_diagnostics, hx_open_blocks, hx_open_body,       hx_open_catalogue, hx_open_spec,
  hx_open_format,  hx_open_command, hx_open_encode,      hx_open_limits, hx_open_files,      hx_open_at,        hx_open_tokens,
  hx_open_family,  hx_open_unknown, hx_open_glance,      hx_open_expand, hx_open_threads,    hx_open_layer,
#ifdef HX_TEST
  hx_open_testing,
#endif
};

/* The state and the default scope, in one userdata. The default scope isn't a Scope of its own. */
typedef struct state_block {
  hx_state state;
  hx_scope scope;
} state_block;

static int l_end(lua_State *L) {
  hx_evaluation_end(hx_state_get(L));
  hx_pool_free(&hx_state_get(L)->pool);
  return 0;
}

/* Gives the userdata of the state, on top of the stack, its finalizer. Lua runs this one after those of our other objects, because it was
** set first. If one of those runs later nevertheless, it finds a pool that keeps nothing. */
static void make_end(lua_State *L) {
  lua_newtable(L);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, l_end, 1);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
}

/* __tostring of classes without a text of their own: prints what Lua 5.3 prints for their __name. */
static int l_address(lua_State *L) {
  luaL_checkany(L, 1);
  const char *name = luaL_getmetafield(L, 1, "__name") ? lua_tostring(L, -1) : luaL_typename(L, 1);
  lua_pushfstring(L, "%s: %p", name ? name : "object", lua_topointer(L, 1));
  return 1;
}

/* Room for the methods of most classes, and for the fields of the module's table: letting them grow takes 2 % of a short command. */
#define METHODS 8
#define FIELDS 128

/* Makes the metatable of each class, and puts it into the store. Methods are found in the metatable itself. */
static void make_classes(lua_State *L, hx_state *st, int store) {
  for (int c = HX_CLASS_NONE + 1; c < HX_CLASS_COUNT; c++) {
    lua_createtable(L, 0, METHODS);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_pushfstring(L, "hclexpr.%s", hx_class_name((hx_class)c));
    lua_setfield(L, -2, "__name");
    lua_pushcfunction(L, l_address);
    lua_setfield(L, -2, "__tostring");
    st->mt[c] = lua_topointer(L, -1);
    lua_rawseti(L, store, c);
  }
  lua_rawgeti(L, store, HX_CLASS_ARRAY);
  lua_pushliteral(L, "array");
  lua_setfield(L, -2, "__jsontype");
  lua_pushnil(L);
  lua_setfield(L, -2, "__index");
  lua_pushnil(L);
  lua_setfield(L, -2, "__name");
  lua_pushnil(L);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
}

static void set_class_field(lua_State *L, hx_class c, const char *name) {
  lua_rawgeti(L, HX_UP_STORE, (int)c);
  lua_setfield(L, -2, name);
}

/* Returns the seconds since an arbitrary moment, precise to microseconds. */
static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int l_clock(lua_State *L) {
  lua_pushnumber(L, (lua_Number)seconds_now());
  return 1;
}

/* Turns the macro HX_VERSION into a text. The Makefile takes the version, a number with two dots, from lua/hclexpr.lua. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* Builds the module's table. All functions of the module share the upvalues of this function. */
static int open_core(lua_State *L) {
  lua_createtable(L, 0, FIELDS);
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) openers[i](L);
  lua_pushliteral(L, TEXT(HX_VERSION));
  lua_setfield(L, -2, "version");
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  lua_pushcfunction(L, l_address);
  lua_setfield(L, -2, "address");
  lua_pushcfunction(L, l_clock);
  lua_setfield(L, -2, "clock");
  lua_pushlightuserdata(L, (void *)(uintptr_t)seconds_now); /* for LuaJIT's ffi: compiled code doesn't stop at such a call */
  lua_setfield(L, -2, "clock_pointer");
  set_class_field(L, HX_CLASS_ARRAY, "array_mt");
  lua_newtable(L);
  for (int c = HX_CLASS_NONE + 1; c < HX_CLASS_COUNT; c++) set_class_field(L, (hx_class)c, hx_class_name((hx_class)c));
  set_class_field(L, HX_CLASS_PRIMITIVE, "Number");
  lua_setfield(L, -2, "classes");
  return 1;
}

static void make_store(lua_State *L) {
  int store;
  state_block *block;
  lua_newtable(L);
  store = lua_gettop(L);
  block = hx_lua_newuserdata(L, sizeof *block);
  memset(block, 0, sizeof *block);
  block->state.default_scope = &block->scope;
  block->state.pool.most = POOL_MAX;
  make_end(L);
  make_classes(L, &block->state, store);
  lua_pushvalue(L, -1);
  lua_rawseti(L, store, HX_SLOT_STATE); /* the block stays on top: upvalue 1 */
  lua_pushvalue(L, store);
  lua_newtable(L);
  lua_pushinteger(L, 0);
  lua_rawseti(L, -2, 0); /* prepares luaL_ref's free list, so that a finalizer that frees an anchor needs no memory */
  lua_pushcclosure(L, open_core, HX_UPVALUES);
  lua_call(L, 0, 1);
  lua_rawseti(L, store, HX_SLOT_CORE);
  lua_pushvalue(L, store);
  lua_setfield(L, LUA_REGISTRYINDEX, REGISTRY_KEY);
  lua_settop(L, store);
}

int luaopen_hclexpr_core(lua_State *L) {
  luaL_checkstack(L, 20, NULL);
  hx_library_init();
  lua_getfield(L, LUA_REGISTRYINDEX, REGISTRY_KEY);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    make_store(L);
  }
  lua_rawgeti(L, -1, HX_SLOT_CORE);
  return 1;
}
