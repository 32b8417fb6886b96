/* loop.c: compiles each `for` expression and splat to one loop with columns.
**
**   FOR or SPLAT   takes the collection
**   ROWS           only where the collection is FOREIGN; others start at the body
**   body:          [condition FOR_IF] [key FOR_KEY] value FOR_APPEND, FOR_PUT, FOR_GROUP or SPLAT_APPEND
**   end: */
#include "vm/compile/compiler.h"

uint32_t hx_compile_loop_new(hx_compiler *c, const hx_node *node, hx_loop_kind kind) {
  bool has_if = kind <= HX_LOOP_GROUP && (node->flags & HX_AST_HAS_COND);
  *HX_VEC_PUSH(&c->cx->scratch, &c->loops) = (hx_loop_plan){ .node = node, .kind = (uint8_t)kind, .has_if = has_if };
  return c->loops.n - 1;
}

void hx_compile_loop_begin(hx_compiler *c, uint32_t loop, hx_code op, const hx_compile_task *t, hx_compile_scope scope) {
  hx_compile_scope *s = hx_arena_alloc(&c->cx->scratch, sizeof *s);
  hx_emit(c, op, 0, loop, t->node, t->start);
  c->loops.p[loop].rows = hx_emit(c, HX_I_ROWS, 0, loop, t->node, t->start);
  c->loops.p[loop].body = c->code.n;
  *s = scope;
  s->outer = c->scope;
  s->loop = loop;
  c->scope = s;
}

void hx_compile_loop_end(hx_compiler *c, uint32_t loop) {
  c->loops.p[loop].end = c->code.n;
  c->scope = c->scope->outer;
}

static void end_body(hx_compiler *c, const hx_compile_task *t, hx_code op) {
  hx_emit(c, op, 0, t->mark, t->node, t->start);
  hx_compile_loop_end(c, t->mark);
  hx_compile_done(c);
}

static hx_loop_kind kind_of(const hx_node *n) {
  if (!(n->flags & HX_AST_HAS_KEY)) return HX_LOOP_TUPLE;
  return n->flags & HX_AST_GROUP ? HX_LOOP_GROUP : HX_LOOP_OBJECT;
}

/* Returns child i of a FOR. The order is: collection [key] value [condition]. */
static const hx_node *child(const hx_node *node, uint32_t i) {
  const hx_node *n = node->u.loop.first;
  while (i--) n = n->next;
  return n;
}

enum { COLLECTION, CONDITION, KEY, VALUE, LAST };

static void compile_condition(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  const hx_loop *names = node->u.loop.names;
  hx_compile_loop_begin(c, t->mark, HX_I_FOR, t,
                        (hx_compile_scope){ .key = names->key, .value = names->value, .kind = HX_SCOPE_FOR });
  t->phase = KEY;
  t->count = c->code.n;
  if (node->flags & HX_AST_HAS_COND) hx_compile_child(c, child(node, node->flags & HX_AST_HAS_KEY ? 3 : 2), HX_WANT_WHOLE);
}

static void compile_key(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  if (node->flags & HX_AST_HAS_COND) hx_emit(c, HX_I_FOR_IF, 0, t->mark, node, t->count);
  t->phase = VALUE;
  t->count = c->code.n;
  if (node->flags & HX_AST_HAS_KEY) hx_compile_child(c, child(node, 1), HX_WANT_WHOLE);
}

static void compile_value(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  bool keyed = (node->flags & HX_AST_HAS_KEY) != 0;
  if (keyed) hx_emit(c, HX_I_FOR_KEY, 0, t->mark, node, t->count);
  t->phase = LAST;
  hx_compile_child(c, child(node, keyed ? 2 : 1), HX_WANT_WHOLE);
}

void hx_compile_for(hx_compiler *c, hx_compile_task *t) {
  static const uint8_t last[] = {
    [HX_LOOP_TUPLE] = HX_I_FOR_APPEND,
    [HX_LOOP_OBJECT] = HX_I_FOR_PUT,
    [HX_LOOP_GROUP] = HX_I_FOR_GROUP,
  };
  switch (t->phase) {
    case COLLECTION:
      t->phase = CONDITION;
      t->mark = hx_compile_loop_new(c, t->node, kind_of(t->node));
      hx_compile_child(c, child(t->node, 0), HX_WANT_OPEN);
      return;
    case CONDITION: compile_condition(c, t); return;
    case KEY: compile_key(c, t); return;
    case VALUE: compile_value(c, t); return;
    default: end_body(c, t, (hx_code)last[kind_of(t->node)]);
  }
}

void hx_compile_splat(hx_compiler *c, hx_compile_task *t) {
  const hx_node *source = t->node->u.kids.first;
  if (t->phase == 0) {
    t->phase = 1;
    t->mark = hx_compile_loop_new(c, t->node, HX_LOOP_SPLAT);
    hx_compile_child(c, source, HX_WANT_OPEN);
  } else if (t->phase == 1) {
    t->phase = 2;
    hx_compile_loop_begin(c, t->mark, HX_I_SPLAT, t, (hx_compile_scope){ .kind = HX_SCOPE_SPLAT });
    hx_compile_child(c, source->next, HX_WANT_WHOLE);
  } else {
    end_body(c, t, HX_I_SPLAT_APPEND);
  }
}
