/* spec.c: functions of the core for hclexpr/spec.lua.
** Memory: results are userdata and tables of their own; diagnostics keep the unit of their source.
** Errors: nil and diagnostics, as each function's comment says; misuse raises. */
#include "binding/state/openers.h"

#include "binding/objects/body.h"
#include "binding/data/diagnostics.h"
#include "binding/objects/expression.h"
#include "binding/state/place.h"
#include "binding/objects/schema.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "config/content.h"
#include "text/unicode.h"
#include "value/convert/convert.h"
#include "value/marks.h"
#include "value/render.h"

/* Diagnostics that Lua makes */

static const char *const diag_names[] = {
#define HX_DIAG(id, severity, code, summary, detail) #id,
#include "base/diag_list.h"
#undef HX_DIAG
};

static hx_diag_id check_diag_name(lua_State *L, int arg) {
  const char *name = luaL_checkstring(L, arg);
  for (int i = 0; i < HX_D_COUNT; i++) {
    if (strcmp(diag_names[i], name) == 0) return (hx_diag_id)i;
  }
  luaL_argerror(L, arg, lua_pushfstring(L, "no diagnostic is named %s", name));
  return (hx_diag_id)0;
}

/* Returns the unit with the source of an Expression, Body, Attribute or Block; NULL for nil. */
static hx_unit *check_unit(lua_State *L, int arg) {
  hx_unit *unit;
  if (lua_isnil(L, arg)) return NULL;
  if (hx_is_class(L, arg, HX_CLASS_EXPRESSION)) return hx_check_expression(L, arg)->unit;
  unit = hx_body_unit(L, arg);
  if (!unit) hx_arg_error(L, arg, "Expression, Body, Attribute or Block");
  return unit;
}

/* Returns the source's offset of a Pos, which is the field `name` of the Range at `at`; file: the Range's file. */
static uint32_t pos_offset(lua_State *L, int at, const char *name, const hx_source *source, hx_str file) {
  lua_Number byte;
  lua_getfield(L, at, name);
  luaL_checktype(L, -1, LUA_TTABLE);
  lua_getfield(L, -1, "byte");
  byte = luaL_checknumber(L, -1);
  lua_pop(L, 2);
  return hx_source_offset(source, file, byte >= 0 && byte < 1e15 ? (uint64_t)byte : UINT64_MAX);
}

static hx_range check_range(lua_State *L, int arg, const hx_source *source) {
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, "filename");
  hx_str file = lua_isnil(L, -1) ? HX_STR("") : hx_check_str(L, lua_gettop(L));
  uint32_t start = pos_offset(L, arg, "start", source, file), stop = pos_offset(L, arg, "stop", source, file);
  lua_pop(L, 1);
  return hx_range_of(start, stop < start ? start : stop);
}

/* Adds the values that a diagnostic is about; the table at arg is { path, Value, path, Value, … }. */
static void add_values(lua_State *L, hx_cx *cx, hx_diag *d, int arg) {
  size_t n = lua_isnil(L, arg) ? 0 : hx_lua_rawlen(L, arg);
  for (int i = 1; i + 1 <= (int)n; i += 2) {
    lua_rawgeti(L, arg, i);
    lua_rawgeti(L, arg, i + 1);
    const hx_value *value = hx_check_value(L, lua_gettop(L));
    hx_diag_add_value(cx, d, hx_str_copy(cx, hx_check_str(L, lua_gettop(L) - 1)), hx_render_short(cx, &value->v));
    lua_pop(L, 2);
  }
}

/* Returns a field of the row that is argument 1, "" for nil. The table keeps the text. */
static hx_str row_field(lua_State *L, const char *name) {
  lua_getfield(L, 1, name);
  hx_str text = lua_isnil(L, -1) ? HX_STR("") : hx_check_str(L, lua_gettop(L));
  lua_pop(L, 1);
  return text;
}

