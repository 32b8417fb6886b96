/* constraint.h: type constraints written as expressions: list(object({ a = string, b = optional(number, 3) })).
** Memory: in cx->arena.
** Errors: hx_constraint_parse returns NULL after reporting diagnostics at the reference's places.
** Source: "Type Constraints"; reference's typeexpr package, defaults included. */
#ifndef HX_VM_CONSTRAINT_H
#define HX_VM_CONSTRAINT_H

#include "syntax/ast.h"
#include "vm/defaults.h"

struct hx_source;

typedef struct hx_constraint {
  const hx_type *type;         /* object types with their optional attributes */
  const hx_defaults *defaults; /* NULL: no part has defaults */
} hx_constraint;

/* Reads a constraint. with_optional: optional() may give a default (constraints of variables, convert()); otherwise it takes only the
** type. */
const hx_constraint *hx_constraint_parse(hx_cx *cx, const struct hx_source *src, const hx_node *n, bool with_optional);
/* Applies the defaults to v, then converts it. */
bool hx_constraint_convert(hx_cx *cx, const hx_constraint *c, const hx_val *v, hx_val *out, hx_why_not *why);
/* Reports every reason why hx_constraint_convert would fail, as hx_convert_mistakes does. */
void hx_constraint_mistakes(hx_cx *cx, const hx_constraint *c, const hx_val *v, hx_tell *tell, void *ud);
const hx_constraint *hx_constraint_copy(hx_cx *to, const hx_constraint *c);
/* Returns a plain type as a constraint. */
const hx_constraint *hx_constraint_of(hx_cx *cx, const hx_type *t);

#endif
