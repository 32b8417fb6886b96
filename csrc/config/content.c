/* content.c: reads a body by a schema; this file has what both syntaxes share. */
#include "config/content.h"

#include "text/source.h"
#include "text/suggest.h"
#include "vm/body_plan.h"

hx_node *hx_content(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema) {
  if (body->kind == HX_AST_BODY) return hx_content_native(cx, src, body, schema);
  return hx_content_json(cx, src, body, schema);
}

/* Returns true if the block is a `dynamic` block that generates blocks of a type that the schema names. */
static bool names_generated(const hx_schema *schema, const hx_node *block) {
  const hx_node *label = block->u.block.first;
  return !schema->no_dynamic && hx_is_dynamic(block) && label && label->kind == HX_AST_LABEL &&
         hx_schema_block_of(schema, hx_node_text(label)) != NULL;
}

static void add_rest_native(hx_cx *cx, hx_kids *rest, const hx_node *body, const hx_schema *schema) {
  for (const hx_node *n = body->u.kids.first; n; n = n->next) {
    bool named = n->kind == HX_AST_BLOCK ? hx_schema_block_of(schema, n->u.block.head->type) != NULL || names_generated(schema, n)
                                         : n->kind == HX_AST_ATTRIBUTE && hx_schema_attribute_of(schema, *n->u.attr.name) != NULL;
    if (!named) hx_kids_add(rest, hx_node_copy(cx, n));
  }
}

static hx_node *rest_json(hx_cx *cx, const hx_node *value, const hx_schema *schema, bool labels);

/* Adds the properties of an object that the schema doesn't name. labels: the keys are labels of `dynamic` blocks. */
static void add_rest_json(hx_cx *cx, hx_kids *rest, const hx_node *object, const hx_schema *schema, bool labels) {
  for (const hx_node *key = object->u.kids.first; key; key = key->next->next) {
    hx_str name = hx_node_text(key->u.kids.first);
    if (hx_schema_block_of(schema, name) || (!labels && hx_schema_attribute_of(schema, name))) continue;
    bool generates = !labels && !schema->no_dynamic && hx_str_eq(name, HX_STR("dynamic"));
    hx_node *left = generates ? rest_json(cx, key->next, schema, true) : hx_node_copy(cx, key->next);
    if (!left) continue;
    hx_kids_add(rest, hx_node_copy(cx, key));
    hx_kids_add(rest, left);
  }
}

/* Returns a copy without children, to which children can be added. */
static hx_kids empty_copy(hx_cx *cx, const hx_node *n) {
  hx_node *copy = hx_node_copy(cx, n);
  copy->u.kids.first = NULL;
  copy->count = 0;
  return hx_kids_of(copy);
}

/* Returns what an object, or an array of objects that are one body, has besides the properties that the schema names. Returns NULL if
** the object had labels, and all of them are removed. */
static hx_node *rest_json(hx_cx *cx, const hx_node *value, const hx_schema *schema, bool labels) {
  if (value->kind != HX_AST_OBJECT && value->kind != HX_AST_TUPLE) return hx_node_copy(cx, value);
  hx_kids rest = empty_copy(cx, value);
  if (value->kind == HX_AST_OBJECT) {
    add_rest_json(cx, &rest, value, schema, labels);
    return labels && value->u.kids.first && !rest.node->u.kids.first ? NULL : rest.node;
  }
  for (const hx_node *n = value->u.kids.first; n; n = n->next) {
    hx_node *left = n->kind == HX_AST_OBJECT ? rest_json(cx, n, schema, labels) : hx_node_copy(cx, n);
    if (left) hx_kids_add(&rest, left);
  }
  return rest.node;
}

hx_node *hx_content_rest(hx_cx *cx, const hx_node *body, const hx_schema *schema) {
  if (body->kind != HX_AST_BODY) return rest_json(cx, body, schema, false);
  hx_kids rest = empty_copy(cx, body);
  add_rest_native(cx, &rest, body, schema);
  return rest.node;
}

const hx_node *hx_content_items(hx_cx *cx, const hx_source *src, const hx_node *body) {
  return body->kind == HX_AST_BODY ? body : hx_content_json_items(cx, src, body);
}

hx_node *hx_node_copy(hx_cx *cx, const hx_node *n) {
  hx_node *copy = HX_NEW(cx, hx_node);
  *copy = *n;
  copy->next = NULL;
  return copy;
}

/* Items */

void hx_items_begin(hx_items *items, hx_cx *cx, const hx_source *src, const hx_node *of, hx_range missing) {
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_BODY, .start = of->start, .stop = of->stop };
  n->u.kids.mark = missing;
  *items = (hx_items){ .cx = cx, .src = src, .kids = hx_kids_of(n) };
}

hx_node *hx_items_add_copy(hx_items *items, const hx_node *n) {
  hx_node *copy = hx_node_copy(items->cx, n);
  hx_items_add(items, copy);
  return copy;
}

hx_diag *hx_items_fault(hx_items *items, hx_diag_id id, hx_range subject, ...) {
  hx_node *n = HX_NEW(items->cx, hx_node);
  va_list args;
  *n = (hx_node){ .kind = HX_AST_FAULT, .start = subject.start, .stop = subject.stop };
  va_start(args, subject);
  n->u.fault = hx_diag_hold(items->cx, id, items->src, subject, &args);
  va_end(args);
  hx_items_add(items, n);
  return n->u.fault;
}

