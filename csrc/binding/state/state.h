/* state.h: what the binding keeps for one Lua state: the classes' metatables, anchored strings, the idle machine.
**
** Every function of ours is a closure over three upvalues, so that no hot path looks up a name:
**   1 the hx_state   2 the store: a table by slot (below)   3 the anchors: Lua strings by number
** Memory: the state is a userdata kept by the store; the registry keeps the store.
** Errors: argument checks raise and name the argument, as Lua's own library does. */
#ifndef HX_BINDING_STATE_STATE_H
#define HX_BINDING_STATE_STATE_H

#include "binding/state/home.h"

typedef enum hx_class {
  HX_CLASS_NONE,
  HX_CLASS_EXPRESSION,
  HX_CLASS_SCOPE,
  HX_CLASS_PRIMITIVE, /* also a Value: a primitive inside the userdata, so it needs no finalizer */
  HX_CLASS_VALUE,
  HX_CLASS_TYPE,
  HX_CLASS_BODY,
  HX_CLASS_ATTRIBUTE,
  HX_CLASS_BLOCK,
  HX_CLASS_DIAGNOSTICS, /* a table: the array returned by a failing call */
  HX_CLASS_DIAGNOSTIC,  /* a table: one of its elements */
  HX_CLASS_LISTING,     /* the userdata with the data of both (listing.h) */
  HX_CLASS_KEEPER,      /* a listing that keeps programs alive */
  HX_CLASS_EVALUATION,
  HX_CLASS_LAZY,   /* a table: the result of hcl.lazy */
  HX_CLASS_FUNC,   /* the result of hcl.func */
  HX_CLASS_ARRAY,  /* hcl.array_mt */
  HX_CLASS_SCHEMA, /* of core.schema, for our own Lua files */
  HX_CLASS_FAMILY, /* of core.family, likewise */
  HX_CLASS_COUNT
} hx_class;

/* Slots of the store: the metatable of class c is at c. */
enum {
  HX_SLOT_STATE = HX_CLASS_COUNT, /* the hx_state itself */
  HX_SLOT_MACHINE,                /* the idle evaluation, or nil */
  HX_SLOT_WORK,                   /* a userdata for work in C: see hx_work_push */
  HX_SLOT_CORE,                   /* the module's table */
  HX_SLOT_EVALUATIONS,            /* evaluations by address, as weak values */
  HX_SLOT_ARRAY_LISTINGS,         /* listings by their arrays, which are weak keys: see diagnostics.c */
};

#define HX_UP_STATE lua_upvalueindex(1)
#define HX_UP_STORE lua_upvalueindex(2)
#define HX_UP_ANCHORS lua_upvalueindex(3)
#define HX_UPVALUES 3

/* The size of tables of userdata whose class was checked recently. An address in such a table is a live userdata of that class.
** Finding it there costs a tenth of a check of its metatable. */
#define HX_SEEN 256

typedef struct hx_state {
  const void *mt[HX_CLASS_COUNT]; /* addresses of the metatables */
  struct hx_evaluation *idle;     /* what HX_SLOT_MACHINE holds */
  struct hx_value *work;          /* what HX_SLOT_WORK holds, if it isn't busy */
  struct hx_scope *default_scope; /* of evaluations without a scope; in the same block */
  uint64_t serial;                /* last number given to a scope */
  size_t unreported;              /* bytes that were not reported to Lua's collector */
  size_t unheard;                 /* bytes of `unreported` that the collector needn't know about (hx_state_tell) */
  size_t aged;                    /* bytes reported since the collector last examined old objects (hx_state_tell) */
  size_t room;                    /* bytes by which the heap may grow before a cycle; 0: Lua's pause decides */
  const void *expressions[HX_SEEN], *scopes[HX_SEEN]; /* userdata checked recently, by hx_seen_at; their __gc removes them */
  hx_pool pool;                                       /* of units */
  bool stutter;                                       /* test builds: suspend at each instruction */
  bool in_hook;                                       /* a hook is running, called at the end of a slice */
  bool ended;                                         /* the Lua state is closing: anything kept now would never be freed */
} hx_state;

HX_INLINE hx_state *hx_state_get(lua_State *L) {
  return lua_touserdata(L, HX_UP_STATE);
}

HX_INLINE uint32_t hx_seen_at(const void *p) {
  return (uint32_t)((uintptr_t)p >> 5 ^ (uintptr_t)p >> 9) % HX_SEEN;
}
HX_INLINE void hx_seen_forget(const void **seen, const void *p) {
  if (seen[hx_seen_at(p)] == p) seen[hx_seen_at(p)] = NULL;
}

