/* unicode.c: reads, writes and repairs UTF-8; classifies characters and maps their case. */
#include "text/unicode.h"

#include "base/buf.h"
#include "text/ucd.h"

#define REPLACEMENT 0xFFFD

/* Tests a word at a time; the last word may overlap the one before. */
bool hx_is_ascii(hx_str s) {
  const char *p = s.p;
  uint64_t w, all = 0;
  uint32_t half, end;
  if (s.len >= 8) {
    const char *last = p + s.len - 8;
    for (; p < last; p += 8) {
      memcpy(&w, p, 8);
      if (w & HX_HIGH_BITS) return false;
    }
    memcpy(&w, last, 8);
    return !(w & HX_HIGH_BITS);
  }
  if (s.len >= 4) {
    memcpy(&half, p, 4);
    memcpy(&end, p + s.len - 4, 4);
    return !((half | end) & (uint32_t)HX_HIGH_BITS);
  }
  for (uint32_t i = 0; i < s.len; i++) all |= (unsigned char)p[i];
  return all < 0x80;
}

static bool is_tail(const char *p) {
  return ((unsigned char)*p & 0xC0) == 0x80;
}

/* Accepts only shortest forms, no surrogates, and nothing over U+10FFFF. */
uint32_t hx_utf8_read(const char *p, const char *end, int32_t *cp) {
  unsigned char c = (unsigned char)*p;
  ptrdiff_t room = end - p;
  int32_t v;
  if (c < 0x80) {
    *cp = c;
    return 1;
  }
  *cp = -1;
  if (c < 0xC2 || c > 0xF4) return 1;
  if (room < 2 || !is_tail(p + 1)) return 1;
  v = (unsigned char)p[1] & 0x3F;
  if (c < 0xE0) {
    *cp = ((c & 0x1F) << 6) | v;
    return 2;
  }
  if (room < 3 || !is_tail(p + 2)) return 1;
  v = (v << 6) | ((unsigned char)p[2] & 0x3F);
  if (c < 0xF0) {
    v |= (c & 0x0F) << 12;
    if (v < 0x800 || (v >= 0xD800 && v <= 0xDFFF)) return 1;
    *cp = v;
    return 3;
  }
  if (room < 4 || !is_tail(p + 3)) return 1;
  v = (v << 6) | ((unsigned char)p[3] & 0x3F) | ((c & 0x07) << 18);
  if (v < 0x10000 || v > 0x10FFFF) return 1;
  *cp = v;
  return 4;
}

uint32_t hx_utf8_write(char *p, int32_t cp) {
  if (cp < 0x80) {
    p[0] = (char)cp;
    return 1;
  }
  if (cp < 0x800) {
    p[0] = (char)(0xC0 | (cp >> 6));
    p[1] = (char)(0x80 | (cp & 0x3F));
    return 2;
  }
  if (cp < 0x10000) {
    p[0] = (char)(0xE0 | (cp >> 12));
    p[1] = (char)(0x80 | ((cp >> 6) & 0x3F));
    p[2] = (char)(0x80 | (cp & 0x3F));
    return 3;
  }
  p[0] = (char)(0xF0 | (cp >> 18));
  p[1] = (char)(0x80 | ((cp >> 12) & 0x3F));
  p[2] = (char)(0x80 | ((cp >> 6) & 0x3F));
  p[3] = (char)(0x80 | (cp & 0x3F));
  return 4;
}

/* Returns the offset of the first ill-formed byte, or the length. */
static uint32_t valid_until(hx_str s) {
  const char *p = s.p, *end = s.p + s.len;
  uint64_t w;
  int32_t cp;
  while (p < end) {
    if (end - p >= 8) {
      memcpy(&w, p, 8);
      if (!(w & HX_HIGH_BITS)) {
        p += 8;
        continue;
      }
    }
    p += hx_utf8_read(p, end, &cp);
    if (cp < 0) {
      p--;
      break;
    }
  }
  return (uint32_t)(p - s.p);
}

bool hx_utf8_valid(hx_str s) {
  return valid_until(s) == s.len;
}

hx_str hx_utf8_repair(hx_cx *cx, hx_str s) {
  uint32_t good = valid_until(s);
  hx_buf b;
  if (good == s.len) return s;
  hx_buf_init(&b, &cx->arena, s.len);
  while (s.len) {
    hx_buf_bytes(&b, s.p, good);
    s = hx_str_of(s.p + good, s.len - good);
    if (!s.len) break;
    hx_buf_c(&b, "\xEF\xBF\xBD");
    s = hx_str_of(s.p + 1, s.len - 1);
    good = valid_until(s);
  }
  return hx_buf_done(&b);
}

bool hx_cp_is_letter(int32_t cp) {
  return cp >= 0 && hx_ucd_sort_of(cp) == HX_UCD_LETTER;
}

bool hx_cp_is_digit(int32_t cp) {
  return cp >= 0 && hx_ucd_sort_of(cp) == HX_UCD_DIGIT;
}

