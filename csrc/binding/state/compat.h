/* compat.h: the differences between Lua 5.1 to 5.4. No other file uses LUA_VERSION_NUM. One binary built with the headers of 5.1 loads in
** Lua 5.1 and in LuaJIT: the binary uses nothing that only one of the two exports.
** Memory: none of its own.
** Errors: as Lua's functions raise them. */
#ifndef HX_BINDING_STATE_COMPAT_H
#define HX_BINDING_STATE_COMPAT_H

#include "base/platform.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>

#ifdef __clang_analyzer__ /* `make analyze`: these raise */
int(lua_error)(lua_State *L) __attribute__((analyzer_noreturn));
int(luaL_error)(lua_State *L, const char *fmt, ...) __attribute__((analyzer_noreturn));
int(luaL_argerror)(lua_State *L, int arg, const char *message) __attribute__((analyzer_noreturn));
#endif

/* The entry point that `require` looks for. */
#if defined(_WIN32)
#define HX_EXPORT __declspec(dllexport)
#elif defined(__GNUC__) || defined(__clang__)
#define HX_EXPORT __attribute__((visibility("default")))
#else
#define HX_EXPORT
#endif

/* Functions of later Lua versions, under names of our own, because LuaJIT and some distributions' 5.1 headers already declare some of
** them. */

#if LUA_VERSION_NUM >= 502
#define hx_lua_rawlen(L, i) ((size_t)lua_rawlen((L), (i)))
#define hx_lua_setfuncs(L, list, nup) luaL_setfuncs((L), (list), (nup))
#else
#define hx_lua_rawlen(L, i) lua_objlen((L), (i))
/* Registers the functions in the table below the upvalues, each with copies of the upvalues, and pops the upvalues. */
HX_INLINE void hx_lua_setfuncs(lua_State *L, const luaL_Reg *list, int nup) {
  for (; list->name; list++) {
    for (int i = 0; i < nup; i++) lua_pushvalue(L, -nup);
    lua_pushcclosure(L, list->func, nup);
    lua_setfield(L, -nup - 2, list->name);
  }
  lua_pop(L, nup);
}
#endif

HX_INLINE int hx_lua_absindex(lua_State *L, int i) {
  return i > 0 || i <= LUA_REGISTRYINDEX ? i : lua_gettop(L) + i + 1;
}

/* A userdata with its own table, which keeps alive the Lua values that the userdata refers to. For speed, Lua 5.4 can also store
** one of these values directly: set_handy pops and stores the value that is also in the table's slot, and get_handy pushes it (on
** older Luas, above the table). */
#if LUA_VERSION_NUM >= 504
#define hx_lua_newuserdata_handy(L, size) lua_newuserdatauv((L), (size), 2)
#define hx_lua_get_handy(L, i, slot) ((void)lua_getiuservalue((L), (i), 2))
#define hx_lua_set_handy(L, i, slot) ((void)lua_setiuservalue((L), (i), 2))
#define hx_lua_newuserdata(L, size) lua_newuserdatauv((L), (size), 0)
#define hx_lua_newuserdata_table(L, size) lua_newuserdatauv((L), (size), 1)
#define hx_lua_gettable_of(L, i) ((void)lua_getiuservalue((L), (i), 1))
#define hx_lua_settable_of(L, i) ((void)lua_setiuservalue((L), (i), 1))
#elif LUA_VERSION_NUM >= 502
#define hx_lua_newuserdata(L, size) lua_newuserdata((L), (size))
#define hx_lua_newuserdata_table(L, size) lua_newuserdata((L), (size))
#define hx_lua_gettable_of(L, i) ((void)lua_getuservalue((L), (i)))
#define hx_lua_settable_of(L, i) ((void)lua_setuservalue((L), (i)))
#else
#define hx_lua_newuserdata(L, size) lua_newuserdata((L), (size))
#define hx_lua_newuserdata_table(L, size) lua_newuserdata((L), (size))
#define hx_lua_gettable_of(L, i) lua_getfenv((L), (i))
#define hx_lua_settable_of(L, i) ((void)lua_setfenv((L), (i)))
#endif

#if LUA_VERSION_NUM < 504
#define hx_lua_newuserdata_handy(L, size) hx_lua_newuserdata_table((L), (size))
#define hx_lua_get_handy(L, i, slot) (hx_lua_gettable_of((L), (i)), lua_rawgeti((L), -1, (slot)))
#define hx_lua_set_handy(L, i, slot) lua_pop((L), 1)
#endif

