/* ucd.c: properties of characters, from utf8proc. They follow the version of Unicode that the utf8proc in use has, while the reference
** has Unicode 15. So a later utf8proc also knows characters that were added since. */
#include "text/ucd.h"

#ifdef HX_HAS_UTF8PROC

#include <utf8proc.h>

hx_ucd_sort hx_ucd_sort_of(int32_t cp) {
  static const uint8_t sorts[] = {
    [UTF8PROC_CATEGORY_LU] = HX_UCD_LETTER,      [UTF8PROC_CATEGORY_LL] = HX_UCD_LETTER,
    [UTF8PROC_CATEGORY_LT] = HX_UCD_LETTER,      [UTF8PROC_CATEGORY_LM] = HX_UCD_LETTER,
    [UTF8PROC_CATEGORY_LO] = HX_UCD_LETTER,      [UTF8PROC_CATEGORY_MN] = HX_UCD_MARK,
    [UTF8PROC_CATEGORY_MC] = HX_UCD_MARK,        [UTF8PROC_CATEGORY_ME] = HX_UCD_MARK,
    [UTF8PROC_CATEGORY_ND] = HX_UCD_DIGIT,       [UTF8PROC_CATEGORY_NL] = HX_UCD_NUMBER,
    [UTF8PROC_CATEGORY_NO] = HX_UCD_NUMBER,      [UTF8PROC_CATEGORY_PC] = HX_UCD_PUNCTUATION,
    [UTF8PROC_CATEGORY_PD] = HX_UCD_PUNCTUATION, [UTF8PROC_CATEGORY_PS] = HX_UCD_PUNCTUATION,
    [UTF8PROC_CATEGORY_PE] = HX_UCD_PUNCTUATION, [UTF8PROC_CATEGORY_PI] = HX_UCD_PUNCTUATION,
    [UTF8PROC_CATEGORY_PF] = HX_UCD_PUNCTUATION, [UTF8PROC_CATEGORY_PO] = HX_UCD_PUNCTUATION,
    [UTF8PROC_CATEGORY_SM] = HX_UCD_SYMBOL,      [UTF8PROC_CATEGORY_SC] = HX_UCD_SYMBOL,
    [UTF8PROC_CATEGORY_SK] = HX_UCD_SYMBOL,      [UTF8PROC_CATEGORY_SO] = HX_UCD_SYMBOL,
    [UTF8PROC_CATEGORY_CO] = HX_UCD_OTHER,
  };
  return (hx_ucd_sort)sorts[utf8proc_category(cp)];
}

/* utf8proc gives the sharp s a capital letter, as German spelling now allows; Unicode's simple case mapping doesn't. */
#define SHARP_S 0xDF

int32_t hx_ucd_upper(int32_t cp) {
  return cp == SHARP_S ? cp : utf8proc_toupper(cp);
}

int32_t hx_ucd_lower(int32_t cp) {
  return utf8proc_tolower(cp);
}

int32_t hx_ucd_title(int32_t cp) {
  return cp == SHARP_S ? cp : utf8proc_totitle(cp);
}

hx_ucd_form hx_ucd_form_of(int32_t cp) {
  const utf8proc_property_t *p = utf8proc_get_property(cp);
  bool has_parts = p->decomp_seqindex != UINT16_MAX;
  hx_ucd_form form = { .mark = (uint8_t)p->combining_class };
  if (has_parts) form.parts = p->decomp_type == 0 ? HX_UCD_CANONICAL : HX_UCD_COMPATIBLE;
#if UTF8PROC_VERSION_MAJOR > 2 || UTF8PROC_VERSION_MINOR >= 10
  form.joins = p->comb_issecond;
  form.is_joined = p->comb_index != 0x3FF;
#else
  /* utf8proc numbers characters that come second in a composition from 0x8000. */
  bool composes = p->comb_index != UINT16_MAX;
  form.joins = composes && p->comb_index >= 0x8000;
  form.is_joined = composes && !form.joins;
#endif
  return form;
}

uint32_t hx_ucd_decompose(int32_t cp, int32_t parts[HX_UCD_PARTS_MAX], bool compatible) {
  utf8proc_option_t options = compatible ? UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT : UTF8PROC_DECOMPOSE;
  int unused = 0;
  utf8proc_ssize_t n = utf8proc_decompose_char(cp, parts, HX_UCD_PARTS_MAX, options, &unused);
  if (n >= 1 && n <= HX_UCD_PARTS_MAX) return (uint32_t)n;
  parts[0] = cp;
  return 1;
}

int32_t hx_ucd_compose(int32_t a, int32_t b) {
  utf8proc_int32_t pair[3] = { a, b, 0 };
  return utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE) == 1 ? pair[0] : 0;
}

