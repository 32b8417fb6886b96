/* diagnostics.c: Diagnostics: an array with a table for each diagnostic. The elements are made when the array is first
** looked into, if Lua lets it answer for them (hx_lua_arrays_answer); their fields when one is first read. */
#include "binding/diagnostics.h"

#include "binding/diagnostics_text.h"
#include "binding/listing.h"
#include "binding/place.h"

/* The key of the listing in both tables: an index that neither ipairs nor # sees. An array for which Lua asks no __pairs has
** it in HX_SLOT_ARRAY_LISTINGS instead: pairs would show it. */
#define HIDDEN 0
/* A second such key. In an element: its number, unless it is the first. In an array: whether its elements have been made. */
#define HIDDEN_NUMBER (-1)
#define HIDDEN_MADE (-1)
/* The key of the listing in the metatables of shared arrays and of their elements (see new_metatable). */
#define OF_ARRAYS 0
#define OF_ELEMENTS (-1)

/* Arrays */

/* Fills the array at `at` with elements of r, which is at r_at. Fields set by a script stay. */
static void make_elements(lua_State *L, int at, const hx_listing *r, int r_at) {
  int i = 0;
  luaL_checkstack(L, 6, NULL);
  for (const hx_diag *d = r->list.first; d; d = d->next) {
    lua_createtable(L, 0, ++i > 1 ? 2 : 1);
    lua_pushvalue(L, r_at);
    lua_rawseti(L, -2, HIDDEN);
    if (i > 1) {
      lua_pushinteger(L, i);
      lua_rawseti(L, -2, HIDDEN_NUMBER);
    }
    hx_set_class(L, -1, HX_CLASS_DIAGNOSTIC);
    lua_rawseti(L, at, i);
  }
}

/* A table to become the array of n diagnostics. */
static void new_array(lua_State *L, uint32_t n) {
  if (hx_lua_arrays_answer) lua_createtable(L, 0, 1);
  else lua_createtable(L, (int)n, 0);
}

/* Makes the table the array of r's diagnostics; r is on top of the stack, the table below. */
static void finish_array(lua_State *L, const hx_listing *r) {
  int at = lua_gettop(L) - 1;
  if (hx_lua_arrays_answer) {
    lua_rawseti(L, at, HIDDEN);
  } else {
    make_elements(L, at, r, at + 1);
    lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ARRAY_LISTINGS);
    lua_pushvalue(L, at);
    lua_pushvalue(L, at + 1);
    lua_rawset(L, -3);
    lua_settop(L, at);
  }
  hx_set_class(L, at, HX_CLASS_DIAGNOSTICS);
}

/* Replaces nil on top of the stack by what the store has for the array at `at`. */
static void find_listing(lua_State *L, int at) {
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ARRAY_LISTINGS);
  lua_pushvalue(L, at);
  lua_rawget(L, -2);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* Pushes the listing of the table at `at`: its own, or the one at `of` in its metatable. NULL: it has none. */
static const hx_listing *push_listing(lua_State *L, int at, int of) {
  lua_rawgeti(L, at, HIDDEN);
  if (lua_isnil(L, -1) && lua_getmetatable(L, at)) {
    lua_rawgeti(L, -1, of);
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  if (!hx_lua_arrays_answer && of == OF_ARRAYS && lua_isnil(L, -1)) find_listing(L, at);
  return hx_to_listing(L, -1);
}

/* The array at `at` with its elements, which are made if they aren't there yet. */
static void look_into(lua_State *L, int at) {
  const hx_listing *r;
  bool made;
  lua_rawgeti(L, at, HIDDEN_MADE);
  r = push_listing(L, at, OF_ARRAYS);
  made = lua_toboolean(L, -2) != 0;
  if (!made && r) {
    make_elements(L, at, r, lua_gettop(L));
    lua_pushboolean(L, 1);
    lua_rawseti(L, at, HIDDEN_MADE);
  }
  lua_pop(L, 2);
}

/* Sharing. The arrays over a repeated report, and their first elements, are empty tables; their metatable has the listing. */

/* Pushes a metatable like that of a class, with the listing on top of the stack at `of`. */
static void new_metatable(lua_State *L, hx_class c, int of) {
  int r = lua_gettop(L), mt = r + 2;
  lua_rawgeti(L, HX_UP_STORE, (int)c);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, r + 1);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, mt);
  }
  lua_pushvalue(L, r);
  lua_rawseti(L, mt, of);
  lua_remove(L, r + 1);
}

