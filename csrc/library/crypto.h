/* crypto.h: RSA. crypto.c uses OpenSSL's libcrypto, and takes its failures off OpenSSL's error queue: the host program may use OpenSSL as
** well, and would find them there.
** Memory: the caller's; OpenSSL's own is freed before a function returns.
** Errors: reported by the result. The caller charges the cost beforehand. */
#ifndef HX_LIBRARY_CRYPTO_H
#define HX_LIBRARY_CRYPTO_H

#include "base/str.h"

/* The numbers of a key, highest byte first: modulus, public and private exponent. They aren't empty. The primes would only make
** decrypting faster, so they aren't needed. */
typedef struct hx_rsa_key {
  hx_str n, e, d;
} hx_rsa_key;

typedef struct hx_crypto_library {
  /* Decrypts PKCS #1 v1.5. *len is the room in `out`, at least n's length, and becomes the number of bytes written. `room` has as many
  ** bytes as all three numbers together. Returns false if the text lacks that padding, is for another key, or is damaged. The time grows
  ** with the cube of the longest number. */
  bool (*decrypt)(const hx_rsa_key *key, unsigned char *room, hx_str bytes, unsigned char *out, size_t *len);
} hx_crypto_library;

extern HX_EXPORT const hx_crypto_library hx_library_crypto;

#endif
