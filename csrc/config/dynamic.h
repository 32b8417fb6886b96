/* dynamic.h: reads a `dynamic` block: for_each, iterator, labels, content. Source: reference's dynblock package.
** Memory: nodes in cx->arena.
** Errors: FAULT nodes in place of the EACH, or inside it if for_each must be evaluated first. */
#ifndef HX_CONFIG_DYNAMIC_H
#define HX_CONFIG_DYNAMIC_H

#include "config/content.h"

typedef struct hx_dynamic {
  hx_node *each;           /* the EACH; NULL if it has mistakes, which were added to `to` instead */
  const hx_node *content;  /* the body of the content, to add as the last child; NULL if the EACH has FAULTs instead */
  const hx_schema *schema; /* the schema of that body */
  hx_str type;             /* if the EACH is missing: the type of its blocks, or empty if that is unknown */
} hx_dynamic;

/* Reads a `dynamic` block. to: the items that will contain the EACH. block: of type "dynamic" with one label. schema: of the body around
** it. expanded: as in hx_each_plan. */
hx_dynamic hx_dynamic_read(hx_items *to, const hx_node *block, const hx_schema *schema, bool expanded);

#endif
