/* library.c: loads libraries when they are first needed. Two threads may load the same object at the same time; the system loads it
** once. */
#define _GNU_SOURCE /* dladdr */
#include "library/library.h"

#include "library/crypt.h"
#include "library/crypto.h"
#include "library/digest.h"
#include "library/re2.h"
#include "library/yaml.h"
#include "library/zlib.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
  [HX_LIBRARY_CRYPT] = "crypt", [HX_LIBRARY_CRYPTO] = "crypto", [HX_LIBRARY_DIGEST] = "digest",
  [HX_LIBRARY_RE2] = "re2",     [HX_LIBRARY_YAML] = "yaml",     [HX_LIBRARY_ZLIB] = "zlib",
};

static char home[PATH_MAX]; /* this object's folder; empty: unknown */
static const char nothing;  /* its address marks a library that can't be loaded */

/* Libraries linked into this object (make INSIDE=…) are available from the start. */
static _Atomic(const void *) tables[sizeof names / sizeof *names] = {
#ifdef HX_HAS_CRYPT
  [HX_LIBRARY_CRYPT] = &hx_library_crypt,
#endif
#ifdef HX_HAS_CRYPTO
  [HX_LIBRARY_CRYPTO] = &hx_library_crypto,
#endif
#ifdef HX_HAS_DIGEST
  [HX_LIBRARY_DIGEST] = &hx_library_digest,
#endif
#ifdef HX_HAS_RE2
  [HX_LIBRARY_RE2] = &hx_library_re2,
#endif
#ifdef HX_HAS_YAML
  [HX_LIBRARY_YAML] = &hx_library_yaml,
#endif
#ifdef HX_HAS_ZLIB
  [HX_LIBRARY_ZLIB] = &hx_library_zlib,
#endif
};

/* How often a library is tried. If memory runs out within the system's loader, errno doesn't always say so, and a later attempt may
** succeed. */
#define TRIES 8
static _Atomic int tries[sizeof names / sizeof *names];

static void find_home(void) {
  Dl_info info;
  char folder[PATH_MAX];
  if (!dladdr(&nothing, &info) || !info.dli_fname) return;
  const char *slash = strrchr(info.dli_fname, '/');
  size_t len = slash ? (size_t)(slash - info.dli_fname) + 1 : 0;
  if (len + 1 >= sizeof folder) return;
  memcpy(folder, info.dli_fname, len);
  strcpy(folder + len, ".");
  if (folder[0] == '/') strcpy(home, folder);
  else if (!realpath(folder, home)) home[0] = '\0';
}

void hx_library_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_home);
}

static const void *load(const char *name) {
  char path[PATH_MAX + 32], symbol[32];
  hx_library_init();
  if (!home[0]) return NULL;
  (void)snprintf(path, sizeof path, "%s/%s.so", home, name);
  (void)snprintf(symbol, sizeof symbol, "hx_library_%s", name);
  errno = 0;
  /* Our objects are compiled with -fno-plt, so the loader finds all functions that they call now, or doesn't load them. Functions that
  ** libraries call in each other are found later. For RE2 this saves 1.6 million instructions, almost half of its loading. */
  void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  return object ? dlsym(object, symbol) : NULL;
}

const void *hx_library_get(hx_library which) {
  const void *table = atomic_load_explicit(&tables[which], memory_order_acquire);
  if (!table) {
    table = load(names[which]);
    if (!table && (errno == ENOMEM || atomic_fetch_add(&tries[which], 1) < TRIES)) return NULL;
    if (!table) table = &nothing;
    atomic_store_explicit(&tables[which], table, memory_order_release);
  }
  return table == &nothing ? NULL : table;
}
