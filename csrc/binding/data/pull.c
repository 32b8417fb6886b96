/* pull.c: turns Lua data into values: scalars, arrays and objects, and reports data that can't be values. */
#include "binding/data/pull.h"

#include "binding/data/value.h"
#include "text/data_path.h"
#include "text/quote.h"
#include "text/unicode.h"
#include "value/number/number.h"

#include <math.h>

/* This many ancestors are compared to find a cycle. A longer cycle reaches the depth limit. */
#define CYCLE_SEARCH 200u

/* Checking the encoding of this many bytes takes a step, unless a text is ASCII. */
#define CHECKED_BYTES 64u
/* This many elements of an array take a step. */
#define ELEMENTS 2u
/* The steps for a key of an object and its value. A key that the previous object has in the same place takes one step. */
#define KEY_STEPS 4u

void hx_puller_init(hx_puller *p, lua_State *L, hx_cx *cx, hx_str name) {
  *p = (hx_puller){ .L = L, .cx = cx, .name = name, .id = HX_D_DATA_TYPE };
}

/* Failure, with its path */

static void write_path(const hx_puller *p, const hx_pull_level *level, hx_buf *b) {
  hx_way way = { .n = 0 };
  for (const hx_pull_level *l = level; l; l = l->outer) {
    if (l->key.p) hx_way_key(&way, l->key);
    else if (l->index >= 0) hx_way_index(&way, l->index); /* -1: at the beginning of the level */
  }
  hx_buf_str(b, p->name);
  hx_way_write(b, &way);
}

static bool fail_at(hx_puller *p, const hx_pull_level *level, hx_diag_id id, hx_str text) {
  hx_buf b;
  hx_buf_init(&b, &p->cx->arena, 96);
  write_path(p, level, &b);
  hx_buf_c(&b, ": ");
  hx_buf_str(&b, text);
  p->id = id;
  p->message = hx_buf_done(&b);
  return false;
}

bool hx_pull_fail(hx_puller *p, hx_diag_id id, hx_str text) {
  return fail_at(p, p->level, id, text);
}

bool hx_pull_fail_twice(hx_puller *p, hx_str key) {
  hx_pull_level level = { p->level, NULL, key, -1, NULL };
  return fail_at(p, &level, HX_D_DATA_KEYS, HX_STR("Another key of the table is the same text in another Unicode form."));
}

/* Scalars */

bool hx_pull_fraction(hx_cx *cx, lua_Number d, hx_val *out) {
  *out = hx_num_from_shortest(cx, d);
  return out->tag != HX_T_NONE;
}

bool hx_pull_number(hx_puller *p, int at, hx_val *out) {
  double d = lua_tonumber(p->L, at);
  if (hx_pull_plain(p->L, p->cx, at, LUA_TNUMBER, out)) return true;
  return hx_pull_fail(p, HX_D_DATA_NUMBER,
                      d != d ? HX_STR("HCL has no NaN. Leave it out, or give hcl.null.")
                             : HX_STR("HCL has no infinity. Leave it out, or give hcl.null."));
}

/* Reads a Lua string. what: its name in messages. */
static bool take_text(hx_puller *p, const char *s, size_t len, const char *what, hx_val *out) {
  if (len > UINT32_MAX / 2) return hx_pull_fail(p, HX_D_DATA_TEXT, hx_say(p->cx, "%s is longer than 2 GiB.", what));
  hx_charge_memory(p->cx, len);
  if (hx_pull_text(p->cx, s, len, out)) return true;
  return hx_pull_fail(p, HX_D_DATA_TEXT,
                      hx_say(p->cx, "%s is not well-formed UTF-8. Encode bytes first, for example as base64.", what));
}

bool hx_pull_string(hx_puller *p, int at, hx_val *out) {
  size_t len;
  const char *s = lua_tolstring(p->L, at, &len);
  return take_text(p, s, len, "The string", out);
}

