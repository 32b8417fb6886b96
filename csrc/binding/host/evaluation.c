/* evaluation.c: evaluates an Expression from Lua: takes the idle machine, runs, suspends, resumes, and returns the result. */
#include "binding/host/evaluation.h"
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/host/explain.h"
#include "binding/objects/expression.h"
#include "binding/host/host.h"
#include "binding/data/value.h"
#include "value/convert/convert.h"
#include "value/number/number.h"
#include "vm/body_plan.h"

/* The most memory that an idle machine keeps. */
#define IDLE_MAX ((size_t)64 << 10)
/* The steps after which Lua runs for a moment, so that its hooks and signals are handled. They take at most 20 ms, and usually a
** tenth of that. */
#define SLICE 200000u
/* The steps of a slice while a hook counts instructions. Such a hook often enforces a deadline, so the slice is ten times shorter. */
#define HOOKED_SLICE 20000u
/* The greatest whole number that every Lua has exactly. */
#define WHOLE_MOST ((int64_t)1 << 53)
/* Slots of the Lua stack that a host may use without reserving them. */
#define STACK_ROOM 40

/* Data that a host needs */

void hx_evaluation_open_now(hx_evaluation *ev) {
  luaL_checkstack(ev->L, STACK_ROOM, NULL);
  if (lua_gettop(ev->L) < HX_AT_ROOT) lua_settop(ev->L, HX_AT_ROOT);
  hx_lua_gettable_of(ev->L, HX_AT_EVALUATION);
  ev->open = true;
}

int hx_ledger_add(hx_evaluation *ev) {
  lua_rawseti(ev->L, HX_AT_LEDGER, ev->used);
  return ev->used++;
}

static void new_ledger(lua_State *L, int at) {
  lua_createtable(L, HX_LEDGER_FIRST + 8, 0);
  hx_lua_settable_of(L, at);
}

/* Keeps the program and the scope's data of a suspended evaluation alive, because the Expression and the Scope may be finalized
** meanwhile. */
static void hold(hx_evaluation *ev) {
  if (ev->suspended) return;
  hx_unit_retain(ev->unit);
  ev->scope_home = ev->scope->home ? hx_home_retain(ev->scope->home) : NULL;
  ev->suspended = true;
}
static void let_go(hx_evaluation *ev, lua_State *L) {
  if (!ev->suspended) return;
  hx_unit_release(L, ev->unit);
  hx_home_release(ev->scope_home);
  ev->suspended = false;
}

/* Empties the evaluation's ledger. */
static void clear_ledger(hx_evaluation *ev) {
  lua_State *L = ev->L;
  if (ev->mixed_ledger || ev->used > 256) {
    new_ledger(L, HX_AT_EVALUATION);
  } else if (ev->used > HX_LEDGER_FIRST) {
    for (int i = HX_LEDGER_FIRST; i < ev->used; i++) {
      lua_pushnil(L);
      lua_rawseti(L, HX_AT_LEDGER, i);
    }
  }
  ev->used = HX_LEDGER_FIRST;
  ev->mixed_ledger = false;
  let_go(ev, L);
}

/* Machines */

static hx_evaluation *new_evaluation(lua_State *L) {
  hx_evaluation *ev = hx_lua_newuserdata_table(L, sizeof *ev);
  memset(ev, 0, sizeof *ev);
  ev->state = hx_state_get(L);
  hx_machine_init(&ev->machine);
  ev->used = HX_LEDGER_FIRST;
  hx_lookups_init(&ev->lookups);
  hx_set_class(L, -1, HX_CLASS_EVALUATION);
  new_ledger(L, lua_gettop(L));
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_EVALUATIONS);
  lua_pushlightuserdata(L, ev);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  return ev;
}

