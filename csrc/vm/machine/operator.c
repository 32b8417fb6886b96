/* operator.c: executes operators on operands that the main loop doesn't handle itself. vm/ops.h does the work; this file adds places and
** errors. */
#include "vm/machine/parts.h"

#include "vm/ops.h"

static const uint8_t op_of[HX_I_COUNT] = {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) [HX_I_##id] = HX_OP_##id,
#include "syntax/op_list.h"
#undef HX_OP
  [HX_I_ADD_K] = HX_OP_ADD, [HX_I_SUB_K] = HX_OP_SUB, [HX_I_MUL_K] = HX_OP_MUL, [HX_I_DIV_K] = HX_OP_DIV,
  [HX_I_MOD_K] = HX_OP_MOD, [HX_I_EQ_K] = HX_OP_EQ,   [HX_I_NE_K] = HX_OP_NE,   [HX_I_LT_K] = HX_OP_LT,
  [HX_I_LE_K] = HX_OP_LE,   [HX_I_GT_K] = HX_OP_GT,   [HX_I_GE_K] = HX_OP_GE,
};

static void report(hx_machine *m, const hx_node *at, const hx_node *whole, hx_diag_id id, hx_str text) {
  hx_diag *d = hx_report_at(m, id, hx_node_range(at), text);
  d->context = hx_node_range(whole);
}

static void report_fault(hx_machine *m, const hx_op_fault *fault) {
  const hx_node *node = hx_machine_node(m), *left = node->u.kids.first;
  if (fault->operand < 0) {
    report(m, node, node, HX_D_OPERATOR_FAILED, fault->text);
    return;
  }
  report(m, fault->operand == 0 ? left : left->next, node, HX_D_OPERATOR_OPERAND, fault->text);
  if (fault->right.len) report(m, left->next, node, HX_D_OPERATOR_OPERAND, fault->right);
}

/* Returns the result if an operand failed. reference: an unknown of the operator's type, with the marks of both operands. */
static hx_val unknown_of(hx_machine *m, hx_op op, const hx_val *a, const hx_val *b) {
  if (HX_LIKELY(a->tag != HX_T_MARKED && (!b || b->tag != HX_T_MARKED))) return hx_unknown(&m->cx, hx_op_result_type(op));
  const hx_marks *marks = hx_marks_join(&m->cx, hx_marks_get(a), b ? hx_marks_get(b) : NULL);
  return hx_mark(&m->cx, hx_unknown(&m->cx, hx_op_result_type(op)), marks);
}

hx_went hx_slow_binary(hx_machine *m, const hx_instr *in) {
  hx_op op = (hx_op)op_of[in->op];
  bool fused = hx_codes[in->op].operand == HX_ON_CONST;
  const hx_val *b = fused ? &m->program->constants[in->b] : m->top - 1;
  const hx_val *a = fused ? m->top - 1 : m->top - 2;
  hx_op_fault fault;
  hx_val v;
  if (hx_operands_failed(m)) {
    v = unknown_of(m, op, a, b);
    if (!hx_op_check(&m->cx, op, a, b, &fault)) {
      report_fault(m, &fault);
      v = hx_unknown(&m->cx, hx_op_result_type(op));
    }
  } else {
    v = hx_op_binary(&m->cx, op, a, b, &fault);
    if (v.tag == HX_T_NONE) {
      report_fault(m, &fault);
      v = hx_unknown(&m->cx, hx_op_result_type(op));
    }
  }
  hx_machine_put(m, fused ? 1 : 2, v);
  return HX_WENT_ON;
}

hx_went hx_slow_logic(hx_machine *m, const hx_instr *in) {
  hx_op op = (hx_op)op_of[in->op];
  uint32_t start = m->program->starts[m->pc], middle = in->b;
  bool left_failed = false, right_failed = false;
  if (m->cx.diags.errors) {
    left_failed = hx_errors_any(m, start, middle);
    right_failed = hx_errors_any(m, middle, m->pc);
  }
  hx_op_keep keep;
  hx_op_fault fault;
  hx_val v = hx_op_logic(&m->cx, op, m->top - 2, m->top - 1, left_failed, right_failed, &keep, &fault);
  if (v.tag == HX_T_NONE) {
    report_fault(m, &fault);
    v = hx_unknown(&m->cx, &hx_type_bool);
  }
  if (m->host->check) keep = HX_KEEP_BOTH;
  if (keep == HX_KEEP_LEFT && right_failed) hx_errors_drop(m, middle, m->pc);
  if (keep == HX_KEEP_RIGHT && left_failed) hx_errors_drop(m, start, middle);
  hx_machine_put(m, 2, v);
  return HX_WENT_ON;
}

hx_went hx_slow_unary(hx_machine *m, const hx_instr *in) {
  hx_op op = (hx_op)op_of[in->op];
  const hx_val *a = m->top - 1;
  hx_op_fault fault;
  hx_val v = hx_none();
  if (hx_operands_failed(m)) {
    if (!hx_op_check(&m->cx, op, a, NULL, &fault)) report_fault(m, &fault);
  } else {
    v = hx_op_unary(&m->cx, op, a, &fault);
    if (v.tag == HX_T_NONE) report_fault(m, &fault);
  }
  if (v.tag == HX_T_NONE) v = hx_unknown(&m->cx, hx_op_result_type(op));
  hx_machine_put(m, 1, v);
  return HX_WENT_ON;
}
