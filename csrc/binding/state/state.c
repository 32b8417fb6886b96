/* state.c: classes, anchors and argument checks. */
#include "binding/state/state.h"

#include <string.h>

#include "text/suggest.h"

static const char *const class_names[HX_CLASS_COUNT] = {
  [HX_CLASS_NONE] = "nothing",
  [HX_CLASS_EXPRESSION] = "Expression",
  [HX_CLASS_SCOPE] = "Scope",
  [HX_CLASS_PRIMITIVE] = "Value",
  [HX_CLASS_VALUE] = "Value",
  [HX_CLASS_TYPE] = "Type",
  [HX_CLASS_BODY] = "Body",
  [HX_CLASS_ATTRIBUTE] = "Attribute",
  [HX_CLASS_BLOCK] = "Block",
  [HX_CLASS_DIAGNOSTICS] = "Diagnostics",
  [HX_CLASS_DIAGNOSTIC] = "Diagnostic",
  [HX_CLASS_LISTING] = "Listing",
  [HX_CLASS_KEEPER] = "Listing",
  [HX_CLASS_EVALUATION] = "Evaluation",
  [HX_CLASS_LAZY] = "Lazy",
  [HX_CLASS_FUNC] = "Function",
  [HX_CLASS_ARRAY] = "Array",
  [HX_CLASS_SCHEMA] = "Schema",
  [HX_CLASS_FAMILY] = "Family",
};

const char *hx_class_name(hx_class c) {
  return class_names[c];
}

bool hx_is_class_in(const hx_state *st, lua_State *L, int i, hx_class c) {
  const void *mt;
  if (!lua_getmetatable(L, i)) return false;
  mt = lua_topointer(L, -1);
  lua_pop(L, 1);
  return mt == st->mt[c] || (c == HX_CLASS_VALUE && mt == st->mt[HX_CLASS_PRIMITIVE]);
}

bool hx_is_class(lua_State *L, int i, hx_class c) {
  return hx_is_class_in(hx_state_get(L), L, i, c);
}

void *hx_to_class(lua_State *L, int i, hx_class c) {
  return lua_type(L, i) == LUA_TUSERDATA && hx_is_class(L, i, c) ? lua_touserdata(L, i) : NULL;
}

int hx_arg_error(lua_State *L, int arg, const char *want) {
  const char *got = luaL_typename(L, arg);
  /* The first argument of a method is its object. A call with a dot instead of a colon leaves the object out. */
  bool object = arg == 1 && want[0] >= 'A' && want[0] <= 'Z' && !strchr(want, ' ');
  const char *text = lua_pushfstring(L, "%s expected, got %s%s", want, got, object ? "; methods are called with a colon" : "");
  return luaL_argerror(L, arg, text);
}

void hx_home_must(lua_State *L, hx_home *home, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  hx_why why = hx_home_run(home, fn, ud);
  if (why != HX_WHY_NONE) luaL_error(L, "%s", hx_why_word(why));
}

static void run_str(hx_cx *cx, void *ud) {
  hx_str *s = ud;
  s->p = hx_c_str(cx, *s);
}

hx_str hx_home_str(lua_State *L, hx_home *home, hx_str s) {
  hx_home_must(L, home, run_str, &s);
  return s;
}

/* Returns the option that key resembles or abbreviates, as `file` abbreviates `filename`; "" if there isn't one. */
static hx_str near_option(hx_str key, const hx_str *names, size_t n) {
  hx_str near = hx_suggest(key, names, (uint32_t)n);
  for (size_t i = 0; i < n && !near.len && key.len >= 3; i++)
    if (names[i].len > key.len && !memcmp(names[i].p, key.p, key.len)) near = names[i];
  return near;
}

int hx_option_row(lua_State *L, int arg, const char *message, const void *rows, size_t n, size_t size) {
  hx_str names[32], near = HX_STR(""), given = HX_STR("");
  if (lua_type(L, -2) == LUA_TSTRING) given = hx_check_str(L, lua_gettop(L) - 1);
  for (size_t i = 0; i < n; i++) {
    names[i] = hx_str_c(*(const char *const *)(const void *)((const char *)rows + i * size));
    if (hx_str_eq(names[i], given)) return (int)i;
  }
  if (!message) return -1;
  lua_pushvalue(L, -2); /* a copy, because lua_tostring changes a number, but lua_next needs the key unchanged */
  const char *key = lua_isstring(L, -1) ? lua_tostring(L, -1) : luaL_typename(L, -1);
  if (lua_type(L, -1) == LUA_TSTRING) near = near_option(hx_str_c(key), names, n);
  const char *text = lua_pushfstring(L, message, key);
  if (near.len) text = lua_pushfstring(L, "%s; did you mean '%s'?", text, near.p);
  return luaL_argerror(L, arg, text);
}

