/* scope.c: hcl.scope checks the options and prepares them once; the other functions here are for our own Lua files. */
#define _DEFAULT_SOURCE /* realpath */
#include "binding/state/openers.h"

#include "binding/objects/func.h"
#include "binding/objects/scope.h"
#include "binding/host/host.h"
#include "binding/state/limits.h"
#include "binding/data/type.h"
#include "binding/data/value.h"
#include "fn/text_search.h"
#include "fn/time.h"
#include "syntax/scanner.h"
#include "text/unicode.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Returns the scope for evaluations without a Scope. It is part of the state, so it needs no userdata. */
static const hx_scope *default_scope(lua_State *L) {
  return hx_state_get(L)->default_scope;
}

/* Texts and names in the scope's home */

/* Copies the string at the index, unchanged and NUL-terminated, into the home. It isn't normalised: names are kept as sources write them,
** and another form of a folder's name is another folder. */
static hx_str keep_bytes(lua_State *L, hx_home *home, int at, const char *what) {
  size_t len;
  if (lua_type(L, at) != LUA_TSTRING)
    luaL_argerror(L, 1, lua_pushfstring(L, "%s must be a string, not a %s", what, luaL_typename(L, at)));
  const char *p = lua_tolstring(L, at, &len);
  if (len > UINT32_MAX / 2) luaL_argerror(L, 1, lua_pushfstring(L, "%s is longer than 2 GiB", what));
  return hx_home_str(L, home, hx_str_of(p, len));
}

static hx_str keep_string(lua_State *L, hx_home *home, int at, const char *what) {
  hx_str s = keep_bytes(L, home, at, what);
  if (!hx_utf8_valid(s)) luaL_argerror(L, 1, lua_pushfstring(L, "%s is not well-formed UTF-8", what));
  return s;
}

typedef struct array_job {
  size_t n, size;
  void *p;
} array_job;

static void run_array(hx_cx *cx, void *ud) {
  array_job *job = ud;
  job->p = hx_alloc_array(cx, job->n, job->size);
  memset(job->p, 0, job->n * job->size);
}

static void *keep_array(lua_State *L, hx_home *home, size_t n, size_t size) {
  array_job job = { n, size, NULL };
  hx_home_must(L, home, run_array, &job);
  return job.p;
}

static void run_keep(hx_cx *cx, void *ud) {
  hx_home_keep(cx, ud);
}

static void keep_home(lua_State *L, hx_home *home, hx_home *other) {
  hx_home_must(L, home, run_keep, other);
}

/* Options. Each option is read with its value on top of the stack; the scope's userdata is at 2, its table at 3. */

#define SCOPE_AT 2
#define TABLE_AT 3

static void keep_in_table(lua_State *L, int slot) {
  lua_pushvalue(L, -1);
  lua_rawseti(L, TABLE_AT, slot);
}

static void check_type(lua_State *L, const char *name, int type) {
  if (lua_type(L, -1) != type)
    luaL_argerror(L, 1, lua_pushfstring(L, "%s must be a %s, not a %s", name, lua_typename(L, type), luaL_typename(L, -1)));
}

typedef struct pin_job {
  const hx_value *value;
  hx_val v;
} pin_job;

static void run_pin(hx_cx *cx, void *ud) {
  pin_job *job = ud;
  job->v = hx_value_use(cx, job->value);
}

static uint32_t count_values(lua_State *L, int at) {
  uint32_t n = 0;
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) n += hx_to_class(L, -1, HX_CLASS_VALUE) != NULL;
  return n;
}

/* Binds the name below the top of the stack to the Value on top. */
static void add_pin(lua_State *L, hx_scope *s, hx_pins *pins, const hx_value *v, const char *what) {
  if (hx_value_is_closed(v)) luaL_argerror(L, 1, lua_pushfstring(L, "a Value among the %s has been closed", what));
  pin_job job = { v, hx_none() };
  hx_home_must(L, s->home, run_pin, &job);
  pins->p[pins->n].name = keep_string(L, s->home, lua_gettop(L) - 1, "the name of a variable");
  pins->p[pins->n++].v = job.v;
}

