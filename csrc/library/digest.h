/* digest.h: digests. digest.c calls the algorithms in OpenSSL's libcrypto, which need nothing else of it. If libcrypto exists as an
** archive, these algorithms are linked in: to load all of libcrypto takes longer than most digests.
** Memory: the caller's.
** Errors: reported by the result. The caller charges the cost beforehand. */
#ifndef HX_LIBRARY_DIGEST_H
#define HX_LIBRARY_DIGEST_H

#include "base/str.h"

typedef enum hx_hash {
  HX_HASH_MD5,
  HX_HASH_SHA1,
  HX_HASH_SHA256,
  HX_HASH_SHA512,
} hx_hash;

#define HX_HASH_BYTES 64 /* room for any digest */

typedef struct hx_digest_library {
  /* Makes the digest of all pieces, one after the other. Returns its length, or 0 if this OpenSSL rejects the algorithm. */
  uint32_t (*digest)(hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]);
} hx_digest_library;

extern HX_EXPORT const hx_digest_library hx_library_digest;

#endif
