/* meta.c: functions about expressions and types, not values. Some get their arguments unevaluated (HX_FORM_*), which the compiler
** and the machine provide. Headers: vm/fn.h. */
#include "vm/constraint.h"
#include "vm/fn.h"

/* convert(): converts the value first, and then fills in the constraint's defaults. The value of a variable gets the defaults first. */
static bool convert_to(hx_call *call, const hx_val *args, hx_val *out, hx_why_not *why) {
  const hx_constraint *to = call->constraint;
  if (!hx_convert(call->cx, &args[0], to ? to->type : args[1].u.type, out, why)) return false;
  if (to && to->defaults) *out = hx_defaults_apply(call->cx, to->defaults, out);
  return true;
}

static hx_val fn_convert(hx_call *call, const hx_val *args) {
  hx_val out;
  hx_why_not why = { { "", 0 } };
  if (convert_to(call, args, &out, &why)) return out;
  hx_str type = hx_type_friendly(call->cx, args[1].u.type);
  if (hx_arg_is_marked(call, 0)) return hx_fail(call, 0, "This sensitive value can't be converted to %.*s.", HX_STR_ARG(type));
  return hx_fail(call, 0, "It can't be converted to %.*s: %.*s.", HX_STR_ARG(type), HX_STR_ARG(why.text));
}

/* reference: an unknown value, whatever its type, becomes an unknown of the type as written, including `any` inside. */
static const hx_type *type_convert(hx_call *call, const hx_val *args) {
  return hx_type_plain(call->cx, args[1].u.type);
}

/* type(): the result has the mark "type", by which code that prints values recognises it. Only consoles show types. */
static hx_val fn_type(hx_call *call, const hx_val *args) {
  hx_val type = hx_capsule(hx_val_type(call->cx, &args[0]));
  return hx_mark(call->cx, type, hx_marks_of(call->cx, HX_STR("type")));
}

static hx_val fn_list(hx_call *call, const hx_val *args) {
  (void)args;
  return hx_fail_call(call, "The language no longer has this function. Write tolist([ … ]).");
}

static hx_val fn_map(hx_call *call, const hx_val *args) {
  (void)args;
  return hx_fail_call(call, "The language no longer has this function. Write tomap({ … }).");
}

#define ANY_ARGUMENT(name_, allow_) \
  { .name = name_, .type = &hx_type_dynamic, .allow = allow_ }

const hx_fn hx_fns_meta[] = {
  { .name = "try",
    .rest = ANY_ARGUMENT("expressions", HX_ALLOW_ANY | HX_ALLOW_MARKED),
    .flags = HX_FORM_TRY,
    .summary = "Returns the value of the first argument without an error.",
    .doc = "Each argument is evaluated only if those before it failed. If all fail, the error lists their errors.",
    .example = "try(tonumber(\"x\"), 0)" },
  { .name = "can",
    .params = { ANY_ARGUMENT("expression", HX_ALLOW_ANY | HX_ALLOW_MARKED) },
    .type = &hx_type_bool,
    .flags = HX_FORM_CAN,
    .summary = "Returns true if an expression has no error.",
    .doc = "The value of the expression doesn't matter. If part of it is unknown, the result is unknown.",
    .example = "can(tonumber(\"x\"))" },
  { .name = "convert",
    .params = { ANY_ARGUMENT("value", HX_ALLOW_NULL | HX_ALLOW_DYNAMIC | HX_ALLOW_OPEN | HX_ALLOW_ITEMS),
                { .name = "type", .type = &hx_type_capsule } },
    .type_fn = type_convert,
    .impl = fn_convert,
    .flags = HX_FORM_CONVERT,
    .summary = "Converts a value to a type.",
    .doc = "The second argument is a type constraint, such as list(string) or object({ a = optional(number, 3) }). Defaults of "
           "optional attributes are filled in.",
    .example = "convert([1, 2], list(string))" },
  { .name = "type",
    .params = { ANY_ARGUMENT("value", HX_ALLOW_ANY) },
    .impl = fn_type,
    .flags = HX_CONSOLE,
    .summary = "Returns the type of a value, for consoles.",
    .doc = "The result can only be printed.",
    .example = "type([1, \"x\"])" },
  { .name = "list",
    .rest = ANY_ARGUMENT("vals", HX_ALLOW_ANY),
    .impl = fn_list,
    .flags = HX_REMOVED,
    .summary = "Removed: write tolist([ … ]).",
    .doc = "",
    .example = "" },
  { .name = "map",
    .rest = ANY_ARGUMENT("vals", HX_ALLOW_ANY),
    .impl = fn_map,
    .flags = HX_REMOVED,
    .summary = "Removed: write tomap({ … }).",
    .doc = "",
    .example = "" },
  { .name = NULL },
};
