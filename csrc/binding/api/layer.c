/* layer.c: loads the command's modules from the compiled Lua layer, a file that tools/compile.lua writes and describes. Reading
** seventy modules with Lua's own functions takes a twelfth of the work for one answer of the console, most of it for texts that
** become garbage at once.
** Memory: the file stays mapped for the rest of the process.
** Errors: none: without the file, or for a module that it lacks, nothing is returned. */
#define _DEFAULT_SOURCE /* mmap */
#include "binding/state/openers.h"

#include "binding/state/state.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct layer {
  const char *index, *chunks, *end; /* chunks: the end of the index */
} layer;

/* Reads the number at *at, and moves *at past the number and the character after it. */
static size_t read_number(const char **at, const char *end) {
  size_t n = 0;
  while (*at < end && **at >= '0' && **at <= '9' && n < SIZE_MAX / 20) n = n * 10 + (size_t)(*(*at)++ - '0');
  if (*at < end) ++*at;
  return n;
}

static bool map_file(layer *l, const char *path) {
  struct stat found;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t size = fstat(fd, &found) == 0 && found.st_size > 0 ? (size_t)found.st_size : 0;
  char *file = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  (void)close(fd);
  if (file == MAP_FAILED) return false;
  l->index = file;
  l->end = file + size;
  size_t n = read_number(&l->index, l->end);
  if (!n || n > (size_t)(l->end - l->index) || l->index[n - 1] != '\n') return false;
  l->chunks = l->index + n;
  return true;
}

static int compare(hx_str name, const char *other, size_t len) {
  int order = memcmp(name.p, other, name.len < len ? name.len : len);
  return order ? order : name.len < len ? -1 : name.len > len;
}

/* Returns the text after a name in the index, or NULL. The index is sorted by name, so it does a binary search. */
static const char *find(const layer *l, hx_str name) {
  const char *from = l->index, *to = l->chunks;
  while (from < to) {
    const char *line = from + (to - from) / 2;
    while (line > from && line[-1] != '\n') line--;
    const char *end = memchr(line, '\n', (size_t)(to - line)), *space = memchr(line, ' ', (size_t)(end - line));
    if (!space) return NULL;
    int order = compare(name, line, (size_t)(space - line));
    if (order == 0) return space + 1;
    if (order < 0) to = line;
    else from = end + 1;
  }
  return NULL;
}

/* Searches a module for `require`. A chunk that this Lua can't load counts as missing. */
static int l_load(lua_State *L) {
  const layer *l = lua_touserdata(L, lua_upvalueindex(1));
  hx_str name = hx_check_str(L, 1);
  const char *at = find(l, name);
  if (!at) return 0;
  size_t place = read_number(&at, l->chunks), size = read_number(&at, l->chunks), all = (size_t)(l->end - l->chunks);
  if (place > all || size > all - place) return 0;
  return luaL_loadbuffer(L, l->chunks + place, size, name.p) == 0;
}

/* core.layer(path): returns a searcher for `require` that loads modules from a compiled layer, or nothing if the file can't be read. */
static int l_layer(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  layer *l = hx_lua_newuserdata(L, sizeof *l);
  if (!map_file(l, path)) return 0;
  lua_pushcclosure(L, l_load, 1);
  return 1;
}

static const luaL_Reg functions[] = { { "layer", l_layer }, { NULL, NULL } };

void hx_open_layer(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
