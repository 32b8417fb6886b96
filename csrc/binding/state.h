/* state.h: what the binding keeps for one Lua state: the classes' metatables, anchored strings, the machine that is free.
**
** Every function of ours is a closure over three upvalues, so that nothing is looked up by name on a hot path:
**   1 the hx_state   2 the store: a table by slot (below)   3 the anchors: Lua strings by number
** Memory: the state is a userdata kept by the store, which the registry keeps.
** Errors: argument checks raise as Lua's own library does, naming the argument. */
#ifndef HX_BINDING_STATE_H
#define HX_BINDING_STATE_H

#include "binding/home.h"

typedef enum hx_class {
  HX_CLASS_NONE,
  HX_CLASS_EXPRESSION,
  HX_CLASS_SCOPE,
  HX_CLASS_NUMBER, /* a Value, too: a number that lies in the userdata, so that no finalizer is needed */
  HX_CLASS_VALUE,
  HX_CLASS_TYPE,
  HX_CLASS_BODY,
  HX_CLASS_ATTRIBUTE,
  HX_CLASS_BLOCK,
  HX_CLASS_DIAGNOSTICS, /* a table: the array that a failing call returns */
  HX_CLASS_DIAGNOSTIC,  /* a table: one of its elements */
  HX_CLASS_LISTING,     /* userdata behind both (listing.h) */
  HX_CLASS_KEEPER,      /* the same, with programs that it keeps */
  HX_CLASS_EVALUATION,
  HX_CLASS_LAZY,  /* a table: what hcl.lazy gives */
  HX_CLASS_FUNC,  /* what hcl.func gives */
  HX_CLASS_ARRAY, /* hcl.array_mt */
  HX_CLASS_COUNT
} hx_class;

/* What the evaluations of some units reported last: to be used again, see listing.h. */
#define HX_REPORTED 8

/* Slots of the store: the metatable of class c is at c. */
enum {
  HX_SLOT_STATE = HX_CLASS_COUNT,                  /* the hx_state itself */
  HX_SLOT_MACHINE,                                 /* the evaluation that is free, or nil */
  HX_SLOT_CORE,                                    /* the module's table */
  HX_SLOT_EVALUATIONS,                             /* evaluations by their addresses, as weak values */
  HX_SLOT_LISTINGS,                                /* and on: listings of hx_state.reported, */
  HX_SLOT_ARRAYS = HX_SLOT_LISTINGS + HX_REPORTED, /* metatables of arrays over them, */
  HX_SLOT_ELEMENTS = HX_SLOT_ARRAYS + HX_REPORTED, /* and of their elements */
};

#define HX_UP_STATE lua_upvalueindex(1)
#define HX_UP_STORE lua_upvalueindex(2)
#define HX_UP_ANCHORS lua_upvalueindex(3)
#define HX_UPVALUES 3

/* Places for userdata whose class was checked lately: an address that stands there is a live one of that class, and a look costs a
** tenth of asking for its metatable. */
#define HX_SEEN 16

typedef struct hx_reported {
  const hx_unit *unit; /* NULL: none */
  const struct hx_listing *listing;
  uint64_t serial; /* of the scope with which it reports this each time (hx_listing_expect); 0: of none, as far as is known */
  uint8_t mode;    /* what is evaluated for, then: hx_mode */
  bool shared;     /* arrays over the listing have a metatable of their own (diagnostics.c) */
} hx_reported;

