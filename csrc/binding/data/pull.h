/* pull.h: turns whole Lua data into values of the language. Tables are read raw: no metamethod runs.
** Memory: results and messages are in cx->arena. Strings are copied; the arena keeps the memory of a Value.
** Errors: false, with the diagnostic's id and text in the puller. Nothing is reported: the caller knows the place. Data nests at most
**   cx->limits.depth levels, and no deeper than Lua's stack allows (about 2,600 levels on 5.1 and LuaJIT). */
#ifndef HX_BINDING_DATA_PULL_H
#define HX_BINDING_DATA_PULL_H

#include "binding/state/state.h"
#include "text/unicode.h"

typedef struct hx_puller hx_puller;

/* A level of the data. Messages need it for paths, and check_nesting for the search for cycles. */
typedef struct hx_pull_level {
  struct hx_pull_level *outer;
  const void *table;
  hx_str key;            /* p is NULL: an index */
  int64_t index;         /* from 0 */
  const hx_shape *shape; /* the shape of the last object read at this level */
} hx_pull_level;

struct hx_puller {
  lua_State *L;
  hx_cx *cx;
  const void *array_mt; /* the address of the scope's convert.array_mt, or NULL */
  const void *null;     /* the address of a userdata that is null for the scope, or NULL */
  hx_str name;          /* what messages call the whole data: "var.a", "the result" */
  /* Answers the lazy value at the index. Returns true if it pushed the result. Returns false if the value's function must be called
  ** first (see lazies), or failed, and hx_pull_fail was called. If this is NULL, lazy values are errors. */
  bool (*lazy)(hx_puller *p, int at);
  void *ud;             /* for lazy */
  uint32_t lazies;      /* number of lazy values whose functions must be called first: if not 0, the result is useless */
  hx_pull_level *level; /* innermost */
  uint32_t depth;
  bool failed;
  hx_diag_id id;         /* the id of the failure's diagnostic */
  hx_str message;        /* p is NULL: none yet */
  const hx_diags *diags; /* to be reported instead of the message, or NULL */
};

void hx_puller_init(hx_puller *p, lua_State *L, hx_cx *cx, hx_str name);
/* Copying this many bytes takes a step. */
#define HX_PULL_BYTES 256u

/* The slow part of hx_pull_text. */
bool hx_pull_unicode(hx_cx *cx, hx_str copy, hx_val *out);
/* Copies a Lua string of at most 2 GiB as a string of the language, checked and in NFC, and charges its memory. Returns false if
** the string isn't UTF-8. Charges steps for long texts, and for normalisation. */
HX_INLINE bool hx_pull_text(hx_cx *cx, const char *s, size_t len, hx_val *out) {
  if (HX_UNLIKELY(len >= HX_PULL_BYTES)) hx_charge_steps(cx, len / HX_PULL_BYTES);
  char *copy = hx_alloc(cx, len);
  if (HX_UNLIKELY(!hx_copy_ascii(copy, s, len))) return hx_pull_unicode(cx, hx_str_of(copy, len), out);
  *out = hx_string(hx_str_of(copy, len));
  return true;
}
/* The slow part of hx_pull_plain, for a number that isn't whole. */
bool hx_pull_fraction(hx_cx *cx, lua_Number d, hx_val *out);
/* Reads the scalar at stack index `at`, of this Lua type: a number, bool, string or hcl.null. Returns false if hx_pull must be
** called, which also finds out what is wrong. */
HX_INLINE bool hx_pull_plain(lua_State *L, hx_cx *cx, int at, int type, hx_val *out) {
  if (type == LUA_TSTRING) {
    size_t len;
    const char *s = lua_tolstring(L, at, &len);
    if (len > cx->memory_left || len > UINT32_MAX / 2) return false;
    cx->memory_left -= len;
    if (HX_LIKELY(hx_pull_text(cx, s, len, out))) return true;
    cx->memory_left += len;
    return false;
  }
  if (type == LUA_TNUMBER) {
    int64_t i;
    if (HX_UNLIKELY(!hx_lua_whole(L, at, &i))) return hx_pull_fraction(cx, lua_tonumber(L, at), out);
    *out = hx_int(i);
    return true;
  }
  if (type == LUA_TBOOLEAN) {
    *out = hx_bool(lua_toboolean(L, at) != 0);
    return true;
  }
  if (type != LUA_TLIGHTUSERDATA || lua_touserdata(L, at)) return false;
  *out = hx_null(&hx_type_dynamic);
  return true;
}
/* Reads the value at stack index `at` into *out. */
bool hx_pull(hx_puller *p, int at, hx_val *out);
/* Reads the value at `at` without a puller, and reports errors, without a place. name: what messages call the whole data. */
bool hx_pull_data(lua_State *L, hx_cx *cx, int at, hx_str name, hx_val *out);
/* Read a string, a table's key that is a string, or a number at `at`. Strings are copied, checked and in NFC. */
bool hx_pull_string(hx_puller *p, int at, hx_val *out);
bool hx_pull_key(hx_puller *p, int at, hx_val *out);
bool hx_pull_number(hx_puller *p, int at, hx_val *out);

/* Returns true if the table is an array, and sets *n to the number of its elements. Otherwise the table is an object. */
bool hx_table_is_array(hx_puller *p, int at, size_t *n);
/* Returns whether the value at the index is one of the nulls of Lua's modules, or cjson.empty_array. */
typedef enum hx_odd { HX_ODD_NOTHING, HX_ODD_NULL, HX_ODD_EMPTY_ARRAY } hx_odd;
hx_odd hx_odd_value(lua_State *L, int at, const void *null);

/* Records the failure in the puller, and returns false. The message begins with the path of the current place. */
bool hx_pull_fail(hx_puller *p, hx_diag_id id, hx_str text);
/* Records that a key is in the table in two Unicode forms, and returns false. */
bool hx_pull_fail_twice(hx_puller *p, hx_str key);

#endif
