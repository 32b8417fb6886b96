/* compiler.c: emits instructions, makes constants, runs the tasks, and finishes the tables. Each kind of construct has its own file in this
** folder. */
#include "vm/compile/compiler.h"

#include "syntax/json.h"
#include "value/number/number.h"

const hx_code_info hx_codes[HX_I_COUNT] = {
#define HX_CODE(id, effect, operand, slow) [HX_I_##id] = { #id, effect, HX_ON_##operand },
#include "vm/compile/opcode_list.h"
#undef HX_CODE
};

/* Emission */

static void move_depth(hx_compiler *c, int64_t by) {
  HX_ASSERT((int64_t)c->depth + by >= 0);
  c->depth = (uint32_t)((int64_t)c->depth + by);
  if (c->depth > c->max_depth) c->max_depth = c->depth;
}

static uint32_t append(hx_compiler *c, hx_code op, uint16_t a, uint32_t b, const hx_node *node, uint32_t start) {
  hx_arena *scratch = &c->cx->scratch;
  *HX_VEC_PUSH(scratch, &c->code) = (hx_instr){ (uint16_t)op, a, b };
  *HX_VEC_PUSH(scratch, &c->nodes) = node;
  *HX_VEC_PUSH(scratch, &c->starts) = start;
  return c->code.n - 1;
}

uint32_t hx_emit(hx_compiler *c, hx_code op, uint16_t a, uint32_t b, const hx_node *node, uint32_t start) {
  HX_ASSERT(hx_codes[op].effect != HX_VARIES);
  move_depth(c, hx_codes[op].effect);
  return append(c, op, a, b, node, start);
}

uint32_t hx_emit_varying(hx_compiler *c, hx_code op, uint16_t a, uint32_t b, const hx_node *node, uint32_t start, uint32_t takes) {
  HX_ASSERT(hx_codes[op].effect == HX_VARIES);
  move_depth(c, 1 - (int64_t)takes);
  return append(c, op, a, b, node, start);
}

/* Constants */

uint32_t hx_compile_constant(hx_compiler *c, const hx_val *v) {
  *HX_VEC_PUSH(&c->cx->scratch, &c->constants) = *v;
  return c->constants.n - 1;
}

/* Sets *out to the value of a literal. Returns false if n isn't a literal, or if its evaluation may fail. */
static bool literal_of(hx_compiler *c, const hx_node *n, hx_val *out) {
  hx_str text = hx_node_text(n);
  if (n->flags & HX_AST_UNREAD) return false;
  if (n->kind == HX_AST_NUMBER) {
    *out = hx_num_parse(c->cx, text);
    return out->tag != HX_T_NONE;
  }
  if (n->kind == HX_AST_STRING || n->kind == HX_AST_TEXT) *out = hx_string(text);
  else if (n->kind == HX_AST_BOOL) *out = hx_bool(n->op != 0);
  else if (n->kind == HX_AST_NULL) *out = hx_null(&hx_type_dynamic);
  else return false;
  return true;
}

bool hx_constant_of(hx_compiler *c, const hx_node *n, hx_val *out) {
  bool negate = false;
  while (n->kind == HX_AST_PARENS || n->kind == HX_AST_WRAP || (n->kind == HX_AST_UNARY && n->op == HX_OP_NEG && !negate)) {
    if (n->kind == HX_AST_UNARY) negate = true;
    n = n->u.kids.first;
  }
  if (negate && n->kind != HX_AST_NUMBER) return false;
  if (!literal_of(c, n, out)) return false;
  if (negate) *out = hx_num_neg(c->cx, out);
  return true;
}

void hx_emit_constant(hx_compiler *c, const hx_node *n, const hx_val *v) {
  hx_emit(c, HX_I_CONST, 0, hx_compile_constant(c, v), n, c->code.n);
}

const hx_val *hx_compile_fold(hx_compiler *c, const hx_compile_task *t, uint32_t n) {
  uint32_t first = c->constants.n - n;
  if (!n || c->code.n - t->start != n) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    const hx_instr *in = &c->code.p[t->start + i];
    if (in->op != HX_I_CONST || in->b != first + i) return NULL;
  }
  hx_val *v = HX_NEW_ARRAY(c->cx, hx_val, n);
  memcpy(v, c->constants.p + first, n * sizeof *v);
  c->constants.n = first;
  c->code.n = c->nodes.n = c->starts.n = t->start;
  move_depth(c, -(int64_t)n);
  return v;
}

