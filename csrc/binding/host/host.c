/* host.c: finds named values, and follows paths through Lua tables and values. A *look* is quick, but follows plain tables only. A
** *walk* also handles lazy values, Values and lookups, and knows the path for messages. A *glance* is a look that makes nothing,
** and so needs no guard. */
#include "binding/host/host.h"

#include "binding/host/element.h"
#include "binding/data/value.h"
#include "syntax/ast.h"
#include "text/data_path.h"
#include "vm/access.h"
#include "vm/outline.h"

static void push_root(hx_evaluation *ev, const hx_path *p) {
  hx_path *path = (hx_path *)(uintptr_t)p;
  if (HX_LIKELY(path->root_anchor)) {
    hx_anchor_push(ev->L, path->root_anchor);
    return;
  }
  hx_anchor_put(ev->L, p->root, &path->root_anchor);
  hx_push_str(ev->L, p->root);
  hx_guard_again(&ev->machine.cx);
}

/* Keeps a Value's memory until the evaluation ends. */
static void keep_value(hx_evaluation *ev, hx_cx *cx, const hx_value *v) {
  ev->whole = v->v;
  if (ev->kept == v->home) return;
  hx_home_keep(cx, v->home);
  ev->kept = v->home;
}

/* Messages */

static void add_steps(hx_way *way, const hx_path_step *steps, uint32_t n) {
  while (n--) {
    if (steps[n].kind == HX_STEP_INDEX) hx_way_index(way, steps[n].index);
    else hx_way_key(way, steps[n].name);
  }
}

/* Writes the path by which a table was reached, and returns the hx_path with which it begins. */
static const hx_path *write_origin(hx_evaluation *ev, hx_buf *b, const hx_origin *o) {
  hx_way way = { .n = 0 };
  for (; !o->path; o = &ev->foreign.p[o->parent].origin) {
    add_steps(&way, o->more, o->nmore);
    if (o->key.p) hx_way_key(&way, o->key);
    else hx_way_index(&way, o->index);
  }
  add_steps(&way, o->path->steps, o->steps);
  hx_buf_str(b, o->path->root);
  if (o->path->secret) hx_buf_c(b, "[(sensitive value)]");
  else hx_way_write(b, &way);
  return o->path;
}

/* Moves the origin `walked` steps further along its path. */
HX_INLINE void go_on_from(hx_origin *o, uint32_t walked) {
  if (o->path) o->steps += walked;
  else o->nmore += walked;
}

hx_answer hx_host_fail(hx_evaluation *ev, hx_cx *cx, const hx_puller *p, const hx_origin *o, uint32_t walked) {
  hx_origin here = *o;
  const hx_path *path;
  hx_buf b;
  go_on_from(&here, walked);
  hx_buf_init(&b, &cx->arena, 96);
  path = write_origin(ev, &b, &here);
  if (p->diags) {
    hx_diags_report_at(cx, p->diags, ev->unit->program.source, path->range, path->range);
    return HX_ANSWER_FAILED;
  }
  hx_buf_str(&b, p->message);
  hx_diag_add_text(cx, p->id, ev->unit->program.source, path->range, hx_buf_done(&b))->name = path->root;
  return HX_ANSWER_FAILED;
}

/* FOREIGN values */

/* Moves the table on top of the stack into the ledger, and returns a FOREIGN value for it. */
HX_INLINE hx_val new_foreign(hx_evaluation *ev, hx_cx *cx, const hx_origin *o) {
  hx_foreign *f = HX_VEC_PUSH(&cx->arena, &ev->foreign);
  f->origin = *o;
  f->whole = hx_none();
  f->keys = NULL;
  f->n = 0;
  f->counted = f->scattered = false;
  f->slot = hx_ledger_add(ev);
  hx_charge_memory(cx, 16);
  return (hx_val){ .tag = HX_T_FOREIGN, .u.i = (int64_t)ev->foreign.n - 1 };
}

/* Pulling under an evaluation */

