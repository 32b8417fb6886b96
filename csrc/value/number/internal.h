/* internal.h: the representation of numbers, for value/number/ only.
**
**      value = ± 0.mmm…m × 2^exp; the first m is 1: the lowest limb comes first, and the top bit of the last limb is set
**
** Memory: an hx_num is immutable and as long as its limbs. Intermediate results are in our own buffers (value/number/limbs.h).
** Errors: charges and memory abort. */
#ifndef HX_VALUE_NUMBER_INTERNAL_H
#define HX_VALUE_NUMBER_INTERNAL_H

#include "value/number/limbs.h"
#include "value/number/number.h"

typedef enum hx_num_kind { HX_NUM_ZERO, HX_NUM_FINITE, HX_NUM_INF } hx_num_kind;

struct hx_num {
  uint32_t prec; /* the precision of the value in bits; the mantissa may need fewer */
  int32_t exp;
  uint32_t n;   /* number of limbs, at least 1 if finite, else 0; the lowest isn't 0 */
  uint8_t kind; /* hx_num_kind; ZERO is -0, because 0 is an INT */
  bool neg;
  hx_limb limbs[];
};

/* A view of any number, in whatever form its value is. The limbs of an INT are in `one`, so a view must not be copied. */
typedef struct hx_num_view {
  const hx_limb *p;
  uint32_t n, prec;
  int64_t exp;
  hx_num_kind kind;
  bool neg;
  hx_limb one;
} hx_num_view;

HX_INLINE void hx_num_look(hx_num_view *view, const hx_val *v) {
  if (v->tag == HX_T_INT) {
    int64_t i = v->u.i;
    uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    unsigned shift = u ? (unsigned)__builtin_clzll(u) : 0;
    view->p = &view->one;
    view->n = 1;
    view->prec = v->len;
    view->exp = LIMB_BITS - shift;
    view->kind = u ? HX_NUM_FINITE : HX_NUM_ZERO;
    view->neg = i < 0;
    view->one = u << shift;
    return;
  }
  const hx_num *num = v->u.num;
  HX_ASSERT(v->tag == HX_T_NUM);
  view->p = num->limbs;
  view->n = num->n;
  view->prec = num->prec;
  view->exp = num->exp;
  view->kind = (hx_num_kind)num->kind;
  view->neg = num->neg;
}
/* Returns how many bits a mantissa needs. */
HX_INLINE uint64_t hx_limbs_bits(const hx_limb *p, uint32_t n) {
  return (uint64_t)n * LIMB_BITS - (uint64_t)__builtin_ctzll(p[0]);
}
HX_INLINE uint64_t hx_view_bits(const hx_num_view *v) {
  return hx_limbs_bits(v->p, v->n);
}
HX_INLINE bool hx_view_is_whole(const hx_num_view *v) {
  return v->kind == HX_NUM_ZERO || (v->kind == HX_NUM_FINITE && v->exp > 0 && (uint64_t)v->exp >= hx_view_bits(v));
}

/* Memory for limbs: a small number of limbs is in the caller's frame, a large one in scratch memory until hx_limbs_drop. */
#define HX_LIMBS_SMALL 40
typedef struct hx_limbs {
  hx_limb small[HX_LIMBS_SMALL];
  hx_arena_mark mark;
  bool large;
} hx_limbs;
HX_INLINE hx_limb *hx_limbs_take(hx_cx *cx, hx_limbs *room, uint64_t n) {
  room->large = n > HX_LIMBS_SMALL;
  if (HX_LIKELY(!room->large)) return room->small;
  room->mark = hx_arena_get_mark(&cx->scratch);
  if (n > SIZE_MAX / sizeof(hx_limb)) hx_abort(cx, HX_WHY_MEMORY);
  return hx_arena_alloc(&cx->scratch, (size_t)n * sizeof(hx_limb));
}
HX_INLINE void hx_limbs_drop(hx_cx *cx, hx_limbs *room) {
  if (room->large) hx_arena_release(&cx->scratch, room->mark);
}

/* Charges steps for work on n limbs that takes up to n·log n time, and checks that GMP will get memory for its own use. */
void hx_limbs_charge_many(hx_cx *cx, uint64_t n);
HX_INLINE void hx_limbs_charge(hx_cx *cx, uint64_t n) {
  if (n > 8) hx_limbs_charge_many(cx, n);
}
/* Charges a change of base of n limbs: n·log² n. */
void hx_limbs_charge_base(hx_cx *cx, uint64_t n);
/* Charges, in builds without GMP, the additional cost of a product of a and b limbs, or of a quotient of a limbs by b: schoolbook
** methods take time in proportion to a·b. */
void hx_limbs_charge_long_product(hx_cx *cx, uint64_t a, uint64_t b);
HX_INLINE void hx_limbs_charge_product(hx_cx *cx, uint64_t a, uint64_t b) {
#ifdef HX_HAS_GMP
  (void)cx, (void)a, (void)b;
#else
  if (a > 8 && b > 8) hx_limbs_charge_long_product(cx, a, b);
#endif
}

