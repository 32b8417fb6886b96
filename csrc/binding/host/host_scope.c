/* host_scope.c: answers an evaluation from its scopes: names to suggest, functions, the clock and random bytes.
** Header: binding/host/host.h. */
#define _DEFAULT_SOURCE /* getrandom */
#include "binding/host/host.h"

#include <time.h>
#if defined(__linux__)
#include <sys/random.h>
#else
#include <stdlib.h>
#endif

/* Suggestions */

#define MOST_NAMES 1000u
#define INDEX_NOTE " The Lua table has a metatable with __index, which isn't run: have such names answered by the scope's lookup."
#define LOOKUP_NOTE " The scope's lookup gave nothing for it: for what may be absent it returns hcl.null."

typedef struct name_list {
  hx_cx *cx;
  HX_VEC(hx_str) v;
} name_list;

static void add_name(name_list *list, hx_str name) {
  if (list->v.n < MOST_NAMES) *HX_VEC_PUSH(&list->cx->arena, &list->v) = name;
}

/* Adds the string keys of the table at `at`. */
static void add_keys(lua_State *L, int at, name_list *list) {
  lua_pushnil(L);
  while (list->v.n < MOST_NAMES && lua_next(L, at)) {
    size_t len;
    const char *s = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &len) : NULL;
    /* The name is copied, because a finalizer may remove the key. */
    if (s && len <= 256) add_name(list, hx_str_copy(list->cx, hx_str_of(s, len)));
    lua_pop(L, 1);
  }
}

/* Returns true if the value at `at` is a table with __index in its metatable. */
static bool has_index(hx_evaluation *ev, int at) {
  lua_State *L = ev->L;
  bool has;
  if (!lua_getmetatable(L, at)) return false;
  hx_lua_rawgetstr(L, -1, "__index");
  hx_guard_again(&ev->machine.cx);
  has = !lua_isnil(L, -1);
  lua_pop(L, 2);
  return has && lua_istable(L, at);
}

/* Adds the names of variables. Returns true if one of their tables has __index. */
static bool add_variables(hx_evaluation *ev, name_list *list) {
  lua_State *L = ev->L;
  int top = lua_gettop(L);
  bool index = false;
  if (ev->has_variables) {
    index = has_index(ev, HX_AT_VARIABLES);
    add_keys(L, HX_AT_VARIABLES, list);
  }
  for (const hx_scope *s = ev->scope; s; s = s->parent) {
    if (!s->has_variables) continue;
    lua_settop(L, top);
    hx_scope_push_table(L, HX_AT_SCOPE, s);
    lua_rawgeti(L, -1, HX_SCOPE_VARIABLES);
    index = index || has_index(ev, top + 2);
    add_keys(L, top + 2, list);
  }
  lua_settop(L, top);
  return index;
}

static void add_functions(hx_evaluation *ev, name_list *list) {
  uint32_t n;
  const hx_fn *const *fns = hx_builtins(list->cx, &n);
  for (uint32_t i = 0; i < n; i++) {
    hx_str name = hx_str_c(fns[i]->name);
    if (hx_scope_sees(ev->scope, name) && (ev->host.console || !(fns[i]->flags & HX_CONSOLE))) add_name(list, name);
  }
  for (const hx_scope *s = ev->scope; s; s = s->parent)
    for (uint32_t i = 0; i < s->nfunctions; i++) add_name(list, hx_str_c(s->functions[i].name));
}

/* Adds the names that lookups declare, except `wanted`. */
static void add_declared(const hx_evaluation *ev, hx_str wanted, name_list *list) {
  for (const hx_scope *s = ev->scope; s; s = s->parent)
    for (uint32_t i = 0; i < s->declared.n; i++)
      if (!hx_str_eq(s->declared.p[i].name, wanted)) add_name(list, s->declared.p[i].name);
}

static bool asks_lookup(const hx_evaluation *ev, hx_str name) {
  if (ev->host.check) return false;
  for (const hx_scope *s = ev->scope; s; s = s->parent)
    if (s->has_lookup && (!s->declares || hx_pins_find(&s->declared, name))) return true;
  return false;
}