void hx_host_puller(hx_evaluation *ev, hx_cx *cx, hx_puller *p) {
  lua_State *L = ev->L;
  hx_puller_init(p, L, cx, HX_STR(""));
  if (ev->scope->convert.array_mt != HX_ARRAYS_OTHER && ev->scope->convert.null != HX_NULLS_OTHER) return;
  hx_scope_push_table(L, HX_AT_SCOPE, ev->scope);
  lua_rawgeti(L, -1, HX_CONVERT_ARRAY_MT);
  lua_rawgeti(L, -2, HX_CONVERT_NULL);
  if (ev->scope->convert.array_mt == HX_ARRAYS_OTHER) p->array_mt = lua_topointer(L, -2);
  if (ev->scope->convert.null == HX_NULLS_OTHER) p->null = lua_topointer(L, -1);
  lua_pop(L, 3);
}

/* Walking */

void hx_walk_value(hx_walk *w, const hx_val *v) {
  while (w->at < w->n) {
    const hx_val *next = hx_plain_step(v, &w->steps[w->at]);
    if (!next) break;
    v = next;
    w->at++;
  }
  w->out = *v;
}

/* Ends the walk: pops what the walk left on the stack. */
static void leave(const hx_walk *w) {
  lua_settop(w->ev->L, w->base);
}

static hx_answer walk_fail(hx_walk *w, const hx_puller *p) {
  leave(w);
  return hx_host_fail(w->ev, w->cx, p, &w->origin, w->at);
}

/* Converts the Lua value on top of the stack with everything in it. */
static hx_answer walk_pull(hx_walk *w) {
  hx_evaluation *ev = w->ev;
  hx_puller p;
  bool ok;
  hx_host_puller(ev, w->cx, &p);
  p.ud = ev;
  p.lazy = hx_pull_lazy;
  ev->wait_first = ev->wait_next = ev->wait_end = ev->used;
  ok = hx_pull(&p, lua_gettop(ev->L), &w->out);
  if (!ok) return walk_fail(w, &p);
  leave(w);
  return p.lazies ? HX_ANSWER_WAIT : HX_ANSWER_OK;
}

/* Replaces a lazy value on top of the stack by its answer. */
static hx_answer walk_lazy(hx_walk *w) {
  hx_evaluation *ev = w->ev;
  const hx_lazy_failure *failure = NULL;
  ev->wait_first = ev->wait_next = ev->wait_end = ev->used;
  if (hx_lazy_answer(ev, lua_gettop(ev->L), &failure)) {
    /* A lazy value may return itself. Such a chain ends, because each lazy value is answered once and counts as a level of depth. */
    hx_check_depth(w->cx, ++w->lazies);
    lua_replace(ev->L, -2);
    return HX_ANSWER_OK;
  }
  if (failure) {
    hx_puller p;
    hx_puller_init(&p, ev->L, w->cx, HX_STR(""));
    p.id = HX_D_LAZY_FAILED;
    p.message = hx_say(w->cx, ": %.*s", HX_STR_ARG(failure->text));
    p.diags = failure->diags;
    return walk_fail(w, &p);
  }
  leave(w);
  return HX_ANSWER_WAIT;
}

/* Takes a step into the table on top of the stack: replaces the table by its element and returns the element's type. LUA_TNIL: the table
** has no such element, and stays. */
static int table_step(hx_walk *w) {
  lua_State *L = w->ev->L;
  int type = hx_element_of_step(w->ev, -1, &w->steps[w->at]);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return LUA_TNIL;
  }
  /* The first tables on the way stay on the stack until the end. */
  if (w->at >= 8) lua_replace(L, -2);
  w->at++;
  w->function_ok = false;
  return type;
}

/* Answers with the outline of the table on top of the stack. Returns false if only a conversion can find out what the table is, or
** what is wrong with it: for instance, an empty table with a metatable may be an array. Only one key is read, because a table may
** have any number. */
static bool walk_outline(hx_walk *w) {
  lua_State *L = w->ev->L;
  int at = lua_gettop(L);
  size_t n = hx_lua_rawlen(L, at);
  if (!hx_is_plain_table(L, at) || n > UINT32_MAX / 2) return false;
  if (n) {
    w->out = hx_outline_tuple((uint32_t)n);
    leave(w);
    return true;
  }
  lua_pushnil(L);
  bool empty = !lua_next(L, at), named = empty || lua_type(L, -2) == LUA_TSTRING;
  lua_settop(L, at);
  w->out = empty ? hx_empty_object : hx_outline_object();
  if (named) leave(w);
  return named;
}

