/* marks.c: marks of Values. */
#include "value/marks.h"

#include "binding/data/diagnostics.h"
#include "binding/data/value.h"

typedef struct mark_job {
  const hx_value *from;
  hx_str name;
  bool off;
  hx_val out;
} mark_job;

static void run_mark(hx_cx *cx, void *ud) {
  mark_job *job = ud;
  hx_val v = hx_value_use(cx, job->from);
  if (job->off) job->out = hx_mark(cx, *hx_unmarked(&v), hx_marks_without(cx, hx_marks_get(&v), job->name));
  else job->out = hx_mark(cx, v, hx_marks_of(cx, hx_str_copy(cx, job->name)));
}

/* Pushes a new Value: the Value at `at` with the mark `name`, or without it. */
static int push_mark(lua_State *L, int at, hx_str name, bool off) {
  hx_value *out = hx_value_new_with_home(L, 256);
  mark_job job = { hx_check_value(L, at), name, off, hx_none() };
  hx_why why = hx_home_run(out->home, run_mark, &job);
  if (why != HX_WHY_NONE) return hx_fail_made(L, why, &out->home->cx);
  out->v = job.out;
  return 1;
}

static hx_str check_mark_name(lua_State *L, int arg) {
  hx_str name = hx_check_str(L, arg);
  if (!name.len) luaL_argerror(L, arg, "the name of a mark must not be empty");
  return name;
}

/* Converts argument 1 to a Value, and pushes a Value with this mark in addition. */
static int mark_data(lua_State *L, hx_str name) {
  int n = hx_value_of_data(L, 1, NULL, "value");
  return n == 1 ? push_mark(L, lua_gettop(L), name, false) : n;
}

int hx_value_sensitive(lua_State *L) {
  hx_check_given(L, 1);
  return mark_data(L, HX_STR("sensitive"));
}

int hx_value_marked(lua_State *L) {
  hx_check_given(L, 1);
  return mark_data(L, check_mark_name(L, 2));
}

int hx_value_mark(lua_State *L) {
  hx_check_value(L, 1);
  return push_mark(L, 1, check_mark_name(L, 2), false);
}

void hx_marks_push(lua_State *L, const hx_marks *marks) {
  lua_createtable(L, marks ? (int)marks->n : 0, 0);
  for (uint32_t i = 0; marks && i < marks->n; i++) {
    hx_push_str(L, marks->names[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

int hx_value_marks(lua_State *L) {
  hx_marks_push(L, hx_marks_get(&hx_value_hold(L, 1)->v));
  return 1;
}

int hx_value_unmark(lua_State *L) {
  hx_value *v = hx_check_value(L, 1);
  bool one = !lua_isnoneornil(L, 2);
  hx_str name = one ? check_mark_name(L, 2) : HX_STR("");
  bool has = one ? hx_marks_has(hx_marks_get(&v->v), name) : v->v.tag == HX_T_MARKED;
  if (has && one) return push_mark(L, 1, name, true);
  lua_settop(L, 1);
  if (!has) return 1;
  v = hx_value_hold(L, 1);
  v->v = *hx_unmarked(&v->v);
  return 1;
}
