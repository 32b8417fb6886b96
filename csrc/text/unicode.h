/* unicode.h: what the language asks of Unicode. Properties of characters are those of text/ucd.h.
** Memory: results live in cx->arena; a string that is already as wanted is returned as it is.
** Errors: ill-formed UTF-8 is the caller's to refuse (hx_utf8_valid); functions that read code points treat an ill-formed
**   byte as U+FFFD of one byte. */
#ifndef HX_TEXT_UNICODE_H
#define HX_TEXT_UNICODE_H

#include "base/cx.h"

/* A word with the top bit of every byte set. */
#define HX_HIGH_BITS UINT64_C(0x8080808080808080)

bool hx_utf8_valid(hx_str s);
/* Well-formed copy: each ill-formed byte becomes U+FFFD, as Go's conversion does. */
hx_str hx_utf8_repair(hx_cx *cx, hx_str s);
bool hx_is_ascii(hx_str s);
/* Copies n bytes, and says whether all of them are ASCII. By words, of which the last may overlap the one before: texts are mostly too
** short for memcpy to be worth its call. */
HX_INLINE bool hx_copy_ascii(char *to, const char *from, size_t n) {
  uint64_t w, all = 0;
  uint32_t half;
  if (n >= 8) {
    for (const char *last = from + n - 8; from < last; from += 8, to += 8, n -= 8) {
      memcpy(&w, from, 8);
      memcpy(to, &w, 8);
      all |= w;
    }
    memcpy(&w, from + n - 8, 8);
    memcpy(to + n - 8, &w, 8);
    return !((all | w) & HX_HIGH_BITS);
  }
  if (n >= 4) {
    memcpy(&half, from, 4);
    memcpy(to, &half, 4);
    all = half;
    memcpy(&half, from + n - 4, 4);
    memcpy(to + n - 4, &half, 4);
    return !((all | half) & HX_HIGH_BITS);
  }
  for (size_t i = 0; i < n; i++) all |= (unsigned char)(to[i] = from[i]);
  return !(all & HX_HIGH_BITS);
}
/* Does the build know all that the functions below tell of s? Without utf8proc only of ASCII: a string then is in form C as it is given, a
** code point is a cluster, and letters have no other case. */
HX_INLINE bool hx_unicode_knows(hx_str s) {
#ifdef HX_HAS_UTF8PROC
  (void)s;
  return true;
#else
  return hx_is_ascii(s);
#endif
}

/* Normalisation form C. Charged: a step for 16 bytes of what isn't ASCII, and one for each part of a character that has to be
** taken apart. */
hx_str hx_nfc(hx_cx *cx, hx_str s);
/* The same of what the host gives, not charged: steps are those of the evaluation, wherever its data come from. */
hx_str hx_nfc_given(hx_cx *cx, hx_str s);

/* How much of s, in form C, is sure to stay the start of a longer string whatever follows: what is known of an unknown string. */
hx_str hx_known_prefix(hx_str s);
/* The same, as the reference has it, of what stands before a character that was cut off in the middle: a whole cluster stays then. */
hx_str hx_known_before_cut(hx_str s);

/* Reads one code point at p (p < end): its length in bytes; *cp = -1 and length 1 where ill-formed. */
uint32_t hx_utf8_read(const char *p, const char *end, int32_t *cp);
/* Writes cp at p: number of bytes, at most 4. */
uint32_t hx_utf8_write(char *p, int32_t cp);

/* Bytes of the grapheme cluster at the start of s (s.len > 0). CR LF is one. */
uint32_t hx_grapheme_len(hx_str s);
uint32_t hx_grapheme_count(hx_str s);
/* The same for what is shown: marks upon marks beyond any character of a script are taken for several clusters, so that a number of
** clusters is a number of bytes, too. */
#define HX_GRAPHEME_SHOWN_MAX 64u
HX_INLINE uint32_t hx_grapheme_shown(hx_str s) {
  if (s.len > HX_GRAPHEME_SHOWN_MAX) s.len = HX_GRAPHEME_SHOWN_MAX;
  return hx_grapheme_len(s);
}
/* Columns of a terminal that a cluster takes: 0 to 2. */
uint32_t hx_grapheme_width(hx_str cluster);

/* Identifiers: UAX #31 with `-` as the language adds it. ASCII is table work in the scanner; these are for the rest. */
bool hx_is_id_start(int32_t cp);
bool hx_is_id_continue(int32_t cp);

/* Case mapping one character to one, as the reference's. */
hx_str hx_upper(hx_cx *cx, hx_str s);
hx_str hx_lower(hx_cx *cx, hx_str s);
int32_t hx_cp_title(int32_t cp);
bool hx_cp_is_letter(int32_t cp);
bool hx_cp_is_digit(int32_t cp); /* Nd */
bool hx_cp_is_space(int32_t cp); /* White_Space */
/* Printable as Go's strconv.Quote has it: letters, marks, numbers, punctuation, symbols and the ASCII space. */
bool hx_cp_is_print(int32_t cp);

#endif
