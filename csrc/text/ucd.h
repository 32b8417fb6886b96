/* ucd.h: the part of the Unicode character database that hclexpr uses. Only ucd.c uses utf8proc. Without HX_HAS_UTF8PROC, characters beyond
** ASCII have no case, aren't decomposed, and don't join into clusters. Only two of their properties are then known: whether they are
** letters, and whether they are shown.
** Memory: none.
** Errors: none. Code points must be valid. */
#ifndef HX_TEXT_UCD_H
#define HX_TEXT_UCD_H

#include "base/platform.h"

/* Sorts of characters: the general categories that the language distinguishes. LETTER to SYMBOL are shown. */
typedef enum hx_ucd_sort {
  HX_UCD_OTHER, /* control and format characters, separators, private use, unassigned */
  HX_UCD_LETTER,
  HX_UCD_MARK,
  HX_UCD_DIGIT, /* decimal digits */
  HX_UCD_NUMBER,
  HX_UCD_PUNCTUATION,
  HX_UCD_SYMBOL
} hx_ucd_sort;
hx_ucd_sort hx_ucd_sort_of(int32_t cp);

/* Return the character in the other case, or cp itself: always one character. */
int32_t hx_ucd_upper(int32_t cp);
int32_t hx_ucd_lower(int32_t cp);
int32_t hx_ucd_title(int32_t cp);

/* The properties of a character for normal forms. */
typedef enum hx_ucd_parts { HX_UCD_WHOLE, HX_UCD_CANONICAL, HX_UCD_COMPATIBLE } hx_ucd_parts;
typedef struct hx_ucd_form {
  uint8_t mark;   /* canonical combining class */
  uint8_t parts;  /* hx_ucd_parts: not decomposed, decomposed by every form, or only by the compatibility forms */
  bool joins;     /* the character composes with some character before it */
  bool is_joined; /* the character composes with some character after it */
} hx_ucd_form;
/* Returns the properties of a character. Not for Hangul, which is composed by arithmetic. */
hx_ucd_form hx_ucd_form_of(int32_t cp);

/* The most parts that a character can have. */
#define HX_UCD_PARTS_MAX 20
/* Decomposes a character fully, or into itself if it has no parts. Returns the number of parts. */
uint32_t hx_ucd_decompose(int32_t cp, int32_t parts[HX_UCD_PARTS_MAX], bool compatible);
/* Returns the composition of two characters; 0: they don't compose. */
int32_t hx_ucd_compose(int32_t a, int32_t b);

/* The class of a character for grapheme clusters (UAX #29). */
typedef enum hx_ucd_cluster {
  HX_UCD_PLAIN,
  HX_UCD_CONTROL,
  HX_UCD_CR,
  HX_UCD_LF,
  HX_UCD_EXTEND,
  HX_UCD_SPACING_MARK,
  HX_UCD_JOINER, /* U+200D, the zero width joiner */
  HX_UCD_PREPEND,
  HX_UCD_PICTOGRAPHIC,
  HX_UCD_REGIONAL_INDICATOR,
  HX_UCD_HANGUL_L, /* the classes of Hangul, in this order */
  HX_UCD_HANGUL_V,
  HX_UCD_HANGUL_T,
  HX_UCD_HANGUL_LV,
  HX_UCD_HANGUL_LVT
} hx_ucd_cluster;
hx_ucd_cluster hx_ucd_cluster_of(int32_t cp);

/* Returns the columns that a character takes in a terminal: 0 to 2. */
int hx_ucd_width(int32_t cp);

#endif
