/* push.c: turns values into Lua data. */
#include "binding/data/push.h"

#include "base/buf.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "value/number/number.h"
#include "value/render.h"

#include <string.h>

/* Options */

/* Returns true if the value on top of the stack is the string `word`. */
static bool is_word(lua_State *L, const char *word) {
  return lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), word) == 0;
}

/* Returns the index in `words` of the option's word, which is on top of the stack. Raises for any other value. */
static int option_word(lua_State *L, int arg, const char *name, const char *const *words) {
  const char *list = "";
  for (int i = 0; words[i]; i++)
    if (is_word(L, words[i])) return i;
  for (int i = 0; words[i]; i++)
    list = lua_pushfstring(L, i == 0 ? "%s\"%s\"" : words[i + 1] ? "%s, \"%s\"" : "%s or \"%s\"", list, words[i]);
  return luaL_argerror(L, arg, lua_pushfstring(L, "convert.%s must be %s", name, list));
}

static void read_null(lua_State *L, int arg, hx_convert_options *o, int values) {
  if (lua_type(L, -1) == LUA_TSTRING) {
    if (!is_word(L, "omit")) luaL_argerror(L, arg, "the only string that convert.null may be is \"omit\"");
    o->null = HX_NULLS_OMIT;
    return;
  }
  o->null = lua_islightuserdata(L, -1) && !lua_touserdata(L, -1) ? HX_NULLS_NULL : HX_NULLS_OTHER;
  lua_pushvalue(L, -1);
  lua_rawseti(L, values, HX_CONVERT_NULL);
}

static void read_big(lua_State *L, int arg, hx_convert_options *o, int values) {
  static const char *const words[] = { "value", "string", "float", "error", NULL };
  (void)values;
  o->big = (uint8_t)option_word(L, arg, "big", words);
}

static void read_sensitive(lua_State *L, int arg, hx_convert_options *o, int values) {
  static const char *const words[] = { "value", "reveal", "error", NULL };
  (void)values;
  o->sensitive = (uint8_t)option_word(L, arg, "sensitive", words);
}

static void read_unknown(lua_State *L, int arg, hx_convert_options *o, int values) {
  static const char *const words[] = { "value", "error", NULL };
  (void)values;
  o->unknown = (uint8_t)option_word(L, arg, "unknown", words);
}

static void read_array_mt(lua_State *L, int arg, hx_convert_options *o, int values) {
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
    o->array_mt = HX_ARRAYS_NONE;
    return;
  }
  if (!lua_istable(L, -1)) luaL_argerror(L, arg, "convert.array_mt must be a table or false");
  o->array_mt = lua_topointer(L, -1) == hx_state_get(L)->mt[HX_CLASS_ARRAY] ? HX_ARRAYS_OURS : HX_ARRAYS_OTHER;
  lua_pushvalue(L, -1);
  lua_rawseti(L, values, HX_CONVERT_ARRAY_MT);
}

static void read_object_mt(lua_State *L, int arg, hx_convert_options *o, int values) {
  if (!lua_istable(L, -1)) luaL_argerror(L, arg, "convert.object_mt must be a table");
  o->object_mt = true;
  lua_pushvalue(L, -1);
  lua_rawseti(L, values, HX_CONVERT_OBJECT_MT);
}

static const struct convert_row {
  const char *name;
  void (*read)(lua_State *L, int arg, hx_convert_options *o, int values);
} convert_rows[] = {
  { "null", read_null },       { "big", read_big },           { "sensitive", read_sensitive },
  { "unknown", read_unknown }, { "array_mt", read_array_mt }, { "object_mt", read_object_mt },
};

void hx_convert_read(lua_State *L, int at, int arg, hx_convert_options *o, int values) {
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
    convert_rows[HX_OPTION_ROW(L, arg, "unknown option convert.%s", convert_rows)].read(L, arg, o, values);
}

/* Values */

static bool push_any(hx_pusher *p, const hx_val *v);

static bool fail(hx_pusher *p, hx_diag_id id, const hx_val *v) {
  p->told = hx_diag_add(p->cx, id, p->source, p->range);
  p->bad = *v;
  return false;
}

/* After a failure in an element, adds the element's index to the path of the bad value. Returns false. */
static bool fail_index(hx_pusher *p, uint32_t i) {
  hx_way_index(&p->way, i);
  return false;
}

static bool fail_key(hx_pusher *p, hx_str key) {
  hx_way_key(&p->way, key);
  return false;
}

static void tell_place(hx_pusher *p) {
  if (p->way.n) hx_diag_add_value(p->cx, p->told, hx_way_text(p->cx, &p->way), hx_render_short(p->cx, &p->bad));
}

/* Pushes a value as a Value, not as data. */
static bool push_value(hx_pusher *p, const hx_val *v) {
  hx_why why = hx_value_push_copy(p->L, v);
  if (why == HX_WHY_NONE) return true;
  hx_abort(p->cx, why);
}

