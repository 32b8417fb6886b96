/* string.c: functions over text: case, pieces, trimming, joining. Headers: vm/fn.h.
** Source: go-cty's stdlib; startswith, endswith and strcontains: Terraform's recorded answers. A part of a normalised string is
** normalised as well, so parts are shared; strings that are put together are normalised again. */
#include "fn/arguments.h"
#include "base/ascii.h"
#include "fn/text_search.h"
#include "text/unicode.h"

/* Case */

static hx_val same_or_new(hx_cx *cx, const hx_val *v, hx_str s) {
  return s.p == v->u.s && s.len == v->len ? *v : hx_string_of(cx, s);
}

static hx_val fn_upper(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  if (!hx_unicode_knows(s)) return hx_fail_unknown_characters(call);
  hx_charge_characters(call->cx, s);
  return same_or_new(call->cx, &args[0], hx_upper(call->cx, s));
}

static hx_val fn_lower(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  if (!hx_unicode_knows(s)) return hx_fail_unknown_characters(call);
  hx_charge_characters(call->cx, s);
  return same_or_new(call->cx, &args[0], hx_lower(call->cx, s));
}

/* Returns true if a word begins after this character: after ASCII unless it is a letter, a digit or `_`, and after other characters
** only if they are white space. */
static bool begins_word(int32_t before) {
  if (before < 0x80) return !hx_is_alnum(before) && before != '_';
  return !hx_cp_is_letter(before) && !hx_cp_is_digit(before) && hx_cp_is_space(before);
}

static hx_val fn_title(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  const char *p = s.p, *end = s.p + s.len;
  int32_t before = ' ', cp;
  hx_buf b;
  if (!hx_unicode_knows(s)) return hx_fail_unknown_characters(call);
  hx_charge_characters(call->cx, s);
  hx_buf_init(&b, &call->cx->arena, s.len);
  while (p < end) {
    p += hx_utf8_read(p, end, &cp);
    b.len += hx_utf8_write(hx_buf_reserve(&b, 4), begins_word(before) ? hx_cp_title(cp) : cp);
    before = cp;
  }
  return hx_string_of(call->cx, hx_buf_done(&b));
}

/* Characters (grapheme clusters) */

/* Returns the bytes of the first grapheme cluster. Between two ASCII characters there is always a border, except between CR and LF. */
static uint32_t first_cluster(hx_str s) {
  unsigned char a = (unsigned char)s.p[0];
  if (a < 0x80 && (s.len == 1 || ((unsigned char)s.p[1] < 0x80 && (a != '\r' || s.p[1] != '\n')))) return 1;
  return hx_grapheme_len(s);
}

static hx_val fn_strrev(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  if (!hx_unicode_knows(s)) return hx_fail_unknown_characters(call);
  hx_charge_characters(call->cx, s);
  char *out = hx_alloc(call->cx, s.len), *at = out + s.len;
  while (s.len) {
    uint32_t len = first_cluster(s);
    at -= len;
    memcpy(at, s.p, len);
    s = hx_str_from(s, len);
  }
  return hx_string_of(call->cx, hx_str_of(out, args[0].len));
}

/* Returns s without its first `count` characters; a negative count removes nothing. */
static hx_str skip_clusters(hx_str s, int64_t count) {
  for (; count > 0 && s.len; count--) s = hx_str_from(s, first_cluster(s));
  return s;
}

/* substr. reference: a negative offset counts from the end, and then a length of 0 means all the rest, as every negative length does. */
static hx_val fn_substr(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  int64_t offset, length;
  if (!hx_arg_whole(&args[1], &offset))
    return hx_fail_call(call, "The offset must be a whole number. Use floor() for one that has a fraction.");
  if (!hx_arg_whole(&args[2], &length))
    return hx_fail_call(call, "The length must be a whole number. Use floor() for one that has a fraction.");
  if (!hx_unicode_knows(s)) return hx_fail_unknown_characters(call);
  hx_charge_characters(call->cx, s);
  if (offset < 0) {
    hx_charge_characters(call->cx, s); /* counting the characters reads the string a second time */
    offset += hx_grapheme_count(s);
  } else if (length == 0) return hx_part_value(s.p, 0);
  s = skip_clusters(s, offset);
  if (length > 0) s.len -= skip_clusters(s, length).len;
  return hx_part_value(s.p, s.len);
}

/* join */

