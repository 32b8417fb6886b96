/* expansion.c: makes nodes from the value of an expanded body, so that any schema can read it. */
#include "config/lower.h"

#include "base/vec.h"
#include "config/content.h"
#include "value/marks.h"
#include "vm/body_plan.h"

/* A body whose items are not added yet. They come from an EXPANDED, whose value is v. */
typedef struct expand_task {
  const hx_node *made;
  const hx_val *v;
  const hx_within_plan *within; /* NULL: outside of generated blocks */
  hx_items items;
} expand_task;

typedef struct expander {
  hx_cx *cx;
  const hx_shape *iterator; /* the shape of all iterators, key and value; made with the first */
  HX_VEC(expand_task) tasks;
} expander;

static const hx_node *content_of(const hx_node *made) {
  return ((const hx_entry_plan *)hx_plan_of(made))->body;
}

static hx_node *new_body(expander *x, const hx_node *made, const hx_val *v, const hx_within_plan *within) {
  const hx_node *content = content_of(made);
  expand_task *t = HX_VEC_PUSH(&x->cx->scratch, &x->tasks);
  *t = (expand_task){ .made = made, .v = v, .within = within };
  hx_items_begin(&t->items, x->cx, NULL, content, content->u.kids.mark);
  t->items.kids.node->flags = HX_AST_GENERATED;
  return t->items.kids.node;
}

static void add_attribute(expander *x, expand_task *t, const hx_node *attribute) {
  hx_node *to = hx_items_add_copy(&t->items, attribute), *expression = attribute->u.attr.first;
  if (!t->within) return;
  to->u.attr.first = HX_NEW(x->cx, hx_node);
  *to->u.attr.first = (hx_node){ .kind = HX_AST_WITHIN, .start = expression->start, .stop = expression->stop, .count = 1 };
  to->u.attr.first->u.made.first = expression;
  to->u.attr.first->u.made.plan = t->within;
}

/* Adds a BLOCK with a copy of the written block's head. The caller adds labels and body. */
static hx_kids add_block(expander *x, expand_task *t, const hx_node *block, const hx_within_plan *within) {
  hx_node *n = hx_items_add_copy(&t->items, block);
  hx_block_head *head = HX_NEW(x->cx, hx_block_head);
  *head = *block->u.block.head;
  head->within = within;
  n->flags |= HX_AST_GENERATED;
  n->count = 0;
  n->u.block.first = NULL;
  n->u.block.head = head;
  return hx_kids_of(n);
}

/* Returns the plan for a static block inside a generated one. As in the reference, the content of an unknown block is unknown as well,
** but marks of for_each apply only to the generated block's own content. */
static const hx_within_plan *within_static(expander *x, const hx_within_plan *outer) {
  if (!outer || outer->marked.tag == HX_T_NONE) return outer;
  hx_within_plan *plan = HX_NEW(x->cx, hx_within_plan);
  *plan = *outer;
  plan->marked = hx_none();
  return plan;
}

static void add_static(expander *x, expand_task *t, const hx_node *block, const hx_node *made, const hx_val *v) {
  const hx_within_plan *within = within_static(x, t->within);
  hx_kids kids = add_block(x, t, block, within);
  for (const hx_node *n = block->u.block.first; n->kind == HX_AST_LABEL; n = n->next) hx_kids_add(&kids, hx_node_copy(x->cx, n));
  hx_kids_add(&kids, new_body(x, made, v, within));
}

static const hx_bound_name *bind(expander *x, const hx_bound_name *outer, hx_str name, const hx_each_entry *entry) {
  hx_bound_name *n = HX_NEW(x->cx, hx_bound_name);
  bool secret = (outer && outer->secret) || hx_unmarked(entry->state) != entry->state;
  if (!x->iterator) x->iterator = hx_iterator_shape(x->cx);
  *n = (hx_bound_name){ outer, name, hx_object(x->cx, x->iterator, entry->iterator), secret };
  return n;
}

static const hx_within_plan *within_generated(expander *x, const hx_within_plan *outer, hx_str iterator,
                                              const hx_each_entry *entry) {
  const hx_val *state = entry->state, *bare = hx_unmarked(state);
  hx_within_plan *plan = HX_NEW(x->cx, hx_within_plan);
  *plan = (hx_within_plan){ .names = bind(x, outer ? outer->names : NULL, iterator, entry),
                            .unknown = outer ? outer->unknown : hx_none(),
                            .marked = bare != state ? *state : hx_none() };
  if (plan->unknown.tag == HX_T_NONE && hx_is_unknown(bare))
    plan->unknown = hx_mark(x->cx, hx_unknown_dynamic, hx_marks_get(state));
  return plan;
}

static void add_generated(expander *x, expand_task *t, const hx_node *block, const hx_node *each, const hx_val *values) {
  const hx_each_plan *plan = hx_plan_of(each);
  HX_ASSERT(plan->expanded);
  hx_each_entry entry = hx_each_entry_of(plan, values);
  const hx_within_plan *within = within_generated(x, t->within, plan->names.value, &entry);
  const hx_node *kid = each->u.made.first->next; /* the labels, and the content after them */
  hx_kids kids = add_block(x, t, block, within);
  kids.node->u.block.head->type = plan->type;
  kids.node->u.block.head->type_range = plan->type_range;
  for (uint32_t i = 0; i < plan->nlabels; i++, kid = kid->next)
    hx_kids_add(&kids, hx_label_new(x->cx, hx_val_str(&entry.labels[i]), hx_node_range(kid), block->flags & HX_AST_JSON));
  hx_kids_add(&kids, new_body(x, kid, entry.content, within));
}

/* Adds the items of a body. The EXPANDED has a child, and its value an element, for each block of the content. */
static void expand(expander *x, expand_task *t) {
  const hx_node *kid = t->made->u.made.first;
  const hx_val *v = t->v->u.seq->v;
  for (const hx_node *n = content_of(t->made)->u.kids.first; n; n = n->next) {
    if (n->kind == HX_AST_ATTRIBUTE) add_attribute(x, t, n);
    if (n->kind != HX_AST_BLOCK) continue;
    if (kid->kind == HX_AST_EXPANDED) add_static(x, t, n, kid, v);
    else
      for (uint32_t i = 0; i < v->len; i++) add_generated(x, t, n, kid, v->u.seq->v[i].u.seq->v);
    kid = kid->next;
    v++;
  }
}

const hx_node *hx_body_expanded(hx_cx *cx, const hx_node *made, const hx_val *v) {
  expander x = { .cx = cx };
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  const hx_node *root = new_body(&x, made, v, NULL);
  while (x.tasks.n) {
    expand_task t = x.tasks.p[--x.tasks.n];
    expand(&x, &t);
  }
  hx_arena_release(&cx->scratch, mark);
  return root;
}