static void read_variables(lua_State *L, hx_scope *s) {
  int at = lua_gettop(L);
  uint32_t n;
  check_type(L, "variables", LUA_TTABLE);
  keep_in_table(L, HX_SCOPE_VARIABLES);
  lua_pushvalue(L, at);
  hx_lua_set_handy(L, SCOPE_AT, HX_SCOPE_VARIABLES);
  s->has_variables = true;
  n = count_values(L, at);
  if (!n) return;
  s->pins.p = keep_array(L, s->home, n, sizeof *s->pins.p);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    const hx_value *v = hx_to_class(L, -1, HX_CLASS_VALUE);
    if (v && lua_type(L, -2) == LUA_TSTRING) add_pin(L, s, &s->pins, v, "variables");
  }
}

static void read_lookup(lua_State *L, hx_scope *s) {
  check_type(L, "lookup", LUA_TFUNCTION);
  keep_in_table(L, HX_SCOPE_LOOKUP);
  s->has_lookup = true;
}

typedef struct unknown_job {
  const hx_type *type;
  hx_val v;
} unknown_job;

static void run_unknown(hx_cx *cx, void *ud) {
  unknown_job *job = ud;
  job->v = hx_unknown(cx, job->type);
}

/* Reads lookup_types. For each name it has a Type, a constraint text or a Value, which checks use instead of the lookup's answer. */
static void read_lookup_types(lua_State *L, hx_scope *s) {
  int at = lua_gettop(L);
  uint32_t n = 0;
  check_type(L, "lookup_types", LUA_TTABLE);
  s->declares = true;
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) n++;
  s->declared.p = keep_array(L, s->home, n, sizeof *s->declared.p);
  for (lua_pushnil(L); lua_next(L, at); lua_settop(L, at + 1)) {
    const hx_value *v = hx_to_class(L, -1, HX_CLASS_VALUE);
    if (v) {
      add_pin(L, s, &s->declared, v, "lookup_types");
      continue;
    }
    hx_str name = keep_string(L, s->home, at + 1, "a name in lookup_types");
    const char *what = lua_pushfstring(L, "lookup_types.%s", name.p);
    lua_insert(L, -2);
    unknown_job job = { hx_type_option(L, s->home, what), hx_none() };
    hx_home_must(L, s->home, run_unknown, &job);
    s->declared.p[s->declared.n++] = (hx_pin){ name, job.v };
  }
}

/* Returns true if a source can call a function of this name: identifiers with "::" between them. */
static bool is_function_name(hx_str name) {
  const hx_str between = HX_STR("::");
  uint32_t at;
  while ((at = hx_find_text(name, between, 0)) < name.len) {
    if (!hx_is_identifier(hx_str_of(name.p, at))) return false;
    name = hx_str_from(name, at + between.len);
  }
  return hx_is_identifier(name);
}

/* Returns true if the name means all functions of a namespace, as a::b::* does. */
static bool is_namespace(hx_str name) {
  return name.len > 3 && name.len <= HX_NAMESPACE_MAX && memcmp(name.p + name.len - 3, "::*", 3) == 0 &&
         is_function_name(hx_str_of(name.p, name.len - 3));
}

/* core.is_function_name(name): returns true if a source can call a function of this name. */
static int l_is_function_name(lua_State *L) {
  lua_pushboolean(L, is_function_name(hx_check_str(L, 1)));
  return 1;
}

/* Reads a function into the row; the function is on top of the stack, its name below. */
static void read_function(lua_State *L, hx_scope *s, hx_fn *row) {
  int at = lua_gettop(L);
  const hx_func *f = hx_to_class(L, at, HX_CLASS_FUNC);
  hx_function *record = keep_array(L, s->home, 1, sizeof *record);
  hx_str name = keep_string(L, s->home, at - 1, "the name of a function");
  if (!is_function_name(name) && !is_namespace(name))
    luaL_argerror(
        L, 1,
        lua_pushfstring(L,
                        "functions['%s'] could not be called: a name is letters, digits, - and _, begins with a letter, and "
                        "may have parts with :: between them; a::* is any function of the namespace a",
                        name.p));
  *record = (hx_function){ s, HX_SCOPE_FUNCTIONS + 2 * (int)s->nfunctions, f && f->values };
  if (f) {
    keep_home(L, s->home, f->home);
    *row = f->row;
    hx_lua_gettable_of(L, at);
    lua_rawgeti(L, -1, HX_FUNC_IMPL);
    lua_rawseti(L, TABLE_AT, record->slot);
    lua_rawgeti(L, -1, HX_FUNC_RETURNS);
    lua_rawseti(L, TABLE_AT, record->slot + 1);
    lua_pop(L, 1);
  } else if (lua_isfunction(L, at)) {
    *row = hx_plain_function;
    lua_pushvalue(L, at);
    lua_rawseti(L, TABLE_AT, record->slot);
  } else {
    luaL_argerror(L, 1,
                  lua_pushfstring(L, "functions.%s must be a function or hcl.func{ … }, not a %s", name.p, luaL_typename(L, at)));
  }
  row->name = name.p;
  row->host = record;
  s->nfunctions++;
}

