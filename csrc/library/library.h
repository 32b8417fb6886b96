/* library.h: libraries of other projects, loaded when they are first needed. Each has an object of its own beside the core's, made from
** library/NAME.c, that exports a table of functions: no program waits for libraries that it never calls. This layer uses nothing of the
** core except what headers of base define.
** Memory: what is loaded stays until the process ends.
** Errors: NULL if an object, or the library that it needs, is missing. After a few attempts that is remembered, and asking again costs
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

/* Returns the table hx_library_NAME, which library/NAME.h describes. Any thread may ask. */
const void *hx_library_get(hx_library which);
/* Finds the folder that holds the objects; to be called before the process may change to another folder. */
void hx_library_init(void);

#endif
