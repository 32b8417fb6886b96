/* answer.c: lookups, lazy values, functions: what an evaluation asks of Lua, and Lua's answers. */
#include "binding/data/diagnostics.h"
#include "binding/host/host.h"
#include "binding/data/type.h"
#include "binding/objects/uses.h"
#include "binding/state/place.h"
#include "binding/data/value.h"
#include "text/unicode.h"
#include "vm/references.h"

#define FIRST (HX_AT_TOP + 1) /* stack index of the first result */

/* Lazy values */

bool hx_lazy_answer(hx_evaluation *ev, int at, const hx_lazy_failure **failure) {
  lua_State *L = ev->L;
  at = hx_lua_absindex(L, at);
  if (ev->host.check) {
    if (hx_value_push_copy(L, &hx_unknown_dynamic) != HX_WHY_NONE) luaL_error(L, "not enough memory");
    return true;
  }
  lua_pushvalue(L, at);
  lua_rawget(L, HX_AT_LEDGER);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, at);
    ev->wait_end = hx_ledger_add(ev) + 1;
    ev->wait = HX_WAIT_LAZY;
    return false;
  }
  if (lua_islightuserdata(L, -1)) {
    lua_pushvalue(L, -1);
    lua_rawget(L, HX_AT_LEDGER);
    bool is_failure = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (is_failure) {
      *failure = lua_touserdata(L, -1);
      lua_pop(L, 1);
      return false;
    }
  }
  return true;
}

/* Pushes the next lazy value without an answer. Returns false if all have answers. */
static bool push_next_lazy(hx_evaluation *ev) {
  lua_State *L = ev->L;
  for (; ev->wait_next < ev->wait_end; ev->wait_next++) {
    lua_rawgeti(L, HX_AT_LEDGER, ev->wait_next);
    lua_pushvalue(L, -1);
    lua_rawget(L, HX_AT_LEDGER);
    bool asked = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (!asked) return true;
    lua_pop(L, 1);
  }
  return false;
}

/* Raises because a function of a scope, at a slot of the scope's table, returned a wrong value. The error isn't in our code, so the message
** names the function's place. */
static void bad_result(hx_evaluation *ev, const hx_scope *scope, int slot, const char *name, const char *wanted, const char *got) {
  lua_State *L = ev->L;
  lua_Debug d;
  hx_scope_push_table(L, HX_AT_SCOPE, scope);
  lua_rawgeti(L, -1, slot);
  lua_getinfo(L, ">S", &d);
  if (d.linedefined > 0) lua_pushfstring(L, "%s:%d: ", d.short_src, d.linedefined);
  else lua_pushliteral(L, "");
  lua_pushfstring(L, "bad result of '%s' (%s expected, got %s)", name, wanted, got);
  lua_concat(L, 2);
  lua_error(L);
}

/* Describes a result in words: a number as it is, anything else by its type. */
static const char *described(lua_State *L, int at) {
  if (lua_type(L, at) != LUA_TNUMBER) return lua_isnoneornil(L, at) ? "nothing" : luaL_typename(L, at);
  lua_pushvalue(L, at);
  return lua_tostring(L, -1);
}

/* Runs fn in the evaluation's memory, under a guard. Returns false if fn was aborted; the machine then fails. */
static bool guarded(hx_evaluation *ev, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  hx_why why = hx_guard_run(&ev->machine.cx, fn, ud);
  if (why == HX_WHY_NONE) return true;
  ev->failed = (uint8_t)why;
  return false;
}

typedef struct message_job {
  hx_evaluation *ev;
  int at;
  hx_str text;
} message_job;

/* Copies the string at an index to the evaluation's arena, well-formed and at most 4096 bytes long. */
static void run_message(hx_cx *cx, void *ud) {
  message_job *job = ud;
  size_t len = 0;
  const char *s = lua_tolstring(job->ev->L, job->at, &len);
  if (len > 4096) len = 4096;
  job->text = len ? hx_utf8_repair(cx, hx_str_copy(cx, hx_str_of(s, len))) : HX_STR("It failed, and gave no message.");
}

