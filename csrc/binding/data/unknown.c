/* unknown.c: makes unknown Values, and shows their refinements. */
#include "binding/data/diagnostics.h"
#include "binding/data/pull.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "binding/state/openers.h"
#include "value/number/number.h"
#include "value/open.h"

#include <math.h>

/* Pushes a refinement by raw access, because all names were checked before. Renews the guard, because finalizers may have run. */
static void push_refinement(lua_State *L, hx_cx *cx, const char *name) {
  hx_lua_rawgetstr(L, 2, name);
  hx_guard_again(cx);
}

static bool get_option(lua_State *L, hx_cx *cx, const char *name, int type) {
  push_refinement(L, cx, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (lua_type(L, -1) != type) luaL_argerror(L, 2, lua_pushfstring(L, "refinement '%s' must be a %s", name, lua_typename(L, type)));
  return true;
}

typedef struct unknown_job {
  lua_State *L;
  const hx_type_handle *t;
  hx_val out;
  const char *wrong;
  bool ok;
} unknown_job;

/* Reads a bound, a Lua number or a number Value. Returns false if the bound isn't given; sets *out to NONE if the bound is wrong. */
static bool get_bound(lua_State *L, hx_cx *cx, const char *name, hx_val *out) {
  hx_puller p;
  bool ok;
  push_refinement(L, cx, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  hx_puller_init(&p, L, cx, hx_str_c(name));
  ok = hx_pull(&p, lua_gettop(L), out) && hx_is_number(out);
  lua_pop(L, 1);
  if (!ok) *out = hx_none();
  return true;
}

static bool get_flag(lua_State *L, hx_cx *cx, const char *name, bool otherwise) {
  bool b = otherwise;
  if (get_option(L, cx, name, LUA_TBOOLEAN)) {
    b = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
  }
  return b;
}

static uint64_t get_length(lua_State *L, hx_cx *cx, const char *name, uint64_t otherwise) {
  uint64_t n = otherwise;
  if (get_option(L, cx, name, LUA_TNUMBER)) {
    lua_Number d = lua_tonumber(L, -1);
    if (!(d >= 0 && d < 9e15 && d == floor(d)))
      luaL_argerror(L, 2, lua_pushfstring(L, "refinement '%s' must be a whole number that a length can be", name));
    n = (uint64_t)d;
    lua_pop(L, 1);
  }
  return n;
}

static bool is_number_type(const hx_type *t) {
  return t->kind == HX_K_NUMBER;
}
static bool is_string_type(const hx_type *t) {
  return t->kind == HX_K_STRING;
}
static bool is_any_type(const hx_type *t) {
  (void)t;
  return true;
}
static bool is_unsettled_type(const hx_type *t) {
  return t->kind == HX_K_DYNAMIC;
}

static const struct refinement_row {
  const char *name;
  bool (*suits)(const hx_type *t);
} refinement_rows[] = {
  { "not_null", is_any_type },
  { "prefix", is_string_type },
  { "min", is_number_type },
  { "min_inclusive", is_number_type },
  { "max", is_number_type },
  { "max_inclusive", is_number_type },
  { "min_length", hx_type_is_collection },
  { "max_length", hx_type_is_collection },
  { "attributes", is_unsettled_type },
  { "items", is_unsettled_type },
  { "form", is_unsettled_type },
  { "untyped", is_unsettled_type },
};

/* Raises for refinements that don't suit the type. For type `any` only attributes, items, form and untyped have an effect: the reference
** ignores other refinements then, and so do we. */
static void check_refinements(lua_State *L, const hx_type *t) {
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    int i = HX_OPTION_ROW(L, 2, "unknown refinement '%s'", refinement_rows);
    if (t->kind != HX_K_DYNAMIC && !refinement_rows[i].suits(t))
      luaL_argerror(L, 2,
                    lua_pushfstring(L, "refinement '%s' is not for a %s", refinement_rows[i].name, hx_kind_name((hx_kind)t->kind)));
  }
}

static void refine_number(hx_cx *cx, unknown_job *job, hx_refine *f) {
  hx_val min = hx_none(), max = hx_none();
  bool min_in = get_flag(job->L, cx, "min_inclusive", true), max_in = get_flag(job->L, cx, "max_inclusive", true);
  if (get_bound(job->L, cx, "min", &min)) {
    if (min.tag == HX_T_NONE) job->wrong = "refinement 'min' must be a number";
    else hx_refine_min(f, min, min_in);
  }
  if (get_bound(job->L, cx, "max", &max)) {
    if (max.tag == HX_T_NONE) job->wrong = "refinement 'max' must be a number";
    else hx_refine_max(f, max, max_in);
  }
  if (min.tag == HX_T_NONE || max.tag == HX_T_NONE) return;
  int order = hx_num_cmp(&min, &max);
  if (order > 0 || (order == 0 && !(min_in && max_in))) job->wrong = "no number is within the refinements 'min' and 'max'";
}

static void refine_length(hx_cx *cx, unknown_job *job, hx_refine *f) {
  uint64_t min = get_length(job->L, cx, "min_length", 0), max = get_length(job->L, cx, "max_length", HX_NO_MAX);
  if (min > max) job->wrong = "no length is within the refinements 'min_length' and 'max_length'";
  else hx_refine_length(f, min, max);
}

static const char *const forms[] = { [HX_ITEMS_BLOCKS] = "blocks", [HX_ITEMS_LISTED] = "sequence", [HX_ITEMS_ORDERED] = "list" };

static hx_items_form get_form(hx_cx *cx, unknown_job *job) {
  size_t i = 0;
  if (!get_option(job->L, cx, "form", LUA_TSTRING)) return HX_ITEMS_BLOCKS;
  hx_str form = hx_check_str(job->L, -1);
  while (i < sizeof forms / sizeof *forms && !hx_str_eq(form, hx_str_c(forms[i]))) i++;
  lua_pop(job->L, 1);
  if (i < sizeof forms / sizeof *forms) return (hx_items_form)i;
  job->wrong = "refinement 'form' must be \"blocks\", \"sequence\" or \"list\"";
  return HX_ITEMS_BLOCKS;
}

/* Reads the known attributes, an object, or the known items, an array. Returns false after reporting diagnostics. */
static bool known_parts(hx_cx *cx, unknown_job *job, const char *name, hx_tag tag, const char *wrong) {
  hx_val parts;
  push_refinement(job->L, cx, name);
  bool given = !lua_isnil(job->L, -1), ok = !given || hx_pull_data(job->L, cx, lua_gettop(job->L), hx_str_c(name), &parts);
  lua_pop(job->L, 1);
  if (!given || !ok) return ok;
  if (parts.tag == tag && (tag == HX_T_OBJECT || parts.len))
    job->out = hx_open_items(cx, &parts, tag == HX_T_TUPLE ? get_form(cx, job) : HX_ITEMS_BLOCKS);
  else job->wrong = wrong;
  return true;
}

static bool open_object(hx_cx *cx, unknown_job *job) {
  return known_parts(cx, job, "attributes", HX_T_OBJECT,
                     "refinement 'attributes' must be an object: a table of attributes by name") &&
         known_parts(cx, job, "items", HX_T_TUPLE, "refinement 'items' must be an array with at least one element");
}

static void refine(hx_cx *cx, unknown_job *job, const hx_type *t) {
  lua_State *L = job->L;
  hx_refine f;
  if (t->kind == HX_K_DYNAMIC) {
    if (get_flag(L, cx, "untyped", false)) job->out = hx_unknown_untyped;
    job->ok = open_object(cx, job);
    return;
  }
  hx_refine_begin(&f, &job->out);
  if (get_flag(L, cx, "not_null", false)) hx_refine_not_null(&f);
  if (t->kind == HX_K_STRING && get_option(L, cx, "prefix", LUA_TSTRING)) {
    hx_val prefix;
    hx_puller p;
    hx_puller_init(&p, L, cx, HX_STR("prefix"));
    if (hx_pull_string(&p, lua_gettop(L), &prefix)) hx_refine_prefix_full(cx, &f, hx_val_str(&prefix));
    else job->wrong = "refinement 'prefix' is not well-formed UTF-8";
    lua_pop(L, 1);
  }
  if (t->kind == HX_K_NUMBER) refine_number(cx, job, &f);
  if (hx_type_is_collection(t)) refine_length(cx, job, &f);
  if (!job->wrong) job->out = hx_refine_done(cx, &f);
}

static void run_unknown(hx_cx *cx, void *ud) {
  unknown_job *job = ud;
  const hx_type *t = job->t->constraint->type;
  if (!hx_type_is_word(t)) hx_home_keep(cx, job->t->home);
  job->out = hx_unknown(cx, t);
  if (lua_istable(job->L, 2)) refine(cx, job, t);
  hx_value_settle(cx, &job->out);
}

/* core.unknown(type, refinements?): returns an unknown Value, or nil and Diagnostics for a bad type. Raises for refinements that are wrong,
** or don't suit the type. */
static int l_unknown(lua_State *L) {
  const hx_type_handle *t;
  unknown_job job;
  hx_value *v;
  lua_settop(L, 2);
  t = hx_type_argument(L, 1);
  if (!t) return 2;
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    check_refinements(L, t->constraint->type);
  }
  job = (unknown_job){ L, t, hx_none(), NULL, true };
  v = hx_value_new_with_home(L, 512);
  hx_why why = hx_home_run(v->home, run_unknown, &job);
  if (why != HX_WHY_NONE || !job.ok) return hx_fail_made(L, why, &v->home->cx);
  if (job.wrong) return luaL_argerror(L, 2, job.wrong);
  v->v = job.out;
  return 1;
}

