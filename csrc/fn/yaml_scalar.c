/* yaml_scalar.c: finds out which value a scalar is: by its tag, or by its *looks*, the form of its text. The rules are the
** reference's: close to YAML 1.1, except for octal numbers (0o17), and without sexagesimal numbers. */
#include "fn/yaml.h"

#include "base/ascii.h"

#define TAG "tag:yaml.org,2002:"

typedef enum scalar_tag { TAG_NONE, TAG_STR, TAG_BOOL, TAG_NUMBER, TAG_NULL, TAG_TIMESTAMP, TAG_BINARY, TAG_OTHER } scalar_tag;

static const struct {
  const char *name;
  scalar_tag tag;
} tags[] = {
  { "", TAG_NONE },
  { TAG "str", TAG_STR },
  { TAG "bool", TAG_BOOL },
  { TAG "int", TAG_NUMBER },
  { TAG "float", TAG_NUMBER }, /* the language has one kind of number */
  { TAG "null", TAG_NULL },
  { TAG "timestamp", TAG_TIMESTAMP },
  { TAG "binary", TAG_BINARY },
};

static scalar_tag tag_of(hx_str name) {
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (hx_str_eq(name, hx_str_c(tags[i].name))) return tags[i].tag;
  return TAG_OTHER;
}

/* Words with a meaning */

typedef enum word_value { WORD_NULL, WORD_TRUE, WORD_FALSE, WORD_INF, WORD_MINUS_INF } word_value;

static const struct {
  const char *word;
  word_value value;
} words[] = {
  { "", WORD_NULL },     { "~", WORD_NULL },          { "null", WORD_NULL },       { "Null", WORD_NULL },
  { "NULL", WORD_NULL }, { "y", WORD_TRUE },          { "Y", WORD_TRUE },          { "yes", WORD_TRUE },
  { "Yes", WORD_TRUE },  { "YES", WORD_TRUE },        { "true", WORD_TRUE },       { "True", WORD_TRUE },
  { "TRUE", WORD_TRUE }, { "on", WORD_TRUE },         { "On", WORD_TRUE },         { "ON", WORD_TRUE },
  { "n", WORD_FALSE },   { "N", WORD_FALSE },         { "no", WORD_FALSE },        { "No", WORD_FALSE },
  { "NO", WORD_FALSE },  { "false", WORD_FALSE },     { "False", WORD_FALSE },     { "FALSE", WORD_FALSE },
  { "off", WORD_FALSE }, { "Off", WORD_FALSE },       { "OFF", WORD_FALSE },       { ".inf", WORD_INF },
  { ".Inf", WORD_INF },  { ".INF", WORD_INF },        { "+.inf", WORD_INF },       { "+.Inf", WORD_INF },
  { "+.INF", WORD_INF }, { "-.inf", WORD_MINUS_INF }, { "-.Inf", WORD_MINUS_INF }, { "-.INF", WORD_MINUS_INF },
};
#define LONGEST_WORD 5

static hx_val word_val(word_value w) {
  switch (w) {
    case WORD_NULL: break;
    case WORD_TRUE: return hx_bool(true);
    case WORD_FALSE: return hx_bool(false);
    case WORD_INF: return hx_num_inf(false);
    case WORD_MINUS_INF: return hx_num_inf(true);
  }
  return hx_null(&hx_type_dynamic);
}

static bool find_word(hx_str s, hx_val *out) {
  if (s.len > LONGEST_WORD) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!hx_str_eq(s, hx_str_c(words[i].word))) continue;
    *out = word_val(words[i].value);
    return true;
  }
  return false;
}

static bool is_nan(hx_str s) {
  return hx_str_eq(s, HX_STR(".nan")) || hx_str_eq(s, HX_STR(".NaN")) || hx_str_eq(s, HX_STR(".NAN"));
}

