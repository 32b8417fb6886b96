/* range.c: says what is certain about any value, known or unknown. */
#include "value/marks.h"
#include "value/number/number.h"
#include "value/open.h"

bool hx_surely_not_null(const hx_val *v) {
  if (v->tag == HX_T_UNKNOWN) return v->u.unk->not_null;
  return v->tag != HX_T_NULL;
}

hx_str hx_prefix_of(const hx_val *v) {
  if (v->tag == HX_T_STR) return hx_val_str(v);
  return v->tag == HX_T_UNKNOWN ? v->u.unk->prefix : HX_STR("");
}

void hx_bounds_of(const hx_val *v, hx_val *min, bool *min_inclusive, hx_val *max, bool *max_inclusive) {
  *min = *max = hx_none();
  *min_inclusive = *max_inclusive = false;
  if (hx_is_number(v)) {
    *min = *max = *v;
    *min_inclusive = *max_inclusive = true;
  } else if (v->tag == HX_T_UNKNOWN) {
    const hx_unk *u = v->u.unk;
    *min = u->min;
    *min_inclusive = u->min_inclusive;
    *max = u->max;
    *max_inclusive = u->max_inclusive;
  }
}

bool hx_set_may_shrink(const hx_val *v) {
  return v->tag == HX_T_SET && v->len > 1 && !hx_is_wholly_known(v);
}

void hx_length_bounds_of(const hx_val *v, uint64_t *min, uint64_t *max) {
  *min = 0;
  *max = HX_NO_MAX;
  if (v->tag == HX_T_UNKNOWN) {
    *min = v->u.unk->min_length;
    *max = v->u.unk->max_length;
  } else if (v->tag != HX_T_NULL && !hx_set_may_shrink(v)) {
    *min = *max = v->len;
  }
}

static bool is_refined_number(const hx_unk *u) {
  return u->type->kind == HX_K_NUMBER && (u->not_null || u->min.tag != HX_T_NONE || u->max.tag != HX_T_NONE);
}

/* Returns true if the number w is outside the bounds of u. A missing bound excludes the infinity on its side. */
static bool outside_bounds(const hx_unk *u, const hx_val *w) {
  if (u->min.tag == HX_T_NONE ? hx_num_is_inf(w) && hx_num_is_negative(w) : hx_num_cmp(w, &u->min) < (u->min_inclusive ? 0 : 1))
    return true;
  if (u->max.tag == HX_T_NONE) return hx_num_is_inf(w) && !hx_num_is_negative(w);
  return hx_num_cmp(w, &u->max) > (u->max_inclusive ? 0 : -1);
}

static bool outside_length(const hx_unk *u, const hx_val *w) {
  uint64_t least = hx_set_may_shrink(w) ? 1 : w->len;
  return w->len < u->min_length || least > u->max_length;
}

hx_sure hx_range_includes(hx_cx *cx, const hx_val *v, const hx_val *w) {
  HX_ASSERT(v->tag == HX_T_UNKNOWN);
  const hx_unk *u = v->u.unk;
  if (w->tag == HX_T_NULL) return u->not_null ? HX_NO : HX_YES;
  if (u->open) return hx_open_may_be(cx, v, w);
  if (!hx_val_is_of(w, u->type) && !hx_type_conforms(hx_val_type(cx, w), u->type)) return HX_NO;
  if (w->tag == HX_T_STR && u->prefix.len && (w->len < u->prefix.len || memcmp(w->u.s, u->prefix.p, u->prefix.len) != 0))
    return HX_NO;
  if (hx_is_number(w) && is_refined_number(u) && outside_bounds(u, w)) return HX_NO;
  bool collection = w->tag == HX_T_LIST || w->tag == HX_T_SET || w->tag == HX_T_MAP;
  if (collection && hx_type_is_collection(u->type) && outside_length(u, w)) return HX_NO;
  return HX_MAYBE;
}
