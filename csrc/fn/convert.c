/* convert.c: functions that change a value's type or its marks. Headers: vm/fn.h. */
#include "value/open.h"
#include "value/render.h"
#include "vm/fn.h"

/* Reports that a value can't be converted. For a hidden value it leaves out the value's text, and the reason, which may quote it. */
static hx_val cannot_convert(hx_call *call, const hx_val *v, const hx_type *want, hx_str why) {
  if (!hx_is_hidden(call->cx, v)) return hx_fail(call, 0, "%.*s.", HX_STR_ARG(why));
  hx_str type = hx_type_friendly(call->cx, want);
  hx_str from = hx_open_of(hx_unmarked(v)) ? HX_STR("object") : hx_type_friendly(call->cx, hx_val_type(call->cx, v));
  return hx_fail(call, 0, "This %.*s, whose value must not be shown, can't be converted to %.*s.", HX_STR_ARG(from),
                 HX_STR_ARG(type));
}

/* tobool, tonumber, …: converts to the type of the row. Marks stay where they are. An unknown value stays unknown, of the row's
** type, if a conversion exists at all, but loses the known facts about it. */
static hx_val fn_to(hx_call *call, const hx_val *args) {
  const hx_type *want = call->fn->type;
  const hx_val *v = hx_unmarked(&args[0]);
  if (hx_open_of(v) && want->kind == HX_K_MAP) return hx_loosened(call->cx, &args[0]);
  if (hx_is_unknown(v) && !hx_known_parts(v)) {
    const hx_type *got = v->u.unk->type;
    if (!hx_type_equal(got, want) && !hx_convertible(call->cx, got, want, false))
      return cannot_convert(call, &args[0], want, hx_mismatch(call->cx, got, want, 0));
    return hx_mark(call->cx, hx_unknown(call->cx, want), hx_marks_get(&args[0]));
  }
  hx_val out;
  hx_why_not why = { { "", 0 } };
  if (!hx_convert(call->cx, &args[0], want, &out, &why)) return cannot_convert(call, &args[0], want, why.text);
  return out;
}

static hx_val fn_sensitive(hx_call *call, const hx_val *args) {
  return hx_mark(call->cx, args[0], &hx_marks_sensitive);
}

static hx_val fn_nonsensitive(hx_call *call, const hx_val *args) {
  const hx_marks *marks = hx_marks_get(&args[0]);
  if (!marks) return args[0];
  marks = hx_marks_without(call->cx, hx_marks_without(call->cx, marks, HX_STR("sensitive")), hx_mark_guarded);
  return hx_mark(call->cx, *hx_unmarked(&args[0]), marks);
}

static hx_val fn_issensitive(hx_call *call, const hx_val *args) {
  const hx_marks *marks = hx_marks_get(&args[0]);
  bool is_guarded = marks && hx_marks_has(marks, hx_mark_guarded);
  if (marks && !is_guarded && hx_marks_has(marks, HX_STR("sensitive"))) return hx_bool(true);
  /* The value may turn out to be sensitive: once it is known, or because a schema that we lack says so. */
  bool may_be = hx_is_unknown(hx_unmarked(&args[0])) || is_guarded;
  return may_be ? hx_unknown(call->cx, &hx_type_bool) : hx_bool(false);
}

/* Returns the value with null instead of every ephemeral part in it. Elements of sets have no marks of their own. */
static hx_val without_ephemeral(hx_cx *cx, const hx_val *v) {
  const hx_marks *marks = hx_marks_get(v);
  const hx_val *bare = hx_unmarked(v);
  if (marks && hx_marks_has(marks, HX_STR("ephemeral"))) {
    const hx_type *t = hx_val_type(cx, bare);
    /* The unknown value becomes a null later, for which the known facts about the value need not hold. */
    hx_val gone = hx_is_unknown(bare) ? hx_unknown(cx, t) : hx_null(t);
    return hx_mark(cx, gone, hx_marks_without(cx, marks, HX_STR("ephemeral")));
  }
  if (!hx_is_marked_deep(bare)) return *v;
  hx_stack_check();
  if (hx_items_of(bare)) {
    hx_val out = hx_unknown_with_marks(cx, v);
    return hx_mark(cx, hx_unknown_dynamic, hx_marks_without(cx, hx_marks_get(&out), HX_STR("ephemeral")));
  }
  if (hx_open_of(bare)) {
    hx_val parts = without_ephemeral(cx, hx_open_of(bare));
    return hx_mark(cx, hx_open_object(cx, &parts), marks);
  }
  uint32_t n = bare->len;
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, n);
  hx_val made = *bare;
  if (hx_is_obj(bare)) {
    for (uint32_t i = 0; i < n; i++) out[i] = without_ephemeral(cx, &bare->u.obj->v[i]);
    const hx_obj *o = bare->u.obj;
    made = bare->tag == HX_T_MAP ? hx_map(cx, o->elem, o->shape, out) : hx_object(cx, o->shape, out);
  } else if (bare->tag == HX_T_LIST || bare->tag == HX_T_TUPLE) {
    for (uint32_t i = 0; i < n; i++) out[i] = without_ephemeral(cx, &bare->u.seq->v[i]);
    made = bare->tag == HX_T_LIST ? hx_list(cx, bare->u.seq->elem, out, n) : hx_tuple(cx, out, n);
  }
  return hx_mark(cx, made, marks);
}

