/* uses.c: references and function uses as Lua tables. */
#include "binding/objects/uses.h"

#include "binding/state/place.h"
#include "binding/data/push.h"
#include "binding/objects/scope.h"
#include "binding/data/value.h"
#include "value/number/number.h"
#include "vm/access.h"
#include "vm/references.h"

#include <math.h>

typedef struct uses_job {
  const hx_source *source;
  const hx_node *root;
  hx_references references;
  hx_function_uses functions;
  hx_str *paths;
} uses_job;

static void run_references(hx_cx *cx, void *ud) {
  uses_job *job = ud;
  cx->steps_left = UINT64_MAX; /* no limit of steps is needed: the length of the source bounds the work */
  hx_references_of(cx, job->source, job->root, &job->references);
  job->paths = HX_NEW_ARRAY(cx, hx_str, job->references.n);
  for (uint32_t i = 0; i < job->references.n; i++) job->paths[i] = hx_reference_path(cx, &job->references.p[i]);
}

static void run_functions(hx_cx *cx, void *ud) {
  uses_job *job = ud;
  hx_functions_of(cx, job->source, job->root, &job->functions);
}

typedef struct index_job {
  hx_str text;
  hx_val number;
} index_job;

static void run_index(hx_cx *cx, void *ud) {
  index_job *job = ud;
  job->number = hx_num_parse_given(cx, job->text);
}

/* Pushes the number of an index step in the form that results have: a Value if Lua has no such number. A fraction becomes the
** nearest float. If this float is whole, it would be another element's index, so the fraction becomes a Value, too. */
static void push_odd_index(lua_State *L, const hx_step *s) {
  index_job job = { { s->text, s->len }, hx_none() };
  int at = lua_gettop(L) + 1;
  double d;
  hx_home *work = hx_work_push(L);
  hx_home_must(L, work, run_index, &job);
  hx_pusher p = { .L = L, .cx = &work->cx, .options = &hx_state_get(L)->default_scope->convert };
  bool rounded = !hx_num_is_whole(&job.number) && hx_num_to_float(&job.number, &d) && floor(d) == d;
  if (rounded) p.why = hx_value_push_copy(L, &job.number);
  else if (hx_push(&p, &job.number)) p.why = HX_WHY_NONE;
  if (p.why != HX_WHY_NONE) luaL_error(L, "%s", hx_why_word(p.why));
  hx_work_close(L, at);
  lua_remove(L, at);
}

static void push_index(lua_State *L, const hx_step *s) {
  int64_t n;
  if (hx_step_number(s, &n) && n <= (int64_t)1 << 53) lua_pushinteger(L, (lua_Integer)n);
  else push_odd_index(L, s);
}

void hx_steps_push(lua_State *L, const hx_step *steps, uint32_t n) {
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 0; i < n; i++) {
    if (steps[i].kind == HX_STEP_INDEX) push_index(L, &steps[i]);
    else lua_pushlstring(L, steps[i].text, steps[i].len);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

void hx_reference_push(lua_State *L, hx_unit *u, const hx_step *steps, uint32_t n, hx_range range, hx_str path) {
  luaL_checkstack(L, 8, NULL);
  lua_createtable(L, 0, 4);
  hx_set_str(L, "path", path);
  hx_set_str(L, "root", hx_str_of(steps[0].text, steps[0].len));
  hx_steps_push(L, steps + 1, n - 1);
  lua_setfield(L, -2, "steps");
  hx_set_range(L, "range", u, range);
}

static void push_reference(lua_State *L, hx_unit *u, const hx_reference *r, hx_str path) {
  hx_reference_push(L, u, r->steps, r->n, r->range, path);
}

const char *hx_step_word(const hx_step *s) {
  static const char *const words[] = { [HX_STEP_ROOT] = "root",
                                       [HX_STEP_ATTR] = "attr",
                                       [HX_STEP_KEY] = "key",
                                       [HX_STEP_INDEX] = "number",
                                       [HX_STEP_CONST] = "constant" };
  return words[s->kind];
}

/* Pushes the steps as tables. places: adds their ranges, which take most of the time. */
static void push_steps_as_tables(lua_State *L, hx_unit *u, const hx_reference *r, bool places) {
  lua_createtable(L, (int)r->n, 0);
  for (uint32_t i = 0; i < r->n; i++) {
    const hx_step *s = &r->steps[i];
    lua_createtable(L, 0, places ? 3 : 2);
    hx_set_word(L, "kind", hx_step_word(s));
    hx_set_str(L, "text", hx_str_of(s->text, s->len));
    if (places) {
      hx_set_range(L, "range", u, hx_range_of(s->start, s->stop));
    }
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "steps");
}

static void push_traversal(lua_State *L, hx_unit *u, const hx_reference *r, hx_str path) {
  lua_createtable(L, 0, 4);
  hx_set_str(L, "path", path);
  hx_set_str(L, "root", hx_str_of(r->steps[0].text, r->steps[0].len));
  hx_set_range(L, "range", u, r->range);
  push_steps_as_tables(L, u, r, true);
}

/* Returns true if a step is a constant that isn't a key. Such a constant has no text in a path. */
static bool has_constant(const hx_reference *r) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->steps[i].kind == HX_STEP_CONST) return true;
  return false;
}

