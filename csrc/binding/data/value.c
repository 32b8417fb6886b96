/* value.c: makes Values from Lua data, takes them apart, compares them, and converts them back. */
#include "binding/data/value.h"
#include "binding/state/openers.h"

#include "base/buf.h"
#include "binding/data/diagnostics.h"
#include "binding/data/pull.h"
#include "binding/data/type.h"
#include "value/equal.h"
#include "value/number/number.h"
#include "value/render.h"
#include "value/unknown.h"

/* Pushes a Value of the class, with `within` bytes after it. */
static hx_value *new_value(lua_State *L, hx_class class, size_t within) {
  hx_value *v = hx_lua_newuserdata(L, sizeof *v + within);
  *v = (hx_value){ NULL, hx_none() };
  hx_set_class(L, -1, class);
  return v;
}

/* Pushes a Value without a home, which the caller fills in. */
static hx_value *new_empty(lua_State *L) {
  return new_value(L, HX_CLASS_VALUE, 0);
}

hx_value *hx_value_new_with_home(lua_State *L, uint32_t room) {
  hx_value *v = new_empty(L);
  v->home = hx_home_new(room);
  if (!v->home) luaL_error(L, "not enough memory");
  return v;
}

/* The most memory of an idle home. */
#define IDLE_MAX ((size_t)64 << 10)

/* The store keeps a userdata whose work has ended for the next call, because a new one, with a finalizer that the collector must call,
** takes most of the instructions of a short call. st->work is NULL while it is busy, or if an error of Lua left it busy. */
hx_home *hx_work_push(lua_State *L) {
  hx_state *st = hx_state_get(L);
  hx_value *idle = st->work;
  if (!idle) return hx_value_new_with_home(L, 1024)->home;
  lua_rawgeti(L, HX_UP_STORE, HX_SLOT_WORK);
  st->work = NULL;
  return idle->home;
}

void hx_work_close(lua_State *L, int at) {
  hx_state *st = hx_state_get(L);
  hx_value *v = lua_touserdata(L, at);
  hx_cx *cx = &v->home->cx;
  if (!st->work && !st->ended && v->home->refs == 1 && cx->arena.held + cx->scratch.held <= IDLE_MAX) {
    hx_cx_reset(cx, &hx_limits_default);
    lua_pushvalue(L, at);
    lua_rawseti(L, HX_UP_STORE, HX_SLOT_WORK);
    st->work = v;
    return;
  }
  hx_home_release(v->home);
  v->home = NULL;
}

typedef struct work_job {
  lua_State *L;
  const hx_work_row *row;
  int results;
} work_job;

static void run_work(hx_cx *cx, void *ud) {
  work_job *job = ud;
  job->results = job->row->fn(job->L, cx);
}

static int l_work(lua_State *L) {
  work_job job = { L, lua_touserdata(L, lua_upvalueindex(HX_UPVALUES + 1)), 0 };
  lua_settop(L, job.row->arguments);
  hx_home *work = hx_work_push(L);
  hx_why why = hx_home_run(work, run_work, &job);
  if (why != HX_WHY_NONE && !job.row->has_limits) return luaL_error(L, "%s", hx_why_word(why));
  if (why != HX_WHY_NONE) job.results = hx_fail_made(L, why, &work->cx);
  hx_work_close(L, job.row->arguments + 1);
  return job.results;
}

void hx_register_work(lua_State *L, const hx_work_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    lua_pushvalue(L, HX_UP_STATE);
    lua_pushvalue(L, HX_UP_STORE);
    lua_pushvalue(L, HX_UP_ANCHORS);
    lua_pushlightuserdata(L, (void *)(uintptr_t)&rows[i]);
    lua_pushcclosure(L, l_work, HX_UPVALUES + 1);
    lua_setfield(L, -2, rows[i].name);
  }
}

void hx_value_push(lua_State *L, hx_home *home, const hx_val *v) {
  hx_value *out = new_empty(L);
  out->home = hx_home_retain(home);
  out->v = *v;
}

