/* crypto_rsa.c: rsadecrypt. Headers: fn/crypto.h, library/crypto.h. */
#include "fn/crypto.h"

#include "fn/arguments.h"
#include "fn/crypto_key.h"
#include "fn/encode.h"
#include "library/library.h"
#include "text/unicode.h"

/* What the library takes for a key of any length, and where they are so long that they can't be paid for, of 64 million bits. */
#define KEY_STEPS 512u
#define WORDS_MAX (UINT64_C(1) << 20)

/* The time goes with the cube of the numbers' length, which is whatever the text says. */
static void charge_key(hx_cx *cx, const hx_rsa_key *key) {
  uint32_t longest = key->n.len;
  if (longest < key->e.len) longest = key->e.len;
  if (longest < key->d.len) longest = key->d.len;
  uint64_t words = (uint64_t)longest / 8 + 1;
  hx_charge_steps(cx, words < WORDS_MAX ? KEY_STEPS + 4 * words * words * words : UINT64_MAX);
}

static hx_val decrypt_with(hx_call *call, const hx_crypto_library *crypto, const hx_rsa_key *key, hx_str bytes) {
  hx_cx *cx = call->cx;
  size_t len = key->n.len;
  charge_key(cx, key);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  unsigned char *room = hx_arena_alloc(&cx->scratch, len + key->e.len + key->d.len), *out = hx_alloc(cx, len);
  bool ok = crypto->decrypt(key, room, bytes, out, &len);
  hx_arena_release(&cx->scratch, mark);
  hx_str plain = hx_str_of((const char *)out, len);
  if (!ok) return hx_fail_call(call, "The ciphertext can't be decrypted with this key: it was made for another, or is damaged.");
  if (!hx_utf8_valid(plain)) return hx_fail_call(call, "The decrypted bytes are no UTF-8, and a string can't hold others.");
  return hx_string_of(cx, plain);
}

hx_val hx_fn_rsadecrypt(hx_call *call, const hx_val *args) {
  hx_str bytes;
  hx_rsa_key key;
  const hx_crypto_library *crypto = hx_library_get(HX_LIBRARY_CRYPTO);
  if (!crypto) return hx_fail_lacking(call, "OpenSSL", "decrypts", "libssl-dev");
  if (!hx_base64_read(call->cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, 0);
  switch (hx_key_read(call->cx, hx_val_str(&args[1]), &key)) {
    case HX_KEY_NONE:
      return hx_fail(call, 1,
                     "It is no private key in PEM form, or one that a passphrase protects, which must be taken off first.");
    case HX_KEY_OTHER: return hx_fail(call, 1, "It is a private key, but not one of RSA.");
    case HX_KEY_RSA: break;
  }
  return decrypt_with(call, crypto, &key, bytes);
}