/* Returns true if the value at i is a table or userdata of the class. */
bool hx_is_class(lua_State *L, int i, hx_class c);
/* As hx_is_class, for callers that have the state. */
bool hx_is_class_in(const hx_state *st, lua_State *L, int i, hx_class c);
/* Returns the userdata's memory if the value at i is a userdata of the class, else NULL. */
void *hx_to_class(lua_State *L, int i, hx_class c);
/* Returns the memory of the userdata that is argument arg; raises an error that names the argument if it isn't of the class. */
void *hx_check_class(lua_State *L, int arg, hx_class c);
const char *hx_class_name(hx_class c);
void hx_set_class(lua_State *L, int i, hx_class c);
/* Raises "bad argument #arg to 'f' (WANT expected, got X)". */
int hx_arg_error(lua_State *L, int arg, const char *want);
/* Runs fn as hx_home_run does, and raises if that fails. fn must fail only if memory runs out. */
void hx_home_must(lua_State *L, hx_home *home, void (*fn)(hx_cx *cx, void *ud), void *ud);
/* Copies a string to the home, NUL-terminated. Raises if memory runs out. */
hx_str hx_home_str(lua_State *L, hx_home *home, hx_str s);
/* While a table of options is traversed, with the key below its value on top: returns the number of the row for the key, among n rows of
** `size` bytes (32 at most) that begin with the known names. For an unknown option it raises at argument arg with message, which has a %s
** for the option's name; if message is NULL, it returns -1. */
int hx_option_row(lua_State *L, int arg, const char *message, const void *rows, size_t n, size_t size);
#define HX_OPTION_ROW(L, arg, message, rows) \
  hx_option_row((L), (arg), (message), (rows), sizeof(rows) / sizeof *(rows), sizeof *(rows))

/* Makes an anchor: the number of a Lua string that stays alive. 0 isn't an anchor. */
uint32_t hx_anchor_new(lua_State *L, hx_str s);
/* Makes an anchor at *at. Finalizers may run meanwhile, and make the same anchor first: then this one is dropped. */
void hx_anchor_put(lua_State *L, hx_str s, uint32_t *at);
void hx_anchor_drop(lua_State *L, uint32_t anchor);
HX_INLINE void hx_anchor_push(lua_State *L, uint32_t anchor) {
  lua_rawgeti(L, HX_UP_ANCHORS, (int)anchor);
}

/* hx_state_grown notes n more bytes that userdata hold, and reports them to Lua's collector by hx_state_tell, in portions of at least
** HX_PORTION. */
#define HX_PORTION ((size_t)64 << 10)
void hx_state_tell(lua_State *L);
HX_INLINE void hx_state_grown_in(lua_State *L, hx_state *st, size_t n) {
  st->unreported += n;
  if (HX_UNLIKELY(st->unreported >= st->unheard + HX_PORTION)) hx_state_tell(L);
}
HX_INLINE void hx_state_grown(lua_State *L, size_t n) {
  hx_state_grown_in(L, hx_state_get(L), n);
}
/* Subtracts n bytes from those to be reported, because they were freed before they became garbage. */
HX_INLINE void hx_state_shrunk(lua_State *L, size_t n) {
  hx_state *st = hx_state_get(L);
  st->unreported -= n < st->unreported ? n : st->unreported;
}

/* Registers the functions of a topic: `methods` as methods of a class (names with __ are metamethods), `functions` in the module's table,
** which is on top of the stack. Either may be NULL. */
void hx_register(lua_State *L, hx_class c, const luaL_Reg *methods, const luaL_Reg *functions);

/* Pushes the text of an hx_str. */
HX_INLINE void hx_push_str(lua_State *L, hx_str s) {
  lua_pushlstring(L, s.len ? s.p : "", s.len);
}
/* The next functions set fields of the table on top of the stack. If a word is NULL, the field isn't set. */
HX_INLINE void hx_set_str(lua_State *L, const char *name, hx_str s) {
  hx_push_str(L, s);
  lua_setfield(L, -2, name);
}
HX_INLINE void hx_set_int(lua_State *L, const char *name, uint64_t n) {
  lua_pushinteger(L, (lua_Integer)n);
  lua_setfield(L, -2, name);
}
HX_INLINE void hx_set_bool(lua_State *L, const char *name, bool b) {
  lua_pushboolean(L, b);
  lua_setfield(L, -2, name);
}
HX_INLINE void hx_set_word(lua_State *L, const char *name, const char *word) {
  lua_pushstring(L, word);
  lua_setfield(L, -2, name);
}
/* Returns a string argument; raises for anything else, also for a number. */
hx_str hx_check_str(lua_State *L, int arg);

#endif