/* Replaces a message that isn't a string. An object with __tostring, such as Diagnostics, is replaced by its text. The text of any
** other object would be an address, so a sentence replaces it. */
static void write_message(lua_State *L) {
  lua_settop(L, FIRST + 2);
  if (luaL_getmetafield(L, FIRST + 1, "__tostring")) {
    lua_pushvalue(L, FIRST + 1);
    lua_call(L, 1, 1);
  } else {
    lua_pushfstring(L, "It failed, and gave a %s for a message. Return nil and a string.", luaL_typename(L, FIRST + 1));
  }
  lua_replace(L, FIRST + 1);
}

/* Sets *text to the message in the results `nil, message`, or to `otherwise` if they have none. Returns false if that was aborted. */
static bool get_message(hx_evaluation *ev, hx_str otherwise, hx_str *text) {
  message_job job = { ev, FIRST + 1, otherwise };
  if (!lua_isnoneornil(ev->L, FIRST + 1)) {
    if (!lua_isstring(ev->L, FIRST + 1)) write_message(ev->L);
    if (!guarded(ev, run_message, &job)) return false;
  }
  *text = job.text;
  return true;
}

typedef struct diags_job {
  const hx_diags *from, *to;
} diags_job;

static void copy_values(hx_cx *cx, hx_diag *d, const hx_diag_value *v) {
  d->values = NULL;
  for (; v; v = v->next) hx_diag_add_value(cx, d, hx_str_copy(cx, v->path), hx_str_copy(cx, v->text));
}

/* Copies the errors of a list that may end before the evaluation does. */
static void run_diags(hx_cx *cx, void *ud) {
  diags_job *job = ud;
  hx_diags *list = HX_NEW(cx, hx_diags);
  *list = (hx_diags){ 0 };
  for (const hx_diag *from = job->from->first; from; from = from->next) {
    if (hx_diag_severity(from) != HX_ERROR) continue;
    hx_diag *d = HX_NEW(cx, hx_diag);
    *d = *from;
    if (d->source) d->source = hx_source_plain(cx, from->source, &d->subject, &d->context);
    d->detail = hx_str_copy(cx, from->detail);
    d->summary = hx_str_copy(cx, from->summary);
    d->chain = hx_str_copy(cx, from->chain);
    copy_values(cx, d, from->values);
    hx_diags_append(list, d);
  }
  job->to = list->first ? list : NULL;
}

/* Sets *to to copies of the errors in the results `nil, Diagnostics`, or to NULL if these have no errors or the second result isn't
** Diagnostics. Returns false if that was aborted. */
static bool get_diags(hx_evaluation *ev, const hx_diags **to) {
  const hx_listing *r = hx_to_diagnostics(ev->L, FIRST + 1);
  diags_job job = { NULL, NULL };
  *to = NULL;
  if (!r) return true;
  lua_settop(ev->L, FIRST + 2);
  job.from = &r->list;
  bool ok = guarded(ev, run_diags, &job);
  lua_settop(ev->L, FIRST + 2);
  *to = job.to;
  return ok;
}

typedef struct failure_job {
  hx_lazy_failure failure;
  hx_lazy_failure *made;
} failure_job;

static void run_failure(hx_cx *cx, void *ud) {
  failure_job *job = ud;
  job->made = HX_NEW(cx, hx_lazy_failure);
  *job->made = job->failure;
}

/* Stores the failure, as a light userdata, as the answer of the lazy value on top of the stack, and pops that value. The failure also
** becomes a key of the ledger, which distinguishes it from an answer that happens to be a light userdata. */
static void put_failure(lua_State *L, hx_lazy_failure *failure) {
  lua_pushlightuserdata(L, failure);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, true);
  lua_rawset(L, HX_AT_LEDGER);
  lua_rawset(L, HX_AT_LEDGER);
}

static bool answer_lazy(hx_evaluation *ev) {
  lua_State *L = ev->L;
  int slot = ev->wait_next++;
  failure_job job = { { { NULL, 0 }, NULL }, NULL };
  if (lua_isnil(L, FIRST)) {
    if (!get_diags(ev, &job.failure.diags)) return true;
    if (!job.failure.diags &&
        !get_message(ev, HX_STR("The lazy value's function returned nothing. Return hcl.null for null."), &job.failure.text))
      return true;
    if (!guarded(ev, run_failure, &job)) return true;
  }
  lua_rawgeti(L, HX_AT_LEDGER, slot);
  if (job.made) {
    put_failure(L, job.made);
  } else {
    lua_pushvalue(L, FIRST);
    lua_rawset(L, HX_AT_LEDGER);
  }
  ev->mixed_ledger = true;
  if (!push_next_lazy(ev)) return true;
  lua_pop(L, 1);
  return false;
}