/* Returns true if the evaluation is still alive. A finalizer may have resumed an evaluation that is garbage, whose own finalizer is
** still due. Weak values are removed before finalizers run. */
static bool is_alive(hx_evaluation *ev) {
  lua_State *L = ev->L;
  bool alive;
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_EVALUATIONS);
  lua_pushlightuserdata(L, ev);
  lua_rawget(L, -2);
  alive = !lua_isnil(L, -1);
  lua_pop(L, 2);
  return alive;
}

/* Returns the idle evaluation, or a new one that becomes the idle one. If the idle one is busy, a Lua error has left it, or the new
** one is nested in it. In both cases another owner keeps it alive. */
static hx_evaluation *take_evaluation(lua_State *L, hx_state *st) {
  hx_evaluation *ev = st->idle;
  if (HX_LIKELY(ev && !ev->busy)) return ev;
  ev = new_evaluation(L);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_MACHINE);
  if (!st->ended) st->idle = ev;
  return ev;
}

/* Resets everything that the host used while it was open. */
static void close_host(hx_evaluation *ev) {
  clear_ledger(ev);
  ev->open = ev->answered = false;
  ev->wait = HX_WAIT_NONE;
  ev->failed = HX_WHY_NONE;
  ev->foreign.p = NULL;
  ev->foreign.n = ev->foreign.cap = 0;
  hx_lookups_init(&ev->lookups);
  ev->bad_argument = 0;
  ev->told = 0;
  ev->unhooked = 0;
}

/* Empties the arena at once, because it keeps the homes of Values. */
static void release_homes(hx_evaluation *ev) {
  hx_cx_reset(&ev->machine.cx, &ev->machine.cx.limits);
  ev->kept = NULL;
}

/* Ends an evaluation that was nested in another or suspended. It becomes the idle evaluation if there isn't one, or that one is busy. */
static void finish_other(hx_evaluation *ev) {
  hx_state *st = ev->state;
  if (!st->ended && (!st->idle || st->idle->busy) && is_alive(ev)) {
    lua_pushvalue(ev->L, HX_AT_EVALUATION);
    lua_rawseti(ev->L, HX_UP_STORE, HX_SLOT_MACHINE);
    st->idle = ev;
  } else {
    hx_machine_deinit(&ev->machine);
    hx_machine_init(&ev->machine);
  }
}

HX_INLINE void empty_if_large(hx_evaluation *ev) {
  if (HX_UNLIKELY(ev->machine.cx.arena.held + ev->machine.cx.scratch.held > IDLE_MAX))
    hx_cx_reset(&ev->machine.cx, &ev->machine.cx.limits);
}

/* Limits the steps of this evaluation to what the budget has left, when the evaluation begins and whenever it continues. */
HX_INLINE void take_budget(hx_evaluation *ev) {
  const hx_budget *b = ev->scope->budget;
  if (HX_UNLIKELY(b != NULL) && ev->machine.cx.steps_left > b->steps) ev->machine.cx.steps_left = b->steps;
  ev->granted = ev->machine.cx.steps_left;
}

static void spend_steps(hx_evaluation *ev) {
  hx_budget *b = ev->scope->budget;
  const hx_cx *cx = &ev->machine.cx;
  uint64_t spent = ev->granted - cx->steps_left;
  bool out = cx->diags.first == &cx->why_diag && cx->why_diag.id == HX_D_LIMIT_STEPS;
  b->steps -= out || spent > b->steps ? b->steps : spent;
}

/* Ends an evaluation after Lua has got its result. */
HX_INLINE void finish(hx_evaluation *ev) {
  if (HX_UNLIKELY(ev->scope->budget != NULL)) spend_steps(ev);
  if (ev->open) close_host(ev);
  if (ev->kept) release_homes(ev);
  ev->busy = false;
  empty_if_large(ev);
  if (HX_UNLIKELY(ev->state->idle != ev)) finish_other(ev);
}

/* Results */

static hx_pusher pusher_of(hx_evaluation *ev) {
  const hx_program *p = &ev->unit->program;
  return (hx_pusher){
    .L = ev->L, .cx = &ev->machine.cx, .options = &ev->scope->convert, .source = p->source, .range = hx_node_range(p->root)
  };
}