bool hx_pull_key(hx_puller *p, int at, hx_val *out) {
  size_t len;
  const char *s = lua_tolstring(p->L, at, &len);
  return take_text(p, s, len, "A key of the table", out);
}

bool hx_pull_unicode(hx_cx *cx, hx_str copy, hx_val *out) {
  hx_charge_steps(cx, copy.len / CHECKED_BYTES);
  if (!hx_utf8_valid(copy)) return false;
  *out = hx_string(hx_nfc(cx, copy));
  return true;
}

/* Things that other modules define */

/* Replaces the table on top of the stack by its field `name`; anything else becomes nil. */
static void into_field(lua_State *L, const char *name) {
  if (lua_istable(L, -1)) hx_lua_rawgetstr(L, -1, name);
  else lua_pushnil(L);
  lua_remove(L, -2);
}

/* Returns true if the value at `at` is package.loaded[module][name]. */
static bool is_foreign_thing(lua_State *L, int at, const char *module, const char *name) {
  bool is;
  int top = lua_gettop(L);
  hx_lua_pushloaded(L);
  into_field(L, module);
  if (lua_isnil(L, -1)) { /* Neovim's `vim` is a global that no require has loaded */
    hx_lua_pushloaded(L);
    into_field(L, "_G");
    into_field(L, module);
  }
  into_field(L, name);
  is = !lua_isnil(L, -1) && lua_rawequal(L, -1, at) != 0;
  lua_settop(L, top);
  return is;
}

hx_odd hx_odd_value(lua_State *L, int at, const void *null) {
  int type = lua_type(L, at);
  at = hx_lua_absindex(L, at);
  if (type == LUA_TLIGHTUSERDATA && !lua_touserdata(L, at)) return HX_ODD_NULL;
  if (type != LUA_TLIGHTUSERDATA && type != LUA_TUSERDATA && type != LUA_TTABLE) return HX_ODD_NOTHING;
  if (null && lua_topointer(L, at) == null) return HX_ODD_NULL;
  if (type == LUA_TTABLE) return HX_ODD_NOTHING;
  if (!lua_checkstack(L, 8)) return HX_ODD_NOTHING;
  if (is_foreign_thing(L, at, "vim", "NIL")) return HX_ODD_NULL;
  if (is_foreign_thing(L, at, "cjson", "empty_array")) return HX_ODD_EMPTY_ARRAY;
  return HX_ODD_NOTHING;
}

static bool is_array_mt(hx_puller *p, int mt) {
  const void *id = lua_topointer(p->L, mt);
  return id == hx_state_get(p->L)->mt[HX_CLASS_ARRAY] || (p->array_mt && id == p->array_mt) ||
         is_foreign_thing(p->L, mt, "cjson", "array_mt") || is_foreign_thing(p->L, mt, "cjson", "empty_array_mt");
}

bool hx_table_is_array(hx_puller *p, int at, size_t *n) {
  *n = hx_lua_rawlen(p->L, at);
  if (*n) return true;
  if (!lua_getmetatable(p->L, at)) return false;
  bool array = is_array_mt(p, lua_gettop(p->L));
  lua_pop(p->L, 1);
  return array;
}

/* Tables */

static bool check_nesting(hx_puller *p, const void *table) {
  uint32_t looked = 0;
  for (const hx_pull_level *l = p->level; l && looked < CYCLE_SEARCH; l = l->outer, looked++) {
    if (l->table == table)
      return hx_pull_fail(p, HX_D_DATA_CYCLE, HX_STR("The table contains itself, but values are finite. Break the cycle."));
  }
  if (p->depth >= p->cx->limits.depth)
    return hx_pull_fail(
        p, HX_D_LIMIT_DEPTH,
        hx_say(p->cx, "Data nests deeper here than %llu levels, which is the limit. Make it flatter, or raise limits.depth.",
               (unsigned long long)p->cx->limits.depth));
  if (!lua_checkstack(p->L, 12))
    return hx_pull_fail(p, HX_D_LIMIT_DEPTH, HX_STR("Data nests deeper here than Lua's stack goes. Make it flatter."));
  return true;
}

