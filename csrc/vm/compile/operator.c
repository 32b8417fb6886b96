/* operator.c: compiles binary and unary operators, and conditionals. */
#include "vm/compile/compiler.h"

#include "value/number/number.h"

static const uint8_t codes[HX_OP_COUNT] = {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) [HX_OP_##id] = HX_I_##id,
#include "syntax/op_list.h"
#undef HX_OP
};

/* The instructions of operators whose right operand is constant. Operators that short-circuit have none. */
static const uint8_t fused[HX_OP_COUNT] = {
  [HX_OP_EQ] = HX_I_EQ_K,   [HX_OP_NE] = HX_I_NE_K,   [HX_OP_GT] = HX_I_GT_K,   [HX_OP_GE] = HX_I_GE_K,
  [HX_OP_LT] = HX_I_LT_K,   [HX_OP_LE] = HX_I_LE_K,   [HX_OP_ADD] = HX_I_ADD_K, [HX_OP_SUB] = HX_I_SUB_K,
  [HX_OP_MUL] = HX_I_MUL_K, [HX_OP_DIV] = HX_I_DIV_K, [HX_OP_MOD] = HX_I_MOD_K,
};

/* Operators on numbers with only one possible error: that the result doesn't exist. */
static hx_long_fn *const arithmetic[HX_OP_COUNT] = {
  [HX_OP_ADD] = hx_num_add, [HX_OP_SUB] = hx_num_sub, [HX_OP_MUL] = hx_num_mul, [HX_OP_DIV] = hx_num_div, [HX_OP_MOD] = hx_num_mod,
};

static bool is_logic(const hx_node *n) {
  return n->op == HX_OP_AND || n->op == HX_OP_OR;
}

/* If the code from `at` on is only one number constant, which nothing else uses, returns this constant; otherwise NULL. */
static hx_val *lone_number(const hx_compiler *c, uint32_t at) {
  const hx_instr *in = &c->code.p[at];
  if (c->code.n != at + 1 || in->op != HX_I_CONST || in->b + 1 != c->constants.n) return NULL;
  hx_val *v = &c->constants.p[in->b];
  return hx_is_number(v) ? v : NULL;
}

/* Compiles an operator with a constant right operand. Arithmetic on two constants is done now, as in 24 * 60 * 60, if it has an answer. */
static void compile_constant_right(hx_compiler *c, hx_compile_task *t, const hx_val *right) {
  hx_op op = (hx_op)t->node->op;
  hx_val *left = arithmetic[op] && hx_is_number(right) ? lone_number(c, t->start) : NULL;
  hx_val v = left ? arithmetic[op](c->cx, left, right) : hx_none();
  if (v.tag != HX_T_NONE) {
    *left = v;
    c->nodes.p[t->start] = t->node;
  } else {
    hx_emit(c, (hx_code)fused[op], 0, hx_compile_constant(c, right), t->node, t->start);
  }
  hx_compile_done(c);
}

/* Returns the form in which an operand is wanted. Only == and != accept collections. */
static hx_want operand_want(const hx_node *n) {
  return n->op == HX_OP_EQ || n->op == HX_OP_NE ? HX_WANT_WHOLE : HX_WANT_SCALAR;
}

void hx_compile_binary(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node, *left = node->u.kids.first, *right = left->next;
  if (t->phase == 0) {
    t->phase = 1;
    hx_compile_child(c, left, operand_want(node));
    return;
  }
  if (t->phase == 1) {
    hx_val v;
    if (!is_logic(node) && hx_constant_of(c, right, &v)) {
      compile_constant_right(c, t, &v);
      return;
    }
    t->phase = 2;
    t->mark = c->code.n;
    hx_compile_child(c, right, operand_want(node));
    return;
  }
  if (!is_logic(node) && lone_number(c, t->mark)) {
    hx_compile_task of_right = { .start = t->mark };
    compile_constant_right(c, t, hx_compile_fold(c, &of_right, 1));
    return;
  }
  hx_emit(c, (hx_code)codes[node->op], 0, is_logic(node) ? t->mark : 0, node, t->start);
  hx_compile_done(c);
}

void hx_compile_unary(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  hx_val v;
  if (t->phase == 0 && hx_constant_of(c, node, &v)) {
    hx_emit_constant(c, node, &v);
    hx_compile_done(c);
  } else if (t->phase == 0) {
    t->phase = 1;
    hx_compile_child(c, node->u.kids.first, HX_WANT_SCALAR);
  } else {
    hx_emit(c, (hx_code)codes[node->op], 0, 0, node, t->start);
    hx_compile_done(c);
  }
}

/* Compiles a conditional between two constants, which simply picks one; otherwise returns false. reference: both results are always
** evaluated, because the type and marks of the result not chosen are part of the answer; its diagnostics are not. Constants have neither
** marks nor diagnostics. */
static bool compile_pick(hx_compiler *c, hx_compile_task *t, const hx_node *yes) {
  hx_val a, b;
  if (!hx_constant_of(c, yes, &a) || !hx_constant_of(c, yes->next, &b)) return false;
  uint32_t first = hx_compile_constant(c, &a);
  hx_compile_constant(c, &b);
  hx_emit(c, HX_I_PICK, 0, first, t->node, t->start);
  hx_compile_done(c);
  return true;
}

void hx_compile_conditional(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node, *yes = node->u.kids.first->next;
  switch (t->phase) {
    case 0:
      t->phase = 1;
      hx_compile_child(c, node->u.kids.first, HX_WANT_WHOLE);
      return;
    case 1:
      hx_emit(c, HX_I_COND, 0, 0, node, t->start);
      if (compile_pick(c, t, yes)) return;
      t->phase = 2;
      t->mark = c->code.n;
      hx_compile_child(c, yes, HX_WANT_WHOLE);
      return;
    case 2:
      t->phase = 3;
      t->count = c->code.n;
      hx_compile_child(c, yes->next, HX_WANT_WHOLE);
      return;
    default:
      *HX_VEC_PUSH(&c->cx->scratch, &c->choices) = (hx_choice_plan){ .yes = t->mark, .no = t->count };
      hx_emit(c, HX_I_CHOOSE, 0, c->choices.n - 1, node, t->start);
      hx_compile_done(c);
  }
}