/* Tasks */

void hx_compile_child(hx_compiler *c, const hx_node *n, hx_want want) {
  *HX_VEC_PUSH(&c->cx->scratch, &c->tasks) = (hx_compile_task){ .node = n, .start = c->code.n, .want = (uint8_t)want };
}

bool hx_compile_next(hx_compiler *c, hx_compile_task *t) {
  const hx_node *kid = t->kid;
  if (!kid) return false;
  t->kid = kid->next;
  hx_compile_child(c, kid, HX_WANT_WHOLE);
  return true;
}

/* Returns true if the node's value is recorded. Constants, and nodes that only wrap others, have no record of their own. */
static bool is_recorded(const hx_node *n) {
  static const bool wanted[HX_AST_COUNT] = {
    [HX_AST_TEMPLATE] = true, [HX_AST_JOIN] = true,   [HX_AST_TRAVERSAL] = true,   [HX_AST_RELATIVE] = true, [HX_AST_INDEX] = true,
    [HX_AST_SPLAT] = true,    [HX_AST_CALL] = true,   [HX_AST_CONDITIONAL] = true, [HX_AST_BINARY] = true,   [HX_AST_UNARY] = true,
    [HX_AST_TUPLE] = true,    [HX_AST_OBJECT] = true, [HX_AST_FOR] = true,
  };
  return wanted[n->kind];
}

void hx_compile_done(hx_compiler *c) {
  const hx_compile_task *t = &c->tasks.p[c->tasks.n - 1];
  if (c->p->records && is_recorded(t->node)) hx_emit(c, HX_I_RECORD, 0, 0, t->node, t->start);
  c->tasks.n--;
}

static void compile_literal(hx_compiler *c, hx_compile_task *t) {
  hx_val v;
  if (t->node->flags & HX_AST_UNREAD) {
    t->node = hx_json_template(c->cx, c->p->source, t->node);
    return;
  }
  if (literal_of(c, t->node, &v)) hx_emit_constant(c, t->node, &v);
  else hx_emit(c, HX_I_BROKEN, 0, 0, t->node, t->start);
  hx_compile_done(c);
}

/* Replaces the task by one for the inner node: parentheses and "${x}" give the value of x itself. */
static void compile_inner(hx_compiler *c, hx_compile_task *t) {
  (void)c;
  t->node = t->node->u.kids.first;
}

static void compile_broken(hx_compiler *c, hx_compile_task *t) {
  hx_emit(c, HX_I_BROKEN, 0, 0, t->node, t->start);
  hx_compile_done(c);
}

static hx_compile_fn *const handlers[HX_AST_COUNT] = {
  [HX_AST_NUMBER] = compile_literal,       [HX_AST_BOOL] = compile_literal,       [HX_AST_NULL] = compile_literal,
  [HX_AST_STRING] = compile_literal,       [HX_AST_TEXT] = compile_literal,       [HX_AST_TEMPLATE] = hx_compile_template,
  [HX_AST_WRAP] = compile_inner,           [HX_AST_JOIN] = hx_compile_join,       [HX_AST_TRAVERSAL] = hx_compile_traversal,
  [HX_AST_RELATIVE] = hx_compile_relative, [HX_AST_INDEX] = hx_compile_index,     [HX_AST_SPLAT] = hx_compile_splat,
  [HX_AST_ITEM] = hx_compile_item,         [HX_AST_CALL] = hx_compile_call,       [HX_AST_CONDITIONAL] = hx_compile_conditional,
  [HX_AST_BINARY] = hx_compile_binary,     [HX_AST_UNARY] = hx_compile_unary,     [HX_AST_TUPLE] = hx_compile_tuple,
  [HX_AST_OBJECT] = hx_compile_object,     [HX_AST_KEY] = hx_compile_key,         [HX_AST_FOR] = hx_compile_for,
  [HX_AST_PARENS] = compile_inner,         [HX_AST_BROKEN] = compile_broken,      [HX_AST_BODY] = compile_broken,
  [HX_AST_ATTRIBUTE] = compile_broken,     [HX_AST_BLOCK] = compile_broken,       [HX_AST_LABEL] = compile_broken,
  [HX_AST_EXPANDED] = hx_compile_expanded, [HX_AST_DECODED] = hx_compile_decoded, [HX_AST_ARGUMENT] = hx_compile_argument,
  [HX_AST_NESTED] = hx_compile_nested,     [HX_AST_EACH] = hx_compile_each,       [HX_AST_FAULT] = hx_compile_fault,
  [HX_AST_WITHIN] = hx_compile_within,
};

