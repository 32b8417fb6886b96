/* library.h: the libraries of others that are loaded when they are first needed. Each has an object of its own beside the core's,
** made of library/NAME.c, that exports a table of functions: no program waits for libraries that it never calls. Nothing here
** uses the core but for what headers of base define.
** Memory: what is loaded stays until the process ends.
** Errors: NULL where an object is missing, or the library that it needs. After a few times that is remembered: asking again costs
** nothing. */
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

/* The table hx_library_NAME, which library/NAME.h describes. Any thread may ask. */
const void *hx_library_get(hx_library which);
/* Finds the folder that objects lie in; asked before the process may have gone to another folder. */
void hx_library_init(void);

#endif
