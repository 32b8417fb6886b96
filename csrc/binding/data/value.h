/* value.h: the Value userdata: an exact, typed value of the language as Lua holds it.
** Memory: a Value shares a home with the Values that it was taken from, or that were taken from it; close() releases the home at once. A
**   new number, bool or short text usually lies in the userdata itself, because most are only passed on.
** Errors: making a Value raises only if Lua itself is out of memory. Failures that depend on input are nil and diagnostics. */
#ifndef HX_BINDING_DATA_VALUE_H
#define HX_BINDING_DATA_VALUE_H

#include "binding/data/push.h"
#include "value/marks.h"

struct hx_type_handle;

typedef struct hx_value {
  hx_home *home; /* NULL: closed, or a primitive in the userdata itself (HX_CLASS_PRIMITIVE) */
  hx_val v;      /* HX_T_NONE: closed */
} hx_value;

HX_INLINE bool hx_value_is_closed(const hx_value *v) {
  return v->v.tag == HX_T_NONE;
}
/* Returns the value of a Value that isn't closed, for use in cx. cx keeps the Value's home alive, or gets a copy if the value is light. */
hx_val hx_value_use(hx_cx *cx, const hx_value *v);
/* Returns the number of bytes that hx_value_use takes from cx for a primitive without a home. */
size_t hx_value_bytes(const hx_value *v);

/* Pushes a Value with a new home, which begins with `room` bytes. */
hx_value *hx_value_new_with_home(lua_State *L, uint32_t room);
/* Sorts the objects of a value that outlives evaluations, in the value's own memory. Otherwise each evaluation would sort them in
** its own. Returns true if large parts of the value are scattered in memory, so that a copy would be faster to iterate over. */
bool hx_value_settle(hx_cx *cx, const hx_val *v);
/* Pushes a new Value that holds the value of argument `arg`, and always has a home: any allocation of Lua's may run a finalizer that closes
** the argument. */
hx_value *hx_value_hold(lua_State *L, int arg);
/* Pushes a Value that is a deep copy of v, with memory of its own. If that fails, pushes nothing and returns the reason. */
hx_why hx_value_push_copy(lua_State *L, const hx_val *v);
/* Pushes a Value whose data lie in the memory block `home`, which it keeps alive. */
void hx_value_push(lua_State *L, hx_home *home, const hx_val *v);
/* Pushes a userdata that keeps a new home until it is collected, for work in C between calls of Lua that may raise. Returns the home. */
hx_home *hx_work_push(lua_State *L);
/* Releases the home of the userdata at `at` at once, for functions that are called by the thousand. */
void hx_work_close(lua_State *L, int at);
/* A function of the module's table that works in an activity of its own, whose memory ends with the call. fn runs under the activity's
** guard, finds the arguments at 1 … arguments, and returns the number of results on top of the stack. */
typedef struct hx_work_row {
  const char *name;
  int arguments;
  int (*fn)(lua_State *L, hx_cx *cx);
  bool has_limits; /* exceeding a limit returns nil and Diagnostics; otherwise only lack of memory can end the call, and raises */
} hx_work_row;
/* Adds the functions of n rows to the table on top of the stack. */
void hx_register_work(lua_State *L, const hx_work_row *rows, size_t n);
#define HX_REGISTER_WORK(L, rows) hx_register_work((L), (rows), sizeof(rows) / sizeof *(rows))
hx_value *hx_check_value(lua_State *L, int arg);

/* Pushes an array of the names of marks, which is empty for NULL. */
void hx_marks_push(lua_State *L, const hx_marks *marks);

/* Raises unless argument arg is given, and not nil. */
void hx_check_given(lua_State *L, int arg);
/* Pushes the Lua data at `at` as a Value, converted to the type `to` unless that is NULL; or nil and Diagnostics. Returns the number of
** results. name: the name of the data in messages. */
int hx_value_of_data(lua_State *L, int at, const struct hx_type_handle *to, const char *name);

/* unknown.c: value:refinements(): returns what is known about an unknown Value, in the form that core.unknown takes, or nil for a
** known Value. */
int hx_value_refinements(lua_State *L);
/* marks.c: v:marks(), v:mark(name), v:unmark(name?), core.sensitive(x), core.mark(x, name). */
int hx_value_marks(lua_State *L);
int hx_value_mark(lua_State *L);
int hx_value_unmark(lua_State *L);
int hx_value_sensitive(lua_State *L);
int hx_value_marked(lua_State *L);

#endif