/* Makes the number ± 0.p × 2^exp (n limbs, top bit set), rounded to nearest even at prec bits. Overwrites p. sticky: p has more than
** prec + 1 bits, and further bits that aren't all zero follow it. */
hx_val hx_num_make(hx_cx *cx, bool neg, int64_t exp, hx_limb *p, uint32_t n, bool sticky, uint32_t prec);
/* A number with more limbs is charged by its size each time one is made. A smaller one is charged only with the value that it becomes
** part of. */
#define HX_LIMBS_FREE 2u
/* Allocates a finite number whose n limbs the caller fills in. exp must be in range. */
HX_INLINE hx_num *hx_num_new(hx_cx *cx, bool neg, int64_t exp, uint32_t n, uint32_t prec) {
  if (n > HX_LIMBS_FREE) hx_charge_memory(cx, n * sizeof(hx_limb));
  hx_num *num = hx_alloc(cx, sizeof *num + (size_t)n * sizeof(hx_limb));
  num->prec = prec;
  num->exp = (int32_t)exp;
  num->n = n;
  num->kind = HX_NUM_FINITE;
  num->neg = neg;
  return num;
}
HX_INLINE hx_val hx_num_of(const hx_num *num) {
  return (hx_val){ .tag = HX_T_NUM, .u.num = num };
}
/* Makes a value from a mantissa that is rounded already, and whose lowest limb isn't 0. */
hx_val hx_num_finish(hx_cx *cx, bool neg, int64_t exp, const hx_limb *p, uint32_t n, uint32_t prec);
/* Rounds p in place: *n limbs remain at the top of p. Returns the lowest of them; *exp may grow. */
hx_limb *hx_num_round(int64_t *exp, hx_limb *p, uint32_t *n, bool sticky, uint32_t prec);
hx_val hx_num_zero(hx_cx *cx, bool neg, uint32_t prec);
hx_val hx_num_infinity(hx_cx *cx, bool neg, uint32_t prec);
/* Shifts p until its top bit is set, and lowers *exp accordingly. p isn't all zero; zero limbs at the top are dropped, which lowers *n. */
void hx_num_normalise(int64_t *exp, hx_limb *p, uint32_t *n);

/* Arithmetic on views. hx_view_mul first rounds to round_to bits, and then raises prec if the result needs more bits. */
hx_val hx_view_round(hx_cx *cx, const hx_num_view *v, uint32_t prec);
hx_val hx_view_mul(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, uint32_t round_to, uint32_t prec);
hx_val hx_view_div(hx_cx *cx, const hx_num_view *a, const hx_num_view *b, uint32_t prec);

/* The quotient whole / 10^digits at precision prec, rounded once, for whole > 0 and digits ≤ HX_POW5_MAX. */
#define HX_POW5_MAX 27u
extern const hx_limb hx_pow5[HX_POW5_MAX + 1];
typedef struct hx_short_quotient {
  hx_limb limbs[12];
  hx_limb *p;
  uint32_t n;
  int64_t exp;
} hx_short_quotient;
#define HX_SHORT_PREC 512u /* the highest precision at which a short quotient is computed */
void hx_short_quotient_init(hx_short_quotient *q, uint64_t whole, uint32_t digits, uint32_t prec);

/* A decimal: 0.ddd × 10^exp, with no zero at either end; n == 0 is zero. */
typedef struct hx_decimal {
  char *digits;
  uint64_t n;
  int64_t exp;
} hx_decimal;
/* The functions below are for finite numbers except 0. Their digits are in cx->scratch, so the caller must hold a mark. */
/* Sets *d to the shortest decimal that reads back as v at prec bits (numbers.md "Text"). narrow: the next lower number is half as far
** away as the next higher one, as for doubles that are a power of two. */
void hx_decimal_shortest(hx_cx *cx, hx_decimal *d, const hx_num_view *v, uint32_t prec, bool narrow);
/* Sets *d to the shortest decimal of v, a number with a fraction, at its own precision. It is faster than hx_decimal_shortest if a few
** digits suffice, which it then writes to `room`. */
#define HX_SHORT_DIGITS 20
void hx_decimal_fraction(hx_cx *cx, hx_decimal *d, const hx_num_view *v, char room[HX_SHORT_DIGITS]);
/* Sets *d to v, rounded to nearest even. `digits` counts digits after the decimal point if `fraction`, otherwise all digits. */
void hx_decimal_rounded(hx_cx *cx, hx_decimal *d, const hx_num_view *v, int64_t digits, bool fraction);

/* Returns the digits of v, a whole number, in base 2 to 62, lower-case letters first, and their number in *n. They are in cx->scratch. */
char *hx_whole_digits(hx_cx *cx, const hx_num_view *v, int base, uint64_t *n);

#endif
