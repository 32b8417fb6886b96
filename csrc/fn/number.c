/* number.c: functions over numbers. Headers: vm/fn.h. Source: go-cty's stdlib; sum: Terraform's recorded answers. */
#include "fn/arguments.h"
#include "fn/float.h"

#include <math.h>

#define FLOAT_PREC 53u /* precision of pow's and log's results */
#define COUNT_PREC 64u

static hx_val fn_abs(hx_call *call, const hx_val *args) {
  return hx_mark(call->cx, hx_num_abs(call->cx, hx_unmarked(&args[0])), hx_marks_get(&args[0]));
}

static hx_val fn_ceil(hx_call *call, const hx_val *args) {
  return hx_num_ceil(call->cx, &args[0]);
}

static hx_val fn_floor(hx_call *call, const hx_val *args) {
  return hx_num_floor(call->cx, &args[0]);
}

/* Returns the greatest (way is 1) or the least (way is -1) of the numbers; among equal ones, the first. */
static hx_val furthest(hx_call *call, const hx_val *args, uint32_t n, int way) {
  if (!n) return hx_fail_call(call, "At least one number must be given.");
  const hx_val *best = &args[0];
  for (uint32_t i = 1; i < n; i++)
    if (way > 0 ? hx_num_less(call->cx, best, &args[i]) : hx_num_less(call->cx, &args[i], best)) best = &args[i];
  return *best;
}

static hx_val fn_max(hx_call *call, const hx_val *args) {
  return furthest(call, args, call->n, 1);
}

static hx_val fn_min(hx_call *call, const hx_val *args) {
  return furthest(call, args, call->n, -1);
}

static hx_val fn_signum(hx_call *call, const hx_val *args) {
  int64_t i;
  /* reference: signum takes whole numbers only. */
  if (!hx_arg_whole(&args[0], &i)) {
    return hx_fail_call(call, "The number must be a whole one of at most 64 bits. For others, compare with 0.");
  }
  return hx_int_prec((i > 0) - (i < 0), COUNT_PREC);
}

/* Converts a number to a double for pow and log. Returns false after reporting a finite number that is beyond the largest double. */
static bool to_double(hx_call *call, const hx_val *v, const char *name, double *out) {
  *out = hx_num_to_double(v);
  if (!isinf(*out) || hx_num_is_inf(v)) return true;
  hx_fail_call(call, "The %s is too large: %s() works with numbers of about 15 digits up to 1.8e308.", name, call->fn->name);
  return false;
}

static hx_val of_double(hx_call *call, double d) {
  if (isnan(d)) return hx_fail_call(call, "%s() has no result for these arguments.", call->fn->name);
  return hx_num_from_double(call->cx, d, FLOAT_PREC);
}

static hx_val fn_log(hx_call *call, const hx_val *args) {
  double x, base;
  if (!to_double(call, &args[0], "number", &x) || !to_double(call, &args[1], "base", &base)) return hx_none();
  return of_double(call, hx_float_log(x) / hx_float_log(base));
}

static hx_val fn_pow(hx_call *call, const hx_val *args) {
  double x, y;
  if (!to_double(call, &args[0], "number", &x) || !to_double(call, &args[1], "power", &y)) return hx_none();
  return of_double(call, hx_float_pow(x, y));
}

/* parseint */

static const hx_type *type_parseint(hx_call *call, const hx_val *args) {
  if (hx_val_kind(&args[0]) == HX_K_STRING) return &hx_type_number;
  hx_fail_with(call, 0, "It must be a string of digits, but this is %s. A number needs no parsing.", hx_arg_type(call, &args[0]));
  return NULL;
}

static hx_val fn_parseint(hx_call *call, const hx_val *args) {
  int64_t base;
  if (!type_parseint(call, args)) return hx_none();
  if (!hx_arg_whole(&args[1], &base) || base < 2 || base > 62) {
    return hx_fail_value(call, 1, &args[1], "The base must be a whole number from 2 to 62, but this is %s.");
  }
  hx_val v = hx_num_parse_int(call->cx, hx_val_str(&args[0]), (int)base);
  if (v.tag == HX_T_NONE) {
    return hx_fail_value(call, 0, &args[0],
                         "%s isn't a whole number in that base. Write only digits, with a sign before them if needed: no "
                         "spaces, points or prefixes.");
  }
  return v;
}

/* sum */

static hx_val sum_elements(hx_call *call, const hx_val *list) {
  hx_val total = hx_none();
  hx_charge_steps(call->cx, list->len / 4);
  for (uint32_t i = 0; i < list->len; i++) {
    const hx_val *v = &list->u.seq->v[i];
    hx_val number;
    if (hx_is_null(v))
      return hx_fail_telling(call, 0, "An element is null, which can't be added. Leave nulls out with a for expression.",
                             "Element %u is null, which can't be added. Leave nulls out with a for expression.", i);
    if (hx_is_number(v)) {
      number = *v;
    } else if (!hx_convert(call->cx, v, &hx_type_number, &number, NULL)) {
      hx_str type = hx_arg_type(call, v);
      return hx_fail_telling(call, 0, "An element can't be converted to a number.",
                             "Element %u is %.*s that can't be converted to a number.", i, HX_STR_ARG(type));
    }
    total = i ? hx_num_add(call->cx, &total, &number) : number;
    if (total.tag == HX_T_NONE) return hx_fail_call(call, "Infinite numbers of opposite signs can't be added.");
  }
  return total;
}

