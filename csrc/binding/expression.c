/* expression.c: compiling, and what an Expression tells about itself. */
#include "binding/expression.h"

#include "binding/diagnostics.h"
#include "binding/place.h"
#include "binding/uses.h"

hx_expression *hx_expression_new(lua_State *L, hx_unit *of) {
  hx_expression *e = hx_lua_newuserdata(L, sizeof *e);
  e->unit = NULL;
  hx_set_class(L, -1, HX_CLASS_EXPRESSION);
  e->unit = hx_unit_new(of);
  if (!e->unit) luaL_error(L, "not enough memory");
  return e;
}

void hx_expression_close(lua_State *L, hx_expression *e) {
  hx_unit *u = e->unit;
  hx_seen_forget(hx_state_get(L)->expressions, e);
  e->unit = NULL;
  hx_unit_release(L, u);
}

hx_expression *hx_check_expression(lua_State *L, int arg) {
  hx_expression *e = hx_check_class(L, arg, HX_CLASS_EXPRESSION);
  if (!e->unit) luaL_argerror(L, arg, "the Expression has been closed");
  return e;
}

/* Limits */

static const struct limit_row {
  const char *name;
  size_t offset;
} limit_rows[] = {
  { "steps", offsetof(hx_limits, steps) },   { "memory", offsetof(hx_limits, memory) }, { "depth", offsetof(hx_limits, depth) },
  { "output", offsetof(hx_limits, output) }, { "source", offsetof(hx_limits, source) },
};

static void read_limit(lua_State *L, int arg, const char *name, uint64_t *limit) {
  lua_Number n;
  if (lua_type(L, -1) != LUA_TNUMBER) luaL_argerror(L, arg, lua_pushfstring(L, "limits.%s must be a number", name));
  n = lua_tonumber(L, -1);
  if (!(n >= 0)) luaL_argerror(L, arg, lua_pushfstring(L, "limits.%s must not be negative", name));
  *limit = n >= 9e18 ? (uint64_t)9000000000000000000u : (uint64_t)n;
}

void hx_limits_read(lua_State *L, int at, int arg, hx_limits *limits) {
  if (!lua_istable(L, at)) luaL_argerror(L, arg, lua_pushfstring(L, "limits must be a table, not a %s", luaL_typename(L, at)));
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    bool known = false;
    for (size_t i = 0; i < sizeof limit_rows / sizeof *limit_rows && !known; i++) {
      known = hx_option_is(L, limit_rows[i].name);
      if (known) read_limit(L, arg, limit_rows[i].name, (uint64_t *)(void *)((char *)limits + limit_rows[i].offset));
    }
    if (!known) hx_option_unknown(L, arg, "unknown option limits.%s");
  }
  if (limits->depth > HX_DEPTH_MAX) limits->depth = HX_DEPTH_MAX;
}

/* Compiling */

/* core.compile(source, filename, line, column, syntax, limits): the options as checked in Lua; limits is a table or nil. */
static int l_compile(lua_State *L) {
  static const char *const syntaxes[] = { "native", "template", "json", NULL };
  static const hx_syntax ids[] = { HX_SYNTAX_NATIVE, HX_SYNTAX_TEMPLATE, HX_SYNTAX_JSON };
  hx_str text = hx_check_str(L, 1);
  hx_program_options options = { .filename = HX_STR(""), .later = true, .limits = hx_limits_default };
  hx_expression *e;
  lua_settop(L, 6);
  if (!lua_isnil(L, 2)) options.filename = hx_check_str(L, 2);
  options.line = (uint32_t)luaL_optnumber(L, 3, 1);
  options.column = (uint32_t)luaL_optnumber(L, 4, 1);
  options.syntax = ids[luaL_checkoption(L, 5, "native", syntaxes)];
  if (!lua_isnil(L, 6)) hx_limits_read(L, 6, 2, &options.limits);
  e = hx_expression_new(L, NULL);
  hx_why why = hx_program_init(&e->unit->program, text, &options);
  if (why != HX_WHY_NONE || e->unit->program.cx.diags.errors) {
    lua_pushnil(L);
    hx_diagnostics_push_of(L, e->unit);
    return 2;
  }
  hx_state_grown(L, e->unit->program.cx.arena.held + e->unit->program.cx.scratch.held + sizeof(hx_unit));
  return 1;
}

static size_t held_by(const hx_program *p) {
  return p->cx.arena.held + p->cx.scratch.held;
}

bool hx_unit_ready(lua_State *L, hx_unit *u) {
  size_t before = held_by(&u->program);
  if (hx_program_ready(&u->program) != HX_WHY_NONE) return false;
  size_t now = held_by(&u->program);
  if (now > before) hx_state_grown(L, now - before);
  return true;
}

/* Methods */

static int l_source(lua_State *L) {
  const hx_program *p = &hx_check_expression(L, 1)->unit->program;
  const hx_node *n = p->root;
  hx_unit *u = hx_check_expression(L, 1)->unit;
  hx_str text = p->source->text;
  if (u->of && n) text = hx_str_of(text.p + n->start, n->stop - n->start);
  hx_push_str(L, text);
  return 1;
}

static int l_range(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  hx_range_push(L, u, u->program.source, hx_node_range(u->program.root));
  return 1;
}

static int l_warnings(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  if (!u->program.cx.diags.first) return 0;
  hx_diagnostics_push_of(L, u);
  return 1;
}

static int l_references(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  return hx_references_push(L, u, u->program.root);
}

static int l_functions(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  return hx_function_uses_push(L, u, u->program.root);
}

/* core.is_constant(expr): does it need no scope at all? */
static int l_is_constant(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  lua_pushboolean(L, hx_unit_ready(L, u) && u->program.constant);
  return 1;
}

static int l_close(lua_State *L) {
  hx_expression *e = hx_to_class(L, 1, HX_CLASS_EXPRESSION);
  if (e) hx_expression_close(L, e);
  return 0;
}

static const luaL_Reg methods[] = {
  { "__gc", l_close },
  { "source", l_source },
  { "range", l_range },
  { "warnings", l_warnings },
  { "references", l_references },
  { "functions", l_functions },
  { NULL, NULL },
};
static const luaL_Reg functions[] = {
  { "compile", l_compile },
  { "is_constant", l_is_constant },
  { "close_expression", l_close },
  { NULL, NULL },
};

void hx_open_expression(lua_State *L) {
  hx_register(L, HX_CLASS_EXPRESSION, methods, functions);
}
