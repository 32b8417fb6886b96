/* yaml.c: yamlencode and yamldecode. Headers: vm/fn.h.
** Source: go-cty-yaml. */
#include "fn/yaml.h"

#include "fn/arguments.h"
#include "text/unicode.h"
#include "value/open.h"

static hx_val fn_yamlencode(hx_call *call, const hx_val *args) {
  hx_str text;
  if (!hx_yaml_get()) return hx_fail_lacking(call, "libyaml", "writes YAML", "libyaml-dev");
  hx_val data = hx_as_data(call->cx, &args[0]);
  if (!hx_is_wholly_known(&data)) return hx_unknown(call->cx, &hx_type_string);
  switch (hx_yaml_write(call->cx, &data, &text)) {
    case HX_YAML_FINE: break;
    case HX_YAML_CAPSULE: return hx_fail_call(call, "The value holds a type, which YAML can't express.");
  }
  return hx_string(hx_nfc(call->cx, text));
}

static hx_val fn_yamldecode(hx_call *call, const hx_val *args) {
  hx_val out;
  hx_str why = HX_STR("");
  if (!hx_yaml_get()) return hx_fail_lacking(call, "libyaml", "reads YAML", "libyaml-dev");
  if (hx_yaml_read(call->cx, hx_val_str(&args[0]), &out, &why)) return out;
  if (hx_arg_is_marked(call, 0)) return hx_fail_call(call, "The text is not YAML that can become a value.");
  return hx_fail_call(call, "The text is not YAML that can become a value: %.*s.", HX_STR_ARG(why));
}

const hx_fn hx_fns_yaml[] = {
  { .name = "yamlencode",
    .type = &hx_type_string,
    .impl = fn_yamlencode,
    .params = { { "value", &hx_type_dynamic, HX_ALLOW_NULL | HX_ALLOW_DYNAMIC | HX_ITEMS_IN_ORDER } },
    .summary = "Encodes a value as YAML.",
    .doc = "The text is in block style, and keys are in byte order. Strings are in double quotes; those of several lines are "
           "literal blocks. Sets become sequences.",
    .example = "yamlencode({ b = [1, null], a = \"x\" })" },
  { .name = "yamldecode",
    .impl = fn_yamldecode,
    .params = { HX_TEXT("src") },
    .summary = "Decodes a value from YAML.",
    .doc = "The text must be one document. Mappings become objects, sequences become tuples, and timestamps become strings in the "
           "form of RFC 3339. Anchors, aliases and the merge key << work. Tags are those of YAML 1.1 for strings, numbers, bools, "
           "nulls, timestamps and binary data.",
    .example = "yamldecode(\"a: [1, yes]\")" },
  { .name = NULL },
};
