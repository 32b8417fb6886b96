/* ops.c: computes the results of operators on values, and says why some are rejected. */
#include "vm/ops.h"

#include "value/render.h"
#include "vm/outline.h"

/* The columns of op_list.h as types: operands and result of an operator. */
#define ROW_NUMBER &hx_type_number
#define ROW_BOOL &hx_type_bool
#define ROW_DYNAMIC &hx_type_dynamic

typedef struct op_row {
  const char *symbol;
  const hx_type *arg, *result;
} op_row;

static const op_row rows[HX_OP_COUNT] = {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) [HX_OP_##id] = { sym, ROW_##arg, ROW_##result },
#include "syntax/op_list.h"
#undef HX_OP
};

const char *hx_op_symbol(hx_op op) {
  return rows[op].symbol;
}

const hx_type *hx_op_result_type(hx_op op) {
  return rows[op].result;
}

/* Operators on ready operands: converted, unmarked, and not null except for equality. HX_T_NONE: the operation has no answer for these
** numbers. */

static hx_val unknown_bool(hx_cx *cx) {
  return hx_unknown_not_null(cx, &hx_type_bool);
}

static bool is_false(const hx_val *v) {
  return v->tag == HX_T_BOOL && !v->u.i;
}

static hx_val negate_bool(hx_cx *cx, const hx_val *v) {
  return v->tag == HX_T_BOOL ? hx_bool(!v->u.i) : unknown_bool(cx);
}

/* Returns whether a < b. reference: Value.LessThan. If an operand is unknown, the bounds may decide; whether they are inclusive is
** ignored. */
static hx_val less(hx_cx *cx, const hx_val *a, const hx_val *b) {
  if (!hx_is_unknown(a) && !hx_is_unknown(b)) return hx_bool(hx_num_less(cx, a, b));
  hx_val amin, amax, bmin, bmax;
  bool inclusive;
  hx_bounds_of(a, &amin, &inclusive, &amax, &inclusive);
  hx_bounds_of(b, &bmin, &inclusive, &bmax, &inclusive);
  if (amax.tag != HX_T_NONE && bmin.tag != HX_T_NONE && hx_num_cmp(&amax, &bmin) < 0) return hx_bool(true);
  if (amin.tag != HX_T_NONE && bmax.tag != HX_T_NONE && hx_num_cmp(&amin, &bmax) > 0) return hx_bool(false);
  return unknown_bool(cx);
}

/* Returns whether a <= b. reference: LessThanOrEqualTo joins "less" and "equal" by Or, so either alone may decide. */
static hx_val less_or_equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_val below = less(cx, a, b);
  if (hx_is_true(&below)) return below;
  hx_val same = hx_equal(cx, a, b);
  if (hx_is_true(&same)) return same;
  return is_false(&below) && is_false(&same) ? hx_bool(false) : unknown_bool(cx);
}

static hx_val op_eq(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return hx_equal(cx, a, b);
}
static hx_val op_ne(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_val same = hx_equal(cx, a, b);
  return negate_bool(cx, &same);
}
static hx_val op_lt(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return less(cx, a, b);
}
static hx_val op_gt(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return less(cx, b, a);
}
static hx_val op_le(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return less_or_equal(cx, a, b);
}
static hx_val op_ge(hx_cx *cx, const hx_val *a, const hx_val *b) {
  return less_or_equal(cx, b, a);
}

/* Arithmetic with an unknown number gives an unknown number, and no more. The reference's operator functions stop at an unknown
** argument, so no bounds are computed, and unknown * 0 stays unknown. */
#define ARITHMETIC(name)                                                                       \
  static hx_val op_##name(hx_cx *cx, const hx_val *a, const hx_val *b) {                       \
    if (hx_is_unknown(a) || hx_is_unknown(b)) return hx_unknown_not_null(cx, &hx_type_number); \
    return hx_num_##name(cx, a, b);                                                            \
  }
ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)
ARITHMETIC(div)
ARITHMETIC(mod)

static hx_val op_or(hx_cx *cx, const hx_val *a, const hx_val *b) {
  (void)cx;
  return hx_bool(hx_is_true(a) || hx_is_true(b));
}
static hx_val op_and(hx_cx *cx, const hx_val *a, const hx_val *b) {
  (void)cx;
  return hx_bool(hx_is_true(a) && hx_is_true(b));
}
static hx_val op_neg(hx_cx *cx, const hx_val *a, const hx_val *b) {
  (void)b;
  return hx_is_unknown(a) ? hx_unknown_not_null(cx, &hx_type_number) : hx_num_neg(cx, a);
}
static hx_val op_not(hx_cx *cx, const hx_val *a, const hx_val *b) {
  (void)b;
  return negate_bool(cx, a);
}

