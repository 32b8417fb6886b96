/* order.c: orders a set's elements by the text that the reference hashes. */
#include "value/order.h"
#include "text/quote.h"
#include "text/unicode.h"
#include "value/equal.h"
#include "value/number/number.h"

int hx_order_rank(const hx_val *v) {
  return v->tag == HX_T_NULL ? 2 : v->tag == HX_T_UNKNOWN;
}

int hx_order_numbers(const hx_val *a, const hx_val *b) {
  int c = hx_num_cmp(a, b);
  if (c) return c;
  /* Of equal numbers, only 0 and -0 are compared here, because a set has every other number once. The reference's hash puts -0 first. */
  return (int)hx_num_is_negative(b) - (int)hx_num_is_negative(a);
}

/* Appends a number with ten digits, as the reference hashes it. */
static void number_text(hx_cx *cx, hx_buf *b, const hx_val *v) {
  if (v->tag == HX_T_INT && v->u.i > -INT64_C(10000000000) && v->u.i < INT64_C(10000000000)) hx_buf_int(b, v->u.i);
  else hx_buf_str(b, hx_num_format(cx, v, 'g', 10));
}

/* Returns the letter of an escape, such as n for a newline, or 0. */
static char letter_of(int32_t cp) {
  static const char letters[] = "abtnvfr"; /* the letters of codes 7 to 13 */
  if (cp >= 7 && cp <= 13) return letters[cp - 7];
  return cp == '"' || cp == '\\' ? (char)cp : 0;
}

void hx_order_quote(hx_buf *b, hx_str s) {
  const char *p = s.p, *end = s.p + s.len;
  hx_buf_put(b, '"');
  while (p < end) {
    int32_t cp;
    uint32_t n = hx_utf8_read(p, end, &cp);
    char letter = letter_of(cp);
    if (cp < 0) hx_quote_escape(b, 'x', (unsigned char)*p, 2);
    else if (letter) hx_buf_bytes(b, (char[]){ '\\', letter }, 2);
    else if (hx_cp_is_print(cp)) hx_buf_bytes(b, p, n);
    else if (cp < 0x80) hx_quote_escape(b, 'x', cp, 2);
    else if (cp < 0x10000) hx_quote_escape(b, 'u', cp, 4);
    else hx_quote_escape(b, 'U', cp, 8);
    p += n;
  }
  hx_buf_put(b, '"');
}

static void map_text(hx_cx *cx, hx_buf *b, const hx_val *v) {
  hx_iter it;
  hx_buf_put(b, v->tag == HX_T_MAP ? '{' : '<');
  for (hx_iter_init(cx, &it, v); hx_iter_next(&it);) {
    if (v->tag == HX_T_MAP) {
      hx_order_quote(b, hx_val_str(&it.key));
      hx_buf_put(b, ':');
    }
    hx_order_text(cx, b, it.value);
    hx_buf_put(b, ';');
  }
  hx_buf_put(b, v->tag == HX_T_MAP ? '}' : '>');
}

static void seq_text(hx_cx *cx, hx_buf *b, const hx_val *v) {
  hx_buf_put(b, v->tag == HX_T_TUPLE ? '<' : '[');
  for (uint32_t i = 0; i < v->len; i++) {
    hx_order_text(cx, b, &v->u.seq->v[i]);
    hx_buf_put(b, ';');
  }
  hx_buf_put(b, v->tag == HX_T_TUPLE ? '>' : ']');
}

void hx_order_text(hx_cx *cx, hx_buf *b, const hx_val *v) {
  if (v->tag > HX_T_STR) hx_stack_check();
  switch ((hx_tag)v->tag) {
    case HX_T_UNKNOWN: hx_buf_put(b, '?'); break;
    case HX_T_NULL: hx_buf_put(b, '~'); break;
    case HX_T_BOOL: hx_buf_put(b, v->u.i ? 'T' : 'F'); break;
    case HX_T_INT:
    case HX_T_NUM: number_text(cx, b, v); break;
    case HX_T_STR: hx_order_quote(b, hx_val_str(v)); break;
    case HX_T_MAP:
    case HX_T_OBJECT: map_text(cx, b, v); break;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE: seq_text(cx, b, v); break;
    case HX_T_CAPSULE: hx_type_write(b, v->u.type); break;
    case HX_T_NONE:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
}

static int compare_texts(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_buf x, y;
  hx_buf_init(&x, &cx->scratch, 64);
  hx_order_text(cx, &x, a);
  hx_buf_init(&y, &cx->scratch, 64);
  hx_order_text(cx, &y, b);
  int c = hx_str_cmp((hx_str){ x.p, x.len }, (hx_str){ y.p, y.len });
  hx_arena_release(&cx->scratch, mark);
  return c;
}

int hx_set_order(hx_cx *cx, const hx_val *a, const hx_val *b) {
  int rank = hx_order_rank(a) - hx_order_rank(b);
  if (rank || hx_order_rank(a)) return rank;
  if (a->tag == HX_T_STR) return hx_str_cmp(hx_val_str(a), hx_val_str(b));
  if (a->tag == HX_T_BOOL) return (int)a->u.i - (int)b->u.i;
  if (hx_is_number(a)) return hx_order_numbers(a, b);
  return compare_texts(cx, a, b);
}
