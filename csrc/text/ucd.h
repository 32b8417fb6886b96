/* ucd.h: the Unicode character database, as far as we ask it. The only user of utf8proc. Without HX_HAS_UTF8PROC it knows ASCII, and of
** what is beyond only which characters are letters and which aren't shown: nothing else then has another case, another form or joins.
** Memory: none.
** Errors: none. A code point below 0 stands for bytes that are no character, where a function says so; else it is a valid one. */
#ifndef HX_TEXT_UCD_H
#define HX_TEXT_UCD_H

#include "base/platform.h"

/* Sorts of characters: general categories, as far as they make a difference here. Those from LETTER to SYMBOL are shown. */
typedef enum hx_ucd_sort {
  HX_UCD_OTHER, /* control and format characters, separators, those of private use, the unassigned */
  HX_UCD_LETTER,
  HX_UCD_MARK,
  HX_UCD_DIGIT, /* decimal ones */
  HX_UCD_NUMBER,
  HX_UCD_PUNCTUATION,
  HX_UCD_SYMBOL
} hx_ucd_sort;
hx_ucd_sort hx_ucd_sort_of(int32_t cp);

/* A character of the same sort in the other case, or itself: one to one. */
int32_t hx_ucd_upper(int32_t cp);
int32_t hx_ucd_lower(int32_t cp);
int32_t hx_ucd_title(int32_t cp);

/* What a character is to normal forms. */
typedef enum hx_ucd_parts { HX_UCD_WHOLE, HX_UCD_CANONICAL, HX_UCD_COMPATIBLE } hx_ucd_parts;
typedef struct hx_ucd_form {
  uint8_t mark;   /* canonical combining class */
  uint8_t parts;  /* hx_ucd_parts: may it be taken apart, by every form or those of compatibility only? */
  bool joins;     /* there is a character before it with which it is composed */
  bool is_joined; /* there is one after it */
} hx_ucd_form;
/* Not of Hangul, which goes by arithmetic. */
hx_ucd_form hx_ucd_form_of(int32_t cp);

/* No character has more parts. */
#define HX_UCD_PARTS_MAX 20
/* The parts of a character, all the way down; itself, if it has none. Their number. */
uint32_t hx_ucd_decompose(int32_t cp, int32_t parts[HX_UCD_PARTS_MAX], bool compatible);
/* The character that two are composed to; 0: none. */
int32_t hx_ucd_compose(int32_t a, int32_t b);

/* What a character is to grapheme clusters: classes of UAX #29. */
typedef enum hx_ucd_cluster {
  HX_UCD_PLAIN,
  HX_UCD_CONTROL,
  HX_UCD_CR,
  HX_UCD_LF,
  HX_UCD_EXTEND,
  HX_UCD_SPACING_MARK,
  HX_UCD_JOINER, /* ZWJ */
  HX_UCD_PREPEND,
  HX_UCD_PICTOGRAPHIC,
  HX_UCD_REGIONAL_INDICATOR,
  HX_UCD_HANGUL_L, /* Hangul stands together, in this order */
  HX_UCD_HANGUL_V,
  HX_UCD_HANGUL_T,
  HX_UCD_HANGUL_LV,
  HX_UCD_HANGUL_LVT
} hx_ucd_cluster;
hx_ucd_cluster hx_ucd_cluster_of(int32_t cp);

/* Columns of a terminal: 0 to 2. */
int hx_ucd_width(int32_t cp);

#endif
