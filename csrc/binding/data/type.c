/* type.c: makes Types from constraint texts and of values, and shows them as text and JSON. */
#include "binding/data/type.h"
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/state/limits.h"
#include "binding/data/value.h"
#include "syntax/parser.h"

static hx_type_handle *new_type(lua_State *L, uint32_t room) {
  hx_type_handle *t = hx_lua_newuserdata(L, sizeof *t);
  *t = (hx_type_handle){ 0 };
  hx_set_class(L, -1, HX_CLASS_TYPE);
  t->home = hx_home_new(room);
  if (!t->home) luaL_error(L, "not enough memory");
  return t;
}

/* Types of values, and copies */

typedef struct of_job {
  hx_type_handle *t;
  hx_home *from;
  const hx_val *v;
  const hx_type *type;
} of_job;

static void run_of(hx_cx *cx, void *ud) {
  of_job *job = ud;
  if (job->from) hx_home_keep(cx, job->from);
  job->t->constraint = hx_constraint_of(cx, job->v ? hx_val_type(cx, job->v) : hx_type_copy(cx, job->type));
}

static void make_of(lua_State *L, of_job *job) {
  job->t = new_type(L, 256);
  hx_home_must(L, job->t->home, run_of, job);
}

void hx_type_push_of(lua_State *L, hx_home *home, const hx_val *v) {
  of_job job = { NULL, home, v, NULL };
  make_of(L, &job);
}

void hx_type_push_copy(lua_State *L, const hx_type *type) {
  of_job job = { NULL, NULL, NULL, type };
  make_of(L, &job);
}

/* From text */

typedef struct keep_job {
  hx_type_handle *t;
  const hx_constraint *found;
} keep_job;

static void run_keep(hx_cx *cx, void *ud) {
  keep_job *job = ud;
  job->t->constraint = hx_constraint_copy(cx, job->found);
}

hx_type_handle *hx_type_push_constraint(lua_State *L, const hx_constraint *found) {
  keep_job keep = { new_type(L, 512), found };
  hx_home_must(L, keep.t->home, run_keep, &keep);
  return keep.t;
}

typedef struct parse_job {
  hx_unit *unit;
  hx_str text;
  hx_type_handle *t; /* gets its constraint if the text is valid */
} parse_job;

static void run_parse(hx_cx *cx, void *ud) {
  parse_job *job = ud;
  hx_program *p = &job->unit->program;
  p->source = hx_source_new(cx, job->text, HX_STR(""), 1, 1);
  p->root = hx_parse_expression(cx, p->source);
  keep_job keep = { job->t, cx->diags.errors ? NULL : hx_constraint_parse(cx, p->source, p->root, true) };
  if (!keep.found) return;
  hx_why why = hx_home_run(keep.t->home, run_keep, &keep);
  if (why != HX_WHY_NONE) hx_abort(cx, why);
}

static void drop_unit(lua_State *L, hx_type_handle *t) {
  hx_unit *u = t->unit;
  t->unit = NULL;
  hx_unit_release(L, u);
}

/* Parses a constraint text and pushes the Type; or pushes nil and Diagnostics and returns NULL. Sets *why to the limit that ended the
** parse, or to HX_WHY_NONE. The text is parsed in a unit of its own, which the Diagnostics keep for their places. */
static hx_type_handle *push_parsed(lua_State *L, hx_str text, const hx_limits *limits, hx_why *why) {
  hx_type_handle *t = new_type(L, 512);
  t->unit = hx_unit_new(&hx_state_get(L)->pool, NULL, 0);
  if (!t->unit) luaL_error(L, "not enough memory");
  hx_cx *cx = &t->unit->program.cx;
  parse_job parse = { t->unit, text, t };
  hx_cx_init(cx, limits, 1024);
  *why = hx_guard_run(cx, run_parse, &parse);
  if (*why != HX_WHY_NONE) hx_why_report(cx, *why);
  if (!t->constraint) {
    lua_pushnil(L);
    hx_diagnostics_push_of(L, t->unit);
  }
  drop_unit(L, t);
  if (t->constraint) return t;
  lua_remove(L, -3);
  return NULL;
}

/* Pushes the cached Type of the text at `arg`. If the store has no such Type, pushes nothing and returns NULL. The Types of `any`,
** `string`, `number` and `bool` are cached in the store under those words: a plan asks for `any` with each resource, and parsing it takes
** 6,000 instructions and 2.3 KB. */
static hx_type_handle *push_known(lua_State *L, int arg) {
  lua_pushvalue(L, arg);
  lua_rawget(L, HX_UP_STORE);
  hx_type_handle *t = hx_to_class(L, -1, HX_CLASS_TYPE);
  if (!t) lua_pop(L, 1);
  return t;
}

/* Caches the Type on top of the stack under the text at `arg`, if that is one of the four words. */
static void keep_known(lua_State *L, int arg, const hx_type_handle *t) {
  const hx_type *type = t->constraint->type;
  const char *word = type->kind == HX_K_DYNAMIC ? "any" : hx_kind_name((hx_kind)type->kind);
  if (!hx_type_is_word(type) || !hx_str_eq(hx_check_str(L, arg), hx_str_c(word))) return;
  lua_pushvalue(L, arg);
  lua_pushvalue(L, -2);
  lua_rawset(L, HX_UP_STORE);
}

