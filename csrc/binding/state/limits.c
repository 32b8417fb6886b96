/* limits.c: tables of limits. */
#include "binding/state/limits.h"
#include "binding/state/openers.h"

static const struct limit_row {
  const char *name;
  size_t offset;
} limit_rows[] = {
  { "steps", offsetof(hx_limits, steps) },   { "memory", offsetof(hx_limits, memory) }, { "depth", offsetof(hx_limits, depth) },
  { "output", offsetof(hx_limits, output) }, { "source", offsetof(hx_limits, source) },
};

/* Reads the limit on top of the stack. Returns an error message, which Lua keeps, or NULL. */
static const char *read_limit(lua_State *L, const char *name, uint64_t *limit) {
  lua_Number n = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(n >= 0)) return lua_pushfstring(L, "limits.%s must be a number from 0 on", name);
  *limit = n >= 9e18 ? (uint64_t)9000000000000000000u : (uint64_t)n;
  return NULL;
}

/* Reads a table of limits. Returns an error message, which Lua keeps, or NULL. */
static const char *read_limits(lua_State *L, int at, hx_limits *limits) {
  if (!lua_istable(L, at)) return lua_pushfstring(L, "limits must be a table, not a %s", luaL_typename(L, at));
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    int i = HX_OPTION_ROW(L, 0, NULL, limit_rows);
    if (i < 0)
      return lua_pushfstring(L, "unknown option limits.%s; there are steps, memory, depth, output and source",
                             lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2));
    const char *fault = read_limit(L, limit_rows[i].name, (uint64_t *)(void *)((char *)limits + limit_rows[i].offset));
    if (fault) return fault;
  }
  if (limits->depth > HX_DEPTH_MAX) limits->depth = HX_DEPTH_MAX;
  return NULL;
}

void hx_limits_read(lua_State *L, int at, int arg, hx_limits *limits) {
  const char *fault = read_limits(L, at, limits);
  if (fault) luaL_argerror(L, arg, fault);
}

/* core.limits_fault(limits): returns what is wrong with the limits, or nil. */
static int l_limits_fault(lua_State *L) {
  hx_limits limits = hx_limits_default;
  lua_settop(L, 1);
  const char *fault = read_limits(L, 1, &limits);
  if (fault) lua_pushstring(L, fault);
  else lua_pushnil(L);
  return 1;
}

static const luaL_Reg functions[] = { { "limits_fault", l_limits_fault }, { NULL, NULL } };

void hx_open_limits(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
