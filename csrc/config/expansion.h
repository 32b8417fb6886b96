/* expansion.h: a body whose `dynamic` blocks were worked out, out of what evaluating an EXPANDED gave. It can be read by a schema, or
** evaluated, like any other:
**   BODY       GENERATED; u.kids.mark: where a missing item is reported, as in the content it is of
**   ATTRIBUTE  as it is written, its expression a WITHIN if it stands in a block that was generated
**   BLOCK      GENERATED; one that stood there, or one that a `dynamic` block gave: its head and labels say what it is, its range,
**              head->range and braces are those of the `dynamic` block
** Memory: in cx->arena; values, nodes and names are those of the evaluation's result and of the program.
** Errors: none but memory. No recursion. */
#ifndef HX_CONFIG_EXPANSION_H
#define HX_CONFIG_EXPANSION_H

#include "syntax/ast.h"
#include "value/value.h"

/* made: the EXPANDED; v: its value. */
const hx_node *hx_body_expanded(hx_cx *cx, const hx_node *made, const hx_val *v);

#endif