/* Pushes the table with the Lua values of the `convert` options for the pusher, if there are any. */
static void find_convert_values(hx_evaluation *ev, hx_pusher *p) {
  const hx_convert_options *o = p->options;
  if (o->null != HX_NULLS_OTHER && o->array_mt != HX_ARRAYS_OTHER && !o->object_mt) return;
  hx_scope_push_table(ev->L, HX_AT_SCOPE, ev->scope);
  p->values = lua_gettop(ev->L);
}

static int fail(hx_evaluation *ev) {
  hx_machine_end_silence(&ev->machine);
  if (ev->mode == HX_MODE_EXPLAIN) {
    hx_explain_push(ev, true);
    finish(ev);
    return 1;
  }
  hx_fail_push(ev->L, &ev->machine.cx, ev->unit);
  finish(ev);
  return 2;
}

static int fail_at_root(hx_evaluation *ev, hx_diag_id id, hx_str detail) {
  const hx_program *p = &ev->unit->program;
  hx_diag_add(&ev->machine.cx, id, p->source, hx_node_range(p->root), HX_STR_ARG(detail));
  return 0;
}

static bool push_result(hx_evaluation *ev, const hx_val *v) {
  hx_pusher p = pusher_of(ev);
  const hx_node *root = ev->unit->program.root;
  if (root->kind == HX_AST_DECODED) p.beside = ((const hx_entry_plan *)hx_plan_of(root))->beside;
  find_convert_values(ev, &p);
  return hx_push(&p, v);
}

/* Pushes the result. Most results are scalars, which need no guard. */
static bool finish_eval(hx_evaluation *ev) {
  const hx_val *v = &ev->machine.result;
  return hx_push_scalar(ev->L, v, ev->machine.cx.output_left) || push_result(ev, v);
}

typedef struct end_job {
  hx_evaluation *ev;
  hx_val out;
  bool ok;
} end_job;

static void run_test(hx_cx *cx, void *ud) {
  end_job *job = ud;
  const hx_val *v = hx_unmarked(&job->ev->machine.result);
  hx_why_not why = { { "", 0 } };
  if (hx_is_null(v)) fail_at_root(job->ev, HX_D_TEST_NULL, HX_STR(""));
  else if (hx_is_unknown(v)) fail_at_root(job->ev, HX_D_TEST_UNKNOWN, HX_STR(""));
  else if (!hx_convert(cx, v, &hx_type_bool, &job->out, &why))
    fail_at_root(job->ev, HX_D_TEST_TYPE, job->ev->machine.result.tag == HX_T_MARKED ? HX_STR("a bool is required") : why.text);
  else job->ok = true;
}

static void run_render(hx_cx *cx, void *ud) {
  end_job *job = ud;
  const hx_val *v = &job->ev->machine.result;
  hx_why_not why = { { "", 0 } };
  if (hx_is_null(hx_unmarked(v))) fail_at_root(job->ev, HX_D_RENDER_TYPE, HX_STR("a string is required, not null"));
  else if (!hx_convert(cx, v, &hx_type_string, &job->out, &why)) fail_at_root(job->ev, HX_D_RENDER_TYPE, why.text);
  else job->ok = true;
}

/* Runs fn on the result in the evaluation's own memory, under a guard, and reports a limit that ends it. Returns true if fn succeeded. */
static bool run_end(hx_evaluation *ev, void (*fn)(hx_cx *cx, void *ud), hx_val *out) {
  end_job job = { ev, hx_none(), false };
  hx_cx *cx = &ev->machine.cx;
  hx_why why = hx_guard_run(cx, fn, &job);
  if (why != HX_WHY_NONE) hx_why_report(cx, why);
  *out = job.out;
  return job.ok;
}

static bool finish_test(hx_evaluation *ev) {
  hx_val out = ev->machine.result;
  if (out.tag != HX_T_BOOL && !run_end(ev, run_test, &out)) return false;
  lua_pushboolean(ev->L, (int)out.u.i);
  return true;
}