/* Returns the index, from 0, of an array of n elements for the key at `at`; -1: the key isn't an index of the array. */
static int64_t array_index(lua_State *L, int at, size_t n) {
  lua_Number d;
  if (lua_type(L, at) != LUA_TNUMBER) return -1;
  d = lua_tonumber(L, at);
  return d >= 1 && d <= (lua_Number)n && d == (lua_Number)(int64_t)d ? (int64_t)d - 1 : -1;
}

/* Reports a key of an array that is not among 1 … n. */
static bool fail_key(hx_puller *p, int at, size_t n) {
  hx_cx *cx = p->cx;
  if (lua_type(p->L, at) == LUA_TSTRING) {
    size_t len;
    const char *s = lua_tolstring(p->L, at, &len);
    hx_str shown = hx_quote_short(cx, hx_utf8_repair(cx, hx_str_of(s, len)), 40);
    return hx_pull_fail(p, HX_D_DATA_KEYS,
                        hx_say(cx, "The table is an array of %llu element%s and has the key %.*s too. Make it one or the other.",
                               (unsigned long long)n, n == 1 ? "" : "s", HX_STR_ARG(shown)));
  }
  if (lua_type(p->L, at) == LUA_TNUMBER) {
    lua_Number d = lua_tonumber(p->L, at);
    if (d > (lua_Number)n && d == floor(d))
      return hx_pull_fail(p, HX_D_DATA_HOLE,
                          HX_STR("The array has a hole: an index below the largest is missing. Use hcl.null for "
                                 "elements without a value."));
    return hx_pull_fail(p, HX_D_DATA_KEYS,
                        HX_STR("The table is an array and also has a key that is not an index from 1 on. Leave it out."));
  }
  return hx_pull_fail(p, HX_D_DATA_KEYS,
                      hx_say(cx, "The table is an array and has a key of type %s too.", luaL_typename(p->L, at)));
}

static bool pull_array(hx_puller *p, int at, size_t n, hx_pull_level *level, hx_val *out) {
  lua_State *L = p->L;
  size_t found = 0;
  bool ordered = true; /* so far the elements came as 1, 2, 3 … */
  hx_val *v;
  if (n > UINT32_MAX / 2) hx_abort(p->cx, HX_WHY_MEMORY);
  if (n) {
    lua_rawgeti(L, at, 1);
    bool hole = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (hole)
      return hx_pull_fail(p, HX_D_DATA_HOLE, HX_STR("The array has no element 1. Use hcl.null for elements without a value."));
  }
  if (16 * (uint64_t)n > p->cx->memory_left) hx_abort(p->cx, HX_WHY_MEMORY);
  hx_charge_steps(p->cx, n / ELEMENTS);
  v = HX_NEW_ARRAY(p->cx, hx_val, n);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    int64_t i = array_index(L, -2, n);
    level->index = -1;
    if (i < 0) return fail_key(p, lua_gettop(L) - 1, n);
    level->index = i;
    if (ordered && (size_t)i != found) {
      for (size_t k = found; k < n; k++) v[k] = hx_none();
      ordered = false;
    }
    /* If a finalizer changes the table meanwhile, Lua may visit one element twice and leave out another. */
    if (!ordered && v[i].tag != HX_T_NONE)
      return hx_pull_fail(p, HX_D_DATA_TYPE, HX_STR("The table was changed while its elements were gone through."));
    if (!hx_pull(p, lua_gettop(L), &v[i])) return false;
    found++;
  }
  level->index = -1;
  if (found != n)
    return hx_pull_fail(
        p, HX_D_DATA_HOLE,
        HX_STR("The array has a hole: an index below the largest is missing. Use hcl.null for elements without a value."));
  *out = hx_tuple(p->cx, v, (uint32_t)n);
  return true;
}

