/* catalogue.c: what the rows of the built-ins say about them.
** Memory: Lua's.
** Errors: raises for want of memory. */
#include "binding/api/openers.h"

#include "binding/host/func.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "vm/fn.h"

/* Capabilities, by the options of a scope that grant them. */
static const struct need_name {
  uint8_t need;
  const char *name;
} need_names[] = {
  { HX_NEEDS_FILES, "filesystem" },
  { HX_NEEDS_CLOCK, "clock" },
  { HX_NEEDS_RANDOM, "random" },
};

static void set_type(lua_State *L, hx_home *work, const char *name, const hx_type *t) {
  hx_type_push_text(L, work, t);
  lua_setfield(L, -2, name);
}

static void push_param(lua_State *L, hx_home *work, const hx_param *p) {
  lua_newtable(L);
  hx_set_str(L, -1, "name", hx_str_c(p->name));
  set_type(L, work, "type", p->type);
  for (size_t i = 0; i < HX_ALLOW_ROWS; i++) {
    if (!(p->allow & hx_allow_rows[i].allow)) continue;
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, hx_allow_rows[i].name);
  }
}

static void set_text(lua_State *L, const char *name, const char *text) {
  if (!text) return;
  lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void push_function(lua_State *L, hx_home *work, const hx_fn *fn) {
  lua_newtable(L);
  set_text(L, "name", fn->name);
  lua_newtable(L);
  for (int i = 0; i < HX_MAX_PARAMS && fn->params[i].name; i++) {
    push_param(L, work, &fn->params[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
  if (fn->rest.name) {
    push_param(L, work, &fn->rest);
    lua_setfield(L, -2, "variadic");
  }
  set_type(L, work, "returns", fn->type ? fn->type : &hx_type_dynamic);
  set_text(L, "summary", fn->summary);
  set_text(L, "description", fn->doc);
  set_text(L, "example", fn->example);
  for (size_t i = 0; i < sizeof need_names / sizeof *need_names; i++)
    if (fn->needs & need_names[i].need) set_text(L, "capability", need_names[i].name);
}

typedef struct all_job {
  const hx_fn *const *fns;
  uint32_t n;
} all_job;

static void run_all(hx_cx *cx, void *ud) {
  all_job *job = ud;
  job->fns = hx_builtins(cx, &job->n);
}

/* core.functions(name?) */
static int l_functions(lua_State *L) {
  hx_home *work;
  all_job job = { NULL, 0 };
  lua_settop(L, 1);
  work = hx_work_push(L);
  if (!lua_isnil(L, 1)) {
    const hx_fn *fn = hx_builtin(hx_check_str(L, 1));
    if (fn && !(fn->flags & HX_REMOVED)) push_function(L, work, fn);
    else lua_pushnil(L);
    return 1;
  }
  hx_home_must(L, work, run_all, &job);
  lua_createtable(L, 0, (int)job.n);
  for (uint32_t i = 0; i < job.n; i++) {
    push_function(L, work, job.fns[i]);
    lua_setfield(L, -2, job.fns[i]->name);
  }
  return 1;
}

static const luaL_Reg functions[] = { { "functions", l_functions }, { NULL, NULL } };

void hx_open_catalogue(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
