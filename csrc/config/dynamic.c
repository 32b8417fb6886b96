/* dynamic.c: reads a `dynamic` block by a schema of its own, then by that of the block that it generates. */
#include "config/dynamic.h"

#include "syntax/json.h"
#include "text/suggest.h"

/* Schemas for what a `dynamic` block contains, in order of names: for generated blocks with labels, without labels, and with as many
** labels as the `dynamic` block says. */
static const hx_schema_block spec_blocks[] = { { .type = { "content", 7 } } };
static const hx_schema_attribute with_labels[] = { { .name = { "for_each", 8 }, .required = true },
                                                   { .name = { "iterator", 8 } },
                                                   { .name = { "labels", 6 }, .required = true } };
static const hx_schema_attribute perhaps_labels[] = { { .name = { "for_each", 8 }, .required = true },
                                                      { .name = { "iterator", 8 } },
                                                      { .name = { "labels", 6 } } };
static const hx_schema spec_with_labels = { with_labels, spec_blocks, 3, 1, .no_dynamic = true };
static const hx_schema spec_without_labels = { perhaps_labels, spec_blocks, 2, 1, .no_dynamic = true };
static const hx_schema spec_perhaps_labels = { perhaps_labels, spec_blocks, 3, 1, .no_dynamic = true };

/* The parts of a `dynamic` block. */
typedef struct spec {
  const hx_node *for_each, *iterator, *labels; /* expressions, or NULL */
  hx_range labels_name;
  const hx_node *content, *second; /* blocks, or NULL */
} spec;

static spec spec_of(const hx_node *items) {
  spec s = { 0 };
  for (const hx_node *n = items->u.kids.first; n; n = n->next) {
    if (n->kind == HX_AST_BLOCK && hx_str_eq(n->u.block.head->type, HX_STR("content"))) {
      if (!s.content) s.content = n;
      else if (!s.second) s.second = n;
    }
    if (n->kind != HX_AST_ATTRIBUTE) continue;
    hx_str name = *n->u.attr.name;
    if (hx_str_eq(name, HX_STR("for_each"))) s.for_each = n->u.attr.first;
    else if (hx_str_eq(name, HX_STR("iterator"))) s.iterator = n->u.attr.first;
    else if (hx_str_eq(name, HX_STR("labels"))) {
      s.labels = n->u.attr.first;
      s.labels_name = hx_attribute_name_range(n);
    }
  }
  return s;
}

/* Sets *word if an expression is a single word. As in the reference, words that are constants elsewhere, such as null, are names here. */
static bool read_word(const hx_node *n, hx_str *word) {
  hx_str found = n->flags & HX_AST_JSON && n->kind != HX_AST_TRAVERSAL ? HX_STR("") : hx_node_word(n);
  if (found.len) *word = found;
  return found.len != 0;
}

/* Sets *name if an `iterator` argument is present. If its value isn't a name, reports that and returns false. */
static bool read_iterator(hx_items *to, const hx_node *expression, hx_str *name) {
  const hx_node *n = expression;
  if (!n) return true;
  hx_range at = hx_node_range(n);
  if (n->kind == HX_AST_STRING && (n->flags & HX_AST_JSON)) {
    n = hx_json_expression(to->cx, to->src, expression);
    /* As in the reference, the range of a path in a string begins at the quote. */
    if (n && n->kind == HX_AST_TRAVERSAL) at = hx_range_of(n->start - 1, n->stop - 1);
  }
  if (n && read_word(n, name)) return true;
  hx_items_fault(to, HX_D_DYNAMIC_ITERATOR, at);
  return false;
}

/* If no schema says how many labels the blocks have, the first block of the type does (hx_schema_infer). If that has no labels, or its
** labels can't be counted, reports the labels of this one and returns false. */
static bool check_uncounted(hx_items *items, const spec *s, const hx_nested_plan *want, hx_str type) {
  if (!s->labels || want->nlabels || want->labels) return true;
  hx_str takes = hx_labels_text(items->cx, want);
  hx_diag_id fault = s->labels->kind == HX_AST_TUPLE ? HX_D_DYNAMIC_LABELS_COUNT : HX_D_DYNAMIC_LABELS;
  hx_items_fault(items, fault, s->labels_name, HX_STR_ARG(type), HX_STR_ARG(takes));
  return false;
}