static void read_functions(lua_State *L, hx_scope *s) {
  int at = lua_gettop(L);
  uint32_t n = 0;
  check_type(L, "functions", LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) n++;
  s->functions = keep_array(L, s->home, n, sizeof *s->functions);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) read_function(L, s, &s->functions[s->nfunctions]);
}

static void read_stdlib(lua_State *L, hx_scope *s) {
  int at = lua_gettop(L);
  hx_str *names;
  uint32_t n = 0;
  if (lua_isboolean(L, at)) {
    s->all_stdlib = lua_toboolean(L, at) != 0;
    s->nstdlib = 0;
    return;
  }
  check_type(L, "stdlib", LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TNUMBER) luaL_argerror(L, 1, "stdlib must be a boolean or an array of names");
  names = keep_array(L, s->home, hx_lua_rawlen(L, at), sizeof *names);
  for (size_t i = 1; i <= hx_lua_rawlen(L, at); i++) {
    lua_rawgeti(L, at, (int)i);
    hx_str name = keep_string(L, s->home, lua_gettop(L), "a name in stdlib");
    const hx_fn *fn = hx_builtin(name);
    if (!fn) luaL_argerror(L, 1, lua_pushfstring(L, "stdlib names '%s', which is not a built-in function", name.p));
    names[n++] = hx_str_c(fn->name);
    lua_pop(L, 1);
  }
  hx_scope_see(s, names, n);
}

/* Returns true if `dir` is the directory `parent` or inside it. Both are real paths. */
static bool goes_on(hx_str dir, hx_str parent) {
  if (dir.len < parent.len || memcmp(dir.p, parent.p, parent.len) != 0) return false;
  return dir.len == parent.len || parent.p[parent.len - 1] == '/' || dir.p[parent.len] == '/';
}

/* Returns true if `dir` is the directory `parent` or inside it. Links are followed; relative paths start at the working directory. */
static bool is_below(hx_str dir, hx_str parent) {
  char *inner = realpath(dir.p, NULL), *outer = realpath(parent.p, NULL);
  bool yes = inner && outer && goes_on(hx_str_c(inner), hx_str_c(outer));
  free(inner);
  free(outer);
  return yes;
}

static bool is_granted(hx_str dir, const hx_host *host) {
  if (is_below(dir, host->directory)) return true;
  for (uint32_t i = 0; i < host->folders.n; i++)
    if (is_below(dir, host->folders.p[i])) return true;
  return false;
}

/* Raises unless the folder exists. Without this check, a misspelt name would only be noticed when a file is read. */
static void check_folder(lua_State *L, hx_str dir) {
  struct stat st;
  if (stat(dir.p, &st) != 0)
    luaL_argerror(L, 1, lua_pushfstring(L, "filesystem: the folder \"%s\" can't be read: %s", dir.p, strerror(errno)));
  if (!S_ISDIR(st.st_mode)) luaL_argerror(L, 1, lua_pushfstring(L, "filesystem: \"%s\" is a file, not a folder", dir.p));
}

/* Returns the folder that is named on top of the stack; raises if it isn't within the folders of `within`. */
static hx_str read_folder(lua_State *L, hx_scope *s, const hx_host *within) {
  hx_str dir = keep_bytes(L, s->home, lua_gettop(L), "filesystem"); /* file names are bytes */
  if (!dir.len || memchr(dir.p, '\0', dir.len)) luaL_argerror(L, 1, "filesystem must name a directory");
  if (within && !is_granted(dir, within)) {
    check_folder(L, dir);
    luaL_argerror(L, 1, "filesystem must be within the parent's directory");
  }
  return dir;
}

/* Reads a folder, or an array of folders; relative paths in sources start at the first. within: the host whose folders must contain
** them, or NULL. */
static void read_folders(lua_State *L, hx_scope *s, const hx_host *within) {
  int at = lua_gettop(L);
  size_t n = lua_istable(L, at) ? hx_lua_rawlen(L, at) : 1;
  if (n == 0 || n > UINT32_MAX) luaL_argerror(L, 1, "filesystem must name a directory, or be false");
  hx_str *all = keep_array(L, s->home, n, sizeof *all);
  for (size_t i = 0; i < n; i++) {
    if (lua_istable(L, at)) lua_rawgeti(L, at, (int)i + 1);
    else lua_pushvalue(L, at);
    all[i] = read_folder(L, s, within);
    lua_settop(L, at);
  }
  s->host.directory = all[0];
  s->host.folders = (hx_folders){ all + 1, (uint32_t)n - 1 };
  s->host.has |= HX_NEEDS_FILES;
}

