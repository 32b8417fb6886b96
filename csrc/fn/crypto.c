/* crypto.c: uuid, uuidv5, bcrypt, rsadecrypt.
** Source: Terraform's recorded answers; RFC 9562 for UUIDs. */
#include "base/ascii.h"
#include "fn/arguments.h"
#include "fn/crypto_key.h"
#include "fn/encode.h"
#include "fn/hash.h"
#include "library/crypt.h"
#include "library/library.h"
#include "text/unicode.h"
#include "vm/host.h"

enum { UUID_BYTES = 16, UUID_CHARS = 36 };

/* The steps that a request for random bytes to the system costs. */
#define RANDOM_STEPS 6u

/* Fills `bytes` and returns OK. After any other answer the caller must return NONE: a Lua function has to be asked first, or a
** failure was reported here. */
static hx_answer random_bytes(hx_call *call, unsigned char *bytes, uint32_t n) {
  hx_charge_steps(call->cx, RANDOM_STEPS);
  hx_answer answer = call->host->random(call->host, call->cx, bytes, n);
  if (answer != HX_ANSWER_OK && answer != HX_ANSWER_WAIT)
    hx_fail_call(call, "The system gave no random bytes. Give the scope a function of your own as random.");
  return answer;
}

/* uuid, uuidv5 */

