/* rows.c: Lua tables as collections that are not converted as a whole: their shape, elements, and columns of 64 rows. */
#include "binding/host/host.h"

#include "binding/host/element.h"
#include "text/unicode.h"

static hx_foreign *foreign_of(hx_evaluation *ev, const hx_val *v) {
  return &ev->foreign.p[v->u.i];
}

hx_answer hx_host_whole(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_val *out) {
  hx_evaluation *ev = hx_evaluation_of(h);
  hx_foreign *f = foreign_of(ev, foreign);
  hx_walk w;
  hx_answer a = HX_ANSWER_OK;
  hx_walk_init(&w, ev, cx);
  w.want = HX_WANT_WHOLE;
  w.origin = f->origin;
  if (f->whole.tag == HX_T_NONE) {
    hx_foreign_push(ev, foreign);
    a = hx_walk_lua(&w, LUA_TTABLE);
    if (a == HX_ANSWER_OK) foreign_of(ev, foreign)->whole = w.out;
  }
  *out = foreign_of(ev, foreign)->whole;
  return a;
}

/* Reports an error of the FOREIGN table itself, not of an element. */
static hx_answer fail_table(hx_evaluation *ev, hx_cx *cx, const hx_val *foreign, hx_puller *p) {
  hx_origin o = foreign_of(ev, foreign)->origin;
  return hx_host_fail(ev, cx, p, &o, 0);
}

/* Shape */

/* The steps for each key of a table whose values aren't read, after the first eight keys. So small data take as many steps as the
** same data in a Value. */
#define KEY_STEPS 2u
#define FREE_KEYS 8u

/* Sorts the keys in the order of objects. Returns false if a key occurs twice. */
static bool sort_keys(hx_puller *p, const hx_str *keys, uint32_t n, const hx_str **out) {
  const hx_shape *shape = hx_shape_new(p->cx, keys, n);
  const uint32_t *order = hx_shape_order(p->cx, shape);
  hx_str *sorted = HX_NEW_ARRAY(p->cx, hx_str, n);
  for (uint32_t i = 0; i < n; i++) {
    sorted[i] = keys[order ? order[i] : i];
    if (i && hx_str_eq(sorted[i], sorted[i - 1])) return hx_pull_fail_twice(p, sorted[i]);
  }
  *out = sorted;
  return true;
}

/* Reads the keys of a table. counted: only their number is wanted, so ASCII keys aren't copied. */
static bool read_keys(hx_puller *p, int at, hx_foreign *f, bool counted) {
  lua_State *L = p->L;
  HX_VEC(hx_str) keys = { NULL, 0, 0 };
  uint32_t n = 0;
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    size_t len;
    hx_val key;
    if (lua_type(L, -2) != LUA_TSTRING)
      return hx_pull_fail(p, HX_D_DATA_KEYS,
                          hx_say(p->cx,
                                 "The table has a key of type %s. Keys of objects are strings, and arrays are filled from 1 on.",
                                 luaL_typename(L, -2)));
    const char *s = lua_tolstring(L, -2, &len);
    if (counted && (len > UINT32_MAX || !hx_is_ascii(hx_str_of(s, len)))) {
      lua_pop(L, 2);
      return read_keys(p, at, f, false);
    }
    hx_charge_memory(p->cx, 16);
    if (n++ >= FREE_KEYS) hx_charge_steps(p->cx, KEY_STEPS);
    if (counted) continue;
    if (!hx_pull_key(p, lua_gettop(L) - 1, &key)) return false;
    *HX_VEC_PUSH(&p->cx->arena, &keys) = hx_val_str(&key);
  }
  if (!counted && !sort_keys(p, keys.p, n, &f->keys)) return false;
  f->n = n;
  f->counted = true;
  return true;
}

hx_answer hx_host_shape(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_kind *kind, uint32_t *n, const hx_str **keys) {
  hx_evaluation *ev = hx_evaluation_of(h);
  lua_State *L = ev->L;
  hx_foreign *f = foreign_of(ev, foreign);
  int top = lua_gettop(L);
  hx_puller p;
  size_t len;
  bool ok = true;
  hx_foreign_push(ev, foreign);
  len = hx_lua_rawlen(L, top + 1);
  bool array = len != 0, kind_only = !n && !keys;
  if (!array && !(kind_only && !lua_getmetatable(L, top + 1))) {
    hx_host_puller(ev, cx, &p);
    array = hx_table_is_array(&p, top + 1, &len);
    hx_guard_again(cx);
  }
  if (array) {
    *kind = HX_K_TUPLE;
    if (len > UINT32_MAX) hx_abort(cx, HX_WHY_MEMORY);
    if (n) *n = (uint32_t)len;
    if (keys) *keys = NULL;
  } else {
    *kind = HX_K_OBJECT;
    if (keys ? !f->keys : n && !f->counted) ok = read_keys(&p, top + 1, f, !keys);
    if (n) *n = f->n;
    if (keys) *keys = f->keys;
  }
  lua_settop(L, top);
  return ok ? HX_ANSWER_OK : fail_table(ev, cx, foreign, &p);
}