static hx_val fn_ephemeralasnull(hx_call *call, const hx_val *args) {
  return without_ephemeral(call->cx, &args[0]);
}

#define TAKES_ANYTHING(name_)                                                                                             \
  {                                                                                                                       \
    { .name = name_, .type = &hx_type_dynamic, .allow = HX_ALLOW_ANY | HX_ALLOW_MARKED | HX_ALLOW_OPEN | HX_ALLOW_ITEMS } \
  }

const hx_fn hx_fns_convert[] = {
  { .name = "tobool",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_bool,
    .impl = fn_to,
    .summary = "Converts a value to a bool.",
    .doc = "It takes a bool, the strings \"true\", \"1\", \"false\" and \"0\", or null. Anything else is an error.",
    .example = "tobool(\"true\")" },
  { .name = "tolist",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_list_dynamic,
    .impl = fn_to,
    .summary = "Converts a sequence to a list.",
    .doc = "It takes a list, set or tuple. Elements of several types are converted to their common type. It is an error if they "
           "have none.",
    .example = "tolist([\"a\", 1])" },
  { .name = "tomap",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_map_dynamic,
    .impl = fn_to,
    .summary = "Converts an object to a map.",
    .doc =
        "It takes a map or object. Values of several types are converted to their common type. It is an error if they have none.",
    .example = "tomap({ a = 1, b = \"x\" })" },
  { .name = "tonumber",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_number,
    .impl = fn_to,
    .summary = "Converts a value to a number.",
    .doc = "It takes a number, a string with a decimal number, or null. Anything else is an error.",
    .example = "tonumber(\"1.5\")" },
  { .name = "toset",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_set_dynamic,
    .impl = fn_to,
    .summary = "Converts a sequence to a set.",
    .doc = "It takes a list, set or tuple. Equal elements become one, and the order is lost. Elements of several types are "
           "converted to their common type. It is an error if they have none.",
    .example = "toset([\"b\", \"a\", \"b\"])" },
  { .name = "tostring",
    .params = TAKES_ANYTHING("v"),
    .type = &hx_type_string,
    .impl = fn_to,
    .summary = "Converts a value to a string.",
    .doc = "It takes a string, number, bool or null. A number becomes the shortest decimal that reads back as that number.",
    .example = "tostring(1.50)" },
  { .name = "sensitive",
    .params = TAKES_ANYTHING("value"),
    .impl = fn_sensitive,
    .summary = "Marks a value as sensitive.",
    .doc = "Everything that is derived from it is marked as well. Printed values and diagnostics don't show marked values.",
    .example = "issensitive(sensitive(\"secret\"))" },
  { .name = "nonsensitive",
    .params = TAKES_ANYTHING("value"),
    .impl = fn_nonsensitive,
    .summary = "Removes the sensitive mark from a value.",
    .doc = "It removes only the value's own mark, not those of its elements. Use it for a value that comes from a secret but "
           "doesn't reveal it.",
    .example = "nonsensitive(sensitive(\"public\"))" },
  { .name = "issensitive",
    .params = TAKES_ANYTHING("value"),
    .impl = fn_issensitive,
    .type = &hx_type_bool,
    .summary = "Returns true if a value is marked sensitive.",
    .doc = "Only the value's own mark counts, not those of its elements. For an unknown value without the mark, the result is "
           "unknown.",
    .example = "issensitive(1)" },
  { .name = "ephemeralasnull",
    .params = TAKES_ANYTHING("value"),
    .impl = fn_ephemeralasnull,
    .summary = "Replaces the ephemeral parts of a value by null.",
    .doc = "Parts without the mark stay as they are.",
    .example = "ephemeralasnull({ a = 1 })" },
  { .name = NULL },
};
