/* parse.c: parses numbers. Follows numbers.md "Parsing" exactly: powers of five above 5^248 are rounded during the computation, which
** decides the last digits of such numbers. */
#include "value/number/internal.h"

#include "base/ascii.h"

const hx_limb hx_pow5[HX_POW5_MAX + 1] = {
  1u,
  5u,
  25u,
  125u,
  625u,
  3125u,
  15625u,
  78125u,
  390625u,
  1953125u,
  9765625u,
  48828125u,
  244140625u,
  1220703125u,
  6103515625u,
  30517578125u,
  152587890625u,
  762939453125u,
  3814697265625u,
  19073486328125u,
  95367431640625u,
  476837158203125u,
  2384185791015625u,
  11920928955078125u,
  59604644775390625u,
  298023223876953125u,
  1490116119384765625u,
  7450580596923828125u,
};

void hx_short_quotient_init(hx_short_quotient *q, uint64_t whole, uint32_t digits, uint32_t prec) {
  HX_ASSERT(whole > 0 && digits <= HX_POW5_MAX && prec <= HX_SHORT_PREC);
  unsigned shift = (unsigned)__builtin_clzll(whole), shift5 = (unsigned)__builtin_clzll(hx_pow5[digits]);
  /* Both operands have their top bits set, so the quotient is in (½, 2). It has one limb before the point. After the point it has the
  ** limbs that prec needs, and one more. */
  uint32_t fraction = (prec + LIMB_BITS - 1) / LIMB_BITS + 1;
  hx_limb top = whole << shift, *p = q->limbs;
  bool sticky = hx_limbs_div_limb(p, fraction, &top, 1, hx_pow5[digits] << shift5) != 0;
  q->exp = (int64_t)shift5 - shift - digits;
  if (p[fraction]) {
    sticky |= (int)(hx_limbs_shift_down(p, p, fraction + 1, 1) != 0);
    p[fraction - 1] |= TOP_BIT;
    q->exp++;
  }
  q->n = fraction;
  q->p = hx_num_round(&q->exp, p, &q->n, sticky, prec);
}

/* Reading the text */

typedef struct scanned {
  hx_str digits;    /* all digits, perhaps with a point among them; no leading zeros */
  uint32_t n;       /* number of digits, without the point */
  int64_t fraction; /* how many digits follow the point */
  int64_t exp;
  bool neg, binary, infinite;
} scanned;

/* Reads `e` or `p`, a sign, and digits. Returns false if the exponent is malformed or exceeds int64. */
static bool scan_exponent(scanned *s, const char *p, const char *end) {
  bool neg = false;
  uint64_t exp = 0, limit = INT64_MAX;
  if (p == end) return true;
  if (*p == 'p' || *p == 'P') s->binary = true;
  else if (*p != 'e' && *p != 'E') return false;
  p++;
  if (p < end && (*p == '+' || *p == '-')) neg = *p++ == '-';
  if (p == end) return false;
  limit += neg;
  for (; p < end; p++) {
    if (!hx_is_digit(*p)) return false;
    unsigned d = (unsigned)(*p - '0');
    if (exp > (limit - d) / 10) return false;
    exp = exp * 10 + d;
  }
  s->exp = neg ? (int64_t)(0 - exp) : (int64_t)exp;
  return true;
}

static bool scan(scanned *s, hx_str text) {
  const char *p = text.p, *end = p + text.len, *point = NULL, *first = NULL;
  bool any = false;
  *s = (scanned){ .neg = false };
  if (p < end && (*p == '+' || *p == '-')) s->neg = *p++ == '-';
  if (end - p == 3 && (memcmp(p, "Inf", 3) == 0 || memcmp(p, "inf", 3) == 0)) {
    s->infinite = true;
    return true;
  }
  for (; p < end; p++) {
    if (*p == '.' && !point) {
      point = p;
    } else if (hx_is_digit(*p)) {
      any = true;
      if (!first && *p != '0') first = p;
    } else {
      break;
    }
  }
  if (!any) return false;
  if (point) s->fraction = p - point - 1;
  if (first) {
    s->digits = hx_str_of(first, (size_t)(p - first));
    s->n = s->digits.len - (point && point > first);
  }
  return scan_exponent(s, p, end);
}

/* Any length */