static bool has_dash_before(uint32_t byte) {
  return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

/* Writes bytes as a UUID. The version replaces four bits; two more bits say that it is a UUID of the RFC. */
static hx_val uuid_value(hx_cx *cx, const unsigned char *bytes, unsigned version) {
  static const char digits[] = "0123456789abcdef";
  char *text = hx_alloc(cx, UUID_CHARS), *at = text;
  for (uint32_t i = 0; i < UUID_BYTES; i++) {
    unsigned b = bytes[i];
    if (i == 6) b = (b & 0x0f) | version << 4;
    if (i == 8) b = (b & 0x3f) | 0x80;
    if (has_dash_before(i)) *at++ = '-';
    *at++ = digits[b >> 4 & 15];
    *at++ = digits[b & 15];
  }
  return hx_string_of(cx, hx_str_of(text, UUID_CHARS));
}

static hx_val fn_uuid(hx_call *call, const hx_val *args) {
  (void)args;
  unsigned char bytes[UUID_BYTES];
  if (random_bytes(call, bytes, UUID_BYTES) != HX_ANSWER_OK) return hx_none();
  return uuid_value(call->cx, bytes, 4);
}

static bool read_hex(const char *p, bool dashes, unsigned char *bytes) {
  for (uint32_t i = 0; i < UUID_BYTES; i++) {
    if (dashes && has_dash_before(i) && *p++ != '-') return false;
    int high = hx_hex_digit(*p++), low = hx_hex_digit(*p++);
    if (high < 0 || low < 0) return false;
    bytes[i] = (unsigned char)(high << 4 | low);
  }
  return true;
}

static bool is_urn(const char *p) {
  static const char urn[] = "urn:uuid:";
  for (uint32_t i = 0; urn[i]; i++) {
    char c = hx_lower_ascii(p[i]);
    if (c != urn[i]) return false;
  }
  return true;
}

/* Reads a UUID. Returns false if it is malformed. reference: the length decides the form: digits only, with dashes, in brackets (of
** any kind), or as a URN. */
static bool read_uuid(hx_str s, unsigned char *bytes) {
  switch (s.len) {
    case 32: return read_hex(s.p, false, bytes);
    case UUID_CHARS: return read_hex(s.p, true, bytes);
    case UUID_CHARS + 2: return read_hex(s.p + 1, true, bytes);
    case UUID_CHARS + 9: return is_urn(s.p) && read_hex(s.p + 9, true, bytes);
    default: return false;
  }
}

static const struct namespace_row {
  const char *name;
  const char *uuid;
} namespaces[] = {
  { "dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8" },
  { "url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8" },
  { "oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8" },
  { "x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8" },
};

static hx_val fn_uuidv5(hx_call *call, const hx_val *args) {
  unsigned char space[UUID_BYTES], digest[HX_HASH_BYTES];
  hx_str name = hx_val_str(&args[0]);
  for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
    if (hx_str_eq(name, hx_str_c(namespaces[i].name))) name = hx_str_c(namespaces[i].uuid);
  if (!read_uuid(name, space))
    return hx_fail_call(
        call, "The namespace must be \"dns\", \"url\", \"oid\", \"x500\" in lower case, or a UUID of hexadecimal digits.");
  hx_str pieces[2] = { hx_str_of((const char *)space, UUID_BYTES), hx_val_str(&args[1]) };
  if (!hx_hash_bytes(call, HX_HASH_SHA1, pieces, 2, digest)) return hx_none();
  return uuid_value(call->cx, digest, 5);
}

/* bcrypt */

enum {
  BCRYPT_MIN = 4,
  BCRYPT_DEFAULT = 10,
  BCRYPT_MAX = 31,
  BCRYPT_TEXT = 72,    /* the most bytes of a text */
  STEPS_A_ROUND = 720, /* there are 2^cost rounds */
};

/* Returns the hash in scratch memory, or NULL if the library can't make it. */
static const char *hash_password(hx_cx *cx, const hx_crypt_library *crypt, hx_str text, unsigned cost, const unsigned char *salt) {
  char *password = hx_arena_alloc(&cx->scratch, text.len + 1);
  memcpy(password, text.p, text.len);
  password[text.len] = '\0';
  const char *out = crypt->hash(password, cost, salt, hx_arena_alloc(&cx->scratch, crypt->room));
  memset(password, 0, text.len);
  return out;
}

static hx_val bcrypt_value(hx_call *call, hx_str text, unsigned cost) {
  hx_cx *cx = call->cx;
  const hx_crypt_library *crypt = hx_library_get(HX_LIBRARY_CRYPT);
  unsigned char salt[HX_BCRYPT_SALT];
  if (!crypt) return hx_fail_lacking(call, "libcrypt", "makes bcrypt hashes", "libcrypt-dev");
  if (random_bytes(call, salt, HX_BCRYPT_SALT) != HX_ANSWER_OK) return hx_none();
  hx_charge_steps(cx, (uint64_t)STEPS_A_ROUND << cost);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  const char *hash = hash_password(cx, crypt, text, cost, salt);
  hx_str out = hash ? hx_str_copy(cx, hx_str_c(hash)) : (hx_str){ NULL, 0 };
  hx_arena_release(&cx->scratch, mark);
  if (!hash) return hx_fail_call(call, "The system's libcrypt can't make bcrypt hashes.");
  return hx_string_of(cx, hx_strf(cx, "$2a$%.*s", (int)out.len - 4, out.p + 4));
}

static hx_val fn_bcrypt(hx_call *call, const hx_val *args) {
  hx_str text = hx_val_str(&args[0]);
  int64_t cost = BCRYPT_DEFAULT;
  if (call->n > 1 && !hx_arg_whole(&args[1], &cost)) return hx_fail_call(call, "The cost must be a whole number from 4 to 31.");
  if (call->n > 2) return hx_fail_call(call, "Only one cost can be given after the text.");
  if (text.len > BCRYPT_TEXT)
    return hx_fail_telling(call, HX_BLAME_CALL, "The text has more than 72 bytes. Hash it first: bcrypt(sha256(text)).",
                           "The text has %u bytes, and bcrypt takes %d at most. Hash a longer one first: bcrypt(sha256(text)).",
                           text.len, BCRYPT_TEXT);
  if (cost > BCRYPT_MAX)
    return hx_fail_value(call, HX_BLAME_CALL, &args[1], "The cost must be a whole number from 4 to 31, but is %s.");
  if (cost < BCRYPT_MIN) cost = BCRYPT_DEFAULT; /* reference: a cost that is too small becomes the default */
  /* The library would end the text at a NUL, so many texts would have the same hash. */
  if (text.len && memchr(text.p, '\0', text.len))
    return hx_fail_call(call, "The text has a NUL character, and bcrypt ignores the rest. Hash it first: bcrypt(sha256(text)).");
  return bcrypt_value(call, text, (unsigned)cost);
}

/* rsadecrypt */

/* KEY_STEPS: the steps for using a key of any length. WORDS_MAX: the length of a number in words (64 million bits) that exceeds any
** limit. */
#define KEY_STEPS 512u
#define WORDS_MAX (UINT64_C(1) << 20)

/* Charges for a use of the key. The time grows with the cube of the numbers' length, which the text decides. */
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
  if (!hx_utf8_valid(plain)) return hx_fail_call(call, "The decrypted bytes are not UTF-8, and a string holds UTF-8 only.");
  return hx_string_of(cx, plain);
}

