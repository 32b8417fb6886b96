/* scope.c: finds the contents of a scope by name; the scope's userdata and table. */
#include "binding/objects/scope.h"

#include <stdlib.h>

const hx_scope *hx_to_scope(lua_State *L, hx_state *st, int arg) {
  const hx_scope *s = lua_touserdata(L, arg);
  if (HX_LIKELY(s && st->scopes[hx_seen_at(s)] == s)) return s;
  s = hx_to_class(L, arg, HX_CLASS_SCOPE);
  if (!s) return NULL;
  st->scopes[hx_seen_at(s)] = s;
  return s;
}

void hx_scope_push_table(lua_State *L, int at, const hx_scope *scope) {
  lua_pushvalue(L, at);
  while (lua_touserdata(L, -1) != scope) {
    hx_lua_gettable_of(L, -1);
    lua_rawgeti(L, -1, HX_SCOPE_PARENT);
    lua_replace(L, -3);
    lua_pop(L, 1);
    if (!lua_isuserdata(L, -1)) luaL_error(L, "a scope is not among the ancestors of its evaluation");
  }
  hx_lua_gettable_of(L, -1);
  lua_replace(L, -2);
}

/* Sorting: names are sorted when a scope is made, because it may have thousands. */

static int by_pin(const void *a, const void *b) {
  return hx_str_cmp(((const hx_pin *)a)->name, ((const hx_pin *)b)->name);
}

static int by_function(const void *a, const void *b) {
  return hx_str_cmp(hx_str_c(((const hx_fn *)a)->name), hx_str_c(((const hx_fn *)b)->name));
}

static int by_name(const void *a, const void *b) {
  return hx_str_cmp(*(const hx_str *)a, *(const hx_str *)b);
}

void hx_scope_sort(hx_scope *s) {
  if (s->pins.n) qsort(s->pins.p, s->pins.n, sizeof *s->pins.p, by_pin);
  if (s->declared.n) qsort(s->declared.p, s->declared.n, sizeof *s->declared.p, by_pin);
  if (s->nfunctions) qsort(s->functions, s->nfunctions, sizeof *s->functions, by_function);
}

void hx_scope_see(hx_scope *s, hx_str *builtins, uint32_t n) {
  if (n) qsort(builtins, n, sizeof *builtins, by_name);
  s->all_stdlib = false;
  s->stdlib = builtins;
  s->nstdlib = n;
}

const hx_val *hx_pins_find(const hx_pins *pins, hx_str name) {
  hx_pin key = { name, hx_none() };
  const hx_pin *pin = pins->n ? bsearch(&key, pins->p, pins->n, sizeof key, by_pin) : NULL;
  return pin ? &pin->v : NULL;
}

bool hx_scope_sees(const hx_scope *s, hx_str builtin) {
  return s->all_stdlib || (s->nstdlib && bsearch(&builtin, s->stdlib, s->nstdlib, sizeof builtin, by_name) != NULL);
}

static const hx_fn *own_function(const hx_scope *s, hx_str name) {
  uint32_t low = 0, high = s->nfunctions;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int c = hx_str_cmp(hx_str_c(s->functions[middle].name), name);
    if (c == 0) return &s->functions[middle];
    if (c < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

/* Returns the name that means all functions of a name's namespace: a::b::* for a::b::c; "" for a name without a namespace. */
static hx_str namespace_of(hx_str name, char any[HX_NAMESPACE_MAX + 1]) {
  uint32_t n = name.len;
  while (n > 0 && name.p[n - 1] != ':') n--;
  if (!n || n > HX_NAMESPACE_MAX) return HX_STR("");
  memcpy(any, name.p, n);
  any[n] = '*';
  return hx_str_of(any, n + 1);
}

/* Returns the function of that name that the scope, or else its nearest ancestor, declares, or NULL. */
static const hx_fn *declared_function(const hx_scope *s, hx_str name) {
  const hx_fn *fn = NULL;
  do {
    if (s->nfunctions) fn = own_function(s, name);
    s = s->parent;
  } while (!fn && s);
  return fn;
}

const hx_fn *hx_scope_function(const hx_scope *scope, hx_str name, const hx_fn *builtin) {
  char any[HX_NAMESPACE_MAX + 1];
  hx_str space = namespace_of(name, any);
  const hx_fn *fn = declared_function(scope, name);
  if (!fn && space.len) fn = declared_function(scope, space);
  if (fn) return fn;
  if (!builtin || !hx_scope_sees(scope, hx_str_c(builtin->name))) return NULL; /* core::upper is upper */
  return (builtin->flags & HX_CONSOLE) && !scope->host.console ? NULL : builtin;
}
