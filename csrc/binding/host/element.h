/* element.h: elements of Lua tables. Every step into a table (a path, a column of a loop, an index) finds its element here.
**
** Index i of the language, from 0, is t[i + 1]; a name is t[name], the name as written. Tables are read raw: no metamethod
** runs, and a table with a metatable has the elements that it holds itself. nil isn't an element.
**
** A metatable doesn't change which elements a table has, but it may make the table a Lazy, which is replaced by another value. A Lazy
** holds nothing but a function. So a raw step into any table that arrives at a value that is neither nil nor a function has
** not stepped into a Lazy. (A table can also be the scope's convert.null. With such a scope only hx_walk takes several steps.)
** Memory: elements are pushed, one stack slot for each. The caller has made room.
** Errors: memory only. A name without an anchor makes a Lua string, so finalizers may run. */
#ifndef HX_BINDING_HOST_ELEMENT_H
#define HX_BINDING_HOST_ELEMENT_H

#include "binding/host/evaluation.h"

/* Pushes the key of a path's step. hx_push_new_step does it the first time, when the key has no anchor yet. */
void hx_push_new_step(hx_evaluation *ev, const hx_path_step *s);
HX_INLINE void hx_push_step(hx_evaluation *ev, const hx_path_step *s) {
  if (HX_LIKELY(s->anchor != 0)) hx_anchor_push(ev->L, s->anchor);
  else hx_push_new_step(ev, s);
}

/* The next four functions push an element of a table, or nil if it is absent, and return its Lua type. */

/* By an index of the language, in the table at `table`. */
HX_INLINE int hx_element_at(lua_State *L, int table, int64_t index) {
  if (HX_LIKELY(index >= 0 && index < INT32_MAX)) return hx_lua_rawgeti(L, table, (int)index + 1);
  lua_pushnil(L);
  return LUA_TNIL;
}
/* By name; `table` is counted from the bottom. */
HX_INLINE int hx_element_of_name(hx_evaluation *ev, int table, hx_str name) {
  hx_push_str(ev->L, name);
  hx_guard_again(&ev->machine.cx);
  return hx_lua_rawget(ev->L, table);
}
/* By a path's step; `table` is counted from the bottom, or -1. */
HX_INLINE int hx_element_of_step(hx_evaluation *ev, int table, const hx_path_step *s) {
  if (s->kind == HX_STEP_INDEX) return hx_element_at(ev->L, table, s->index);
  hx_push_step(ev, s);
  return hx_lua_rawget(ev->L, table == -1 ? -2 : table);
}
/* By a key of the language, a number (INT) or string (STR), in the table on top of the stack. */
HX_INLINE int hx_element_of_key(hx_evaluation *ev, const hx_val *key) {
  int table = lua_gettop(ev->L);
  if (key->tag == HX_T_INT) return hx_element_at(ev->L, table, key->u.i);
  return hx_element_of_name(ev, table, hx_val_str(key));
}

/* Returns true if the table at `at` has no metatable, so that it can't be a Lazy. */
HX_INLINE bool hx_is_plain_table(lua_State *L, int at) {
  if (HX_LIKELY(!lua_getmetatable(L, at))) return true;
  lua_pop(L, 1);
  return false;
}

/* Follows steps[0 … n) through tables from the value at `at`, which has this type, and pushes each element on the way. Stops early
** at a value that isn't a table, or lacks the next element. Returns the type of the last value, and sets *taken to the number of
** steps followed. The scope must not have its own convert.null. */
HX_INLINE int hx_follow(hx_evaluation *ev, int at, int type, const hx_path_step *steps, uint32_t n, uint32_t *taken) {
  uint32_t i = 0;
  for (; i < n && type == LUA_TTABLE; i++, at = -1) {
    int next = hx_element_of_step(ev, at, &steps[i]);
    if (next == LUA_TNIL) {
      lua_pop(ev->L, 1);
      break;
    }
    type = next;
  }
  *taken = i;
  return type;
}

#endif
