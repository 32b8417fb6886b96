/* crypto_key.h: reads RSA private keys from PEM text, as openssl and ssh-keygen write them. The kind of the key and the length of its
** numbers are known before a library computes with them.
** Memory: the numbers in cx->arena.
** Errors: limits abort; the caller reports anything else. */
#ifndef HX_FN_CRYPTO_KEY_H
#define HX_FN_CRYPTO_KEY_H

#include "base/cx.h"
#include "library/crypto.h"

typedef enum hx_key_kind {
  HX_KEY_NONE,  /* no private key, or one protected by a passphrase */
  HX_KEY_OTHER, /* a private key, but not RSA */
  HX_KEY_RSA,
} hx_key_kind;

/* Reads the private key in a text. Sets *key if it is an RSA key. */
hx_key_kind hx_key_read(hx_cx *cx, hx_str pem, hx_rsa_key *key);

#endif
