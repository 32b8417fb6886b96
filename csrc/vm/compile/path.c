/* path.c: compiles named values: constant paths, columns of loops, steps on values, indexes. */
#include "vm/compile/compiler.h"

#include "vm/access.h"
#include "vm/body_plan.h"
#include "vm/references.h"

/* This many of the latest paths or columns are searched for an equal one. The bound keeps huge sources linear. */
#define LOOK_BACK 64
#define MAX_COLUMNS 1000 /* a loop with this many columns gets no other one with steps, only the element itself */

/* Converts the steps before the first that a host can't follow (a fraction, true, false, null, or an index of more than 18 digits), and
** returns their number. The machine follows the others. */
static uint32_t path_steps(hx_compiler *c, const hx_step *steps, uint32_t n, hx_path_step **out) {
  hx_path_step *to = n ? HX_NEW_ARRAY(c->cx, hx_path_step, n) : NULL;
  uint32_t i = 0;
  for (; i < n; i++) {
    to[i] = (hx_path_step){ .kind = steps[i].kind };
    if (steps[i].kind == HX_STEP_ATTR || steps[i].kind == HX_STEP_KEY) to[i].name = (hx_str){ steps[i].text, steps[i].len };
    else if (steps[i].kind != HX_STEP_INDEX || !hx_step_number(&steps[i], &to[i].index)) break;
  }
  *out = to;
  return i;
}

static bool same_steps(const hx_path_step *a, uint32_t na, const hx_path_step *b, uint32_t nb) {
  if (na != nb) return false;
  for (uint32_t i = 0; i < na; i++)
    if (a[i].kind != b[i].kind || a[i].index != b[i].index || !hx_str_eq(a[i].name, b[i].name)) return false;
  return true;
}

/* Returns true if a value read for one consumer can serve another, and updates the form that both need. An open value has only one
** consumer. */
static bool share(uint8_t *shared, hx_want want) {
  if ((*shared == HX_WANT_OPEN) != (want == HX_WANT_OPEN)) return false;
  if (want == HX_WANT_WHOLE || (*shared == HX_WANT_SCALAR && want == HX_WANT_ARGUMENT)) *shared = (uint8_t)want;
  return true;
}

static uint32_t add_path(hx_compiler *c, hx_path *path) {
  uint32_t n = c->paths.n, from = n > LOOK_BACK ? n - LOOK_BACK : 0;
  for (uint32_t i = from; i < n; i++) {
    hx_path *p = &c->paths.p[i];
    if (!hx_str_eq(p->root, path->root)) continue;
    if (same_steps(p->steps, p->n, path->steps, path->n) && share(&p->want, (hx_want)path->want)) return i;
    path->root = p->root; /* share the text, so that a host recognises the name by its address */
  }
  *HX_VEC_PUSH(&c->cx->scratch, &c->paths) = *path;
  c->paths.p[n].id = n;
  return n;
}

int32_t hx_compile_column(hx_compiler *c, uint32_t loop, const hx_path_step *steps, uint32_t n, hx_want want) {
  hx_loop_plan *plan = &c->loops.p[loop];
  uint32_t from = n && plan->columns.n > LOOK_BACK ? plan->columns.n - LOOK_BACK : 0;
  for (uint32_t i = from; i < plan->columns.n; i++) {
    hx_column *x = &plan->columns.p[i];
    if (same_steps(x->steps, x->n, steps, n) && share(&x->want, want)) return (int32_t)i;
  }
  if (n && plan->columns.n >= MAX_COLUMNS) return -1;
  *HX_VEC_PUSH(&c->cx->scratch, &plan->columns) = (hx_column){ steps, n, (uint8_t)want };
  return (int32_t)plan->columns.n - 1;
}

/* Emits the element of a loop, with constant steps. The first `skip` steps of the node (the name) don't count. */
static void emit_element(hx_compiler *c, const hx_compile_task *t, uint32_t loop, uint32_t skip) {
  const hx_node *node = t->node;
  uint32_t total = node->kind == HX_AST_ITEM ? 0 : node->count - skip;
  hx_path_step *steps = NULL;
  uint32_t n = total ? path_steps(c, node->u.trav.steps + skip, total, &steps) : 0;
  int32_t column = hx_compile_column(c, loop, steps, n, n == total && t->want != HX_WANT_PART ? (hx_want)t->want : HX_WANT_OPEN);
  if (column < 0) {
    /* The loop has too many columns: take the steps from the element instead. */
    n = 0;
    column = hx_compile_column(c, loop, NULL, 0, HX_WANT_OPEN);
  }
  hx_emit(c, n ? HX_I_COLUMN : HX_I_ELEMENT, (uint16_t)column, loop, node, t->start);
  if (n < total) hx_emit(c, HX_I_STEPS, t->want, skip + n, node, t->start);
}

static void emit_key(hx_compiler *c, const hx_compile_task *t, uint32_t loop, uint32_t skip) {
  hx_emit(c, HX_I_LOOP_KEY, 0, loop, t->node, t->start);
  if (t->node->count > skip) hx_emit(c, HX_I_STEPS, 0, skip, t->node, t->start);
}