static bool finish_render(hx_evaluation *ev) {
  hx_val out = ev->machine.result;
  if (out.tag != HX_T_STR && !run_end(ev, run_render, &out)) return false;
  return push_result(ev, &out);
}

/* Charges the value's memory to the budget. Returns false if the budget has no room for it. */
static bool spend_memory(hx_budget *b, const hx_val *v) {
  uint64_t weight = hx_val_weight(v);
  bool fits = weight < b->memory;
  b->memory = fits ? b->memory - weight : 0;
  return fits;
}

/* Returns true if the result is the whole data of the last Value that was kept: the value of a name alone, or of a name that a
** conditional chose. Such a result shares the Value's memory, because copying an object takes four times the instructions. */
static bool is_whole(const hx_evaluation *ev, const hx_val *v) {
  return ev->kept && v->tag == ev->whole.tag && v->len == ev->whole.len && v->u.i == ev->whole.u.i;
}

static bool finish_value(hx_evaluation *ev) {
  hx_why why = HX_WHY_MEMORY;
  hx_budget *b = ev->scope->budget;
  const hx_val *v = &ev->machine.result;
  if (!b || spend_memory(b, v)) {
    why = HX_WHY_NONE;
    if (is_whole(ev, v)) hx_value_push(ev->L, ev->kept, v);
    else why = hx_value_push_copy(ev->L, v);
  }
  if (why == HX_WHY_NONE) return true;
  hx_why_at(&ev->machine.cx, ev->unit->program.source, hx_node_range(ev->unit->program.root));
  hx_why_report(&ev->machine.cx, why);
  return false;
}

/* Returns true if the value is a string, a bool or a whole number that every Lua has, so that nothing is lost as Lua data. */
static bool is_plain(const hx_val *v) {
  return v->tag == HX_T_STR || v->tag == HX_T_BOOL || (v->tag == HX_T_INT && v->u.i <= WHOLE_MOST && v->u.i >= -WHOLE_MOST);
}

/* Pushes the result as Lua data if it is plain, otherwise as a Value. */
static bool finish_plain(hx_evaluation *ev) {
  const hx_val *v = &ev->machine.result;
  hx_budget *b = ev->scope->budget;
  if (!is_plain(v) || (b && !spend_memory(b, v))) return finish_value(ev);
  return hx_push_scalar(ev->L, v, v->len);
}

static bool finish_explain(hx_evaluation *ev) {
  hx_explain_push(ev, false);
  return true;
}

static bool (*const finishers[])(hx_evaluation *ev) = {
  [HX_MODE_EVAL] = finish_eval,     [HX_MODE_TEST] = finish_test,   [HX_MODE_VALUE] = finish_value,
  [HX_MODE_RENDER] = finish_render, [HX_MODE_CHECK] = finish_value, [HX_MODE_EXPLAIN] = finish_explain,
  [HX_MODE_PLAIN] = finish_plain,
};

/* Running */

/* Reports the memory of a suspended evaluation to Lua's collector. Each byte is reported once, because the collector works for each
** reported byte. */
static void tell_collector(hx_evaluation *ev, lua_State *L) {
  size_t held = ev->machine.cx.arena.held + ev->machine.cx.scratch.held;
  if (held <= ev->told) return;
  hx_state_grown(L, held - ev->told);
  ev->told = held;
}

/* Takes the evaluation's values off the stack, keeps them, and returns `evaluation, true` to the driver. The steps are charged now: the
** callback that the evaluation waits for may begin other evaluations with the same budget. */
static int suspend(hx_evaluation *ev) {
  lua_State *L = ev->L;
  hx_state *st = ev->state;
  if (HX_UNLIKELY(ev->scope->budget != NULL)) {
    spend_steps(ev);
    ev->granted = ev->machine.cx.steps_left;
  }
  hx_evaluation_open(ev);
  lua_settop(L, HX_AT_TOP);
  hold(ev);
  if (st->idle == ev) {
    lua_pushnil(L);
    lua_rawseti(L, HX_UP_STORE, HX_SLOT_MACHINE);
    st->idle = NULL;
  }
  ev->L = NULL;
  tell_collector(ev, L);
  lua_pushvalue(L, HX_AT_EVALUATION);
  lua_pushboolean(L, 1);
  return 2;
}

