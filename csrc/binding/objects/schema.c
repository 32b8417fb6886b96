/* schema.c: reads a schema of bodies from a Lua table. */
#include "binding/objects/schema.h"
#include "binding/state/openers.h"

#include "binding/data/type.h"
#include "binding/data/value.h"

/* The prepared form consists of arrays, so that nothing has to be looked up twice:
**   schema      { attributes = { attribute… }, blocks = { block… }, no_dynamic = boolean, partial = boolean }
**   attribute   { name =, type = Type?, default = Value?, required = boolean, kept = boolean, literal = boolean }
**   block       { type =, labels = { name… }?, nesting = number, min =, max =, schema = schema? or true }
** A schema that contains itself is one table that occurs twice. */
typedef struct reader {
  lua_State *L;
  hx_cx *cx;
  int known; /* index of a table with the schemas read so far: schema -> light userdata */
} reader;

static const hx_schema empty_schema;

/* Copies the string on top of the stack, and pops it. */
static hx_str pop_str(reader *r) {
  size_t n;
  const char *s = lua_tolstring(r->L, -1, &n);
  if (s && n > UINT32_MAX) hx_abort(r->cx, HX_WHY_MEMORY);
  hx_str copy = hx_str_copy(r->cx, hx_str_of(s, s ? n : 0));
  lua_pop(r->L, 1);
  return copy;
}

static hx_str read_name(reader *r, int at, const char *field) {
  lua_getfield(r->L, at, field);
  return pop_str(r);
}