typedef hx_val op_impl(hx_cx *cx, const hx_val *a, const hx_val *b);

static op_impl *const impls[HX_OP_COUNT] = {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) [HX_OP_##id] = op_##name,
#include "syntax/op_list.h"
#undef HX_OP
};

/* Faults */

static const char *const operand_names[] = { "left operand", "right operand", "operand" };

/* Returns advice for a value that an operator rejects, such as how to join lists instead of adding them. */
static const char *way_out(hx_op op, const hx_val *v) {
  if (op == HX_OP_ADD) {
    const hx_val *bare = hx_unmarked(v);
    if (bare->tag == HX_T_STR) return "Texts are joined in a template: \"${a}${b}\".";
    if (hx_is_seq(bare)) return "Lists are joined by concat().";
    if (hx_is_obj(bare)) return "Maps and objects are joined by merge().";
  }
  return "Convert it, or take a value of that type.";
}

static hx_str conversion_fault(hx_cx *cx, hx_op op, unsigned which, const hx_type *want, const hx_val *v) {
  hx_str shown = hx_render_in_sentence(cx, v);
  const char *needed = want->kind == HX_K_BOOL ? "true or false" : "a number";
  return hx_say(cx, "The %s of \"%s\" must be %s, but this is %.*s. %s", operand_names[which], rows[op].symbol, needed,
                HX_STR_ARG(shown), way_out(op, v));
}

static hx_val null_fault(hx_cx *cx, hx_op op, bool left, bool right, hx_op_fault *fault) {
  const char *who = left && right ? "Both operands" : left ? "The left operand" : "The right operand";
  const char *is = left && right ? "are" : "is";
  *fault = (hx_op_fault){ .operand = -1 };
  fault->text = hx_say(cx, "%s of \"%s\" %s null, and the operator needs a value. Give one in its place, as coalesce() does.", who,
                       rows[op].symbol, is);
  return hx_none();
}

static hx_val number_fault(hx_cx *cx, hx_op op, hx_op_fault *fault) {
  *fault = (hx_op_fault){ .operand = -1 };
  fault->text = hx_say(cx,
                       "\"%s\" has no result for these numbers: zero divided by zero, and operations on two infinities, are "
                       "undefined. Test for them first.",
                       rows[op].symbol);
  return hx_none();
}

/* Operators on any operands */

static bool fits(const hx_val *v, const hx_type *t) {
  if (t->kind == HX_K_NUMBER) return hx_is_number(v);
  if (t->kind == HX_K_BOOL) return v->tag == HX_T_BOOL;
  return true;
}

static bool convert_operand(hx_cx *cx, hx_op op, unsigned which, const hx_val *v, hx_val *out, hx_str *text) {
  const hx_type *want = rows[op].arg;
  if (fits(v, want)) {
    *out = *v;
    return true;
  }
  if (want->kind == HX_K_NUMBER && v->tag == HX_T_STR) {
    *out = hx_num_parse(cx, hx_val_str(v));
    if (out->tag != HX_T_NONE) return true;
  } else if (!hx_is_refused(v, want) && hx_convert(cx, v, want, out, NULL)) {
    return true;
  }
  *text = conversion_fault(cx, op, which, want, v);
  return false;
}

/* Converts both operands before anything else, so that two unsuitable operands give two errors. */
static bool convert_both(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_val out[2], hx_op_fault *fault) {
  *fault = (hx_op_fault){ .operand = -1 };
  hx_str left = { NULL, 0 }, right = { NULL, 0 };
  bool left_ok = convert_operand(cx, op, 0, a, &out[0], &left);
  bool right_ok = convert_operand(cx, op, 1, b, &out[1], &right);
  if (left_ok && right_ok) return true;
  fault->operand = left_ok ? 1 : 0;
  fault->text = left_ok ? right : left;
  if (!left_ok && !right_ok) fault->right = right;
  return false;
}

static bool is_equality(hx_op op) {
  return op == HX_OP_EQ || op == HX_OP_NE;
}

/* Computes == or != without the marks of the operands and their parts; the result gets all these marks. */
static hx_val equality(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b) {
  const hx_marks *marks = NULL;
  hx_val left = hx_unmark_deep(cx, a, &marks), right = hx_unmark_deep(cx, b, &marks);
  return hx_mark(cx, impls[op](cx, &left, &right), marks);
}

