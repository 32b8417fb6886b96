/* ops.h: operators on any operands: conversion, null, unknown with refinements, marks, range and type errors.
** The machine handles the most common operands itself (vm/machine/fast.h), and calls these functions for the rest.
** Memory: results in cx->arena.
** Errors: hx_op_fault says which operand is wrong and why, and the result is HX_T_NONE. The machine reports at that
**   operand's range, and goes on with the unknown of hx_op_result_type.
** Source: reference's BinaryOpExpr, UnaryOpExpr and the value operations that they use. */
#ifndef HX_VM_OPS_H
#define HX_VM_OPS_H

#include "syntax/ast.h"
#include "value/convert/convert.h"
#include "value/equal.h"
#include "value/number/number.h"

typedef struct hx_op_fault {
  int operand;  /* 0: the left or only operand, 1: the right one, -1: the whole expression */
  hx_str text;  /* the message, without sensitive values */
  hx_str right; /* if both operands are wrong (operand is then 0): why the right one is, for a second diagnostic; otherwise empty */
} hx_op_fault;

/* Compute the result. If it is HX_T_NONE, *fault says why. Not for AND and OR. */
hx_val hx_op_binary(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_op_fault *fault);
hx_val hx_op_unary(hx_cx *cx, hx_op op, const hx_val *a, hx_op_fault *fault);

/* Decides && and ||: both operands are always evaluated, and *keep says whose diagnostics count. An operand "failed" if its evaluation
** reported errors; its value is then an unknown.
**   HX_KEEP_LEFT: the right operand's diagnostics are dropped. HX_KEEP_RIGHT: the left one's are.
** Errors of conversion keep both, and come before them. */
typedef enum hx_op_keep { HX_KEEP_BOTH, HX_KEEP_LEFT, HX_KEEP_RIGHT } hx_op_keep;
hx_val hx_op_logic(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, bool left_failed, bool right_failed, hx_op_keep *keep,
                   hx_op_fault *fault);

/* Checks the operands of an operator that isn't computed, because the evaluation of an operand failed. Returns false, with *fault, if an
** operand can't be converted. In both cases the result is the unknown of hx_op_result_type. Not for AND and OR. Unary: b is NULL. */
bool hx_op_check(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_op_fault *fault);

const char *hx_op_symbol(hx_op op);
const hx_type *hx_op_result_type(hx_op op);

#endif
