/* expansion.h: makes an expanded body from the value of an EXPANDED. Like any other body it can be read by a schema, or
** evaluated:
**   BODY       GENERATED; u.kids.mark: where a missing item is reported, as in the content that it comes from
**   ATTRIBUTE  as written; inside a generated block its expression is a WITHIN
**   BLOCK      GENERATED; a block as written, or one from a `dynamic` block. Its head and labels say what it is; its range,
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
