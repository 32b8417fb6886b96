/* library.h: loads libraries of other projects when they are first needed, so that no program waits for libraries that it never calls. Each
** library has a shared object of its own beside the core's. It is made from library/NAME.c, and exports a table of functions. This layer
** uses only headers of base.
** Memory: what is loaded stays until the process ends.
** Errors: NULL if an object, or the library that it needs, is missing. After a few failures that is remembered, and further calls cost
**   nothing. */
#ifndef HX_LIBRARY_LIBRARY_H
#define HX_LIBRARY_LIBRARY_H

#include "base/platform.h"

typedef enum hx_library {
  HX_LIBRARY_CRYPT,
  HX_LIBRARY_CRYPTO,
  HX_LIBRARY_DIGEST,
  HX_LIBRARY_RE2,
  HX_LIBRARY_YAML,
  HX_LIBRARY_ZLIB,
} hx_library;

/* Returns the table hx_library_NAME, which library/NAME.h describes. Any thread may call this function. */
const void *hx_library_get(hx_library which);
/* Finds the folder of the objects. Must be called before the process may change its working directory. */
void hx_library_init(void);

#endif