static bool push_big(hx_pusher *p, const hx_val *v) {
  switch ((hx_big)p->options->big) {
    case HX_BIG_VALUE: return push_value(p, v);
    case HX_BIG_STRING: {
      hx_str text = hx_num_text(p->cx, v);
      hx_charge_output(p->cx, text.len);
      hx_push_str(p->L, text);
      return true;
    }
    case HX_BIG_FLOAT: lua_pushnumber(p->L, hx_num_to_double(v)); return true;
    case HX_BIG_ERROR: break;
  }
  return fail(p, HX_D_RESULT_BIG, v);
}

/* Returns true if the float converts back to the same number. */
static bool is_same_again(hx_pusher *p, const hx_val *v, double d) {
  hx_val back = hx_num_from_shortest(p->cx, d);
  return back.tag != HX_T_NONE && hx_num_equal(p->cx, v, &back);
}

/* Pushes a number. Whole numbers that Lua can represent are exact; fractions become the nearest float. */
HX_INLINE bool push_number(hx_pusher *p, const hx_val *v) {
  double d;
  if (v->tag == HX_T_INT) {
#if HX_LUA_INTEGERS
    lua_pushinteger(p->L, (lua_Integer)v->u.i);
    return true;
#else
    d = (double)v->u.i;
    if (HX_LIKELY(d < 9223372036854775808.0 && (int64_t)d == v->u.i)) {
      lua_pushnumber(p->L, d);
      return true;
    }
    return push_big(p, v);
#endif
  }
  if (!hx_num_to_float(v, &d)) return push_big(p, v);
  if (p->options->exact && !is_same_again(p, v, d)) return push_big(p, v);
  lua_pushnumber(p->L, d);
  return true;
}

HX_INLINE void push_string(hx_pusher *p, const hx_val *v) {
  hx_charge_output(p->cx, v->len);
  hx_push_str(p->L, hx_val_str(v));
}

static void push_null(hx_pusher *p) {
  if (p->null) lua_pushvalue(p->L, p->null);
  else lua_pushlightuserdata(p->L, NULL);
}

/* Pushes the Lua values of the options that only tables need: they stay in stack slots below the result. */
static void find_metatables(hx_pusher *p) {
  if (p->array_mt || p->object_mt) return;
  luaL_checkstack(p->L, 8, NULL);
  switch ((hx_array_mts)p->options->array_mt) {
    case HX_ARRAYS_OURS: lua_rawgeti(p->L, HX_UP_STORE, HX_CLASS_ARRAY); break;
    case HX_ARRAYS_OTHER: lua_rawgeti(p->L, p->values, HX_CONVERT_ARRAY_MT); break;
    case HX_ARRAYS_NONE: lua_pushnil(p->L); break;
  }
  p->array_mt = lua_gettop(p->L);
  if (p->options->object_mt) {
    lua_rawgeti(p->L, p->values, HX_CONVERT_OBJECT_MT);
    p->object_mt = lua_gettop(p->L);
  }
}

/* Begins a table of n elements: checks the depth and the stack's room, and charges for the table. The guard is renewed, because
** pushing strings and tables may have run finalizers. */
static void enter(hx_pusher *p, uint32_t n) {
  hx_guard_again(p->cx);
  hx_stack_check();
  if (++p->depth > p->beside) hx_check_depth(p->cx, p->depth - p->beside);
  hx_charge_output(p->cx, 16 * (uint64_t)n);
  if (p->charged) hx_charge_steps(p->cx, n);
  if (!lua_checkstack(p->L, 8)) hx_abort(p->cx, HX_WHY_DEPTH);
}

/* Neighbouring objects often share a shape. If it has at most this many keys, they are pushed once, below the objects' table. */
#define KEYS_MAX 32u

static bool push_keys(hx_pusher *p, const hx_val *v) {
  const hx_val *e = v->u.seq->v;
  const hx_shape *shape;
  if (v->len < 2 || !hx_is_obj(&e[0]) || !hx_is_obj(&e[1])) return false;
  shape = e[0].u.obj->shape;
  if (shape != e[1].u.obj->shape || !shape->n || shape->n > KEYS_MAX || !lua_checkstack(p->L, (int)shape->n + 8)) return false;
  p->shape = shape;
  p->keys = lua_gettop(p->L) + 1;
  for (uint32_t i = 0; i < shape->n; i++) hx_push_str(p->L, shape->keys[i]);
  return true;
}

static bool push_elements(hx_pusher *p, const hx_val *v);

/* Pushes an element of a table; strings and small integers are pushed inline. */
HX_INLINE bool push_item(hx_pusher *p, const hx_val *v) {
  if (HX_LIKELY(v->tag == HX_T_STR)) {
    push_string(p, v);
    return true;
  }
  return HX_LIKELY(v->tag == HX_T_INT) ? push_number(p, v) : push_any(p, v);
}