static hx_val fn_sum(hx_call *call, const hx_val *args) {
  if (!hx_is_seq(&args[0]))
    return hx_fail_with(call, 0, "It must be a list, set or tuple of numbers, but this is %s.", hx_arg_type(call, &args[0]));
  if (!args[0].len) return hx_fail(call, 0, "An empty list has no sum. Put a 0 in front: sum(concat([0], list)).");
  if (!hx_is_wholly_known(&args[0])) return hx_unknown(call->cx, &hx_type_number);
  return sum_elements(call, &args[0]);
}

const hx_fn hx_fns_number[] = {
  { .name = "abs",
    .type = &hx_type_number,
    .impl = fn_abs,
    .flags = HX_NOT_NULL,
    .params = { { "num", &hx_type_number, HX_ALLOW_DYNAMIC | HX_ALLOW_MARKED } },
    .summary = "Returns the absolute value of a number.",
    .doc = "That is the number without its sign.",
    .example = "abs(-2.5)" },
  { .name = "ceil",
    .type = &hx_type_number,
    .impl = fn_ceil,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("num") },
    .summary = "Rounds a number up to a whole number.",
    .doc = "Returns the smallest whole number that isn't less than the argument. Infinities stay as they are.",
    .example = "ceil(5.1)" },
  { .name = "floor",
    .type = &hx_type_number,
    .impl = fn_floor,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("num") },
    .summary = "Rounds a number down to a whole number.",
    .doc = "Returns the largest whole number that isn't greater than the argument: -3 for -2.1. Infinities stay as they are.",
    .example = "floor(-2.1)" },
  { .name = "log",
    .type = &hx_type_number,
    .impl = fn_log,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("num"), HX_NUMBER("base") },
    .summary = "Returns the logarithm of a number in a base.",
    .doc = "The result has about 15 digits, so log(1000, 10) is a little less than 3. Round it if you need a whole number.",
    .example = "log(16, 2)" },
  { .name = "max",
    .type = &hx_type_number,
    .impl = fn_max,
    .flags = HX_NOT_NULL,
    .rest = { "numbers", &hx_type_number, HX_ALLOW_DYNAMIC | HX_ITEMS_ANY_ORDER },
    .summary = "Returns the largest of its arguments.",
    .doc = "It takes one number or more. To pass a list, expand it: max(list...).",
    .example = "max(12, 54, 3)" },
  { .name = "min",
    .type = &hx_type_number,
    .impl = fn_min,
    .flags = HX_NOT_NULL,
    .rest = { "numbers", &hx_type_number, HX_ALLOW_DYNAMIC | HX_ITEMS_ANY_ORDER },
    .summary = "Returns the smallest of its arguments.",
    .doc = "It takes one number or more. To pass a list, expand it: min(list...).",
    .example = "min(12, 54, 3)" },
  { .name = "parseint",
    .type_fn = type_parseint,
    .impl = fn_parseint,
    .flags = HX_NOT_NULL,
    .params = { { "number", &hx_type_dynamic, 0 }, HX_NUMBER("base") },
    .summary = "Parses a whole number in a base.",
    .doc = "The base is 2 to 62. Digits above 9 are letters. Up to base 36 their case doesn't matter; in higher bases, lower-case "
           "letters are 10 to 35 and upper-case letters 36 to 61. A sign is allowed, but no prefix such as 0x.",
    .example = "parseint(\"ff\", 16)" },
  { .name = "pow",
    .type = &hx_type_number,
    .impl = fn_pow,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("num"), HX_NUMBER("power") },
    .summary = "Raises a number to a power.",
    .doc = "The result has about 15 digits and is at most 1.8e308, while the operators are exact. The power may be a fraction: "
           "pow(2, 0.5) is the square root of 2.",
    .example = "pow(2, 10)" },
  { .name = "signum",
    .type = &hx_type_number,
    .impl = fn_signum,
    .flags = HX_NOT_NULL,
    .params = { HX_NUMBER("num") },
    .summary = "Returns the sign of a whole number.",
    .doc = "It is -1 for a negative number, 0 for zero and 1 for a positive one. The number must be whole and fit into 64 bits.",
    .example = "signum(-13)" },
  { .name = "sum",
    .type = &hx_type_number,
    .impl = fn_sum,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ITEMS_ANY_ORDER } },
    .summary = "Returns the sum of the numbers in a list.",
    .doc = "It takes a list, set or tuple of numbers, or of strings that are numbers. It must not be empty.",
    .example = "sum([10, 13, 6, 4.5])" },
  { .name = NULL },
};
