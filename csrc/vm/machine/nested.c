/* nested.c: combines all blocks of one type into one value, as hx_nesting says. If labels have no names (decoding without a
** schema), each label becomes a level of objects around the block. */
#include "vm/machine/parts.h"

#include "text/source.h"
#include "value/marks.h"
#include "vm/body_plan.h"

#define NO_ENTRY UINT32_MAX

/* A block: a static one, or one that a `dynamic` block generated. */
typedef struct entry {
  const hx_str *names;  /* the labels of a static block */
  const hx_val *labels; /* the labels of a generated block */
  const hx_val *body;
  hx_range at;   /* the block's type in the source, for messages */
  uint32_t next; /* the next entry with the same labels so far */
} entry;

typedef struct grouping {
  hx_machine *m;
  const hx_nested_plan *plan;
  entry *entries;
  uint32_t n, nlabels;
  bool generated; /* a `dynamic` block generated some of the entries */
} grouping;

static hx_str label_of(const entry *e, uint32_t i) {
  HX_ASSERT(e->names || e->labels);
  return e->names ? e->names[i] : hx_val_str(&e->labels[i]);
}

static void add_static(grouping *g, const hx_node *node, const hx_val *v) {
  const hx_entry_plan *plan = hx_plan_of(node);
  g->nlabels = plan->nlabels;
  g->entries[g->n++] = (entry){ .names = plan->labels, .body = v, .at = plan->block->u.block.head->type_range };
}

/* Returns true if the node is a `dynamic` block, and v has the blocks that it generated. */
static bool has_generated(const hx_node *node, const hx_val *v) {
  return node->kind == HX_AST_EACH && !((const hx_each_plan *)hx_plan_of(node))->check && v->tag == HX_T_TUPLE;
}

static void add_generated(grouping *g, const hx_node *node, const hx_val *blocks) {
  const hx_each_plan *plan = hx_plan_of(node);
  g->nlabels = plan->nlabels;
  g->generated = true;
  for (uint32_t i = 0; i < blocks->len; i++) {
    hx_each_entry made = hx_each_entry_of(plan, blocks->u.seq->v[i].u.seq->v);
    g->entries[g->n++] = (entry){ .labels = made.labels, .body = made.content, .at = plan->type_range };
  }
}

static uint64_t count(const hx_node *group, const hx_val *v) {
  uint64_t n = 0;
  for (const hx_node *kid = group->u.made.first; kid; kid = kid->next, v++) {
    if (kid->kind == HX_AST_DECODED) n++;
    else if (has_generated(kid, v)) n += v->len;
  }
  return n;
}

static void collect(grouping *g, const hx_node *group, const hx_val *v) {
  uint64_t n = count(group, v);
  hx_charge_memory(&g->m->cx, n * sizeof(entry));
  g->entries = HX_NEW_ARRAY(&g->m->cx, entry, n);
  for (const hx_node *kid = group->u.made.first; kid; kid = kid->next, v++) {
    if (kid->kind == HX_AST_DECODED) add_static(g, kid, v);
    else if (has_generated(kid, v)) add_generated(g, kid, v);
  }
}

static void report(grouping *g, hx_diag_id id, hx_range at, uint32_t number) {
  const hx_nested_plan *plan = g->plan;
  hx_diag_add(&g->m->cx, id, g->m->program->source, at, HX_STR_ARG(plan->type), number);
}

static bool check_bounds(grouping *g) {
  const hx_nested_plan *plan = g->plan;
  if (g->n < plan->min) report(g, HX_D_BODY_TOO_FEW, plan->missing, plan->min);
  else if (g->n > plan->max) report(g, HX_D_BODY_TOO_MANY, g->entries[plan->max].at, plan->max);
  else return true;
  return false;
}

/* Returns the body of a block. Labels that have names become arguments of the body. */

static hx_val with_labels(grouping *g, const entry *e) {
  const hx_val *body = e->body;
  if (!g->plan->labels || body->tag != HX_T_OBJECT) return *body;
  hx_obj_builder b;
  hx_obj_builder_init(&b, &g->m->cx, body->len + g->nlabels);
  for (uint32_t i = 0; i < g->nlabels; i++) *hx_obj_builder_put(&b, g->plan->labels[i]) = hx_string(label_of(e, i));
  for (uint32_t i = 0; i < body->len; i++) *hx_obj_builder_put(&b, body->u.obj->shape->keys[i]) = body->u.obj->v[i];
  return hx_obj_builder_object(&b);
}

