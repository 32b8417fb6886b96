/* content_native.c: reads bodies of native syntax by a schema. Source: reference's hclsyntax.Body.Content. */
#include "config/content.h"

static hx_str name_of(const hx_node *item) {
  return item->kind == HX_AST_ATTRIBUTE ? *item->u.attr.name : item->u.block.head->type;
}

/* Reports an argument that the schema lacks. */
static void unexpected_argument(hx_reading *r, const hx_node *n) {
  hx_str name = name_of(n);
  hx_range at = hx_attribute_name_range(n);
  if (hx_schema_block_of(r->schema, name)) {
    hx_found_block(r->found, r->schema, name);
    hx_items_fault(&r->items, HX_D_BODY_ARGUMENT_BLOCK, at, HX_STR_ARG(name), HX_STR_ARG(name));
    return;
  }
  hx_str near = hx_reading_suggest(r, name, true, false);
  hx_items_fault(&r->items, HX_D_BODY_ARGUMENT, at, HX_STR_ARG(name), HX_STR_ARG(near));
}

static void unexpected_block(hx_reading *r, const hx_node *n) {
  hx_str type = name_of(n);
  hx_range at = n->u.block.head->type_range;
  if (hx_schema_attribute_of(r->schema, type)) {
    hx_items_fault(&r->items, HX_D_BODY_BLOCK_ARGUMENT, at, HX_STR_ARG(type), HX_STR_ARG(type));
    return;
  }
  hx_str near = hx_reading_suggest(r, type, false, true);
  hx_items_fault(&r->items, HX_D_BODY_BLOCK, at, HX_STR_ARG(type), HX_STR_ARG(near));
}

/* Returns the label at index i. */
static const hx_node *label(const hx_node *block, uint32_t i) {
  const hx_node *n = block->u.block.first;
  while (i--) n = n->next;
  return n;
}

/* Adds the block if it has the right number of labels; otherwise reports it. */
static void add_labelled(hx_reading *r, const hx_node *n, const hx_nested_plan *plan) {
  hx_items *items = &r->items;
  const hx_block_head *head = n->u.block.head;
  uint32_t labels = hx_block_labels(n);
  hx_diag *d;
  if (labels == plan->nlabels) {
    hx_items_add_copy(items, n);
    return;
  }
  if (r->schema) hx_found_block(r->found, r->schema, head->type);
  hx_str takes = hx_labels_text(items->cx, plan);
  if (labels > plan->nlabels)
    d = hx_items_fault(items, HX_D_BODY_LABEL_EXTRA, hx_node_range(label(n, plan->nlabels)), HX_STR_ARG(head->type),
                       HX_STR_ARG(takes));
  else d = hx_items_fault(items, HX_D_BODY_LABEL_MISSING, head->open_brace, HX_STR_ARG(head->type), HX_STR_ARG(takes));
  d->context = hx_range_of(head->type_range.start, head->open_brace.stop);
}

static void add_argument(hx_reading *r, const hx_node *n) {
  const hx_schema_attribute *want = r->schema ? hx_schema_attribute_of(r->schema, name_of(n)) : NULL;
  if (want) r->found[want - r->schema->attributes] = true;
  if (want || !r->schema || r->schema->open) hx_items_add_copy(&r->items, n);
  else if (!r->schema->partial) unexpected_argument(r, n);
}

static void add_block(hx_reading *r, const hx_node *n) {
  const hx_schema_block *want = r->schema ? hx_schema_block_of(r->schema, name_of(n)) : NULL;
  if (hx_is_dynamic(n) && !(r->schema && r->schema->no_dynamic)) add_labelled(r, n, &hx_dynamic_head);
  else if (want) add_labelled(r, n, &want->plan);
  else if (!r->schema) hx_items_add_copy(&r->items, n);
  else if (!r->schema->partial) unexpected_block(r, n);
}

hx_node *hx_content_native(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema) {
  hx_reading r;
  bool made = body->flags & HX_AST_GENERATED;
  hx_reading_begin(&r, cx, src, body, made ? body->u.kids.mark : hx_range_of(body->start, body->start), schema);
  for (const hx_node *n = body->u.kids.first; n; n = n->next) {
    if (n->kind == HX_AST_BLOCK) add_block(&r, n);
    else if (n->kind == HX_AST_ATTRIBUTE && !(n->flags & HX_AST_DUPLICATE)) add_argument(&r, n);
  }
  /* Missing items are reported first (reference). */
  if (schema && !schema->open) hx_reading_missing(&r, HX_D_BODY_MISSING, &r.items.kids.node->u.kids.first);
  return r.items.kids.node;
}
