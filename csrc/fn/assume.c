/* assume.c: the assume… functions of OpenTofu, with which an author states what an unknown value will be like. Headers: vm/fn.h.
** Source: OpenTofu's documentation; where that leaves a case open, recorded answers of the reference's refinements. */
#include "fn/arguments.h"
#include "text/unicode.h"

static hx_val fail_assumption(hx_call *call) {
  return hx_fail(call, 0, "The value is not what it is assumed to be. Correct the assumption, or what gives the value.");
}

/* assumeequal */

static hx_val fn_assumeequal(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_type *type = hx_val_type(cx, &args[1]);
  const hx_marks *marks = NULL;
  hx_val actual;
  if (!hx_convert(cx, &args[0], type, &actual, NULL)) {
    hx_str is = hx_arg_type(call, &args[0]), want = hx_arg_type(call, &args[1]);
    return hx_fail(call, 0, "The expected value is %.*s, to which %.*s can't be converted.", HX_STR_ARG(want), HX_STR_ARG(is));
  }
  hx_val equal = hx_equal(cx, &actual, &args[1]);
  const hx_val *answer = hx_unmarked(&equal);
  if (answer->tag == HX_T_BOOL && !answer->u.i) return fail_assumption(call);
  hx_unmark_deep(cx, &actual, &marks);
  /* The other marks name the value's origin, and stay with the value. */
  marks = hx_marks_without(cx, hx_marks_without(cx, marks, HX_STR("sensitive")), HX_STR("ephemeral"));
  return hx_mark(cx, args[1], marks);
}

/* assumenotnull */

static hx_val fn_assumenotnull(hx_call *call, const hx_val *args) {
  const hx_type *stated = hx_stated_type(&args[0]);
  hx_refine f;
  if (hx_open_of(&args[0])) return args[0];
  if (stated && stated->kind == HX_K_DYNAMIC)
    return hx_fail(call, 0, "Nothing can be assumed of a value whose type isn't known. State it with convert().");
  if (hx_is_null(&args[0])) return fail_assumption(call);
  hx_refine_begin(&f, &args[0]);
  hx_refine_not_null(&f);
  return hx_refine_done(call->cx, &f);
}

/* assumestringprefix */

/* Returns true if both are equal up to the end of the shorter one. */
static bool agree(hx_str a, hx_str b) {
  uint32_t n = a.len < b.len ? a.len : b.len;
  return n == 0 || memcmp(a.p, b.p, n) == 0;
}

/* assumestringprefix: ignores the end of the prefix if it may combine with later characters. A null has no prefix that could be wrong. */
static hx_val fn_assumestringprefix(hx_call *call, const hx_val *args) {
  hx_charge_steps(call->cx, args[1].len / HX_PREFIX_BYTES);
  hx_str prefix = hx_known_prefix(hx_val_str(&args[1]));
  hx_refine f;
  if (hx_is_null(&args[0])) return args[0];
  if (!agree(hx_prefix_of(&args[0]), prefix)) return fail_assumption(call);
  hx_refine_begin(&f, &args[0]);
  hx_refine_prefix_full(call->cx, &f, prefix);
  return hx_refine_done(call->cx, &f);
}

/* assume…length: of lists, sets and maps */

/* Reads a bound of a length. A negative bound is below all lengths. Returns false after reporting a bound that isn't a length. */
static bool read_bound(hx_call *call, const hx_val *bound, int32_t blamed, int64_t *out) {
  if (hx_arg_whole(bound, out) && *out < INT64_MAX) return true;
  hx_fail(call, blamed, "A length must be a whole number that is less than 2 to the 63rd power.");
  return false;
}

static void bounds_of(const hx_val *v, uint64_t *least, uint64_t *most) {
  hx_length_bounds_of(v, least, most);
  if (!hx_set_may_shrink(v)) return;
  *least = 1;
  *most = v->len;
}

/* reference: a null has no length, so no length can be assumed. */
static hx_val assume_length(hx_call *call, const hx_val *v, int64_t min, int64_t max) {
  uint64_t least, most;
  hx_refine f;
  if (hx_is_unknown(v) && v->u.unk->type->kind == HX_K_DYNAMIC) return *v;
  if (hx_is_null(v)) return fail_assumption(call);
  bounds_of(v, &least, &most);
  if (max < 0 || max < min || (uint64_t)max < least || (min > 0 && (uint64_t)min > most)) return fail_assumption(call);
  hx_refine_begin(&f, v);
  hx_refine_length(&f, min > 0 ? (uint64_t)min : 0, max < INT64_MAX ? (uint64_t)max : HX_NO_MAX);
  return hx_refine_done(call->cx, &f);
}

static hx_val fn_length(hx_call *call, const hx_val *args) {
  int64_t min, max;
  if (!read_bound(call, &args[1], 1, &min) || !read_bound(call, &args[2], 2, &max)) return hx_none();
  return assume_length(call, &args[0], min, max);
}