/* Copies the FAULTs among the items, and returns true if it found any. As in the reference, the missing and unexpected parts of the
** block are reported before any other mistake. */
static bool add_faults(hx_items *to, const hx_node *items) {
  bool any = false;
  for (const hx_node *n = items->u.kids.first; n; n = n->next) {
    if (n->kind != HX_AST_FAULT) continue;
    hx_items_add_copy(to, n);
    any = true;
  }
  return any;
}

/* Adds FAULTs, which are reported after for_each is evaluated. missing: the place at which missing content is reported. */
static void check_parts(hx_items *each, const spec *s, const hx_nested_plan *want, hx_str type, hx_range missing) {
  if (s->labels && s->labels->kind != HX_AST_TUPLE) {
    hx_items_fault(each, HX_D_DYNAMIC_LABELS, hx_node_start_range(s->labels));
    return;
  }
  if (s->labels && s->labels->count != want->nlabels) {
    const hx_node *label = s->labels->u.kids.first;
    hx_str takes = hx_labels_text(each->cx, want);
    for (uint32_t i = 0; label && i < want->nlabels; i++) label = label->next;
    hx_items_fault(each, HX_D_DYNAMIC_LABELS_COUNT, hx_node_range(label ? label : s->labels), HX_STR_ARG(type), HX_STR_ARG(takes));
    return;
  }
  if (!s->content) hx_items_fault(each, HX_D_DYNAMIC_CONTENT_MISSING, missing);
  else if (s->second) hx_items_fault(each, HX_D_DYNAMIC_CONTENT_TWICE, s->second->u.block.head->range);
}

/* Adds for_each and then the labels. Returns false if it added FAULTs instead of the labels. */
static bool add_parts(hx_items *each, const spec *s, const hx_nested_plan *want, hx_str type, hx_range missing) {
  hx_items_add_copy(each, s->for_each);
  check_parts(each, s, want, type, missing);
  if (each->kids.node->count > 1) return false;
  for (const hx_node *n = s->labels ? s->labels->u.kids.first : NULL; n; n = n->next) hx_items_add_copy(each, n);
  return true;
}

static const hx_schema *spec_schema(const hx_schema_block *want) {
  if (want->plan.nlabels) return &spec_with_labels;
  return want->plan.labels ? &spec_without_labels : &spec_perhaps_labels;
}

hx_dynamic hx_dynamic_read(hx_items *to, const hx_node *block, const hx_schema *schema, bool expanded) {
  hx_cx *cx = to->cx;
  const hx_node *label = block->u.block.first;
  hx_str type = hx_node_text(label), iterator = type;
  const hx_schema_block *want = hx_schema_block_of(schema, type);
  if (!want) {
    hx_str near = hx_schema_near(to, schema, type, false, true), hint = hx_near_hint(cx, near);
    hx_items_fault(to, HX_D_BODY_BLOCK, hx_node_range(label), HX_STR_ARG(type), HX_STR_ARG(hint));
    return (hx_dynamic){ .type = near };
  }
  const hx_node *items = hx_content(cx, to->src, hx_block_body(block), spec_schema(want));
  spec s = spec_of(items);
  if (add_faults(to, items) || !check_uncounted(to, &s, &want->plan, type) || !read_iterator(to, s.iterator, &iterator))
    return (hx_dynamic){ .type = type };
  hx_each_plan *plan = HX_NEW(cx, hx_each_plan);
  *plan = (hx_each_plan){ .names = { .value = iterator },
                          .type = type,
                          .type_range = hx_node_range(label),
                          .nlabels = s.labels ? s.labels->count : 0,
                          .expanded = expanded };
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_EACH, .start = block->start, .stop = block->stop };
  n->u.made.plan = plan;
  hx_items each = { .cx = cx, .src = to->src, .kids = hx_kids_of(n) };
  plan->check = !add_parts(&each, &s, &want->plan, type, items->u.kids.mark);
  if (plan->check) return (hx_dynamic){ .each = n };
  return (hx_dynamic){ .each = n, .content = hx_block_body(s.content), .schema = want->body };
}
