/* crypto_lib.h: digests and RSA. crypto_lib.c is the only file that knows OpenSSL's libcrypto; without HX_HAS_CRYPTO it is
** empty. It takes its failures off OpenSSL's error queue: the program around may use OpenSSL, too, and would find them
** there.
** Memory: results where the caller says; OpenSSL's own memory is freed before a function returns.
** Errors: told by the result; nothing is reported. The caller charges the cost beforehand. */
#ifndef HX_FN_CRYPTO_LIB_H
#define HX_FN_CRYPTO_LIB_H

#include "fn/crypto_key.h"
#include "fn/hash.h"

/* The digest of the pieces, one after the other. Returns its length, or 0: this OpenSSL refuses the algorithm. */
uint32_t hx_crypto_digest(hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]);

/* Decrypts PKCS #1 v1.5, into cx->arena. false: the text is not of that padding, not for this key, or damaged. The time grows
** with the cube of the longest of the key's numbers. Uses cx->scratch. */
bool hx_crypto_decrypt(hx_cx *cx, const hx_rsa_key *key, hx_str bytes, hx_str *plain);

#endif
