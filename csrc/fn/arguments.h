/* arguments.h: helpers that functions share: whole-number arguments, checks of sizes before results are made, arguments in
** messages, sets of equal values.
** Memory: results in cx->arena.
** Errors: limits abort; hx_fail_telling reports. */
#ifndef HX_FN_ARGUMENTS_H
#define HX_FN_ARGUMENTS_H

#include "vm/fn.h"

/* Reads a number as an index or count. Returns false unless the number is exactly an int64 (-0 is 0). */
bool hx_arg_whole(const hx_val *v, int64_t *out);

/* Returns the kind of an argument, for a message: "a list of string", "an object", "null". */
hx_str hx_arg_type(hx_call *call, const hx_val *v);
/* Returns argument i, of value v, for a message: shortened, and hidden if it is marked. */
hx_str hx_arg_text(hx_call *call, uint32_t i, const hx_val *v);
/* Reports as hx_fail does, with a message that shows something of the arguments' contents: a number, a position, a part of a text.
** If any argument is marked, the message is `plain` instead, which shows no contents. */
hx_val hx_fail_telling(hx_call *call, int32_t i, const char *plain, const char *fmt, ...) HX_PRINTF(4, 5);
/* Reports that this build lacks a library. `does` completes "which …"; package is Debian's. */
hx_val hx_fail_lacking(hx_call *call, const char *library, const char *does, const char *package);
/* Reports that a function needs characters that this build doesn't know (text/unicode.h, hx_unicode_knows). */
hx_val hx_fail_unknown_characters(hx_call *call);
/* Returns true if any argument is marked, or part of a marked value. For messages about several arguments. */
HX_INLINE bool hx_args_are_marked(const hx_call *call) {
  return call->cx->secret || call->marked != 0;
}

/* Aborts if a value of n bytes would exceed the limit. Charges nothing: making the value charges. */
HX_INLINE void hx_need_memory(hx_cx *cx, uint64_t n) {
  if (HX_UNLIKELY(n > cx->memory_left)) hx_abort(cx, HX_WHY_MEMORY);
}

/* Charges for a test of every character of s, such as of its case: a step for 16 bytes, or for 8 bytes if they aren't all ASCII. */
void hx_charge_characters(hx_cx *cx, hx_str s);

/* Makes a string value of a part of a string, whose bytes it shares. It needs no normalisation, since parts of NFC text are NFC. */
HX_INLINE hx_val hx_part_value(const char *p, size_t len) {
  return hx_string(hx_str_of(p, len));
}

/* Returns the unknown result for a list, set or map that isn't wholly known. */
hx_val hx_unknown_of(hx_cx *cx, const hx_val *like);

/* A set of values of one array, to find equal values. The values must be wholly known and unmarked. */
typedef struct hx_value_set {
  hx_cx *cx;
  bool (*same)(hx_cx *cx, const hx_val *a, const hx_val *b);
  const hx_val *v;
  hx_table table;
} hx_value_set;

/* Makes an empty set with room for all n values, in scratch memory: take a mark of cx->scratch before, and release it when the set isn't
** needed any more. Values are compared as by ==. */
void hx_value_set_init(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n);
/* Makes an empty set like hx_value_set_init, whose values are compared like elements of sets (value/equal.h: there -0 is not 0). */
void hx_value_set_init_elements(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n);
/* Adds the n values in order, and charges for them. Returns how many were new. is_new, unless it is NULL, gets a flag for each
** value, which is true if the value was new. */
uint32_t hx_value_set_fill(hx_value_set *s, uint32_t n, bool *is_new);
/* Returns true if the set has a value equal to v, which may be of another array. */
bool hx_value_set_has(const hx_value_set *s, const hx_val *v);

#endif