/* From this size on, sets count as scattered, and so do maps and objects whose elements were read in another order than their own:
** iterating over them jumps about in memory. */
#define SCATTERED_MIN 1024u

bool hx_value_settle(hx_cx *cx, const hx_val *v) {
  if (v->tag == HX_T_MARKED) v = hx_unmarked(v);
  if (hx_known_parts(v)) v = hx_known_parts(v);
  if (hx_is_plain_seq(v)) return v->tag == HX_T_SET && v->len >= SCATTERED_MIN;
  const hx_val *parts = NULL;
  bool scattered = false;
  if (hx_is_obj(v)) {
    parts = v->u.obj->v;
    scattered = hx_shape_order(cx, v->u.obj->shape) && v->len >= SCATTERED_MIN;
  } else if (hx_is_seq(v)) {
    parts = v->u.seq->v;
    scattered = v->tag == HX_T_SET && v->len >= SCATTERED_MIN;
  }
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < v->len; i++)
    if (parts[i].tag > HX_T_STR && hx_value_settle(cx, &parts[i])) scattered = true;
  return scattered;
}

/* The most room that is allocated together with a home. More memory comes in pieces as it is needed. */
#define ROOM_MAX 4096u

typedef struct copy_job {
  const hx_val *from;
  hx_val to;
} copy_job;

static void run_copy(hx_cx *cx, void *ud) {
  copy_job *job = ud;
  job->to = hx_val_copy(cx, job->from);
}

/* Estimates the bytes that a copy takes. In a small object, the index of its keys takes most of them. */
static uint32_t room_for(const hx_val *v) {
  uint64_t weight = hx_val_weight(v), room = v->tag == HX_T_OBJECT ? 64 + weight * 4 : 96 + weight * 7 / 4;
  return room < ROOM_MAX ? (uint32_t)room : ROOM_MAX;
}

/* Gives v, a new Value on top of the stack, a home with a copy of `from`. Returns HX_WHY_NONE, or the reason for a failure. */
static hx_why settle_in(lua_State *L, hx_value *v, const hx_val *from) {
  copy_job job = { from, hx_none() };
  v->home = hx_home_new(room_for(from));
  hx_why why = v->home ? hx_home_run(v->home, run_copy, &job) : HX_WHY_NO_MEMORY;
  if (why != HX_WHY_NONE) return why;
  v->v = job.to;
  hx_state_grown(L, v->home->cx.arena.held + sizeof(hx_home));
  return why;
}

/* The most bytes of a text, or of a number's long part, that are stored in the userdata itself. */
#define WITHIN_MAX 1024u

/* Returns the bytes that a primitive value needs besides the hx_val. */
static size_t bytes_of(const hx_val *v) {
  return v->tag == HX_T_STR ? v->len : v->tag == HX_T_BOOL ? 0 : hx_num_size(v);
}

/* Returns the same value with its bytes copied to `room`. */
static hx_val copy_to(void *room, const hx_val *v) {
  if (hx_is_number(v)) return hx_num_copy_to(room, v);
  if (v->tag == HX_T_BOOL) return *v;
  memcpy(room, hx_val_str(v).p, v->len);
  return hx_string(hx_str_of(room, v->len));
}

static bool fits_within(const hx_val *v) {
  return (v->tag == HX_T_BOOL || v->tag == HX_T_STR || hx_is_number(v)) && bytes_of(v) <= WITHIN_MAX;
}

hx_why hx_value_push_copy(lua_State *L, const hx_val *v) {
  if (fits_within(v)) {
    hx_value *out = new_value(L, HX_CLASS_PRIMITIVE, bytes_of(v));
    out->v = copy_to(out + 1, v);
    return HX_WHY_NONE;
  }
  hx_why why = settle_in(L, new_empty(L), v);
  if (why != HX_WHY_NONE) lua_pop(L, 1);
  return why;
}

/* The greatest weight of a type with which a null or unknown counts as light. */
#define LIGHT_TYPE 256u

