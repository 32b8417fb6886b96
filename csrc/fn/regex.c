/* regex.c: regex, regexall and replace. Headers: vm/fn.h.
** Source: go-cty's stdlib; replace with /…/: Terraform's recorded answers; the rules of empty matches and of $name: Go's regexp. */
#include "fn/regex.h"

#include "base/vec.h"
#include "fn/arguments.h"
#include "fn/text_search.h"
#include "library/library.h"
#include "text/unicode.h"

/* The result of a match: the whole match, its groups as a tuple, or as an object if all have names. MIXED: only some groups have
** names, which is an error. */
typedef enum regex_result { WHOLE, TUPLE, OBJECT, MIXED } regex_result;

static regex_result result_of(const hx_pattern *p) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < p->groups; i++) named += p->names[i].len > 0;
  if (p->groups == 0) return WHOLE;
  if (named == 0) return TUPLE;
  return named == p->groups ? OBJECT : MIXED;
}

/* Reports that `subject` was rejected as a pattern, or that RE2 is missing. hide: leaves out the reason. */
static hx_val refuse(hx_call *call, int32_t blame, const char *subject, hx_str why, bool hide) {
  if (!hx_library_get(HX_LIBRARY_RE2)) return hx_fail_lacking(call, "RE2", "finds regular expressions", "libre2-dev");
  return hx_fail(call, blame, "%s is not a regular expression%s%.*s.", subject, hide ? "" : ": ", hide ? 0 : (int)why.len, why.p);
}

static hx_regex *compile_argument(hx_call *call, const hx_val *pattern, int32_t i) {
  hx_str why = HX_STR("");
  hx_regex *re = hx_regex_get(call->cx, hx_val_str(pattern), &why);
  if (!re) {
    refuse(call, i, "The pattern", why, i >= 0 && hx_arg_is_marked(call, (uint32_t)i));
    return NULL;
  }
  if (result_of(&re->pattern) != MIXED) return re;
  hx_fail(call, i,
          "Some groups of the pattern have names and others haven't. Name all of them, or write (?:…) for groups whose text "
          "isn't wanted.");
  return NULL;
}

/* Returns the type of a match. */
static const hx_type *match_type(hx_cx *cx, const hx_pattern *p) {
  regex_result result = result_of(p);
  if (result == WHOLE) return &hx_type_string;
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, p->groups);
  for (uint32_t i = 0; i < p->groups; i++) types[i] = &hx_type_string;
  if (result == TUPLE) return hx_type_tuple(cx, types, p->groups);
  hx_obj_builder b;
  hx_obj_builder_init(&b, cx, p->groups);
  for (uint32_t i = 0; i < p->groups; i++) *hx_obj_builder_put(&b, p->names[i]) = hx_null(&hx_type_string);
  hx_val object = hx_obj_builder_object(&b);
  return hx_val_type(cx, &object);
}

/* Returns the text of group i; null for a group that took no part in the match. */
static hx_val group_value(const hx_regex *re, hx_str text, size_t i) {
  int64_t start = re->at[2 * i], stop = re->at[2 * i + 1];
  return start < 0 ? hx_null(&hx_type_string) : hx_part_value(text.p + start, (size_t)(stop - start));
}

/* Returns the result of a match. If several groups have one name, the last counts, as in the reference. */
static hx_val match_value(hx_cx *cx, const hx_regex *re, hx_str text) {
  const hx_pattern *p = &re->pattern;
  regex_result result = result_of(p);
  if (result == WHOLE) return group_value(re, text, 0);
  if (result == TUPLE) {
    hx_need_memory(cx, 16ull * p->groups);
    hx_val *v = HX_NEW_ARRAY(cx, hx_val, p->groups);
    for (uint32_t i = 0; i < p->groups; i++) v[i] = group_value(re, text, i + 1);
    return hx_tuple(cx, v, p->groups);
  }
  hx_obj_builder b;
  hx_obj_builder_init(&b, cx, p->groups);
  for (uint32_t i = 0; i < p->groups; i++) *hx_obj_builder_put(&b, p->names[i]) = group_value(re, text, i + 1);
  return hx_obj_builder_object(&b);
}

static const hx_type *type_regex(hx_call *call, const hx_val *args) {
  if (hx_is_unknown(&args[0])) return &hx_type_dynamic;
  const hx_regex *re = compile_argument(call, &args[0], 0);
  return re ? match_type(call->cx, &re->pattern) : NULL;
}

static hx_val fn_regex(hx_call *call, const hx_val *args) {
  hx_str text = hx_val_str(&args[1]);
  hx_regex *re = compile_argument(call, &args[0], 0);
  if (!re) return hx_none();
  if (hx_regex_find(call->cx, re, text, 0)) return match_value(call->cx, re, text);
  return hx_fail_call(call,
                      "The pattern matches no part of the text. Where that may happen use regexall(), or a fallback with try().");
}

