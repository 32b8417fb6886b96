/* catalogue.c: core.functions: the catalogue of built-in functions, from their rows.
** Memory: Lua's.
** Errors: raises if Lua is out of memory. */
#include "binding/state/openers.h"

#include "binding/objects/func.h"
#include "base/buf.h"
#include "binding/data/value.h"
#include "vm/fn.h"

/* The capabilities, named by the options of a scope that grant them. */
static const struct need_name {
  uint8_t need;
  const char *name;
} need_names[] = {
  { HX_NEEDS_FILES, "filesystem" },
  { HX_NEEDS_CLOCK, "clock" },
  { HX_NEEDS_RANDOM, "random" },
};

static void set_type(lua_State *L, hx_cx *cx, const char *name, const hx_type *t) {
  hx_buf b;
  hx_guard_again(cx);
  hx_buf_init(&b, &cx->arena, 64);
  hx_type_write(&b, t);
  hx_set_str(L, name, hx_buf_done(&b));
}

static void push_param(lua_State *L, hx_cx *cx, const hx_param *p) {
  lua_newtable(L);
  hx_set_str(L, "name", hx_str_c(p->name));
  set_type(L, cx, "type", p->type);
  for (size_t i = 0; i < HX_ALLOW_ROWS; i++) {
    if (!(p->allow & hx_allow_rows[i].allow)) continue;
    hx_set_bool(L, hx_allow_rows[i].name, true);
  }
}

static void push_function(lua_State *L, hx_cx *cx, const hx_fn *fn) {
  lua_newtable(L);
  hx_set_word(L, "name", fn->name);
  lua_newtable(L);
  for (int i = 0; i < HX_MAX_PARAMS && fn->params[i].name; i++) {
    push_param(L, cx, &fn->params[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
  if (fn->rest.name) {
    push_param(L, cx, &fn->rest);
    lua_setfield(L, -2, "variadic");
  }
  set_type(L, cx, "returns", fn->type ? fn->type : &hx_type_dynamic);
  hx_set_word(L, "summary", fn->summary);
  hx_set_word(L, "description", fn->doc);
  hx_set_word(L, "example", fn->example);
  for (size_t i = 0; i < sizeof need_names / sizeof *need_names; i++)
    if (fn->needs & need_names[i].need) hx_set_word(L, "capability", need_names[i].name);
}

/* core.functions(name?): returns a table of all functions by name, or the function of that name, or nil. */
static int functions(lua_State *L, hx_cx *cx) {
  uint32_t n;
  if (!lua_isnil(L, 1)) {
    const hx_fn *fn = hx_builtin(hx_check_str(L, 1));
    if (fn && !(fn->flags & HX_REMOVED)) push_function(L, cx, fn);
    else lua_pushnil(L);
    return 1;
  }
  const hx_fn *const *fns = hx_builtins(cx, &n);
  lua_createtable(L, 0, (int)n);
  for (uint32_t i = 0; i < n; i++) {
    push_function(L, cx, fns[i]);
    lua_setfield(L, -2, fns[i]->name);
  }
  return 1;
}

static const hx_work_row rows[] = { { "functions", 1, functions, false } };

void hx_open_catalogue(lua_State *L) {
  HX_REGISTER_WORK(L, rows);
}
