/* crypt.h: bcrypt. Only crypt.c uses libcrypt.
** Memory: the caller's.
** Errors: reported by the result. The caller charges the cost beforehand. */
#ifndef HX_LIBRARY_CRYPT_H
#define HX_LIBRARY_CRYPT_H

#include "base/platform.h"

#define HX_BCRYPT_SALT 16

typedef struct hx_crypt_library {
  size_t room; /* bytes that hash needs */
  /* Hashes a NUL-terminated password. The hash is in `room` and begins with $2b$. Returns NULL if the library can't make it. */
  const char *(*hash)(const char *password, unsigned cost, const unsigned char salt[HX_BCRYPT_SALT], void *room);
} hx_crypt_library;

extern HX_EXPORT const hx_crypt_library hx_library_crypt;

#endif