static uint32_t read_count(reader *r, int at, const char *field, uint32_t absent) {
  lua_getfield(r->L, at, field);
  lua_Number n = lua_isnumber(r->L, -1) ? lua_tonumber(r->L, -1) : (lua_Number)absent;
  lua_pop(r->L, 1);
  return n >= (lua_Number)UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static bool read_flag(reader *r, int at, const char *field) {
  lua_getfield(r->L, at, field);
  bool set = lua_toboolean(r->L, -1) != 0;
  lua_pop(r->L, 1);
  return set;
}

static void read_attribute(reader *r, int at, void *to) {
  hx_schema_attribute *out = to;
  *out = (hx_schema_attribute){ .name = read_name(r, at, "name") };
  out->plan = (hx_argument_plan){ .value = hx_none() };
  lua_getfield(r->L, at, "required");
  out->required = lua_toboolean(r->L, -1);
  out->kept = read_flag(r, at, "kept");
  out->literal = read_flag(r, at, "literal");
  lua_getfield(r->L, at, "type");
  const hx_type_handle *t = hx_to_class(r->L, -1, HX_CLASS_TYPE);
  if (t) {
    hx_home_keep(r->cx, t->home);
    out->plan.type = t->constraint;
  }
  lua_getfield(r->L, at, "default");
  const hx_value *v = hx_to_class(r->L, -1, HX_CLASS_VALUE);
  if (v) {
    out->plan.value = hx_value_use(r->cx, v);
  }
  out->plan.not_null = out->required;
  lua_pop(r->L, 3);
}

static void read_labels(reader *r, int at, hx_nested_plan *out) {
  lua_getfield(r->L, at, "labels");
  out->nlabels = (uint32_t)hx_lua_rawlen(r->L, -1);
  hx_str *labels = HX_NEW_ARRAY(r->cx, hx_str, (size_t)out->nlabels + 1);
  for (uint32_t i = 0; i < out->nlabels; i++) {
    lua_rawgeti(r->L, -1, (int)i + 1);
    labels[i] = pop_str(r);
  }
  out->labels = labels;
  lua_pop(r->L, 1);
}

static const hx_schema *read_schema(reader *r, int at);

static void read_block(reader *r, int at, void *to) {
  hx_schema_block *out = to;
  *out = (hx_schema_block){ .type = read_name(r, at, "type"), .body = &empty_schema };
  out->plan.type = out->type;
  read_labels(r, at, &out->plan);
  out->plan.nesting = (uint8_t)read_count(r, at, "nesting", HX_NESTING_LIST);
  out->plan.min = read_count(r, at, "min", 0);
  out->plan.max = read_count(r, at, "max", UINT32_MAX);
  lua_getfield(r->L, at, "schema");
  if (lua_istable(r->L, -1)) out->body = read_schema(r, lua_gettop(r->L));
  else if (lua_toboolean(r->L, -1)) out->body = NULL; /* true: the body may contain anything */
  lua_pop(r->L, 1);
}

/* Reads the array that is a field of the table at `at`; `read` reads each element from the table at an index. Sets *n to their number. */
static void *read_list(reader *r, int at, const char *field, size_t size, void (*read)(reader *r, int at, void *out), uint32_t *n) {
  lua_getfield(r->L, at, field);
  *n = (uint32_t)hx_lua_rawlen(r->L, -1);
  char *list = hx_alloc_array(r->cx, *n, size);
  for (uint32_t i = 0; i < *n; i++, lua_pop(r->L, 1)) {
    lua_rawgeti(r->L, -1, (int)i + 1);
    read(r, lua_gettop(r->L), list + i * size);
  }
  lua_pop(r->L, 1);
  return list;
}

/* Reads the schema at `at`. It recurses, through read_list and read_block, as deep as the caller's own tables are nested. */
static const hx_schema *read_schema(reader *r, int at) {
  lua_State *L = r->L;
  uint32_t nattributes, nblocks;
  hx_stack_check();
  luaL_checkstack(L, 12, "schema nests too deep");
  lua_pushvalue(L, at);
  lua_rawget(L, r->known);
  const hx_schema *known = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (known) return known;
  hx_schema *s = HX_NEW(r->cx, hx_schema);
  lua_pushvalue(L, at);
  lua_pushlightuserdata(L, s);
  lua_rawset(L, r->known);
  hx_schema_attribute *attributes = read_list(r, at, "attributes", sizeof *attributes, read_attribute, &nattributes);
  hx_schema_block *blocks = read_list(r, at, "blocks", sizeof *blocks, read_block, &nblocks);
  *s = *hx_schema_new(r->cx, attributes, nattributes, blocks, nblocks);
  s->no_dynamic = read_flag(r, at, "no_dynamic");
  s->partial = read_flag(r, at, "partial");
  return s;
}

/* A schema that was read once, for many bodies. */
typedef struct handle {
  hx_home *home;
  const hx_schema *schema;
} handle;

const hx_schema *hx_schema_read(lua_State *L, hx_cx *cx, int at) {
  const handle *h = hx_to_class(L, at, HX_CLASS_SCHEMA);
  if (h) {
    hx_home_keep(cx, h->home);
    return h->schema;
  }
  reader r = { L, cx, 0 };
  lua_newtable(L);
  r.known = lua_gettop(L);
  const hx_schema *s = read_schema(&r, at);
  lua_settop(L, r.known - 1);
  return s;
}

typedef struct read_job {
  lua_State *L;
  handle *h;
} read_job;

static void run_read(hx_cx *cx, void *ud) {
  read_job *job = ud;
  job->h->schema = hx_schema_read(job->L, cx, 1);
}

/* core.schema(prepared): returns a userdata of the schema, which core.level can use without reading the table again. */
static int l_schema(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  handle *h = hx_lua_newuserdata(L, sizeof *h);
  *h = (handle){ NULL, NULL };
  hx_set_class(L, -1, HX_CLASS_SCHEMA);
  h->home = hx_home_new(1024);
  if (!h->home) return luaL_error(L, "not enough memory");
  read_job job = { L, h };
  hx_home_must(L, h->home, run_read, &job);
  return 1;
}

static int l_gc(lua_State *L) {
  handle *h = hx_to_class(L, 1, HX_CLASS_SCHEMA);
  if (!h) return 0;
  hx_home_release(h->home);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = { { "schema", l_schema }, { NULL, NULL } };

void hx_open_schema(lua_State *L) {
  hx_register(L, HX_CLASS_SCHEMA, methods, functions);
}