/* Ends a walk at a table: answers with the table in the wanted form, or as FOREIGN. */
static hx_answer walk_end(hx_walk *w) {
  if (w->at == w->n && !hx_is_open_want((hx_want)w->want)) {
    if (w->want != HX_WANT_WHOLE && walk_outline(w)) return HX_ANSWER_OUTLINE;
    return walk_pull(w);
  }
  go_on_from(&w->origin, w->at);
  w->out = new_foreign(w->ev, w->cx, &w->origin);
  leave(w);
  return HX_ANSWER_OK;
}

/* Continues the walk in the Value on top of the stack, after `at` steps. Returns false if the userdata isn't a Value, or was closed. */
static bool walk_in_value(hx_walk *w, uint32_t at) {
  hx_evaluation *ev = w->ev;
  const hx_value *v = hx_is_class_in(ev->state, ev->L, -1, HX_CLASS_VALUE) ? lua_touserdata(ev->L, -1) : NULL;
  if (!v || hx_value_is_closed(v)) return false;
  w->at = at;
  if (v->home) {
    keep_value(ev, w->cx, v);
    hx_walk_value(w, &v->v);
  } else {
    hx_val own = hx_value_use(w->cx, v);
    hx_walk_value(w, &own);
  }
  return true;
}

static hx_answer walk_userdata(hx_walk *w) {
  if (!walk_in_value(w, w->at)) return walk_pull(w);
  leave(w);
  return HX_ANSWER_OK;
}

/* Returns true if the value at the index is the scope's convert.null. */
static bool is_null(hx_evaluation *ev, int at) {
  lua_State *L = ev->L;
  bool is;
  hx_scope_push_table(L, HX_AT_SCOPE, ev->scope);
  lua_rawgeti(L, -1, HX_CONVERT_NULL);
  is = lua_rawequal(L, -1, at) != 0;
  lua_pop(L, 2);
  return is;
}

/* Returns true if the value on top of the stack, which has this type, is lazy. */
HX_INLINE bool is_lazy(const hx_walk *w, int type) {
  if (type == LUA_TFUNCTION) return w->function_ok;
  if (type != LUA_TTABLE || !lua_getmetatable(w->ev->L, -1)) return false;
  bool lazy = lua_topointer(w->ev->L, -1) == w->ev->state->mt[HX_CLASS_LAZY];
  lua_pop(w->ev->L, 1);
  return lazy;
}

hx_answer hx_walk_lua(hx_walk *w, int type) {
  lua_State *L = w->ev->L;
  w->base = lua_gettop(L) - 1;
  for (;;) {
    if (HX_UNLIKELY(is_lazy(w, type))) {
      hx_answer a = walk_lazy(w);
      if (a != HX_ANSWER_OK) return a;
      w->function_ok = false;
      type = lua_type(L, -1);
      continue;
    }
    if (type == LUA_TUSERDATA) return walk_userdata(w);
    if (type != LUA_TTABLE) {
      if (!hx_pull_plain(L, w->cx, -1, type, &w->out)) return walk_pull(w);
      leave(w);
      return HX_ANSWER_OK;
    }
    if (w->ev->scope->convert.null == HX_NULLS_OTHER && is_null(w->ev, lua_gettop(L))) return walk_pull(w);
    type = w->at < w->n ? table_step(w) : LUA_TNIL;
    if (type == LUA_TNIL) return walk_end(w);
  }
}

bool hx_pull_lazy(hx_puller *p, int at) {
  const hx_lazy_failure *failure = NULL;
  if (hx_lazy_answer(p->ud, at, &failure)) return true;
  if (failure) {
    hx_pull_fail(p, HX_D_LAZY_FAILED, failure->text);
    p->diags = failure->diags;
  }
  return false;
}

/* Finding named values. Each of these functions returns OK with the value on top of the stack and its type in w->type, or with a value of
** the language in w->out and LUA_TNONE; otherwise nothing is pushed. */

