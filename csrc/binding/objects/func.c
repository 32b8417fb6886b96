/* func.c: hcl.func: declares a Lua function with parameters, which are checked at once. */
#include "binding/objects/func.h"
#include "binding/state/openers.h"

#include "binding/data/type.h"

const hx_fn hx_plain_function = {
  .rest = { "", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_MARKED },
};

const hx_allow_row hx_allow_rows[HX_ALLOW_ROWS] = {
  { "null", HX_ALLOW_NULL },
  { "unknown", HX_ALLOW_UNKNOWN },
  { "dynamic", HX_ALLOW_DYNAMIC },
  { "marked", HX_ALLOW_MARKED },
};

/* Reads a field of a parameter. The field's value is on top of the stack, and its key is below. */
static void read_field(lua_State *L, hx_func *f, hx_param *p, const char *what) {
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
  hx_str key = hx_str_c(name);
  for (size_t i = 0; i < HX_ALLOW_ROWS; i++) {
    if (!hx_str_eq(key, hx_str_c(hx_allow_rows[i].name))) continue;
    if (!lua_isboolean(L, -1)) luaL_argerror(L, 1, lua_pushfstring(L, "%s.%s must be a boolean", what, name));
    if (lua_toboolean(L, -1)) p->allow |= hx_allow_rows[i].allow;
    return;
  }
  if (hx_str_eq(key, HX_STR("name"))) {
    if (lua_type(L, -1) != LUA_TSTRING) luaL_argerror(L, 1, lua_pushfstring(L, "%s.name must be a string", what));
    p->name = hx_home_str(L, f->home, hx_str_c(lua_tostring(L, -1))).p;
  } else if (hx_str_eq(key, HX_STR("type"))) {
    const char *field = lua_pushfstring(L, "%s.type", what);
    lua_pushvalue(L, -2);
    p->type = hx_type_option(L, f->home, field);
  } else if (!hx_str_eq(key, HX_STR("description"))) {
    luaL_argerror(L, 1, lua_pushfstring(L, "%s has an unknown field '%s'", what, name));
  }
}

/* Reads a parameter from the table at an index, which need not be on top of the stack. */
static void read_param(lua_State *L, hx_func *f, int at, hx_param *p, const char *what, const char *name) {
  int top = lua_gettop(L);
  if (!lua_istable(L, at)) luaL_argerror(L, 1, lua_pushfstring(L, "%s must be a table, not a %s", what, luaL_typename(L, at)));
  *p = (hx_param){ name, &hx_type_dynamic, 0 };
  for (lua_pushnil(L); lua_next(L, at); lua_settop(L, top + 1)) read_field(L, f, p, what);
}

static void read_params(lua_State *L, hx_func *f) {
  static const char *const names[HX_MAX_PARAMS] = {
    "first", "second", "third",    "fourth",  "fifth",      "sixth",      "seventh",   "eighth",
    "ninth", "tenth",  "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
  };
  int at = lua_gettop(L);
  size_t n;
  if (!lua_istable(L, at)) luaL_argerror(L, 1, "params must be a table");
  n = hx_lua_rawlen(L, at);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TNUMBER) luaL_argerror(L, 1, "params must be an array of parameters");
  if (n > HX_MAX_PARAMS)
    luaL_argerror(L, 1, lua_pushfstring(L, "params has more than %d parameters; take the others by variadic", HX_MAX_PARAMS));
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, at, (int)i + 1);
    read_param(L, f, at + 1, &f->row.params[i], lua_pushfstring(L, "params[%d]", (int)i + 1), names[i]);
    lua_settop(L, at);
  }
}

/* The fields of hcl.func's table. Each reader finds the field's value on top of the stack. */

static void read_variadic(lua_State *L, hx_func *f) {
  read_param(L, f, lua_gettop(L), &f->row.rest, "variadic", "");
}

static void read_returns(lua_State *L, hx_func *f) {
  if (!lua_isfunction(L, -1)) {
    f->row.type = hx_type_option(L, f->home, "returns");
    return;
  }
  hx_lua_gettable_of(L, 2);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, HX_FUNC_RETURNS);
  f->row.flags |= HX_TYPE_BY_HOST;
}

static void read_values(lua_State *L, hx_func *f) {
  if (!lua_isboolean(L, -1)) luaL_argerror(L, 1, "values must be a boolean");
  f->values = lua_toboolean(L, -1) != 0;
}

static void read_impl(lua_State *L, hx_func *f) {
  (void)f;
  if (!lua_isfunction(L, -1)) luaL_argerror(L, 1, lua_pushfstring(L, "impl must be a function, not a %s", luaL_typename(L, -1)));
  hx_lua_gettable_of(L, 2);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, HX_FUNC_IMPL);
}

static void read_nothing(lua_State *L, hx_func *f) {
  (void)f;
  if (lua_type(L, -1) != LUA_TSTRING) luaL_argerror(L, 1, "summary, description and example must be strings");
}

static const struct func_row {
  const char *name;
  void (*read)(lua_State *L, hx_func *f);
} func_rows[] = {
  { "params", read_params }, { "variadic", read_variadic }, { "returns", read_returns },     { "values", read_values },
  { "impl", read_impl },     { "summary", read_nothing },   { "description", read_nothing }, { "example", read_nothing },
};

static void read_row(lua_State *L, hx_func *f) {
  int top = lua_gettop(L);
  func_rows[HX_OPTION_ROW(L, 1, "unknown option '%s'", func_rows)].read(L, f);
  lua_settop(L, top);
}

/* core.func{ … }: returns the userdata of hcl.func. */
static int l_func(lua_State *L) {
  hx_func *f;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  f = hx_lua_newuserdata_table(L, sizeof *f);
  memset(f, 0, sizeof *f);
  hx_set_class(L, 2, HX_CLASS_FUNC);
  lua_newtable(L);
  hx_lua_settable_of(L, 2);
  f->home = hx_home_new(512);
  if (!f->home) return luaL_error(L, "not enough memory");
  for (lua_pushnil(L); lua_next(L, 1); lua_settop(L, 3)) read_row(L, f);
  hx_lua_gettable_of(L, 2);
  lua_rawgeti(L, -1, HX_FUNC_IMPL);
  if (lua_isnil(L, -1)) return luaL_argerror(L, 1, "impl must be a function");
  lua_settop(L, 2);
  return 1;
}

static int l_gc(lua_State *L) {
  hx_func *f = hx_to_class(L, 1, HX_CLASS_FUNC);
  if (!f) return 0;
  hx_home_release(f->home);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = { { "func", l_func }, { NULL, NULL } };

void hx_open_func(lua_State *L) {
  hx_register(L, HX_CLASS_FUNC, methods, functions);
}
