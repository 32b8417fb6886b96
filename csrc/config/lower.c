/* lower.c: makes one tree from a body, for one program. The bodies inside it are put on a list and read one after the other. */
#include "config/lower.h"

#include "base/vec.h"
#include "config/dynamic.h"

/* A body to read later, and the EXPANDED or DECODED that gets its items. */
typedef struct body_task {
  const hx_node *body;
  const hx_schema *schema;
  hx_node *out;
  bool generated;          /* it is the content of a `dynamic` block */
  uint32_t blocks, levels; /* how deep its items are: in blocks of the source, and in levels of data */
} body_task;

typedef struct lowering {
  hx_cx *cx;
  const hx_source *src;
  hx_body_form form;
  HX_VEC(body_task) tasks;
  uint32_t blocks, levels; /* of the body that is being read */
  uint32_t beside;         /* the most by which levels exceed blocks in any body */
  bool *found;             /* `found` of the body that is being read, see config/content.h */
  hx_obj_builder names;    /* of the body that is being read: argument: true; block type: the index of its NESTED */
} lowering;

static hx_node *new_node(lowering *l, hx_ast_kind kind, const hx_node *at, const void *plan) {
  hx_node *n = HX_NEW(l->cx, hx_node);
  *n = (hx_node){ .kind = (uint8_t)kind, .start = at->start, .stop = at->stop };
  n->u.made.plan = plan;
  return n;
}

/* Makes a node for a body, which is read later. */
static hx_node *new_body(lowering *l, const hx_node *block, body_task t) {
  hx_entry_plan *plan = HX_NEW(l->cx, hx_entry_plan);
  hx_node *n = new_node(l, l->form == HX_BODY_DECODED ? HX_AST_DECODED : HX_AST_EXPANDED, block ? block : t.body, plan);
  *plan = (hx_entry_plan){ .block = block };
  t.out = n;
  *HX_VEC_PUSH(&l->cx->scratch, &l->tasks) = t;
  if (!block || t.generated || l->form == HX_BODY_EXPANDED) return n;
  plan->nlabels = hx_block_labels(block);
  hx_str *labels = HX_NEW_ARRAY(l->cx, hx_str, plan->nlabels);
  const hx_node *label = block->u.block.first;
  for (uint32_t i = 0; i < plan->nlabels; i++, label = label->next) labels[i] = hx_node_text(label);
  plan->labels = labels;
  return n;
}

/* Returns how many levels of data a block becomes: its table, the list that contains it, tables by label. */
static uint32_t levels_of(const lowering *l, const hx_schema_block *want, uint32_t nlabels, bool generated) {
  if (l->form == HX_BODY_EXPANDED) return generated ? 3 : 1; /* see EACH in vm/body_plan.h */
  hx_nesting nesting = want ? (hx_nesting)want->plan.nesting : HX_NESTING_LIST;
  bool list = nesting == HX_NESTING_LIST || nesting == HX_NESTING_SET;
  bool by_label = nesting == HX_NESTING_MAP || (nesting == HX_NESTING_LIST && !(want && want->plan.labels));
  return (list ? 2u : 1u) + (by_label ? nlabels : 0);
}

/* Makes a node for the body of a block. */
static hx_node *nested_body(lowering *l, const hx_node *block, body_task t, uint32_t levels) {
  t.blocks = l->blocks + 1;
  t.levels = l->levels + levels;
  if (t.levels - t.blocks > l->beside) l->beside = t.levels - t.blocks;
  if (t.levels > HX_DEPTH_MAX) {
    hx_why_at(l->cx, l->src, block->u.block.head->type_range);
    hx_abort(l->cx, HX_WHY_DEPTH);
  }
  return new_body(l, block, t);
}

/* Returns the node of a block: an entry of its type, or an EACH. Returns NULL if the block has mistakes, whose FAULTs are added to `to`. */
static hx_node *entry_of(lowering *l, hx_items *to, const hx_node *block, const hx_schema *schema) {
  if (!hx_is_dynamic(block)) {
    const hx_schema_block *want = schema ? hx_schema_block_of(schema, block->u.block.head->type) : NULL;
    body_task t = { .body = hx_block_body(block), .schema = want ? want->body : NULL };
    return nested_body(l, block, t, levels_of(l, want, hx_block_labels(block), false));
  }
  hx_dynamic d = hx_dynamic_read(to, block, schema, l->form == HX_BODY_EXPANDED);
  if (!d.each) {
    hx_found_block(l->found, schema, d.type);
    return NULL;
  }
  if (!d.content) return d.each;
  const hx_each_plan *plan = hx_plan_of(d.each);
  body_task t = { .body = d.content, .schema = d.schema, .generated = true };
  hx_kids kids = hx_kids_of(d.each);
  hx_kids_add(&kids, nested_body(l, block, t, levels_of(l, hx_schema_block_of(schema, plan->type), plan->nlabels, true)));
  return d.each;
}

/* Decoding: one NESTED for the blocks of a type */

typedef struct decoding {
  lowering *l;
  const hx_schema *schema;
  hx_items out;
  bool generated;
  HX_VEC(hx_kids) types;
} decoding;

static void report_both(decoding *d, hx_range at, hx_str name) {
  hx_str place = hx_items_line(&d->out, name);
  hx_items_fault(&d->out, HX_D_BODY_BOTH, at, HX_STR_ARG(name), HX_STR_ARG(place));
}