/* Returns true if the value is a scalar, null or unknown that is cheaper to copy than to keep with its memory. A Value made of kept
** memory would be copied as a whole (keeps_more). With this, a plan of 1,000 instances takes 327 million instructions instead of
** 366 million. */
static bool is_light(const hx_val *v) {
  if (v->tag == HX_T_NULL) return v->u.type->weight <= LIGHT_TYPE;
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->type->weight <= LIGHT_TYPE && !v->u.unk->open;
  return fits_within(v);
}

size_t hx_value_bytes(const hx_value *v) {
  return bytes_of(&v->v);
}

hx_val hx_value_use(hx_cx *cx, const hx_value *v) {
  if (!v->home) return copy_to(hx_alloc(cx, bytes_of(&v->v)), &v->v);
  if (is_light(&v->v)) return hx_val_copy(cx, &v->v);
  hx_home_keep(cx, v->home);
  return v->v;
}

hx_value *hx_check_value(lua_State *L, int arg) {
  hx_value *v = hx_check_class(L, arg, HX_CLASS_VALUE);
  if (hx_value_is_closed(v)) luaL_argerror(L, arg, "the Value has been closed");
  return v;
}

hx_value *hx_value_hold(lua_State *L, int arg) {
  if (lua_isnone(L, arg)) hx_arg_error(L, arg, hx_class_name(HX_CLASS_VALUE)); /* before a new Value is on the stack */
  hx_value *held = new_empty(L);
  const hx_value *v = hx_check_value(L, arg);
  if (!v->home) {
    /* Only memory can run out: a primitive nests nothing. */
    if (settle_in(L, held, &v->v) != HX_WHY_NONE) luaL_error(L, "not enough memory");
    return held;
  }
  held->home = hx_home_retain(v->home);
  held->v = v->v;
  return held;
}

/* From Lua data */

typedef struct data_job {
  lua_State *L;
  int at;
  const hx_type_handle *to;
  const char *name;
  hx_val out;
  bool ok, scattered;
} data_job;

static hx_str as_sentence(hx_cx *cx, hx_str reason) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 96);
  for (uint32_t i = 0; i < reason.len; i++) {
    char c = reason.p[i];
    hx_buf_put(&b, i == 0 && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
  }
  hx_buf_put(&b, '.');
  return hx_buf_done(&b);
}

static void report_mistake(hx_cx *cx, void *ud, hx_str reason) {
  (void)ud;
  hx_str text = hx_is_silent(cx) ? HX_STR("") : as_sentence(cx, reason);
  hx_diag_add_text(cx, HX_D_VALUE_CONVERT, NULL, hx_range_of(0, 0), text);
}

static void run_data(hx_cx *cx, void *ud) {
  data_job *job = ud;
  hx_val v;
  if (!hx_pull_data(job->L, cx, job->at, hx_str_c(job->name), &v)) return;
  /* Parts of other Values, and defaults, may occur in several places of the result; a copy would repeat them. */
  bool shares = cx->arena.defers != NULL || (job->to && job->to->constraint->defaults);
  if (job->to) {
    hx_why_not why = { { "", 0 } };
    hx_val given = v;
    hx_home_keep(cx, job->to->home); /* the converted value shares the types of `to` */
    if (!hx_constraint_convert(cx, job->to->constraint, &given, &v, &why)) {
      hx_constraint_mistakes(cx, job->to->constraint, &given, report_mistake, NULL);
      if (!cx->diags.errors) report_mistake(cx, NULL, why.text);
      return;
    }
  }
  job->scattered = hx_value_settle(cx, &v) && !shares;
  job->out = v;
  job->ok = true;
}

/* A Value made from other Values is copied if its weight is at most this. Without the copy, it would keep all memory of the other Values,
** and of everything that they were made from. */
#define LIGHT_MAX 4096u

static bool keeps_more(const hx_value *v) {
  return v->home->cx.arena.defers && hx_val_weight(&v->v) <= LIGHT_MAX;
}