/* Returns the class of an unassigned character. utf8proc calls all of these plain, but Unicode reserves some for emoji and for invisible
** characters. */
static hx_ucd_cluster unassigned_cluster(int32_t cp) {
  if ((cp >= 0x1F000 && cp <= 0x1FAFF) || (cp >= 0x1FC00 && cp <= 0x1FFFD)) return HX_UCD_PICTOGRAPHIC;
  if (cp == 0x2065 || (cp >= 0xFFF0 && cp <= 0xFFF8) || (cp >= 0xE0000 && cp <= 0xE0FFF)) return HX_UCD_CONTROL;
  return HX_UCD_PLAIN;
}

hx_ucd_cluster hx_ucd_cluster_of(int32_t cp) {
  static const uint8_t clusters[UINT8_MAX + 1] = {
    [UTF8PROC_BOUNDCLASS_CONTROL] = HX_UCD_CONTROL,
    [UTF8PROC_BOUNDCLASS_CR] = HX_UCD_CR,
    [UTF8PROC_BOUNDCLASS_LF] = HX_UCD_LF,
    [UTF8PROC_BOUNDCLASS_EXTEND] = HX_UCD_EXTEND,
    [UTF8PROC_BOUNDCLASS_SPACINGMARK] = HX_UCD_SPACING_MARK,
    [UTF8PROC_BOUNDCLASS_ZWJ] = HX_UCD_JOINER,
    [UTF8PROC_BOUNDCLASS_PREPEND] = HX_UCD_PREPEND,
    [UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC] = HX_UCD_PICTOGRAPHIC,
    [UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR] = HX_UCD_REGIONAL_INDICATOR,
    [UTF8PROC_BOUNDCLASS_L] = HX_UCD_HANGUL_L,
    [UTF8PROC_BOUNDCLASS_V] = HX_UCD_HANGUL_V,
    [UTF8PROC_BOUNDCLASS_T] = HX_UCD_HANGUL_T,
    [UTF8PROC_BOUNDCLASS_LV] = HX_UCD_HANGUL_LV,
    [UTF8PROC_BOUNDCLASS_LVT] = HX_UCD_HANGUL_LVT,
  };
  const utf8proc_property_t *p = utf8proc_get_property(cp);
  return p->category == UTF8PROC_CATEGORY_CN ? unassigned_cluster(cp) : (hx_ucd_cluster)clusters[p->boundclass];
}

int hx_ucd_width(int32_t cp) {
  return utf8proc_charwidth(cp);
}

#else

#include "base/ascii.h"
#include "text/unicode.h"

/* Characters beyond ASCII that aren't shown and could change how their surroundings look: the first and the last of each range. */
static const int32_t unseen[][2] = {
  { 0x80, 0xA0 },     { 0xAD, 0xAD },     { 0x61C, 0x61C },   { 0x200B, 0x200F }, { 0x2028, 0x202F },    { 0x205F, 0x206F },
  { 0xE000, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFB }, { 0xFFFE, 0xFFFF }, { 0xE0000, 0x10FFFF },
};

hx_ucd_sort hx_ucd_sort_of(int32_t cp) {
  if (hx_is_digit(cp)) return HX_UCD_DIGIT;
  if (cp < 0x80) return hx_is_alnum(cp) ? HX_UCD_LETTER : cp > ' ' && cp < 0x7F ? HX_UCD_SYMBOL : HX_UCD_OTHER;
  for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
    if (cp >= unseen[i][0] && cp <= unseen[i][1]) return HX_UCD_OTHER;
  return hx_is_id_start(cp) ? HX_UCD_LETTER : HX_UCD_SYMBOL;
}

int32_t hx_ucd_upper(int32_t cp) {
  return cp >= 'a' && cp <= 'z' ? cp - ('a' - 'A') : cp;
}

int32_t hx_ucd_lower(int32_t cp) {
  return cp >= 'A' && cp <= 'Z' ? cp + ('a' - 'A') : cp;
}

int32_t hx_ucd_title(int32_t cp) {
  return hx_ucd_upper(cp);
}

hx_ucd_form hx_ucd_form_of(int32_t cp) {
  (void)cp;
  return (hx_ucd_form){ .mark = 0 };
}

uint32_t hx_ucd_decompose(int32_t cp, int32_t parts[HX_UCD_PARTS_MAX], bool compatible) {
  (void)compatible;
  parts[0] = cp;
  return 1;
}

int32_t hx_ucd_compose(int32_t a, int32_t b) {
  (void)a, (void)b;
  return 0;
}

hx_ucd_cluster hx_ucd_cluster_of(int32_t cp) {
  if (cp == '\r') return HX_UCD_CR;
  if (cp == '\n') return HX_UCD_LF;
  return cp < ' ' || cp == 0x7F ? HX_UCD_CONTROL : HX_UCD_PLAIN;
}

int hx_ucd_width(int32_t cp) {
  return cp >= ' ';
}

#endif
