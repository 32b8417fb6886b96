/* coverage_hook.c: for tools/coverage_lua. Marks each line of the Lua layer that runs, in any process: byte N (from 1) of the file
** $COVERAGE_LUA/lua%hclexpr%….lua is 1 once line N of that source has run. The files are mapped, so any end of a process is fine. It
** works for Lua 5.4 and LuaJIT. A program of either loads hx_coverage (through LUA_INIT, or a plugin of Neovim). If Lua is a library of
** another program (nginx), this file is preloaded (LD_PRELOAD) and sees when a new Lua opens its libraries. Coroutines inherit a C hook,
** but not a Lua hook. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINES = 4096, CHUNKS = 4096, MASK_LINE = 4 };

/* The common beginning of both lua_Debug structs, with room for the rest. */
typedef struct {
  int event;
  const char *name, *namewhat, *what, *source;
  union {
    int jit;
    struct {
      size_t srclen;
      int currentline;
    } puc;
  } line;
  char rest[512];
} debug;

int lua_getinfo(void *L, const char *what, debug *ar);
void lua_sethook(void *L, void (*hook)(void *, debug *), int mask, int count);
int hx_coverage(void *L);
void luaL_openlibs(void *L);

static char *folder;
static int (*setmode)(void *L, int index, int mode);

/* The place to mark the lines of a chunk, by the address of its name; NULL: it isn't ours. */
static struct {
  char *source;
  unsigned char *lines;
} chunks[CHUNKS];

static unsigned char *map(const char *source) {
  char path[1024], *at;
  const char *name = strstr(source, "lua/hclexpr");
  if (!name) name = strstr(source, "lua/resty");
  if (*source != '@' || !name) return NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (at = path + strlen(folder) + 1; (at = strchr(at, '/'));) *at = '%';
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return NULL;
  void *lines = ftruncate(file, LINES) ? MAP_FAILED : mmap(NULL, LINES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return lines == MAP_FAILED ? NULL : lines;
}

static void hook(void *L, debug *ar) {
  lua_getinfo(L, "Sl", ar);
  int line = setmode ? ar->line.jit : ar->line.puc.currentline;
  size_t i = (uintptr_t)ar->source / 16 % CHUNKS;
  if (!chunks[i].source || strcmp(chunks[i].source, ar->source) != 0) {
    free(chunks[i].source);
    chunks[i].source = strdup(ar->source);
    chunks[i].lines = map(ar->source);
  }
  if (chunks[i].lines && line > 0 && line <= LINES) chunks[i].lines[line - 1] = 1;
}

/* Compiled code calls no hooks, so LuaJIT's compiler is switched off: mode 0 of its engine. nginx clears its environment after the first
** Lua. */
int hx_coverage(void *L) {
  const char *asked = getenv("COVERAGE_LUA");
  if (!folder && asked) folder = strdup(asked);
  if (!folder) return 0;
  setmode = (int (*)(void *, int, int))dlsym(RTLD_DEFAULT, "luaJIT_setmode");
  if (setmode) setmode(L, 0, 0);
  lua_sethook(L, hook, MASK_LINE, 0);
  return 0;
}

void luaL_openlibs(void *L) {
  ((void (*)(void *))dlsym(RTLD_NEXT, "luaL_openlibs"))(L);
  hx_coverage(L);
}
