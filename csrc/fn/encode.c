/* encode.c: text as base64 or as part of a URL, and back. Headers: vm/fn.h.
** Source: Terraform's recorded answers; the rules of base64 are RFC 4648's as Go reads them: line ends are skipped anywhere,
** padding is required, unused bits of the last character may be anything. */
#include "fn/encode.h"

#include "base/ascii.h"
#include "fn/arguments.h"
#include "text/unicode.h"

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

hx_val hx_base64_value(hx_cx *cx, hx_str bytes) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  uint64_t size = (bytes.len + 2ull) / 3 * 4;
  hx_need_memory(cx, size);
  if (size > UINT32_MAX) hx_abort(cx, HX_WHY_MEMORY);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, (uint32_t)size);
  for (uint32_t i = 0; i < bytes.len; i += 3) {
    uint32_t left = bytes.len - i;
    uint32_t bits = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0u);
    char *out = hx_buf_reserve(&b, 4);
    out[0] = base64_digits[bits >> 18];
    out[1] = base64_digits[bits >> 12 & 63];
    out[2] = left > 1 ? base64_digits[bits >> 6 & 63] : '=';
    out[3] = left > 2 ? base64_digits[bits & 63] : '=';
    b.len += 4;
  }
  return hx_string_of(cx, hx_buf_done(&b));
}

static hx_val fn_base64encode(hx_call *call, const hx_val *args) {
  return hx_base64_value(call->cx, hx_val_str(&args[0]));
}

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/* Reads base64. Returns false if it is malformed. Four characters make three bytes; a group that ends in padding makes fewer and
** must be the last. */
static bool read_base64(hx_str s, hx_buf *out) {
  uint32_t bits = 0, have = 0, padding = 0;
  for (uint32_t i = 0; i < s.len; i++) {
    char c = s.p[i];
    if (c == '\r' || c == '\n') continue;
    int digit = base64_digit(c);
    if (c == '=' && have >= 2) padding++;
    else if (digit < 0 || padding) return false;
    else bits = bits << 6 | (uint32_t)digit, have++;
    if (have < 4) continue;
    char *p = hx_buf_reserve(out, 3);
    p[0] = (char)(bits >> 16 & 255);
    p[1] = (char)(bits >> 8 & 255);
    p[2] = (char)(bits & 255);
    out->len += 3;
    bits = have = 0;
  }
  if (have == 0) return padding == 0;
  if (have + padding != 4) return false;
  if (have == 2) {
    hx_buf_put(out, (char)(bits >> 4 & 255));
  } else {
    hx_buf_put(out, (char)(bits >> 10 & 255));
    hx_buf_put(out, (char)(bits >> 2 & 255));
  }
  return true;
}

bool hx_base64_read(hx_cx *cx, hx_str text, hx_str *bytes) {
  hx_buf b;
  hx_charge_steps(cx, text.len / 64);
  hx_buf_init(&b, &cx->arena, text.len / 4 * 3 + 3);
  if (!read_base64(text, &b)) return false;
  *bytes = hx_buf_done(&b);
  return true;
}

hx_val hx_fail_base64(hx_call *call, int32_t arg) {
  return hx_fail(call, arg, "The text isn't valid base64.");
}

static hx_val fn_base64decode(hx_call *call, const hx_val *args) {
  hx_str s;
  if (!hx_base64_read(call->cx, hx_val_str(&args[0]), &s)) return hx_fail_base64(call, HX_BLAME_CALL);
  if (!hx_utf8_valid(s))
    return hx_fail_call(call, "The base64 text decodes to bytes that are not UTF-8, and a string holds UTF-8 only. "
                              "textdecodebase64() reads other encodings.");
  return hx_string_of(call->cx, s);
}

/* URLs */

/* Writing or reading this many bytes takes a step. */
#define URL_BYTES 32u

static bool is_plain_in_url(char c) {
  return hx_is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '~';
}

static hx_val fn_urlencode(hx_call *call, const hx_val *args) {
  static const char hex[] = "0123456789ABCDEF";
  hx_str s = hx_val_str(&args[0]);
  hx_buf b;
  hx_charge_steps(call->cx, s.len / URL_BYTES);
  hx_need_memory(call->cx, s.len);
  hx_buf_init(&b, &call->cx->arena, s.len);
  for (uint32_t i = 0; i < s.len; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (is_plain_in_url(s.p[i])) {
      hx_buf_put(&b, s.p[i]);
    } else if (c == ' ') {
      hx_buf_put(&b, '+');
    } else {
      char out[3] = { '%', hex[c >> 4], hex[c & 15] };
      hx_buf_bytes(&b, out, 3);
    }
  }
  return hx_string_of(call->cx, hx_buf_done(&b));
}