/* Pushes the metatable of shared arrays and, if arrays have their elements at once, that of the elements; makes them if
** necessary. This may run finalizers, which may evaluate and take the place for another program. Then the metatables serve only
** this call. */
static void push_metatables(lua_State *L, hx_state *st, int slot) {
  const hx_listing *r = st->reported[slot].listing;
  int at = lua_gettop(L) + 1;
  if (st->reported[slot].shared) {
    lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ARRAYS + slot);
    if (!hx_lua_arrays_answer) lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ELEMENTS + slot);
    return;
  }
  luaL_checkstack(L, 12, NULL);
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_LISTINGS + slot);
  new_metatable(L, HX_CLASS_DIAGNOSTICS, OF_ARRAYS);
  if (!hx_lua_arrays_answer) {
    lua_pushvalue(L, at);
    new_metatable(L, HX_CLASS_DIAGNOSTIC, OF_ELEMENTS);
    lua_remove(L, -2);
  }
  lua_remove(L, at);
  if (st->reported[slot].listing != r) return;
  lua_pushvalue(L, at);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_ARRAYS + slot);
  if (!hx_lua_arrays_answer) {
    lua_pushvalue(L, at + 1);
    lua_rawseti(L, HX_UP_STORE, HX_SLOT_ELEMENTS + slot);
  }
  st->reported[slot].shared = true;
}

int hx_fail_push_again(lua_State *L, hx_state *st, int slot) {
  const hx_listing *r = st->reported[slot].listing;
  int of_arrays = lua_gettop(L) + 1, of_elements = of_arrays + 1;
  push_metatables(L, st, slot);
  lua_pushnil(L);
  lua_createtable(L, hx_lua_arrays_answer ? 0 : 1, 0);
  if (!hx_lua_arrays_answer && r->list.kept == 1) {
    lua_newtable(L);
    lua_pushvalue(L, of_elements);
    lua_setmetatable(L, -2);
    lua_rawseti(L, -2, 1);
  } else if (!hx_lua_arrays_answer) {
    lua_rawgeti(L, of_elements, OF_ELEMENTS);
    make_elements(L, lua_gettop(L) - 1, r, lua_gettop(L));
    lua_pop(L, 1);
  }
  lua_pushvalue(L, of_arrays);
  lua_setmetatable(L, -2);
  return 2;
}

void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  luaL_checkstack(L, 9, NULL);
  new_array(L, cx->diags.kept);
  finish_array(L, hx_listing_push(L, cx, unit));
}

void hx_diagnostics_push_of(lua_State *L, hx_unit *unit) {
  luaL_checkstack(L, 9, NULL);
  new_array(L, unit->program.cx.diags.kept);
  finish_array(L, hx_listing_push_own(L, unit));
}

int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  lua_pushnil(L);
  hx_diagnostics_push(L, cx, unit);
  return 2;
}

static bool is_array(lua_State *L, int at) {
  bool is;
  if (hx_is_class(L, at, HX_CLASS_DIAGNOSTICS)) return true;
  if (!lua_getmetatable(L, at)) return false;
  lua_rawgeti(L, -1, OF_ARRAYS);
  is = hx_to_listing(L, -1) != NULL;
  lua_pop(L, 2);
  return is;
}

const hx_listing *hx_to_diagnostics(lua_State *L, int at) {
  const hx_listing *r;
  if (!lua_istable(L, at) || !is_array(L, at)) return NULL;
  r = push_listing(L, at, OF_ARRAYS);
  lua_pop(L, 1);
  return r;
}

const hx_listing *hx_check_diagnostics(lua_State *L, int arg) {
  const hx_listing *r = hx_to_diagnostics(L, arg);
  if (!r) hx_arg_error(L, arg, hx_class_name(HX_CLASS_DIAGNOSTICS));
  return r;
}

/* Element i of the array at 1. */
static const hx_listing *joined_part(lua_State *L, int i) {
  const hx_listing *r;
  lua_rawgeti(L, 1, i);
  r = hx_check_diagnostics(L, lua_gettop(L));
  lua_pop(L, 1);
  return r;
}

/* core.join_diagnostics({ d1, d2, … }, wide): Diagnostics of all of them in order; nil: there are none. wide: a Range where something is
** missing has the column behind it, too (reference: so has the JSON form of reports). */
static int l_join(lua_State *L) {
  bool wide = lua_toboolean(L, 2) != 0;
  int n;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 10, NULL);
  n = (int)hx_lua_rawlen(L, 1);
  if (n <= (wide ? 0 : 1)) {
    lua_rawgeti(L, 1, 1);
    return 1;
  }
  new_array(L, 1);
  finish_array(L, hx_listing_push_joined(L, n, wide, joined_part));
  return 1;
}

/* Fields of one diagnostic */

static const char *const severities[] = { [HX_ERROR] = "error", [HX_WARNING] = "warning" };

static void set_values(lua_State *L, const hx_diag *d) {
  int i = 0;
  lua_newtable(L);
  for (const hx_diag_value *v = d->values; v; v = v->next) {
    lua_createtable(L, 0, 2);
    hx_set_str(L, -1, "path", v->path);
    hx_set_str(L, -1, "text", v->text);
    lua_rawseti(L, -2, ++i);
  }
  lua_setfield(L, -2, "values");
}

