/* threads.c: functions about coroutines, for our own Lua files.
** Memory: Lua's.
** Errors: raises for anything but a coroutine. */
#include "binding/state/openers.h"

#include "binding/data/value.h"

/* core.thread(): returns the running coroutine, also the main one, which older Luas don't return. */
static int l_thread(lua_State *L) {
  lua_pushthread(L);
  return 1;
}

/* core.activations(thread, fn, wanted): finds the running calls of fn on the coroutine's stack, the innermost first. Returns an array of
** their second arguments; with `wanted`, only of the innermost call with this argument: a callback that asks without end makes a deep
** stack, and finding a level of it takes time for each level above. */
static int l_activations(lua_State *L) {
  lua_State *of = lua_tothread(L, 1);
  lua_Debug call;
  int n = 0;
  if (!of) return luaL_argerror(L, 1, "coroutine expected");
  lua_settop(L, 3);
  lua_newtable(L);
  for (int level = 0; lua_getstack(of, level, &call); level++) {
    lua_getinfo(of, "f", &call);
    lua_xmove(of, L, 1);
    bool is_its = lua_rawequal(L, -1, 2);
    lua_settop(L, 4);
    if (!is_its || !lua_getlocal(of, &call, 2)) continue;
    lua_xmove(of, L, 1);
    bool found = lua_rawequal(L, -1, 3);
    if (!found && !lua_isnil(L, 3)) continue;
    lua_rawseti(L, 4, ++n);
    if (found) break;
  }
  return 1;
}

static const luaL_Reg functions[] = { { "thread", l_thread }, { "activations", l_activations }, { NULL, NULL } };

void hx_open_threads(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
