/* unicode.h: the functions of Unicode that the language needs. text/ucd.h has the properties of characters.
** Memory: results live in cx->arena. A string that needs no change is returned as it is.
** Errors: the caller rejects ill-formed UTF-8 (hx_utf8_valid). Functions that read code points treat each ill-formed byte as U+FFFD. */
#ifndef HX_TEXT_UNICODE_H
#define HX_TEXT_UNICODE_H

#include "base/cx.h"

/* A word with the top bit of every byte set. */
#define HX_HIGH_BITS UINT64_C(0x8080808080808080)

bool hx_utf8_valid(hx_str s);
/* Returns a well-formed copy: each ill-formed byte becomes U+FFFD, as in Go's conversion. */
hx_str hx_utf8_repair(hx_cx *cx, hx_str s);
bool hx_is_ascii(hx_str s);
/* Copies n bytes, and returns true if all are ASCII. Copies words, where the last may overlap the one before: most texts are too short
** for a call of memcpy to pay. */
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
/* Returns true if the build has the data that the functions below need for s. Without utf8proc that holds only for ASCII. Any other
** string then counts as normalised, each of its code points as a cluster, and letters have no other case. */
HX_INLINE bool hx_unicode_knows(hx_str s) {
#ifdef HX_HAS_UTF8PROC
  (void)s;
  return true;
#else
  return hx_is_ascii(s);
#endif
}

/* Returns s in normalisation form C. Charges a step for 16 bytes of text that isn't ASCII, and one for each part of a character that is
** decomposed. */
hx_str hx_nfc(hx_cx *cx, hx_str s);
/* Normalises without a charge, for a key that the host looks up in a Value: such a lookup can't fail. */
hx_str hx_nfc_given(hx_cx *cx, hx_str s);

/* Returns the part of s (in form C) that stays a prefix whatever text follows. It becomes the known prefix of an unknown string. Reads
** every character, so the caller charges a step for HX_PREFIX_BYTES bytes. */
#define HX_PREFIX_BYTES 16u
hx_str hx_known_prefix(hx_str s);
/* Does what hx_known_prefix does, for text that was cut in the middle of a character. As in the reference, the last whole cluster then
** stays. */
hx_str hx_known_before_cut(hx_str s);

/* Reads the code point at p (p < end) and returns its length in bytes. For an ill-formed byte, sets *cp to -1 and returns 1. */
uint32_t hx_utf8_read(const char *p, const char *end, int32_t *cp);
/* Writes cp at p; returns the number of bytes, at most 4. */
uint32_t hx_utf8_write(char *p, int32_t cp);

/* Returns the length in bytes of the first grapheme cluster of s (s.len > 0). CR LF is one cluster. */
uint32_t hx_grapheme_len(hx_str s);
uint32_t hx_grapheme_count(hx_str s);
/* Returns the length of a cluster for display: more marks than any script uses count as several clusters, so that a bound on clusters also
** bounds bytes. */
#define HX_GRAPHEME_SHOWN_MAX 64u
HX_INLINE uint32_t hx_grapheme_shown(hx_str s) {
  if (s.len > HX_GRAPHEME_SHOWN_MAX) s.len = HX_GRAPHEME_SHOWN_MAX;
  return hx_grapheme_len(s);
}
/* Returns the columns that a cluster takes in a terminal: 0 to 2. */
uint32_t hx_grapheme_width(hx_str cluster);

/* Identifiers: UAX #31, with `-` added by the language. The scanner uses tables for ASCII and these functions for the rest. */
bool hx_is_id_start(int32_t cp);
bool hx_is_id_continue(int32_t cp);
/* Returns true if all of s is one identifier. */
bool hx_is_identifier(hx_str s);

/* Map the case of each character to one character, as the reference does. */
hx_str hx_upper(hx_cx *cx, hx_str s);
hx_str hx_lower(hx_cx *cx, hx_str s);
int32_t hx_cp_title(int32_t cp);
bool hx_cp_is_letter(int32_t cp);
bool hx_cp_is_digit(int32_t cp); /* Unicode's category Nd */
bool hx_cp_is_space(int32_t cp); /* Unicode's property White_Space */
/* Return s without the white space at its start or end. */
hx_str hx_trim_left(hx_str s);
hx_str hx_trim_right(hx_str s);
/* Returns true if Go's strconv.Quote prints cp as it is: a letter, mark, number, punctuation, symbol or the ASCII space. */
bool hx_cp_is_print(int32_t cp);

#endif
