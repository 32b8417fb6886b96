/* defaults.h: values of optional attributes, in the shape of the type, and how they are filled in.
** Memory: in cx->arena; names and values are borrowed from the caller.
** Errors: memory only. Functions recurse over values and check the stack (hx_stack_check).
** Source: reference's typeexpr.Defaults. */
#ifndef HX_VM_DEFAULTS_H
#define HX_VM_DEFAULTS_H

#include "value/convert/convert.h"

typedef struct hx_defaults hx_defaults;
struct hx_defaults {
  uint8_t kind;                 /* hx_kind of the type that has these defaults */
  uint32_t n;                   /* number of attributes, or elements of a tuple; a collection has one child */
  const hx_shape *names;        /* only for OBJECT: the names of the attributes */
  const hx_val *values;         /* OBJECT: by attribute; HX_T_NONE: no default */
  const hx_defaults **children; /* by attribute or element; NULL: the type inside has no defaults */
};

/* Make defaults. If no part has a default, they return NULL, which means "no defaults". */
const hx_defaults *hx_defaults_of_collection(hx_cx *cx, hx_kind kind, const hx_defaults *elem);
const hx_defaults *hx_defaults_of_tuple(hx_cx *cx, const hx_defaults **elems, uint32_t n);
const hx_defaults *hx_defaults_of_object(hx_cx *cx, const hx_str *names, const hx_val *values, const hx_defaults **children,
                                         uint32_t n);
/* Returns v with defaults in place of absent and null attributes. The result must still be converted to the type. */
hx_val hx_defaults_apply(hx_cx *cx, const hx_defaults *d, const hx_val *v);
/* Sets *out to the value of a default in optional(type, default), evaluated without a scope (vm/machine/default_value.c). Returns
** false if that fails, with errors reported where the reference reports them. The program and machine that compute it are freed on
** return, or with cx. */
struct hx_node;
struct hx_source;
bool hx_default_value(hx_cx *cx, const struct hx_source *src, const struct hx_node *n, hx_val *out);
const hx_defaults *hx_defaults_copy(hx_cx *to, const hx_defaults *d);

#endif