hx_type_handle *hx_type_argument(lua_State *L, int arg) {
  hx_type_handle *t = hx_to_class(L, arg, HX_CLASS_TYPE);
  if (t) return t;
  if (lua_type(L, arg) != LUA_TSTRING) hx_arg_error(L, arg, "Type or constraint text");
  hx_why why = HX_WHY_NONE;
  t = push_known(L, arg);
  if (!t && (t = push_parsed(L, hx_check_str(L, arg), NULL, &why))) keep_known(L, arg, t);
  if (t) lua_replace(L, arg);
  else if (why == HX_WHY_NO_MEMORY) luaL_error(L, "not enough memory"); /* raises, as everything that makes a Type does */
  return t;
}

static void run_copy(hx_cx *cx, void *ud) {
  const hx_type **type = ud;
  *type = hx_type_copy(cx, *type);
}

const hx_type *hx_type_option(lua_State *L, hx_home *home, const char *what) {
  if (!hx_to_class(L, -1, HX_CLASS_TYPE) && lua_type(L, -1) != LUA_TSTRING)
    luaL_argerror(L, 1, lua_pushfstring(L, "%s must be a Type or constraint text, not a %s", what, luaL_typename(L, -1)));
  const hx_type_handle *t = hx_type_argument(L, lua_gettop(L));
  if (!t) {
    hx_push_str(L, hx_check_diagnostics(L, lua_gettop(L))->list.first->detail);
    luaL_argerror(L, 1, lua_pushfstring(L, "%s: %s", what, lua_tostring(L, -1)));
  }
  const hx_type *type = t->constraint->type;
  hx_home_must(L, home, run_copy, &type);
  return type;
}

/* core.type(source, limits?): returns the Type of a constraint text, or nil and Diagnostics. */
static int l_type(lua_State *L) {
  hx_str text = hx_check_str(L, 1);
  hx_limits limits = hx_limits_default;
  hx_why why;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) hx_limits_read(L, 2, 2, &limits);
  return push_parsed(L, text, &limits, &why) ? 1 : 2;
}

/* Methods */

static hx_type_handle *check(lua_State *L, int arg) {
  return hx_check_class(L, arg, HX_CLASS_TYPE);
}

typedef struct text_job {
  const hx_type *type;
  void (*write)(hx_buf *b, const hx_type *t);
  hx_str text;
} text_job;

static void run_text(hx_cx *cx, void *ud) {
  text_job *job = ud;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 64);
  job->write(&b, job->type);
  job->text = hx_buf_done(&b);
}

static void push_text(lua_State *L, hx_home *home, const hx_type *t, void (*write)(hx_buf *b, const hx_type *t)) {
  text_job job = { t, write, { "", 0 } };
  hx_arena_mark mark = hx_arena_get_mark(&home->cx.arena);
  hx_home_must(L, home, run_text, &job);
  hx_push_str(L, job.text);
  hx_arena_release(&home->cx.arena, mark);
}

static int l_tostring(lua_State *L) {
  const hx_type_handle *t = check(L, 1);
  push_text(L, t->home, t->constraint->type, hx_type_write);
  return 1;
}

static int l_json(lua_State *L) {
  const hx_type_handle *t = check(L, 1);
  push_text(L, t->home, t->constraint->type, hx_type_write_json);
  return 1;
}

static int l_kind(lua_State *L) {
  lua_pushstring(L, hx_kind_name((hx_kind)check(L, 1)->constraint->type->kind));
  return 1;
}

typedef struct equal_job {
  const hx_type *a, *b;
  bool equal;
} equal_job;

static void run_equal(hx_cx *cx, void *ud) {
  equal_job *job = ud;
  (void)cx;
  job->equal = hx_type_equal(job->a, job->b);
}

static int l_eq(lua_State *L) {
  const hx_type_handle *a = hx_to_class(L, 1, HX_CLASS_TYPE), *b = hx_to_class(L, 2, HX_CLASS_TYPE);
  equal_job job = { a ? a->constraint->type : NULL, b ? b->constraint->type : NULL, false };
  if (a && b) hx_home_must(L, a->home, run_equal, &job);
  lua_pushboolean(L, job.equal);
  return 1;
}

/* t:convert(x): returns x as a Value of the type, or nil and Diagnostics. */
static int l_convert(lua_State *L) {
  const hx_type_handle *t = check(L, 1);
  hx_check_given(L, 2);
  return hx_value_of_data(L, 2, t, "value");
}

static int l_gc(lua_State *L) {
  hx_type_handle *t = hx_to_class(L, 1, HX_CLASS_TYPE);
  if (!t) return 0;
  hx_home_release(t->home);
  drop_unit(L, t);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg methods[] = {
  { "__tostring", l_tostring }, { "__eq", l_eq },         { "__gc", l_gc }, { "json", l_json },
  { "kind", l_kind },           { "convert", l_convert }, { NULL, NULL },
};
static const luaL_Reg functions[] = { { "type", l_type }, { NULL, NULL } };

void hx_open_type(lua_State *L) {
  hx_register(L, HX_CLASS_TYPE, methods, functions);
}
