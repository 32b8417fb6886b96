/* content_json.c: reads bodies of JSON syntax by a schema: divides properties into arguments and blocks. A block's labels are names of
** nested properties. Source: reference's json.body. */
#include "config/content.h"

static hx_str name_of(const hx_node *key) {
  return hx_node_text(key->u.kids.first);
}

/* Returns true if the property is a comment: in a body, a property called "//" is one. */
static bool is_comment(const hx_node *key) {
  return hx_str_eq(name_of(key), HX_STR("//"));
}

/* The properties of an object, or of all objects of an array. */
typedef struct properties {
  const hx_node *key;  /* the next key of the current object */
  const hx_node *rest; /* the remaining elements, which may be objects */
  bool array;
} properties;

static properties properties_of(const hx_node *value) {
  bool array = value->kind == HX_AST_TUPLE;
  return (properties){ .rest = array ? value->u.kids.first : value, .array = array };
}

/* Reports a value that isn't an object. label: the label that its properties' names would be; empty if they would be arguments and
** blocks. */
static void no_object(hx_reading *r, const hx_node *value, hx_str label) {
  hx_range at = hx_node_start_range(value);
  if (label.len) hx_items_fault(&r->items, HX_D_JSON_LABELS, at, HX_STR_ARG(label));
  else hx_items_fault(&r->items, HX_D_JSON_BODY, at);
}

/* Returns the next property's KEY, which the value follows; NULL at the end. Reports elements of an array that aren't objects, and a value
** that is neither an object, an array nor null. */
static const hx_node *next_property(hx_reading *r, properties *p, hx_str label) {
  for (;;) {
    const hx_node *key = p->key, *value = p->rest;
    if (key) {
      p->key = key->next->next;
      return key;
    }
    if (!value) return NULL;
    p->rest = p->array ? value->next : NULL;
    if (value->kind == HX_AST_OBJECT) p->key = value->u.kids.first;
    else if (p->array || value->kind != HX_AST_NULL) no_object(r, value, label);
  }
}

/* Arguments */

/* Makes an ATTRIBUTE with its name at `at`. */
static hx_node *new_attribute(hx_cx *cx, hx_range at, hx_str name, hx_node *expression) {
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_ATTRIBUTE, .flags = HX_AST_JSON, .start = at.start, .stop = expression->stop, .count = 1 };
  n->u.attr.first = expression;
  n->u.attr.name = HX_NEW(cx, hx_str);
  *n->u.attr.name = name;
  n->u.attr.name_stop = at.stop;
  return n;
}

static void add_argument(hx_reading *r, const hx_node *key) {
  hx_cx *cx = r->items.cx;
  hx_items_add(&r->items, new_attribute(cx, hx_node_range(key), name_of(key), hx_node_copy(cx, key->next)));
}

static void set_twice(hx_reading *r, const hx_node *key) {
  hx_str name = name_of(key), place = hx_items_line(&r->items, name);
  hx_items_fault(&r->items, HX_D_SYNTAX_ATTRIBUTE_TWICE, hx_node_range(key), HX_STR_ARG(name), HX_STR_ARG(place));
}

/* Blocks */

/* A block's type and labels, as a list that begins with the last label. */
typedef struct heading {
  const struct heading *outer; /* NULL: key is the type */
  const hx_node *key;
  uint32_t nlabels;
} heading;

static void add_labels(hx_cx *cx, hx_node *block, const heading *h) {
  for (; h->outer; h = h->outer) {
    hx_node *label = hx_label_new(cx, name_of(h->key), hx_node_range(h->key), HX_AST_JSON | HX_AST_QUOTED);
    label->next = block->u.block.first;
    block->u.block.first = label;
    block->count++;
  }
}

/* Adds one block. `brackets` is the value whose brackets serve as the block's braces. */
static void add_block(hx_reading *r, const heading *h, const hx_node *value, const hx_node *brackets) {
  hx_cx *cx = r->items.cx;
  const heading *type = h;
  while (type->outer) type = type->outer;
  hx_block_head *head = HX_NEW(cx, hx_block_head);
  *head = (hx_block_head){ .type = name_of(type->key),
                           .type_range = hx_node_range(type->key),
                           .open_brace = brackets->u.kids.mark,
                           .range = brackets->u.kids.mark,
                           .close_brace = hx_range_of(brackets->stop - 1, brackets->stop) };
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_BLOCK, .flags = HX_AST_JSON, .start = type->key->start, .stop = brackets->stop, .count = 1 };
  n->u.block.first = hx_node_copy(cx, value);
  n->u.block.head = head;
  add_labels(cx, n, h);
  hx_items_add(&r->items, n);
}