/* What a text may be, by its first byte. */
typedef enum hint { HINT_TEXT, HINT_WORD, HINT_DOT, HINT_NUMBER } hint;

static hint hint_of(hx_str s) {
  if (s.len == 0) return HINT_WORD;
  char c = s.p[0];
  if (c == '.') return HINT_DOT;
  if (c == '+' || c == '-' || hx_is_digit(c)) return HINT_NUMBER;
  return c && strchr("yYnNtTfFoO~", c) ? HINT_WORD : HINT_TEXT;
}

/* Numbers */

static uint32_t count_digits(hx_str s, uint32_t from, uint32_t base) {
  uint32_t i = from;
  while (i < s.len && (uint32_t)hx_hex_digit(s.p[i]) < base) i++;
  return i - from;
}

/* Returns true if the text is [-+]?[0-9]+, 0o[0-7]+ or 0x[0-9a-fA-F]+. Nothing else is a whole number without a tag. */
static bool is_whole(hx_str s) {
  uint32_t sign = s.p[0] == '+' || s.p[0] == '-';
  if (s.len > sign && count_digits(s, sign, 10) == s.len - sign) return true;
  if (s.len < 3 || s.p[0] != '0') return false;
  if (s.p[1] == 'o') return count_digits(s, 2, 8) == s.len - 2;
  return s.p[1] == 'x' && count_digits(s, 2, 16) == s.len - 2;
}

/* Returns true if the text matches [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool is_decimal(hx_str s) {
  uint32_t i = s.p[0] == '+' || s.p[0] == '-';
  uint32_t before = count_digits(s, i, 10), after = 0;
  i += before;
  if (i < s.len && s.p[i] == '.') {
    after = count_digits(s, i + 1, 10);
    i += after + 1;
  }
  if (before + after == 0) return false;
  if (i < s.len && (s.p[i] == 'e' || s.p[i] == 'E')) {
    i++;
    if (i < s.len && (s.p[i] == '+' || s.p[i] == '-')) i++;
    uint32_t exponent = count_digits(s, i, 10);
    if (exponent == 0) return false;
    i += exponent;
  }
  return i == s.len;
}

/* Returns a whole number with a prefix for its base, perhaps with a sign, that fits 64 bits; otherwise NONE. */
static hx_val based_number(hx_cx *cx, hx_str s) {
  static const struct {
    char letter;
    int base;
  } bases[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
  bool minus = s.len && s.p[0] == '-', sign = minus || (s.len && s.p[0] == '+');
  uint32_t i = sign, base = 0;
  if (s.len < i + 3 || s.p[i] != '0') return hx_none();
  for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
    if ((s.p[i + 1] | 0x20) == bases[b].letter) base = (uint32_t)bases[b].base;
  if (base == 0 || count_digits(s, i + 2, base) != s.len - i - 2) return hx_none();
  uint64_t n = 0;
  for (i += 2; i < s.len; i++) {
    uint32_t d = (uint32_t)hx_hex_digit(s.p[i]);
    if (n > (UINT64_MAX - d) / base) return hx_none();
    n = n * base + d;
  }
  if (!sign) return hx_num_from_u64(cx, n, 64);
  if (n > (uint64_t)INT64_MAX + minus) return hx_none();
  return hx_int_prec(minus ? (int64_t)(0 - n) : (int64_t)n, 64);
}

static hx_str without_underscores(hx_cx *cx, hx_str s) {
  if (!s.len || !memchr(s.p, '_', s.len)) return s;
  char *p = hx_alloc(cx, s.len);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s.len; i++)
    if (s.p[i] != '_') p[n++] = s.p[i];
  return hx_str_of(p, n);
}

static hx_val number_val(hx_cx *cx, hx_str s) {
  s = without_underscores(cx, s);
  hx_val v = hx_num_parse(cx, s);
  return v.tag == HX_T_NONE ? based_number(cx, s) : v;
}

/* Base64 */