/* Reads the row that is argument 1: { row =, name =, reason = } for a row of diag_list.h, or a row that C doesn't know: { severity =, code
** =, summary =, name =, reason = }. For the latter, *summary gets code and summary with a NUL between them, as hx_diag keeps them; the code
** has no NUL. */
static hx_diag_id read_row(lua_State *L, hx_cx *cx, hx_str *summary) {
  hx_buf b;
  lua_getfield(L, 1, "row");
  if (!lua_isnil(L, -1)) return check_diag_name(L, lua_gettop(L));
  hx_buf_init(&b, &cx->arena, 64);
  hx_buf_str(&b, row_field(L, "code"));
  hx_buf_put(&b, '\0');
  hx_buf_str(&b, hx_utf8_repair(cx, row_field(L, "summary")));
  *summary = hx_buf_done(&b);
  return hx_str_eq(row_field(L, "severity"), HX_STR("warning")) ? HX_D_OWN_WARNING : HX_D_OWN_ERROR;
}

/* core.diagnose(row, object, range, detail, context, values): returns Diagnostics with one diagnostic. row: the name of a row in
** diag_list.h, or a table (read_row). range and context are Ranges of the object's source; without an object the diagnostic has no place.
** values: { path, Value, path, Value, … }, what the diagnostic is about, or nil. */
static int diagnose(lua_State *L, hx_cx *cx) {
  hx_str summary = { "", 0 };
  hx_diag_id id = lua_istable(L, 1) ? read_row(L, cx, &summary) : check_diag_name(L, 1);
  hx_unit *unit = check_unit(L, 2);
  const hx_source *source = unit && !lua_isnil(L, 3) ? hx_unit_root(unit)->program.source : NULL;
  hx_range subject = source ? check_range(L, 3, source) : hx_range_of(0, 0);
  hx_diag *d = hx_diag_add_text(cx, id, source, subject, hx_utf8_repair(cx, hx_check_str(L, 4)));
  d->summary = summary;
  if (lua_istable(L, 1)) {
    d->name = hx_str_copy(cx, row_field(L, "name"));
    d->reason = hx_str_copy(cx, row_field(L, "reason"));
  }
  if (source && !lua_isnil(L, 5)) d->context = check_range(L, 5, source);
  add_values(L, cx, d, 6);
  hx_diagnostics_push(L, cx, unit);
  return 1;
}

/* Bodies, read one level at a time */

typedef struct level_job {
  lua_State *L;
  const hx_source *source;
  const hx_node *body, *content, *rest;
  const hx_schema *schema;
} level_job;

/* Reads a level into its content, and reports the level's mistakes in the same activity. */
static void run_level(hx_cx *cx, void *ud) {
  level_job *job = ud;
  const hx_schema *schema = job->schema = lua_isnil(job->L, 2) ? NULL : hx_schema_read(job->L, cx, 2);
  job->content = hx_content(cx, job->source, job->body, schema);
  job->rest = schema && schema->partial ? hx_content_rest(cx, job->body, schema) : NULL;
  for (const hx_node *n = hx_node_first(job->content); n; n = n->next) {
    if (n->kind == HX_AST_FAULT) hx_diag_report(cx, n->u.fault);
  }
}

/* Makes content without items, for a level that is too large. */
static void run_no_level(hx_cx *cx, void *ud) {
  level_job *job = ud;
  hx_items items;
  hx_items_begin(&items, cx, job->source, job->body, hx_range_of(job->body->start, job->body->start));
  job->content = job->rest = items.kids.node;
}

/* Reads the level. Returns false if memory runs out: then the caller must raise, because callers that ignore mistakes would take an
** empty level for the real one. If another limit ends the reading, the content is empty and the limit is reported. */
static bool read_level(hx_cx *cx, level_job *job) {
  hx_cx_refill(cx, &cx->limits);
  hx_arena_mark mark = hx_arena_get_mark(&cx->arena);
  hx_why why = hx_guard_run(cx, run_level, job);
  if (why == HX_WHY_NONE) return true;
  if (why == HX_WHY_NO_MEMORY) return false;
  hx_arena_release(&cx->arena, mark);
  hx_cx_refill(cx, &cx->limits);
  cx->diags = (hx_diags){ 0 };
  if (hx_guard_run(cx, run_no_level, job) != HX_WHY_NONE) return false;
  hx_why_report(cx, why);
  return true;
}