static void emit_path(hx_compiler *c, const hx_compile_task *t, hx_str root) {
  const hx_node *node = t->node;
  hx_path path = { .root = root, .range = hx_node_range(node), .node = node };
  path.n = path.follow = path_steps(c, node->u.trav.steps + 1, node->count - 1, &path.steps);
  bool whole = path.n == node->count - 1, part = whole && t->want == HX_WANT_PART;
  path.want = part || !whole ? HX_WANT_OPEN : t->want;
  hx_emit(c, path.want == HX_WANT_OPEN ? HX_I_PATH_OPEN : HX_I_PATH, part, add_path(c, &path), node, t->start);
  if (!whole) hx_emit(c, HX_I_STEPS, t->want, path.n + 1, node, t->start);
}

static uint32_t iterator_shape(hx_compiler *c) {
  *HX_VEC_PUSH(&c->cx->scratch, &c->shapes) = hx_iterator_shape(c->cx);
  return c->shapes.n - 1;
}

/* Emits the iterator of a `dynamic` block, an object with the attributes key and value. Usually the source reads only one of them. */
static void emit_iterator(hx_compiler *c, const hx_compile_task *t, uint32_t loop) {
  const hx_node *node = t->node;
  const hx_step *step = node->count > 1 ? &node->u.trav.steps[1] : NULL;
  if (step && (step->kind == HX_STEP_ATTR || step->kind == HX_STEP_KEY)) {
    hx_str name = { step->text, step->len };
    if (hx_str_eq(name, HX_STR("value"))) {
      emit_element(c, t, loop, 2);
      return;
    }
    if (hx_str_eq(name, HX_STR("key"))) {
      emit_key(c, t, loop, 2);
      return;
    }
  }
  hx_emit(c, HX_I_LOOP_KEY, 0, loop, node, t->start);
  hx_emit(c, HX_I_ELEMENT, (uint16_t)hx_compile_column(c, loop, NULL, 0, HX_WANT_WHOLE), loop, node, t->start);
  hx_emit_varying(c, HX_I_OBJECT, 0, iterator_shape(c), node, t->start, 2);
  if (step) hx_emit(c, HX_I_STEPS, t->want, 1, node, t->start);
}

static void emit_bound(hx_compiler *c, const hx_compile_task *t, uint32_t constant) {
  hx_emit(c, HX_I_CONST, 0, constant, t->node, t->start);
  if (t->node->count > 1) hx_emit(c, HX_I_STEPS, t->want, 1, t->node, t->start);
}

static bool names(const hx_compile_scope *s, hx_str root) {
  if (s->kind == HX_SCOPE_SPLAT) return false;
  return hx_str_eq(s->value, root) || (s->key.len && hx_str_eq(s->key, root));
}

void hx_compile_traversal(hx_compiler *c, hx_compile_task *t) {
  hx_str root = { t->node->u.trav.steps[0].text, t->node->u.trav.steps[0].len };
  const hx_compile_scope *s = c->scope;
  uint32_t looked = 0;
  for (; s && !names(s, root); s = s->outer) looked++;
  hx_charge_steps(c->cx, looked / HX_LOOPS_A_STEP);
  if (!s) emit_path(c, t, root);
  else if (s->kind == HX_SCOPE_BOUND) emit_bound(c, t, s->loop);
  else if (s->kind == HX_SCOPE_EACH) emit_iterator(c, t, s->loop);
  /* reference: in `for x, x in …` the value hides the key, because it is set last */
  else if (hx_str_eq(s->value, root)) emit_element(c, t, s->loop, 1);
  else emit_key(c, t, s->loop, 1);
  /* Arguments of the content get marks as a whole. The value of a label can't, so each iterator in it gets the marks of for_each. */
  if (c->label && s && s->kind == HX_SCOPE_EACH) hx_emit(c, HX_I_ARGUMENT_MARK, 0, s->loop, t->node, t->start);
  hx_compile_done(c);
}

static uint32_t splat_loop(const hx_compiler *c) {
  const hx_compile_scope *s = c->scope;
  while (s->kind != HX_SCOPE_SPLAT) s = s->outer;
  return s->loop;
}

void hx_compile_item(hx_compiler *c, hx_compile_task *t) {
  emit_element(c, t, splat_loop(c), 0);
  hx_compile_done(c);
}

void hx_compile_relative(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  if (node->u.trav.source->kind == HX_AST_ITEM) {
    emit_element(c, t, splat_loop(c), 0);
    hx_compile_done(c);
  } else if (t->phase == 0) {
    t->phase = 1;
    hx_compile_child(c, node->u.trav.source, HX_WANT_PART);
  } else {
    hx_emit(c, HX_I_STEPS, t->want, 0, node, t->start);
    hx_compile_done(c);
  }
}

void hx_compile_index(hx_compiler *c, hx_compile_task *t) {
  const hx_node *collection = t->node->u.kids.first;
  if (t->phase == 0) {
    t->phase = 1;
    hx_compile_child(c, collection, HX_WANT_PART);
  } else if (t->phase == 1) {
    t->phase = 2;
    hx_compile_child(c, collection->next, HX_WANT_WHOLE);
  } else {
    hx_emit(c, HX_I_INDEX, t->want, 0, t->node, t->start);
    hx_compile_done(c);
  }
}