/* Returns true if the bound admits every number. Then it isn't shown. */
static bool tells_nothing(const hx_val *bound, bool is_min) {
  return bound->tag == HX_T_NONE || (hx_num_is_inf(bound) && hx_num_is_negative(bound) == is_min);
}

static void set_bound(lua_State *L, hx_home *home, const char *name, const hx_val *n, const char *inclusive, bool is_inclusive) {
  hx_value_push(L, home, n);
  lua_setfield(L, -2, name);
  hx_set_bool(L, inclusive, is_inclusive);
}

int hx_value_refinements(lua_State *L) {
  const hx_value *v = hx_value_hold(L, 1);
  const hx_val *bare = hx_unmarked(&v->v);
  const hx_unk *u;
  if (!hx_is_unknown(bare)) {
    lua_pushnil(L);
    return 1;
  }
  if (bare != &v->v) luaL_error(L, "the Value is marked: what is known of it may not be shown; take v:unmark() first");
  u = bare->u.unk;
  lua_newtable(L);
  if (u->not_null) {
    hx_set_bool(L, "not_null", true);
  }
  if (u->untyped) hx_set_bool(L, "untyped", true);
  if (u->open) {
    hx_value_push(L, v->home, &u->open->parts);
    lua_setfield(L, -2, hx_open_of(bare) ? "attributes" : "items");
    if (hx_items_of(bare)) hx_set_str(L, "form", hx_str_c(forms[u->open->form]));
  }
  if (u->prefix.len) hx_set_str(L, "prefix", u->prefix);
  if (!tells_nothing(&u->min, true)) set_bound(L, v->home, "min", &u->min, "min_inclusive", u->min_inclusive);
  if (!tells_nothing(&u->max, false)) set_bound(L, v->home, "max", &u->max, "max_inclusive", u->max_inclusive);
  if (u->min_length) hx_set_int(L, "min_length", u->min_length);
  if (u->max_length != HX_NO_MAX) hx_set_int(L, "max_length", u->max_length);
  return 1;
}

