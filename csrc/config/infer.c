/* infer.c: finds the schema that a body of native syntax implies. */
#include "config/content.h"

#include "base/vec.h"

typedef struct inferring {
  hx_cx *cx;
  hx_obj_builder types;    /* the types of blocks, without values */
  HX_VEC(uint32_t) labels; /* how many labels each of the types has */
} inferring;

/* Returns how many labels a `dynamic` block lists for the blocks that it generates. */
static uint32_t generated_labels(const hx_node *block) {
  for (const hx_node *n = hx_node_first(hx_block_body(block)); n; n = n->next) {
    if (n->kind != HX_AST_ATTRIBUTE || !hx_str_eq(*n->u.attr.name, HX_STR("labels"))) continue;
    return n->u.attr.first->kind == HX_AST_TUPLE ? n->u.attr.first->count : 0;
  }
  return 0;
}

static void add_block(inferring *i, const hx_node *block) {
  uint32_t labels = hx_block_labels(block);
  bool dynamic = hx_is_dynamic(block);
  hx_str type = dynamic && labels ? hx_node_text(block->u.block.first) : block->u.block.head->type;
  if (hx_obj_builder_index(&i->types, type) < i->labels.n) return; /* the first block decides */
  *HX_VEC_PUSH(&i->cx->arena, &i->labels) = dynamic ? generated_labels(block) : labels;
}

const hx_schema *hx_schema_infer(hx_cx *cx, const hx_node *body) {
  static const hx_schema arguments = { .open = true };
  inferring i = { .cx = cx };
  const hx_node *first = hx_node_first(body);
  while (first && first->kind != HX_AST_BLOCK) first = first->next;
  if (!first) return &arguments; /* as in most blocks */
  hx_obj_builder_init(&i.types, cx, 4);
  for (const hx_node *n = first; n; n = n->next)
    if (n->kind == HX_AST_BLOCK) add_block(&i, n);
  hx_schema_block *blocks = HX_NEW_ARRAY(cx, hx_schema_block, i.types.n);
  for (uint32_t b = 0; b < i.types.n; b++) {
    blocks[b] = (hx_schema_block){ .type = i.types.keys[b] };
    blocks[b].plan = (hx_nested_plan){ .type = i.types.keys[b], .nlabels = i.labels.p[b], .max = UINT32_MAX };
  }
  hx_schema *s = hx_schema_new(cx, NULL, 0, blocks, i.types.n);
  s->open = true;
  return s;
}