/* A power of five as the reference rounds it. It becomes an infinity if its exponent exceeds the reference's range. */
typedef struct rounded {
  hx_limb limbs[12];
  uint32_t n;
  int64_t exp;
} rounded;

static bool is_infinite(const rounded *z) {
  return z->exp > INT32_MAX;
}

static void multiply_rounded(rounded *z, const rounded *f, uint32_t prec) {
  hx_limb product[24];
  uint32_t n = z->n + f->n;
  if (is_infinite(z)) return;
  int64_t exp = z->exp + f->exp;
  hx_limbs_mul(product, z->limbs, z->n, f->limbs, f->n);
  hx_num_normalise(&exp, product, &n);
  hx_limb *p = hx_num_round(&exp, product, &n, false, prec);
  memcpy(z->limbs, p, n * sizeof *p);
  z->n = n;
  z->exp = exp;
}

static void set_small(rounded *z, hx_limb u) {
  unsigned shift = (unsigned)__builtin_clzll(u);
  z->limbs[0] = u << shift;
  z->n = 1;
  z->exp = LIMB_BITS - shift;
}

static void power_of_five(rounded *z, uint64_t n) {
  rounded f;
  if (n <= HX_POW5_MAX) {
    set_small(z, hx_pow5[n]);
    return;
  }
  set_small(z, hx_pow5[HX_POW5_MAX]);
  set_small(&f, 5);
  for (n -= HX_POW5_MAX; n; n >>= 1) {
    if (n & 1) multiply_rounded(z, &f, HX_PREC + 64);
    if (n > 1) {
      const rounded same = f;
      multiply_rounded(&f, &same, HX_PREC + 128);
    }
  }
}

/* Charges for computing a power of five: two products for each bit of the exponent, and a step for each product. */
static void charge_power(hx_cx *cx, const scanned *s) {
  uint64_t n = s->exp < 0 ? 0 - (uint64_t)s->exp : (uint64_t)s->exp;
  hx_charge_steps(cx, 2 * (64 - (uint64_t)__builtin_clzll((n + (uint64_t)s->fraction) | 1)));
}

static hx_val apply_power(hx_cx *cx, const hx_num_view *whole, int64_t exp5) {
  rounded power;
  hx_num_view five = { .prec = HX_PREC, .kind = HX_NUM_FINITE };
  power_of_five(&power, exp5 < 0 ? 0 - (uint64_t)exp5 : (uint64_t)exp5);
  five.p = power.limbs;
  five.n = power.n;
  five.exp = power.exp;
  if (is_infinite(&power)) five.kind = HX_NUM_INF;
  return exp5 < 0 ? hx_view_div(cx, whole, &five, HX_PREC) : hx_view_mul(cx, whole, &five, HX_PREC, HX_PREC);
}

static hx_val parse_long(hx_cx *cx, const scanned *s) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  uint64_t limbs = s->n / 19 + 2u;
  hx_limbs_charge_base(cx, limbs);
  unsigned char *digits = hx_arena_alloc(&cx->scratch, s->n);
  hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)limbs * sizeof *p);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->digits.len; i++)
    if (s->digits.p[i] != '.') digits[n++] = (unsigned char)(s->digits.p[i] - '0');
  n = (uint32_t)hx_limbs_from_digits(p, digits, n, 10);
  int64_t exp = (int64_t)n * LIMB_BITS, exp2 = s->exp;
  hx_num_normalise(&exp, p, &n);
  hx_val result = hx_none();
  if (!__builtin_sub_overflow(exp2, s->fraction, &exp2) && !__builtin_add_overflow(exp2, exp, &exp2) && exp2 >= INT32_MIN &&
      exp2 <= INT32_MAX) {
    int64_t exp5 = s->binary ? -s->fraction : s->exp - s->fraction;
    hx_num_view whole = { .prec = HX_PREC, .kind = HX_NUM_FINITE, .neg = s->neg, .n = n, .exp = exp2 };
    while (!p[0]) {
      p++;
      whole.n--;
    }
    whole.p = p;
    result = exp5 ? apply_power(cx, &whole, exp5) : hx_view_round(cx, &whole, HX_PREC);
  }
  hx_arena_release(&cx->scratch, mark);
  return result;
}