typedef struct made_job {
  const hx_value *from;
  hx_val (*make)(hx_cx *cx, const hx_val *v);
  hx_val out;
} made_job;

static void run_made(hx_cx *cx, void *ud) {
  made_job *job = ud;
  hx_val v = hx_value_use(cx, job->from);
  job->out = job->make(cx, &v);
  hx_value_settle(cx, &job->out);
}

/* Pushes what `make` returns for the Value at stack index i, as a Value. */
static int push_made(lua_State *L, int i, hx_val (*make)(hx_cx *cx, const hx_val *v)) {
  hx_check_value(L, i);
  hx_value *out = hx_value_new_with_home(L, 256);
  made_job job = { hx_check_value(L, i), make, hx_none() };
  hx_why why = hx_home_run(out->home, run_made, &job);
  if (why != HX_WHY_NONE) return hx_fail_made(L, why, &out->home->cx);
  out->v = job.out;
  return 1;
}

typedef struct open_job {
  const hx_val *v;
  bool open;
} open_job;

static void run_open(hx_cx *cx, void *ud) {
  open_job *job = ud;
  (void)cx;
  job->open = hx_has_open(job->v);
}

/* Returns the result of `make` for argument 1, if any part of the argument is open. Usually none is, and the argument itself is returned,
** which saves a kilobyte for each resource of a plan. */
static int close_open(lua_State *L, hx_val (*make)(hx_cx *cx, const hx_val *v)) {
  lua_settop(L, 1);
  const hx_value *v = hx_check_value(L, 1);
  open_job job = { &v->v, false };
  if (v->home) hx_home_must(L, v->home, run_open, &job);
  return job.open ? push_made(L, 1, make) : 1;
}

/* core.as_written(value): returns the value with objects for open objects, and tuples for items. */
static int l_as_written(lua_State *L) {
  return close_open(L, hx_as_written);
}

/* core.as_data(value): returns the value with tuples for items whose order is certain. */
static int l_as_data(lua_State *L) {
  return close_open(L, hx_as_data);
}

static hx_val planned(hx_cx *cx, const hx_val *v) {
  return hx_planned(cx, v, false);
}
static hx_val planned_json(hx_cx *cx, const hx_val *v) {
  return hx_planned(cx, v, true);
}

/* core.planned(name, value, json): returns the parts of an argument that are certain before a schema is applied, or nil if none are. json:
** the value is from JSON syntax, where an object may be a block. */
static int l_planned(lua_State *L) {
  hx_str name = hx_check_str(L, 1);
  bool json = lua_toboolean(L, 3);
  lua_settop(L, 2);
  const hx_val *v = &hx_value_hold(L, 2)->v;
  if (!hx_is_planned(name, v)) {
    lua_pushnil(L);
    return 1;
  }
  return hx_unmarked(v)->tag <= HX_T_STR ? 1 : push_made(L, 2, json ? planned_json : planned);
}

static const luaL_Reg functions[] = {
  { "unknown", l_unknown }, { "as_written", l_as_written }, { "as_data", l_as_data }, { "planned", l_planned }, { NULL, NULL },
};

void hx_open_unknown(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
