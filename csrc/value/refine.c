/* refine.c: adds refinements to an unknown value. */
#include "text/unicode.h"
#include "value/equal.h"
#include "value/marks.h"
#include "value/number/number.h"
#include "value/unknown.h"

void hx_refine_begin(hx_refine *f, const hx_val *v) {
  *f = (hx_refine){ .of = *hx_unmarked(v), .marks = hx_marks_get(v) };
  if (f->of.tag != HX_T_UNKNOWN) return;
  f->active = f->of.u.unk->type->kind != HX_K_DYNAMIC;
  f->r = *f->of.u.unk;
}

void hx_refine_not_null(hx_refine *f) {
  if (f->active) f->r.not_null = true;
}

static bool is_kind(const hx_refine *f, hx_kind k) {
  return f->active && f->r.type->kind == k;
}

void hx_refine_prefix_full(hx_cx *cx, hx_refine *f, hx_str prefix) {
  if (!is_kind(f, HX_K_STRING)) return;
  prefix = hx_nfc(cx, prefix);
  if (prefix.len > f->r.prefix.len) f->r.prefix = prefix;
}

void hx_refine_prefix(hx_cx *cx, hx_refine *f, hx_str prefix) {
  if (!is_kind(f, HX_K_STRING)) return;
  hx_charge_steps(cx, prefix.len / HX_PREFIX_BYTES);
  hx_refine_prefix_full(cx, f, hx_known_prefix(hx_nfc(cx, prefix)));
}

/* Returns true if a bound adds no information: it isn't a number, or it excludes only the infinity on its side, as a missing bound does. */
static bool says_nothing(const hx_val *bound, bool inclusive, bool negative) {
  return !hx_is_number(bound) || (!inclusive && hx_num_is_inf(bound) && hx_num_is_negative(bound) == negative);
}

static void add_bound(hx_refine *f, const hx_val *to, bool inclusive, bool upper) {
  hx_val *bound = upper ? &f->r.max : &f->r.min;
  bool *includes = upper ? &f->r.max_inclusive : &f->r.min_inclusive;
  if (!is_kind(f, HX_K_NUMBER) || says_nothing(to, inclusive, !upper)) return;
  HX_ASSERT(bound->tag == HX_T_NONE); /* no caller gives a second bound */
  *bound = *to;
  *includes = inclusive;
}

void hx_refine_min(hx_refine *f, hx_val min, bool inclusive) {
  add_bound(f, &min, inclusive, false);
}

void hx_refine_max(hx_refine *f, hx_val max, bool inclusive) {
  add_bound(f, &max, inclusive, true);
}

void hx_refine_length(hx_refine *f, uint64_t min, uint64_t max) {
  if (!f->active || !hx_type_is_collection(f->r.type)) return;
  if (min > f->r.min_length) f->r.min_length = min;
  if (max < f->r.max_length) f->r.max_length = max;
}

static hx_val unknown_elements(hx_cx *cx, const hx_type *t, uint64_t n) {
  if (n > UINT32_MAX) hx_abort(cx, HX_WHY_MEMORY);
  hx_charge_memory(cx, 16 * n);
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, (size_t)n);
  for (uint64_t i = 0; i < n; i++) v[i] = hx_unknown(cx, t->elem);
  return t->kind == HX_K_SET ? hx_set(cx, t->elem, v, (uint32_t)n) : hx_list(cx, t->elem, v, (uint32_t)n);
}

static hx_val of_length(hx_cx *cx, const hx_refine *f) {
  static const hx_shape no_keys = { .sorted = true };
  const hx_type *t = f->r.type;
  uint64_t n = f->r.min_length;
  if (n == 0 && t->kind == HX_K_MAP) return hx_map(cx, t->elem, &no_keys, NULL);
  if (n == 0 || t->kind == HX_K_LIST || (t->kind == HX_K_SET && n == 1)) return unknown_elements(cx, t, n);
  return hx_none();
}

/* Returns the only possible value, or a collection of unknowns if its length is known. Returns NONE if the value stays unknown. */
static hx_val settled(hx_cx *cx, hx_refine *f) {
  const hx_unk *r = &f->r;
  if (!r->not_null) return hx_none();
  if (hx_type_is_collection(r->type)) return r->min_length == r->max_length ? of_length(cx, f) : hx_none();
  bool both = r->min.tag != HX_T_NONE && r->max.tag != HX_T_NONE && r->min_inclusive && r->max_inclusive;
  return both && hx_num_equal(cx, &r->min, &r->max) ? r->min : hx_none();
}

hx_val hx_refine_done(hx_cx *cx, hx_refine *f) {
  if (!f->active) return hx_mark(cx, f->of, f->marks);
  hx_val v = settled(cx, f);
  if (v.tag == HX_T_NONE) {
    hx_unk *u = HX_NEW(cx, hx_unk);
    *u = f->r;
    v = hx_unknown_as(u);
  }
  return hx_mark(cx, v, f->marks);
}
