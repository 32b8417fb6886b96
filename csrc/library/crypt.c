/* crypt.c: bcrypt by libcrypt. */
#include "library/crypt.h"

#include <crypt.h>
#include <string.h>

/* Hashes with libcrypt's $2b$, which is the algorithm that the reference calls $2a$. libcrypt's own $2a$ differs for some passwords. */
static const char *hash(const char *password, unsigned cost, const unsigned char salt[HX_BCRYPT_SALT], void *room) {
  char setting[CRYPT_GENSALT_OUTPUT_SIZE];
  struct crypt_data *data = room;
  memset(data, 0, sizeof *data);
  if (!crypt_gensalt_rn("$2b$", cost, (const char *)salt, HX_BCRYPT_SALT, setting, (int)sizeof setting)) return NULL;
  const char *out = crypt_rn(password, setting, data, (int)sizeof *data);
  return out && memcmp(out, "$2b$", 4) == 0 ? out : NULL;
}

const hx_crypt_library hx_library_crypt = { sizeof(struct crypt_data), hash };