static bool push_seq(hx_pusher *p, const hx_val *v) {
  const hx_shape *shape = p->shape;
  int keys = p->keys;
  bool ok;
  enter(p, v->len);
  if (!push_keys(p, v)) return push_elements(p, v);
  ok = push_elements(p, v);
  if (ok) {
    lua_replace(p->L, p->keys);
    lua_settop(p->L, p->keys);
  }
  p->shape = shape;
  p->keys = keys;
  return ok;
}

static bool push_elements(hx_pusher *p, const hx_val *v) {
  lua_State *L = p->L;
  const hx_val *e = v->u.seq->v;
  lua_createtable(L, v->len > INT32_MAX ? INT32_MAX : (int)v->len, 0);
  if (p->options->array_mt != HX_ARRAYS_NONE) {
    lua_pushvalue(L, p->array_mt);
    lua_setmetatable(L, -2);
  }
  for (uint32_t i = 0; i < v->len; i++) {
    if (!push_item(p, &e[i])) return fail_index(p, i);
    lua_rawseti(L, -2, (int)i + 1);
  }
  p->depth--;
  return true;
}

static bool push_obj(hx_pusher *p, const hx_val *v) {
  lua_State *L = p->L;
  const hx_shape *shape = v->u.obj->shape;
  const hx_val *e = v->u.obj->v;
  bool omit = p->options->null == HX_NULLS_OMIT;
  enter(p, v->len);
  lua_createtable(L, 0, v->len > INT32_MAX ? INT32_MAX : (int)v->len);
  if (p->object_mt) {
    lua_pushvalue(L, p->object_mt);
    lua_setmetatable(L, -2);
  }
  for (uint32_t i = 0; i < v->len; i++) {
    if (omit && hx_is_null(&e[i])) continue;
    hx_charge_output(p->cx, shape->keys[i].len);
    if (shape == p->shape) lua_pushvalue(L, p->keys + (int)i);
    else hx_push_str(L, shape->keys[i]);
    if (!push_item(p, &e[i])) return fail_key(p, shape->keys[i]);
    lua_rawset(L, -3);
  }
  p->depth--;
  return true;
}

static bool push_marked(hx_pusher *p, const hx_val *v) {
  switch ((hx_hidden)p->options->sensitive) {
    case HX_HIDDEN_VALUE: return push_value(p, v);
    case HX_HIDDEN_REVEAL: return push_any(p, hx_unmarked(v));
    case HX_HIDDEN_ERROR: break;
  }
  return fail(p, HX_D_RESULT_SENSITIVE, v);
}

static bool push_any(hx_pusher *p, const hx_val *v) {
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL: lua_pushboolean(p->L, (int)v->u.i); return true;
    case HX_T_INT:
    case HX_T_NUM: return push_number(p, v);
    case HX_T_STR: push_string(p, v); return true;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE: return push_seq(p, v);
    case HX_T_MAP:
    case HX_T_OBJECT: return push_obj(p, v);
    case HX_T_NULL: push_null(p); return true;
    case HX_T_UNKNOWN: return p->options->unknown == HX_OPEN_VALUE ? push_value(p, v) : fail(p, HX_D_RESULT_UNKNOWN, v);
    case HX_T_MARKED: return push_marked(p, v);
    case HX_T_CAPSULE: hx_type_push_copy(p->L, v->u.type); return true;
    case HX_T_NONE:
    case HX_T_FOREIGN: break;
  }
  HX_UNREACHABLE();
  return false;
}

typedef struct push_job {
  hx_pusher *p;
  const hx_val *v;
  bool ok;
} push_job;

static void run_job(hx_cx *cx, void *ud) {
  push_job *job = ud;
  hx_pusher *p = job->p;
  luaL_checkstack(p->L, 8, NULL);
  if (p->options->null == HX_NULLS_OTHER) {
    lua_rawgeti(p->L, p->values, HX_CONVERT_NULL);
    p->null = lua_gettop(p->L);
  }
  if (hx_is_seq(job->v) || hx_is_obj(job->v) || job->v->tag == HX_T_MARKED) find_metatables(p);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  p->way.n = 0;
  p->way.longer = false;
  job->ok = push_any(p, job->v);
  hx_guard_again(cx);
  if (!job->ok) tell_place(p);
  hx_arena_release(&cx->scratch, mark);
}

bool hx_push(hx_pusher *p, const hx_val *v) {
  int top = lua_gettop(p->L);
  push_job job = { p, v, false };
  hx_why why = hx_guard_run(p->cx, run_job, &job);
  p->why = why;
  if (why != HX_WHY_NONE) {
    hx_why_at(p->cx, p->source, p->range);
    hx_why_report(p->cx, why);
    job.ok = false;
  }
  if (job.ok && lua_gettop(p->L) > top + 1) {
    lua_insert(p->L, top + 1);
  }
  lua_settop(p->L, top + (job.ok ? 1 : 0));
  return job.ok;
}