/* Reads `filesystem`; false takes file access away. If the parent has no file access, folders have no effect, because a scope can't grant
** what its parent lacks. */
static void read_filesystem(lua_State *L, hx_scope *s) {
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1)) {
    s->files_off = true;
    s->host.has &= (uint8_t)~HX_NEEDS_FILES;
  } else if (!s->parent || (s->parent->host.has & HX_NEEDS_FILES)) {
    read_folders(L, s, s->parent ? &s->parent->host : NULL);
    check_folder(L, s->host.directory);
    for (uint32_t i = 0; i < s->host.folders.n; i++) check_folder(L, s->host.folders.p[i]);
  }
}

/* Reads clock or random: false removes the capability, a function replaces its source. */
static void read_source(lua_State *L, hx_scope *s, const char *name, uint8_t need, int slot) {
  if (lua_isfunction(L, -1)) {
    keep_in_table(L, slot);
    s->sources = (uint8_t)(s->sources | HX_SCOPE_SOURCE(slot));
    return;
  }
  check_type(L, name, LUA_TBOOLEAN);
  if (!lua_toboolean(L, -1)) s->host.has &= (uint8_t)~need;
}

static void read_clock(lua_State *L, hx_scope *s) {
  read_source(L, s, "clock", HX_NEEDS_CLOCK, HX_SCOPE_CLOCK);
}

static void read_random(lua_State *L, hx_scope *s) {
  read_source(L, s, "random", HX_NEEDS_RANDOM, HX_SCOPE_RANDOM);
}

/* Returns a sentence that says what is wrong with a timestamp, or NULL. */
static const char *timestamp_fault(hx_str text) {
  hx_time t;
  const char *why = NULL;
  return hx_time_read(text, HX_TIME_STRICT, &t, &why) ? NULL : why;
}

/* core.timestamp_fault(text): returns what is wrong with a timestamp, or nil. */
static int l_timestamp_fault(lua_State *L) {
  lua_pushstring(L, timestamp_fault(hx_check_str(L, 1)));
  return 1;
}

static void read_plan_timestamp(lua_State *L, hx_scope *s) {
  hx_str text = keep_string(L, s->home, lua_gettop(L), "plan_timestamp");
  const char *why = timestamp_fault(text);
  if (why)
    luaL_argerror(
        L, 1, lua_pushfstring(L, "plan_timestamp must be a time such as \"2026-01-01T00:00:00Z\", not \"%s\": %s", text.p, why));
  s->host.plan_timestamp = text;
}

static void narrow(uint64_t *limit, uint64_t outer) {
  if (*limit > outer) *limit = outer;
}

static void read_limits(lua_State *L, hx_scope *s) {
  hx_limits outer = s->limits;
  hx_limits_read(L, lua_gettop(L), 1, &s->limits);
  if (!s->parent) return;
  narrow(&s->limits.steps, outer.steps);
  narrow(&s->limits.memory, outer.memory);
  narrow(&s->limits.depth, outer.depth);
  narrow(&s->limits.output, outer.output);
  narrow(&s->limits.source, outer.source);
}

static void read_convert(lua_State *L, hx_scope *s) {
  check_type(L, "convert", LUA_TTABLE);
  hx_convert_read(L, lua_gettop(L), 1, &s->convert, TABLE_AT);
}

static void read_console(lua_State *L, hx_scope *s) {
  check_type(L, "console", LUA_TBOOLEAN);
  s->host.console = lua_toboolean(L, -1) != 0;
}

static void read_absent(lua_State *L, hx_scope *s) {
  static const char *const words[] = { [HX_ABSENT_NULL] = "null", [HX_ABSENT_ERROR] = "error", [HX_ABSENT_UNKNOWN] = "unknown" };
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(word, words[i]) != 0) continue;
    s->host.absent = (uint8_t)i;
    return;
  }
  luaL_argerror(L, 1, "absent must be \"null\", \"error\" or \"unknown\"");
}

