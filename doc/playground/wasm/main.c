/* main.c: what the page's worker calls: Lua with the module, and its files inside. play.lua says what requests and answers are.
** Memory: the request's room is kept and grows; an answer is valid until the next request.
** Errors: a mistake in a program is part of the answer. NULL: memory ran out, or a mistake of ours: the worker is to be replaced. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "files.h"

int luaopen_hclexpr_core(lua_State *L);

#define EXPORT(name) __attribute__((export_name(name)))

static lua_State *L;
static char *room;
static size_t length;

static int load_file(lua_State *S) {
  const char *name = luaL_checkstring(S, 1);
  for (const play_file *f = play_files; f->name; f++) {
    if (strcmp(f->name, name) != 0) continue;
    if (luaL_loadbufferx(S, f->text, f->size, f->chunk, "t") != LUA_OK) return lua_error(S);
    return 1;
  }
  lua_pushfstring(S, "no file '%s' is inside", name);
  return 1;
}

static const luaL_Reg libraries[] = {
  { LUA_GNAME, luaopen_base },       { LUA_LOADLIBNAME, luaopen_package }, { LUA_COLIBNAME, luaopen_coroutine },
  { LUA_TABLIBNAME, luaopen_table }, { LUA_STRLIBNAME, luaopen_string },   { LUA_MATHLIBNAME, luaopen_math },
  { LUA_UTF8LIBNAME, luaopen_utf8 }, { LUA_DBLIBNAME, luaopen_debug },     { NULL, NULL },
};

static int start(lua_State *S) {
  for (const luaL_Reg *l = libraries; l->name; l++) {
    luaL_requiref(S, l->name, l->func, 1);
    lua_pop(S, 1);
  }
  lua_getglobal(S, LUA_LOADLIBNAME);
  lua_getfield(S, -1, "preload");
  lua_pushcfunction(S, luaopen_hclexpr_core);
  lua_setfield(S, -2, "hclexpr.core");
  lua_createtable(S, 1, 0);
  lua_getfield(S, -3, "searchers");
  lua_rawgeti(S, -1, 1); /* what is preloaded */
  lua_rawseti(S, -3, 1);
  lua_pop(S, 1);
  lua_pushcfunction(S, load_file);
  lua_rawseti(S, -2, 2);
  lua_setfield(S, -3, "searchers");
  lua_pop(S, 2);
  lua_getglobal(S, "require");
  lua_pushliteral(S, "play");
  lua_call(S, 1, 1);
  lua_setfield(S, LUA_REGISTRYINDEX, "play");
  return 0;
}

EXPORT("play_start") int play_start(void) {
  L = luaL_newstate();
  if (!L) return 1;
  lua_pushcfunction(L, start);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return 0;
  return 1;
}

/* Room for a request of n bytes. */
EXPORT("play_room") char *play_room(size_t n) {
  char *larger = realloc(room, n ? n : 1);
  if (larger) room = larger;
  return larger;
}

/* The answer to the request of n bytes that is in that room. */
EXPORT("play_answer") const char *play_answer(size_t n) {
  lua_settop(L, 0);
  lua_getfield(L, LUA_REGISTRYINDEX, "play");
  lua_pushlstring(L, room, n);
  int status = lua_pcall(L, 1, 1, 0);
  const char *text = lua_tolstring(L, -1, &length);
  return status == LUA_OK ? text : NULL;
}

/* Returns the length of the last text: the answer or, after NULL, the text of play_why. */
EXPORT("play_length") size_t play_length(void) {
  return length;
}
EXPORT("play_why") const char *play_why(void) {
  return lua_tolstring(L, -1, &length);
}