/* Pushes the entry for the path in the table at 2. If it is missing, pushes what the function at 3 returns for the traversal without
** ranges, and makes that the entry unless has_constant(r). */
static void push_read(lua_State *L, hx_unit *u, const hx_reference *r, hx_str path) {
  bool shared = !has_constant(r);
  if (shared) {
    hx_push_str(L, path);
    lua_rawget(L, 2);
    if (!lua_isnil(L, -1)) return;
    lua_pop(L, 1);
  }
  lua_pushvalue(L, 3);
  lua_createtable(L, 0, 1);
  push_steps_as_tables(L, u, r, false);
  lua_call(L, 1, 1);
  if (!shared) return;
  hx_push_str(L, path);
  lua_pushvalue(L, -2);
  lua_rawset(L, 2);
}

typedef void push_fn(lua_State *L, hx_unit *u, const hx_reference *r, hx_str path);

static int push_references(lua_State *L, hx_unit *u, const hx_node *root, push_fn *push) {
  uses_job job = { .source = u->program.source, .root = root };
  int at = lua_gettop(L) + 1;
  luaL_checkstack(L, 12, NULL);
  hx_home_must(L, hx_work_push(L), run_references, &job);
  lua_createtable(L, (int)job.references.n, 0);
  for (uint32_t i = 0; i < job.references.n; i++) {
    push(L, u, &job.references.p[i], job.paths[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  hx_work_close(L, at);
  return 1;
}

int hx_references_push(lua_State *L, hx_unit *u, const hx_node *root) {
  return push_references(L, u, root, push_reference);
}

int hx_traversals_push(lua_State *L, hx_unit *u, const hx_node *root, bool read) {
  return push_references(L, u, root, read ? push_read : push_traversal);
}

int hx_function_uses_push(lua_State *L, hx_unit *u, const hx_node *root) {
  uses_job job = { .source = u->program.source, .root = root };
  int at = lua_gettop(L) + 1;
  hx_home_must(L, hx_work_push(L), run_functions, &job);
  lua_createtable(L, (int)job.functions.n, 0);
  for (uint32_t i = 0; i < job.functions.n; i++) {
    const hx_function_use *use = &job.functions.p[i];
    lua_newtable(L);
    hx_set_str(L, "name", use->name);
    hx_set_range(L, "range", u, use->range);
    if (use->nargs != UINT32_MAX) {
      hx_set_int(L, "argument_count", use->nargs);
      hx_set_int(L, "arguments", use->nargs); /* the name of nargs before 1.0 */
    }
    hx_set_bool(L, "spread", use->spread);
    lua_rawseti(L, -2, (int)i + 1);
  }
  hx_work_close(L, at);
  return 1;
}

static void run_uses(hx_cx *cx, void *ud) {
  uses_job *job = ud;
  run_functions(cx, ud);
  cx->steps_left = UINT64_MAX; /* the source bounds the work */
  hx_references_of(cx, job->source, job->root, &job->references);
}

int hx_uses_push(lua_State *L, hx_unit *u, const hx_node *root) {
  uses_job job = { .source = u->program.source, .root = root };
  int at = lua_gettop(L) + 1;
  hx_home_must(L, hx_work_push(L), run_uses, &job);
  hx_work_close(L, at);
  lua_pushboolean(L, job.references.n != 0);
  lua_pushboolean(L, job.functions.n != 0);
  return 2;
}

/* Names of calls */

typedef struct name_job {
  const hx_source *source;
  const hx_node *call;
  hx_str name;
} name_job;

static void run_name(hx_cx *cx, void *ud) {
  name_job *job = ud;
  job->name = hx_call_name(cx, job->source, job->call);
}

hx_str hx_call_name_in(lua_State *L, hx_home *work, const hx_source *src, const hx_node *call) {
  name_job job = { src, call, { "", 0 } };
  hx_home_must(L, work, run_name, &job);
  return job.name;
}