/* Pushes a table { type = true } with the block types that faulty items were meant for. */
static void push_meant(lua_State *L, const level_job *job) {
  const hx_schema *s = job->schema;
  const bool *found = job->content->u.content.found;
  lua_newtable(L);
  for (uint32_t i = 0; s && found && i < s->nblocks; i++) {
    if (!found[s->nattributes + i]) continue;
    hx_push_str(L, s->blocks[i].type);
    lua_pushboolean(L, true);
    lua_rawset(L, -3);
  }
}

/* core.level(body, schema): reads one level of a body by a prepared schema (lua/hclexpr/body/schema.lua) or one of core.schema; without a
** schema, all items. Returns a Body, whose blocks' bodies are not read yet; Diagnostics of mistakes, or nil; with a partial schema a Body
** of the rest, or nil; and, only with mistakes, the types of the blocks that faulty items were meant for: { type = true }. If a limit ends
** the reading, the Bodies are empty. `dynamic` blocks stay as they are. The content has a unit of its own, which ends with the Body and
** everything taken from it. */
static int l_level(lua_State *L) {
  level_job job = { .L = L };
  hx_unit *of, *unit;
  hx_home *home;
  lua_settop(L, 2);
  job.body = hx_check_body(L, 1, &of, &home);
  if (!lua_isnil(L, 2) && !hx_to_class(L, 2, HX_CLASS_SCHEMA)) luaL_checktype(L, 2, LUA_TTABLE);
  unit = hx_expression_new(L, of)->unit; /* for now, an Expression keeps the unit alive */
  if (home) unit->home = hx_home_retain(home);
  job.source = unit->program.source = of->program.source;
  hx_cx_init(&unit->program.cx, &of->program.cx.limits, 1024);
  if (!read_level(&unit->program.cx, &job)) return luaL_error(L, "not enough memory");
  lua_settop(L, 3); /* an abort while the schema was read leaves values on the stack */
  hx_state_grown(L, unit->program.cx.arena.held + unit->program.cx.scratch.held + sizeof *unit);
  hx_body_push(L, unit, job.content);
  bool wrong = unit->program.cx.diags.first != NULL;
  if (wrong) hx_diagnostics_push_of(L, unit);
  else lua_pushnil(L);
  if (job.rest) hx_body_push(L, unit, job.rest);
  else lua_pushnil(L);
  if (!wrong) return 3;
  push_meant(L, &job);
  return 4;
}

/* Reads a level into its source's memory. Pushes Diagnostics of mistakes, or nil. */
static void read_in_source(lua_State *L, level_job *job, hx_unit *unit) {
  hx_cx *cx = &hx_unit_root(unit)->program.cx;
  hx_diags before = cx->diags;
  size_t held = cx->arena.held + cx->scratch.held;
  int top = lua_gettop(L);
  job->source = unit->program.source;
  cx->diags = (hx_diags){ 0 };
  cx->why_source = NULL;
  bool read = read_level(cx, job);
  lua_settop(L, top); /* an abort while the schema was read leaves values on the stack */
  hx_state_grown(L, cx->arena.held + cx->scratch.held - held);
  if (!read) luaL_error(L, "not enough memory");
  if (cx->diags.first) hx_diagnostics_push(L, cx, unit);
  else lua_pushnil(L);
  cx->diags = before;
}