/* Returns whole / 10^digits, or whole × 10^-digits if digits < 0, for few digits. Only the result is rounded. */
static hx_val parse_short(hx_cx *cx, uint64_t whole, int64_t digits, bool neg) {
  if (digits > 0) {
    hx_short_quotient q;
    hx_short_quotient_init(&q, whole, (uint32_t)digits, HX_PREC);
    return hx_num_make(cx, neg, q.exp, q.p, q.n, false, HX_PREC);
  }
  hx_limb product[2] = { whole, 0 };
  uint32_t n = 2;
  int64_t exp = (int64_t)2 * LIMB_BITS - digits;
  product[1] = hx_limbs_mul_limb(product, product, 1, hx_pow5[-digits]);
  hx_num_normalise(&exp, product, &n);
  return hx_num_make(cx, neg, exp, product, n, false, HX_PREC);
}

static hx_val parse(hx_cx *cx, hx_str text, bool charged) {
  scanned s;
  if (!scan(&s, text)) return hx_none();
  if (s.infinite) return hx_num_inf(s.neg);
  if (s.n == 0) return hx_num_zero(cx, s.neg, HX_PREC);
  if (s.n <= 19 && !s.binary && s.exp >= -64 && s.exp <= 64) {
    int64_t digits = s.fraction - s.exp;
    if (digits >= -(int64_t)HX_POW5_MAX && digits <= HX_POW5_MAX) {
      uint64_t whole = 0;
      for (uint32_t i = 0; i < s.digits.len; i++)
        if (s.digits.p[i] != '.') whole = whole * 10 + (uint64_t)(s.digits.p[i] - '0');
      if (digits == 0 && whole <= INT64_MAX) return hx_int(s.neg ? -(int64_t)whole : (int64_t)whole);
      return parse_short(cx, whole, digits, s.neg);
    }
  }
  if (charged && !s.binary) charge_power(cx, &s);
  return parse_long(cx, &s);
}

hx_val hx_num_parse(hx_cx *cx, hx_str text) {
  return parse(cx, text, true);
}

hx_val hx_num_parse_given(hx_cx *cx, hx_str text) {
  return parse(cx, text, false);
}

/* parseint */

/* Returns the value of a digit, or -1. Up to base 36 case doesn't matter; in larger bases lower-case letters come before capital ones. */
static int digit_value(char c, int base) {
  int d = -1;
  if (hx_is_digit(c)) d = c - '0';
  else if (c >= 'a' && c <= 'z') d = c - 'a' + 10;
  else if (c >= 'A' && c <= 'Z') d = c - 'A' + (base <= 36 ? 10 : 36);
  return d < base ? d : -1;
}

static hx_val parse_long_int(hx_cx *cx, unsigned char *digits, uint32_t n, int base, bool neg) {
  /* A limb of 64 bits holds at least 10 digits of any base, and 64 digits of base 2. */
  uint64_t limbs = n / (base == 2 ? 64u : base <= 8 ? 21u : base <= 16 ? 16u : 10u) + 2u;
  hx_limbs_charge_base(cx, limbs);
  hx_limb *p = hx_arena_alloc(&cx->scratch, (size_t)limbs * sizeof *p);
  uint32_t size = (uint32_t)hx_limbs_from_digits(p, digits, n, base);
  int64_t exp = (int64_t)size * LIMB_BITS;
  hx_num_normalise(&exp, p, &size);
  return hx_num_make(cx, neg, exp, p, size, false, exp < 64 ? 64 : (uint32_t)exp);
}

hx_val hx_num_parse_int(hx_cx *cx, hx_str text, int base) {
  const char *p = text.p, *end = p + text.len;
  bool neg = false;
  if (p < end && (*p == '+' || *p == '-')) neg = *p++ == '-';
  if (p == end) return hx_none();
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  unsigned char *digits = hx_arena_alloc(&cx->scratch, (size_t)(end - p));
  uint32_t n = 0;
  hx_val result = hx_none();
  for (; p < end; p++) {
    int d = digit_value(*p, base);
    if (d < 0) break;
    if (n || d) digits[n++] = (unsigned char)d;
  }
  if (p == end) result = n ? parse_long_int(cx, digits, n, base, neg) : hx_int_prec(0, 64);
  hx_arena_release(&cx->scratch, mark);
  return result;
}
