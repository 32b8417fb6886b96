/* yaml.h: reads and writes YAML text, as in yamldecode and yamlencode, with libyaml's syntax and values as go-cty-yaml reads them.
** Memory: results in cx->arena.
** Errors: returned, not reported; limits abort (limits.depth bounds nesting). */
#ifndef HX_FN_YAML_H
#define HX_FN_YAML_H

#include "fn/arguments.h"
#include "fn/yaml_lib.h"

/* Reads one document: objects, tuples, strings, numbers, bools, nulls of type `any`. An alias is charged like the value that it repeats.
** Returns false if the text is wrong, as *why says. */
bool hx_yaml_read(hx_cx *cx, hx_str text, hx_val *out, hx_str *why);

/* Finds the value of a scalar by its tag, style and text, which is copied. Sets *merge to whether the scalar is `<<`, the key of a
** mapping to be merged in. Returns false if the scalar is wrong, as *why says. */
bool hx_yaml_resolve(hx_cx *cx, const hx_yaml_event *scalar, hx_val *out, bool *merge, hx_str *why);
/* Returns a date, or date and time, of YAML 1.1 in the form of RFC 3339, or "" if the text isn't one. */
hx_str hx_yaml_timestamp(hx_cx *cx, hx_str text);

/* For strings that begin with a byte order mark (yaml_bom.c). hx_yaml_bom_stand_in returns the substitute that libyaml gets for
** such a string. hx_yaml_bom_restore replaces the substitutes in a document's text by the strings, which are in the order of the
** text. It returns false, and leaves *text unchanged, if it can't find the substitutes with certainty. */
bool hx_yaml_has_bom(hx_str s);
hx_str hx_yaml_bom_stand_in(hx_cx *cx, hx_str s);
bool hx_yaml_bom_restore(hx_cx *cx, hx_str *text, const hx_str *strings, uint32_t n);

typedef enum hx_yaml_fault {
  HX_YAML_FINE,
  HX_YAML_CAPSULE, /* types can't be written as YAML */
} hx_yaml_fault;

/* Writes v, which must be wholly known: in block style, keys in byte order, strings in double quotes, or literal if they have several
** lines. */
hx_yaml_fault hx_yaml_write(hx_cx *cx, const hx_val *v, hx_str *out);

#endif