/* Copies the finished tables into the program's arena. */

static void *keep(hx_compiler *c, const void *from, size_t n, size_t size) {
  if (!n) return NULL;
  void *to = hx_alloc_array(c->cx, n, size);
  memcpy(to, from, n * size);
  return to;
}

static void keep_columns(hx_compiler *c, hx_loop_plan *plan) {
  plan->columns.p = keep(c, plan->columns.p, plan->columns.n, sizeof *plan->columns.p);
}

static void finish(hx_compiler *c) {
  hx_program *p = c->p;
  p->code = keep(c, c->code.p, c->code.n, sizeof *c->code.p);
  p->ncode = c->code.n;
  p->starts = keep(c, c->starts.p, c->starts.n, sizeof *c->starts.p);
  p->nodes = keep(c, c->nodes.p, c->nodes.n, sizeof *c->nodes.p);
  /* Each count is set after its array, because an abort may free a half-made program by its counts. */
  p->constants = keep(c, c->constants.p, c->constants.n, sizeof *c->constants.p);
  p->nconstants = c->constants.n;
  p->paths = keep(c, c->paths.p, c->paths.n, sizeof *c->paths.p);
  p->npaths = c->paths.n;
  p->calls = keep(c, c->calls.p, c->calls.n, sizeof *c->calls.p);
  p->ncalls = c->calls.n;
  p->loops = keep(c, c->loops.p, c->loops.n, sizeof *c->loops.p);
  p->nloops = c->loops.n;
  for (uint32_t i = 0; i < p->nloops; i++) keep_columns(c, &p->loops[i]);
  p->shapes = keep(c, c->shapes.p, c->shapes.n, sizeof *c->shapes.p);
  p->nshapes = c->shapes.n;
  p->templates = keep(c, c->templates.p, c->templates.n, sizeof *c->templates.p);
  p->ntemplates = c->templates.n;
  p->choices = keep(c, c->choices.p, c->choices.n, sizeof *c->choices.p);
  p->nchoices = c->choices.n;
  p->max_stack = c->max_depth;
  p->constant = p->npaths == 0 && p->ncalls == 0;
  if (!p->npaths) return;
  p->path_caches = HX_NEW_ARRAY(c->cx, hx_path_cache, p->npaths);
  for (uint32_t i = 0; i < p->npaths; i++) p->path_caches[i] = (hx_path_cache){ 0 };
}

static void compile(hx_compiler *c, const hx_node *root) {
  hx_compile_child(c, root, HX_WANT_WHOLE);
  while (c->tasks.n) {
    hx_compile_task *t = &c->tasks.p[c->tasks.n - 1];
    handlers[t->node->kind](c, t);
  }
}

#ifdef HX_TEST
hx_check_code *_Atomic hx_compile_check;
#endif

static void end(hx_compiler *c, const hx_node *root) {
  hx_emit(c, HX_I_END, 0, 0, root, 0);
  HX_ASSERT(c->depth == 0);
  finish(c);
#ifdef HX_TEST
  hx_check_code *check = hx_compile_check;
  HX_ASSERT(!check || !check(c->p));
#endif
}

void hx_compile(hx_program *p, const hx_node *root) {
  hx_compiler c = { .cx = &p->cx, .p = p };
  hx_arena_mark mark = hx_arena_get_mark(&p->cx.scratch);
  compile(&c, root);
  end(&c, root);
  hx_arena_release(&p->cx.scratch, mark);
}