/* Replaces the value by a copy whose parts are in order in memory, without what reading and conversion left in the old memory. If memory
** for the copy is missing, the value stays as it is. */
static void tidy(hx_value *v) {
  copy_job job = { &v->v, hx_none() };
  hx_home *home = hx_home_new(256);
  if (!home || hx_home_run(home, run_copy, &job) != HX_WHY_NONE) {
    hx_home_release(home);
    return;
  }
  hx_home_release(v->home);
  v->home = home;
  v->v = job.to;
}

void hx_check_given(lua_State *L, int arg) {
  if (lua_isnoneornil(L, arg)) luaL_argerror(L, arg, "value expected, got nil; null is hcl.null");
}

/* Returns true if a conversion would give the same value. Only quick checks are made. */
static bool suits(const hx_val *v, const hx_constraint *to) {
  if (to->type->kind == HX_K_DYNAMIC) return !to->defaults;
  return hx_type_is_primitive(to->type) && hx_val_is_of(v, to->type);
}

int hx_value_of_data(lua_State *L, int at, const hx_type_handle *to, const char *name) {
  const hx_value *given = hx_to_class(L, at, HX_CLASS_VALUE);
  data_job job = { L, at, to, name, hx_none(), false, false };
  hx_value *v;
  if (given && !to) {
    hx_check_value(L, at);
    lua_pushvalue(L, at);
    return 1;
  }
  /* A value that the conversion doesn't change only needs another Value. (A Value without a home, as an argument, stays valid even if a
  ** finalizer closes it.) */
  if (given && !hx_value_is_closed(given) && suits(&given->v, to->constraint)) {
    hx_val same = given->v;
    if (given->home) hx_value_hold(L, at);
    else hx_value_push_copy(L, &same);
    return 1;
  }
  v = hx_value_new_with_home(L, 256);
  hx_why why = hx_home_run(v->home, run_data, &job);
  if (why != HX_WHY_NONE || !job.ok) return hx_fail_made(L, why, &v->home->cx);
  if (fits_within(&job.out)) {
    hx_value_push_copy(L, &job.out);
    hx_work_close(L, lua_gettop(L) - 1);
    return 1;
  }
  v->v = job.out;
  if (job.scattered || keeps_more(v)) tidy(v);
  hx_home_rest(v->home);
  hx_state_grown(L, v->home->cx.arena.held + sizeof(hx_home));
  return 1;
}

/* core.value(x, type?): returns x as a Value, or nil and Diagnostics. */
static int l_value(lua_State *L) {
  const hx_type_handle *t = NULL;
  hx_check_given(L, 1);
  lua_settop(L, 2);
  if (!lua_isnil(L, 2) && !(t = hx_type_argument(L, 2))) return 2;
  return hx_value_of_data(L, 1, t, "value");
}

/* Properties */

static int l_type(lua_State *L) {
  const hx_value *v = hx_value_hold(L, 1);
  hx_type_push_of(L, v->home, &v->v);
  return 1;
}

static int l_is_known(lua_State *L) {
  lua_pushboolean(L, !hx_is_unknown(hx_unmarked(&hx_check_value(L, 1)->v)));
  return 1;
}

static int l_is_null(lua_State *L) {
  lua_pushboolean(L, hx_is_null(hx_unmarked(&hx_check_value(L, 1)->v)));
  return 1;
}

typedef struct known_job {
  const hx_val *v;
  bool known;
} known_job;

static void run_known(hx_cx *cx, void *ud) {
  known_job *job = ud;
  (void)cx;
  job->known = hx_is_wholly_known(job->v);
}

static int l_is_wholly_known(lua_State *L) {
  known_job job = { &hx_check_value(L, 1)->v, true };
  if (job.v->tag > HX_T_STR) hx_home_must(L, hx_value_hold(L, 1)->home, run_known, &job);
  lua_pushboolean(L, job.known);
  return 1;
}

/* Elements */