/* core.read_level(body, schema): reads a level as core.level does, by a schema of core.schema or without one. Each call takes memory of the
** body's source, which stays in use as long as the source, so use it for a body that is read once. Returns the Attributes by name, an array
** of the Blocks, Diagnostics or nil, and with a partial schema a Body of the rest. */
static int l_read_level(lua_State *L) {
  level_job job = { .L = L };
  hx_unit *unit;
  hx_home *home;
  lua_settop(L, 2);
  job.body = hx_check_body(L, 1, &unit, &home);
  if (!lua_isnil(L, 2)) hx_check_class(L, 2, HX_CLASS_SCHEMA);
  read_in_source(L, &job, unit);
  hx_items_push(L, unit, home, job.content);
  lua_pushvalue(L, 3);
  if (!job.rest) return 3;
  hx_body_push(L, unit, job.rest);
  return 4;
}

/* core.read_block(block, schema, names, more): reads the body of a Block as core.read_level does, without making a Body. Returns what
** hx_content_push pushes, and Diagnostics or nil. */
static int l_read_block(lua_State *L) {
  level_job job = { .L = L };
  hx_unit *unit;
  hx_home *home;
  int names = (int)luaL_checkinteger(L, 3), more = (int)luaL_checkinteger(L, 4);
  lua_settop(L, 2);
  job.body = hx_block_body(hx_check_block(L, 1, &unit, &home));
  hx_check_class(L, 2, HX_CLASS_SCHEMA);
  read_in_source(L, &job, unit);
  hx_content_push(L, unit, home, job.content, job.schema, names, more);
  lua_pushvalue(L, 3);
  return 5;
}

/* core.level_missing(body): returns the Range where missing items of a Body from core.level are reported. */
static int l_level_missing(lua_State *L) {
  hx_unit *unit;
  const hx_node *content = hx_check_body(L, 1, &unit, NULL);
  hx_range_push(L, unit, unit->program.source, content->u.kids.mark);
  return 1;
}

/* Types */

/* core.expression_type(expression): returns the Type that the expression denotes, or nil and diagnostics at its place. */
static int expression_type(lua_State *L, hx_cx *cx) {
  hx_unit *unit = hx_check_expression(L, 1)->unit;
  const hx_constraint *found = hx_constraint_parse(cx, unit->program.source, unit->program.root, true);
  if (!found) return hx_fail_push(L, cx, unit);
  hx_type_push_constraint(L, found);
  return 1;
}

/* core.start_range(expression): returns the Range of the first token, where the reference reports a wrong constant. */
static int l_start_range(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  hx_range_push(L, u, u->program.source, hx_node_start_range(u->program.root));
  return 1;
}

static const hx_type *check_type(lua_State *L, int at) {
  const hx_type_handle *t = hx_check_class(L, at, HX_CLASS_TYPE);
  return t->constraint->type;
}

/* The next two functions make a type from the table at 2: a tuple from the types of its elements, an object from the types of its
** attributes by name. */
static const hx_type *type_of_elements(lua_State *L, hx_cx *cx) {
  uint32_t n = (uint32_t)hx_lua_rawlen(L, 2);
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, n);
  for (uint32_t i = 0; i < n; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, 2, (int)i + 1);
    types[i] = check_type(L, lua_gettop(L));
  }
  return hx_type_tuple(cx, types, n);
}

static const hx_type *type_of_attributes(lua_State *L, hx_cx *cx) {
  uint32_t n = 0, i = 0;
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) n++;
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, n);
  hx_str *names = HX_NEW_ARRAY(cx, hx_str, n);
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1), i++) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_argerror(L, 2, "attributes are named by strings");
    names[i] = hx_check_str(L, lua_gettop(L) - 1);
    types[i] = check_type(L, lua_gettop(L));
  }
  return hx_type_object(cx, names, types, NULL, n);
}