static hx_val fn_urldecode(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  hx_buf b;
  hx_charge_steps(call->cx, s.len / URL_BYTES);
  hx_buf_init(&b, &call->cx->arena, s.len);
  for (uint32_t i = 0; i < s.len; i++) {
    char c = s.p[i];
    if (c == '%') {
      int high = s.len - i > 2 ? hx_hex_digit(s.p[i + 1]) : -1, low = s.len - i > 2 ? hx_hex_digit(s.p[i + 2]) : -1;
      if (high < 0 || low < 0)
        return hx_fail_telling(call, HX_BLAME_CALL,
                               "A \"%\" isn't followed by two hexadecimal digits. A percent sign itself is %25.",
                               "The \"%%\" at byte %u isn't followed by two hexadecimal digits. A percent sign itself is %%25.", i);
      c = (char)(high << 4 | low);
      i += 2;
    } else if (c == '+') {
      c = ' ';
    }
    hx_buf_put(&b, c);
  }
  s = hx_buf_done(&b);
  if (!hx_utf8_valid(s)) return hx_fail_call(call, "The decoded bytes are not UTF-8, and a string holds UTF-8 only.");
  return hx_string_of(call->cx, s);
}

const hx_fn hx_fns_encode[] = {
  { .name = "base64encode",
    .type = &hx_type_string,
    .impl = fn_base64encode,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Encodes a text in base64.",
    .doc = "It encodes the UTF-8 bytes in the standard alphabet, with \"+\" and \"/\", and \"=\" as padding.",
    .example = "base64encode(\"Hello\")" },
  { .name = "base64decode",
    .type = &hx_type_string,
    .impl = fn_base64decode,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Decodes a text from base64.",
    .doc = "The bytes must be UTF-8. Line ends in the base64 text are ignored.",
    .example = "base64decode(\"SGVsbG8=\")" },
  { .name = "urlencode",
    .type = &hx_type_string,
    .impl = fn_urlencode,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Encodes a text for the query of a URL.",
    .doc = "ASCII letters, digits and \"-_.~\" stay as they are. A space becomes \"+\", and every other byte %XX.",
    .example = "urlencode(\"a b&c\")" },
  { .name = "urldecode",
    .type = &hx_type_string,
    .impl = fn_urldecode,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Decodes a text from the query of a URL.",
    .doc = "It reverses urlencode(): \"+\" is a space, and %XX a byte. The bytes must be UTF-8. This is a function of OpenTofu.",
    .example = "urldecode(\"a+b%26c\")" },
  { .name = "base64gzip",
    .type = &hx_type_string,
    .impl = hx_fn_base64gzip,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Compresses a text with gzip, and encodes the result in base64.",
    .doc =
        "It compresses the UTF-8 bytes. Another program may compress the same text to other bytes, so compare texts, not results.",
    .example = "base64gunzip(base64gzip(\"hello\"))" },
  { .name = "base64gunzip",
    .type = &hx_type_string,
    .impl = hx_fn_base64gunzip,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Decodes base64, and decompresses the result with gzip.",
    .doc = "It reverses base64gzip(). The bytes must be UTF-8 and fit into the limit of memory. This is a function of OpenTofu.",
    .example = "base64gunzip(base64gzip(\"hello\"))" },
  { .name = "textencodebase64",
    .type = &hx_type_string,
    .impl = hx_fn_textencodebase64,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("string"), HX_TEXT("encoding") },
    .summary = "Encodes a text in another character encoding, and the result in base64.",
    .doc = "The encoding has its IANA name, such as \"UTF-16LE\" or \"windows-1252\", in upper or lower case. A character that the "
           "encoding lacks is an error.",
    .example = "textencodebase64(\"hi\", \"UTF-16LE\")" },
  { .name = "textdecodebase64",
    .type = &hx_type_string,
    .impl = hx_fn_textdecodebase64,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("source"), HX_TEXT("encoding") },
    .summary = "Decodes base64, and then a text in another character encoding.",
    .doc = "The encoding has its IANA name, such as \"UTF-16LE\" or \"windows-1252\", in upper or lower case. Bytes that are "
           "invalid in the encoding are an error.",
    .example = "textdecodebase64(\"aABpAA==\", \"UTF-16LE\")" },
  { .name = NULL },
};
