/* crypto_rsa.c: rsadecrypt, by OpenSSL's libcrypto. Headers: fn/crypto.h.
** What OpenSSL notes of its failures is taken off its list again, before the limits are asked: the host may use it too, and would
** find them there. */
#include "fn/crypto.h"

#include "fn/arguments.h"
#include "fn/encode.h"
#include "text/unicode.h"

#ifdef HX_HAS_CRYPTO
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

/* A key with a passphrase is refused; without this OpenSSL would ask for one at the terminal. */
static int no_passphrase(char *room, int size, int writing, void *ud) {
  (void)room, (void)size, (void)writing, (void)ud;
  return -1;
}

/* Keys so long, of 64 million bits, can't be paid for. */
#define WORDS_MAX (UINT64_C(1) << 20)

static void free_key(void *key) {
  EVP_PKEY_free(key);
}
static void free_context(void *ctx) {
  EVP_PKEY_CTX_free(ctx);
}

static void free_bio(void *bio) {
  BIO_free(bio);
}

static BIO *open_text(hx_cx *cx, hx_str text) {
  BIO *bio = text.len && text.len <= INT32_MAX ? BIO_new_mem_buf(text.p, (int)text.len) : NULL;
  if (bio) hx_arena_defer(&cx->scratch, free_bio, bio);
  return bio;
}

static EVP_PKEY *read_pem(hx_cx *cx, hx_str text) {
  BIO *bio = open_text(cx, text), *again = open_text(cx, text);
  EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
  return key || !again ? key : hx_openssh_key(cx, again);
}

/* The time goes with the cube of the key's length, which is whatever the text says. */
static void charge_key(hx_cx *cx, EVP_PKEY *key) {
  uint64_t words = (uint64_t)EVP_PKEY_bits(key) / 64 + 1;
  hx_charge_steps(cx, words < WORDS_MAX ? 4 * words * words * words : UINT64_MAX);
}

/* NULL: it is not the key's, or damaged. Everything made here is freed with the scratch arena. */
static const unsigned char *decrypt(hx_cx *cx, EVP_PKEY *key, hx_str text, size_t *len) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  if (!ctx) return NULL;
  hx_arena_defer(&cx->scratch, free_context, ctx);
  if (EVP_PKEY_decrypt_init(ctx) != 1 || EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) != 1) return NULL;
  /* Newer versions answer random bytes for a wrong padding; here that is to be an error. Older ones don't know the word. */
  EVP_PKEY_CTX_ctrl_str(ctx, "rsa_pkcs1_implicit_rejection", "0");
  *len = (size_t)EVP_PKEY_size(key);
  unsigned char *out = hx_alloc(cx, *len);
  return EVP_PKEY_decrypt(ctx, out, len, (const unsigned char *)text.p, text.len) == 1 ? out : NULL;
}

static hx_val decrypt_with(hx_call *call, EVP_PKEY *key, hx_str text) {
  size_t len;
  if (EVP_PKEY_base_id(key) != EVP_PKEY_RSA) return hx_fail(call, 1, "It is a private key, but not one of RSA.");
  charge_key(call->cx, key);
  ERR_set_mark();
  const unsigned char *out = decrypt(call->cx, key, text, &len);
  ERR_pop_to_mark();
  if (!out) return hx_fail_call(call, "The ciphertext can't be decrypted with this key: it was made for another, or is damaged.");
  hx_str plain = hx_str_of((const char *)out, len);
  if (!hx_utf8_valid(plain)) return hx_fail_call(call, "The decrypted bytes are no UTF-8, and a string can't hold others.");
  return hx_string_of(call->cx, plain);
}

static hx_val read_and_decrypt(hx_call *call, hx_str text, hx_str pem) {
  ERR_set_mark();
  EVP_PKEY *key = read_pem(call->cx, pem);
  ERR_pop_to_mark();
  if (!key)
    return hx_fail(call, 1, "It is no private key in PEM form, or one that a passphrase protects, which must be taken off first.");
  hx_arena_defer(&call->cx->scratch, free_key, key);
  return decrypt_with(call, key, text);
}

hx_val hx_fn_rsadecrypt(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  hx_str bytes;
  if (!hx_base64_read(call->cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, 0);
  hx_arena_mark mark = hx_arena_get_mark(&call->cx->scratch);
  hx_val out = read_and_decrypt(call, bytes, hx_val_str(&args[1]));
  hx_arena_release(&call->cx->scratch, mark);
  return out;
}

#else

hx_val hx_fn_rsadecrypt(hx_call *call, const hx_val *args, uint32_t n) {
  (void)args, (void)n;
  return hx_fail_call(call, "This build of hclexpr has no OpenSSL, which decrypts. Build it with libcrypto's headers there.");
}

#endif