typedef struct part_job {
  hx_home *from;
  const hx_marks *marks;
  hx_val v;
} part_job;

static void run_part(hx_cx *cx, void *ud) {
  part_job *job = ud;
  hx_home_keep(cx, job->from);
  job->v = hx_mark(cx, job->v, job->marks);
}

/* Replaces v, which is held and on top of the stack, by its element `part`, with the marks of v itself. */
static int push_part(lua_State *L, hx_value *v, const hx_val *part) {
  const hx_marks *marks = hx_marks_get(&v->v);
  part_job job = { v->home, marks, *part };
  hx_value *out;
  if (!marks) {
    v->v = *part;
    return 1;
  }
  out = hx_value_new_with_home(L, 256);
  hx_home_must(L, out->home, run_part, &job);
  out->v = job.v;
  lua_remove(L, -2);
  return 1;
}

static void run_key(hx_cx *cx, void *ud) {
  hx_str *key = ud;
  *key = hx_nfc_given(cx, *key);
}

/* Returns the attribute or element whose key is argument 2, in any normalisation form, or NULL if it is missing. */
static const hx_val *part_by_key(lua_State *L, const hx_val *bare) {
  hx_str key = hx_check_str(L, 2);
  const hx_val *part = hx_obj_get(bare, key);
  if (part || hx_is_ascii(key) || !hx_utf8_valid(key)) return part;
  int top = lua_gettop(L);
  hx_home_must(L, hx_work_push(L), run_key, &key);
  part = hx_obj_get(bare, key);
  hx_work_close(L, top + 1);
  lua_settop(L, top);
  return part;
}

/* Returns the value without its marks, or the known parts of an open object or of items. */
static const hx_val *known_of(const hx_value *v) {
  const hx_val *bare = hx_unmarked(&v->v);
  return hx_known_parts(bare) ? hx_known_parts(bare) : bare;
}

static int l_get(lua_State *L) {
  hx_value *v = (lua_settop(L, 2), hx_value_hold(L, 1));
  const hx_val *bare = known_of(v), *part = NULL;
  int type = lua_type(L, 2);
  if (type == LUA_TNUMBER && hx_is_seq(bare)) {
    lua_Number d = lua_tonumber(L, 2);
    if (d >= 0 && d < (lua_Number)bare->len && d == (lua_Number)(uint32_t)d) part = &bare->u.seq->v[(uint32_t)d];
  } else if (type == LUA_TSTRING && hx_is_obj(bare)) {
    part = part_by_key(L, bare);
  } else if (type != LUA_TNUMBER && type != LUA_TSTRING) {
    return hx_arg_error(L, 2, "number or string");
  }
  if (part) return push_part(L, v, part);
  lua_pushnil(L);
  return 1;
}

/* Raises unless the value has elements. */
static void check_elements(lua_State *L, const hx_val *bare) {
  if (hx_is_unknown(bare)) luaL_argerror(L, 1, "the Value is not known");
  if (!hx_is_seq(bare) && !hx_is_obj(bare)) {
    if (hx_is_null(bare)) luaL_argerror(L, 1, "the Value is null");
    luaL_argerror(L, 1, lua_pushfstring(L, "a %s has no elements", hx_kind_name(hx_val_kind(bare))));
  }
}

static int l_len(lua_State *L) {
  const hx_val *bare = hx_unmarked(&hx_check_value(L, 1)->v);
  check_elements(L, bare);
  lua_pushinteger(L, (lua_Integer)bare->len);
  return 1;
}

#define UP_VALUE lua_upvalueindex(HX_UPVALUES + 1)
#define UP_INDEX lua_upvalueindex(HX_UPVALUES + 2)

