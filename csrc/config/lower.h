/* lower.h: prepares a body for evaluation as one program (vm/body_plan.h), which expands its `dynamic` blocks, or decodes all of it. One
** evaluation does it all: callbacks may yield anywhere, limits hold for the whole, and errors are collected.
** Memory: nodes in cx->arena; expressions are shared with the tree.
** Errors: FAULT nodes, which the evaluation reports. Aborts if the value would nest deeper than HX_DEPTH_MAX levels; a block with many
**   labels is many levels. No recursion on the tree. */
#ifndef HX_CONFIG_LOWER_H
#define HX_CONFIG_LOWER_H

#include "config/content.h"

typedef enum hx_body_form {
  HX_BODY_EXPANDED, /* only what `dynamic` blocks need */
  HX_BODY_DECODED,  /* everything */
} hx_body_form;

/* Makes the EXPANDED or DECODED node of the body. schema NULL accepts everything. */
hx_node *hx_body_lower(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema, hx_body_form form);

/* Returns the expanded body, made from an EXPANDED and its value (expansion.c). It borrows values, nodes and names from the evaluation's
** result and from the program. Like any other body it can be read by a schema, or evaluated:
**   BODY       GENERATED; u.kids.mark: where a missing item is reported, as in the content that it comes from
**   ATTRIBUTE  as written; inside a generated block its expression is a WITHIN
**   BLOCK      GENERATED; a block as written, or one from a `dynamic` block. Its head and labels are the block's own; its range,
**              head->range and braces are those of the `dynamic` block */
const hx_node *hx_body_expanded(hx_cx *cx, const hx_node *made, const hx_val *v);

#endif
