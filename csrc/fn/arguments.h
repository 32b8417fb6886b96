/* arguments.h: what functions share: whole-number arguments, sizes checked before they are made, arguments in messages, equal values.
** Memory: results in cx->arena.
** Errors: limits abort; hx_fail_telling reports. */
#ifndef HX_FN_ARGUMENTS_H
#define HX_FN_ARGUMENTS_H

#include "vm/fn.h"

/* A number as functions want an index or a count: exactly an int64 (-0 is 0); false otherwise. */
bool hx_arg_whole(const hx_val *v, int64_t *out);

/* What an argument is, for a message: "a list of string", "an object", "null". */
hx_str hx_arg_type(hx_call *call, const hx_val *v);
/* Argument i, of value v, as a message may show it: shortened, hidden where it is marked. */
hx_str hx_arg_text(hx_call *call, uint32_t i, const hx_val *v);
/* As hx_fail, for a message that tells something of what is in the arguments: how many, at which place, a part of a text. Where any
** argument is marked it is `plain` instead, which tells nothing of the kind. */
hx_val hx_fail_telling(hx_call *call, int32_t i, const char *plain, const char *fmt, ...) HX_PRINTF(4, 5);
/* The failure of what needs a library that this build was made without: what it `does` completes "which …"; its package is Debian's. */
hx_val hx_fail_lacking(hx_call *call, const char *library, const char *does, const char *package);
/* The same of what has to know characters that this build doesn't (text/unicode.h, hx_unicode_knows). */
hx_val hx_fail_unknown_characters(hx_call *call);
/* Is any argument marked, or part of what is? For messages made of several of them. */
HX_INLINE bool hx_args_are_marked(const hx_call *call) {
  return call->cx->secret || call->marked != 0;
}

/* Aborts when making something of so many bytes would break the limit. Charges nothing: whoever makes the value does. */
HX_INLINE void hx_need_memory(hx_cx *cx, uint64_t n) {
  if (HX_UNLIKELY(n > cx->memory_left)) hx_abort(cx, HX_WHY_MEMORY);
}

/* The string value of a part of a string that is one already: shared, nothing to normalise (NFC is closed under taking parts). */
HX_INLINE hx_val hx_part_value(const char *p, size_t len) {
  return hx_string(hx_str_of(p, len));
}

/* The unknown value that stands for a list, set or map of which not all is known. */
hx_val hx_unknown_of(hx_cx *cx, const hx_val *like);

/* Some of an array's values without order, to ask which of them was there already. They are known (all through) and unmarked. */
typedef struct hx_value_set {
  hx_cx *cx;
  bool (*same)(hx_cx *cx, const hx_val *a, const hx_val *b);
  const hx_val *v;
  uint32_t *slots; /* hx_slot of an index, or 0 */
  uint32_t mask;
} hx_value_set;

/* Room for all n values, in scratch memory: take a mark of cx->scratch before, release it when the set is done with. None is a
** member yet. Values are told apart as == does. */
void hx_value_set_init(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n);
/* The same, but as elements of sets are told apart (value/equal.h: -0 is not 0 there). */
void hx_value_set_init_elements(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n);
/* Makes the n values members, in their order, and charges for it; is_new (NULL, or n of them): was there no equal one before? Returns
** how many were new. */
uint32_t hx_value_set_fill(hx_value_set *s, uint32_t n, bool *is_new);
/* Is one equal to v (of any array) a member? */
bool hx_value_set_has(const hx_value_set *s, const hx_val *v);

#endif
