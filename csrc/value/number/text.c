/* text.c: writes numbers as text: the shortest decimal, and the forms of format(). Source: numbers.md "Text"; the layout of format()'s e, f
** and g is that of Go's big.Float.Text. */
#include "value/number/internal.h"

/* Makes room for n bytes of text, or aborts: 1e600000000 is a legal number. */
static char *reserve_text(hx_cx *cx, hx_buf *b, uint64_t n) {
  if (n > 64) hx_charge_steps(cx, n / 64);
  if (n > cx->memory_left || n > UINT32_MAX - b->len) hx_abort(cx, HX_WHY_MEMORY);
  return hx_buf_reserve(b, (uint32_t)n);
}

static char *put_fill(char *p, char c, uint64_t n) {
  memset(p, c, (size_t)n);
  return p + n;
}

/* Writes n digits of d, beginning with digit `from`. Returns the end. */
static char *put_digits(char *p, const hx_decimal *d, uint64_t from, uint64_t n) {
  if (n) memcpy(p, d->digits + from, (size_t)n);
  return p + n;
}

/* Writes digits with a decimal point, and exactly `places` digits after it. */
static void write_plain(hx_cx *cx, hx_buf *b, const hx_decimal *d, uint64_t places) {
  uint64_t whole = d->n && d->exp > 0 ? (uint64_t)d->exp : 0, taken = whole < d->n ? whole : d->n;
  char *p = reserve_text(cx, b, (whole ? whole : 1) + places + 1);
  p = put_digits(p, d, 0, taken);
  p = put_fill(p, '0', whole ? whole - taken : 1);
  if (places) {
    *p++ = '.';
    uint64_t zeros = d->n && d->exp < 0 ? 0 - (uint64_t)d->exp : 0;
    if (zeros > places) zeros = places;
    p = put_fill(p, '0', zeros);
    uint64_t left = places - zeros, some = d->n - taken < left ? d->n - taken : left;
    p = put_digits(p, d, taken, some);
    p = put_fill(p, '0', left - some);
  }
  b->len = (uint32_t)(p - b->p);
}

static uint64_t shortest_places(const hx_decimal *d) {
  return (int64_t)d->n > d->exp ? (uint64_t)((int64_t)d->n - d->exp) : 0;
}

/* Writes one digit, a point and `places` digits, and an exponent of at least two digits. */
static void write_scientific(hx_cx *cx, hx_buf *b, const hx_decimal *d, uint64_t places, char e) {
  char *p = reserve_text(cx, b, places + 24);
  uint64_t some = d->n > 1 ? d->n - 1 : 0;
  if (some > places) some = places;
  *p++ = d->n ? d->digits[0] : '0';
  if (places) {
    *p++ = '.';
    p = put_digits(p, d, 1, some);
    p = put_fill(p, '0', places - some);
  }
  int64_t exp = d->n ? d->exp - 1 : 0;
  *p++ = e;
  *p++ = exp < 0 ? '-' : '+';
  if (exp < 0) exp = -exp;
  if (exp < 10) *p++ = '0';
  b->len = (uint32_t)(p - b->p);
  hx_buf_int(b, exp);
}

/* The shortest decimal */

/* Tries 15 digits, and checks them by dividing back. Most fractions that people write have at most 15, and then these are the shortest.
** Source: numbers.md "Text". Returns false if 15 digits don't suffice. */
static bool short_fraction(hx_decimal *d, const hx_num_view *v, char room[HX_SHORT_DIGITS]) {
  if (v->prec > HX_SHORT_PREC || v->exp > 50 || v->exp < -30) return false;
  /* 10^k times the number is at least 10^14 and below 10^16. The top limb alone suffices: its error, 2^-64 of the number, is far below
  ** 15 digits. */
  int k = 15 - (int)((v->exp * 1233 + (1 << 20)) >> 12) + (1 << 8);
  if (k < 0 || k > (int)(v->prec < 64 ? 22u : HX_POW5_MAX)) return false;
  unsigned __int128 product = (unsigned __int128)v->p[v->n - 1] * hx_pow5[k];
  int shift = 64 - (int)v->exp - k;
  uint64_t candidate = (uint64_t)(product >> (shift - 1));
  candidate = (candidate + 1) >> 1;
  if (candidate >= 1000000000000000u) {
    candidate = (candidate + 5) / 10;
    k--;
  }
  while (k > 0 && candidate % 10 == 0) {
    candidate /= 10;
    k--;
  }
  hx_short_quotient q;
  if (!candidate || k <= 0) return false;
  hx_short_quotient_init(&q, candidate, (uint32_t)k, v->prec);
  if (q.exp != v->exp || q.n != v->n || !hx_limbs_equal(q.p, v->p, v->n)) return false;
  *d = (hx_decimal){ .digits = room + HX_SHORT_DIGITS };
  for (; candidate; candidate /= 10, d->n++) *--d->digits = (char)('0' + candidate % 10);
  d->exp = (int64_t)d->n - k;
  return true;
}

void hx_decimal_fraction(hx_cx *cx, hx_decimal *d, const hx_num_view *v, char room[HX_SHORT_DIGITS]) {
  hx_charge_steps(cx, 1);
  if (!short_fraction(d, v, room)) hx_decimal_shortest(cx, d, v, v->prec, false);
}

static void write_whole(hx_cx *cx, hx_buf *b, const hx_num_view *v) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  uint64_t n;
  char *digits = hx_whole_digits(cx, v, 10, &n);
  memcpy(reserve_text(cx, b, n), digits, (size_t)n);
  b->len += (uint32_t)n;
  hx_arena_release(&cx->scratch, mark);
}