static int l_next(lua_State *L) {
  uint32_t i = (uint32_t)lua_tonumber(L, UP_INDEX);
  const hx_val *bare;
  hx_value *v;
  lua_settop(L, 0);
  lua_pushvalue(L, UP_VALUE);
  v = hx_value_hold(L, 1);
  bare = known_of(v);
  if (i >= bare->len) return 0;
  lua_pushnumber(L, (lua_Number)i + 1);
  lua_replace(L, UP_INDEX);
  if (hx_is_seq(bare)) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_insert(L, 2);
    return 1 + push_part(L, v, &bare->u.seq->v[i]);
  }
  const hx_shape *shape = bare->u.obj->shape;
  uint32_t at = shape->order ? shape->order[i] : i; /* settling or copying the value has sorted the keys */
  hx_push_str(L, shape->keys[at]);
  lua_insert(L, 2);
  return 1 + push_part(L, v, &bare->u.obj->v[at]);
}

static int l_pairs(lua_State *L) {
  check_elements(L, known_of(hx_check_value(L, 1)));
  lua_pushvalue(L, HX_UP_STATE);
  lua_pushvalue(L, HX_UP_STORE);
  lua_pushvalue(L, HX_UP_ANCHORS);
  lua_pushvalue(L, 1);
  lua_pushnumber(L, 0);
  lua_pushcclosure(L, l_next, HX_UPVALUES + 2);
  return 1;
}

/* To Lua, to text */

/* Pushes the Lua data of the Value at index 1 by the options at index 2; nil and Diagnostics if the data take more than `output` bytes, or
** the options don't allow a part. */
static int push_lua(lua_State *L, uint64_t output) {
  hx_convert_options options = { 0 };
  if (lua_isnil(L, 2) && hx_push_scalar(L, &hx_check_value(L, 1)->v, output)) return 1;
  const hx_value *v = hx_value_hold(L, 1);
  hx_home *home = v->home;
  /* Depth doesn't count here: it was checked when the value was made. */
  hx_pusher p = { .L = L, .cx = &home->cx, .options = &options, .beside = HX_DEPTH_MAX };
  hx_arena_mark mark = hx_arena_get_mark(&home->cx.arena);
  int n = 1;
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_newtable(L);
    p.values = lua_gettop(L);
    hx_convert_read(L, 2, 2, &options, p.values);
  }
  if (hx_unmarked(&v->v)->tag == HX_T_CAPSULE) { /* a type reveals nothing of values, whatever its marks */
    hx_type_push_copy(L, hx_unmarked(&v->v)->u.type);
    return 1;
  }
  home->cx.output_left = output;
  home->cx.diags = (hx_diags){ 0 };
  if (!hx_push(&p, &v->v)) n = hx_fail_push(L, &home->cx, NULL);
  home->cx.diags = (hx_diags){ 0 };
  hx_arena_release(&home->cx.arena, mark);
  return n;
}

static int l_lua(lua_State *L) {
  lua_settop(L, 2);
  return push_lua(L, hx_limits_default.output);
}

/* core.to_lua(value, output): v:lua() within a limit of output. */
static int l_to_lua(lua_State *L) {
  lua_Number output = luaL_checknumber(L, 2);
  lua_settop(L, 1);
  lua_pushnil(L);
  return push_lua(L, (uint64_t)output);
}

typedef struct text_job {
  const hx_val *v;
  bool console;
  hx_str text;
} text_job;

static void run_text(hx_cx *cx, void *ud) {
  text_job *job = ud;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 64);
  if (job->console) hx_render_console(cx, &b, job->v);
  else hx_num_show(cx, &b, job->v, HX_SHOWN_DIGITS);
  job->text = hx_buf_done(&b);
}

static void run_short(hx_cx *cx, void *ud) {
  text_job *job = ud;
  job->text = hx_render_short(cx, job->v);
}

/* Pushes the text of a value. A text beyond a limit is replaced by the short one that messages show, so that only lack of memory raises. */

static void push_text(lua_State *L, hx_home *home, const hx_val *v, bool console) {
  text_job job = { v, console, { "", 0 } };
  hx_arena_mark mark = hx_arena_get_mark(&home->cx.arena);
  hx_why why = hx_home_run(home, run_text, &job);
  if (why != HX_WHY_NONE && why != HX_WHY_NO_MEMORY) why = hx_home_run(home, run_short, &job);
  if (why != HX_WHY_NONE) {
    hx_arena_release(&home->cx.arena, mark);
    luaL_error(L, "%s", hx_why_word(why));
  }
  hx_push_str(L, job.text);
  hx_arena_release(&home->cx.arena, mark);
}

