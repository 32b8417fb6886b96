/* expression.c: compiles Expressions, and answers what scripts ask of them. */
#include "binding/objects/expression.h"
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/state/limits.h"
#include "binding/state/place.h"
#include "binding/objects/uses.h"

static hx_expression *new_expression(lua_State *L, hx_state *st, hx_unit *of, uint32_t room) {
  hx_expression *e = hx_lua_newuserdata(L, sizeof *e);
  e->unit = NULL;
  lua_rawgeti(L, HX_UP_STORE, HX_CLASS_EXPRESSION);
  lua_setmetatable(L, -2);
  e->unit = hx_unit_new(&st->pool, of, room);
  if (!e->unit) luaL_error(L, "not enough memory");
  return e;
}

hx_expression *hx_expression_new(lua_State *L, hx_unit *of) {
  return new_expression(L, hx_state_get(L), of, 0);
}

static void end_expression(lua_State *L, hx_state *st, hx_expression *e) {
  hx_unit *u = e->unit;
  hx_seen_forget(st->expressions, e);
  e->unit = NULL;
  hx_unit_release_in(L, st, u);
}

void hx_expression_close(lua_State *L, hx_expression *e) {
  end_expression(L, hx_state_get(L), e);
}

hx_expression *hx_check_expression(lua_State *L, int arg) {
  hx_expression *e = hx_check_class(L, arg, HX_CLASS_EXPRESSION);
  if (!e->unit) luaL_argerror(L, arg, "the Expression has been closed");
  return e;
}

/* Compiling */

static size_t held_by(const hx_unit *u) {
  return u->size + u->program.cx.arena.held + u->program.cx.scratch.held;
}

static const char *const syntaxes[] = { "native", "template", "json", NULL };
static const hx_syntax syntax_ids[] = { HX_SYNTAX_NATIVE, HX_SYNTAX_TEMPLATE, HX_SYNTAX_JSON };

/* Pushes a field of the options. Returns false if the field is absent. */
static bool get_option(lua_State *L, const char *name) {
  lua_getfield(L, 2, name);
  return !lua_isnil(L, -1);
}

static int bad_option(lua_State *L, const char *name, const char *must_be) {
  return luaL_argerror(L, 2, lua_pushfstring(L, "option '%s' must be %s", name, must_be));
}

static void check_option(lua_State *L, const char *name, int type) {
  if (lua_type(L, -1) == type) return;
  bad_option(L, name, lua_pushfstring(L, "a %s, not a %s", lua_typename(L, type), luaL_typename(L, -1)));
}

static uint32_t position_option(lua_State *L, const char *name, uint32_t first) {
  if (!get_option(L, name)) return first;
  lua_Number n = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(n >= first && n < 2147483648.0 && (lua_Number)(uint32_t)n == n))
    bad_option(L, name, lua_pushfstring(L, "a whole number from %d on", (int)first));
  return (uint32_t)n;
}

static hx_syntax syntax_option(lua_State *L) {
  if (!get_option(L, "syntax")) return HX_SYNTAX_NATIVE;
  hx_str word = lua_type(L, -1) == LUA_TSTRING ? hx_check_str(L, -1) : HX_STR("");
  for (size_t i = 0; syntaxes[i]; i++)
    if (hx_str_eq(word, hx_str_c(syntaxes[i]))) return syntax_ids[i];
  bad_option(L, "syntax", "\"native\", \"template\" or \"json\"");
  return HX_SYNTAX_NATIVE;
}

static void check_names(lua_State *L) {
  static const char *const known[] = { "filename", "line", "column", "byte", "syntax", "limits" };
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) (void)HX_OPTION_ROW(L, 2, "unknown option '%s'", known);
}

void hx_source_options_read(lua_State *L, hx_program_options *options) {
  if (get_option(L, "filename")) {
    check_option(L, "filename", LUA_TSTRING);
    options->filename = hx_check_str(L, -1);
  }
  options->line = position_option(L, "line", 1);
  options->column = position_option(L, "column", 1);
  if (get_option(L, "limits")) {
    check_option(L, "limits", LUA_TTABLE);
    hx_limits_read(L, lua_gettop(L), 2, &options->limits);
  }
}