static hx_status step(hx_evaluation *ev) {
#ifdef HX_TEST
  if (ev->state->stutter) {
    hx_status s;
    do s = hx_machine_stutter(&ev->machine);
    while (s == HX_SLICED);
    return s;
  }
#endif
  ev->slice = HX_UNLIKELY(lua_gethookmask(ev->L) & LUA_MASKCOUNT) ? HOOKED_SLICE : SLICE;
  return hx_machine_step(&ev->machine, ev->slice);
}

/* Handles a machine that failed or waits. After a failure returns nil and Diagnostics (explain: the records, with `err`); otherwise the
** evaluation and true. */
static int stop(hx_evaluation *ev, hx_status status) {
  if (status == HX_FAILED || status == HX_DONE) {
    int top = ev->open ? HX_AT_TOP : HX_AT_EVALUATION;
    if (lua_gettop(ev->L) != top) lua_settop(ev->L, top); /* an abort may leave other values */
    return fail(ev);
  }
  if (status == HX_SLICED) {
    ev->wait = HX_WAIT_SLICE;
    ev->unhooked += ev->slice;
  }
  if (status == HX_NEED_CALL) ev->wait = ev->machine.need.for_type ? HX_WAIT_TYPE : HX_WAIT_CALL;
  return suspend(ev);
}

/* Returns the result of a machine that is done. */
HX_INLINE int give_result(hx_evaluation *ev) {
  HX_ASSERT(!ev->open || lua_gettop(ev->L) == HX_AT_TOP);
  if (HX_UNLIKELY(!finishers[ev->mode](ev))) return stop(ev, HX_FAILED);
  finish(ev);
  return 1;
}

/* Runs until the machine is done, failed or waiting. Returns a value, or what stop() returns. */
HX_INLINE int run(hx_evaluation *ev) {
  hx_status status = step(ev);
  return HX_LIKELY(status == HX_DONE) ? give_result(ev) : stop(ev, status);
}

/* Raises for misuse of a method. The method's body is in Lua, so the error names its caller, two levels up. As in Lua's own
** library, `self` counts as an argument only if the call has a dot. */
static _Noreturn void bad_argument(lua_State *L, hx_mode mode, int arg, const char *want) {
  static const char *const methods[] = {
    [HX_MODE_EVAL] = "eval",   [HX_MODE_TEST] = "test",       [HX_MODE_VALUE] = "value", [HX_MODE_RENDER] = "render",
    [HX_MODE_CHECK] = "check", [HX_MODE_EXPLAIN] = "explain", [HX_MODE_PLAIN] = "value"
  };
  const char *got = luaL_typename(L, arg);
  lua_Debug ar;
  bool by_colon = lua_getstack(L, 1, &ar) && lua_getinfo(L, "n", &ar) && ar.namewhat[0] == 'm';
  luaL_where(L, 2);
  if (by_colon && arg == 1) lua_pushfstring(L, "calling '%s' on bad self (%s expected, got %s)", methods[mode], want, got);
  else if (arg == 1)
    lua_pushfstring(L, "bad argument #1 to '%s' (%s expected, got %s; call it with a colon, as in expr:%s())", methods[mode], want,
                    got, methods[mode]);
  else lua_pushfstring(L, "bad argument #%d to '%s' (%s expected, got %s)", by_colon ? arg - 1 : arg, methods[mode], want, got);
  lua_concat(L, 2);
  lua_error(L);
  HX_UNREACHABLE();
}