static bool is_named(const hx_node *n, hx_str name) {
  if (n->kind == HX_AST_ATTRIBUTE) return hx_str_eq(*n->u.attr.name, name);
  if (n->kind == HX_AST_ARGUMENT) return hx_str_eq(*n->u.argument.name, name);
  return n->kind == HX_AST_NESTED && hx_str_eq(((const hx_nested_plan *)hx_plan_of(n))->type, name);
}

hx_str hx_items_line(hx_items *items, hx_str name) {
  const hx_node *n = items->kids.node->u.kids.first;
  while (items->places < HX_DIAGS_MAX && n && !is_named(n, name)) n = n->next;
  if (items->places++ >= HX_DIAGS_MAX || !n) return HX_STR("an earlier line");
  return hx_source_line_text(items->cx, items->src, n->start);
}

/* Reading */

static const hx_str dynamic_label = { "type", 4 };
const hx_nested_plan hx_dynamic_head = { .labels = &dynamic_label, .nlabels = 1 };

void hx_reading_begin(hx_reading *r, hx_cx *cx, const hx_source *src, const hx_node *body, hx_range missing,
                      const hx_schema *schema) {
  uint32_t n = schema ? schema->nattributes + schema->nblocks : 0;
  *r = (hx_reading){ .schema = schema, .found = HX_NEW_ARRAY(cx, bool, n) };
  for (uint32_t i = 0; i < n; i++) r->found[i] = false;
  hx_items_begin(&r->items, cx, src, body, missing);
  r->items.kids.node->u.content.found = r->found;
}

void hx_reading_missing(hx_reading *r, hx_diag_id id, hx_node **at) {
  hx_kids *kids = &r->items.kids;
  hx_node **end = kids->tail, *behind = *at;
  for (uint32_t i = 0; i < r->schema->nattributes; i++) {
    const hx_schema_attribute *a = &r->schema->attributes[i];
    if (!a->required || r->found[i]) continue;
    hx_items_fault(&r->items, id, kids->node->u.kids.mark, HX_STR_ARG(a->name), HX_STR_ARG(a->name));
  }
  if (!*end || !behind) return;
  *at = *end;
  *end = NULL;
  *kids->tail = behind;
  kids->tail = end;
}

void hx_found_block(bool *found, const hx_schema *schema, hx_str type) {
  const hx_schema_block *block = hx_schema_block_of(schema, type);
  if (block) found[schema->nattributes + (block - schema->blocks)] = true;
}

hx_str hx_reading_suggest(hx_reading *r, hx_str name, bool attributes, bool blocks) {
  hx_str near = hx_schema_near(&r->items, r->schema, name, attributes, blocks);
  const hx_schema_attribute *attribute = attributes && near.len ? hx_schema_attribute_of(r->schema, near) : NULL;
  if (attribute) r->found[attribute - r->schema->attributes] = true;
  else if (near.len) hx_found_block(r->found, r->schema, near);
  return hx_near_hint(r->items.cx, near);
}

hx_str hx_schema_near(hx_items *items, const hx_schema *schema, hx_str name, bool attributes, bool blocks) {
  hx_cx *cx = items->cx;
  uint32_t n = 0;
  if (items->suggestions++ >= HX_DIAGS_MAX) return HX_STR("");
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_str *names = hx_arena_alloc(&cx->scratch, ((size_t)schema->nattributes + schema->nblocks) * sizeof *names);
  for (uint32_t i = 0; attributes && i < schema->nattributes; i++) names[n++] = schema->attributes[i].name;
  for (uint32_t i = 0; blocks && i < schema->nblocks; i++) names[n++] = schema->blocks[i].type;
  hx_str near = hx_near_name(cx, name, names, n);
  hx_arena_release(&cx->scratch, mark);
  return near;
}

/* Blocks */

hx_node *hx_label_new(hx_cx *cx, hx_str text, hx_range range, uint16_t flags) {
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_LABEL, .flags = flags, .start = range.start, .stop = range.stop };
  n->u.text.p = text.p;
  n->u.text.len = text.len;
  return n;
}

const hx_node *hx_block_body(const hx_node *block) {
  const hx_node *n = block->u.block.first;
  while (n && n->kind == HX_AST_LABEL) n = n->next;
  return n;
}

uint32_t hx_block_labels(const hx_node *block) {
  uint32_t n = 0;
  for (const hx_node *l = block->u.block.first; l && l->kind == HX_AST_LABEL; l = l->next) n++;
  return n;
}

bool hx_is_dynamic(const hx_node *block) {
  return hx_str_eq(block->u.block.head->type, HX_STR("dynamic")) && !(block->flags & HX_AST_GENERATED);
}

/* The most names of labels that are listed. */
#define NAMES_SHOWN 5u

hx_str hx_labels_text(hx_cx *cx, const hx_nested_plan *plan) {
  hx_str names = { "", 0 };
  if (plan->nlabels == 0) return HX_STR("no labels");
  for (uint32_t i = 0; plan->labels && i < plan->nlabels && i < NAMES_SHOWN; i++)
    names = hx_strf(cx, "%.*s%s%.*s", HX_STR_ARG(names), i ? ", " : " (", HX_STR_ARG(plan->labels[i]));
  if (plan->labels) names = hx_strf(cx, "%.*s%s", HX_STR_ARG(names), plan->nlabels > NAMES_SHOWN ? ", ...)" : ")");
  else names = HX_STR(", as the first one here has");
  return hx_strf(cx, "%u label%s%.*s", plan->nlabels, plan->nlabels == 1 ? "" : "s", HX_STR_ARG(names));
}