/* reference: with one bound only, a wrong bound is blamed on the value. */
static hx_val fn_length_min(hx_call *call, const hx_val *args) {
  int64_t min;
  return read_bound(call, &args[1], 0, &min) ? assume_length(call, &args[0], min, INT64_MAX) : hx_none();
}

static hx_val fn_length_max(hx_call *call, const hx_val *args) {
  int64_t max;
  return read_bound(call, &args[1], 0, &max) ? assume_length(call, &args[0], 0, max) : hx_none();
}

#define VALUE(type_) \
  { "value", &type_, HX_ALLOW_ANY }

#define LENGTH_DOC                                                                                                            \
  "A known value is checked and returned; it is an error if the assumption is wrong. For an unknown value the assumption is " \
  "remembered, so that questions about its length may have a known result."

/* The three functions about the length of one kind of collection. settled_: the effect of a fixed length on the collection. */
#define LENGTH_ROWS(noun_, type_, settled_, example_, min_example_, max_example_)                                                 \
  { .name = "assume" noun_ "length",                                                                                              \
    .type = &type_,                                                                                                               \
    .impl = fn_length,                                                                                                            \
    .params = { VALUE(type_), HX_NUMBER("min_length"), HX_NUMBER("max_length") },                                                 \
    .summary = "Assumes that the length of a " noun_ " is within bounds.",                                                        \
    .doc = LENGTH_DOC settled_ " Both bounds are inclusive.",                                                                     \
    .example = example_ },                                                                                                        \
      { .name = "assume" noun_ "lengthmin",                                                                                       \
        .type = &type_,                                                                                                           \
        .impl = fn_length_min,                                                                                                    \
        .params = { VALUE(type_), HX_NUMBER("min_length") },                                                                      \
        .summary = "Assumes that a " noun_ " has at least a number of elements.",                                                 \
        .doc = LENGTH_DOC settled_,                                                                                               \
        .example = min_example_ },                                                                                                \
  {                                                                                                                               \
    .name = "assume" noun_ "lengthmax", .type = &type_, .impl = fn_length_max,                                                    \
    .params = { VALUE(type_), HX_NUMBER("max_length") }, .summary = "Assumes that a " noun_ " has at most a number of elements.", \
    .doc = LENGTH_DOC settled_, .example = max_example_                                                                           \
  }

const hx_fn hx_fns_assume[] = {
  { .name = "assumeequal",
    .impl = fn_assumeequal,
    .params = { { "actual_value", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_MARKED | HX_ALLOW_OPEN },
                { "expected_value", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_MARKED | HX_ALLOW_OPEN } },
    .summary = "Assumes that a value equals another one, and returns that.",
    .doc = "The first value is converted to the type of the second. It is an error if they differ. While the first is unknown, the "
           "second takes its place. Only the second decides whether the result is sensitive or ephemeral.",
    .example = "assumeequal(1, \"1\")" },
  { .name = "assumenotnull",
    .impl = fn_assumenotnull,
    .params = { { "value", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_OPEN } },
    .summary = "Assumes that a value is not null.",
    .doc = "A known value is returned, and null is an error. For an unknown value the assumption is remembered, so a comparison "
           "with null has a known result. Its type must be known: convert() states one.",
    .example = "assumenotnull(\"eu-west-1\")" },
  { .name = "assumestringprefix",
    .type = &hx_type_string,
    .impl = fn_assumestringprefix,
    .params = { VALUE(hx_type_string), HX_TEXT("prefix") },
    .summary = "Assumes that a string begins with a prefix.",
    .doc = "A known string is returned, and it is an error if it begins differently. For an unknown string the prefix is "
           "remembered, except a last character with which later ones may combine. So let the prefix end with a sign such as - or "
           "/. Null is returned as it is.",
    .example = "assumestringprefix(\"vpc-12ab\", \"vpc-\")" },
  LENGTH_ROWS(
      "list", hx_type_list_dynamic, " Together with assumenotnull(), a fixed length makes a list known, though not its elements.",
      "assumelistlength([\"a\", \"b\"], 1, 3)", "assumelistlengthmin([\"a\", \"b\"], 1)", "assumelistlengthmax([\"a\", \"b\"], 3)"),
  LENGTH_ROWS("set", hx_type_set_dynamic, "", "assumesetlength([\"a\", \"a\"], 1, 1)", "assumesetlengthmin([\"a\", \"b\"], 2)",
              "assumesetlengthmax([\"a\", \"a\"], 1)"),
  LENGTH_ROWS("map", hx_type_map_dynamic, "", "assumemaplength({ a = 1 }, 1, 3)", "assumemaplengthmin({ a = 1 }, 1)",
              "assumemaplengthmax({ a = 1 }, 1)"),
  { .name = NULL },
};
