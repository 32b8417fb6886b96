/* hash.c: md5, sha1, sha256, sha512, base64sha256, base64sha512: digests of a string's UTF-8 bytes. Headers: fn/hash.h. */
#include "fn/hash.h"

#include "fn/arguments.h"
#include "fn/encode.h"
#include "library/library.h"

/* Bytes that are hashed for one step of the limit, and what a digest takes however short the text. */
#define BYTES_A_STEP 8u
#define STEPS_A_DIGEST 8u

uint32_t hx_hash_bytes(hx_call *call, hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]) {
  const hx_crypto_library *crypto = hx_library_get(HX_LIBRARY_CRYPTO);
  if (!crypto) {
    hx_fail_lacking(call, "OpenSSL", "computes digests", "libssl-dev");
    return 0;
  }
  hx_charge_steps(call->cx, STEPS_A_DIGEST);
  for (uint32_t i = 0; i < n; i++) hx_charge_steps(call->cx, pieces[i].len / BYTES_A_STEP);
  uint32_t len = crypto->digest(hash, pieces, n, out);
  if (!len) hx_fail_call(call, "This system's OpenSSL refuses the algorithm, as its settings may ask for.");
  return len;
}

hx_val hx_hash_hex(hx_call *call, hx_hash hash, hx_str bytes) {
  static const char digits[] = "0123456789abcdef";
  unsigned char d[HX_HASH_BYTES];
  uint32_t len = hx_hash_bytes(call, hash, &bytes, 1, d);
  if (!len) return hx_none();
  char *text = hx_alloc(call->cx, 2 * len);
  for (uint32_t i = 0; i < len; i++) {
    text[2 * i] = digits[d[i] >> 4];
    text[2 * i + 1] = digits[d[i] & 15];
  }
  return hx_string_of(call->cx, hx_str_of(text, 2 * len));
}

hx_val hx_hash_base64(hx_call *call, hx_hash hash, hx_str bytes) {
  unsigned char d[HX_HASH_BYTES];
  uint32_t len = hx_hash_bytes(call, hash, &bytes, 1, d);
  if (!len) return hx_none();
  return hx_base64_value(call->cx, hx_str_of((const char *)d, len));
}

static hx_val fn_md5(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_hex(call, HX_HASH_MD5, hx_val_str(&args[0]));
}

static hx_val fn_sha1(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_hex(call, HX_HASH_SHA1, hx_val_str(&args[0]));
}

static hx_val fn_sha256(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_hex(call, HX_HASH_SHA256, hx_val_str(&args[0]));
}

static hx_val fn_sha512(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_hex(call, HX_HASH_SHA512, hx_val_str(&args[0]));
}

static hx_val fn_base64sha256(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_base64(call, HX_HASH_SHA256, hx_val_str(&args[0]));
}

static hx_val fn_base64sha512(hx_call *call, const hx_val *args, uint32_t n) {
  (void)n;
  return hx_hash_base64(call, HX_HASH_SHA512, hx_val_str(&args[0]));
}

#define HASH(name_) \
  .name = #name_, .type = &hx_type_string, .impl = fn_##name_, .flags = HX_NOT_NULL, .params = { { "str", &hx_type_string, 0 } }

const hx_fn hx_fns_hash[] = {
  { HASH(md5), .summary = "The MD5 digest of a text, in hexadecimal.",
    .doc = "Of the text's UTF-8 bytes. MD5 is broken: use it to compare with what others have computed, never for security.",
    .example = "md5(\"hello\")" },
  { HASH(sha1), .summary = "The SHA-1 digest of a text, in hexadecimal.",
    .doc = "Of the text's UTF-8 bytes. SHA-1 is broken: use it to compare with what others have computed, never for security.",
    .example = "sha1(\"hello\")" },
  { HASH(sha256), .summary = "The SHA-256 digest of a text, in hexadecimal.",
    .doc = "Of the text's UTF-8 bytes. For a password use bcrypt().", .example = "sha256(\"hello\")" },
  { HASH(sha512), .summary = "The SHA-512 digest of a text, in hexadecimal.",
    .doc = "Of the text's UTF-8 bytes. For a password use bcrypt().", .example = "sha512(\"hello\")" },
  { HASH(base64sha256), .summary = "The SHA-256 digest of a text, in base64.",
    .doc = "Of the digest's 32 bytes themselves: base64encode(sha256(s)) encodes their hexadecimal digits instead.",
    .example = "base64sha256(\"hello\")" },
  { HASH(base64sha512), .summary = "The SHA-512 digest of a text, in base64.",
    .doc = "Of the digest's 64 bytes themselves: base64encode(sha512(s)) encodes their hexadecimal digits instead.",
    .example = "base64sha512(\"hello\")" },
  { .name = NULL },
};
