/* diagnostics.c: Diagnostics: an array with a table for each diagnostic, whose fields are set when one of them is first read. */
#include "binding/data/diagnostics.h"
#include "binding/state/openers.h"

#include "binding/data/listing.h"
#include "binding/state/place.h"

/* The keys of a diagnostic's table before its fields are set: the listing, and the diagnostic's number unless it is 1. Neither ipairs nor #
** sees such keys. */
#define HIDDEN 0
#define HIDDEN_NUMBER (-1)

/* Replaces the listing r, on top of the stack, by a new array with a table for each diagnostic. */
static void push_array(lua_State *L, const hx_listing *r) {
  int at = lua_gettop(L), i = 0;
  luaL_checkstack(L, 6, NULL);
  lua_createtable(L, (int)r->list.kept, 0);
  for (const hx_diag *d = r->list.first; d; d = d->next) {
    lua_createtable(L, 0, ++i > 1 ? 2 : 1);
    lua_pushvalue(L, at);
    lua_rawseti(L, -2, HIDDEN);
    if (i > 1) {
      lua_pushinteger(L, i);
      lua_rawseti(L, -2, HIDDEN_NUMBER);
    }
    hx_set_class(L, -1, HX_CLASS_DIAGNOSTIC);
    lua_rawseti(L, at + 1, i);
  }
  hx_set_class(L, at + 1, HX_CLASS_DIAGNOSTICS);
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ARRAY_LISTINGS);
  lua_pushvalue(L, at + 1);
  lua_pushvalue(L, at);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  lua_replace(L, at);
}

void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  push_array(L, hx_listing_push(L, cx, unit));
}

void hx_diagnostics_push_of(lua_State *L, hx_unit *unit) {
  push_array(L, hx_listing_push_own(L, unit));
}

int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  lua_pushnil(L);
  hx_diagnostics_push(L, cx, unit);
  return 2;
}

int hx_fail_made(lua_State *L, hx_why why, const hx_cx *cx) {
  if (why == HX_WHY_NO_MEMORY) return luaL_error(L, "not enough memory");
  return hx_fail_push(L, cx, NULL);
}

const hx_listing *hx_to_diagnostics(lua_State *L, int at) {
  const hx_listing *r;
  if (!lua_istable(L, at) || !hx_is_class(L, at, HX_CLASS_DIAGNOSTICS)) return NULL;
  at = hx_lua_absindex(L, at);
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_ARRAY_LISTINGS);
  lua_pushvalue(L, at);
  lua_rawget(L, -2);
  r = hx_to_listing(L, -1);
  lua_pop(L, 2);
  return r;
}

const hx_listing *hx_check_diagnostics(lua_State *L, int arg) {
  const hx_listing *r = hx_to_diagnostics(L, arg);
  if (!r) hx_arg_error(L, arg, hx_class_name(HX_CLASS_DIAGNOSTICS));
  return r;
}

/* Returns the listing of the Diagnostics that are element i of the array at 1. */
static const hx_listing *joined_part(lua_State *L, int i) {
  const hx_listing *r;
  lua_rawgeti(L, 1, i);
  r = hx_check_diagnostics(L, lua_gettop(L));
  lua_pop(L, 1);
  return r;
}

/* core.join_diagnostics({ d1, d2, … }, wide, chain): returns Diagnostics with all diagnostics of the array in order, equal ones once; nil
** for an empty array. wide: a Range where something is missing includes the column after it (reference: the JSON form of reports does so).
** chain: lines that reports show below the place. */
static int l_join(lua_State *L) {
  hx_joined more = { lua_toboolean(L, 2) != 0, { NULL, 0 } };
  int n;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) more.chain = hx_check_str(L, 3);
  luaL_checkstack(L, 10, NULL);
  n = (int)hx_lua_rawlen(L, 1);
  if (n == 0 || (n == 1 && !more.wide && !more.chain.len && joined_part(L, 1)->list.kept == 1)) {
    lua_rawgeti(L, 1, 1);
    return 1;
  }
  push_array(L, hx_listing_push_joined(L, n, more, joined_part));
  return 1;
}

/* Fields of one diagnostic */

static const char *const severities[] = { [HX_ERROR] = "error", [HX_WARNING] = "warning" };

static void set_values(lua_State *L, const hx_diag *d) {
  int i = 0;
  lua_newtable(L);
  for (const hx_diag_value *v = d->values; v; v = v->next) {
    lua_newtable(L);
    hx_set_str(L, "path", v->path);
    hx_set_str(L, "text", v->text);
    lua_rawseti(L, -2, ++i);
  }
  lua_setfield(L, -2, "values");
}

/* Widens the empty Range on top of the stack by one column. */
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

/* Sets the fields of the table on top of the stack. Its metatable has no __newindex, so nothing else runs. */
static void fill(lua_State *L, hx_unit *unit, const hx_diag *d) {
  hx_set_word(L, "severity", severities[hx_diag_severity(d)]);
  hx_set_word(L, "code", hx_diag_code(d));
  hx_set_str(L, "summary", hx_diag_summary(d));
  hx_set_str(L, "detail", d->detail);
  if (d->name.len) hx_set_str(L, "name", d->name);
  if (d->reason.len) hx_set_str(L, "reason", d->reason);
  if (d->chain.len) hx_set_str(L, "chain", d->chain);
  if (hx_diag_has_place(d)) {
    hx_range_push(L, unit, d->source, d->subject);
    if (d->wide && d->subject.start == d->subject.stop) widen(L);
    lua_setfield(L, -2, "range");
    hx_range_push(L, unit, d->source, d->context);
    lua_setfield(L, -2, "context");
  }
  set_values(L, d);
}

/* diagnostic[key] for a missing key: sets all fields the first time, and returns the field that was asked for. */
static int l_diagnostic_index(lua_State *L) {
  const hx_listing *r;
  const hx_diag *d;
  uint32_t at = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_rawgeti(L, 1, HIDDEN);
  r = hx_to_listing(L, 3);
  if (!r) return 0;
  luaL_checkstack(L, 12, NULL);
  lua_rawgeti(L, 1, HIDDEN_NUMBER);
  d = r->list.first;
  for (lua_Integer i = lua_isnil(L, 4) ? 1 : lua_tointeger(L, 4); i > 1 && d->next; i--, at++) d = d->next;
  lua_pushvalue(L, 1);
  fill(L, hx_listing_unit(r, at), d);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN_NUMBER);
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 1;
}

static int l_next(lua_State *L) {
  lua_settop(L, 2);
  return lua_next(L, 1) ? 2 : 0;
}

/* __pairs, where Lua knows it: shows the fields of a diagnostic even if none was read before. */
static int l_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "code");
  lua_settop(L, 1);
  lua_pushcfunction(L, l_next);
  lua_insert(L, 1);
  return 2;
}

static const luaL_Reg diagnostic_methods[] = { { "__index", l_diagnostic_index }, { "__pairs", l_pairs }, { NULL, NULL } };

/* core.is_diagnostics(x): returns true if x is Diagnostics. */
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
  make_array_listings(L);
  hx_register(L, HX_CLASS_DIAGNOSTIC, diagnostic_methods, NULL);
  hx_register(L, HX_CLASS_DIAGNOSTICS, NULL, functions);
  hx_open_listing(L);
  hx_open_diagnostics_text(L);
}