hx_val hx_op_binary(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_op_fault *fault) {
  HX_ASSERT(op != HX_OP_AND && op != HX_OP_OR); /* those are for hx_op_logic */
  if (is_equality(op)) return equality(cx, op, a, b);
  if (HX_LIKELY(hx_is_number(a) && hx_is_number(b))) {
    hx_val answer = impls[op](cx, a, b);
    return answer.tag == HX_T_NONE ? number_fault(cx, op, fault) : answer;
  }
  hx_val v[2];
  if (!convert_both(cx, op, a, b, v, fault)) return hx_none();
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(&v[0]), hx_marks_get(&v[1]));
  const hx_val *left = hx_unmarked(&v[0]), *right = hx_unmarked(&v[1]);
  if (hx_is_null(left) || hx_is_null(right)) return null_fault(cx, op, hx_is_null(left), hx_is_null(right), fault);
  hx_val result = impls[op](cx, left, right);
  if (result.tag == HX_T_NONE) return number_fault(cx, op, fault);
  return hx_mark(cx, result, marks);
}

hx_val hx_op_unary(hx_cx *cx, hx_op op, const hx_val *a, hx_op_fault *fault) {
  *fault = (hx_op_fault){ .operand = 0 };
  hx_val v;
  if (!convert_operand(cx, op, 2, a, &v, &fault->text)) return hx_none();
  const hx_val *bare = hx_unmarked(&v);
  if (hx_is_null(bare)) {
    fault->operand = -1;
    fault->text = hx_say(cx,
                         "The operand of \"%s\" is null, and the operator needs a value. Give one in its place, as coalesce() "
                         "does.",
                         rows[op].symbol);
    return hx_none();
  }
  hx_val result = impls[op](cx, bare, NULL);
  /* reference: unary operators take marked operands; an unknown operand then leaves no mark on the result. */
  return hx_is_unknown(bare) ? result : hx_mark(cx, result, hx_marks_get(&v));
}

/* Returns true if v certainly converts to type want. The unknown value of a failed operand converts to any type. */
static bool surely_fits(const hx_val *v, const hx_type *want) {
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->type == want || v->u.unk->type->kind == HX_K_DYNAMIC;
  return fits(v, want);
}

bool hx_op_check(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, hx_op_fault *fault) {
  hx_val v[2];
  const hx_type *want = rows[op].arg;
  if (surely_fits(a, want) && (!b || surely_fits(b, want))) return true;
  if (b) return convert_both(cx, op, a, b, v, fault);
  *fault = (hx_op_fault){ .operand = 0 };
  return convert_operand(cx, op, 2, a, &v[0], &fault->text);
}

/* Returns the result that one side forces, or HX_T_NONE. decides: the value that decides the operator alone, true for ||, false for &&. A
** null operand counts as false, as in the reference: null && x is false, whatever x is. */
static hx_val forced(hx_cx *cx, bool decides, const hx_val *a, const hx_val *b, bool left_failed, hx_op_keep *keep) {
  bool a_unknown = hx_is_unknown(a), b_unknown = hx_is_unknown(b);
  if (a_unknown && b_unknown) {
    if (left_failed) return hx_none();
    *keep = HX_KEEP_LEFT;
    return unknown_bool(cx);
  }
  if (!a_unknown && hx_is_true(a) == decides) {
    *keep = HX_KEEP_LEFT;
    return hx_bool(decides);
  }
  if (!b_unknown && hx_is_true(b) == decides) {
    *keep = HX_KEEP_RIGHT;
    return hx_bool(decides);
  }
  /* The known side decides nothing, so the result is the unknown side, with its diagnostics. */
  if (a_unknown || b_unknown) {
    *keep = a_unknown ? HX_KEEP_LEFT : HX_KEEP_RIGHT;
    return unknown_bool(cx);
  }
  return hx_none();
}

hx_val hx_op_logic(hx_cx *cx, hx_op op, const hx_val *a, const hx_val *b, bool left_failed, bool right_failed, hx_op_keep *keep,
                   hx_op_fault *fault) {
  *keep = HX_KEEP_BOTH;
  hx_val v[2];
  if (!convert_both(cx, op, a, b, v, fault)) return hx_none();
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(&v[0]), hx_marks_get(&v[1]));
  const hx_val *left = hx_unmarked(&v[0]), *right = hx_unmarked(&v[1]);
  hx_val result = forced(cx, op == HX_OP_OR, left, right, left_failed, keep);
  if (result.tag == HX_T_NONE) {
    if (left_failed || right_failed) {
      result = hx_unknown(cx, &hx_type_bool);
    } else {
      if (hx_is_null(left) || hx_is_null(right)) return null_fault(cx, op, hx_is_null(left), hx_is_null(right), fault);
      result = impls[op](cx, left, right);
    }
  }
  return hx_mark(cx, result, marks);
}
