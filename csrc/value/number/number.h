/* number.h: exact numbers: binary floats of any magnitude, each with its own precision; see doc/contributing/numbers.md for the rules. A
** whole number that fits an int64 is always an HX_T_INT, except -0. Any other number is an hx_num.
** Memory: results in cx->arena; scratch limbs in cx->scratch, released before return.
** Errors: operations without an answer (0/0, Inf-Inf, …) return HX_T_NONE and report nothing, because only the caller knows the place.
**   Each operation charges steps for its worst size before it runs. */
#ifndef HX_VALUE_NUMBER_NUMBER_H
#define HX_VALUE_NUMBER_NUMBER_H

#include "base/buf.h"
#include "value/value.h"

hx_val hx_num_parse(hx_cx *cx, hx_str text);       /* HX_T_NONE: not a number. numbers.md "Parsing" */
hx_val hx_num_parse_given(hx_cx *cx, hx_str text); /* the same for the host's numbers: charges nothing for a large exponent */
hx_val hx_num_from_u64(hx_cx *cx, uint64_t i, uint32_t prec);
/* Returns the double's exact value at the given precision (53 for pow and log). NaN: HX_T_NONE. Infinities and -0 are kept. */
hx_val hx_num_from_double(hx_cx *cx, double d, uint32_t prec);
/* Returns the number whose text is the shortest decimal that reads back as d (so Lua's 0.1 becomes HCL's 0.1).
** NaN and infinity: HX_T_NONE. */
hx_val hx_num_from_shortest(hx_cx *cx, double d);
hx_val hx_num_inf(bool negative);
/* Parses digits in a base of 2 to 62, as parseint does: exactly, with precision max(64, bits needed). HX_T_NONE if malformed. */
hx_val hx_num_parse_int(hx_cx *cx, hx_str digits, int base);

hx_val hx_num_add(hx_cx *cx, const hx_val *a, const hx_val *b);
hx_val hx_num_sub(hx_cx *cx, const hx_val *a, const hx_val *b);
hx_val hx_num_mul(hx_cx *cx, const hx_val *a, const hx_val *b);
hx_val hx_num_div(hx_cx *cx, const hx_val *a, const hx_val *b); /* x / 0 is ±infinity; 0 / 0 is HX_T_NONE */
hx_val hx_num_mod(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Add, subtract, multiply or divide operands of one or two limbs, if the result is as short and needs no rounding. They write it to *to,
** which may be an operand, and charge nothing. They return false, with no effect, if the operands or the result aren't short. */
typedef bool hx_short_fn(hx_cx *cx, hx_val *to, const hx_val *a, const hx_val *b);
hx_short_fn hx_short_add, hx_short_sub, hx_short_mul, hx_short_div;
/* Add, subtract, multiply or divide numbers that are known not to be that short. */
typedef hx_val hx_long_fn(hx_cx *cx, const hx_val *a, const hx_val *b);
hx_long_fn hx_long_add, hx_long_sub, hx_long_mul, hx_long_div;
hx_val hx_num_neg(hx_cx *cx, const hx_val *a);
hx_val hx_num_abs(hx_cx *cx, const hx_val *a);
hx_val hx_num_floor(hx_cx *cx, const hx_val *a);
hx_val hx_num_ceil(hx_cx *cx, const hx_val *a);
hx_val hx_num_trunc(hx_cx *cx, const hx_val *a);
int hx_num_sign(const hx_val *a);         /* -1, 0 or 1; 0 for ±0 */
bool hx_num_is_negative(const hx_val *a); /* the sign bit: true for -0 */
bool hx_num_is_inf(const hx_val *a);
bool hx_num_is_whole(const hx_val *a); /* false for infinities */
uint32_t hx_num_prec(const hx_val *a);

/* Compares exactly: <0, 0, >0. */
int hx_num_cmp(const hx_val *a, const hx_val *b);
/* Returns true if a < b. Charges for the comparison. */
bool hx_num_less(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns true if a and b are equal by the rules of == and of sets (numbers.md "Comparison"). */
bool hx_num_equal(hx_cx *cx, const hx_val *a, const hx_val *b);
/* Returns a hash that agrees with hx_num_equal. */
uint32_t hx_num_hash(hx_cx *cx, const hx_val *a);

bool hx_num_to_int(const hx_val *a, int64_t *out); /* true if a is a whole number that fits */
double hx_num_to_double(const hx_val *a);          /* rounds to nearest even; overflow gives an infinity */
/* Converts a number to a double: a fraction or infinity becomes the nearest one. Returns false if a is a whole number that isn't exactly
** a double. */
bool hx_num_to_float(const hx_val *a, double *out);

/* Appends the shortest decimal text, never with an exponent, and "Inf" with its sign. First charges steps by the size of the text:
** 1e600000000 is legal. */
void hx_num_write(hx_cx *cx, hx_buf *b, const hx_val *a);
hx_str hx_num_text(hx_cx *cx, const hx_val *a);
/* Appends the text of hx_num_write for people and tools, but with an exponent, as in 1e100000000, if the text would have more than about
** `most` digits or zeros, so that it costs little. A number that was computed with that many digits is written in full. */
#define HX_SHOWN_DIGITS 100000u /* for tostring, JSON of a Value and plans */
void hx_num_show(hx_cx *cx, hx_buf *b, const hx_val *a, uint32_t most);
/* Formats as Go's big.Float.Text(format, prec): format one of e E f g G, prec -1 for shortest (format(), formatlist()). */
hx_str hx_num_format(hx_cx *cx, const hx_val *a, char format, int prec);
/* Returns the digits of a whole number in base 2, 8, 10 or 16 (%b %o %d %x), with its sign; -0 is 0. */
hx_str hx_num_digits(hx_cx *cx, const hx_val *a, int base, bool upper);

/* Copies a number, with its limbs, into another lifetime. */
hx_val hx_num_copy(hx_cx *to, const hx_val *a);
/* Copies a number into the caller's memory: hx_num_size bytes, aligned to 8; an INT needs none. */
size_t hx_num_size(const hx_val *a);
hx_val hx_num_copy_to(void *room, const hx_val *a);

#endif
