/* target.c: libFuzzer's way into the module. One Lua state runs the function of targets.lua named by the environment's FUZZ_TARGET
** with each input. An error that it raises is a finding, like those of the sanitizers.
**
** Coverage: of C by libFuzzer itself; of the Lua layer by the executed lines, which count among its counters for the targets that
** targets.lua lists in `by_lines`: the others work in C, where this would cost much for nothing.
**
** Memory: garbage is collected every so many inputs, because a full collection for each would cost more than most of them. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_PER_COLLECTION = 200, LINES = 1 << 16, FILES = 1 << 12 };

int luaopen_hclexpr_core(lua_State *L);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static lua_State *state;

/* libFuzzer finds it by its section, and clears it before each input. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t lines[LINES];
static bool seen[LINES];

/* A number for the file of a function, the same in each process; 0: it isn't of the module. Files stay loaded, so the addresses of their
** names don't change. */
static uint32_t number_of(const char *source) {
  static struct {
    const char *source;
    uint32_t number;
  } known[FILES];
  uint32_t at = (uint32_t)((uintptr_t)source >> 4) % FILES, hash = 2166136261u;
  if (known[at].source == source) return known[at].number;
  for (const char *c = source; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619u;
  known[at].source = source;
  known[at].number = strncmp(source, "@lua/", 5) == 0 ? hash | 1 : 0;
  return known[at].number;
}

static void count_line(lua_State *L, lua_Debug *ar) {
  (void)lua_getinfo(L, "S", ar);
  uint32_t hash = number_of(ar->source);
  if (!hash) return;
  hash = (hash ^ (uint32_t)ar->currentline) * 16777619u;
  uint32_t at = (hash ^ hash >> 16) % LINES;
  seen[at] = true;
  if (lines[at] < UINT8_MAX) ++lines[at];
}

static void say_lines(void) {
  size_t n = 0;
  for (size_t i = 0; i < LINES; i++) n += seen[i];
  fprintf(stderr, "stat::lines_of_lua: %zu\n", n);
}

static void must(bool ok) {
  if (ok) return;
  fprintf(stderr, "==== %s\n", lua_tostring(state, -1));
  abort();
}

static int with_traceback(lua_State *L) {
  luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
  return 1;
}

/* Leaves the message handler and the target's function on the stack. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  state = luaL_newstate();
  luaL_openlibs(state);
  luaL_getsubtable(state, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(state, luaopen_hclexpr_core);
  lua_setfield(state, -2, "hclexpr.core");
  lua_settop(state, 0);
  lua_pushcfunction(state, with_traceback);
  must(luaL_loadfile(state, "fuzz/targets.lua") == LUA_OK);
  must(lua_pcall(state, 0, 1, 1) == LUA_OK);
  const char *name = getenv("FUZZ_TARGET");
  if (lua_getfield(state, 2, name ? name : "") != LUA_TFUNCTION) lua_pushliteral(state, "FUZZ_TARGET names none of targets.lua");
  must(lua_isfunction(state, -1));
  (void)lua_getfield(state, 2, "by_lines");
  if (lua_getfield(state, -1, name) != LUA_TNIL) {
    lua_sethook(state, count_line, LUA_MASKLINE, 0);
    (void)atexit(say_lines);
  }
  lua_pop(state, 2);
  lua_remove(state, 2);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static int inputs;
  lua_pushvalue(state, 2);
  lua_pushlstring(state, (const char *)bytes, length);
  must(lua_pcall(state, 1, 0, 1) == LUA_OK);
  if (++inputs % INPUTS_PER_COLLECTION == 0) lua_gc(state, LUA_GCCOLLECT);
  return 0;
}
