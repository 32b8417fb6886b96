/* digest.c: digests by OpenSSL's libcrypto. Calls the functions of each algorithm directly, because these don't read OpenSSL's settings
** and providers. To read those takes longer than most digests, and they may reject old algorithms that the language has. */
#include "library/digest.h"

#define OPENSSL_SUPPRESS_DEPRECATED /* OpenSSL calls the direct functions deprecated */
#include <openssl/md5.h>
#include <openssl/sha.h>

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

const hx_digest_library hx_library_digest = { digest };