/* Pushes the text of an unmarked primitive; raises for any other value. */
static void push_primitive(lua_State *L, const hx_value *value) {
  const hx_val *v = &value->v;
  switch ((hx_tag)v->tag) {
    case HX_T_STR: hx_push_str(L, hx_val_str(v)); return;
    case HX_T_BOOL: lua_pushstring(L, v->u.i ? "true" : "false"); return;
    case HX_T_INT:
    case HX_T_NUM: push_text(L, value->home, v, false); return;
    case HX_T_MARKED: luaL_error(L, "the Value is marked: its text may not be shown; take v:unmark() first"); return;
    case HX_T_UNKNOWN: luaL_error(L, "the Value is not known and has no text"); return;
    case HX_T_NULL: luaL_error(L, "the Value is null and has no text"); return;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE:
    case HX_T_MAP:
    case HX_T_OBJECT:
    case HX_T_CAPSULE:
    case HX_T_NONE:
    case HX_T_FOREIGN: luaL_error(L, "a Value of kind %s has no text; tostring(v) renders it", hx_kind_name(hx_val_kind(v)));
  }
}

static int l_text(lua_State *L) {
  const hx_value *v = hx_check_value(L, 1);
  push_primitive(L, v->home || hx_is_number(&v->v) ? hx_value_hold(L, 1) : v);
  return 1;
}

static int l_tostring(lua_State *L) {
  const hx_value *v = hx_check_class(L, 1, HX_CLASS_VALUE);
  if (hx_value_is_closed(v)) {
    lua_pushliteral(L, "(closed value)");
    return 1;
  }
  v = hx_value_hold(L, 1);
  push_text(L, v->home, &v->v, true);
  return 1;
}

/* v .. s: a string, number or bool is concatenated as its text, any other value as tostring(v). No marked value is shown. */
static int l_concat(lua_State *L) {
  for (int i = 1; i <= 2; i++) {
    if (hx_to_class(L, i, HX_CLASS_VALUE)) {
      const hx_value *v = hx_value_hold(L, i);
      if (v->v.tag == HX_T_STR || v->v.tag == HX_T_BOOL || hx_is_number(&v->v)) push_primitive(L, v);
      else push_text(L, v->home, &v->v, true);
      lua_remove(L, -2);
    } else if (lua_isstring(L, i)) lua_pushvalue(L, i);
    else return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, i));
  }
  lua_concat(L, 2);
  return 1;
}

/* Comparison */

typedef struct same_job {
  const hx_val *a, *b;
  bool same;
} same_job;

static void run_same(hx_cx *cx, void *ud) {
  same_job *job = ud;
  job->same = hx_same(cx, job->a, job->b);
}

static int l_eq(lua_State *L) {
  const hx_value *a = hx_to_class(L, 1, HX_CLASS_VALUE), *b = hx_to_class(L, 2, HX_CLASS_VALUE);
  same_job job;
  hx_arena_mark mark;
  if (a && !a->home && !hx_value_is_closed(a)) a = hx_value_hold(L, 1);
  if (!a || !b || hx_value_is_closed(a) || hx_value_is_closed(b)) {
    lua_pushboolean(L, a == b);
    return 1;
  }
  job = (same_job){ &a->v, &b->v, false };
  mark = hx_arena_get_mark(&a->home->cx.arena);
  hx_home_must(L, a->home, run_same, &job);
  hx_arena_release(&a->home->cx.arena, mark);
  lua_pushboolean(L, job.same);
  return 1;
}