/* Adds the block or blocks in the value after all labels. */
static void add_blocks(hx_reading *r, const heading *h, const hx_node *value) {
  const heading *type = h;
  while (type->outer) type = type->outer;
  if (value->kind == HX_AST_NULL) return;
  if (value->kind == HX_AST_OBJECT) {
    add_block(r, h, value, value);
  } else if (value->kind == HX_AST_TUPLE) {
    for (const hx_node *n = value->u.kids.first; n; n = n->next) add_block(r, h, n, value);
  } else {
    hx_str name = name_of(type->key);
    hx_items_fault(&r->items, HX_D_JSON_BLOCK, hx_node_start_range(value), HX_STR_ARG(name));
    hx_found_block(r->found, r->schema, name);
  }
}

/* Reads a block's labels. Each label is the name of a property, whose value has the next label or the content. */
static void read_block(hx_reading *r, const hx_nested_plan *plan, const heading *h, const hx_node *value) {
  hx_stack_check();
  if (h->nlabels == plan->nlabels) {
    add_blocks(r, h, value);
    return;
  }
  hx_str label = plan->labels[h->nlabels];
  properties p = properties_of(value);
  bool any = false;
  for (const hx_node *key; (key = next_property(r, &p, label)); any = true) {
    heading inner = { h, key, h->nlabels + 1 };
    read_block(r, plan, &inner, key->next);
  }
  if (!any) hx_items_fault(&r->items, HX_D_JSON_LABEL_MISSING, hx_node_start_range(value), HX_STR_ARG(label));
}

/* The body */

static const hx_nested_plan *block_plan(const hx_schema *schema, hx_str name) {
  if (!schema->no_dynamic && hx_str_eq(name, HX_STR("dynamic"))) return &hx_dynamic_head;
  const hx_schema_block *block = hx_schema_block_of(schema, name);
  return block ? &block->plan : NULL;
}

/* Adds the properties that the schema names. */
static void add_expected(hx_reading *r, const hx_node *body) {
  properties p = properties_of(body);
  for (const hx_node *key; (key = next_property(r, &p, HX_STR("")));) {
    const hx_schema_attribute *attribute = hx_schema_attribute_of(r->schema, name_of(key));
    const hx_nested_plan *plan = attribute ? NULL : block_plan(r->schema, name_of(key));
    heading type = { .key = key };
    if (plan) {
      read_block(r, plan, &type, key->next);
    } else if (attribute) {
      bool *seen = &r->found[attribute - r->schema->attributes];
      if (*seen) set_twice(r, key);
      else add_argument(r, key);
      *seen = true;
    }
  }
}

/* Reports the properties that the schema doesn't name. As in the reference, values that aren't objects are reported again here. */
static void add_unexpected(hx_reading *r, const hx_node *body) {
  properties p = properties_of(body);
  for (const hx_node *key; (key = next_property(r, &p, HX_STR("")));) {
    hx_str name = name_of(key);
    if (is_comment(key) || hx_schema_attribute_of(r->schema, name) || block_plan(r->schema, name)) continue;
    hx_str near = hx_reading_suggest(r, name, true, true);
    hx_items_fault(&r->items, HX_D_JSON_PROPERTY, hx_node_range(key), HX_STR_ARG(name), HX_STR_ARG(near));
  }
}

/* Adds all properties of an object as arguments, without a schema. */
static void add_all(hx_reading *r, const hx_node *body) {
  hx_obj_builder names;
  if (body->kind != HX_AST_OBJECT) {
    no_object(r, body, HX_STR(""));
    return;
  }
  hx_obj_builder_init(&names, r->items.cx, body->count / 2);
  for (const hx_node *key = body->u.kids.first; key; key = key->next->next) {
    if (is_comment(key)) continue;
    hx_val *seen = hx_obj_builder_put(&names, name_of(key));
    if (seen->tag == HX_T_NONE) add_argument(r, key);
    else set_twice(r, key);
    *seen = hx_bool(true);
  }
}

static hx_range missing_range(const hx_node *body) {
  return body->kind == HX_AST_OBJECT ? hx_range_of(body->stop - 1, body->stop) : hx_node_start_range(body);
}

hx_node *hx_content_json(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema) {
  hx_reading r;
  hx_reading_begin(&r, cx, src, body, missing_range(body), schema);
  if (schema) {
    add_expected(&r, body);
    hx_node **behind = r.items.kids.tail;
    if (!schema->partial) add_unexpected(&r, body);
    hx_reading_missing(&r, HX_D_JSON_MISSING, behind);
  } else {
    add_all(&r, body);
  }
  return r.items.kids.node;
}

const hx_node *hx_content_json_items(hx_cx *cx, const hx_source *src, const hx_node *body) {
  hx_node *items = hx_content_json(cx, src, body, NULL), *all = NULL;
  hx_diag *last = NULL;
  for (const hx_node *n = items->u.kids.first; n; n = n->next) {
    if (n->kind != HX_AST_FAULT) continue;
    if (last) last->next = n->u.fault;
    else all = hx_node_copy(cx, n);
    last = n->u.fault;
    all->count++;
  }
  if (!all) return items;
  hx_node *nameless = new_attribute(cx, hx_node_range(all), HX_STR(""), all);
  nameless->next = items->u.kids.first;
  items->u.kids.first = nameless;
  return items;
}