/* For a finalizer: removes the class of an ended userdata, because another finalizer may still hold the userdata. */
HX_INLINE void hx_lua_unset_class(lua_State *L, int i) {
  i = hx_lua_absindex(L, i);
  lua_pushnil(L);
  lua_setmetatable(L, i);
}

/* Returns true if this Lua has integers as a subtype of numbers, and the number at i is an integer. */
#if LUA_VERSION_NUM >= 503
#define HX_LUA_INTEGERS 1
HX_INLINE bool hx_lua_isinteger(lua_State *L, int i) {
  return lua_isinteger(L, i) != 0;
}
#else
#define HX_LUA_INTEGERS 0
HX_INLINE bool hx_lua_isinteger(lua_State *L, int i) {
  (void)L, (void)i;
  return false;
}
#endif

/* Copies the value on top of the stack to a slot below it. */
#if LUA_VERSION_NUM >= 502
#define hx_lua_copy_top(L, to) lua_copy((L), -1, (to))
#else
#define hx_lua_copy_top(L, to) (lua_pushvalue((L), -1), lua_replace((L), (to)))
#endif

/* If the number at i is a whole number that an int64 represents, stores it in *out and returns true. Floats count only below 2^53,
** and -0 doesn't count. */
HX_INLINE bool hx_lua_whole(lua_State *L, int i, int64_t *out) {
  lua_Number d = lua_tonumber(L, i);
  if (HX_LIKELY(d > -9007199254740992.0 && d < 9007199254740992.0)) {
    *out = (int64_t)d;
    return (lua_Number)*out == d && (*out || !signbit(d));
  }
  if (!hx_lua_isinteger(L, i)) return false;
  *out = (int64_t)lua_tointeger(L, i);
  return true;
}

/* Returns true if the table key at i is the whole number n. */
HX_INLINE bool hx_lua_is_index(lua_State *L, int i, uint32_t n) {
#if HX_LUA_INTEGERS
  return lua_isinteger(L, i) && lua_tointeger(L, i) == (lua_Integer)n;
#else
  return lua_type(L, i) == LUA_TNUMBER && lua_tonumber(L, i) == (lua_Number)n;
#endif
}

/* True if LUA_GCSTEP, after the end of a cycle, waits until the heap has grown. Lua 5.1 starts the next cycle at once, so
** hx_state_tell waits. */
#define HX_LUA_STEP_WAITS (LUA_VERSION_NUM >= 502)
/* Makes a generational collector, which the program lua of 5.4 uses, examine old objects now. Objects that survived two steps are
** old, and this collector examines them only when Lua's own memory has doubled. An incremental collector is left as it is. */
#if LUA_VERSION_NUM >= 504
HX_INLINE void hx_lua_collect_old(lua_State *L) {
  if (lua_gc(L, LUA_GCINC, 0, 0, 0) == LUA_GCGEN) lua_gc(L, LUA_GCGEN, 0, 0);
}
#else
#define hx_lua_collect_old(L) ((void)(L))
#endif
/* Keeps the collector idle until `kb` more KB are allocated. The negative step reduces the collector's debt. */
#if LUA_VERSION_NUM >= 503
#define hx_lua_collect_later(L, kb) ((void)lua_gc((L), LUA_GCSTEP, -(kb)))
#else
#define hx_lua_collect_later(L, kb) ((void)(L), (void)(kb))
#endif
/* True unless the program has stopped the collector: a step would collect even then. 5.1 can't be asked, LuaJIT can, and one binary
** serves both. */
#ifndef LUA_GCISRUNNING
#define LUA_GCISRUNNING 9
#endif
#define hx_lua_collects(L) (lua_gc((L), LUA_GCISRUNNING, 0) != 0)

/* Pushes the table of what `require` has loaded. */
#define hx_lua_pushloaded(L) lua_getfield((L), LUA_REGISTRYINDEX, "_LOADED")

/* Pushes t[key] for the key on top of the stack, or t[n], raw; returns the type of the value. */
#if LUA_VERSION_NUM >= 503
#define hx_lua_rawget(L, t) lua_rawget((L), (t))
#define hx_lua_rawgeti(L, t, n) lua_rawgeti((L), (t), (n))
#else
HX_INLINE int hx_lua_rawget(lua_State *L, int t) {
  lua_rawget(L, t);
  return lua_type(L, -1);
}
HX_INLINE int hx_lua_rawgeti(lua_State *L, int t, int n) {
  lua_rawgeti(L, t, n);
  return lua_type(L, -1);
}
#endif

/* Pushes t[name], raw. */
HX_INLINE void hx_lua_rawgetstr(lua_State *L, int t, const char *name) {
  t = hx_lua_absindex(L, t);
  lua_pushstring(L, name);
  lua_rawget(L, t);
}

#endif
