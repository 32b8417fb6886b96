/* push.h: turns values of the language into Lua data. Tables are made at their final size and filled raw.
** Memory: Lua's; Values in the data have homes of their own.
** Errors: false with one diagnostic in cx (convert = "error", limits.output, limits.depth, memory); the Lua stack is then as before.
**   Data nests at most cx->limits.depth levels (and `beside` more), and no deeper than Lua's stack allows (about 2,600 levels on 5.1 and
**   LuaJIT). */
#ifndef HX_BINDING_DATA_PUSH_H
#define HX_BINDING_DATA_PUSH_H

#include "binding/state/state.h"
#include "text/data_path.h"
#include "value/number/number.h"

typedef enum hx_big { HX_BIG_VALUE, HX_BIG_STRING, HX_BIG_FLOAT, HX_BIG_ERROR } hx_big;
typedef enum hx_hidden { HX_HIDDEN_VALUE, HX_HIDDEN_REVEAL, HX_HIDDEN_ERROR } hx_hidden;
typedef enum hx_open { HX_OPEN_VALUE, HX_OPEN_ERROR } hx_open;
typedef enum hx_nulls { HX_NULLS_NULL, HX_NULLS_OMIT, HX_NULLS_OTHER } hx_nulls;
typedef enum hx_array_mts { HX_ARRAYS_OURS, HX_ARRAYS_OTHER, HX_ARRAYS_NONE } hx_array_mts;

/* The options of `convert`. Their Lua values are in a table, at the slots below. */
typedef struct hx_convert_options {
  uint8_t null;      /* hx_nulls */
  uint8_t big;       /* hx_big */
  uint8_t sensitive; /* hx_hidden */
  uint8_t unknown;   /* hx_open */
  uint8_t array_mt;  /* hx_array_mts */
  bool object_mt;
  bool exact; /* fractions that no float represents are treated as big numbers */
} hx_convert_options;
enum { HX_CONVERT_NULL = 1, HX_CONVERT_ARRAY_MT, HX_CONVERT_OBJECT_MT };

/* Reads the table of options at `at` into *o; options that it lacks stay. Puts their Lua values into the table at `values`. Raises at
** argument arg for misuse. */
void hx_convert_read(lua_State *L, int at, int arg, hx_convert_options *o, int values);

/* What hx_push needs. `values`: stack index of the table with the options' Lua values, 0 if they need none; source, range: the place for
** diagnostics. */
typedef struct hx_pusher {
  lua_State *L;
  hx_cx *cx;
  const hx_convert_options *options;
  int values;
  const struct hx_source *source;
  hx_range range;
  uint32_t beside; /* levels of depth that the limit doesn't count */
  bool charged;    /* each element takes a step, because an expression may call functions any number of times */
  hx_why why;      /* after a failure: the limit that caused it, or HX_WHY_NONE */
  /* Private */
  int null, array_mt, object_mt;
  uint32_t depth;
  hx_diag *told;         /* the diagnostic of the failure */
  hx_val bad;            /* the value that caused the failure */
  hx_way way;            /* the path to this value */
  const hx_shape *shape; /* the shape whose keys are on the stack, from the slot `keys` on */
  int keys;
} hx_pusher;

bool hx_push(hx_pusher *p, const hx_val *v);

/* Pushes a scalar as the default options convert it, if it has at most `room` bytes. Returns false if it pushed nothing, and
** hx_push is needed. */
HX_INLINE bool hx_push_scalar(lua_State *L, const hx_val *v, uint64_t room) {
  double d;
  if (v->tag == HX_T_BOOL) {
    lua_pushboolean(L, (int)v->u.i);
#if HX_LUA_INTEGERS
  } else if (v->tag == HX_T_INT) {
    lua_pushinteger(L, (lua_Integer)v->u.i);
#else
  } else if (v->tag == HX_T_INT && v->u.i <= 9007199254740992 && v->u.i >= -9007199254740992) {
    lua_pushnumber(L, (lua_Number)v->u.i);
#endif
  } else if (v->tag == HX_T_NUM && hx_num_to_float(v, &d)) {
    lua_pushnumber(L, d);
  } else if (v->tag == HX_T_STR && v->len <= room) {
    hx_push_str(L, hx_val_str(v));
  } else {
    return false;
  }
  return true;
}

#endif
