/* hash.c: md5, sha1, sha256, sha512, base64sha256, base64sha512: digests of a string's UTF-8 bytes. Headers: fn/hash.h. */
#include "fn/hash.h"

#include "fn/arguments.h"
#include "fn/encode.h"
#include "library/library.h"

/* Hashing this many bytes takes a step. Each digest takes STEPS_A_DIGEST in addition, even for a short text. */
#define BYTES_A_STEP 8u
#define STEPS_A_DIGEST 8u

uint32_t hx_hash_bytes(hx_call *call, hx_hash hash, const hx_str *pieces, uint32_t n, unsigned char out[HX_HASH_BYTES]) {
  const hx_digest_library *library = hx_library_get(HX_LIBRARY_DIGEST);
  if (!library) {
    hx_fail_lacking(call, "OpenSSL", "computes digests", "libssl-dev");
    return 0;
  }
  hx_charge_steps(call->cx, STEPS_A_DIGEST);
  for (uint32_t i = 0; i < n; i++) hx_charge_steps(call->cx, pieces[i].len / BYTES_A_STEP);
  uint32_t len = library->digest(hash, pieces, n, out);
  if (!len) hx_fail_call(call, "This system's OpenSSL rejects the algorithm, probably because of its settings.");
  return len;
}

hx_str hx_hex(hx_cx *cx, hx_str bytes) {
  static const char digits[] = "0123456789abcdef";
  char *text = hx_alloc(cx, 2 * (size_t)bytes.len);
  for (size_t i = 0; i < bytes.len; i++) {
    unsigned char byte = (unsigned char)bytes.p[i];
    text[2 * i] = digits[byte >> 4];
    text[2 * i + 1] = digits[byte & 15];
  }
  return hx_str_of(text, 2 * (size_t)bytes.len);
}

hx_val hx_digest(hx_call *call, hx_str bytes) {
  unsigned char d[HX_HASH_BYTES];
  uint8_t variant = call->fn->variant;
  uint32_t len = hx_hash_bytes(call, (hx_hash)(variant & ~HX_IN_BASE64), &bytes, 1, d);
  if (!len) return hx_none();
  hx_str digest = hx_str_of((const char *)d, len);
  return variant & HX_IN_BASE64 ? hx_base64_value(call->cx, digest) : hx_string_of(call->cx, hx_hex(call->cx, digest));
}

static hx_val fn_digest(hx_call *call, const hx_val *args) {
  return hx_digest(call, hx_val_str(&args[0]));
}

#define DIGEST(name_, variant_)                                                                           \
  .name = name_, .type = &hx_type_string, .impl = fn_digest, .variant = (variant_), .flags = HX_NOT_NULL, \
  .params = { HX_TEXT("str") }

const hx_fn hx_fns_hash[] = {
  { DIGEST("md5", HX_HASH_MD5), .summary = "Returns the MD5 digest of a text in hexadecimal.",
    .doc = "It hashes the UTF-8 bytes. MD5 is broken: use it only to compare with existing digests, never for security.",
    .example = "md5(\"hello\")" },
  { DIGEST("sha1", HX_HASH_SHA1), .summary = "Returns the SHA-1 digest of a text in hexadecimal.",
    .doc = "It hashes the UTF-8 bytes. SHA-1 is broken: use it only to compare with existing digests, never for security.",
    .example = "sha1(\"hello\")" },
  { DIGEST("sha256", HX_HASH_SHA256), .summary = "Returns the SHA-256 digest of a text in hexadecimal.",
    .doc = "It hashes the UTF-8 bytes. For a password use bcrypt().", .example = "sha256(\"hello\")" },
  { DIGEST("sha512", HX_HASH_SHA512), .summary = "Returns the SHA-512 digest of a text in hexadecimal.",
    .doc = "It hashes the UTF-8 bytes. For a password use bcrypt().", .example = "sha512(\"hello\")" },
  { DIGEST("base64sha256", HX_HASH_SHA256 | HX_IN_BASE64), .summary = "Returns the SHA-256 digest of a text in base64.",
    .doc = "It encodes the 32 bytes of the digest, while base64encode(sha256(s)) encodes their hexadecimal digits.",
    .example = "base64sha256(\"hello\")" },
  { DIGEST("base64sha512", HX_HASH_SHA512 | HX_IN_BASE64), .summary = "Returns the SHA-512 digest of a text in base64.",
    .doc = "It encodes the 64 bytes of the digest, while base64encode(sha512(s)) encodes their hexadecimal digits.",
    .example = "base64sha512(\"hello\")" },
  { .name = NULL },
};
