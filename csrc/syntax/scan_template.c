/* scan_template.c: the scanner within quotes, heredocs and bare templates. */
#include "syntax/scanner.h"

#include "text/unicode.h"

static hx_token_kind token_to(hx_scanner *s, hx_token_kind kind, const unsigned char *stop) {
  s->pos = (uint32_t)(stop - s->text);
  return kind;
}

/* Scans `${` or `%{` at p, with its strip marker if it has one. */
static hx_token_kind open_sequence(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  hx_token_kind kind = *p == '$' ? HX_TOK_INTERP : HX_TOK_CONTROL;
  p += 2;
  if (p < end && *p == '~') p++;
  s->mode.line_start = false;
  hx_scan_push(s, (hx_scan_mode){ .kind = HX_SCAN_MAIN });
  return token_to(s, kind, p);
}

/* Returns true if `$${` or `%%{` is at p. */
static bool is_escape(const unsigned char *p, const unsigned char *end) {
  return end - p >= 3 && p[1] == p[0] && p[2] == '{';
}

/* Scans `$` or `%` within quotes. */
static hx_token_kind quoted_sigil(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  if (p + 1 == end && !s->more) return token_to(s, HX_TOK_INVALID, p + 1);
  if (p[1] == '{') return open_sequence(s, p, end);
  s->plain = !is_escape(p, end);
  if (s->plain) return token_to(s, HX_TOK_QUOTED_LIT, p + 1);
  p += 3;
  if (p < end && *p == '~') p++;
  return token_to(s, HX_TOK_QUOTED_LIT, p);
}

hx_token_kind hx_scan_quoted(hx_scanner *s) {
  const unsigned char *start = s->text + s->pos, *end = s->text + s->end, *p = start;
  s->plain = true;
  for (;;) {
    while (p < end && hx_scan_classes[*p] & HX_CLASS_IN_QUOTED) p++;
    if (p == end || (*p != '\\' && *p < 0x80)) break;
    const unsigned char *q = *p == '\\' ? p + 1 : p; /* skips the character after a backslash */
    s->plain = s->plain && q == p;
    if (q == end || *q == '\n' || *q == '\r') break;
    uint32_t n = hx_scan_char(q, end);
    if (n == 0) break;
    p = q + n;
  }
  if (p > start) return token_to(s, HX_TOK_QUOTED_LIT, p);
  s->plain = false;
  switch (*p) {
    case '"': hx_scan_pop(s); return token_to(s, HX_TOK_CQUOTE, p + 1);
    case '$':
    case '%': return quoted_sigil(s, p, end);
    case '\\': return token_to(s, HX_TOK_INVALID, p + 1);
    case '\n':
    case '\r':
      if (s->lines) {
        hx_scan_pop(s);
        return token_to(s, HX_TOK_CQUOTE, p);
      }
      while (p < end && (*p == '\n' || *p == '\r')) p++;
      return token_to(s, HX_TOK_QUOTED_NEWLINE, p);
    default: return token_to(s, HX_TOK_BAD_UTF8, p + 1);
  }
}

/* Returns true if the line [p, end), without white space around it, is the heredoc's end marker. */
static bool is_end_marker(const hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  const char *a = (const char *)p, *z = (const char *)end;
  while (a < z) {
    int32_t cp;
    uint32_t n = hx_utf8_read(a, z, &cp);
    if (cp < 0 || !hx_cp_is_space(cp)) break;
    a += n;
  }
  if ((size_t)(z - a) < s->mode.marker_len || memcmp(a, s->text + s->mode.marker, s->mode.marker_len) != 0) return false;
  a += s->mode.marker_len;
  while (a < z) {
    int32_t cp;
    uint32_t n = hx_utf8_read(a, z, &cp);
    if (cp < 0 || !hx_cp_is_space(cp)) return false;
    a += n;
  }
  return true;
}

/* Ends a text token with its line. The newline after an end marker is a token of its own, because it also ends the item. */
static hx_token_kind end_line(hx_scanner *s, const unsigned char *stop) {
  const unsigned char *start = s->text + s->pos;
  if (s->mode.kind == HX_SCAN_HEREDOC && s->mode.line_start && is_end_marker(s, start, stop)) {
    hx_scan_pop(s);
    stop--;
    if (stop[-1] == '\r') stop--;
    return token_to(s, HX_TOK_CHEREDOC, stop);
  }
  s->mode.line_start = true;
  return token_to(s, HX_TOK_STRING_LIT, stop);
}

static hx_token_kind in_line(hx_scanner *s, const unsigned char *stop) {
  s->mode.line_start = false;
  return token_to(s, HX_TOK_STRING_LIT, stop);
}

/* Takes the rest of the source as one token, because the reference's scanner gives up here (a lone CR, a last `$`). In a bare template
** it is text, otherwise invalid. */
static hx_token_kind take_rest(hx_scanner *s, const unsigned char *end) {
  return token_to(s, s->outer.n == 0 ? HX_TOK_STRING_LIT : HX_TOK_INVALID, end);
}

/* Ends a text token at p, or after the line's end if that is at p. */
static hx_token_kind end_text(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  if (p < end && *p == '\n') return end_line(s, p + 1);
  if (end - p >= 2 && p[0] == '\r' && p[1] == '\n') return end_line(s, p + 2);
  return in_line(s, p);
}

/* Scans `$` or `%` in text. If it neither opens a sequence nor begins an escape, it is a token of its own. But before the last character of
** a line the token includes that character, and the newline is a separate token, so that parts of a flush heredoc begin where the
** reference's do. */
static hx_token_kind text_sigil(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  if (p + 1 == end) return take_rest(s, end);
  if (p[1] == '{') return open_sequence(s, p, end);
  if (is_escape(p, end)) {
    p += 3;
    if (p < end && *p == '~') p++;
    return end_text(s, p, end);
  }
  s->plain = true;
  if (end - p >= 3 && p[2] == '\n') return end_line(s, p + 2);
  if (end - p >= 3 && p[2] == '\r') return in_line(s, p + 2);
  return in_line(s, p + 1);
}

hx_token_kind hx_scan_text(hx_scanner *s) {
  const unsigned char *start = s->text + s->pos, *end = s->text + s->end, *p = start;
  for (;;) {
    while (p < end && hx_scan_classes[*p] & HX_CLASS_IN_TEXT) p++;
    uint32_t n = p < end && *p >= 0x80 ? hx_scan_char(p, end) : 0;
    if (n == 0) break;
    p += n;
  }
  s->plain = p > start || *p == '\n';
  if (s->plain) return end_text(s, p, end);
  if (*p == '$' || *p == '%') return text_sigil(s, p, end);
  if (*p != '\r') return token_to(s, HX_TOK_BAD_UTF8, p + 1);
  return p + 1 < end && p[1] == '\n' ? end_line(s, p + 2) : take_rest(s, end);
}