static bool is_base64_digit(char c) {
  return hx_is_alnum(c) || c == '+' || c == '/';
}

/* Returns true if the text is base64 with its padding. Line ends may be anywhere. */
static bool is_base64(hx_str s) {
  uint64_t digits = 0, padding = 0;
  for (uint32_t i = 0; i < s.len; i++) {
    if (s.p[i] == '\n' || s.p[i] == '\r') continue;
    if (s.p[i] == '=') padding++;
    else if (padding || !is_base64_digit(s.p[i])) return false;
    else digits++;
  }
  return padding <= 2 && (digits + padding) % 4 == 0;
}

/* Values */

static hx_val text_val(hx_cx *cx, hx_str s) {
  return hx_string_of(cx, hx_str_copy(cx, s));
}

static bool unfit(hx_cx *cx, const hx_yaml_event *e, hx_str *why) {
  *why = hx_strf(cx, "line %u: the scalar is not what its tag %.*s says", e->line, HX_STR_ARG(e->tag));
  return false;
}

/* Returns the value that a scalar has by its looks, or NONE if they don't decide. Sets *tag to TAG_NUMBER if the text must be read
** as a number. */
static hx_val by_looks(hx_cx *cx, const hx_yaml_event *e, scalar_tag *tag) {
  hx_val out = hx_none();
  hint h = hint_of(e->text);
  if (h == HINT_TEXT || *tag == TAG_STR || *tag == TAG_BINARY) return out;
  if (e->style == HX_YAML_QUOTED) return text_val(cx, e->text);
  if (find_word(e->text, &out)) return out;
  if (h == HINT_DOT) return hx_num_parse(cx, e->text);
  if (h != HINT_NUMBER) return out;
  if (*tag == TAG_NONE || *tag == TAG_TIMESTAMP) {
    hx_str time = hx_yaml_timestamp(cx, e->text);
    if (time.len) return hx_string(time);
  }
  if (is_whole(e->text) || is_decimal(e->text)) *tag = TAG_NUMBER;
  return out;
}

/* Returns the value that the tag gives a scalar whose looks don't decide, or NONE if the text doesn't suit the tag. */
static hx_val by_tag(hx_cx *cx, const hx_yaml_event *e, scalar_tag tag) {
  hx_str time;
  switch (tag) {
    case TAG_NONE:
    case TAG_STR: return text_val(cx, e->text);
    case TAG_BINARY: return is_base64(e->text) ? text_val(cx, e->text) : hx_none();
    case TAG_NUMBER: return number_val(cx, e->text);
    case TAG_NULL: return hx_null(&hx_type_dynamic);
    case TAG_TIMESTAMP: time = hx_yaml_timestamp(cx, e->text); return time.len ? hx_string(time) : hx_none();
    case TAG_BOOL:
    case TAG_OTHER: break;
  }
  return hx_none(); /* every bool is a word, and words were looked up already */
}

bool hx_yaml_resolve(hx_cx *cx, const hx_yaml_event *e, hx_val *out, bool *merge, hx_str *why) {
  scalar_tag tag = tag_of(e->tag);
  *merge = tag == TAG_NONE && hx_str_eq(e->text, HX_STR("<<")); /* in quotes too, as in the reference */
  if (tag == TAG_OTHER) {
    *why = hx_strf(cx, "line %u: a value is missing for the tag %.*s", e->line, HX_STR_ARG(e->tag));
    return false;
  }
  if (tag == TAG_NONE && e->style != HX_YAML_QUOTED && is_nan(e->text)) {
    *why = hx_strf(cx, "line %u: NaN isn't a number of the language", e->line);
    return false;
  }
  hx_charge_steps(cx, e->text.len / 64);
  *out = by_looks(cx, e, &tag);
  if (out->tag == HX_T_NONE) *out = by_tag(cx, e, tag);
  return out->tag != HX_T_NONE || unfit(cx, e, why);
}