typedef struct hx_state {
  const void *mt[HX_CLASS_COUNT];                     /* identities of the metatables */
  struct hx_evaluation *idle;                         /* what HX_SLOT_MACHINE holds */
  struct hx_scope *default_scope;                     /* of evaluations without one; in the same block */
  uint64_t serial;                                    /* last number given to a scope or an evaluation */
  size_t unreported;                                  /* bytes that Lua's collector has not been told of */
  size_t unheard;                                     /* so many of them it needs not hear of: see hx_state_tell */
  const void *expressions[HX_SEEN], *scopes[HX_SEEN]; /* userdata lately found to be such, by hx_seen_at; their __gc forgets them */
  hx_reported reported[HX_REPORTED];                  /* by hx_reported_at; a unit's end forgets it */
  uint64_t reports;                                   /* how often something was put there */
  hx_pool pool;                                       /* of units */
  bool stutter;                                       /* test builds: suspend at each instruction */
  bool ended;                                         /* it closes: what is kept now, nobody would free */
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

HX_INLINE uint32_t hx_reported_at(const hx_unit *u) {
  return hx_seen_at(u) % HX_REPORTED;
}

/* Is the value at i a table or userdata of the class? */
bool hx_is_class(lua_State *L, int i, hx_class c);
/* The userdata's memory if it is of the class, else NULL. */
void *hx_to_class(lua_State *L, int i, hx_class c);
/* The same, or an error that names the argument. */
void *hx_check_class(lua_State *L, int arg, hx_class c);
const char *hx_class_name(hx_class c);
void hx_set_class(lua_State *L, int i, hx_class c);
/* Raises "bad argument #arg to 'f' (WANT expected, got X)". */
int hx_arg_error(lua_State *L, int arg, const char *want);
/* hx_home_run of what fails for want of memory only: raises then. */
void hx_home_must(lua_State *L, hx_home *home, void (*fn)(hx_cx *cx, void *ud), void *ud);
/* While a table of options is gone through, its key below its value on top: is the key this name? */
bool hx_option_is(lua_State *L, const char *name);
/* Raises at argument arg for a key that is no option's; message: with %s for it. */
int hx_option_unknown(lua_State *L, int arg, const char *message);

/* Anchors: numbers of Lua strings that stay. 0: none (there are no more than 24 bits of them). */
uint32_t hx_anchor_new(lua_State *L, hx_str s);
/* A new one put at *at, unless there is one by then: making it may run finalizers, and these the same code. */
void hx_anchor_put(lua_State *L, hx_str s, uint32_t *at);
void hx_anchor_drop(lua_State *L, uint32_t anchor);
HX_INLINE void hx_anchor_push(lua_State *L, uint32_t anchor) {
  lua_rawgeti(L, HX_UP_ANCHORS, (int)anchor);
}

/* Tells Lua's collector of n bytes that userdata hold, in portions of HX_PORTION or more. */
#define HX_PORTION ((size_t)64 << 10)
void hx_state_tell(lua_State *L);
HX_INLINE void hx_state_grown_in(lua_State *L, hx_state *st, size_t n) {
  st->unreported += n;
  if (HX_UNLIKELY(st->unreported >= st->unheard + HX_PORTION)) hx_state_tell(L);
}
HX_INLINE void hx_state_grown(lua_State *L, size_t n) {
  hx_state_grown_in(L, hx_state_get(L), n);
}
/* n bytes that it was to be told of went before they were garbage: nothing is left for it to do. */
HX_INLINE void hx_state_shrunk(lua_State *L, size_t n) {
  hx_state *st = hx_state_get(L);
  st->unreported -= n < st->unreported ? n : st->unreported;
}

/* The functions of a topic: as methods of a class (their names with __ are metamethods), and in the module's table, which is on
** top of the stack. Either may be NULL. */
void hx_register(lua_State *L, hx_class c, const luaL_Reg *methods, const luaL_Reg *functions);

/* Text of an hx_str on the stack. */
HX_INLINE void hx_push_str(lua_State *L, hx_str s) {
  lua_pushlstring(L, s.len ? s.p : "", s.len);
}
HX_INLINE void hx_set_str(lua_State *L, int t, const char *name, hx_str s) {
  t = hx_lua_absindex(L, t);
  hx_push_str(L, s);
  lua_setfield(L, t, name);
}
/* A string argument; only strings (not numbers) are taken. */
hx_str hx_check_str(lua_State *L, int arg);

#endif