static void add_argument(decoding *d, hx_node *n) {
  hx_str name = *n->u.attr.name;
  const hx_schema_attribute *want = d->schema ? hx_schema_attribute_of(d->schema, name) : NULL;
  if (want && want->kept) return;
  hx_val *seen = hx_obj_builder_put(&d->l->names, name);
  if (seen->tag == HX_T_INT) report_both(d, hx_attribute_name_range(n), name);
  *seen = hx_bool(true);
  n->kind = HX_AST_ARGUMENT;
  n->flags = d->generated ? HX_AST_GENERATED : 0;
  n->u.argument.plan = want ? &want->plan : NULL;
  hx_items_add(&d->out, n);
}

/* Returns the NESTED of a type, or NULL if the name is that of an argument. */
static hx_kids *nested_of(decoding *d, hx_str type, const hx_node *at) {
  hx_val *seen = hx_obj_builder_put(&d->l->names, type);
  if (seen->tag == HX_T_BOOL) return NULL;
  if (seen->tag == HX_T_NONE) {
    const hx_schema_block *want = d->schema ? hx_schema_block_of(d->schema, type) : NULL;
    hx_nested_plan *plan = HX_NEW(d->l->cx, hx_nested_plan);
    *plan = want ? want->plan : (hx_nested_plan){ .type = type, .max = UINT32_MAX };
    *seen = hx_int(d->types.n);
    hx_node *n = new_node(d->l, HX_AST_NESTED, at, plan);
    hx_items_add(&d->out, n);
    *HX_VEC_PUSH(&d->l->cx->scratch, &d->types) = hx_kids_of(n);
  }
  return &d->types.p[seen->u.i];
}

static void add_entry(decoding *d, const hx_node *n) {
  hx_str type = n->u.block.head->type;
  hx_range at = n->u.block.head->type_range;
  if (hx_is_dynamic(n)) {
    type = hx_node_text(n->u.block.first);
    at = hx_node_range(n->u.block.first);
  }
  hx_node *entry = entry_of(d->l, &d->out, n, d->schema);
  if (!entry) return;
  hx_kids *to = nested_of(d, type, n);
  if (to) hx_kids_add(to, entry);
  else report_both(d, at, type);
}

/* Adds the schema's items that the body lacks: arguments with their defaults, and types without blocks. */
static void add_absent(decoding *d, const hx_node *content) {
  for (uint32_t i = 0; i < d->schema->nattributes; i++) {
    const hx_schema_attribute *a = &d->schema->attributes[i];
    if (a->plan.value.tag == HX_T_NONE || hx_obj_builder_put(&d->l->names, a->name)->tag != HX_T_NONE) continue;
    hx_node *n = new_node(d->l, HX_AST_ARGUMENT, content, NULL);
    n->u.argument.plan = &a->plan;
    hx_items_add(&d->out, n);
    n->u.argument.name = (hx_str *)(uintptr_t)&a->name;
  }
  for (uint32_t i = 0; i < d->schema->nblocks; i++) {
    hx_kids *k = nested_of(d, d->schema->blocks[i].type, content);
    if (!k) continue;
    hx_nested_plan *plan = HX_NEW(d->l->cx, hx_nested_plan);
    *plan = *(const hx_nested_plan *)hx_plan_of(k->node);
    plan->missing = content->u.kids.mark;
    if (d->l->found[d->schema->nattributes + i]) plan->min = 0;
    k->node->u.made.plan = plan;
  }
}

static void decode_body(lowering *l, const body_task *t, const hx_node *content) {
  decoding d = {
    .l = l, .schema = t->schema, .out = { .cx = l->cx, .src = l->src, .kids = hx_kids_of(t->out) }, .generated = t->generated
  };
  hx_obj_builder_clear(&l->names);
  for (hx_node *n = content->u.kids.first, *next; n; n = next) {
    next = n->next;
    if (n->kind == HX_AST_ATTRIBUTE) add_argument(&d, n);
    else if (n->kind == HX_AST_BLOCK) add_entry(&d, n);
    else if (n->kind == HX_AST_FAULT) hx_items_add(&d.out, n);
  }
  if (d.schema && !d.schema->open) add_absent(&d, content);
}

static void expand_body(lowering *l, const body_task *t, const hx_node *content) {
  hx_items out = { .cx = l->cx, .src = l->src, .kids = hx_kids_of(t->out) };
  for (const hx_node *n = content->u.kids.first; n; n = n->next) {
    hx_node *entry = n->kind == HX_AST_BLOCK ? entry_of(l, &out, n, t->schema) : NULL;
    if (entry) hx_items_add(&out, entry);
    else if (n->kind == HX_AST_FAULT) hx_items_add_copy(&out, n);
  }
}

hx_node *hx_body_lower(hx_cx *cx, const hx_source *src, const hx_node *body, const hx_schema *schema, hx_body_form form) {
  lowering l = { .cx = cx, .src = src, .form = form, .beside = 1 }; /* 1 for the outermost body, which is a level but not a block */
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_obj_builder_init(&l.names, cx, 16);
  hx_node *root = new_body(&l, NULL, (body_task){ .body = body, .schema = schema, .levels = 1 });
  while (l.tasks.n) {
    body_task t = l.tasks.p[--l.tasks.n];
    l.blocks = t.blocks;
    l.levels = t.levels;
    if (!t.schema && t.body->kind == HX_AST_BODY) t.schema = hx_schema_infer(cx, t.body);
    hx_node *content = hx_content(cx, src, t.body, t.schema);
    l.found = content->u.content.found;
    ((hx_entry_plan *)(uintptr_t)t.out->u.made.plan)->body = content;
    if (form == HX_BODY_DECODED) decode_body(&l, &t, content);
    else expand_body(&l, &t, content);
  }
  ((hx_entry_plan *)(uintptr_t)root->u.made.plan)->beside = l.beside;
  hx_arena_release(&cx->scratch, mark);
  return root;
}