static hx_val fail_null_element(hx_call *call, uint32_t list, uint32_t element) {
  return hx_fail_telling(call, (int32_t)list, "An element is null, and only texts are joined. Leave nulls out with compact().",
                         "Element %u is null, and only texts are joined. Leave nulls out with compact().", element);
}

/* Counts the parts of the joined text and its bytes. Returns false if some parts are unknown. Nulls are checked afterwards, as in
** the reference. */
static bool join_size(const hx_val *lists, uint32_t n, uint64_t sep, uint64_t *count, uint64_t *size) {
  *count = *size = 0;
  for (uint32_t i = 0; i < n; i++) {
    *count += lists[i].len;
    for (uint32_t k = 0; k < lists[i].len; k++) {
      const hx_val *v = &lists[i].u.seq->v[k];
      if (v->tag == HX_T_STR) *size += v->len;
      else if (hx_is_unknown(v)) return false;
    }
  }
  if (*count) *size += (*count - 1) * sep;
  return true;
}

static hx_val fn_join(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  hx_str sep = hx_val_str(&args[0]);
  const hx_val *lists = args + 1;
  uint64_t parts, size;
  if (n < 2) return hx_fail_call(call, "At least one list must be given after the separator.");
  if (!join_size(lists, n - 1, sep.len, &parts, &size)) return hx_unknown(call->cx, &hx_type_string);
  hx_charge_steps(call->cx, parts / 8);
  hx_need_memory(call->cx, size);
  hx_buf b;
  bool first = true;
  hx_buf_init(&b, &call->cx->arena, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
  for (uint32_t i = 0; i < n - 1; i++) {
    for (uint32_t k = 0; k < lists[i].len; k++) {
      const hx_val *v = &lists[i].u.seq->v[k];
      if (hx_is_null(v)) return fail_null_element(call, i + 1, k);
      if (!first) hx_buf_str(&b, sep);
      hx_buf_str(&b, hx_val_str(v));
      first = false;
    }
  }
  return hx_string_of(call->cx, hx_buf_done(&b));
}

/* split */

/* split: an empty separator splits between code points. */
static hx_val fn_split(hx_call *call, const hx_val *args) {
  hx_str sep = hx_val_str(&args[0]), s = hx_val_str(&args[1]);
  uint32_t parts = sep.len ? hx_count_text(s, sep) + 1 : hx_count_code_points(s);
  hx_need_memory(call->cx, 16ull * parts);
  hx_charge_steps(call->cx, parts / 2);
  hx_val *out = HX_NEW_ARRAY(call->cx, hx_val, parts);
  for (uint32_t i = 0; i < parts; i++) {
    uint32_t len = sep.len ? hx_find_text(s, sep, 0) : hx_code_point_len(s);
    out[i] = hx_part_value(s.p, len);
    if (i + 1 < parts) s = hx_str_from(s, len + sep.len);
  }
  return hx_list(call->cx, &hx_type_string, out, parts);
}

/* startswith, endswith, strcontains */

static bool starts_with(hx_str s, hx_str prefix) {
  return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.p, prefix.p, prefix.len) == 0);
}

static bool ends_with(hx_str s, hx_str suffix) {
  return s.len >= suffix.len && starts_with(hx_str_from(s, s.len - suffix.len), suffix);
}

/* startswith: the known beginning of an unknown string may suffice. */
static hx_val fn_startswith(hx_call *call, const hx_val *args) {
  hx_str prefix = hx_val_str(&args[1]);
  if (!hx_is_unknown(&args[0])) return hx_bool(starts_with(hx_val_str(&args[0]), prefix));
  hx_str known = hx_prefix_of(&args[0]);
  if (starts_with(known, prefix)) return hx_bool(true);
  if (known.len > 0 && known.len >= prefix.len) return hx_bool(false);
  return hx_unknown(call->cx, &hx_type_bool);
}

static hx_val fn_endswith(hx_call *call, const hx_val *args) {
  (void)call;
  return hx_bool(ends_with(hx_val_str(&args[0]), hx_val_str(&args[1])));
}

static hx_val fn_strcontains(hx_call *call, const hx_val *args) {
  (void)call;
  hx_str s = hx_val_str(&args[0]), part = hx_val_str(&args[1]);
  return hx_bool(part.len == 0 || hx_find_text(s, part, 0) < s.len);
}

/* Trimming. All results are parts of the string. */