/* Gives the Range on top of the stack one character: the next column, whatever stands there. */
static void widen(lua_State *L) {
  lua_getfield(L, -1, "stop");
  for (const char *const *name = (const char *const[]){ "column", "byte", NULL }; *name; name++) {
    lua_getfield(L, -1, *name);
    lua_pushinteger(L, lua_tointeger(L, -1) + 1);
    lua_setfield(L, -3, *name);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Fills the table on top of the stack, raw: its metatable has no __newindex. */
static void fill(lua_State *L, hx_unit *unit, const hx_diag *d) {
  lua_pushstring(L, severities[hx_diag_severity(d)]);
  lua_setfield(L, -2, "severity");
  lua_pushstring(L, hx_diag_code(d));
  lua_setfield(L, -2, "code");
  hx_set_str(L, -1, "summary", hx_diag_summary(d));
  hx_set_str(L, -1, "detail", d->detail);
  if (hx_diag_has_place(d)) {
    hx_range_push(L, unit, d->source, d->subject);
    if (d->wide && d->subject.start == d->subject.stop) widen(L);
    lua_setfield(L, -2, "range");
    hx_range_push(L, unit, d->source, d->context);
    lua_setfield(L, -2, "context");
  }
  set_values(L, d);
}

/* diagnostic[key] for a missing key: the first time, all fields are filled in. */
static int l_diagnostic_index(lua_State *L) {
  const hx_listing *r;
  const hx_diag *d;
  uint32_t at = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  r = push_listing(L, 1, OF_ELEMENTS);
  if (!r) return 0;
  luaL_checkstack(L, 12, NULL);
  lua_rawgeti(L, 1, HIDDEN_NUMBER);
  d = hx_listing_read(L, r)->first;
  for (lua_Integer i = lua_isnil(L, 4) ? 1 : lua_tointeger(L, 4); i > 1 && d->next; i--, at++) d = d->next;
  lua_pushvalue(L, 1);
  fill(L, hx_listing_unit(r, at), d);
  hx_set_class(L, 1, HX_CLASS_DIAGNOSTIC);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN_NUMBER);
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 1;
}

/* Keys as next() gives them, without the hidden ones. */
static int l_next(lua_State *L) {
  lua_settop(L, 2);
  while (lua_next(L, 1)) {
    if (lua_type(L, 2) != LUA_TNUMBER || lua_tonumber(L, 2) >= 1) return 2;
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  return 1;
}

/* The results for pairs and ipairs: next, the table that is argument 1, and the start, which is on top of the stack. */
static int iterate(lua_State *L, lua_CFunction next) {
  lua_pushcfunction(L, next);
  lua_insert(L, 1);
  return 3;
}

/* If Lua knows __pairs, a diagnostic shows its fields even before one was read. */
static int l_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "code");
  lua_settop(L, 1);
  lua_pushnil(L);
  return iterate(L, l_next);
}

/* Metamethods of an array whose elements aren't made before one of them is called. */

/* array[key] for a missing key: an element, or else a method. */
static int l_array_index(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TNUMBER) look_into(L, 1);
  else lua_rawgeti(L, HX_UP_STORE, HX_CLASS_DIAGNOSTICS);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_gettop(L) == 4 ? 3 : 1);
  return 1;
}

static int l_array_newindex(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  look_into(L, 1);
  lua_rawset(L, 1);
  return 0;
}

static int l_array_len(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  look_into(L, 1);
  lua_pushinteger(L, (lua_Integer)hx_lua_rawlen(L, 1));
  return 1;
}

static int l_array_next(lua_State *L) {
  int i = (int)luaL_checkinteger(L, 2) + 1;
  lua_settop(L, 1);
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, i);
  return lua_isnil(L, -1) ? 1 : 2;
}

static int l_array_ipairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  look_into(L, 1);
  lua_pushinteger(L, 0);
  return iterate(L, l_array_next);
}

static int l_array_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  look_into(L, 1);
  lua_pushnil(L);
  return iterate(L, l_next);
}

static const luaL_Reg diagnostic_methods[] = { { "__index", l_diagnostic_index }, { "__pairs", l_pairs }, { NULL, NULL } };
static const luaL_Reg methods[] = { { "__pairs", l_array_pairs }, { NULL, NULL } };
static const luaL_Reg answers[] = {
  { "__index", l_array_index },
  { "__newindex", l_array_newindex },
  { "__len", l_array_len },
  { "__ipairs", l_array_ipairs },
  { NULL, NULL },
};
/* core.is_diagnostics(x) */
static int l_is(lua_State *L) {
  lua_settop(L, 1);
  lua_pushboolean(L, hx_to_diagnostics(L, 1) != NULL);
  return 1;
}

static const luaL_Reg functions[] = { { "join_diagnostics", l_join }, { "is_diagnostics", l_is }, { NULL, NULL } };

static void make_array_listings(lua_State *L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_ARRAY_LISTINGS);
}

void hx_open_diagnostics(lua_State *L) {
  if (!hx_lua_arrays_answer) make_array_listings(L);
  hx_register(L, HX_CLASS_DIAGNOSTIC, diagnostic_methods, NULL);
  hx_register(L, HX_CLASS_DIAGNOSTICS, methods, functions);
  if (hx_lua_arrays_answer) hx_register(L, HX_CLASS_DIAGNOSTICS, answers, NULL);
  hx_open_listing(L);
  hx_open_diagnostics_text(L);
}