static int push_lazy(hx_evaluation *ev) {
  lua_State *L = ev->L;
  if (!push_next_lazy(ev)) return luaL_error(L, "the evaluation asks for nothing");
  if (lua_istable(L, -1)) lua_rawgeti(L, -1, 1);
  return 1;
}

/* Lookups */

typedef struct path_job {
  const hx_path *path;
  hx_str text;
} path_job;

static void run_path(hx_cx *cx, void *ud) {
  path_job *job = ud;
  hx_reference r = { job->path->node->u.trav.steps, job->path->n + 1, job->path->range };
  job->text = hx_reference_path(cx, &r);
}

static int push_lookup(hx_evaluation *ev) {
  lua_State *L = ev->L;
  const hx_path *p = ev->wait_path;
  path_job job = { p, { "", 0 } };
  if (!guarded(ev, run_path, &job)) job.text = p->root;
  hx_scope_push_table(L, HX_AT_SCOPE, ev->wait_scope);
  lua_rawgeti(L, -1, HX_SCOPE_LOOKUP);
  hx_reference_push(L, ev->unit, p->node->u.trav.steps, p->n + 1, p->range, job.text);
  return 2;
}

typedef struct lookup_job {
  hx_evaluation *ev;
  hx_lookup_answer answer;
} lookup_job;

static void run_lookup(hx_cx *cx, void *ud) {
  lookup_job *job = ud;
  hx_lookups_add(&job->ev->lookups, cx, &job->answer);
}

/* Returns the number of steps that the answer covers: the result after the value, or 0. */
static uint32_t answered_steps(hx_evaluation *ev) {
  lua_Number n;
  if (lua_isnoneornil(ev->L, FIRST + 1)) return 0;
  n = lua_type(ev->L, FIRST + 1) == LUA_TNUMBER ? lua_tonumber(ev->L, FIRST + 1) : -1;
  if (!(n >= 0 && n <= (lua_Number)ev->wait_path->n && n == (lua_Number)(uint32_t)n))
    bad_result(ev, ev->wait_scope, HX_SCOPE_LOOKUP, "lookup",
               lua_pushfstring(ev->L, "number of steps from 0 to %d after the value", (int)ev->wait_path->n),
               described(ev->L, FIRST + 1));
  return (uint32_t)n;
}

static bool answer_lookup(hx_evaluation *ev) {
  lua_State *L = ev->L;
  lookup_job job = { ev, { ev->wait_scope, ev->wait_path, 0, 0, { NULL, 0 }, NULL } };
  if (!lua_isnil(L, FIRST)) {
    job.answer.n = answered_steps(ev);
    lua_pushvalue(L, FIRST);
    job.answer.slot = hx_ledger_add(ev);
  } else {
    job.answer.n = ev->wait_path->n;
    /* A function may end with `return t[name], n`: if the value is nil, the number of steps means nothing. */
    bool says = !lua_isnoneornil(L, FIRST + 1) && lua_type(L, FIRST + 1) != LUA_TNUMBER;
    if (says && ev->wait_path->secret) {
      job.answer.failure = HX_STR("It failed. Its message is not shown, since a key that it was asked with may not be.");
      says = false;
    }
    if (says && !get_diags(ev, &job.answer.diags)) return true;
    if (says && !job.answer.diags && !get_message(ev, HX_STR(""), &job.answer.failure)) return true;
  }
  guarded(ev, run_lookup, &job);
  return true;
}

/* Functions */

static const hx_function *function_of(const hx_evaluation *ev) {
  return ev->machine.need.fn->host;
}