/* Returns the unit of the Expression that is argument 1. Every evaluation calls this, so speed counts. */
static hx_unit *check_self(lua_State *L, hx_state *st, hx_mode mode) {
  hx_expression *e = lua_touserdata(L, 1);
  if (HX_LIKELY(e && st->expressions[hx_seen_at(e)] == e)) return e->unit;
  e = hx_to_class(L, 1, HX_CLASS_EXPRESSION);
  if (!e) bad_argument(L, mode, 1, hx_class_name(HX_CLASS_EXPRESSION));
  if (!e->unit) hx_check_expression(L, 1); /* raises: the Expression is closed */
  st->expressions[hx_seen_at(e)] = e;
  return e->unit;
}

/* Returns the Scope that is argument 3, or the default one. likely: no variables are given, so a scope probably is. */
static const hx_scope *get_scope(lua_State *L, const hx_state *st, hx_mode mode, bool likely) {
  const hx_scope *s = likely ? lua_touserdata(L, 3) : NULL;
  int type;
  if (HX_LIKELY(s && st->scopes[hx_seen_at(s)] == s)) return s;
  type = lua_type(L, 3);
  if (type == LUA_TNIL) return st->default_scope;
  s = type == LUA_TUSERDATA ? hx_to_scope(L, hx_state_get(L), 3) : NULL;
  if (!s) bad_argument(L, mode, 3, hx_class_name(HX_CLASS_SCOPE));
  return s;
}

static int begin_fails(lua_State *L, hx_unit *unit) {
  lua_pushnil(L);
  hx_diagnostics_push_of(L, unit);
  return 2;
}

static int begin(lua_State *L, hx_mode mode) {
  hx_state *st = hx_state_get(L);
  hx_unit *unit = check_self(L, st, mode);
  const hx_scope *scope;
  hx_evaluation *ev;
  int variables;
  if (HX_UNLIKELY(lua_gettop(L) != 3)) lua_settop(L, 3);
  variables = lua_type(L, 2);
  if (HX_UNLIKELY(variables != LUA_TTABLE && variables != LUA_TNIL)) bad_argument(L, mode, 2, "table");
  scope = get_scope(L, st, mode, variables == LUA_TNIL);
  if (HX_UNLIKELY(!unit->program.code) && !hx_unit_ready(L, unit)) return begin_fails(L, unit);
  ev = take_evaluation(L, st);
  HX_ASSERT(!ev->open && !ev->suspended && ev->used == HX_LEDGER_FIRST && !ev->kept);
  ev->L = L;
  ev->mode = (uint8_t)mode;
  ev->unit = unit;
  ev->has_variables = variables == LUA_TTABLE;
  ev->scope = scope;
  ev->host = scope->host;
  ev->root = NULL;
  if (ev->has_variables) ev->host.serial = 0;
  if (HX_UNLIKELY(mode == HX_MODE_CHECK)) hx_host_only_checks(&ev->host);
  hx_machine_start(&ev->machine, &unit->program, &ev->host, &scope->limits);
  take_budget(ev);
  ev->busy = true;
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_MACHINE);
  return run(ev);
}

static int l_eval(lua_State *L) {
  return begin(L, HX_MODE_EVAL);
}
static int l_test(lua_State *L) {
  return begin(L, HX_MODE_TEST);
}
static int l_value(lua_State *L) {
  return begin(L, HX_MODE_VALUE);
}
/* core.plain_value(expression, variables, scope): returns strings, bools and whole numbers as Lua data if every Lua can express them, other
** results as Values; or nil and Diagnostics. */
static int l_plain_value(lua_State *L) {
  return begin(L, HX_MODE_PLAIN);
}
/* core.explain(recorder, variables, scope): returns a table of records (binding/host/explain.h). */
static int l_explain(lua_State *L) {
  if (!hx_check_expression(L, 1)->unit->program.records) luaL_argerror(L, 1, "core.recorder makes what can be explained");
  return begin(L, HX_MODE_EXPLAIN);
}
static int l_render(lua_State *L) {
  return begin(L, HX_MODE_RENDER);
}
/* core.check(expression, variables, scope): returns the Value of a check (binding/host/host_check.c); the variables are unknown Values. */
static int l_check(lua_State *L) {
  return begin(L, HX_MODE_CHECK);
}

