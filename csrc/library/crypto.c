/* crypto.c: see crypto.h. */
#include "library/crypto.h"

#define OPENSSL_SUPPRESS_DEPRECATED /* the functions of single digests: see below */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/opensslv.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#include <openssl/core_names.h>
#endif

/* Digests: by the functions of each, which need nothing of OpenSSL's settings and providers. Reading those takes longer than most digests,
** and they may refuse old ones, which the language has. */

#define DIGEST(name, context, prefix, length)                                                           \
  static uint32_t name(const hx_str *pieces, uint32_t n, unsigned char *out) {                          \
    context ctx;                                                                                        \
    bool ok = prefix##_Init(&ctx) == 1;                                                                 \
    for (uint32_t i = 0; ok && i < n; i++) ok = prefix##_Update(&ctx, pieces[i].p, pieces[i].len) == 1; \
    return ok && prefix##_Final(out, &ctx) == 1 ? (length) : 0;                                         \
  }
DIGEST(md5, MD5_CTX, MD5, MD5_DIGEST_LENGTH)
DIGEST(sha1, SHA_CTX, SHA1, SHA_DIGEST_LENGTH)
DIGEST(sha256, SHA256_CTX, SHA256, SHA256_DIGEST_LENGTH)
DIGEST(sha512, SHA512_CTX, SHA512, SHA512_DIGEST_LENGTH)

static uint32_t (*const digests[])(const hx_str *pieces, uint32_t n, unsigned char *out) = {
  [HX_HASH_MD5] = md5, [HX_HASH_SHA1] = sha1, [HX_HASH_SHA256] = sha256, [HX_HASH_SHA512] = sha512
};

static uint32_t digest(hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]) {
  return digests[hash](pieces, n, out);
}

/* RSA */

#if OPENSSL_VERSION_NUMBER >= 0x30000000L

/* OpenSSL wants big numbers in the processor's order of bytes. */
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

/* Before version 3 keys are made of numbers by functions that later ones take for outdated. */
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

/* *len: room in `out`, then what was written there. */
static bool decrypt_with(EVP_PKEY *key, hx_str bytes, unsigned char *out, size_t *len) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  bool ok = ctx && EVP_PKEY_decrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
  /* Newer versions answer random bytes for a wrong padding; here that is to be an error. Older ones don't know the word. */
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

const hx_crypto_library hx_library_crypto = { digest, decrypt };