static hx_answer ask_lookup(hx_walk *w, const hx_scope *s, const hx_path *p) {
  hx_evaluation *ev = w->ev;
  const hx_val *declared = s->declares ? hx_pins_find(&s->declared, p->root) : &hx_unknown_dynamic;
  w->type = LUA_TNONE;
  if (!declared) return HX_ANSWER_ABSENT;
  if (ev->host.check) {
    hx_walk_value(w, declared);
    return HX_ANSWER_OK;
  }
  const hx_lookup_answer *a = hx_lookups_find(&ev->lookups, w->cx, s, p);
  if (w->want == HX_WANT_PART && (!a || hx_lookup_is_none(a))) return HX_ANSWER_LATER;
  if (!a) {
    ev->wait = HX_WAIT_LOOKUP;
    ev->wait_scope = s;
    ev->wait_path = p;
    return HX_ANSWER_WAIT;
  }
  if (a->diags) {
    hx_diags_report_at(w->cx, a->diags, ev->unit->program.source, p->range, p->range);
    return HX_ANSWER_FAILED;
  }
  if (a->failure.p) {
    hx_diag_add_text(w->cx, HX_D_LOOKUP_FAILED, ev->unit->program.source, p->range, a->failure);
    return HX_ANSWER_FAILED;
  }
  if (!a->slot) return HX_ANSWER_ABSENT;
  w->type = hx_lua_rawgeti(ev->L, HX_AT_LEDGER, a->slot);
  w->at = a->n;
  w->function_ok = false;
  return HX_ANSWER_OK;
}

/* Looks up the path's root in the table of variables on top of the stack, and replaces the table by the value. Pops the table if the
** value is missing. */
static hx_answer find_in_variables(hx_walk *w, const hx_path *p) {
  lua_State *L = w->ev->L;
  push_root(w->ev, p);
  w->type = hx_lua_rawget(L, -2);
  if (w->type == LUA_TNIL) {
    lua_pop(L, 2);
    return HX_ANSWER_ABSENT;
  }
  lua_replace(L, -2);
  return HX_ANSWER_OK;
}

static hx_answer find_in_scope(hx_walk *w, const hx_scope *s, const hx_path *p) {
  lua_State *L = w->ev->L;
  const hx_val *bound = s->pins.n ? hx_pins_find(&s->pins, p->root) : NULL;
  if (bound) {
    hx_walk_value(w, bound);
    w->type = LUA_TNONE;
    return HX_ANSWER_OK;
  }
  if (s->has_variables) {
    hx_scope_push_table(L, HX_AT_SCOPE, s);
    lua_rawgeti(L, -1, HX_SCOPE_VARIABLES);
    lua_replace(L, -2);
    hx_answer a = find_in_variables(w, p);
    if (a != HX_ANSWER_ABSENT) return a;
  }
  return s->has_lookup ? ask_lookup(w, s, p) : HX_ANSWER_ABSENT;
}

static hx_answer find_root(hx_walk *w, const hx_path *p) {
  hx_evaluation *ev = w->ev;
  lua_State *L = ev->L;
  hx_answer a = HX_ANSWER_ABSENT;
  w->function_ok = true;
  if (ev->has_variables) {
    lua_pushvalue(L, HX_AT_VARIABLES);
    a = find_in_variables(w, p);
  }
  for (const hx_scope *s = ev->scope; s && a == HX_ANSWER_ABSENT; s = s->parent) a = find_in_scope(w, s, p);
  if (a != HX_ANSWER_OK || w->type == LUA_TNONE) return a;
  ev->host.serial = 0; /* the data are live: the machine must not remember the answer beyond this evaluation */
  return a;
}

/* MOST: the most elements of one path; the stack always has room for them. LEFT: the most elements of earlier paths that may stay
** on the stack. Popping them after each path takes 22 of the 490 instructions for comparing a path's value under LuaJIT. */
enum { MOST = 8, LEFT = 4 };

/* Returns the index of the table in which names are looked up first, which it may push. Returns 0 if a look can't find names. */
static int find_names(const hx_evaluation *ev) {
  const hx_scope *s = ev->scope;
  if (s->convert.null == HX_NULLS_OTHER) return 0;
  if (ev->has_variables) return HX_AT_VARIABLES;
  if (!s->has_variables || s->pins.n) return 0;
  hx_lua_get_handy(ev->L, HX_AT_SCOPE, HX_SCOPE_VARIABLES);
  return lua_gettop(ev->L);
}

