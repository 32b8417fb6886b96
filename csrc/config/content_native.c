/* content_native.c: bodies of native syntax by a schema. Source: reference's hclsyntax.Body.Content. */
#include "config/content.h"

static hx_str name_of(const hx_node *item) {
  return item->kind == HX_AST_ATTRIBUTE ? *item->u.attr.name : item->u.block.head->type;
}

/* An argument that the schema hasn't got. */
static void unexpected_argument(hx_items *items, const hx_schema *schema, const hx_node *n) {
  hx_str name = name_of(n);
  hx_range at = hx_attribute_name_range(n);
  if (hx_schema_block_of(schema, name)) {
    hx_items_fault(items, HX_D_BODY_ARGUMENT_BLOCK, at, HX_STR_ARG(name), HX_STR_ARG(name));
    return;
  }
  hx_str near = hx_schema_suggest(items->cx, schema, name, true, false);
  hx_items_fault(items, HX_D_BODY_ARGUMENT, at, HX_STR_ARG(name), HX_STR_ARG(near));
}

static void unexpected_block(hx_items *items, const hx_schema *schema, const hx_node *n) {
  hx_str type = name_of(n);
  hx_range at = n->u.block.head->type_range;
  if (hx_schema_attribute_of(schema, type)) {
    hx_items_fault(items, HX_D_BODY_BLOCK_ARGUMENT, at, HX_STR_ARG(type), HX_STR_ARG(type));
    return;
  }
  hx_str near = hx_schema_suggest(items->cx, schema, type, false, true);
  hx_items_fault(items, HX_D_BODY_BLOCK, at, HX_STR_ARG(type), HX_STR_ARG(near));
}

/* The label at index i. */
static const hx_node *label(const hx_node *block, uint32_t i) {
  const hx_node *n = block->u.block.first;
  while (i--) n = n->next;
  return n;
}

static void add_block(hx_items *items, const hx_node *n, const hx_nested_plan *plan) {
  const hx_block_head *head = n->u.block.head;
  uint32_t labels = hx_block_labels(n);
  hx_diag *d;
  if (labels == plan->nlabels) {
    hx_items_add_copy(items, n);
    return;
  }
  hx_str takes = hx_labels_text(items->cx, plan);
  if (labels > plan->nlabels)
    d = hx_items_fault(items, HX_D_BODY_LABEL_EXTRA, hx_node_range(label(n, plan->nlabels)), HX_STR_ARG(head->type),
                       HX_STR_ARG(takes));
  else d = hx_items_fault(items, HX_D_BODY_LABEL_MISSING, head->open_brace, HX_STR_ARG(head->type), HX_STR_ARG(takes));
  d->context = hx_range_of(head->type_range.start, head->open_brace.stop);
}

static void add_item(hx_items *items, const hx_schema *schema, const hx_node *n) {
  static const hx_str type_label = { "type", 4 };
  static const hx_nested_plan dynamic = { .labels = &type_label, .nlabels = 1 };
  if (n->kind == HX_AST_ATTRIBUTE) {
    if (n->flags & HX_AST_DUPLICATE) return;
    if (!schema || schema->open || hx_schema_attribute_of(schema, name_of(n))) hx_items_add_copy(items, n);
    else unexpected_argument(items, schema, n);
    return;
  }
  if (n->kind != HX_AST_BLOCK) return;
  const hx_schema_block *want = schema ? hx_schema_block_of(schema, name_of(n)) : NULL;
  if (hx_is_dynamic(n)) add_block(items, n, &dynamic);
  else if (!schema) hx_items_add_copy(items, n);
  else if (want) add_block(items, n, &want->plan);
  else unexpected_block(items, schema, n);
}

/* Arguments that the schema requires and the body hasn't got. Both lists are gone through once: names of the body are looked up. */
static void add_missing(hx_items *items, const hx_schema *schema) {
  bool *found = HX_NEW_ARRAY(items->cx, bool, schema->nattributes);
  if (schema->nattributes) memset(found, 0, schema->nattributes * sizeof *found);
  for (const hx_node *n = items->body->u.kids.first; n; n = n->next)
    if (n->kind == HX_AST_ATTRIBUTE) found[hx_schema_attribute_of(schema, name_of(n)) - schema->attributes] = true;
  for (uint32_t i = 0; i < schema->nattributes; i++) {
    const hx_schema_attribute *a = &schema->attributes[i];
    if (a->required && !found[i])
      hx_items_fault(items, HX_D_BODY_MISSING, items->body->u.kids.mark, HX_STR_ARG(a->name), HX_STR_ARG(a->name));
  }
}

hx_node *hx_content_native(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema) {
  hx_items items;
  bool made = body->flags & HX_AST_GENERATED;
  hx_items_begin(&items, cx, src, body, made ? body->u.kids.mark : (hx_range){ body->start, body->start });
  for (const hx_node *n = body->u.kids.first; n; n = n->next) add_item(&items, schema, n);
  if (schema && !schema->open) add_missing(&items, schema);
  return items.body;
}