/* Pushes an argument as Lua data, or as a Value. Returns false if Lua can't take the argument, and keeps the reason in ev. Raises if memory
** for a Value is missing. */
static bool push_argument(hx_evaluation *ev, hx_pusher *p, const hx_val *v, bool as_value) {
  hx_cx *cx = &ev->machine.cx;
  hx_diags_mark mark = hx_diags_get_mark(cx);
  if (as_value) {
    hx_why why = hx_value_push_copy(ev->L, v);
    if (why == HX_WHY_NONE) return true;
    luaL_error(ev->L, "%s", hx_why_word(why));
  }
  /* The limit of output is for results. Each argument may be as large as a result, however many arguments there are. */
  uint64_t left = cx->output_left;
  cx->output_left = cx->limits.output;
  bool ok = hx_push(p, v);
  cx->output_left = left;
  if (ok) return true;
  ev->failed = (uint8_t)p->why;
  ev->bad_text = cx->diags.last ? cx->diags.last->detail : HX_STR("It can't be given to Lua.");
  hx_diags_rollback(cx, mark);
  return false;
}

/* Called in place of a function if Lua can't take an argument, or if a call isn't needed. */
static int l_nothing(lua_State *L) {
  (void)L;
  return 0;
}

static void refuse(hx_evaluation *ev, hx_str message, int32_t arg) {
  hx_machine_refuse(&ev->machine, message, arg);
}

/* The most arguments of a call: Lua 5.1's stack holds 8,000 values in a call. */
#define ARGUMENTS_MAX 7000u

static int push_call(hx_evaluation *ev) {
  lua_State *L = ev->L;
  const hx_need *need = &ev->machine.need;
  const hx_function *f = function_of(ev);
  bool for_type = ev->wait == HX_WAIT_TYPE;
  hx_pusher p = { .L = L, .cx = &ev->machine.cx, .options = &ev->scope->convert, .charged = true };
  const hx_convert_options *o = p.options;
  if (o->null == HX_NULLS_OTHER || o->array_mt == HX_ARRAYS_OTHER || o->object_mt) {
    hx_scope_push_table(L, HX_AT_SCOPE, ev->scope);
    p.values = lua_gettop(L);
  }
  if (need->nargs > ARGUMENTS_MAX || !lua_checkstack(L, (int)need->nargs + 24)) {
    ev->bad_argument = (int32_t)(need->nargs > ARGUMENTS_MAX ? ARGUMENTS_MAX + 1 : need->nargs);
    ev->bad_text = HX_STR("A function of Lua can't take so many arguments. Hand them over as one list.");
    lua_pushcfunction(L, l_nothing);
    return 1;
  }
  hx_scope_push_table(L, HX_AT_SCOPE, f->scope);
  int top = lua_gettop(L);
  lua_rawgeti(L, top, f->slot + (for_type ? 1 : 0));
  for (uint32_t i = 0; i < need->nargs; i++) {
    p.null = p.array_mt = p.object_mt = 0;
    p.depth = 0;
    if (!push_argument(ev, &p, &need->args[i], f->values || for_type)) {
      ev->bad_argument = (int32_t)i + 1;
      lua_settop(L, top);
      lua_pushcfunction(L, l_nothing);
      return 1;
    }
  }
  return 1 + (int)need->nargs;
}

/* Returns true if the function got a secret value without its marks. Then its message may quote the secret, and isn't shown. A
** function that takes marked Values unmarks them itself, and is responsible for its message. */
static bool is_secret(const hx_evaluation *ev) {
  const hx_machine *m = &ev->machine;
  return m->call_marks || m->cx.secret || (m->call.marked && ev->scope->convert.sensitive == HX_HIDDEN_REVEAL);
}

#define SECRET_REFUSAL "It failed. Its message is not shown, since what it was called with may not be."

/* Takes the results `nil, message, index?`: a function's rejection of the call or an argument. If Lua couldn't take an argument, rejects
** that one instead. */
static bool answer_refusal(hx_evaluation *ev) {
  lua_State *L = ev->L;
  hx_str text = HX_STR("");
  if (ev->bad_argument) {
    int32_t bad = ev->bad_argument - 1;
    ev->bad_argument = 0;
    refuse(ev, ev->bad_text, bad);
    return true;
  }
  int32_t arg = HX_BLAME_CALL;
  lua_Number index = lua_type(L, FIRST + 2) == LUA_TNUMBER ? lua_tonumber(L, FIRST + 2) : 0;
  const hx_diags *diags = NULL;
  if (index >= 1 && index <= (lua_Number)ev->machine.need.nargs) arg = (int32_t)index - 1;
  if (!is_secret(ev) && !get_diags(ev, &diags)) return true;
  if (diags || get_message(ev,
                           ev->wait == HX_WAIT_TYPE ? HX_STR("Its function of the result type returned nothing.")
                                                    : HX_STR("It returned nothing. Return hcl.null for null."),
                           &text))
    refuse(ev, is_secret(ev) && !lua_isnoneornil(L, FIRST + 1) ? HX_STR(SECRET_REFUSAL) : text, arg);
  ev->machine.refused_with = diags;
  return true;
}

