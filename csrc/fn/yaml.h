/* yaml.h: YAML text from and to values, as yamlencode and yamldecode have it: libyaml's syntax, values as go-cty-yaml reads them.
** Memory: results in cx->arena.
** Errors: what is wrong is returned, nothing is reported; limits abort (nesting is bounded by limits.depth). */
#ifndef HX_FN_YAML_H
#define HX_FN_YAML_H

#include "fn/arguments.h"
#include "fn/yaml_lib.h"

/* One document: objects, tuples, strings, numbers, bools, nulls of any type. Aliases are charged as what they stand for. */
bool hx_yaml_read(hx_cx *cx, hx_str text, hx_val *out, hx_str *why);

/* A scalar by its tag, style and text; *merge: it is the key that merges a mapping in. False: *why. The text is copied. */
bool hx_yaml_resolve(hx_cx *cx, const hx_yaml_event *scalar, hx_val *out, bool *merge, hx_str *why);
/* A date, or date and time, as YAML 1.1 writes them: in the form of RFC 3339. An empty text: it is none. */
hx_str hx_yaml_timestamp(hx_cx *cx, hx_str text);

/* Strings that begin with a byte order mark (yaml_bom.c): what to give to libyaml instead, and the text of a document with the
** strings put back in, given in the order of the text. False: they can't be found for sure, *text is as it was. */
bool hx_yaml_has_bom(hx_str s);
hx_str hx_yaml_bom_stand_in(hx_cx *cx, hx_str s);
bool hx_yaml_bom_restore(hx_cx *cx, hx_str *text, const hx_str *strings, uint32_t n);

typedef enum hx_yaml_fault {
  HX_YAML_FINE,
  HX_YAML_CAPSULE, /* a type is no value that YAML could hold */
} hx_yaml_fault;

/* Block style, keys in byte order, strings in double quotes, or literal where they have lines. v is wholly known. */
hx_yaml_fault hx_yaml_write(hx_cx *cx, const hx_val *v, hx_str *out);

#endif
