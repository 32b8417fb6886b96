#include "config/expansion.h"

#include "base/vec.h"
#include "value/marks.h"
#include "vm/body_plan.h"

typedef struct expand_task {
  const hx_node *made;
  const hx_val *v;
  hx_expansion *out;
} expand_task;

typedef struct expander {
  hx_cx *cx;
  const hx_shape *iterator; /* key, value: of all iterators; made with the first */
  HX_VEC(expand_task) tasks;
} expander;

static hx_expansion *new_body(expander *x, const hx_node *made, const hx_val *v) {
  hx_expansion *out = HX_NEW(x->cx, hx_expansion);
  *out = (hx_expansion){ .body = ((const hx_entry_plan *)hx_plan_of(made))->body,
                         .part = { .unknown = hx_none(), .marked = hx_none() } };
  out->tree = HX_NEW(x->cx, hx_node);
  *out->tree = (hx_node){ .kind = HX_AST_BODY, .flags = HX_AST_GENERATED, .start = out->body->start, .stop = out->body->stop };
  out->tree->u.kids.mark = out->body->u.kids.mark;
  *HX_VEC_PUSH(&x->cx->scratch, &x->tasks) = (expand_task){ made, v, out };
  return out;
}

static void label_ranges(expander *x, hx_expanded_block *b, const hx_node *first) {
  hx_range *ranges = HX_NEW_ARRAY(x->cx, hx_range, b->nlabels);
  for (uint32_t i = 0; i < b->nlabels; i++, first = first->next) ranges[i] = hx_node_range(first);
  b->label_ranges = ranges;
}

/* reference: what stands in a block that isn't known isn't known either; marks of for_each are for its own content only. */
static void add_static(expander *x, const expand_task *t, const hx_node *made, const hx_val *v) {
  const hx_entry_plan *plan = hx_plan_of(made);
  const hx_block_head *head = plan->block->u.block.head;
  hx_expanded_block *b = &t->out->blocks[t->out->nblocks++];
  hx_expansion *body = new_body(x, made, v);
  body->part.names = t->out->part.names;
  body->part.unknown = t->out->part.unknown;
  *b = (hx_expanded_block){ .block = plan->block,
                            .type = head->type,
                            .type_range = head->type_range,
                            .labels = plan->labels,
                            .nlabels = plan->nlabels,
                            .body = body };
  label_ranges(x, b, plan->block->u.block.first);
}

static const hx_bound_name *bind(expander *x, const hx_bound_name *outer, hx_str name, const hx_val *key_value) {
  hx_bound_name *n = HX_NEW(x->cx, hx_bound_name);
  if (!x->iterator) x->iterator = hx_iterator_shape(x->cx);
  *n = (hx_bound_name){ outer, name, hx_object(x->cx, x->iterator, key_value) };
  return n;
}

/* entry: [ key, value, state, labels…, items ] */
static void add_generated(expander *x, const expand_task *t, const hx_node *each, const hx_val *entry) {
  const hx_each_plan *plan = hx_plan_of(each);
  const hx_node *made = each->u.made.first, *labels = made->next;
  const hx_val *state = &entry[2];
  hx_str *texts = HX_NEW_ARRAY(x->cx, hx_str, plan->nlabels);
  while (made->next) made = made->next;
  for (uint32_t i = 0; i < plan->nlabels; i++) texts[i] = hx_val_str(&entry[3 + i]);
  hx_expansion *body = new_body(x, made, &entry[3 + plan->nlabels]);
  hx_part *part = &body->part;
  part->names = bind(x, t->out->part.names, plan->names.value, entry);
  part->marked = hx_unmarked(state) != state ? *state : hx_none();
  part->unknown = t->out->part.unknown;
  if (part->unknown.tag == HX_T_NONE && hx_is_unknown(hx_unmarked(state)))
    part->unknown = hx_mark(x->cx, hx_unknown_dynamic, hx_marks_get(state));
  hx_expanded_block *b = &t->out->blocks[t->out->nblocks++];
  *b = (hx_expanded_block){ .block = plan->block,
                            .type = plan->type,
                            .type_range = plan->type_range,
                            .labels = texts,
                            .nlabels = plan->nlabels,
                            .body = body };
  label_ranges(x, b, labels);
}