/* Elements */

hx_answer hx_host_index(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_val *key, hx_want want, hx_val *out, bool *found) {
  hx_evaluation *ev = hx_evaluation_of(h);
  hx_walk w;
  hx_answer a;
  hx_foreign_push(ev, foreign);
  int type = hx_element_of_key(ev, key);
  *found = type != LUA_TNIL;
  if (!*found) {
    lua_pop(ev->L, 2);
    return HX_ANSWER_OK;
  }
  hx_walk_init(&w, ev, cx);
  w.want = (uint8_t)want;
  w.origin.parent = (int32_t)foreign->u.i;
  if (key->tag == HX_T_INT) w.origin.index = key->u.i;
  else w.origin.key = hx_val_str(key);
  a = hx_walk_lua(&w, type);
  lua_pop(ev->L, 1);
  *out = w.out;
  return a;
}

/* Rows */

/* Prepares a walk from a row's element along a column's steps. */
static void take_column(hx_walk *w, const hx_val *foreign, const hx_str *keys, uint32_t row, const hx_column *column) {
  w->steps = w->origin.more = column->steps;
  w->n = column->n;
  w->want = column->want;
  w->origin.parent = (int32_t)foreign->u.i;
  if (keys) w->origin.key = keys[row];
  else w->origin.index = row;
}

/* The most steps of a column that is read for all rows. Longer columns are read by `cell`, which needs less stack. */
#define PLAIN_STEPS 16u
/* Stack slots of a batch: the elements with their keys, and the values of a column. */
#define BATCH_STACK (3 * (int)HX_ROWS + 2 * (int)PLAIN_STEPS + 32)

/* Rows that are read together: first their elements are pushed, then one column after the other is read. */
typedef struct batch {
  hx_evaluation *ev;
  lua_State *L;
  hx_cx *cx;
  const hx_val *foreign;
  const hx_str *keys;
  uint32_t first, n;
  int at;                /* stack index of the table */
  int element, stride;   /* stack index of the first element; distance to the next */
  int8_t types[HX_ROWS]; /* the Lua types of the elements */
} batch;

/* A column, and the cells to be filled. */
typedef struct reader {
  const batch *b;
  const hx_column *column;
  hx_val *cells;
} reader;

/* A cell is filled only if a path through plain tables leads to a scalar, because no Lazy can be on such a path (element.h). Any
** other cell stays NONE, and the machine asks for its value when the body reads it. */

/* Reads a column that is a single field of each element, as most columns are. The field's key is pushed once, and copied for each row. */
static void read_fields(const reader *c) {
  const batch *b = c->b;
  lua_State *L = b->L;
  int at = b->element, key = lua_gettop(L) + 1;
  hx_push_step(b->ev, &c->column->steps[0]);
  for (uint32_t r = 0; r < b->n; r++, at += b->stride) {
    int type = LUA_TNONE;
    if (HX_LIKELY(b->types[r] == LUA_TTABLE)) {
      lua_pushvalue(L, key);
      type = hx_lua_rawget(L, at);
    }
    if (HX_UNLIKELY(!hx_pull_plain(L, b->cx, -1, type, &c->cells[r]))) c->cells[r] = hx_none();
  }
}

static void read_paths(const reader *c) {
  const batch *b = c->b;
  const hx_column *column = c->column;
  int top = lua_gettop(b->L), at = b->element;
  for (uint32_t r = 0; r < b->n; r++, at += b->stride) {
    uint32_t taken;
    int type = hx_follow(b->ev, at, b->types[r], column->steps, column->n, &taken);
    if (taken < column->n || !hx_pull_plain(b->L, b->cx, taken ? -1 : at, type, &c->cells[r])) c->cells[r] = hx_none();
    if (taken) lua_settop(b->L, top);
  }
}

static void read_column(const reader *c) {
  const hx_column *column = c->column;
  int top = lua_gettop(c->b->L);
  if (column->n > PLAIN_STEPS || c->b->ev->scope->convert.null == HX_NULLS_OTHER)
    for (uint32_t r = 0; r < c->b->n; r++) c->cells[r] = hx_none();
  else if (column->n == 1 && column->steps[0].kind != HX_STEP_INDEX) read_fields(c);
  else read_paths(c);
  lua_settop(c->b->L, top);
}

/* Converts the whole table, to find and report its mistake. */
static bool array_fail(hx_puller *p, int at) {
  hx_val ignored;
  return hx_pull(p, at, &ignored);
}

/* Returns true if the keys of a table, which Lua doesn't traverse as 1, 2, …, are exactly 1 … n in any order. Otherwise reports the
** mistake. */
static bool check_scattered(hx_puller *p, int at, size_t n) {
  lua_State *L = p->L;
  size_t found = 0;
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    lua_Number d = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(d >= 1 && d <= (lua_Number)n && d == (lua_Number)(int64_t)d)) {
      lua_pop(L, 2);
      return array_fail(p, at);
    }
    found++;
  }
  return found == n || array_fail(p, at);
}