typedef struct result_job {
  hx_evaluation *ev;
  hx_val out;
  hx_str message;
  bool ok;
} result_job;

static void run_result(hx_cx *cx, void *ud) {
  result_job *job = ud;
  hx_puller p;
  hx_host_puller(job->ev, cx, &p);
  p.name = HX_STR("The result");
  job->ok = hx_pull(&p, FIRST, &job->out);
  job->message = p.message;
}

static bool answer_call(hx_evaluation *ev) {
  result_job job = { ev, hx_none(), { NULL, 0 }, false };
  if (lua_isnil(ev->L, FIRST)) return answer_refusal(ev);
  if (!guarded(ev, run_result, &job)) return true;
  if (job.ok) hx_machine_answer(&ev->machine, job.out);
  else refuse(ev, is_secret(ev) ? HX_STR("Its result is not data of the language.") : job.message, HX_BLAME_CALL);
  return true;
}

static void run_type(hx_cx *cx, void *ud) {
  result_job *job = ud;
  const hx_type_handle *t = hx_to_class(job->ev->L, FIRST, HX_CLASS_TYPE);
  job->out = hx_capsule(hx_type_copy(cx, t->constraint->type));
}

/* Takes the answer of a `returns` function: a Type or constraint text. */
static bool answer_type(hx_evaluation *ev) {
  lua_State *L = ev->L;
  result_job job = { ev, hx_none(), { NULL, 0 }, false };
  if (lua_isnil(L, FIRST)) return answer_refusal(ev);
  lua_settop(L, FIRST);
  if (!hx_to_class(L, FIRST, HX_CLASS_TYPE) && lua_type(L, FIRST) != LUA_TSTRING) {
    const hx_function *f = function_of(ev);
    bad_result(ev, f->scope, f->slot + 1, lua_pushfstring(L, "returns' of '%s", ev->machine.need.fn->name),
               "Type or constraint text", described(L, FIRST));
  }
  if (!hx_type_argument(L, FIRST)) {
    lua_remove(L, FIRST);
    return answer_refusal(ev);
  }
  if (guarded(ev, run_type, &job)) hx_machine_answer(&ev->machine, job.out);
  return true;
}

/* Clock, random and outside */

static int push_clock(hx_evaluation *ev) {
  hx_scope_push_table(ev->L, HX_AT_SCOPE, ev->wait_scope);
  lua_rawgeti(ev->L, -1, HX_SCOPE_CLOCK);
  return 1;
}

static int push_random(hx_evaluation *ev) {
  hx_scope_push_table(ev->L, HX_AT_SCOPE, ev->wait_scope);
  lua_rawgeti(ev->L, -1, HX_SCOPE_RANDOM);
  lua_pushinteger(ev->L, (lua_Integer)ev->wait_bytes);
  return 2;
}

static int push_outside(hx_evaluation *ev) {
  hx_scope_push_table(ev->L, HX_AT_SCOPE, ev->wait_scope);
  lua_rawgeti(ev->L, -1, HX_SCOPE_OUTSIDE);
  hx_push_str(ev->L, ev->wait_outside);
  const hx_program *program = ev->machine.program;
  hx_range_push(ev->L, ev->unit, program->source, hx_node_range(program->nodes[ev->machine.pc]));
  return 3;
}

static bool answer_outside(hx_evaluation *ev) {
  ev->answered = true;
  return true;
}

