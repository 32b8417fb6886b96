/* absent.c: what a page lacks: libraries to be loaded, what only the command uses, and what the C library for WebAssembly lacks of files. */
#include "base/region.h"
#include "binding/state/openers.h"
#include "library/library.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void hx_library_init(void) {
}

const void *hx_library_get(hx_library which) {
  (void)which;
  return NULL;
}

hx_region hx_region_used;

void *hx_region_take(size_t size) {
  (void)size;
  return NULL;
}

void hx_open_blocks(lua_State *L) {
  (void)L;
}

void hx_open_layer(lua_State *L) {
  (void)L;
}

static int refuse(void) {
  errno = ENOSYS;
  return -1;
}

char *realpath(const char *path, char *resolved) {
  (void)path, (void)resolved;
  refuse();
  return NULL;
}

int mkstemp(char *name) {
  (void)name;
  return refuse();
}

int fchown(int file, uid_t owner, gid_t group) {
  (void)file, (void)owner, (void)group;
  return refuse();
}

int fchmod(int file, mode_t mode) {
  (void)file, (void)mode;
  return refuse();
}

mode_t umask(mode_t mask) {
  (void)mask;
  return 0;
}

/* Lua's table.sort picks its first pivot by it, and by the time. */
clock_t clock(void) {
  return 0;
}
