/* convert.h: converts values to types, and finds the one type that several values can become.
** Memory: results in cx->arena; a value that needs no change is shared.
** Errors: a conversion that fails returns false and writes the reason to *why, in our words and without sensitive values. It reports
**   nothing, because only the caller knows the place.
** Source: reference's convert package, with unsafe conversions unless `safe`. */
#ifndef HX_VALUE_CONVERT_CONVERT_H
#define HX_VALUE_CONVERT_CONVERT_H

#include "value/marks.h"
#include "value/unknown.h"

/* The reason for a failure: a message with the path of the part that failed ("element 3", "attribute \"a\""). */
typedef struct hx_why_not {
  hx_str text;
} hx_why_not;

/* Converts *v to `to`. `out` must not alias v; `why` may be NULL. The result may point at `to` and its names, which must live as long. */
bool hx_convert(hx_cx *cx, const hx_val *v, const hx_type *to, hx_val *out, hx_why_not *why);
/* Calls the given function with each reason why v can't become `to`, part by part, with its place. If the parts fit, but not together, it
** finds no reason, although hx_convert rejects the value. */
typedef void hx_tell(hx_cx *cx, void *ud, hx_str reason);
void hx_convert_mistakes(hx_cx *cx, const hx_val *v, const hx_type *to, hx_tell *tell, void *ud);
/* Returns true if values of type `from` can be converted to type `to`, at least some of them. */
bool hx_convertible(hx_cx *cx, const hx_type *from, const hx_type *to, bool safe);
/* Returns the type that all the types convert to (the reference's UnifyUnsafe, or Unify if safe), or NULL if they have none or n is 0.
** If the result is `any` although one of the types is not, the type isn't settled yet. Values are then not converted: each becomes an
** unknown of `any` with its marks (hx_unified). */
const hx_type *hx_unify(hx_cx *cx, const hx_type *const *types, uint32_t n, bool safe);
/* Converts v, which has one of the types, to the type that hx_unify returned for them. */
bool hx_unified(hx_cx *cx, const hx_val *v, const hx_type *const *types, uint32_t n, const hx_type *unified, hx_val *out);
/* Says which type's attribute names a message leaves out. If a value is secret, the names in its type may be secret as well. */
enum { HX_HIDE_GOT = 1, HX_HIDE_WANT = 2 };
/* Returns a message that says why values of type got can't become want. */
hx_str hx_mismatch(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide);
/* Returns a message that says why two types can't become one. HX_HIDE_GOT hides the second type's names. */
hx_str hx_difference(hx_cx *cx, const hx_type *first, const hx_type *second, unsigned hide);

/* Converts STR, BOOL, INT and NUM to a string, for the machine. Returns NONE for other values, which need hx_convert. */
hx_val hx_to_string_fast(hx_cx *cx, const hx_val *v);

#endif