static bool answer_clock(hx_evaluation *ev) {
  lua_Number n = lua_type(ev->L, FIRST) == LUA_TNUMBER ? lua_tonumber(ev->L, FIRST) : -1e300;
  if (!(n > -1e15 && n < 1e15))
    bad_result(ev, ev->wait_scope, HX_SCOPE_CLOCK, "clock", "seconds since 1970", described(ev->L, FIRST));
  ev->clock_answer = (int64_t)n;
  if ((lua_Number)ev->clock_answer > n) ev->clock_answer--; /* round down, also before 1970: the second has begun */
  ev->answered = true;
  return true;
}

static void run_random(hx_cx *cx, void *ud) {
  message_job *job = ud;
  size_t len = 0;
  const char *s = lua_tolstring(job->ev->L, job->at, &len);
  job->text = hx_str_copy(cx, hx_str_of(s, len));
}

static bool answer_random(hx_evaluation *ev) {
  message_job job = { ev, FIRST, { "", 0 } };
  bool text = lua_type(ev->L, FIRST) == LUA_TSTRING;
  if (!text || hx_lua_rawlen(ev->L, FIRST) != ev->wait_bytes)
    bad_result(ev, ev->wait_scope, HX_SCOPE_RANDOM, "random", lua_pushfstring(ev->L, "string of length %d", (int)ev->wait_bytes),
               text ? lua_pushfstring(ev->L, "string of length %d", (int)hx_lua_rawlen(ev->L, FIRST)) : described(ev->L, FIRST));
  if (!guarded(ev, run_random, &job)) return true;
  ev->random_answer = job.text;
  ev->answered = true;
  return true;
}

/* Calls the hook as Lua does for a count event. */
static int l_run_hook(lua_State *L) {
  lua_Hook hook = lua_gethook(L);
  lua_Debug ar;
  memset(&ar, 0, sizeof ar);
  if (!hook || !lua_getstack(L, 0, &ar)) return 0;
  ar.event = LUA_HOOKCOUNT;
  ar.currentline = -1;
  hook(L, &ar);
  return 0;
}

/* Calls the hook, unless this evaluation runs in a hook: Lua doesn't call a hook within another, either. */
static int l_hook(lua_State *L) {
  hx_state *st = lua_touserdata(L, lua_upvalueindex(1));
  if (st->in_hook) return 0;
  lua_settop(L, 0);
  st->in_hook = true;
  lua_pushcfunction(L, l_run_hook);
  int status = lua_pcall(L, 0, 0, 0);
  st->in_hook = false;
  return status ? lua_error(L) : 0;
}

/* Pushes a function that the driver calls at the end of a slice, which gives Lua's hooks a chance to run. Lua counts only the few
** instructions of the driver. So if a hook counts instructions, this function calls it once the machine has executed as many steps. */
static int push_slice(hx_evaluation *ev) {
  lua_State *L = ev->L;
  if ((lua_gethookmask(L) & LUA_MASKCOUNT) && ev->unhooked >= (uint64_t)lua_gethookcount(L)) {
    ev->unhooked = 0;
    lua_pushlightuserdata(L, ev->state);
    lua_pushcclosure(L, l_hook, 1);
  } else {
    lua_pushcfunction(L, l_nothing);
  }
  return 1;
}

static bool answer_slice(hx_evaluation *ev) {
  (void)ev;
  return true;
}

static const struct wait_row {
  int (*push)(hx_evaluation *ev);
  bool (*answer)(hx_evaluation *ev);
} wait_rows[] = {
  [HX_WAIT_LOOKUP] = { push_lookup, answer_lookup },    [HX_WAIT_LAZY] = { push_lazy, answer_lazy },
  [HX_WAIT_CLOCK] = { push_clock, answer_clock },       [HX_WAIT_RANDOM] = { push_random, answer_random },
  [HX_WAIT_CALL] = { push_call, answer_call },          [HX_WAIT_TYPE] = { push_call, answer_type },
  [HX_WAIT_OUTSIDE] = { push_outside, answer_outside }, [HX_WAIT_SLICE] = { push_slice, answer_slice },
};

int hx_need_push(hx_evaluation *ev) {
  return wait_rows[ev->wait].push(ev);
}

bool hx_need_answer(hx_evaluation *ev) {
  if (lua_gettop(ev->L) < FIRST) lua_settop(ev->L, FIRST);
  return wait_rows[ev->wait].answer(ev);
}