/* Pushes the batch's elements, each with its key, if Lua traverses the keys as 1, 2, 3 …. If it doesn't, returns false, and the caller
** resets the stack. */
static bool push_in_order(batch *b, uint32_t total) {
  lua_State *L = b->L;
  int key = b->at + 1;
  b->element = key + 1;
  b->stride = 2;
  if (b->first) {
    /* A callback may have removed the element at which the last rows ended; then lua_next can't continue from there. */
    lua_rawgeti(L, b->at, (int)b->first);
    if (lua_isnil(L, -1)) return false;
    lua_pop(L, 1);
    lua_pushinteger(L, (lua_Integer)b->first);
  } else {
    lua_pushnil(L);
  }
  for (uint32_t r = 0; r < b->n; r++, key += 2) {
    if (!lua_next(L, b->at) || !hx_lua_is_index(L, key, b->first + r + 1)) return false;
    b->types[r] = (int8_t)lua_type(L, key + 1);
    lua_pushvalue(L, key);
  }
  return b->first + b->n < total || !lua_next(L, b->at);
}

static void push_by_index(batch *b) {
  b->element = b->at + 1;
  b->stride = 1;
  for (uint32_t r = 0; r < b->n; r++) b->types[r] = (int8_t)hx_element_at(b->L, b->at, b->first + r);
}

static bool push_array(batch *b) {
  uint32_t total = (uint32_t)hx_lua_rawlen(b->L, b->at);
  if (!foreign_of(b->ev, b->foreign)->scattered) {
    if (push_in_order(b, total)) return true;
    lua_settop(b->L, b->at);
    hx_puller p;
    hx_host_puller(b->ev, b->cx, &p);
    p.ud = b->ev;
    p.lazy = hx_pull_lazy;
    if (!check_scattered(&p, b->at, total)) return fail_table(b->ev, b->cx, b->foreign, &p) == HX_ANSWER_OK;
    foreign_of(b->ev, b->foreign)->scattered = true;
  }
  push_by_index(b);
  return true;
}

static void push_by_keys(batch *b) {
  b->element = b->at + 1;
  b->stride = 1;
  for (uint32_t r = 0; r < b->n; r++) b->types[r] = (int8_t)hx_element_of_name(b->ev, b->at, b->keys[b->first + r]);
}

hx_answer hx_host_rows(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t first, uint32_t n,
                       const hx_column *columns, uint32_t ncolumns, hx_val *cells) {
  hx_evaluation *ev = hx_evaluation_of(h);
  lua_State *L = ev->L;
  int top = lua_gettop(L);
  batch b = { .ev = ev, .L = L, .cx = cx, .foreign = foreign, .keys = keys, .first = first, .n = n, .at = top + 1 };
  bool ok = true;
  if (HX_UNLIKELY(!lua_checkstack(L, BATCH_STACK))) luaL_checkstack(L, BATCH_STACK, NULL);
  hx_foreign_push(ev, foreign);
  if (keys) push_by_keys(&b);
  else ok = push_array(&b);
  for (uint32_t c = 0; ok && c < ncolumns; c++) read_column(&(reader){ &b, &columns[c], cells + (size_t)c * HX_ROWS });
  lua_settop(L, top);
  return ok ? HX_ANSWER_OK : HX_ANSWER_FAILED;
}

/* Fails because a callback has removed the element in the meantime. */
static hx_answer fail_gone(hx_walk *w) {
  hx_puller p;
  hx_host_puller(w->ev, w->cx, &p);
  hx_pull_fail(&p, HX_D_DATA_TYPE, HX_STR("The element is gone: the table was changed while its elements were gone through."));
  return hx_host_fail(w->ev, w->cx, &p, &w->origin, 0);
}

/* Answers with an element whose key is in the table in another Unicode form. Fails if the element is gone. */
static hx_answer cell_of_whole(hx_host *h, hx_walk *w, const hx_val *foreign, hx_str key) {
  hx_val whole;
  hx_answer a = hx_host_whole(h, w->cx, foreign, &whole);
  const hx_val *v = a == HX_ANSWER_OK && hx_is_obj(&whole) ? hx_obj_get(&whole, key) : NULL;
  if (v) hx_walk_value(w, v);
  else if (a == HX_ANSWER_OK) a = fail_gone(w);
  return a;
}

hx_answer hx_host_cell(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t row, const hx_column *column,
                       hx_val *out, uint32_t *at) {
  hx_evaluation *ev = hx_evaluation_of(h);
  lua_State *L = ev->L;
  hx_walk w;
  int top = lua_gettop(L);
  hx_answer a;
  hx_walk_init(&w, ev, cx);
  take_column(&w, foreign, keys, row, column);
  hx_foreign_push(ev, foreign);
  int type = keys ? hx_element_of_name(ev, top + 1, keys[row]) : hx_element_at(L, top + 1, row);
  if (type == LUA_TNIL) a = keys ? cell_of_whole(h, &w, foreign, keys[row]) : fail_gone(&w);
  else a = hx_walk_lua(&w, type);
  lua_settop(L, top);
  *out = w.out;
  *at = w.at;
  return a;
}