hx_str hx_host_names(hx_host *h, hx_cx *cx, bool functions, hx_str wanted, const hx_str **names, uint32_t *n) {
  hx_evaluation *ev = hx_evaluation_of(h);
  name_list list = { cx, { NULL, 0, 0 } };
  bool index = false;
  if (!hx_is_silent(cx)) {
    hx_evaluation_open(ev);
    if (functions) add_functions(ev, &list);
    else index = add_variables(ev, &list);
    if (!functions) add_declared(ev, wanted, &list);
  }
  *names = list.v.p;
  *n = list.v.n;
  if (index) return HX_STR(INDEX_NOTE);
  return !functions && asks_lookup(ev, wanted) ? HX_STR(LOOKUP_NOTE) : HX_STR("");
}

hx_str hx_host_foreign_note(hx_host *h, const hx_val *foreign) {
  hx_evaluation *ev = hx_evaluation_of(h);
  bool has;
  hx_foreign_push(ev, foreign);
  has = has_index(ev, -1);
  lua_pop(ev->L, 1);
  return has ? HX_STR(INDEX_NOTE) : HX_STR("");
}

/* Functions and capabilities */

const hx_fn *hx_host_function(hx_host *h, hx_cx *cx, hx_str name, const hx_fn *builtin) {
  (void)cx;
  return hx_scope_function(hx_evaluation_of(h)->scope, name, builtin);
}

/* Returns the nearest scope, from the evaluation's scope outwards, with a function in the slot (clock, random or outside), or NULL. */
static const hx_scope *source_scope(const hx_evaluation *ev, int slot) {
  for (const hx_scope *s = ev->scope; s; s = s->parent)
    if (s->sources & HX_SCOPE_SOURCE(slot)) return s;
  return NULL;
}

/* As source_scope, but returns NULL if the evaluation only checks, because checks run no function of the script. */
static const hx_scope *running_scope(const hx_evaluation *ev, int slot) {
  return ev->host.check ? NULL : source_scope(ev, slot);
}

static hx_answer ask_source(hx_evaluation *ev, const hx_scope *s, hx_wait wait) {
  ev->wait = (uint8_t)wait;
  ev->wait_scope = s;
  return HX_ANSWER_WAIT;
}

/* Fills `bytes` from the system's random generator. Returns false if that fails. */
static bool system_random(void *bytes, uint32_t n) {
#if defined(__linux__)
  char *p = bytes;
  while (n) {
    ssize_t got = getrandom(p, n, 0);
    if (got <= 0) return false;
    p += got;
    n -= (uint32_t)got;
  }
  return true;
#else
  arc4random_buf(bytes, n);
  return true;
#endif
}

hx_answer hx_host_clock(hx_host *h, hx_cx *cx, int64_t *seconds) {
  hx_evaluation *ev = hx_evaluation_of(h);
  const hx_scope *s = running_scope(ev, HX_SCOPE_CLOCK);
  (void)cx;
  if (!s) {
    *seconds = (int64_t)time(NULL);
    return HX_ANSWER_OK;
  }
  if (!ev->answered) return ask_source(ev, s, HX_WAIT_CLOCK);
  ev->answered = false;
  *seconds = ev->clock_answer;
  return HX_ANSWER_OK;
}

hx_answer hx_host_random(hx_host *h, hx_cx *cx, void *bytes, uint32_t n) {
  hx_evaluation *ev = hx_evaluation_of(h);
  const hx_scope *s = running_scope(ev, HX_SCOPE_RANDOM);
  (void)cx;
  if (!s) return system_random(bytes, n) ? HX_ANSWER_OK : HX_ANSWER_FAILED;
  ev->wait_bytes = n;
  if (!ev->answered || ev->random_answer.len != n) return ask_source(ev, s, HX_WAIT_RANDOM);
  ev->answered = false;
  memcpy(bytes, ev->random_answer.p, n);
  return HX_ANSWER_OK;
}

hx_answer hx_host_outside(hx_host *h, hx_cx *cx, hx_str path) {
  hx_evaluation *ev = hx_evaluation_of(h);
  const hx_scope *s = source_scope(ev, HX_SCOPE_OUTSIDE);
  (void)cx;
  if (!s) return HX_ANSWER_FAILED;
  if (ev->host.check) return HX_ANSWER_OK;
  ev->wait_outside = path;
  if (!ev->answered) return ask_source(ev, s, HX_WAIT_OUTSIDE);
  ev->answered = false;
  return HX_ANSWER_OK;
}