static const hx_type *type_regexall(hx_call *call, const hx_val *args) {
  const hx_type *t = type_regex(call, args);
  return t ? hx_type_list(call->cx, t) : NULL;
}

/* Returns where to search after an empty match: one character further on; at the end of the text, beyond it. */
static uint32_t step_over(hx_str text, uint32_t at) {
  return at >= text.len ? text.len + 1 : at + hx_code_point_len(hx_str_of(text.p + at, text.len - at));
}

/* regexall. Reference: an empty match right after another match doesn't count. */
static hx_val fn_regexall(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  hx_str text = hx_val_str(&args[1]);
  hx_regex *re = compile_argument(call, &args[0], 0);
  if (!re) return hx_none();
  HX_VEC(hx_val) out = { 0 };
  int64_t before = -1; /* end of the previous match */
  for (uint32_t pos = 0; pos <= text.len && hx_regex_find(cx, re, text, pos);) {
    int64_t start = re->at[0], stop = re->at[1];
    bool counts = stop != pos || start != before;
    if (counts) {
      hx_need_memory(cx, 16ull * ((uint64_t)out.n + 1));
      *HX_VEC_PUSH(&cx->arena, &out) = match_value(cx, re, text);
    }
    pos = stop == pos ? step_over(text, pos) : (uint32_t)stop;
    before = stop;
  }
  return hx_list(cx, match_type(cx, &re->pattern), out.p, out.n);
}

/* replace */

/* A $name in a replacement: what it refers to and where it ends. */
typedef struct reference {
  hx_str name;
  int64_t number;   /* -1: not a number */
  const char *stop; /* NULL: a $ that names nothing */
} reference;

/* Returns the number of a group in digits, or -1 if the digits have leading zeros, are too many or aren't digits. */
static int64_t group_number(hx_str name) {
  int64_t number = 0;
  if (name.len > 1 && name.p[0] == '0') return -1;
  for (uint32_t i = 0; i < name.len; i++) {
    if (name.p[i] < '0' || name.p[i] > '9' || number >= 100000000) return -1;
    number = number * 10 + (name.p[i] - '0');
  }
  return number;
}

/* Reads a reference after its $. A name is as long as possible, unless it is in braces. */
static reference read_reference(const char *p, const char *end) {
  reference r = { { "", 0 }, -1, NULL };
  bool brace = p < end && *p == '{';
  const char *name = p + brace, *stop = name;
  while (stop < end) {
    int32_t cp;
    uint32_t len = hx_utf8_read(stop, end, &cp);
    if (cp != '_' && !hx_cp_is_letter(cp) && !hx_cp_is_digit(cp)) break;
    stop += len;
  }
  if (stop == name || (brace && (stop == end || *stop != '}'))) return r;
  r.name = hx_str_of(name, (size_t)(stop - name));
  r.number = group_number(r.name);
  r.stop = stop + brace;
  return r;
}

/* Returns the group that a reference means, or -1. If several groups have that name, it is the first group that took part in the match. */
static int64_t group_meant(const hx_regex *re, const reference *r) {
  if (r->number >= 0) return r->number <= re->pattern.groups && re->at[2 * r->number] >= 0 ? r->number : -1;
  for (uint32_t i = 0; i < re->pattern.groups; i++)
    if (hx_str_eq(re->pattern.names[i], r->name) && re->at[2 * ((size_t)i + 1)] >= 0) return i + 1;
  return -1;
}

static void put_group(hx_cx *cx, hx_buf *b, const hx_regex *re, hx_str text, int64_t group) {
  if (group < 0) return;
  uint32_t start = (uint32_t)re->at[2 * group], len = (uint32_t)re->at[2 * group + 1] - start;
  hx_need_memory(cx, (uint64_t)b->len + len);
  hx_buf_bytes(b, text.p + start, len);
}

static void put_replacement(hx_cx *cx, hx_buf *b, const hx_regex *re, hx_str text, hx_str by) {
  const char *p = by.p, *end = by.p + by.len;
  while (p < end) {
    const char *dollar = memchr(p, '$', (size_t)(end - p));
    hx_buf_bytes(b, p, (uint32_t)((dollar ? dollar : end) - p));
    if (!dollar) return;
    p = dollar + 1;
    if (p < end && *p == '$') {
      hx_buf_put(b, *p++);
      continue;
    }
    reference r = read_reference(p, end);
    hx_charge_steps(cx, 1 + r.name.len / 16 + (r.number < 0 ? re->pattern.groups / 8 : 0));
    if (r.stop) {
      put_group(cx, b, re, text, group_meant(re, &r));
      p = r.stop;
    } else {
      hx_buf_put(b, '$');
    }
  }
}