/* Suspended evaluations */

/* Returns the suspended evaluation, and checks that the driver's call has the evaluation's stack as its first arguments. A script that
** calls the core itself with other values gets an error. */
static hx_evaluation *check_suspended(lua_State *L) {
  hx_evaluation *ev = hx_check_class(L, HX_AT_EVALUATION, HX_CLASS_EVALUATION);
  if (!ev->suspended || ev->L) luaL_argerror(L, HX_AT_EVALUATION, "the evaluation is not suspended");
  if (lua_type(L, HX_AT_VARIABLES) != (ev->has_variables ? LUA_TTABLE : LUA_TNIL))
    luaL_argerror(L, HX_AT_VARIABLES, "these are other variables than the evaluation's");
  if (lua_isnil(L, HX_AT_SCOPE) ? ev->scope != ev->state->default_scope : lua_touserdata(L, HX_AT_SCOPE) != ev->scope)
    luaL_argerror(L, HX_AT_SCOPE, "this is another scope than the evaluation's");
  return ev;
}

/* Attaches a suspended evaluation to this Lua thread again: reserves its slots of the stack, opens the host, and puts the ledger into its
** slot. */
static void restore_stack(lua_State *L, hx_evaluation *ev) {
  if (lua_gettop(L) < HX_AT_TOP) lua_settop(L, HX_AT_TOP);
  ev->L = L;
  ev->root = NULL;
  hx_evaluation_open_now(ev);
  lua_replace(L, HX_AT_LEDGER);
}

/* core.need(expression, variables, scope, evaluation): returns the function to be called, and its arguments. */
static int l_need(lua_State *L) {
  hx_evaluation *ev = check_suspended(L);
  int n;
  lua_settop(L, HX_AT_TOP);
  restore_stack(L, ev);
  n = hx_need_push(ev);
  ev->L = NULL;
  return n;
}

/* core.resume(expression, variables, scope, evaluation, nil, nil, …): takes the results of the function that core.need returned, and
** returns what the evaluation's own call returns. */
static int l_resume(lua_State *L) {
  hx_evaluation *ev = check_suspended(L);
  restore_stack(L, ev);
  if (!hx_need_answer(ev)) {
    lua_settop(L, HX_AT_TOP);
    return suspend(ev);
  }
  lua_settop(L, HX_AT_TOP);
  if (ev->failed != HX_WHY_NONE) {
    hx_why_report(&ev->machine.cx, (hx_why)ev->failed);
    return fail(ev);
  }
  ev->wait = HX_WAIT_NONE;
  take_budget(ev);
  return run(ev);
}

static int l_gc(lua_State *L) {
  hx_evaluation *ev = hx_to_class(L, 1, HX_CLASS_EVALUATION);
  if (!ev) return 0;
  if (hx_state_get(L)->idle == ev) hx_state_get(L)->idle = NULL;
  hx_machine_deinit(&ev->machine);
  let_go(ev, L);
  ev->busy = true; /* never idle: it can't be used any more */
  return 0;
}

void hx_evaluation_end(hx_state *st) {
  if (st->idle && !st->idle->busy) hx_machine_deinit(&st->idle->machine);
  st->idle = NULL;
  st->ended = true;
}

static const luaL_Reg methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = {
  { "eval", l_eval },     { "test", l_test },       { "expression_value", l_value },
  { "render", l_render }, { "need", l_need },       { "resume", l_resume },
  { "check", l_check },   { "explain", l_explain }, { "plain_value", l_plain_value },
  { NULL, NULL },
};

void hx_open_evaluation(lua_State *L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_EVALUATIONS);
  hx_register(L, HX_CLASS_EVALUATION, methods, functions);
}
