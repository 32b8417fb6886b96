/* family.c: families: Values that are much alike, such as the instances of a resource, by key in one piece of memory.
** In a table of Values, each Value is a userdata with a finalizer, and Lua's collector handles all of them in one step. A family is
** one userdata. Parts that a value shares with the value put in before it are stored once (hx_val_copy_like).
** Memory: a home, which the Values taken from the family share.
** Errors: raise if Lua is out of memory, and for a key of the wrong kind. */
#include "binding/data/value.h"
#include "binding/state/openers.h"

typedef struct hx_family {
  hx_home *home;          /* NULL: the family is closed */
  hx_val *by_index;       /* the values by number; NULL: they are in by_name */
  hx_obj_builder by_name; /* the values by name */
  uint32_t room, n;       /* room: length of by_index; n: one more than the last number with a value */
  uint64_t weight;        /* weight of the values by number */
  hx_val last;            /* the value that was put last */
} hx_family;

static void run_begin(hx_cx *cx, void *ud) {
  hx_family *f = ud;
  f->by_index = HX_NEW_ARRAY(cx, hx_val, f->room);
  for (uint32_t i = 0; i < f->room; i++) f->by_index[i] = hx_none();
}

static void run_begin_named(hx_cx *cx, void *ud) {
  hx_family *f = ud;
  hx_obj_builder_init(&f->by_name, cx, f->room);
}

/* core.family(kind, n): returns an empty family. "numbers": for values with the keys 0 … n - 1; "names": for about n values with strings as
** keys. */
static int l_family(lua_State *L) {
  bool named = strcmp(luaL_checkstring(L, 1), "names") == 0;
  lua_Number n = luaL_checknumber(L, 2);
  luaL_argcheck(L, n >= 0 && n < UINT32_MAX, 2, "too many");
  hx_family *f = hx_lua_newuserdata(L, sizeof *f);
  *f = (hx_family){ .room = (uint32_t)n };
  hx_set_class(L, -1, HX_CLASS_FAMILY);
  f->home = hx_home_new(0);
  if (!f->home) return luaL_error(L, "not enough memory");
  f->home->cx.limits.memory = UINT64_MAX; /* no limit here: the evaluations that made the values had limits */
  hx_home_must(L, f->home, named ? run_begin_named : run_begin, f);
  hx_state_grown(L, f->home->cx.arena.held);
  return 1;
}

/* Runs fn in the family's home, and reports the growth of the home to Lua's collector. */
static void run_in_home(lua_State *L, const hx_family *f, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  size_t held = f->home->cx.arena.held;
  hx_home_must(L, f->home, fn, ud);
  hx_state_grown(L, f->home->cx.arena.held - held);
}

static hx_family *check_family(lua_State *L) {
  hx_family *f = hx_check_class(L, 1, HX_CLASS_FAMILY);
  if (!f->home) luaL_argerror(L, 1, "the family has been closed");
  return f;
}

/* Returns the slot for the key at 2. Returns NULL if the number is out of range, or the name has no value. */
static hx_val *slot_of(lua_State *L, const hx_family *f) {
  int64_t i = -1;
  if (f->by_index) return lua_type(L, 2) == LUA_TNUMBER && hx_lua_whole(L, 2, &i) && i >= 0 && i < f->room ? &f->by_index[i] : NULL;
  if (lua_type(L, 2) == LUA_TSTRING) i = hx_obj_builder_find(&f->by_name, hx_check_str(L, 2));
  return i >= 0 ? &f->by_name.v[i] : NULL;
}

static int l_index(lua_State *L) {
  hx_family *f = check_family(L);
  hx_val *slot = slot_of(L, f);
  if (slot && slot->tag != HX_T_NONE) {
    hx_val v = *slot;
    hx_value_push(L, f->home, &v);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

typedef struct put_job {
  hx_family *f;
  hx_val *slot; /* NULL: the name is new */
  hx_str name;
  const hx_val *from;
} put_job;

static void run_put(hx_cx *cx, void *ud) {
  put_job *job = ud;
  hx_family *f = job->f;
  hx_val v = hx_val_copy_like(cx, job->from, &f->last);
  hx_val *slot = job->slot ? job->slot : hx_obj_builder_put(&f->by_name, hx_str_copy(cx, job->name));
  if (f->by_index) {
    uint32_t i = (uint32_t)(slot - f->by_index);
    f->weight += hx_val_weight(&v) - (slot->tag == HX_T_NONE ? 0 : hx_val_weight(slot));
    if (i >= f->n) f->n = i + 1;
  }
  *slot = f->last = v;
}

/* family[key] = Value. Setting nil does nothing: absent values aren't stored. */
static int l_newindex(lua_State *L) {
  if (lua_isnil(L, 3)) return 0;
  hx_family *f = check_family(L);
  put_job job = { .f = f, .slot = slot_of(L, f) };
  if (!f->by_index) job.name = hx_check_str(L, 2);
  else if (!job.slot) return luaL_argerror(L, 2, "the family has no such number");
  job.from = &hx_check_value(L, 3)->v;
  run_in_home(L, f, run_put, &job);
  return 0;
}

typedef struct whole_job {
  const hx_family *f;
  const hx_val *other; /* takes the place of absent values; NULL: absent values stay */
  hx_val out;
} whole_job;

static hx_val *copy_slots(hx_cx *cx, const hx_val *from, uint32_t n) {
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, n);
  memcpy(v, from, n * sizeof *v);
  return v;
}

static void run_tuple(hx_cx *cx, void *ud) {
  whole_job *job = ud;
  const hx_family *f = job->f;
  hx_val *v = copy_slots(cx, f->by_index, f->n), other = hx_val_copy(cx, job->other);
  uint64_t weight = f->weight;
  for (uint32_t i = 0; i < f->n; i++) {
    if (v[i].tag != HX_T_NONE) continue;
    v[i] = other;
    weight += hx_val_weight(&other);
  }
  job->out = hx_seq_weighed(cx, NULL, v, f->n, weight, false);
}

static void run_object(hx_cx *cx, void *ud) {
  whole_job *job = ud;
  const hx_obj_builder *b = &job->f->by_name;
  const hx_shape *shape = hx_shape_new(cx, b->keys, b->n);
  hx_shape_order(cx, shape);
  job->out = hx_object(cx, shape, copy_slots(cx, b->v, b->n));
}

/* core.family_value(family, other): returns the values as an object or, by number, as a tuple with the Value `other` in place of
** missing ones. Later changes of the family don't change the result. */
static int l_family_value(lua_State *L) {
  hx_family *f = check_family(L);
  whole_job job = { f, &hx_check_value(L, 2)->v, f->by_index ? hx_empty_tuple : hx_empty_object };
  if (f->by_index ? f->n : f->by_name.n) run_in_home(L, f, f->by_index ? run_tuple : run_object, &job);
  hx_value_push(L, f->home, &job.out);
  return 1;
}

static int l_gc(lua_State *L) {
  hx_family *f = hx_check_class(L, 1, HX_CLASS_FAMILY);
  hx_home_release(f->home);
  f->home = NULL;
  return 0;
}

static const luaL_Reg methods[] = {
  { "__index", l_index },
  { "__newindex", l_newindex },
  { "__gc", l_gc },
  { NULL, NULL },
};

static const luaL_Reg functions[] = {
  { "family", l_family },
  { "family_value", l_family_value },
  { NULL, NULL },
};

void hx_open_family(lua_State *L) {
  hx_register(L, HX_CLASS_FAMILY, methods, functions);
}