static void read_parent(lua_State *L, hx_scope *s) {
  (void)L, (void)s; /* inherit() has read it before the other options */
}

static const struct option_row {
  const char *name;
  void (*read)(lua_State *L, hx_scope *s);
} option_rows[] = {
  { "variables", read_variables },   { "lookup", read_lookup },
  { "functions", read_functions },   { "stdlib", read_stdlib },
  { "filesystem", read_filesystem }, { "clock", read_clock },
  { "random", read_random },         { "plan_timestamp", read_plan_timestamp },
  { "limits", read_limits },         { "convert", read_convert },
  { "console", read_console },       { "parent", read_parent },
  { "absent", read_absent },         { "lookup_types", read_lookup_types },
};

static void read_option(lua_State *L, hx_scope *s) {
  int top = lua_gettop(L);
  option_rows[HX_OPTION_ROW(L, 1, "unknown option '%s'", option_rows)].read(L, s);
  lua_settop(L, top);
}

/* Copies the options of the parent, or of the default scope. Given options replace them later. */
static void inherit(lua_State *L, hx_scope *s) {
  const hx_scope *from = default_scope(L);
  hx_lua_rawgetstr(L, 1, "parent");
  if (!lua_isnil(L, -1)) {
    from = hx_to_class(L, -1, HX_CLASS_SCOPE);
    if (!from) luaL_argerror(L, 1, lua_pushfstring(L, "parent must be a scope, not a %s", luaL_typename(L, -1)));
    s->parent = (hx_scope *)from;
    keep_home(L, s->home, from->home);
    keep_in_table(L, HX_SCOPE_PARENT);
    hx_lua_gettable_of(L, -1);
    for (int slot = HX_CONVERT_NULL; slot <= HX_CONVERT_OBJECT_MT; slot++) {
      lua_rawgeti(L, -1, slot);
      lua_rawseti(L, TABLE_AT, slot);
    }
  }
  lua_settop(L, TABLE_AT);
  s->host = from->host;
  s->limits = from->limits;
  s->convert = from->convert;
  s->files_off = from->files_off;
  s->budget = from->budget;
  s->all_stdlib = from->all_stdlib;
  s->stdlib = from->stdlib;
  s->nstdlib = from->nstdlib;
}

/* Returns true if the scope has the same functions as the scope that it inherits from. */
static bool has_same_functions(const hx_scope *s, const hx_scope *from) {
  return !s->nfunctions && s->all_stdlib == from->all_stdlib && s->stdlib == from->stdlib && s->host.console == from->host.console;
}

/* core.scope{ … }: returns a Scope. */
static int l_scope(lua_State *L) {
  hx_state *st = hx_state_get(L);
  hx_scope *s;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  s = hx_lua_newuserdata_handy(L, sizeof *s);
  memset(s, 0, sizeof *s);
  hx_set_class(L, SCOPE_AT, HX_CLASS_SCOPE);
  lua_newtable(L);
  lua_pushvalue(L, TABLE_AT);
  hx_lua_settable_of(L, SCOPE_AT);
  s->home = hx_home_new(512);
  if (!s->home) return luaL_error(L, "not enough memory");
  inherit(L, s);
  for (lua_pushnil(L); lua_next(L, 1); lua_settop(L, TABLE_AT + 1)) read_option(L, s);
  if (s->declares && !s->has_lookup) luaL_argerror(L, 1, "lookup_types needs the option lookup");
  hx_scope_sort(s);
  s->host.serial = s->pins.n || (s->parent && s->parent->host.serial) ? ++st->serial : 0;
  s->host.plain = s->all_stdlib && !s->nfunctions && (!s->parent || s->parent->host.plain);
  if (!has_same_functions(s, s->parent ? s->parent : st->default_scope)) s->host.functions = ++st->serial;
  lua_settop(L, SCOPE_AT);
  return 1;
}

static void set_limit(lua_State *L, const char *name, uint64_t limit) {
  lua_pushnumber(L, (lua_Number)limit);
  lua_setfield(L, -2, name);
}

/* core.scope_limits(scope, all): returns the limits for parsing under the scope; with `all`, also the limits of evaluations. */
static int l_limits(lua_State *L) {
  const hx_scope *s = lua_isnoneornil(L, 1) ? default_scope(L) : hx_check_class(L, 1, HX_CLASS_SCOPE);
  lua_newtable(L);
  set_limit(L, "depth", s->limits.depth);
  set_limit(L, "source", s->limits.source);
  set_limit(L, "memory", s->limits.memory);
  if (lua_toboolean(L, 2)) {
    set_limit(L, "steps", s->limits.steps);
    set_limit(L, "output", s->limits.output);
  }
  return 1;
}

