/* crypto.c: RSA by OpenSSL's libcrypto. */
#include "library/crypto.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/rsa.h>
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#include <openssl/core_names.h>
#endif

#if OPENSSL_VERSION_NUMBER >= 0x30000000L

/* Makes a number for OpenSSL, which needs the processor's order of bytes. *room moves past the bytes used. */
static OSSL_PARAM number_param(unsigned char **room, const char *name, hx_str big_endian) {
  const uint16_t one = 1;
  bool little = *(const unsigned char *)&one == 1;
  unsigned char *bytes = *room;
  *room += big_endian.len;
  for (uint32_t i = 0; i < big_endian.len; i++) bytes[i] = (unsigned char)big_endian.p[little ? big_endian.len - 1 - i : i];
  return OSSL_PARAM_construct_BN(name, bytes, big_endian.len);
}

static EVP_PKEY *make_key(const hx_rsa_key *numbers, unsigned char *room) {
  OSSL_PARAM params[4] = { number_param(&room, OSSL_PKEY_PARAM_RSA_N, numbers->n),
                           number_param(&room, OSSL_PKEY_PARAM_RSA_E, numbers->e),
                           number_param(&room, OSSL_PKEY_PARAM_RSA_D, numbers->d), OSSL_PARAM_construct_end() };
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  bool ok = ctx && EVP_PKEY_fromdata_init(ctx) == 1 && EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) == 1;
  EVP_PKEY_CTX_free(ctx);
  return ok ? key : NULL;
}

#else

static BIGNUM *number(hx_str big_endian) {
  return big_endian.len <= INT32_MAX ? BN_bin2bn((const unsigned char *)big_endian.p, (int)big_endian.len, NULL) : NULL;
}

/* Makes a key from its numbers by the functions of OpenSSL before version 3, which later versions call deprecated. */
static EVP_PKEY *make_key(const hx_rsa_key *numbers, unsigned char *room) {
  (void)room;
  RSA *rsa = RSA_new();
  EVP_PKEY *key = EVP_PKEY_new();
  BIGNUM *n = number(numbers->n), *e = number(numbers->e), *d = number(numbers->d);
  if (rsa && n && e && d && RSA_set0_key(rsa, n, e, d) == 1) {
    if (key && EVP_PKEY_assign_RSA(key, rsa) == 1) return key;
  } else {
    BN_free(n);
    BN_free(e);
    BN_clear_free(d);
  }
  RSA_free(rsa);
  EVP_PKEY_free(key);
  return NULL;
}

#endif

/* Decrypts bytes. *len is the room in `out`, and becomes the number of bytes written. */
static bool decrypt_with(EVP_PKEY *key, hx_str bytes, unsigned char *out, size_t *len) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  bool ok = ctx && EVP_PKEY_decrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
  /* Newer versions return random bytes for a wrong padding; here that must be an error. Older ones lack the option. */
  if (ok) EVP_PKEY_CTX_ctrl_str(ctx, "rsa_pkcs1_implicit_rejection", "0");
  ok = ok && EVP_PKEY_decrypt(ctx, out, len, (const unsigned char *)bytes.p, bytes.len) == 1;
  EVP_PKEY_CTX_free(ctx);
  return ok;
}

static bool decrypt(const hx_rsa_key *numbers, unsigned char *room, hx_str bytes, unsigned char *out, size_t *len) {
  ERR_set_mark();
  EVP_PKEY *key = make_key(numbers, room);
  bool ok = key && decrypt_with(key, bytes, out, len);
  EVP_PKEY_free(key);
  ERR_pop_to_mark();
  return ok;
}

const hx_crypto_library hx_library_crypto = { decrypt };
