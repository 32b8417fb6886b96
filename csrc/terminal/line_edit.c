/* line_edit.c: a Lua module of its own, hclexpr.line_edit: lines typed at a terminal, with history and completion, by libedit.
** Only the console loads it; a build without libedit has no such module.
**
** Memory: lines are Lua's strings; the library's own are freed here. History is the library's, one for the process.
** Errors: a completion that raises offers nothing. */
#define _XOPEN_SOURCE 700 /* sigaction, sigsetjmp */
#include "binding/state/compat.h"

#include <editline/readline.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

HX_EXPORT int luaopen_hclexpr_line_edit(lua_State *L);

/* The library calls back without a context: what it is called for lies here, while l_read runs. */
static struct {
  lua_State *L;
  int complete;                 /* the stack index of the Lua function; 0: there is none */
  int words;                    /* of the table with its answer */
  volatile sig_atomic_t in_lua; /* a completion is made, by Lua */
} now;

/* Ctrl-C leaves the line, as the library itself doesn't: it is left where it waits for a key, mostly, and never while Lua runs. */
static sigjmp_buf line_left;

static void leave_line(int signal) {
  (void)signal;
  if (!now.in_lua) siglongjmp(line_left, 1);
}

static char *copy_of(const char *s, size_t n) {
  char *p = malloc(n + 1);
  if (p) {
    memcpy(p, s, n);
    p[n] = '\0';
  }
  return p;
}

/* The library asks for the candidates one by one, with state 0 for the first; NULL ends them. */
static char *next_word(const char *text, int state) {
  static int i;
  char *word = NULL;
  (void)text;
  i = state == 0 ? 1 : i + 1;
  lua_rawgeti(now.L, now.words, i);
  if (lua_type(now.L, -1) == LUA_TSTRING) {
    size_t n;
    const char *s = lua_tolstring(now.L, -1, &n);
    word = copy_of(s, n);
  }
  lua_pop(now.L, 1);
  return word;
}

/* The table is read without metamethods, and its strings are copied by malloc: nothing here raises past the library. */
static char **complete(const char *text, int start, int end) {
  char **matches = NULL;
  int top = lua_gettop(now.L);
  rl_attempted_completion_over = 1; /* names of files are not meant */
  rl_completion_append_character = '\0';
  if (!now.complete || !lua_checkstack(now.L, 8)) return NULL;
  now.in_lua = 1;
  lua_pushvalue(now.L, now.complete);
  lua_pushstring(now.L, text);
  lua_pushlstring(now.L, rl_line_buffer, (size_t)start);
  if (lua_pcall(now.L, 2, 1, 0) == 0 && lua_istable(now.L, -1)) {
    now.words = lua_gettop(now.L);
    matches = rl_completion_matches(text, next_word);
  }
  (void)end;
  lua_settop(now.L, top);
  now.in_lua = 0;
  return matches;
}

static struct sigaction on_interrupt(void (*handler)(int)) {
  struct sigaction made = { .sa_handler = handler }, before;
  sigemptyset(&made.sa_mask);
  sigaction(SIGINT, &made, &before);
  return before;
}

/* read(prompt, complete?): the line without its newline; nil at the end of the input; false where Ctrl-C left it. complete(word,
** before) gives an array of words that may stand for the one at the cursor; before is the line's text in front of it. */
static int l_read(lua_State *L) {
  const char *prompt = luaL_checkstring(L, 1);
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_checkstack(L, 8, NULL);
  now.L = L;
  now.complete = lua_isnil(L, 2) ? 0 : 2;
  rl_attempted_completion_function = complete;
  struct sigaction before = on_interrupt(leave_line);
  char *volatile line = NULL;
  volatile bool left = true;
  if (sigsetjmp(line_left, 1) == 0) {
    line = readline(prompt);
    left = false;
  }
  sigaction(SIGINT, &before, NULL);
  now.L = NULL;
  if (left) lua_pushboolean(L, 0);
  if (left || !line) return left;
  lua_pushstring(L, line);
  free(line);
  return 1;
}

/* Ctrl-C during an evaluation raises an error there, as often as it comes: Lua's own command leaves the second one to the system. */

static lua_State *watched;

static void raise_error(lua_State *L, lua_Debug *at) {
  (void)at;
  lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "interrupted!");
}

static void interrupt(int signal) {
  (void)signal;
  lua_sethook(watched, raise_error, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

/* watch(on): from now on; or no longer. */
static int l_watch(lua_State *L) {
  static struct sigaction before;
  bool on = lua_toboolean(L, 1);
  if (on == (watched != NULL)) return 0;
  watched = on ? L : NULL;
  if (on) before = on_interrupt(interrupt);
  else sigaction(SIGINT, &before, NULL);
  return 0;
}

/* add(line): to the history. */
static int l_add(lua_State *L) {
  add_history(luaL_checkstring(L, 1));
  return 0;
}

/* load(path), save(path): the history as a file. Returns whether that worked. */
static int l_load(lua_State *L) {
  lua_pushboolean(L, read_history(luaL_checkstring(L, 1)) == 0);
  return 1;
}
static int l_save(lua_State *L) {
  lua_pushboolean(L, write_history(luaL_checkstring(L, 1)) == 0);
  return 1;
}

static const luaL_Reg functions[] = {
  { "read", l_read }, { "watch", l_watch }, { "add", l_add }, { "load", l_load }, { "save", l_save }, { NULL, NULL },
};

int luaopen_hclexpr_line_edit(lua_State *L) {
  static char breaks[] = " \t\n\"'`@$><=;|&{(,)}[]+-*/%!?:";
  setlocale(LC_CTYPE, ""); /* the library asks the locale what a character is */
  using_history();
  stifle_history(1000);
  rl_readline_name = "hclexpr";
  rl_completer_word_break_characters = breaks;
  lua_newtable(L);
  hx_lua_setfuncs(L, functions, 0);
  return 1;
}