/* Reads the values of an object whose keys are those of the previous object, in the same order. Neighbouring objects are often like
** this, and share the shape. The first key and value are on the stack. Returns false if a key differs or reading failed
** (p->failed). Then *n values were read, and the next key and value are on the stack, unless the table has ended. */
static bool pull_like(hx_puller *p, int at, hx_pull_level *level, const hx_shape *shape, hx_val *v, uint32_t *n) {
  lua_State *L = p->L;
  for (bool more = true; more; lua_pop(L, 1), more = lua_next(L, at) != 0) {
    size_t len;
    const char *s = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &len) : NULL;
    if (!s || *n == shape->n || len > UINT32_MAX || !hx_str_eq(hx_str_of(s, len), shape->keys[*n])) return false;
    level->key = shape->keys[*n];
    p->failed = !hx_pull(p, lua_gettop(L), &v[*n]);
    if (p->failed) return false;
    ++*n;
  }
  return *n == shape->n;
}

/* Makes the object whose first n values were read; the key and value on the stack come next, if there are more. */
static bool pull_rest(hx_puller *p, int at, hx_pull_level *level, const hx_shape *like, const hx_val *first, uint32_t n,
                      hx_val *out) {
  lua_State *L = p->L;
  hx_obj_builder b;
  hx_obj_builder_init(&b, p->cx, n + 8);
  for (uint32_t i = 0; i < n; i++) *hx_obj_builder_put(&b, like->keys[i]) = first[i];
  for (bool more = lua_gettop(L) > at; more; lua_pop(L, 1), more = lua_next(L, at) != 0) {
    hx_val key, v, *slot;
    hx_charge_steps(p->cx, KEY_STEPS);
    level->key = (hx_str){ NULL, 0 };
    if (lua_type(L, -2) != LUA_TSTRING) {
      if (lua_type(L, -2) == LUA_TNUMBER)
        return hx_pull_fail(
            p, HX_D_DATA_KEYS,
            HX_STR("The table has a number as a key and is not an array from 1 on. Use strings as keys, or fill the array."));
      return hx_pull_fail(p, HX_D_DATA_KEYS,
                          hx_say(p->cx, "The table has a key of type %s. Keys of objects are strings.", luaL_typename(L, -2)));
    }
    if (!hx_pull_key(p, lua_gettop(L) - 1, &key)) return false;
    level->key = hx_val_str(&key);
    if (!hx_pull(p, lua_gettop(L), &v)) return false;
    slot = hx_obj_builder_put(&b, level->key);
    if (slot->tag != HX_T_NONE) {
      p->level = level->outer;
      return hx_pull_fail_twice(p, level->key);
    }
    *slot = v;
  }
  *out = hx_obj_builder_object(&b);
  return true;
}

static bool pull_object(hx_puller *p, int at, hx_pull_level *level, hx_val *out) {
  lua_State *L = p->L;
  const hx_shape *like = level->outer ? level->outer->shape : NULL;
  hx_val *v = NULL;
  uint32_t n = 0;
  lua_pushnil(L);
  if (!lua_next(L, at)) {
    *out = hx_empty_object;
    return true;
  }
  if (like) {
    hx_charge_steps(p->cx, like->n);
    v = HX_NEW_ARRAY(p->cx, hx_val, like->n);
    p->failed = false;
    if (pull_like(p, at, level, like, v, &n)) {
      *out = hx_object(p->cx, like, v);
      return true;
    }
    if (p->failed) return false;
  }
  if (!pull_rest(p, at, level, like, v, n, out)) return false;
  if (level->outer && out->len) level->outer->shape = out->u.obj->shape;
  return true;
}

static bool pull_table(hx_puller *p, int at, hx_val *out) {
  const void *table = lua_topointer(p->L, at);
  hx_pull_level level = { p->level, table, { NULL, 0 }, -1, NULL };
  int top = lua_gettop(p->L);
  size_t n;
  bool ok;
  hx_stack_check();
  if (!check_nesting(p, table)) return false;
  ok = hx_table_is_array(p, at, &n);
  hx_guard_again(p->cx);
  p->level = &level;
  p->depth++;
  ok = ok ? pull_array(p, at, n, &level, out) : pull_object(p, at, &level, out);
  p->depth--;
  p->level = level.outer;
  lua_settop(p->L, top);
  return ok;
}

