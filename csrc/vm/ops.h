/* ops.h: what operators do with any operands: conversion, null, unknown with refinements, marks, range and type errors.
** The machine handles two plain known operands itself (int with int first) and calls these for the rest.
** Memory: results in cx->arena.
** Errors: through hx_op_fault: which operand and why; the machine reports at that operand's range.
** Source: reference's BinaryOpExpr, UnaryOpExpr and the value operations behind them. */
#ifndef HX_VM_OPS_H
#define HX_VM_OPS_H

#include "syntax/ast.h"
#include "value/convert.h"
#include "value/equal.h"
#include "value/number.h"

typedef struct hx_op_fault {
  int operand;   /* 0 left (or only), 1 right, -1 the whole expression */
  hx_str text;   /* our words, no sensitive value */
} hx_op_fault;

/* HX_T_NONE: fault says what is wrong. For AND and OR the right operand is what the machine evaluated (see right_failed);
** short-circuit rules are the reference's. */
hx_val hx_op_binary(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_op_fault *fault);
hx_val hx_op_unary(hx_cx *cx, hx_op op, const hx_val *a, hx_op_fault *fault);
const char *hx_op_symbol(hx_op op);
const hx_type *hx_op_result_type(hx_op op);

#endif
