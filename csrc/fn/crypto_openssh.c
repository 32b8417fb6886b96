/* crypto_openssh.c: RSA keys as ssh-keygen writes them, which OpenSSL doesn't read: a line of base64 whose bytes are lengths and
** contents. Headers: fn/crypto.h. Source: OpenSSH's PROTOCOL.key. */
#include "fn/crypto.h"

#ifdef HX_HAS_CRYPTO
#include <openssl/opensslv.h>
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

typedef struct key_reader {
  const unsigned char *p;
  size_t left;
  bool ok;
} key_reader;

static uint32_t read_number(key_reader *r) {
  if (r->left < 4) r->ok = false;
  if (!r->ok) return 0;
  const unsigned char *p = r->p;
  r->p += 4;
  r->left -= 4;
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static hx_str read_piece(key_reader *r) {
  uint32_t len = read_number(r);
  if (len > r->left) r->ok = false;
  if (!r->ok) return (hx_str){ "", 0 };
  hx_str s = hx_str_of((const char *)r->p, len);
  r->p += len;
  r->left -= len;
  return s;
}

/* A big number for OpenSSL, which wants the processor's order of bytes. */
static OSSL_PARAM number_param(hx_cx *cx, const char *name, hx_str big_endian) {
  const uint16_t one = 1;
  bool little = *(const unsigned char *)&one == 1;
  unsigned char *bytes = hx_arena_alloc(&cx->scratch, big_endian.len);
  for (uint32_t i = 0; i < big_endian.len; i++) bytes[i] = (unsigned char)big_endian.p[little ? big_endian.len - 1 - i : i];
  return OSSL_PARAM_construct_BN(name, bytes, big_endian.len);
}

static void free_context(void *ctx) {
  EVP_PKEY_CTX_free(ctx);
}

/* From the modulus and both exponents alone: the primes would only make it faster. */
static EVP_PKEY *make_key(hx_cx *cx, hx_str n, hx_str e, hx_str d) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM params[4] = { number_param(cx, OSSL_PKEY_PARAM_RSA_N, n), number_param(cx, OSSL_PKEY_PARAM_RSA_E, e),
                           number_param(cx, OSSL_PKEY_PARAM_RSA_D, d), OSSL_PARAM_construct_end() };
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  if (!ctx) return NULL;
  hx_arena_defer(&cx->scratch, free_context, ctx);
  if (EVP_PKEY_fromdata_init(ctx) != 1) return NULL;
  return EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) == 1 ? key : NULL;
}

/* The private part of a file of one key without a passphrase; its length 0: it is something else. */
static hx_str private_part(const unsigned char *bytes, size_t len) {
  static const char magic[] = "openssh-key-v1"; /* its NUL belongs to it */
  if (len < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0) return (hx_str){ "", 0 };
  key_reader r = { bytes + sizeof magic, len - sizeof magic, true };
  hx_str cipher = read_piece(&r);
  read_piece(&r); /* how the passphrase is stretched, and its options: none */
  read_piece(&r);
  uint32_t keys = read_number(&r);
  read_piece(&r); /* the public key */
  hx_str part = read_piece(&r);
  return r.ok && keys == 1 && hx_str_eq(cipher, HX_STR("none")) ? part : (hx_str){ "", 0 };
}

static EVP_PKEY *read_private(hx_cx *cx, hx_str part) {
  key_reader r = { (const unsigned char *)part.p, part.len, true };
  uint32_t check = read_number(&r), again = read_number(&r);
  hx_str kind = read_piece(&r);
  if (!r.ok || check != again || !hx_str_eq(kind, HX_STR("ssh-rsa"))) return NULL;
  hx_str n = read_piece(&r), e = read_piece(&r), d = read_piece(&r);
  return r.ok && n.len && e.len && d.len ? make_key(cx, n, e, d) : NULL;
}

static void free_bytes(void *p) {
  OPENSSL_free(p);
}

void *hx_openssh_key(hx_cx *cx, void *bio) {
  char *name = NULL, *header = NULL;
  unsigned char *bytes = NULL;
  long len = 0;
  if (PEM_read_bio(bio, &name, &header, &bytes, &len) != 1) return NULL;
  bool is_it = strcmp(name, "OPENSSH PRIVATE KEY") == 0;
  OPENSSL_free(name);
  OPENSSL_free(header);
  hx_arena_defer(&cx->scratch, free_bytes, bytes);
  return is_it ? read_private(cx, private_part(bytes, (size_t)len)) : NULL;
}

#else

/* Before version 3 OpenSSL has no way to make a key of numbers that later ones have too: such keys are not read there. */
void *hx_openssh_key(hx_cx *cx, void *bio) {
  (void)cx, (void)bio;
  return NULL;
}

#endif
#endif
