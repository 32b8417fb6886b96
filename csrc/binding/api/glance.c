/* glance.c: quick questions of the command about many Values: kind, marks, the word that shows a Value. For each question the
** methods of Values would make a Type, a table or another Value, which takes several times the instructions.
** Memory: Lua's.
** Errors: raises for a closed Value and for other types. */
#include "binding/state/openers.h"

#include "binding/data/value.h"
#include "value/type.h"
#include "value/unknown.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns true if a terminal shows the byte as it is. */
static bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}
static bool needs_escape(char c) {
  return !is_printable(c) || c == '"' || c == '\\' || c == '$' || c == '%';
}

/* core.kind(value): returns the same as value:type():kind(). */
static int l_kind(lua_State *L) {
  lua_pushstring(L, hx_kind_name(hx_val_kind(&hx_check_value(L, 1)->v)));
  return 1;
}

/* core.is_marked(value): returns true if the value itself has marks. */
static int l_is_marked(lua_State *L) {
  lua_pushboolean(L, hx_check_value(L, 1)->v.tag == HX_T_MARKED);
  return 1;
}

static int push_quoted(lua_State *L, hx_str text) {
  luaL_Buffer b;
  for (uint32_t i = 0; i < text.len; i++)
    if (needs_escape(text.p[i])) return 0;
  luaL_buffinit(L, &b);
  luaL_addchar(&b, '"');
  luaL_addlstring(&b, text.p, text.len);
  luaL_addchar(&b, '"');
  luaL_pushresult(&b);
  return 1;
}

static int push_whole(lua_State *L, int64_t i) {
  char digits[24];
  (void)snprintf(digits, sizeof digits, "%" PRId64, i);
  lua_pushstring(L, digits);
  return 1;
}

/* Pushes the word that shows a value, and returns 1. If the value may take more than a word, pushes nothing and returns 0. */
static int push_word(lua_State *L, const hx_val *v) {
  const char *word = NULL;
  if (v->tag == HX_T_MARKED) word = HX_HIDDEN_TEXT;
  else if (v->tag == HX_T_UNKNOWN && !hx_known_parts(v)) word = "(known after apply)";
  else if (v->tag == HX_T_NULL) word = "null";
  else if (v->tag == HX_T_BOOL) word = v->u.i ? "true" : "false";
  else if (v->tag == HX_T_INT) return push_whole(L, v->u.i);
  else if (v->tag == HX_T_STR) return push_quoted(L, hx_val_str(v));
  if (!word) return 0;
  lua_pushstring(L, word);
  return 1;
}

/* core.word(value): returns the word that shows the value, or nothing. */
static int l_word(lua_State *L) {
  return push_word(L, &hx_check_value(L, 1)->v);
}

/* core.words(value): returns the keys of an object or map in order (of an open object, those that are known), and the words that show its
** parts, false for a part that takes more than a word. Half of a plan's text is such words. Making a Value of each part took five times the
** instructions. */
static int l_words(lua_State *L) {
  const hx_val *whole = (lua_settop(L, 1), &hx_value_hold(L, 1)->v), *v = hx_unmarked(whole);
  if (hx_known_parts(v)) v = hx_known_parts(v);
  if (!hx_is_obj(v)) return luaL_argerror(L, 1, "an object or a map is needed");
  const hx_shape *shape = v->u.obj->shape;
  lua_createtable(L, (int)v->len, 0);
  lua_createtable(L, (int)v->len, 0);
  int words = lua_gettop(L), keys = words - 1;
  for (uint32_t i = 0; i < v->len; i++) {
    /* The order is that of pairs(). The parts of a marked value have its marks. */
    uint32_t at = shape->order ? shape->order[i] : i;
    const hx_val *part = whole->tag == HX_T_MARKED ? whole : &v->u.obj->v[at];
    hx_push_str(L, shape->keys[at]);
    lua_rawseti(L, keys, (int)i + 1);
    if (!push_word(L, part)) lua_pushboolean(L, 0);
    lua_rawseti(L, words, (int)i + 1);
  }
  return 2;
}

/* core.is_plain(text): returns true if the text is printable ASCII, so that core.plain would leave it as it is. */
static int l_is_plain(lua_State *L) {
  size_t n;
  const char *s = luaL_checklstring(L, 1, &n);
  while (n && is_printable(*s)) n--, s++;
  lua_pushboolean(L, n == 0);
  return 1;
}

/* core.table_for(n): returns an empty table with room for n names. Otherwise a table for fifty names would grow seven times, which
** takes 15,000 instructions. */
static int l_table_for(lua_State *L) {
  lua_createtable(L, 0, (int)luaL_checkinteger(L, 1));
  return 1;
}

static const luaL_Reg functions[] = {
  { "kind", l_kind },         { "is_marked", l_is_marked }, { "word", l_word }, { "words", l_words },
  { "is_plain", l_is_plain }, { "table_for", l_table_for }, { NULL, NULL },
};

void hx_open_glance(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