/* Returns the blocks from entry `first` on as a tuple, each with its named labels. */
static hx_val list_of(grouping *g, uint32_t first, uint32_t n) {
  hx_val *v = HX_NEW_ARRAY(&g->m->cx, hx_val, n);
  uint32_t to = 0;
  for (uint32_t i = first; i != NO_ENTRY; i = g->entries[i].next) v[to++] = with_labels(g, &g->entries[i]);
  return hx_tuple(&g->m->cx, v, to);
}

static hx_val set_of(grouping *g, uint32_t first, uint32_t n) {
  hx_cx *cx = &g->m->cx;
  hx_val list = list_of(g, first, n), out;
  const hx_type **types = HX_NEW_ARRAY(cx, const hx_type *, n);
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) types[i] = hx_val_type(cx, &list.u.seq->v[i]);
  const hx_type *elem = hx_unify(cx, types, n, false);
  for (uint32_t i = 0; i < n; i++) {
    if (elem && hx_unified(cx, &list.u.seq->v[i], types, n, elem, &out)) {
      v[i] = out;
      continue;
    }
    report(g, HX_D_BODY_SET_TYPES, g->entries[i].at, 0);
    return hx_unknown_dynamic;
  }
  return hx_set(cx, elem, v, n);
}

static void report_same(grouping *g, const entry *first) {
  hx_cx *cx = &g->m->cx;
  const hx_source *src = g->m->program->source;
  hx_str place = HX_STR("");
  if (!hx_is_silent(cx)) place = hx_source_line_text(cx, src, first->at.start);
  hx_diag_add(cx, HX_D_BODY_SAME_LABELS, src, g->entries[first->next].at, HX_STR_ARG(g->plan->type), HX_STR_ARG(place));
}

static hx_val only(grouping *g, uint32_t first) {
  const entry *e = &g->entries[first];
  if (e->next != NO_ENTRY) report_same(g, e);
  return *e->body;
}

/* The blocks that share a label, which become one attribute of an object. by_label recurses once for each label that a block has. */
typedef struct bucket {
  uint32_t first, last, n;
} bucket;

static hx_val by_label(grouping *g, uint32_t level, uint32_t first, uint32_t n) {
  hx_cx *cx = &g->m->cx;
  hx_obj_builder b;
  hx_stack_check();
  if (level == g->nlabels) return g->plan->nesting == HX_NESTING_MAP ? only(g, first) : list_of(g, first, n);
  bucket *buckets = HX_NEW_ARRAY(cx, bucket, n);
  uint32_t nbuckets = 0;
  hx_obj_builder_init(&b, cx, n);
  for (uint32_t i = first, next; i != NO_ENTRY; i = next) {
    next = g->entries[i].next;
    g->entries[i].next = NO_ENTRY;
    uint32_t at = hx_obj_builder_index(&b, label_of(&g->entries[i], level));
    if (at == nbuckets) {
      buckets[nbuckets++] = (bucket){ i, i, 1 };
      continue;
    }
    bucket *k = &buckets[at];
    g->entries[k->last].next = i;
    k->last = i;
    k->n++;
  }
  for (uint32_t i = 0; i < b.n; i++) b.v[i] = by_label(g, level + 1, buckets[i].first, buckets[i].n);
  return hx_obj_builder_object(&b);
}

static hx_val grouped(grouping *g) {
  if (g->plan->nesting == HX_NESTING_SINGLE) return g->n ? with_labels(g, &g->entries[0]) : hx_none();
  if (g->n == 0) return g->plan->nesting == HX_NESTING_MAP ? hx_empty_object : hx_empty_tuple;
  for (uint32_t i = 0; i < g->n; i++) g->entries[i].next = i + 1 < g->n ? i + 1 : NO_ENTRY;
  if (g->plan->nesting == HX_NESTING_SET) return set_of(g, 0, g->n);
  if (g->plan->nesting == HX_NESTING_LIST && g->plan->labels) return list_of(g, 0, g->n);
  hx_check_depth(&g->m->cx, g->nlabels);
  return by_label(g, 0, 0, g->n);
}

hx_went hx_slow_nested(hx_machine *m, const hx_instr *in) {
  const hx_node *node = hx_machine_node(m);
  grouping g = { .m = m, .plan = hx_plan_of(node) };
  collect(&g, node, m->top - in->b);
  hx_val v = hx_unknown_dynamic;
  bool open = g.generated && m->host->check; /* how many blocks are generated depends on data */
  if (!open && check_bounds(&g)) v = grouped(&g);
  hx_machine_put(m, in->b, v);
  return HX_WENT_ON;
}