/* Returns the value to be compared: a Lua number, or the value of a Value, which need not be a number; NONE for anything else. */
static hx_val check_number(lua_State *L, int arg, hx_cx *cx) {
  hx_val n = hx_none();
  if (lua_type(L, arg) == LUA_TNUMBER) {
    hx_puller p;
    hx_puller_init(&p, L, cx, HX_STR("number"));
    hx_pull_number(&p, arg, &n);
  } else if (hx_to_class(L, arg, HX_CLASS_VALUE)) {
    n = hx_check_value(L, arg)->v;
  }
  return n;
}

typedef struct order_job {
  lua_State *L;
  int order;
  bool ok;
} order_job;

static void run_order(hx_cx *cx, void *ud) {
  order_job *job = ud;
  hx_val a = check_number(job->L, 1, cx), b = check_number(job->L, 2, cx);
  job->ok = hx_is_number(&a) && hx_is_number(&b);
  if (job->ok) job->order = hx_num_cmp(&a, &b);
}

static int compare(lua_State *L) {
  const hx_value *v = hx_to_class(L, 1, HX_CLASS_VALUE);
  order_job job = { L, 0, false };
  hx_arena_mark mark;
  hx_home *home;
  int at = v ? 1 : 2;
  if (!v) v = hx_check_class(L, 2, HX_CLASS_VALUE);
  if (hx_value_is_closed(v)) return luaL_error(L, "the Value has been closed");
  home = v->home ? v->home : hx_value_hold(L, at)->home;
  mark = hx_arena_get_mark(&home->cx.arena);
  hx_home_must(L, home, run_order, &job);
  hx_arena_release(&home->cx.arena, mark);
  if (!job.ok) return luaL_error(L, "attempt to compare Values that are not plain known numbers");
  return job.order;
}

static int l_lt(lua_State *L) {
  lua_pushboolean(L, compare(L) < 0);
  return 1;
}

static int l_le(lua_State *L) {
  lua_pushboolean(L, compare(L) <= 0);
  return 1;
}

/* End */

static int l_close(lua_State *L) {
  hx_value *v = hx_check_class(L, 1, HX_CLASS_VALUE);
  if (hx_state_get(L)->work == v) hx_state_get(L)->work = NULL;
  hx_home_release(v->home);
  v->home = NULL;
  v->v = hx_none();
  return 0;
}

static const luaL_Reg methods[] = {
  { "__gc", l_close },
  { "__eq", l_eq },
  { "__lt", l_lt },
  { "__le", l_le },
  { "__len", l_len },
  { "__concat", l_concat },
  { "__tostring", l_tostring },
  { "type", l_type },
  { "is_known", l_is_known },
  { "is_null", l_is_null },
  { "is_wholly_known", l_is_wholly_known },
  { "marks", hx_value_marks },
  { "unmark", hx_value_unmark },
  { "mark", hx_value_mark },
  { "refinements", hx_value_refinements },
  { "get", l_get },
  { "pairs", l_pairs },
  { "__pairs", l_pairs },
  { "lua", l_lua },
  { "text", l_text },
  { "close", l_close },
  { "__close", l_close },
  { NULL, NULL },
};

static const luaL_Reg functions[] = {
  { "value", l_value }, { "to_lua", l_to_lua }, { "sensitive", hx_value_sensitive }, { "mark", hx_value_marked }, { NULL, NULL },
};

/* Gives the class of primitives the methods of Values, as the same functions, without the finalizer. (Lua 5.1 compares two Values only if
** both metatables share the function.) */
static void share_methods(lua_State *L) {
  lua_rawgeti(L, HX_UP_STORE, HX_CLASS_PRIMITIVE);
  lua_rawgeti(L, HX_UP_STORE, HX_CLASS_VALUE);
  for (const luaL_Reg *m = methods; m->name; m++) {
    if (strcmp(m->name, "__gc") == 0) continue;
    lua_getfield(L, -1, m->name);
    lua_setfield(L, -3, m->name);
  }
  lua_pop(L, 2);
}

void hx_open_value(lua_State *L) {
  hx_register(L, HX_CLASS_VALUE, methods, functions);
  share_methods(L);
}
