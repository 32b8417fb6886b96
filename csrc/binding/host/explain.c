/* explain.c: the values of an expression's parts, as an array of tables. */
#include "binding/host/explain.h"
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/objects/expression.h"
#include "binding/host/host.h"
#include "binding/state/place.h"
#include "binding/data/value.h"
#include "vm/machine/record.h"

typedef struct copy_job {
  const hx_records *records;
  hx_val all;
} copy_job;

/* Makes one tuple of all values, so that they share one copy and one home. */
static void run_collect(hx_cx *cx, void *ud) {
  copy_job *job = ud;
  uint32_t n = job->records->list.n;
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) {
    v[i] = job->records->list.p[i].value;
    if (v[i].tag == HX_T_NONE || v[i].tag == HX_T_FOREIGN) v[i] = hx_bool(false);
  }
  job->all = hx_tuple(cx, v, n);
}

/* Pushes a Value with the tuple of all values, and returns it. On failure reports why, pushes nil and returns NULL. */
static const hx_value *push_values(hx_evaluation *ev) {
  hx_cx *cx = &ev->machine.cx;
  copy_job job = { ev->machine.records, hx_none() };
  hx_why why = hx_guard_run(cx, run_collect, &job);
  if (why == HX_WHY_NONE) why = hx_value_push_copy(ev->L, &job.all);
  if (why == HX_WHY_NONE) return lua_touserdata(ev->L, -1);
  hx_why_at(cx, ev->unit->program.source, hx_node_range(ev->unit->program.root));
  hx_why_report(cx, why);
  lua_pushnil(ev->L);
  return NULL;
}

static void push_error(hx_evaluation *ev, const hx_diag *d) {
  hx_cx *cx = &ev->machine.cx;
  hx_diags all = cx->diags;
  hx_diag one = *d;
  one.next = NULL;
  cx->diags = (hx_diags){ .first = &one, .last = &one, .kept = 1, .errors = 1 };
  hx_diagnostics_push(ev->L, cx, ev->unit);
  cx->diags = all;
}

static void set_flag(lua_State *L, const char *name, bool is) {
  if (is) hx_set_bool(L, name, true);
}

/* Pushes the table of record i. values: the Value of all records' values, or NULL. */
static void push_record(hx_evaluation *ev, const hx_value *values, uint32_t i) {
  lua_State *L = ev->L;
  const hx_record *r = &ev->machine.records->list.p[i];
  hx_pos start, stop;
  lua_createtable(L, 0, 6);
  hx_set_word(L, "kind", hx_ast_kind_name((hx_ast_kind)r->node->kind));
  hx_place_find(ev->unit, ev->unit->program.source, hx_node_range(r->node), &start, &stop);
  hx_set_int(L, "start", start.byte);
  hx_set_int(L, "stop", stop.byte);
  if (r->turn < HX_TRIAL) hx_set_int(L, "turn", r->turn);
  if (r->total != HX_NO_TURN) hx_set_int(L, "total", r->total);
  if (r->count) hx_set_int(L, "count", r->count);
  set_flag(L, "trial", r->turn == HX_TRIAL);
  set_flag(L, "failed", r->failed);
  set_flag(L, "outline", r->outline);
  set_flag(L, "secret", r->secret);
  if (r->key.p) hx_set_str(L, "key", r->key);
  if (r->value.tag == HX_T_FOREIGN) {
    hx_foreign_push(ev, &r->value);
    lua_setfield(L, -2, "table");
  } else if (r->value.tag != HX_T_NONE && values) {
    hx_value_push(L, values->home, &values->v.u.seq->v[i]);
    lua_setfield(L, -2, "value");
  }
  if (!r->error) return;
  push_error(ev, r->error);
  lua_setfield(L, -2, "error");
}

void hx_explain_push(hx_evaluation *ev, bool failed) {
  lua_State *L = ev->L;
  hx_cx *cx = &ev->machine.cx;
  uint32_t n = ev->machine.records ? ev->machine.records->list.n : 0, errors = cx->diags.errors;
  luaL_checkstack(L, 20, NULL);
  lua_createtable(L, (int)n, 2);
  int at = lua_gettop(L);
  const hx_value *values = n ? push_values(ev) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    push_record(ev, values, i);
    lua_rawseti(L, at, (int)i + 1);
  }
  if (failed || cx->diags.errors != errors) {
    hx_diagnostics_push(L, cx, ev->unit);
    lua_setfield(L, at, "err");
  }
  lua_settop(L, at);
  ev->machine.records = NULL;
}

/* core.recorder(expression): returns an Expression of the same tree whose evaluations record the values of its parts. */
static int l_recorder(lua_State *L) {
  hx_unit *of = hx_check_expression(L, 1)->unit;
  hx_expression *e = hx_expression_new(L, of);
  if (of->home) e->unit->home = hx_home_retain(of->home);
  hx_program_init_part(&e->unit->program, &of->program, of->program.root);
  e->unit->program.records = true;
  return 1;
}

static const luaL_Reg functions[] = { { "recorder", l_recorder }, { NULL, NULL } };

void hx_open_explain(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