/* Replaces all matches. Reference: an empty match right after another match is not replaced. */
static hx_val replace_pattern(hx_call *call, hx_regex *re, hx_str text, hx_str by) {
  hx_cx *cx = call->cx;
  hx_buf b;
  uint32_t done = 0;
  hx_buf_init(&b, &cx->arena, text.len);
  for (uint32_t pos = 0; pos <= text.len && hx_regex_find(cx, re, text, pos);) {
    uint32_t start = (uint32_t)re->at[0], stop = (uint32_t)re->at[1];
    hx_buf_bytes(&b, text.p + done, start - done);
    if (stop > done || start == 0) put_replacement(cx, &b, re, text, by);
    hx_need_memory(cx, b.len);
    done = stop;
    uint32_t next = step_over(text, pos);
    pos = next > stop ? next : stop;
  }
  hx_buf_bytes(&b, text.p + done, text.len - done);
  return hx_string_of(cx, hx_buf_done(&b));
}

/* Replacing this many parts takes a step. */
#define FOUND_A_STEP 2u

/* Inserts `by` before every character and at the end, where an empty text is found. */
static hx_val insert_between(hx_cx *cx, hx_str text, hx_str by) {
  uint64_t found = hx_count_code_points(text) + 1ull, size = text.len + found * by.len;
  hx_charge_steps(cx, found / FOUND_A_STEP);
  hx_need_memory(cx, size);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
  while (text.len) {
    uint32_t len = hx_code_point_len(text);
    hx_buf_str(&b, by);
    hx_buf_bytes(&b, text.p, len);
    text = hx_str_from(text, len);
  }
  hx_buf_str(&b, by);
  return hx_string_of(cx, hx_buf_done(&b));
}

static hx_val replace_text(hx_cx *cx, const hx_val *given, hx_str part, hx_str by) {
  hx_str text = hx_val_str(given);
  if (part.len == 0) return insert_between(cx, text, by);
  uint64_t found = hx_count_text(text, part);
  if (found == 0) return *given;
  hx_charge_steps(cx, found / FOUND_A_STEP);
  uint64_t size = text.len - found * part.len + found * by.len;
  hx_need_memory(cx, size);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
  for (; found > 0; found--) {
    uint32_t at = hx_find_text(text, part, 0);
    hx_buf_bytes(&b, text.p, at);
    hx_buf_str(&b, by);
    text = (hx_str){ text.p + at + part.len, text.len - at - part.len };
  }
  hx_buf_str(&b, text);
  return hx_string_of(cx, hx_buf_done(&b));
}

static hx_val fn_replace(hx_call *call, const hx_val *args) {
  hx_str part = hx_val_str(&args[1]), by = hx_val_str(&args[2]);
  if (part.len < 2 || part.p[0] != '/' || part.p[part.len - 1] != '/') return replace_text(call->cx, &args[0], part, by);
  hx_str why = HX_STR(""), pattern = { part.p + 1, part.len - 2 };
  hx_regex *re = hx_regex_get(call->cx, pattern, &why);
  if (re) return replace_pattern(call, re, hx_val_str(&args[0]), by);
  return refuse(call, HX_BLAME_CALL, "The text between the slashes", why, hx_arg_is_marked(call, 1));
}

const hx_fn hx_fns_regex[] = {
  { .name = "regex",
    .type_fn = type_regex,
    .impl = fn_regex,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("pattern"), HX_TEXT("string") },
    .summary = "Returns the first match of a regular expression.",
    .doc = "Without groups the result is the matched text; with groups, a tuple of their texts; with named groups, (?P<name>…), an "
           "object. A group that took no part is null. It is an error if nothing matches. The syntax is RE2's.",
    .example = "regex(\"[a-z]+\", \"53 abc 76\")" },
  { .name = "regexall",
    .type_fn = type_regexall,
    .impl = fn_regexall,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("pattern"), HX_TEXT("string") },
    .summary = "Returns all matches of a regular expression.",
    .doc = "The result is a list with the result of regex() for each match. It is empty if nothing matches.",
    .example = "regexall(\"[0-9]+\", \"10 of 12\")" },
  { .name = "replace",
    .type = &hx_type_string,
    .impl = fn_replace,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str"), HX_TEXT("substr"), HX_TEXT("replace") },
    .summary = "Replaces parts of a text.",
    .doc = "It replaces every occurrence of the second argument. If that is written between slashes, it is a regular expression, "
           "and $1, $name or ${name} in the third argument are the texts of its groups.",
    .example = "replace(\"1 + 2\", \"/([0-9])/\", \"<$1>\")" },
  { .name = NULL },
};
