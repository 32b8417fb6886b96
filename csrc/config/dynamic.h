/* dynamic.h: a `dynamic` block read: for_each, iterator, labels, content. Source: reference's dynblock package.
** Memory: nodes in cx->arena.
** Errors: FAULT nodes in place of the EACH, or within it where for_each has its say first. */
#ifndef HX_CONFIG_DYNAMIC_H
#define HX_CONFIG_DYNAMIC_H

#include "config/content.h"

typedef struct hx_dynamic {
  hx_node *each;          /* EACH, its content still to be added as the last child; NULL: what is wrong stands in `faults` */
  hx_node *faults;        /* a list of FAULTs */
  const hx_node *content; /* the content's body; NULL: the EACH is complete, for it holds FAULTs */
  const hx_schema *schema;
} hx_dynamic;

/* block: of type "dynamic" with one label. schema: of the body it stands in. expanded: as in hx_each_plan. */
hx_dynamic hx_dynamic_read(hx_cx *cx, const hx_source *src, const hx_node *block, const hx_schema *schema, bool expanded);

#endif