static size_t count(const expand_task *t) {
  size_t n = 0;
  const hx_val *v = t->v->u.seq->v;
  for (const hx_node *kid = t->made->u.made.first; kid; kid = kid->next, v++) n += kid->kind == HX_AST_EACH ? v->len : 1;
  return n;
}

static void expand(expander *x, const expand_task *t) {
  if (!t->v->len) return;
  const hx_val *v = t->v->u.seq->v;
  t->out->blocks = HX_NEW_ARRAY(x->cx, hx_expanded_block, count(t));
  for (const hx_node *kid = t->made->u.made.first; kid; kid = kid->next, v++) {
    if (kid->kind == HX_AST_EXPANDED) add_static(x, t, kid, v);
    else
      for (uint32_t i = 0; i < v->len; i++) add_generated(x, t, kid, v->u.seq->v[i].u.seq->v);
  }
}

/* The same as nodes */

static bool is_plain(const hx_part *part) {
  return !part->names && part->unknown.tag == HX_T_NONE && part->marked.tag == HX_T_NONE;
}

static hx_node *copy(expander *x, const hx_node *n, hx_node ***tail) {
  hx_node *to = HX_NEW(x->cx, hx_node);
  *to = *n;
  to->next = NULL;
  **tail = to;
  *tail = &to->next;
  return to;
}

static void add_attribute(expander *x, hx_expansion *in, const hx_node *attribute, hx_node ***tail) {
  hx_node *to = copy(x, attribute, tail), *first = attribute->u.attr.first;
  if (is_plain(&in->part)) return;
  hx_node *within = HX_NEW(x->cx, hx_node);
  *within = (hx_node){ .kind = HX_AST_WITHIN, .start = first->start, .stop = first->stop, .count = 1 };
  within->u.made.first = first;
  within->u.made.plan = &in->part;
  to->u.attr.first = within;
}

/* A BLOCK whose body follows its labels: the node that is the body's tree, which is filled later. */
static void add_block(expander *x, const hx_expanded_block *b, hx_node ***tail) {
  hx_node *to = copy(x, b->block, tail), **label = &to->u.block.first;
  hx_block_head *head = HX_NEW(x->cx, hx_block_head);
  *head = *b->block->u.block.head;
  head->type = b->type;
  head->type_range = b->type_range;
  to->u.block.head = head;
  to->flags |= HX_AST_GENERATED;
  to->count = b->nlabels + 1;
  for (uint32_t i = 0; i < b->nlabels; i++) {
    hx_node n = {
      .kind = HX_AST_LABEL, .flags = to->flags & HX_AST_JSON, .start = b->label_ranges[i].start, .stop = b->label_ranges[i].stop
    };
    n.u.text.p = b->labels[i].p;
    n.u.text.len = b->labels[i].len;
    copy(x, &n, &label);
  }
  *label = b->body->tree;
}

/* Attributes and blocks by turns, as they stand in the source. */
static void add_items(expander *x, hx_expansion *in) {
  const hx_node *n = in->body->u.kids.first;
  hx_node **tail = &in->tree->u.kids.first;
  for (uint32_t i = 0; n || i < in->nblocks;) {
    if (n && n->kind != HX_AST_ATTRIBUTE) {
      n = n->next;
      continue;
    }
    in->tree->count++;
    if (n && (i == in->nblocks || n->start < in->blocks[i].block->start)) {
      add_attribute(x, in, n, &tail);
      n = n->next;
    } else {
      add_block(x, &in->blocks[i++], &tail);
    }
  }
}

const hx_expansion *hx_expansion_make(hx_cx *cx, const hx_node *made, const hx_val *v) {
  expander x = { .cx = cx };
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_expansion *root = new_body(&x, made, v);
  while (x.tasks.n) {
    expand_task t = x.tasks.p[--x.tasks.n];
    expand(&x, &t);
    add_items(&x, t.out);
  }
  hx_arena_release(&cx->scratch, mark);
  return root;
}
