/* expand.c: expands gzip and decodes base64, for hclexpr/terraform/schema/archives.lua and packages.lua.
** Memory: Lua's; a stream is a userdata, and zlib's memory for it is freed when it ends or is collected.
** Errors: nil and why, in words; misuse raises. */
#include "binding/state/openers.h"

#include "binding/data/value.h"
#include "fn/encode.h"
#include "library/library.h"
#include "library/zlib.h"

#define CLASS "hclexpr.expand"

/* A stream of core.gunzip. The library's own stream follows it in the same userdata. */
typedef struct expansion {
  const hx_zlib_library *zlib;
  bool open;
} expansion;

#define HEAD ((sizeof(expansion) + 15) & ~(size_t)15)

static const hx_zlib_memory memory = { hx_raw_alloc, hx_raw_free };

static void *stream_of(expansion *e) {
  return (char *)e + HEAD;
}

static void end(expansion *e) {
  if (e->open) e->zlib->close(stream_of(e));
  e->open = false;
}

static int l_collect(lua_State *L) {
  end(lua_touserdata(L, 1));
  return 0;
}

/* Expands up to room bytes into out, and sets *made to their number. */
static hx_zlib_answer fill(expansion *e, char *out, uint32_t room, uint32_t *made) {
  hx_zlib_answer answer = HX_ZLIB_MORE;
  *made = 0;
  while (answer == HX_ZLIB_MORE && *made < room) {
    uint32_t n;
    answer = e->zlib->work(stream_of(e), out + *made, room - *made, &n);
    *made += n;
  }
  return answer;
}

/* Returns up to n more bytes, "" at the end, or nil and the reason why the data can't be expanded. core.gunzip returns this function. */
static int l_next(lua_State *L) {
  expansion *e = lua_touserdata(L, lua_upvalueindex(2));
  lua_Number n = luaL_checknumber(L, 1);
  luaL_argcheck(L, n >= 1 && n <= 1 << 24, 1, "must be 1 to 2^24");
  if (!e->open) {
    lua_pushliteral(L, "");
    return 1;
  }
  uint32_t made;
  char *out = hx_lua_newuserdata(L, (size_t)n);
  hx_zlib_answer answer = fill(e, out, (uint32_t)n, &made);
  if (answer != HX_ZLIB_MORE) end(e);
  if (answer == HX_ZLIB_MORE || answer == HX_ZLIB_DONE) {
    lua_pushlstring(L, out, made);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, answer == HX_ZLIB_SHORT       ? "it ends too early"
                    : answer == HX_ZLIB_NO_MEMORY ? "it needs more memory than can be had"
                                                  : "it is damaged");
  return 2;
}

/* core.gunzip(bytes): returns a function that takes a number and returns up to that many expanded bytes; or nil and the reason if this
** build lacks zlib. */
static int l_gunzip(lua_State *L) {
  const hx_zlib_library *zlib = hx_library_get(HX_LIBRARY_ZLIB);
  hx_str bytes = hx_check_str(L, 1);
  if (!zlib) {
    lua_pushnil(L);
    lua_pushliteral(L, "this build can't expand it: zlib is missing");
    return 2;
  }
  lua_settop(L, 1);
  expansion *e = hx_lua_newuserdata(L, HEAD + zlib->size);
  *e = (expansion){ .zlib = zlib };
  if (luaL_newmetatable(L, CLASS)) {
    lua_pushcfunction(L, l_collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  e->open = zlib->open_inflate(stream_of(e), bytes, &memory);
  if (!e->open) luaL_error(L, "not enough memory");
  lua_pushcclosure(L, l_next, 2); /* the function keeps the bytes that it reads */
  return 1;
}

/* core.base64_bytes(text): returns the bytes, or nil if the text isn't base64. */
static int base64_bytes(lua_State *L, hx_cx *cx) {
  hx_str bytes;
  if (hx_base64_read(cx, hx_check_str(L, 1), &bytes)) hx_push_str(L, bytes);
  else lua_pushnil(L);
  return 1;
}

static const luaL_Reg functions[] = { { "gunzip", l_gunzip }, { NULL, NULL } };
static const hx_work_row work[] = { { "base64_bytes", 1, base64_bytes, false } };

void hx_open_expand(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  HX_REGISTER_WORK(L, work);
}
