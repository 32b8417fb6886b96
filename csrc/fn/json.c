/* json.c: jsonencode and jsondecode. Headers: vm/fn.h.
** Source: go-cty's stdlib and its json package. */
#include "fn/json.h"

#include "base/ascii.h"
#include "text/unicode.h"
#include "value/open.h"

/* Returns the unknown JSON text of an unknown value. Its first character is known from the value's kind, unless the value could be null. */
static hx_val unknown_text(hx_cx *cx, const hx_val *v) {
  hx_val out = hx_unknown_not_null(cx, &hx_type_string);
  hx_kind kind = hx_val_kind(v);
  const char *prefix = NULL;
  if (kind == HX_K_STRING) prefix = "\"";
  if (kind == HX_K_OBJECT || kind == HX_K_MAP) prefix = "{";
  if (hx_kind_is_seq(kind)) prefix = "[";
  if (!prefix || !hx_surely_not_null(v)) return out;
  hx_refine f;
  hx_refine_begin(&f, &out);
  hx_refine_prefix_full(cx, &f, hx_str_c(prefix));
  return hx_refine_done(cx, &f);
}

static hx_val fn_jsonencode(hx_call *call, const hx_val *args) {
  hx_buf b;
  hx_buf_init(&b, &call->cx->arena, 64);
  hx_val data = hx_as_data(call->cx, &args[0]);
  hx_json_fault fault = hx_json_write(call->cx, &b, &data);
  if (fault == HX_JSON_UNKNOWN) return unknown_text(call->cx, &data);
  if (fault != HX_JSON_FINE) return hx_fail_call(call, "The value holds an infinite number, which JSON can't express.");
  return hx_string(hx_nfc(call->cx, hx_buf_done(&b)));
}

static hx_str known_beginning(const hx_val *v) {
  hx_str s = hx_prefix_of(v);
  int32_t cp;
  while (s.len) {
    uint32_t len = hx_utf8_read(s.p, s.p + s.len, &cp);
    if (!hx_cp_is_space(cp)) break;
    s = hx_str_from(s, len);
  }
  return s;
}

/* jsondecode of an unknown text: the text's known beginning can determine the type. */
static const hx_type *type_jsondecode(hx_call *call, const hx_val *args) {
  hx_str s = known_beginning(&args[0]);
  if (s.len == 0) return &hx_type_dynamic;
  char c = s.p[0];
  if (c == '{' || c == '[' || c == 'n') return &hx_type_dynamic;
  if (c == '"') return &hx_type_string;
  if (c == 't' || c == 'f') return &hx_type_bool;
  if (c == '-' || c == '.' || hx_is_digit(c)) return &hx_type_number;
  hx_fail(call, 0, "A JSON text doesn't begin like this.");
  return NULL;
}

static hx_val fn_jsondecode(hx_call *call, const hx_val *args) {
  hx_val out;
  hx_json_error error = { 0, { "", 0 } };
  if (hx_json_read(call->cx, hx_val_str(&args[0]), &out, &error)) return out;
  if (args[0].len == 0) return hx_fail_call(call, "The text is empty, and JSON has at least one value.");
  if (hx_args_are_marked(call)) return hx_fail_call(call, "The text is not JSON: %.*s.", HX_STR_ARG(error.why));
  return hx_fail_call(call, "The text is not JSON: at byte %u %.*s.", error.at, HX_STR_ARG(error.why));
}

const hx_fn hx_fns_json[] = {
  { .name = "jsonencode",
    .type = &hx_type_string,
    .impl = fn_jsonencode,
    .flags = HX_NOT_NULL,
    .params = { { "val", &hx_type_dynamic, HX_ALLOW_ANY | HX_ITEMS_IN_ORDER } },
    .summary = "Encodes a value as JSON.",
    .doc = "The text has no white space, and keys are in byte order. Sets become arrays. <, > and & are written as escapes, so "
           "that the text can be part of HTML.",
    .example = "jsonencode({ b = [1, null], a = \"x\" })" },
  { .name = "jsondecode",
    .type_fn = type_jsondecode,
    .impl = fn_jsondecode,
    .params = { HX_TEXT("str") },
    .summary = "Decodes a value from JSON.",
    .doc = "Objects become objects, and arrays become tuples. Numbers keep 512 bits, about 154 digits.",
    .example = "jsondecode(\"{\\\"a\\\": [1, true]}\")" },
  { .name = NULL },
};
