/* yaml_bom.c: strings that begin with a byte order mark, U+FEFF. The reference's emitter escapes every character of such a
** string; libyaml only those that can't be shown. So libyaml gets a substitute: a string of characters that it escapes, of
** the same length, width and line breaks (lines are folded by width, and keys laid out by length). Afterwards the escapes
** of the string itself replace those of the substitute. */
#include "fn/yaml.h"

#include "text/unicode.h"

#define BOM_UTF8 "\xEF\xBB\xBF"
#define BEGINNING "\"\\uFEFF"

bool hx_yaml_has_bom(hx_str s) {
  return s.len >= 3 && memcmp(s.p, BOM_UTF8, 3) == 0;
}

static const struct {
  int32_t cp;
  char letter;
} escapes[] = {
  { 0, '0' },  { 7, 'a' },   { 8, 'b' },     { 9, 't' },    { 10, 'n' },   { 11, 'v' },     { 12, 'f' },     { 13, 'r' },
  { 27, 'e' }, { '"', '"' }, { '\\', '\\' }, { 0x85, 'N' }, { 0xA0, '_' }, { 0x2028, 'L' }, { 0x2029, 'P' },
};

static void put_escape(hx_buf *b, int32_t cp) {
  static const char hex[] = "0123456789ABCDEF";
  hx_buf_put(b, '\\');
  for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
    if (escapes[i].cp != cp) continue;
    hx_buf_put(b, escapes[i].letter);
    return;
  }
  int digits = cp <= 0xFF ? 2 : cp <= 0xFFFF ? 4 : 8;
  hx_buf_put(b, cp <= 0xFF ? 'x' : cp <= 0xFFFF ? 'u' : 'U');
  while (digits--) hx_buf_put(b, hex[(uint32_t)cp >> (4 * digits) & 15]);
}

static hx_str escaped(hx_cx *cx, hx_str s) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, s.len * 4);
  int32_t cp;
  for (uint32_t i = 0; i < s.len;) {
    i += hx_utf8_read(s.p + i, s.p + s.len, &cp);
    put_escape(&b, cp);
  }
  return hx_buf_done(&b);
}

/* Returns text that libyaml escapes to as many columns as put_escape needs for this character, and that has as many bytes as the
** character (for U+00A0 one byte less). */
static hx_str stand_in_of(int32_t cp, hx_str itself) {
  if (cp < 0x20 || cp == '"' || cp == '\\' || (cp > 0x7E && cp < 0xA0)) return itself;
  if (cp < 0xA0) return HX_STR("\x01");
  if (cp == 0xA0) return HX_STR("\a");
  if (cp <= 0xFF) return HX_STR("\xC2\x80");
  if (cp <= 0x7FF) return HX_STR("\x01\a");
  if (cp <= 0xFFFD && cp != 0x2028 && cp != 0x2029) return HX_STR(BOM_UTF8);
  return itself;
}

hx_str hx_yaml_bom_stand_in(hx_cx *cx, hx_str s) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, s.len);
  int32_t cp;
  for (uint32_t i = 0, n; i < s.len; i += n) {
    n = hx_utf8_read(s.p + i, s.p + s.len, &cp);
    hx_buf_str(&b, stand_in_of(cp, hx_str_of(s.p + i, n)));
  }
  return hx_buf_done(&b);
}

/* Returns the position of the next quoted string that begins with a byte order mark, or of text in a literal block that looks like
** one. Returns text.len if there isn't any. A quote after a backslash is inside a string. */
static uint32_t find_beginning(hx_str text, uint32_t from) {
  const uint32_t n = sizeof BEGINNING - 1;
  for (uint32_t i = from; i + n <= text.len; i++)
    if (text.p[i] == '"' && memcmp(text.p + i, BEGINNING, n) == 0 && (i == 0 || text.p[i - 1] != '\\')) return i;
  return text.len;
}

bool hx_yaml_bom_restore(hx_cx *cx, hx_str *text, const hx_str *strings, uint32_t n) {
  uint32_t found = 0;
  for (uint32_t i = 0; (i = find_beginning(*text, i)) < text->len; i++) found++;
  if (found != n) return false; /* ambiguous: a literal block has such text, too */
  hx_buf b;
  hx_buf_init(&b, &cx->arena, text->len);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t begin = find_beginning(*text, at) + 1;
    hx_str s = escaped(cx, strings[i]);
    hx_buf_bytes(&b, text->p + at, begin - at);
    hx_buf_str(&b, s);
    at = begin + s.len;
    HX_ASSERT(at < text->len && text->p[at] == '"');
  }
  hx_buf_bytes(&b, text->p + at, text->len - at);
  *text = hx_buf_done(&b);
  return true;
}