/* core.grant_folders(scope, folders): grants these folders to a new scope. If its parent grants folders, those must contain them. Does
** nothing if file access was taken away. */
static int l_grant_folders(lua_State *L) {
  hx_scope *s = hx_check_class(L, 1, HX_CLASS_SCOPE);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  if (!s->files_off) read_folders(L, s, s->parent && (s->parent->host.has & HX_NEEDS_FILES) ? &s->parent->host : NULL);
  return 0;
}

/* core.note_outside(scope, note): makes paths that lead out of the granted folders give an unknown value, not an error. Functions
** then call note(path, range) with the absolute path, or with words instead if the path is secret, and with the place of the call. */
static int l_note_outside(lua_State *L) {
  hx_scope *s = hx_check_class(L, 1, HX_CLASS_SCOPE);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  hx_lua_gettable_of(L, 1);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, HX_SCOPE_OUTSIDE);
  s->sources |= HX_SCOPE_SOURCE(HX_SCOPE_OUTSIDE);
  return 0;
}

/* core.budget(scope): makes all evaluations under the scope, and under scopes made from it, share the scope's limits of steps and memory.
** Of the memory, only that of returned Values counts. Calling it again renews the budget. */
static int l_budget(lua_State *L) {
  hx_scope *s = hx_check_class(L, 1, HX_CLASS_SCOPE);
  s->own = (hx_budget){ s->limits.steps, s->limits.memory };
  s->budget = &s->own;
  return 0;
}

/* core.has_function(name, scope): returns true if an expression under the scope could call a function of that name. */
static int l_has_function(lua_State *L) {
  hx_str name = hx_check_str(L, 1);
  const hx_scope *s = lua_isnoneornil(L, 2) ? default_scope(L) : hx_check_class(L, 2, HX_CLASS_SCOPE);
  lua_pushboolean(L, hx_scope_function(s, name, hx_builtin(name)) != NULL);
  return 1;
}

/* core.cover(scope): makes evaluations under the scope, and under scopes made from it later, record which results of conditionals
** they take. core.conditionals returns this record. */
static int l_cover(lua_State *L) {
  hx_scope *s = hx_check_class(L, 1, HX_CLASS_SCOPE);
  s->host.covers = true;
  return 0;
}

static uint64_t less(uint64_t left, lua_Number n) {
  return n >= (lua_Number)left ? 0 : left - (uint64_t)n;
}

/* core.spend(scope, steps, memory): charges the steps and the memory to the scope's budget; returns what is left of both. */
static int l_spend(lua_State *L) {
  const hx_scope *s = hx_check_class(L, 1, HX_CLASS_SCOPE);
  hx_budget *b = s->budget;
  if (!b) return luaL_argerror(L, 1, "the scope has no budget");
  b->steps = less(b->steps, luaL_checknumber(L, 2));
  b->memory = less(b->memory, luaL_checknumber(L, 3));
  lua_pushnumber(L, (lua_Number)b->steps);
  lua_pushnumber(L, (lua_Number)b->memory);
  return 2;
}

static int l_gc(lua_State *L) {
  hx_scope *s = hx_to_class(L, 1, HX_CLASS_SCOPE);
  if (!s) return 0;
  hx_seen_forget(hx_state_get(L)->scopes, s);
  hx_home_release(s->home);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = { { "scope", l_scope },
                                      { "scope_limits", l_limits },
                                      { "grant_folders", l_grant_folders },
                                      { "note_outside", l_note_outside },
                                      { "budget", l_budget },
                                      { "spend", l_spend },
                                      { "has_function", l_has_function },
                                      { "cover", l_cover },
                                      { "is_function_name", l_is_function_name },
                                      { "timestamp_fault", l_timestamp_fault },
                                      { NULL, NULL } };

void hx_open_scope(lua_State *L) {
  hx_scope *s = hx_state_get(L)->default_scope;
  memset(s, 0, sizeof *s);
  hx_host_init(&s->host);
  s->host.plain = true;
  s->host.functions = ++hx_state_get(L)->serial;
  s->host.has = HX_NEEDS_CLOCK | HX_NEEDS_RANDOM;
  s->limits = hx_limits_default;
  s->all_stdlib = true;
  hx_register(L, HX_CLASS_SCOPE, methods, functions);
}