static bool pull_lazy(hx_puller *p, int at, hx_val *out) {
  bool ok;
  if (!p->lazy) return hx_pull_fail(p, HX_D_DATA_TYPE, HX_STR("A lazy value is allowed only in the variables of an evaluation."));
  if (!lua_checkstack(p->L, 12))
    return hx_pull_fail(p, HX_D_LIMIT_DEPTH, HX_STR("Data nests deeper here than Lua's stack goes. Make it flatter."));
  if (!p->lazy(p, at)) {
    if (p->message.p) return false;
    p->lazies++;
    *out = hx_unknown_dynamic;
    return true;
  }
  /* A chain of lazy values that return lazy values ends: each is answered once, and counts as a level of depth. */
  hx_stack_check();
  p->depth++;
  if (p->depth > p->cx->limits.depth) hx_abort(p->cx, HX_WHY_DEPTH);
  ok = hx_pull(p, lua_gettop(p->L), out);
  p->depth--;
  lua_pop(p->L, 1);
  return ok;
}

static bool pull_userdata(hx_puller *p, int at, hx_val *out) {
  const hx_value *v = hx_to_class(p->L, at, HX_CLASS_VALUE);
  if (v) {
    if (hx_value_is_closed(v)) return hx_pull_fail(p, HX_D_DATA_TYPE, HX_STR("The Value has been closed."));
    *out = hx_value_use(p->cx, v);
    return true;
  }
  hx_odd odd = hx_odd_value(p->L, at, p->null);
  hx_guard_again(p->cx);
  switch (odd) {
    case HX_ODD_NULL: *out = hx_null(&hx_type_dynamic); return true;
    case HX_ODD_EMPTY_ARRAY: *out = hx_empty_tuple; return true;
    case HX_ODD_NOTHING: break;
  }
  return hx_pull_fail(p, HX_D_DATA_TYPE,
                      hx_say(p->cx, "A %s is not data. Convert it to strings, numbers or tables first.", luaL_typename(p->L, at)));
}

bool hx_pull(hx_puller *p, int at, hx_val *out) {
  at = hx_lua_absindex(p->L, at);
  switch (lua_type(p->L, at)) {
    case LUA_TSTRING: return hx_pull_string(p, at, out);
    case LUA_TNUMBER: return hx_pull_number(p, at, out);
    case LUA_TBOOLEAN: *out = hx_bool(lua_toboolean(p->L, at) != 0); return true;
    case LUA_TTABLE:
      if (p->null && lua_topointer(p->L, at) == p->null) {
        *out = hx_null(&hx_type_dynamic);
        return true;
      }
      if (hx_is_class(p->L, at, HX_CLASS_LAZY)) return pull_lazy(p, at, out);
      return pull_table(p, at, out);
    case LUA_TLIGHTUSERDATA:
    case LUA_TUSERDATA: return pull_userdata(p, at, out);
    case LUA_TFUNCTION:
      return hx_pull_fail(p, HX_D_DATA_TYPE,
                          p->lazy ? HX_STR("A function is not data. To compute the value when it is read, wrap it: hcl.lazy(f).")
                                  : HX_STR("A function is not data. Pass its result instead."));
    default: return hx_pull_fail(p, HX_D_DATA_TYPE, hx_say(p->cx, "A %s is not data. Leave it out.", luaL_typename(p->L, at)));
  }
}

bool hx_pull_data(lua_State *L, hx_cx *cx, int at, hx_str name, hx_val *out) {
  hx_puller p;
  hx_puller_init(&p, L, cx, name);
  if (hx_pull(&p, at, out)) return true;
  hx_diag_add_text(cx, p.id, NULL, hx_range_of(0, 0), p.message);
  return false;
}