/* Returns true if the path belongs to the expression itself, whose texts don't move. */
static bool is_own_path(const hx_evaluation *ev, const hx_path *p) {
  const hx_program *own = &ev->unit->program;
  return p >= own->paths && p < own->paths + own->npaths;
}

/* Returns the index of the value of the path's name, which it may push. Sets *type to the value's type, or to LUA_TNIL if a look
** doesn't find it. Most paths of an expression begin with the same name. Its table stays in HX_AT_ROOT until a callback runs, which
** saves 100 instructions for each further path. */
static int look_for_root(hx_evaluation *ev, const hx_path *p, int *type) {
  lua_State *L = ev->L;
  int names;
  *type = LUA_TTABLE;
  if (ev->root == p->root.p) return HX_AT_ROOT; /* the compiler gives equal names one address */
  *type = LUA_TNIL;
  names = find_names(ev);
  if (!names) return -1;
  push_root(ev, p);
  *type = hx_lua_rawget(L, names);
  if (*type != LUA_TTABLE || !is_own_path(ev, p)) return -1;
  if (lua_gettop(L) > HX_AT_ROOT) hx_lua_copy_top(L, HX_AT_ROOT);
  ev->root = p->root.p;
  return HX_AT_ROOT;
}

/* Looks for a path's value in plain tables, pushes it and returns its type. Sets *taken to the number of steps followed. LUA_TNIL
** and LUA_TFUNCTION decide nothing: a look doesn't recognise a Lazy, so it may step into one and find these, or stop there. */
static int look(hx_evaluation *ev, const hx_path *p, uint32_t *taken) {
  int type, root;
  *taken = 0;
  if (HX_UNLIKELY(p->n > MOST || p->n != p->follow)) return LUA_TNIL;
  root = look_for_root(ev, p, &type);
  type = hx_follow(ev, root, type, p->steps, p->n, taken);
  if (HX_UNLIKELY(*taken == 0 && root > 0)) lua_pushvalue(ev->L, root);
  return type;
}

/* Continues as a walk from the value on top of the stack, of this type, which a look has reached after `taken` steps. */
static hx_answer walk_on(hx_walk *w, int top, int type, uint32_t taken) {
  lua_State *L = w->ev->L;
  if (lua_gettop(L) > top + 1) {
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
  }
  if (!w->ev->open) {
    if (top < HX_AT_ROOT) {
      lua_pushnil(L);
      lua_insert(L, HX_AT_ROOT);
    }
    hx_evaluation_open_now(w->ev);
    lua_insert(L, HX_AT_LEDGER);
  }
  w->ev->host.serial = 0; /* as in find_root */
  w->at = taken;
  return hx_walk_lua(w, type);
}

static hx_answer walk_from_root(hx_walk *w, const hx_path *p) {
  hx_evaluation_open(w->ev);
  hx_answer a = find_root(w, p);
  return a == HX_ANSWER_OK && w->type != LUA_TNONE ? hx_walk_lua(w, w->type) : a;
}

/* Answers with the value of a path. Most paths lead through plain tables to a scalar or a Value. A look answers these with two
** thirds of the instructions of a walk, without a ledger or an origin. */
hx_answer hx_host_path(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at) {
  hx_evaluation *ev = hx_evaluation_of(h);
  hx_walk w;
  hx_answer a;
  if (!ev->open) lua_settop(ev->L, ev->root ? HX_AT_ROOT : HX_AT_EVALUATION); /* glances may have left values above */
  int top = lua_gettop(ev->L), type = look(ev, p, at);
  if (ev->root && top < HX_AT_ROOT) top = HX_AT_ROOT;
  if (HX_LIKELY(*at == p->n && hx_pull_plain(ev->L, cx, -1, type, out))) {
    lua_settop(ev->L, top);
    ev->host.serial = 0; /* as in find_root */
    return HX_ANSWER_OK;
  }
  hx_walk_init(&w, ev, cx);
  w.steps = p->steps;
  w.n = p->follow;
  w.want = (uint8_t)want;
  w.origin.path = p;
  if (type == LUA_TUSERDATA && walk_in_value(&w, *at)) {
    lua_settop(ev->L, top);
    ev->host.serial = 0; /* as in find_root */
    a = HX_ANSWER_OK;
  } else if (type != LUA_TNIL && type != LUA_TFUNCTION) {
    a = walk_on(&w, top, type, *at);
  } else {
    lua_settop(ev->L, top);
    a = walk_from_root(&w, p);
  }
  *out = w.out;
  *at = w.at;
  return a;
}

