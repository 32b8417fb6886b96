/* string_lit.c: decodes the text of strings: backslash escapes within quotes, $${ and %%{ in all templates. */
#include "syntax/parse_state.h"
#include "base/ascii.h"
#include "text/unicode.h"

typedef struct decoder {
  hx_parser *p;
  hx_buf out;
  const char *text; /* the whole source's text */
  const char *end;
} decoder;

static uint32_t offset(const decoder *d, const char *at) {
  return (uint32_t)(at - d->text);
}

static void bad_escape(decoder *d, hx_diag_id id, const char *from, const char *to) {
  hx_parse_error(d->p, id, hx_range_of(offset(d, from), offset(d, to)), hx_str_of(from, (size_t)(to - from)));
}

/* Decodes \uXXXX or \UXXXXXXXX at s. If digits are missing, or they aren't a character, reports an error and keeps the text as it is. */
static const char *decode_unicode(decoder *d, const char *s) {
  uint32_t want = s[1] == 'u' ? 4 : 8, n = 0, cp = 0;
  const char *q = s + 2;
  for (; n < want && q < d->end && hx_hex_digit(*q) >= 0; n++) cp = cp << 4 | (uint32_t)hx_hex_digit(*q++);
  if (n < want) {
    bad_escape(d, want == 4 ? HX_D_SYNTAX_ESCAPE_SHORT : HX_D_SYNTAX_ESCAPE_LONG, s, q);
  } else if (cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) {
    bad_escape(d, HX_D_SYNTAX_ESCAPE_CODE, s, q);
  } else {
    d->out.len += hx_utf8_write(hx_buf_reserve(&d->out, 4), (int32_t)cp);
    return q;
  }
  hx_buf_bytes(&d->out, s, (uint32_t)(q - s));
  return q;
}

/* Decodes a backslash and the character after it; the scanner makes sure that one follows. */
static const char *decode_escape(decoder *d, const char *s) {
  static const char plain[128] = { ['n'] = '\n', ['r'] = '\r', ['t'] = '\t', ['"'] = '"', ['\\'] = '\\' };
  unsigned char c = (unsigned char)s[1];
  if (c < 128 && plain[c]) {
    hx_buf_put(&d->out, plain[c]);
    return s + 2;
  }
  if (c == 'u' || c == 'U') return decode_unicode(d, s);
  uint32_t n = hx_scan_char((const unsigned char *)s + 1, (const unsigned char *)d->end);
  const char *q = s + 1 + (n ? n : 1);
  bad_escape(d, HX_D_SYNTAX_ESCAPE, s, q);
  hx_buf_bytes(&d->out, s + 1, (uint32_t)(q - s - 1));
  return q;
}

/* Decodes `$` or `%` at s. These are read in pairs: in $$${ the first two are text, and the rest isn't an escape. */
static const char *decode_sigil(decoder *d, const char *s) {
  uint32_t n = 1;
  if (s + 1 < d->end && s[1] == *s) n = s + 2 < d->end && s[2] == '{' ? 3 : 2;
  hx_buf_bytes(&d->out, n == 3 ? s + 1 : s, n == 3 ? 2 : n);
  return s + n;
}

hx_str hx_decode_text(hx_parser *p, hx_token t) {
  bool quoted = t.kind == HX_TOK_QUOTED_LIT;
  hx_str s = hx_slice(p, t.start, t.stop);
  if (HX_LIKELY(t.plain)) return s;
  const char *end = s.p + s.len, *q = s.p, *from = q;
  /* A sigil is a separate token, or the first character of one; only a bare template's last token may contain more. */
  while (q < end && !(quoted && *q == '\\') && *q != '$' && *q != '%') q++;
  if (q == end) return s;
  decoder d = { .p = p, .text = p->text, .end = end };
  hx_buf_init(&d.out, &p->cx->arena, s.len);
  while (q < end) {
    if (quoted && *q == '\\') {
      hx_buf_bytes(&d.out, from, (uint32_t)(q - from));
      from = q = decode_escape(&d, q);
    } else if (*q == '$' || *q == '%') {
      hx_buf_bytes(&d.out, from, (uint32_t)(q - from));
      from = q = decode_sigil(&d, q);
    } else {
      q++;
    }
  }
  hx_buf_bytes(&d.out, from, (uint32_t)(end - from));
  return hx_buf_done(&d.out);
}