static hx_val trim_while(hx_str s, bool (*drop)(int32_t cp, hx_str set), hx_str set) {
  const char *p = s.p, *end = s.p + s.len;
  int32_t cp;
  while (p < end) {
    uint32_t len = hx_utf8_read(p, end, &cp);
    if (!drop(cp, set)) break;
    p += len;
  }
  while (end > p) {
    const char *last = end - 1;
    while (last > p && hx_is_continuation(*last)) last--;
    hx_utf8_read(last, end, &cp);
    if (!drop(cp, set)) break;
    end = last;
  }
  return hx_part_value(p, (size_t)(end - p));
}

static bool is_in_set(int32_t cp, hx_str set) {
  const char *p = set.p, *end = set.p + set.len;
  int32_t member;
  while (p < end) {
    p += hx_utf8_read(p, end, &member);
    if (member == cp) return true;
  }
  return false;
}

static bool is_space(int32_t cp, hx_str set) {
  (void)set;
  return hx_cp_is_space(cp);
}

static hx_val fn_trim(hx_call *call, const hx_val *args) {
  hx_charge_steps(call->cx, args[1].len / 8 * (args[0].len / 8 + 1ull));
  hx_val out = trim_while(hx_val_str(&args[0]), is_in_set, hx_val_str(&args[1]));
  hx_charge_steps(call->cx, (args[0].len - out.len) / 16);
  return out;
}

static hx_val fn_trimspace(hx_call *call, const hx_val *args) {
  hx_val out = trim_while(hx_val_str(&args[0]), is_space, HX_STR(""));
  hx_charge_steps(call->cx, (args[0].len - out.len) / 16);
  return out;
}

static hx_val fn_trimprefix(hx_call *call, const hx_val *args) {
  (void)call;
  hx_str s = hx_val_str(&args[0]), prefix = hx_val_str(&args[1]);
  uint32_t cut = starts_with(s, prefix) ? prefix.len : 0;
  return hx_part_value(s.p + cut, s.len - cut);
}

static hx_val fn_trimsuffix(hx_call *call, const hx_val *args) {
  (void)call;
  hx_str s = hx_val_str(&args[0]), suffix = hx_val_str(&args[1]);
  return hx_part_value(s.p, s.len - (ends_with(s, suffix) ? suffix.len : 0));
}

static hx_val fn_chomp(hx_call *call, const hx_val *args) {
  (void)call;
  hx_str s = hx_val_str(&args[0]);
  while (s.len && (s.p[s.len - 1] == '\n' || s.p[s.len - 1] == '\r')) s.len--;
  return hx_part_value(s.p, s.len);
}

/* indent */

static hx_val fn_indent(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[1]), newline = HX_STR("\n");
  int64_t spaces;
  if (!hx_arg_whole(&args[0], &spaces)) return hx_fail_call(call, "The number of spaces must be a whole number.");
  if (spaces < 0) return hx_fail_call(call, "The number of spaces is negative. It must be at least 0.");
  uint32_t lines = hx_count_text(s, newline);
  if (lines == 0 || spaces == 0) return args[1];
  hx_charge_steps(call->cx, lines / 4);
  if ((uint64_t)spaces > UINT32_MAX / lines) hx_abort(call->cx, HX_WHY_MEMORY);
  uint64_t size = s.len + (uint64_t)lines * (uint64_t)spaces;
  hx_need_memory(call->cx, size);
  if (size > UINT32_MAX) hx_abort(call->cx, HX_WHY_MEMORY);
  hx_buf b;
  hx_buf_init(&b, &call->cx->arena, (uint32_t)size);
  for (; lines > 0; lines--) {
    uint32_t line = hx_find_text(s, newline, 0) + 1;
    hx_buf_bytes(&b, s.p, line);
    hx_buf_fill(&b, ' ', (uint32_t)spaces);
    s = hx_str_from(s, line);
  }
  hx_buf_str(&b, s);
  return hx_string_of(call->cx, hx_buf_done(&b));
}