/* core.type_of_parts(kind, parts): returns the Type "list", "set" or "map" of { T }, "tuple" of { T1, … }, "object" of { name = T }, or T
** itself as "plain" of { T }. The Type has no optional(), so values can have it. */
static int type_of_parts(lua_State *L, hx_cx *cx) {
  static const char *const names[] = { "list", "set", "map", "tuple", "object", "plain", NULL };
  int kind = luaL_checkoption(L, 1, NULL, names);
  const hx_type *t;
  luaL_checktype(L, 2, LUA_TTABLE);
  if (kind == 3) {
    t = type_of_elements(L, cx);
  } else if (kind == 4) {
    t = type_of_attributes(L, cx);
  } else {
    lua_rawgeti(L, 2, 1);
    t = check_type(L, lua_gettop(L));
    t = kind == 0 ? hx_type_list(cx, t) : kind == 1 ? hx_type_set(cx, t) : kind == 2 ? hx_type_map(cx, t) : t;
  }
  hx_type_push_copy(L, hx_type_plain(cx, t));
  return 1;
}

/* core.type_has_any(type): returns true if the type contains `any`, at any depth. */
static int type_has_any(lua_State *L, hx_cx *cx) {
  (void)cx;
  lua_pushboolean(L, hx_type_has_dynamic(check_type(L, 1)));
  return 1;
}

/* core.type_with_defaults(type, other): returns the type with the defaults that optional() has in the other one. */
static int l_type_with_defaults(lua_State *L) {
  const hx_type_handle *type = hx_check_class(L, 1, HX_CLASS_TYPE), *other = hx_check_class(L, 2, HX_CLASS_TYPE);
  hx_constraint made = { type->constraint->type, other->constraint->defaults };
  lua_settop(L, 2);
  hx_type_push_constraint(L, &made);
  return 1;
}

/* core.unify{ v1, … }: returns the common Type of Values, `any` if that isn't known yet, or nothing if the array is empty or the Values
** have none. */
static int unify(lua_State *L, hx_cx *cx) {
  luaL_checktype(L, 1, LUA_TTABLE);
  uint32_t n = (uint32_t)hx_lua_rawlen(L, 1);
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, n);
  for (uint32_t i = 0; i < n; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, 1, (int)i + 1);
    hx_val v = hx_value_use(cx, hx_check_value(L, lua_gettop(L))); /* keeps its type, even if a finalizer closes the Value */
    types[i] = hx_val_type(cx, &v);
  }
  const hx_type *found = n ? hx_unify(cx, types, n, false) : NULL;
  if (!found) return 0;
  hx_type_push_copy(L, found);
  return 1;
}

typedef struct marks_job {
  const hx_val *v;
  const hx_marks *marks;
  bool marked;
} marks_job;

static void run_is_marked(hx_cx *cx, void *ud) {
  marks_job *job = ud;
  (void)cx;
  job->marked = hx_is_marked_deep(job->v);
}

static void run_marks(hx_cx *cx, void *ud) {
  marks_job *job = ud;
  hx_unmark_deep(cx, job->v, &job->marks);
}

/* core.marks_within(value): returns the sorted names of the marks on a Value and on everything in it, or nothing if it has no marks. */
static int l_marks_within(lua_State *L) {
  const hx_value *value = hx_check_value(L, 1);
  marks_job job = { .v = &value->v };
  if (!value->home) return 0; /* a primitive */
  hx_home_must(L, value->home, run_is_marked, &job);
  if (!job.marked) return 0;
  job.v = &hx_value_hold(L, 1)->v;
  hx_home_must(L, hx_work_push(L), run_marks, &job);
  hx_marks_push(L, job.marks);
  return 1;
}

static const luaL_Reg functions[] = {
  { "level", l_level },
  { "read_level", l_read_level },
  { "read_block", l_read_block },
  { "level_missing", l_level_missing },
  { "marks_within", l_marks_within },
  { "start_range", l_start_range },
  { "type_with_defaults", l_type_with_defaults },
  { NULL, NULL },
};
static const hx_work_row work[] = {
  { "diagnose", 6, diagnose, false },
  { "unify", 1, unify, false },
  { "expression_type", 1, expression_type, true },
  { "type_of_parts", 2, type_of_parts, false },
  { "type_has_any", 1, type_has_any, false },
};

void hx_open_spec(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  HX_REGISTER_WORK(L, work);
}