void *hx_check_class(lua_State *L, int arg, hx_class c) {
  void *p = hx_to_class(L, arg, c);
  if (!p) hx_arg_error(L, arg, class_names[c]);
  return p;
}

void hx_set_class(lua_State *L, int i, hx_class c) {
  i = hx_lua_absindex(L, i);
  lua_rawgeti(L, HX_UP_STORE, (int)c);
  lua_setmetatable(L, i);
}

hx_str hx_check_str(lua_State *L, int arg) {
  size_t len;
  const char *s;
  if (lua_type(L, arg) != LUA_TSTRING) hx_arg_error(L, arg, "string");
  s = lua_tolstring(L, arg, &len);
  if (len > UINT32_MAX) luaL_argerror(L, arg, "string of more than 4 GiB");
  return hx_str_of(s, len);
}

uint32_t hx_anchor_new(lua_State *L, hx_str s) {
  int ref;
  hx_push_str(L, s);
  ref = luaL_ref(L, HX_UP_ANCHORS);
  return ref > 0 ? (uint32_t)ref : 0;
}

void hx_anchor_put(lua_State *L, hx_str s, uint32_t *at) {
  uint32_t anchor = hx_anchor_new(L, s);
  if (*at) hx_anchor_drop(L, anchor);
  else *at = anchor;
}

void hx_anchor_drop(lua_State *L, uint32_t anchor) {
  if (anchor) luaL_unref(L, HX_UP_ANCHORS, (int)anchor);
}

/* The growth before the next cycle: less isn't worth a cycle, and more doesn't fit into the processor's cache. */
#define WAIT_LEAST ((size_t)384 << 10)
/* The least growth before the collector examines old objects. This takes time in proportion to Lua's heap, so the growth must also
** be twice the heap. */
#define AGE_LEAST ((size_t)16 << 20)

static void look_at_old(lua_State *L, hx_state *st, size_t n) {
  st->aged += n;
  if (st->aged < AGE_LEAST || st->aged >> 11 < (size_t)lua_gc(L, LUA_GCCOUNT, 0)) return;
  st->aged = 0;
  hx_lua_collect_old(L);
}

/* Sets the collector's pause so that the heap may grow by its own size, but at least by `room`. A pause is relative to the heap
** that a cycle leaves. The last report during a cycle, which sets the pause, comes when the heap is hardly larger than that. */
#define PAUSE_MOST 1000
static void make_room(lua_State *L, size_t room) {
  size_t heap = ((size_t)lua_gc(L, LUA_GCCOUNT, 0) << 10) + 1;
  size_t pause = 100 + (room > heap ? 100 * room / heap : 100);
  lua_gc(L, LUA_GCSETPAUSE, pause < PAUSE_MOST ? (int)pause : PAUSE_MOST);
}

/* If Lua's steps don't wait, after the end of a cycle, until the heap has doubled, this function ignores growth until then. Growth while
** the program has stopped the collector is reported once it runs again. */
void hx_state_tell(lua_State *L) {
  if (!hx_lua_collects(L)) return;
  hx_state *st = hx_state_get(L);
  size_t n = (st->unreported - st->unheard) >> 10;
  st->unreported = st->unheard = 0;
  if (st->room) make_room(L, st->room);
  bool ended = lua_gc(L, LUA_GCSTEP, n > 1 << 20 ? 1 << 20 : (int)n) != 0;
  look_at_old(L, st, n << 10);
  if (!ended || HX_LUA_STEP_WAITS) return;
  st->unheard = (size_t)lua_gc(L, LUA_GCCOUNT, 0) << 10;
  size_t least = st->room ? st->room : WAIT_LEAST;
  if (st->unheard < least) st->unheard = least;
}

static void set_functions(lua_State *L, int table, const luaL_Reg *list) {
  lua_pushvalue(L, table);
  lua_pushvalue(L, HX_UP_STATE);
  lua_pushvalue(L, HX_UP_STORE);
  lua_pushvalue(L, HX_UP_ANCHORS);
  hx_lua_setfuncs(L, list, HX_UPVALUES);
  lua_pop(L, 1);
}

void hx_register(lua_State *L, hx_class c, const luaL_Reg *methods, const luaL_Reg *functions) {
  int core = lua_gettop(L);
  if (methods) {
    lua_rawgeti(L, HX_UP_STORE, (int)c);
    set_functions(L, lua_gettop(L), methods);
    lua_pop(L, 1);
  }
  if (functions) set_functions(L, core, functions);
}