const hx_fn hx_fns_string[] = {
  { .name = "upper",
    .type = &hx_type_string,
    .impl = fn_upper,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Converts all letters to upper case.",
    .doc = "Each letter becomes one letter, in the same way for every language: \"ß\" stays as it is.",
    .example = "upper(\"naïve\")" },
  { .name = "lower",
    .type = &hx_type_string,
    .impl = fn_lower,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Converts all letters to lower case.",
    .doc = "Each letter becomes one letter, in the same way for every language.",
    .example = "lower(\"Hello\")" },
  { .name = "title",
    .type = &hx_type_string,
    .impl = fn_title,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Converts the first letter of each word to upper case.",
    .doc = "A word begins after white space, and after ASCII punctuation other than \"_\". All other letters stay as they are.",
    .example = "title(\"hello world\")" },
  { .name = "strrev",
    .type = &hx_type_string,
    .impl = fn_strrev,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Reverses the characters of a text.",
    .doc = "A character includes its accents, and an emoji its modifiers.",
    .example = "strrev(\"abc\")" },
  { .name = "substr",
    .type = &hx_type_string,
    .impl = fn_substr,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_NUMBER("offset"), HX_NUMBER("length") },
    .summary = "Returns a part of a text, by offset and length.",
    .doc = "The first character has offset 0. A negative offset counts from the end. A length of -1 means the rest of the text. "
           "Anything past the end is left out without an error.",
    .example = "substr(\"hello world\", 6, 5)" },
  { .name = "join",
    .type = &hx_type_string,
    .impl = fn_join,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("separator") },
    .rest = { "lists", &hx_type_list_string, 0 },
    .summary = "Joins strings with a separator between them.",
    .doc = "The elements of several lists are joined like those of one list. No element may be null.",
    .example = "join(\", \", [\"a\", \"b\"])" },
  { .name = "split",
    .type = &hx_type_list_string,
    .impl = fn_split,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("separator"), HX_TEXT("str") },
    .summary = "Splits a text at every separator.",
    .doc = "The result has one part more than the text has separators; a part may be empty. An empty separator splits the text "
           "into code points. A character may have several of these.",
    .example = "split(\",\", \"a,b,c\")" },
  { .name = "startswith",
    .type = &hx_type_bool,
    .impl = fn_startswith,
    .flags = HX_NOT_NULL,
    .params = { { "str", &hx_type_string, HX_ALLOW_UNKNOWN }, HX_TEXT("prefix") },
    .summary = "Returns true if a text begins with a prefix.",
    .doc = "Every text begins with the empty text. Case matters.",
    .example = "startswith(\"/api/users\", \"/api/\")" },
  { .name = "endswith",
    .type = &hx_type_bool,
    .impl = fn_endswith,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_TEXT("suffix") },
    .summary = "Returns true if a text ends with a suffix.",
    .doc = "Every text ends with the empty text. Case matters.",
    .example = "endswith(\"main.tf\", \".tf\")" },
  { .name = "strcontains",
    .type = &hx_type_bool,
    .impl = fn_strcontains,
    .params = { HX_TEXT("str"), HX_TEXT("substr") },
    .summary = "Returns true if a text contains another text.",
    .doc = "Every text contains the empty text. Case matters.",
    .example = "strcontains(\"hello\", \"ell\")" },
  { .name = "trim",
    .type = &hx_type_string,
    .impl = fn_trim,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_TEXT("cutset") },
    .summary = "Removes the given characters from both ends of a text.",
    .doc = "The second argument is a set of characters. Each of them is removed, as often as it occurs at an end.",
    .example = "trim(\"?!hello?!\", \"!?\")" },
  { .name = "trimprefix",
    .type = &hx_type_string,
    .impl = fn_trimprefix,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_TEXT("prefix") },
    .summary = "Removes a prefix from a text.",
    .doc = "The prefix is removed once. A text without the prefix stays as it is.",
    .example = "trimprefix(\"v1.2\", \"v\")" },
  { .name = "trimsuffix",
    .type = &hx_type_string,
    .impl = fn_trimsuffix,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_TEXT("suffix") },
    .summary = "Removes a suffix from a text.",
    .doc = "The suffix is removed once. A text without the suffix stays as it is.",
    .example = "trimsuffix(\"main.tf\", \".tf\")" },
  { .name = "trimspace",
    .type = &hx_type_string,
    .impl = fn_trimspace,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Removes white space from both ends of a text.",
    .doc = "White space is what Unicode defines as such, including line ends.",
    .example = "trimspace(\"  hello\\n\")" },
  { .name = "chomp",
    .type = &hx_type_string,
    .impl = fn_chomp,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Removes line ends from the end of a text.",
    .doc = "It removes all of them, both Unix and Windows line ends.",
    .example = "chomp(\"hello\\n\\n\")" },
  { .name = "indent",
    .type = &hx_type_string,
    .impl = fn_indent,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("spaces"), HX_TEXT("str") },
    .summary = "Adds spaces at the beginning of every line except the first.",
    .doc = "Use it to put a text of several lines into an indented place of a template.",
    .example = "indent(2, \"a:\\nb\")" },
  { .name = NULL },
};