void hx_num_write(hx_cx *cx, hx_buf *b, const hx_val *a) {
  hx_num_view v;
  if (a->tag == HX_T_INT && HX_LIKELY(a->len >= 64)) {
    hx_buf_int(b, a->u.i);
    return;
  }
  hx_num_look(&v, a);
  if (v.neg) hx_buf_put(b, '-');
  if (v.kind == HX_NUM_ZERO) {
    hx_buf_put(b, '0');
  } else if (v.kind == HX_NUM_INF) {
    if (!v.neg) hx_buf_put(b, '+');
    hx_buf_c(b, "Inf");
  } else if (v.exp <= (int64_t)v.prec && hx_view_is_whole(&v)) {
    /* The last bit of v counts at most 1, and no shorter decimal is within half of that. */
    write_whole(cx, b, &v);
  } else {
    hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
    char room[HX_SHORT_DIGITS];
    hx_decimal d;
    hx_decimal_fraction(cx, &d, &v, room);
    write_plain(cx, b, &d, shortest_places(&d));
    hx_arena_release(&cx->scratch, mark);
  }
}

hx_str hx_num_text(hx_cx *cx, const hx_val *a) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 32);
  hx_num_write(cx, &b, a);
  return hx_buf_done(&b);
}

/* Forms of format() */

/* Writes the form of g: scientific if the exponent is below -4, or not below the number of digits (6 for the shortest). */
static void write_general(hx_cx *cx, hx_buf *b, const hx_decimal *d, int64_t prec, bool shortest, char e) {
  int64_t n = (int64_t)d->n, limit = shortest ? 6 : prec, exp = d->exp - 1;
  if (exp < -4 || exp >= limit) {
    if (prec > n) prec = n;
    write_scientific(cx, b, d, prec > 1 ? (uint64_t)prec - 1 : 0, e);
    return;
  }
  if (prec > d->exp) prec = n;
  write_plain(cx, b, d, prec > d->exp ? (uint64_t)(prec - d->exp) : 0);
}

static void write_format(hx_cx *cx, hx_buf *b, const hx_num_view *v, char format, int prec) {
  hx_decimal d = { .digits = NULL };
  bool plain = format == 'f', general = format == 'g' || format == 'G';
  int64_t digits = prec;
  if (prec >= 0 && (uint64_t)prec > cx->memory_left) hx_abort(cx, HX_WHY_MEMORY);
  if (general && prec == 0) digits = 1;
  if (v->kind == HX_NUM_FINITE) {
    if (prec < 0) hx_decimal_shortest(cx, &d, v, v->prec, false);
    else hx_decimal_rounded(cx, &d, v, plain || general ? digits : digits + 1, plain);
  }
  if (prec < 0) digits = general ? (int64_t)d.n : plain ? (int64_t)shortest_places(&d) : d.n ? (int64_t)d.n - 1 : 0;
  if (plain) write_plain(cx, b, &d, (uint64_t)digits);
  else if (general) write_general(cx, b, &d, digits, prec < 0, format == 'g' ? 'e' : 'E');
  else write_scientific(cx, b, &d, (uint64_t)digits, format);
}

hx_str hx_num_format(hx_cx *cx, const hx_val *a, char format, int prec) {
  hx_num_view v;
  hx_buf b;
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_num_look(&v, a);
  hx_buf_init(&b, &cx->arena, 32);
  if (v.neg) hx_buf_put(&b, '-');
  if (v.kind == HX_NUM_INF) {
    if (!v.neg) hx_buf_put(&b, '+');
    hx_buf_c(&b, "Inf");
  } else {
    write_format(cx, &b, &v, format, prec);
  }
  hx_arena_release(&cx->scratch, mark);
  return hx_buf_done(&b);
}

/* Returns about how many digits a number below 2^exp has, or, for a negative exp, how many zeros follow its point. */
static uint64_t size_of_power(int64_t exp) {
  return (uint64_t)(exp < 0 ? -exp : exp) * 30103 / 100000;
}

void hx_num_show(hx_cx *cx, hx_buf *b, const hx_val *a, uint32_t most) {
  hx_num_view v;
  hx_num_look(&v, a);
  if (v.kind != HX_NUM_FINITE || size_of_power(v.exp) <= most || (v.exp > 0 && v.exp <= (int64_t)v.prec)) {
    hx_num_write(cx, b, a);
    return;
  }
  hx_str text = hx_num_format(cx, a, 'e', -1);
  const char *e = memchr(text.p, 'e', text.len);
  uint32_t head = (uint32_t)(e - text.p) + 1;
  hx_buf_bytes(b, text.p, head);
  if (text.p[head] == '+') head++;
  hx_buf_bytes(b, text.p + head, text.len - head);
}

hx_str hx_num_digits(hx_cx *cx, const hx_val *a, int base, bool upper) {
  hx_num_view v;
  hx_buf b;
  hx_num_look(&v, a);
  hx_buf_init(&b, &cx->arena, 24);
  if (v.kind == HX_NUM_ZERO) {
    hx_buf_put(&b, '0');
    return hx_buf_done(&b);
  }
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  uint64_t n;
  char *digits = hx_whole_digits(cx, &v, base, &n), *p = reserve_text(cx, &b, n + 1);
  if (v.neg) *p++ = '-';
  for (uint64_t i = 0; i < n; i++) *p++ = upper && digits[i] >= 'a' ? (char)(digits[i] - 'a' + 'A') : digits[i];
  b.len = (uint32_t)(p - b.p);
  hx_arena_release(&cx->scratch, mark);
  return hx_buf_done(&b);
}