/* Reads a scalar as hx_pull_plain does, but does nothing that may abort. Returns false for fractions, long texts, texts that aren't ASCII
** and everything that isn't a scalar, and if the arena has no room. */
HX_INLINE bool pull_unguarded(lua_State *L, hx_cx *cx, int type, hx_val *out) {
  if (type == LUA_TSTRING) {
    size_t len;
    const char *s = lua_tolstring(L, -1, &len);
    if (len >= HX_PULL_BYTES || len > cx->memory_left || !hx_arena_has_room(&cx->arena, len)) return false;
    char *copy = hx_alloc(cx, len);
    if (!hx_copy_ascii(copy, s, len)) return false;
    cx->memory_left -= len;
    *out = hx_string(hx_str_of(copy, (uint32_t)len));
    return true;
  }
  if (type == LUA_TNUMBER) {
    int64_t i;
    if (!hx_lua_whole(L, -1, &i)) return false;
    *out = hx_int(i);
    return true;
  }
  if (type != LUA_TBOOLEAN) return false;
  *out = hx_bool(lua_toboolean(L, -1) != 0);
  return true;
}

/* Follows the steps of p, from the i-th on, in the Value on top of the stack. Returns false if the glance finds no result. */
static bool glance_in_value(hx_evaluation *ev, hx_cx *cx, const hx_path *p, uint32_t i, hx_val *out) {
  const hx_value *v = hx_is_class_in(ev->state, ev->L, -1, HX_CLASS_VALUE) ? lua_touserdata(ev->L, -1) : NULL;
  if (!v || hx_value_is_closed(v) || ev->host.absent != HX_ABSENT_NULL) return false;
  if (!hx_arena_has_room(&cx->arena, v->home ? HX_DEFER_SIZE : hx_value_bytes(v))) return false;
  if (v->home) keep_value(ev, cx, v);
  hx_val whole = v->home ? v->v : hx_value_use(cx, v);
  const hx_val *at = &whole;
  for (; at && i < p->n; i++) at = hx_plain_step(at, &p->steps[i]);
  if (at) *out = *at;
  return at != NULL;
}

/* Looks for a path's value as look() does, but makes nothing, so the root and steps must have their anchors. Returns false if it
** finds no result. The values that it pushes stay on the stack while there is room. */
bool hx_host_glance(hx_host *h, hx_cx *cx, const hx_path *p, hx_val *out) {
  hx_evaluation *ev = hx_evaluation_of(h);
  lua_State *L = ev->L;
  int type = LUA_TTABLE, at = HX_AT_ROOT;
  if (p->n > MOST || p->n != p->follow) return false;
  if (lua_gettop(L) > HX_AT_ROOT + LEFT) lua_settop(L, HX_AT_ROOT);
  if (ev->root != p->root.p) {
    if (!p->root_anchor) return false;
    at = look_for_root(ev, p, &type);
  }
  uint32_t i = 0;
  for (; i < p->n && type != LUA_TUSERDATA; i++, at = -1) {
    const hx_path_step *s = &p->steps[i];
    if (type != LUA_TTABLE || (s->kind != HX_STEP_INDEX && !s->anchor)) return false;
    type = hx_element_of_step(ev, at, s);
  }
  bool found = type == LUA_TUSERDATA ? glance_in_value(ev, cx, p, i, out) : pull_unguarded(L, cx, type, out);
  if (!found) return false;
  ev->host.serial = 0; /* live data, as in find_root */
  return true;
}

void hx_host_init(hx_host *host) {
  *host = (hx_host){
    .path = hx_host_path,
    .glance = hx_host_glance,
    .whole = hx_host_whole,
    .shape = hx_host_shape,
    .index = hx_host_index,
    .rows = hx_host_rows,
    .cell = hx_host_cell,
    .function = hx_host_function,
    .names = hx_host_names,
    .foreign_note = hx_host_foreign_note,
    .clock = hx_host_clock,
    .random = hx_host_random,
    .outside = hx_host_outside,
  };
}
