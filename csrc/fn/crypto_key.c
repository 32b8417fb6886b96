/* crypto_key.c: see crypto_key.h. Sources: RFC 7468 (PEM), X.690 (DER), RFC 8017 A.1.2 (RSAPrivateKey), RFC 5208 (PKCS #8), OpenSSH's
** PROTOCOL.key. */
#include "fn/crypto_key.h"

#include "base/buf.h"
#include "fn/arguments.h"
#include "fn/encode.h"
#include "fn/text_search.h"

/* PEM: the first block of the text */

#define BEGIN HX_STR("-----BEGIN ")
#define END HX_STR("-----END ")
#define DASHES HX_STR("-----")

static bool begins_with(hx_str s, hx_str start) {
  return s.len >= start.len && memcmp(s.p, start.p, start.len) == 0;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Reads the line at *at without trailing spaces, and moves *at to the next line. Returns false if no line is left. */
static bool next_line(hx_str s, uint32_t *at, hx_str *line) {
  if (*at >= s.len) return false;
  const char *p = s.p + *at, *stop = memchr(p, '\n', s.len - *at);
  uint32_t n = stop ? (uint32_t)(stop - p) : s.len - *at;
  *at += n + (stop ? 1 : 0);
  while (n && is_blank(p[n - 1])) n--;
  *line = (hx_str){ p, n };
  return true;
}

/* Reads the label between `start` and the dashes at the line's end. Returns false if the line doesn't have this form. */
static bool read_label(hx_str line, hx_str start, hx_str *label) {
  if (!begins_with(line, start) || line.len < start.len + DASHES.len) return false;
  *label = (hx_str){ line.p + start.len, line.len - start.len - DASHES.len };
  return begins_with(hx_str_from(line, line.len - DASHES.len), DASHES);
}

/* Reads the label and bytes of the first block. A line with a colon isn't base64 but a header. Returns false if the block is missing or
** malformed, or if a header says that the key is encrypted. */
static bool read_block(hx_cx *cx, hx_str pem, hx_str *label, hx_str *bytes) {
  uint32_t at = 0;
  hx_str line, end;
  hx_buf b;
  bool found = false;
  while (!found && next_line(pem, &at, &line)) found = read_label(line, BEGIN, label);
  if (!found) return false;
  hx_need_memory(cx, pem.len - at);
  hx_buf_init(&b, &cx->arena, pem.len - at);
  while (next_line(pem, &at, &line)) {
    if (read_label(line, END, &end)) return hx_str_eq(end, *label) && hx_base64_read(cx, hx_buf_done(&b), bytes);
    if (line.len && memchr(line.p, ':', line.len)) {
      if (hx_find_text(line, HX_STR("ENCRYPTED"), 0) < line.len) return false;
      continue;
    }
    for (uint32_t i = 0; i < line.len; i++)
      if (!is_blank(line.p[i])) hx_buf_put(&b, line.p[i]);
  }
  return false;
}

/* DER and OpenSSH's form: pieces preceded by their lengths */

typedef struct reader {
  const unsigned char *p;
  size_t left;
  bool ok;
} reader;

static reader reader_of(hx_str s) {
  return (reader){ (const unsigned char *)s.p, s.len, true };
}

static uint32_t read_number(reader *r, uint32_t bytes) {
  uint32_t n = 0;
  if (r->left < bytes) r->ok = false;
  if (!r->ok) return 0;
  for (uint32_t i = 0; i < bytes; i++) n = n << 8 | r->p[i];
  r->p += bytes;
  r->left -= bytes;
  return n;
}

static hx_str read_bytes(reader *r, uint32_t len) {
  if (len > r->left) r->ok = false;
  if (!r->ok) return (hx_str){ "", 0 };
  hx_str s = { (const char *)r->p, len };
  r->p += len;
  r->left -= len;
  return s;
}

enum { DER_INTEGER = 0x02, DER_OCTETS = 0x04, DER_OID = 0x06, DER_SEQUENCE = 0x30 };

static hx_str read_der(reader *r, uint32_t tag) {
  if (read_number(r, 1) != tag) r->ok = false;
  uint32_t len = read_number(r, 1);
  if (len > 0x80 && len <= 0x84) len = read_number(r, len - 0x80);
  else if (len >= 0x80) r->ok = false;
  return read_bytes(r, len);
}

static hx_str read_piece(reader *r) {
  return read_bytes(r, read_number(r, 4));
}

/* Returns the key with these numbers, or HX_KEY_NONE if one of them is negative or missing. */
static hx_key_kind numbers(const reader *r, hx_str n, hx_str e, hx_str d, hx_rsa_key *key) {
  *key = (hx_rsa_key){ n, e, d };
  if (!r->ok || !n.len || !e.len || !d.len) return HX_KEY_NONE;
  return ((unsigned char)n.p[0] | (unsigned char)e.p[0] | (unsigned char)d.p[0]) & 0x80 ? HX_KEY_NONE : HX_KEY_RSA;
}

static hx_key_kind read_pkcs1(hx_str bytes, hx_rsa_key *key) {
  reader outer = reader_of(bytes), r = reader_of(read_der(&outer, DER_SEQUENCE));
  read_der(&r, DER_INTEGER); /* the version */
  hx_str n = read_der(&r, DER_INTEGER), e = read_der(&r, DER_INTEGER), d = read_der(&r, DER_INTEGER);
  return outer.ok && !outer.left ? numbers(&r, n, e, d, key) : HX_KEY_NONE;
}

static hx_key_kind read_pkcs8(hx_str bytes, hx_rsa_key *key) {
  static const char rsa[] = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
  reader outer = reader_of(bytes), r = reader_of(read_der(&outer, DER_SEQUENCE));
  read_der(&r, DER_INTEGER);
  reader algorithm = reader_of(read_der(&r, DER_SEQUENCE));
  hx_str oid = read_der(&algorithm, DER_OID), inside = read_der(&r, DER_OCTETS);
  if (!outer.ok || !r.ok || !algorithm.ok) return HX_KEY_NONE;
  return hx_str_eq(oid, hx_str_of(rsa, sizeof rsa - 1)) ? read_pkcs1(inside, key) : HX_KEY_OTHER;
}

/* Returns the private part of an OpenSSH file with one key and no passphrase, or "" for anything else. */
static hx_str openssh_part(hx_str bytes) {
  static const char magic[] = "openssh-key-v1"; /* the NUL belongs to the magic text */
  reader r = reader_of(bytes);
  if (!hx_str_eq(read_bytes(&r, sizeof magic), hx_str_of(magic, sizeof magic))) return (hx_str){ "", 0 };
  hx_str cipher = read_piece(&r);
  read_piece(&r); /* the key derivation and its options, both empty */
  read_piece(&r);
  uint32_t keys = read_number(&r, 4);
  read_piece(&r); /* the public key */
  hx_str part = read_piece(&r);
  return r.ok && keys == 1 && hx_str_eq(cipher, HX_STR("none")) ? part : (hx_str){ "", 0 };
}

static hx_key_kind read_openssh(hx_str bytes, hx_rsa_key *key) {
  reader r = reader_of(openssh_part(bytes));
  uint32_t check = read_number(&r, 4), again = read_number(&r, 4);
  hx_str kind = read_piece(&r);
  if (!r.ok || check != again) return HX_KEY_NONE;
  if (!hx_str_eq(kind, HX_STR("ssh-rsa"))) return HX_KEY_OTHER;
  hx_str n = read_piece(&r), e = read_piece(&r), d = read_piece(&r);
  return numbers(&r, n, e, d, key);
}

static const struct form {
  const char *label;
  hx_key_kind (*read)(hx_str bytes, hx_rsa_key *key); /* NULL: a key of another kind */
} forms[] = {
  { "RSA PRIVATE KEY", read_pkcs1 }, { "PRIVATE KEY", read_pkcs8 }, { "OPENSSH PRIVATE KEY", read_openssh },
  { "EC PRIVATE KEY", NULL },        { "DSA PRIVATE KEY", NULL },
};

/* Searching this many bytes of a text takes a step. */
#define BYTES_A_STEP 16u

hx_key_kind hx_key_read(hx_cx *cx, hx_str pem, hx_rsa_key *key) {
  hx_str label, bytes;
  hx_charge_steps(cx, 1 + pem.len / BYTES_A_STEP);
  if (!read_block(cx, pem, &label, &bytes)) return HX_KEY_NONE;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (hx_str_eq(label, hx_str_c(forms[i].label))) return forms[i].read ? forms[i].read(bytes, key) : HX_KEY_OTHER;
  return HX_KEY_NONE;
}
