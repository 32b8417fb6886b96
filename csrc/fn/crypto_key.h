/* crypto_key.h: RSA private keys out of PEM text, as openssl and ssh-keygen write them. Which kind of key it is and how long its numbers
** are is known before a library computes with any.
** Memory: the numbers in cx->arena.
** Errors: limits abort; what is no such key is the caller's to report. */
#ifndef HX_FN_CRYPTO_KEY_H
#define HX_FN_CRYPTO_KEY_H

#include "base/cx.h"

typedef enum hx_key_kind {
  HX_KEY_NONE,  /* no private key, or one that a passphrase protects */
  HX_KEY_OTHER, /* a private key, but none of RSA */
  HX_KEY_RSA,
} hx_key_kind;

/* The numbers of a key, their first byte the highest: modulus, public and private exponent, none of them empty. The primes would
** only make it faster. */
typedef struct hx_rsa_key {
  hx_str n, e, d;
} hx_rsa_key;

/* *key is set for HX_KEY_RSA. */
hx_key_kind hx_key_read(hx_cx *cx, hx_str pem, hx_rsa_key *key);

#endif