static void read_options(lua_State *L, hx_program_options *options) {
  luaL_checktype(L, 2, LUA_TTABLE);
  check_names(L);
  hx_source_options_read(L, options);
  options->byte = position_option(L, "byte", 0);
  options->syntax = syntax_option(L);
}

/* Returns the room for the source and tree of a small source, which saves one block of memory. A tree takes 5 to 16 bytes for each byte of
** source, and more if there are only one-letter names between operators. */
static uint32_t room_for(uint32_t length) {
  return length < 128 ? 272 + 16 * length : 0;
}

static int compile(lua_State *L, hx_str text, hx_program_options *options) {
  hx_state *st = hx_state_get(L);
  hx_expression *e = new_expression(L, st, NULL, room_for(text.len));
  options->room = hx_unit_room(e->unit);
  options->room_size = hx_unit_room_size(e->unit);
  hx_why why = hx_program_init(&e->unit->program, text, options);
  if (why != HX_WHY_NONE || e->unit->program.cx.diags.errors) {
    lua_pushnil(L);
    hx_diagnostics_push_of(L, e->unit);
    return 2;
  }
  hx_state_grown_in(L, st, held_by(e->unit));
  return 1;
}

/* hcl.compile(source, options): returns an Expression, or nil and Diagnostics. */
static int l_compile(lua_State *L) {
  hx_str text = hx_check_str(L, 1);
  hx_program_options options = { .filename = HX_STR(""), .later = true, .limits = hx_limits_default };
  if (!lua_isnoneornil(L, 2)) read_options(L, &options);
  return compile(L, text, &options);
}

/* core.read(source, syntax, limits): compiles an Expression for our own Lua files; limits is a table or nil. */
static int l_read(lua_State *L) {
  hx_str text = hx_check_str(L, 1);
  hx_program_options options = { .filename = HX_STR(""), .later = true, .limits = hx_limits_default };
  options.syntax = syntax_ids[luaL_checkoption(L, 2, "native", syntaxes)];
  if (!lua_isnoneornil(L, 3)) hx_limits_read(L, 3, 2, &options.limits); /* our callers take limits as argument 2 */
  return compile(L, text, &options);
}

bool hx_unit_ready(lua_State *L, hx_unit *u) {
  size_t before = held_by(u);
  if (hx_program_ready(&u->program) != HX_WHY_NONE) return false;
  size_t now = held_by(u);
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
  if (u->program.cx.diags.first) hx_diagnostics_push_of(L, u);
  else lua_pushnil(L);
  return 1;
}

static int l_references(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  return hx_references_push(L, u, u->program.root);
}

static int l_traversals(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  return hx_traversals_push(L, u, u->program.root, false);
}

static int l_functions(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  return hx_function_uses_push(L, u, u->program.root);
}

/* core.is_constant(expr): returns whether the expression needs no scope, and whether it calls functions. */
static int l_is_constant(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  if (!hx_unit_ready(L, u)) return luaL_error(L, "not enough memory");
  lua_pushboolean(L, u->program.constant);
  return 1;
}

static int l_gc(lua_State *L) {
  hx_state *st = hx_state_get(L);
  hx_expression *e = lua_touserdata(L, 1);
  if (e && lua_getmetatable(L, 1) && lua_topointer(L, -1) == st->mt[HX_CLASS_EXPRESSION]) end_expression(L, st, e);
  return 0;
}

/* core.close_expression(expr): closes an Expression that will not be used any more. */
static int l_close(lua_State *L) {
  const hx_expression *e = hx_to_class(L, 1, HX_CLASS_EXPRESSION);
  if (e && e->unit) hx_state_shrunk(L, held_by(e->unit));
  return l_gc(L);
}

static const luaL_Reg methods[] = {
  { "__gc", l_gc },           { "source", l_source },         { "range", l_range },
  { "warnings", l_warnings }, { "references", l_references }, { "traversals", l_traversals },
  { "calls", l_functions },   { "functions", l_functions },   { NULL, NULL },
};
static const luaL_Reg functions[] = {
  { "compile", l_compile }, { "read", l_read }, { "is_constant", l_is_constant }, { "close_expression", l_close }, { NULL, NULL },
};

void hx_open_expression(lua_State *L) {
  hx_register(L, HX_CLASS_EXPRESSION, methods, functions);
}
