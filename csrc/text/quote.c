/* quote.c: writes quoted literals that HCL or JSON reads back as the same text. */
#include "text/quote.h"

#include "text/unicode.h"

void hx_quote_escape(hx_buf *b, char letter, int32_t cp, int digits) {
  hx_buf_put(b, '\\');
  hx_buf_put(b, letter);
  for (int i = digits - 1; i >= 0; i--) hx_buf_put(b, "0123456789abcdef"[(uint32_t)cp >> (4 * i) & 15u]);
}

/* The letters of escapes, indexed by the escaped character; 0: the character has no such escape. */
static const char hcl_escapes[128] = { ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"', ['\\'] = '\\' };
static const char json_escapes[128] = {
  ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
};

static void put_hcl(hx_buf *b, const char *p, uint32_t len, int32_t cp, char next) {
  if (cp < 0) {
    hx_buf_c(b, "\xEF\xBF\xBD");
  } else if (cp < 0x80 && hcl_escapes[cp]) {
    hx_buf_put(b, '\\');
    hx_buf_put(b, hcl_escapes[cp]);
  } else if (!hx_cp_is_print(cp)) {
    if (cp < 0x10000) hx_quote_escape(b, 'u', cp, 4);
    else hx_quote_escape(b, 'U', cp, 8);
  } else {
    hx_buf_bytes(b, p, len);
    /* `$${` and `%%{` are the escapes of `${` and `%{`. */
    if ((cp == '$' || cp == '%') && next == '{') hx_buf_put(b, (char)cp);
  }
}

/* The characters that need no escape, whatever follows, as bits: printable ASCII except " $ % and the backslash. */
static const uint64_t plain[4] = { ~(uint64_t)0xFFFFFFFF & ~((uint64_t)1 << '"' | (uint64_t)1 << '$' | (uint64_t)1 << '%'),
                                   ~((uint64_t)1 << ('\\' - 64) | (uint64_t)1 << (0x7F - 64)), 0, 0 };
static bool is_plain(char c) {
  unsigned char u = (unsigned char)c;
  return plain[u >> 6] >> (u & 63) & 1;
}

static void quote_hcl(hx_buf *b, hx_str s, const char *more) {
  const char *p = s.p, *end = s.p + s.len;
  hx_buf_put(b, '"');
  while (p < end) {
    int32_t cp;
    const char *from = p;
    while (p < end && is_plain(*p)) p++;
    if (p > from) {
      hx_buf_bytes(b, from, (uint32_t)(p - from));
      continue;
    }
    uint32_t len = hx_utf8_read(p, end, &cp);
    put_hcl(b, p, len, cp, p + len < end ? p[len] : '\0');
    p += len;
  }
  hx_buf_c(b, more);
  hx_buf_put(b, '"');
}

void hx_quote_hcl(hx_buf *b, hx_str s) {
  quote_hcl(b, s, "");
}

static bool is_html(int32_t cp) {
  return cp == '<' || cp == '>' || cp == '&' || cp == 0x2028 || cp == 0x2029;
}

void hx_quote_json(hx_buf *b, hx_str s, bool html) {
  const char *p = s.p, *end = s.p + s.len, *from = p;
  hx_buf_put(b, '"');
  while (p < end) {
    int32_t cp;
    uint32_t len = hx_utf8_read(p, end, &cp);
    bool stays = cp >= 0x20 && cp != '"' && cp != '\\' && !(html && is_html(cp));
    if (!stays) {
      hx_buf_bytes(b, from, (uint32_t)(p - from));
      from = p + len;
      if (cp < 0) {
        hx_buf_c(b, "\\ufffd");
      } else if (cp < 0x80 && json_escapes[cp]) {
        hx_buf_put(b, '\\');
        hx_buf_put(b, json_escapes[cp]);
      } else {
        hx_quote_escape(b, 'u', cp, 4);
      }
    }
    p += len;
  }
  hx_buf_bytes(b, from, (uint32_t)(end - from));
  hx_buf_put(b, '"');
}

/* Returns true if cp is a control, or a character that changes the text's direction or breaks lines. one_line: newlines and tabs count,
** too. */
static bool steers(int32_t cp, bool one_line) {
  if (cp == '\n' || cp == '\t') return one_line;
  return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x61C || cp == 0x200E || cp == 0x200F || (cp >= 0x2028 && cp <= 0x202E) ||
         (cp >= 0x2066 && cp <= 0x2069);
}

static void put_escape(hx_buf *b, int32_t cp, char byte) {
  if (cp < 0) {
    hx_quote_escape(b, 'x', (unsigned char)byte, 2);
  } else if (cp == '\n' || cp == '\r' || cp == '\t') {
    hx_buf_put(b, '\\');
    hx_buf_put(b, hcl_escapes[cp]);
  } else {
    hx_quote_escape(b, 'u', cp, 4);
  }
}

void hx_put_plain(hx_buf *b, hx_str s, bool one_line) {
  const char *p = s.p, *end = s.p + s.len, *from = p;
  while (p < end) {
    int32_t cp = (unsigned char)*p;
    uint32_t len = cp < 0x80 ? 1 : hx_utf8_read(p, end, &cp);
    if (cp < 0 || steers(cp, one_line)) {
      hx_buf_bytes(b, from, (uint32_t)(p - from));
      put_escape(b, cp, *p);
      from = p + len;
    }
    p += len;
  }
  hx_buf_bytes(b, from, (uint32_t)(end - from));
}

hx_str hx_quote_short(hx_cx *cx, hx_str s, uint32_t max) {
  hx_buf b;
  uint32_t n = 0, at = 0;
  if (cx->silent) return HX_UNSAID;
  for (; at < s.len && n < max; n++) at += hx_grapheme_shown(hx_str_from(s, at));
  hx_charge_steps(cx, (at - n) / 2); /* a step for two bytes; the first byte of each character is free */
  hx_buf_init(&b, &cx->arena, at + 16);
  quote_hcl(&b, hx_str_of(s.p, at), at < s.len ? "…" : "");
  return hx_buf_done(&b);
}