static hx_val fn_rsadecrypt(hx_call *call, const hx_val *args) {
  hx_str bytes;
  hx_rsa_key key;
  const hx_crypto_library *crypto = hx_library_get(HX_LIBRARY_CRYPTO);
  if (!crypto) return hx_fail_lacking(call, "OpenSSL", "decrypts", "libssl-dev");
  if (!hx_base64_read(call->cx, hx_val_str(&args[0]), &bytes)) return hx_fail_base64(call, 0);
  switch (hx_key_read(call->cx, hx_val_str(&args[1]), &key)) {
    case HX_KEY_NONE:
      return hx_fail(call, 1, "It is not a private key in PEM form, or a passphrase protects it: remove that first.");
    case HX_KEY_OTHER: return hx_fail(call, 1, "It is a private key, but not one of RSA.");
    case HX_KEY_RSA: break;
  }
  return decrypt_with(call, crypto, &key, bytes);
}

const hx_fn hx_fns_crypto[] = {
  { .name = "uuid",
    .type = &hx_type_string,
    .impl = fn_uuid,
    .flags = HX_NOT_NULL | HX_IMPURE,
    .needs = HX_NEEDS_RANDOM,
    .summary = "Returns a new random UUID.",
    .doc = "It has version 4 and differs in each call. uuidv5() always returns the same UUID for the same name.",
    .example = "length(uuid())" },
  { .name = "uuidv5",
    .type = &hx_type_string,
    .impl = fn_uuidv5,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("namespace"), HX_TEXT("name") },
    .summary = "Returns the UUID of a name within a namespace.",
    .doc = "It has version 5: the same arguments always give the same UUID. The namespace is \"dns\", \"url\", \"oid\", \"x500\" "
           "or a UUID.",
    .example = "uuidv5(\"dns\", \"www.example.com\")" },
  { .name = "bcrypt",
    .type = &hx_type_string,
    .impl = fn_bcrypt,
    .flags = HX_NOT_NULL | HX_IMPURE,
    .needs = HX_NEEDS_RANDOM,
    .params = { HX_TEXT("str") },
    .rest = HX_NUMBER("cost"),
    .summary = "Hashes a password with bcrypt and a new random salt.",
    .doc = "The result differs in each call. The cost, 10 by default and at most 31, is the power of two of the rounds, so each "
           "one more doubles the time. A cost below 4 counts as 10. The rounds count in the limit of steps. The text may have at "
           "most 72 bytes.",
    .example = "substr(bcrypt(\"secret\", 4), 0, 7)" },
  { .name = "rsadecrypt",
    .type = &hx_type_string,
    .impl = fn_rsadecrypt,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("ciphertext"), HX_TEXT("privatekey") },
    .summary = "Decrypts a text that was encrypted for an RSA key.",
    .doc = "The ciphertext is base64 with PKCS #1 v1.5 padding. The private key is PEM text without a passphrase, as openssl or "
           "ssh-keygen writes it.",
    .example = "can(rsadecrypt(\"no base64!\", \"no key\"))" },
  { .name = NULL },
};
