/* fast.h: operators on the most common operands, executed by the machine's loop itself. Each function writes its result in place of the
** left operand and returns true, or returns false and leaves everything to the instruction's helper.
** Memory: none.
** Errors: none.
** Speed: values are copied and written as two words. Reading 16 bytes just after writing their halves separately would stall the
** processor. */
#ifndef HX_VM_MACHINE_FAST_H
#define HX_VM_MACHINE_FAST_H

#include "vm/call.h"
#include "vm/compile/compiler.h"

HX_INLINE void hx_fast_copy(hx_val *to, const hx_val *from) {
  uint64_t head, payload;
  memcpy(&head, from, 8);
  memcpy(&payload, (const char *)from + 8, 8);
  memcpy(to, &head, 8);
  memcpy((char *)to + 8, &payload, 8);
}

/* Writes a value as two words. */
HX_INLINE void hx_fast_write(hx_val *to, hx_tag tag, uint32_t len, int64_t payload) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t head = (uint64_t)len << 32 | (uint64_t)tag;
  memcpy(to, &head, 8);
  to->u.i = payload;
#else
  *to = (hx_val){ .tag = tag, .len = len, .u.i = payload };
#endif
}

/* Returns true if v is a whole number of the usual precision. Only its first word must be read. */
HX_INLINE bool hx_fast_is_int(const hx_val *v) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t head;
  memcpy(&head, v, 8);
  return head == ((uint64_t)HX_PREC << 32 | (uint64_t)HX_T_INT);
#else
  return v->tag == HX_T_INT && v->len == HX_PREC;
#endif
}

HX_INLINE void hx_fast_write_bool(hx_val *to, bool b) {
  hx_fast_write(to, HX_T_BOOL, 0, b);
}

/* Sets *out to the product. Returns true if the product isn't an INT: on overflow, and for -0 (a zero product with a negative factor). */
HX_INLINE bool hx_fast_mul_inexact(int64_t a, int64_t b, int64_t *out) {
  if (__builtin_mul_overflow(a, b, out)) return true;
  return *out == 0 && (a | b) < 0;
}
HX_INLINE bool hx_fast_div_inexact(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || b == -1 || a % b != 0) return true;
  *out = a / b;
  return a == 0 && b < 0;
}
HX_INLINE bool hx_fast_mod_inexact(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || b == -1) return true;
  *out = a % b;
  return false;
}
HX_INLINE bool hx_fast_add_inexact(int64_t a, int64_t b, int64_t *out) {
  return __builtin_add_overflow(a, b, out);
}
HX_INLINE bool hx_fast_sub_inexact(int64_t a, int64_t b, int64_t *out) {
  return __builtin_sub_overflow(a, b, out);
}

/* Operators */

/* Arithmetic on whole numbers of the usual precision. This precision keeps every digit of an int64. */
#define ARITHMETIC(name)                                                                     \
  HX_INLINE bool hx_fast_##name(hx_val *left, const hx_val *right) {                         \
    int64_t result;                                                                          \
    if (HX_UNLIKELY(!hx_fast_is_int(left) || !hx_fast_is_int(right))) return false;          \
    if (HX_UNLIKELY(hx_fast_##name##_inexact(left->u.i, right->u.i, &result))) return false; \
    left->u.i = result;                                                                      \
    return true;                                                                             \
  }
ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)
ARITHMETIC(div)

/* Computes the remainder of two numbers of the usual precision. With any other precision of the left operand, the rounding of the
** quotient matters. */
HX_INLINE bool hx_fast_mod(hx_val *left, const hx_val *right) {
  int64_t result;
  if (!hx_fast_is_int(left) || !hx_fast_is_int(right) || hx_fast_mod_inexact(left->u.i, right->u.i, &result)) return false;
  left->u.i = result;
  return true;
}

#define COMPARISON(name, symbol)                                       \
  HX_INLINE bool hx_fast_##name(hx_val *left, const hx_val *right) {   \
    if (left->tag != HX_T_INT || right->tag != HX_T_INT) return false; \
    hx_fast_write_bool(left, left->u.i symbol right->u.i);             \
    return true;                                                       \
  }
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)

/* Comparing longer texts takes longer than an instruction, so the helper compares them and charges steps. */
#define HX_FAST_TEXT 512u

HX_INLINE bool hx_fast_equality(hx_val *left, const hx_val *right, bool wanted) {
  if (left->tag != right->tag) return false;
  if (left->tag == HX_T_STR) {
    if (left->len == right->len && left->len > HX_FAST_TEXT) return false;
    bool same = hx_str_eq(hx_val_str(left), hx_val_str(right));
    hx_fast_write_bool(left, same == wanted);
    return true;
  }
  if (left->tag != HX_T_INT && left->tag != HX_T_BOOL) return false;
  hx_fast_write_bool(left, (left->u.i == right->u.i) == wanted);
  return true;
}
HX_INLINE bool hx_fast_eq(hx_val *left, const hx_val *right) {
  return hx_fast_equality(left, right, true);
}
HX_INLINE bool hx_fast_ne(hx_val *left, const hx_val *right) {
  return hx_fast_equality(left, right, false);
}

/* Executes a call that the function's `quick` answers; the result replaces the first argument. Charges the arguments' weight as hx_call_run
** does. Returns false, without any effect, for other calls and if too few steps are left. */
HX_INLINE bool hx_fast_call(const hx_call_site *site, hx_val *args, uint64_t *steps) {
  uint64_t weight = 0;
  hx_val room;
  for (uint32_t i = 0; i < site->nargs; i++) {
    if (args[i].tag >= HX_T_NULL) return false;
    if (args[i].tag < HX_T_STR) continue;
    if (args[i].tag == HX_T_STR) weight += HX_TEXT_WEIGHT * (uint64_t)args[i].len;
    else weight += 16 + (hx_is_obj(&args[i]) ? args[i].u.obj->weight : args[i].u.seq->weight);
  }
  if (weight >> 8 > *steps) return false;
  const hx_val *result = site->quick(args, site->nargs, &room);
  if (!result) return false;
  hx_fast_copy(args, result);
  *steps -= weight >> 8;
  return true;
}

#undef ARITHMETIC
#undef COMPARISON

#endif
