/* limbs_compare.c: compares the schoolbook methods with GMP on random runs of limbs. Header: testing/testing.h. */
#include "testing/testing.h"

#include "value/number/limbs.h"

#ifdef HX_HAS_GMP

#define RUN_MAX 24u
#define DIGITS_MAX (RUN_MAX * 64u + 2)

/* Operands of one round, and the results of GMP and of the schoolbook methods. Both results are cleared beforehand. */
typedef struct limbs_round {
  uint64_t seed;
  hx_limb a[2 * RUN_MAX], b[RUN_MAX], one;
  size_t n, bn;
  unsigned bits;
  int base;
  hx_limb gmp[4 * RUN_MAX], plain[4 * RUN_MAX];
  unsigned char gmp_digits[DIGITS_MAX], plain_digits[DIGITS_MAX];
} limbs_round;

/* Steele, Lea, Flood: SplitMix64. */
static uint64_t draw(limbs_round *r) {
  uint64_t z = r->seed += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* Mostly returns ends of the range, where carries and estimates may go wrong. */
static hx_limb draw_limb(limbs_round *r) {
  static const hx_limb ends[] = { 0, 1, TOP_BIT, TOP_BIT - 1, ~(hx_limb)0, ~(hx_limb)1 };
  uint64_t which = draw(r) % 10;
  return which < sizeof ends / sizeof *ends ? ends[which] : draw(r);
}

static void draw_run(limbs_round *r, hx_limb *p, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = draw_limb(r);
  while (!p[n - 1]) p[n - 1] = draw_limb(r);
}

/* In half of the rounds, copies the divisor to a random place in the dividend, exactly or nearly, so that estimates are one too large. */
static void draw_near(limbs_round *r) {
  size_t at = draw(r) % (r->n - r->bn + 1);
  if (draw(r) % 2) return;
  memcpy(r->a + at, r->b, r->bn * sizeof *r->a);
  if (draw(r) % 2) r->a[at] -= draw(r) % 3;
}

static void draw_round(limbs_round *r) {
  r->bn = 1 + draw(r) % RUN_MAX;
  r->n = r->bn + draw(r) % RUN_MAX;
  draw_run(r, r->a, r->n);
  draw_run(r, r->b, r->bn);
  draw_near(r);
  while (!r->a[r->n - 1]) r->a[r->n - 1] = draw_limb(r);
  while (!(r->one = draw_limb(r))) continue;
  r->bits = 1 + (unsigned)(draw(r) % 63);
  r->base = 2 + (int)(draw(r) % 61);
}

/* Returns true if GMP and the schoolbook methods left the same limbs in their buffers and returned the same limb. */
static bool same(const limbs_round *r, hx_limb gmp, hx_limb plain) {
  return gmp == plain && memcmp(r->gmp, r->plain, sizeof r->gmp) == 0;
}

static bool same_sums(limbs_round *r) {
  size_t n = r->bn;
  return same(r, hx_limbs_add(r->gmp, r->a, r->b, n), hx_plain_add(r->plain, r->a, r->b, n)) &&
         same(r, hx_limbs_sub(r->gmp, r->a, r->b, n), hx_plain_sub(r->plain, r->a, r->b, n)) &&
         same(r, hx_limbs_add_limb(r->gmp, r->a, n, r->one), hx_plain_add_limb(r->plain, r->a, n, r->one)) &&
         same(r, hx_limbs_sub_limb(r->gmp, r->a, n, r->one), hx_plain_sub_limb(r->plain, r->a, n, r->one)) &&
         same(r, hx_limbs_negate(r->gmp, r->a, n), hx_plain_negate(r->plain, r->a, n));
}

/* Compares operations in place, where a carry or borrow passes through limbs that were just written. */
static bool same_in_place(limbs_round *r) {
  size_t n = r->n;
  memcpy(r->gmp, r->a, n * sizeof *r->a);
  memcpy(r->plain, r->a, n * sizeof *r->a);
  return same(r, hx_limbs_add(r->gmp, r->gmp, r->a, n), hx_plain_add(r->plain, r->plain, r->a, n)) &&
         same(r, hx_limbs_sub(r->gmp, r->a, r->gmp, n), hx_plain_sub(r->plain, r->a, r->plain, n)) &&
         same(r, hx_limbs_mul_limb(r->gmp, r->gmp, n, r->one), hx_plain_mul_limb(r->plain, r->plain, n, r->one)) &&
         same(r, hx_limbs_negate(r->gmp, r->gmp, n), hx_plain_negate(r->plain, r->plain, n));
}

static bool same_shifts(limbs_round *r) {
  size_t n = r->n;
  unsigned bits = r->bits;
  return same(r, hx_limbs_shift_up(r->gmp, r->a, n, bits), hx_plain_shift_up(r->plain, r->a, n, bits)) &&
         same(r, hx_limbs_shift_down(r->gmp, r->gmp, n, bits), hx_plain_shift_down(r->plain, r->plain, n, bits)) &&
         same(r, hx_limbs_shift_up(r->gmp + 1, r->gmp, n, bits), hx_plain_shift_up(r->plain + 1, r->plain, n, bits)) &&
         same(r, hx_limbs_shift_down(r->gmp, r->gmp + 1, n, bits), hx_plain_shift_down(r->plain, r->plain + 1, n, bits));
}

static bool same_products(limbs_round *r) {
  hx_limbs_mul(r->gmp, r->a, r->n, r->b, r->bn);
  hx_plain_mul(r->plain, r->b, r->bn, r->a, r->n);
  if (!same(r, 0, 0)) return false;
  hx_limbs_square(r->gmp, r->b, r->bn);
  hx_plain_mul(r->plain, r->b, r->bn, r->b, r->bn);
  return same(r, 0, 0);
}

static bool same_quotients(limbs_round *r) {
  hx_limb rest[2 * RUN_MAX];
  size_t fraction = r->bn - 1;
  if (!same(r, hx_limbs_div_limb(r->gmp, fraction, r->a, r->n, r->one), hx_plain_div_limb(r->plain, fraction, r->a, r->n, r->one)))
    return false;
  memcpy(rest, r->a, r->n * sizeof *rest);
  hx_limbs_div(r->gmp, r->a, r->n, r->b, r->bn);
  hx_plain_div(r->plain, rest, r->n, r->b, r->bn);
  return same(r, 0, 0) && memcmp(rest, r->a, r->bn * sizeof *rest) == 0;
}

static bool same_digits(limbs_round *r) {
  memcpy(r->gmp, r->b, r->bn * sizeof *r->b);
  memcpy(r->plain, r->b, r->bn * sizeof *r->b);
  size_t n = hx_limbs_to_digits(r->gmp_digits, r->gmp, r->bn, r->base),
         plain = hx_plain_to_digits(r->plain_digits, r->plain, r->bn, r->base);
  const unsigned char *digits = r->gmp_digits;
  for (; !*digits; digits++) n--;
  if (n != plain || memcmp(digits, r->plain_digits, n) != 0) return false;
  size_t size = hx_limbs_from_digits(r->gmp, digits, n, r->base), plain_size = hx_plain_from_digits(r->plain, digits, n, r->base);
  return size == r->bn && plain_size == size && memcmp(r->gmp, r->b, size * sizeof *r->b) == 0 &&
         memcmp(r->plain, r->b, size * sizeof *r->b) == 0;
}

/* Quotients overwrite a, so they come after the others that need it. */
static const struct {
  const char *name;
  bool (*is_same)(limbs_round *r);
} groups[] = {
  { "sums", same_sums },         { "in place", same_in_place },   { "shifts", same_shifts },
  { "products", same_products }, { "quotients", same_quotients }, { "digits", same_digits },
};

const char *hx_limbs_compare(uint64_t seed, uint32_t rounds) {
  static limbs_round r;
  for (r.seed = seed; rounds--;) {
    draw_round(&r);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
      memset(r.gmp, 0, sizeof r.gmp);
      memset(r.plain, 0, sizeof r.plain);
      if (!groups[i].is_same(&r)) return groups[i].name;
    }
  }
  return "";
}

#else

const char *hx_limbs_compare(uint64_t seed, uint32_t rounds) {
  (void)seed, (void)rounds;
  return NULL;
}

#endif