/* The list is complete: Unicode has added no white space for a long time. */
bool hx_cp_is_space(int32_t cp) {
  if (cp < 0x80) return cp == ' ' || (cp >= '\t' && cp <= '\r');
  if (cp < 0x2000) return cp == 0x85 || cp == 0xA0 || cp == 0x1680;
  return cp <= 0x200A || cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

bool hx_cp_is_print(int32_t cp) {
  if (cp >= 0 && cp < 0x80) return cp >= ' ' && cp != 0x7F;
  return cp >= 0 && hx_ucd_sort_of(cp) != HX_UCD_OTHER;
}

hx_str hx_trim_left(hx_str s) {
  const char *end = s.p + s.len;
  while (s.len > 0) {
    int32_t cp;
    uint32_t n = hx_utf8_read(s.p, end, &cp);
    if (cp < 0 || !hx_cp_is_space(cp)) break;
    s.p += n;
    s.len -= n;
  }
  return s;
}

hx_str hx_trim_right(hx_str s) {
  while (s.len > 0) {
    uint32_t n = 1;
    while (n < s.len && n < 4 && ((unsigned char)s.p[s.len - n] & 0xC0) == 0x80) n++;
    int32_t cp;
    uint32_t read = hx_utf8_read(s.p + s.len - n, s.p + s.len, &cp);
    if (read != n || cp < 0 || !hx_cp_is_space(cp)) break;
    s.len -= n;
  }
  return s;
}

static int32_t to_upper(int32_t cp) {
  return cp < 0 ? REPLACEMENT : hx_ucd_upper(cp);
}

static int32_t to_lower(int32_t cp) {
  return cp < 0 ? REPLACEMENT : hx_ucd_lower(cp);
}

int32_t hx_cp_title(int32_t cp) {
  return cp < 0 ? REPLACEMENT : hx_ucd_title(cp);
}

/* Maps each character to one character, which may have another length in bytes. */
static hx_str map_case(hx_cx *cx, hx_str s, int32_t (*map)(int32_t)) {
  const char *p = s.p, *end = s.p + s.len;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, s.len);
  while (p < end) {
    int32_t cp;
    p += hx_utf8_read(p, end, &cp);
    b.len += hx_utf8_write(hx_buf_reserve(&b, 4), map(cp));
  }
  return hx_buf_done(&b);
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (uint64_t)(c))

/* Returns a word with the bit 0x20 in each byte that is one of the 26 letters from `first` on. w must be ASCII, so that no sum carries
** into the next byte. */
static uint64_t letters_of(uint64_t w, unsigned char first) {
  uint64_t from = w + EACH_BYTE(0x80 - first), past = w + EACH_BYTE(0x80 - first - 26);
  return ((from ^ past) & HX_HIGH_BITS) >> 2;
}

/* Maps the case of text shorter than a word. Returns false if it isn't ASCII. */
static bool map_short(hx_cx *cx, hx_str s, unsigned char first, hx_str *out) {
  char mapped[8] = { 0 };
  unsigned char all = 0;
  for (uint32_t i = 0; i < s.len; i++) {
    unsigned char c = (unsigned char)s.p[i];
    all |= c;
    mapped[i] = (char)(c ^ ((unsigned char)(c - first) < 26 ? 0x20 : 0));
  }
  *out = s;
  if (all >= 0x80) return false;
  if (s.len && memcmp(mapped, s.p, s.len) != 0) *out = hx_str_copy(cx, hx_str_of(mapped, s.len));
  return true;
}

/* Maps ASCII text: its letters from `first` on get the other case. Returns false if the text contains other characters. The last word
** may overlap the one before. */
static bool map_ascii(hx_cx *cx, hx_str s, unsigned char first, hx_str *out) {
  uint64_t w, all = 0, changes = 0;
  if (s.len < 8) return map_short(cx, s, first, out);
  uint32_t last = s.len - 8;
  for (uint32_t i = 0; i < s.len; i += 8) {
    memcpy(&w, s.p + (i < last ? i : last), 8);
    all |= w;
    changes |= letters_of(w, first);
  }
  *out = s;
  if (all & HX_HIGH_BITS) return false;
  if (!changes) return true;
  char *p = hx_alloc(cx, s.len);
  for (uint32_t i = 0; i < s.len; i += 8) {
    uint32_t at = i < last ? i : last;
    memcpy(&w, s.p + at, 8);
    w ^= letters_of(w, first);
    memcpy(p + at, &w, 8);
  }
  out->p = p;
  return true;
}

hx_str hx_upper(hx_cx *cx, hx_str s) {
  hx_str out;
  return map_ascii(cx, s, 'a', &out) ? out : map_case(cx, s, to_upper);
}

hx_str hx_lower(hx_cx *cx, hx_str s) {
  hx_str out;
  return map_ascii(cx, s, 'A', &out) ? out : map_case(cx, s, to_lower);
}
