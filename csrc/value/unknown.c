/* unknown.c: makes unknowns, open objects and items. Unknowns of primitive types need no memory. */
#include "value/unknown.h"

#ifdef HX_TEST
#define POISONED .poison = { HX_POISON, HX_POISON, HX_POISON, HX_POISON, HX_POISON, HX_POISON },
#else
#define POISONED
#endif
#define KNOWN(t, no_null) \
  { POISONED.type = (t), .not_null = (no_null), .max_length = HX_NO_MAX }
#define PLAIN(t) KNOWN(t, false)
#define NOT_NULL(t) KNOWN(t, true)

/* Unknowns that need no memory, indexed by kind. */
static const hx_unk plain[] = {
  [HX_K_DYNAMIC] = PLAIN(&hx_type_dynamic),
  [HX_K_STRING] = PLAIN(&hx_type_string),
  [HX_K_NUMBER] = PLAIN(&hx_type_number),
  [HX_K_BOOL] = PLAIN(&hx_type_bool),
};
static const hx_unk not_null[] = {
  [HX_K_DYNAMIC] = PLAIN(&hx_type_dynamic), /* `any` takes no refinements */
  [HX_K_STRING] = NOT_NULL(&hx_type_string),
  [HX_K_NUMBER] = NOT_NULL(&hx_type_number),
  [HX_K_BOOL] = NOT_NULL(&hx_type_bool),
};

static const hx_unk untyped = { POISONED.type = &hx_type_dynamic, .untyped = true, .max_length = HX_NO_MAX };

const hx_val hx_unknown_untyped = { .tag = HX_T_UNKNOWN, .len = HX_POISON, .u.unk = &untyped };
const hx_val hx_unknown_dynamic = { .tag = HX_T_UNKNOWN, .len = HX_POISON, .u.unk = &plain[HX_K_DYNAMIC] };

static hx_val make(hx_cx *cx, const hx_type *t, bool no_null) {
  if (t->kind <= HX_K_BOOL) return hx_unknown_as((no_null ? not_null : plain) + t->kind);
  hx_unk *u = HX_NEW(cx, hx_unk);
  *u = (hx_unk)KNOWN(t, no_null);
  return hx_unknown_as(u);
}

hx_val hx_unknown(hx_cx *cx, const hx_type *t) {
  return make(cx, t, false);
}
hx_val hx_unknown_not_null(hx_cx *cx, const hx_type *t) {
  return make(cx, t, true);
}

hx_val hx_open_as(hx_cx *cx, const hx_open_info *known) {
  HX_ASSERT(known->parts.tag == HX_T_OBJECT || (known->parts.tag == HX_T_TUPLE && known->parts.len));
  hx_open_info *open = HX_NEW(cx, hx_open_info);
  hx_unk *u = HX_NEW(cx, hx_unk);
  *open = *known;
  *u = (hx_unk)KNOWN(&hx_type_dynamic, true);
  u->open = open;
  return hx_unknown_as(u);
}

hx_val hx_open_object(hx_cx *cx, const hx_val *parts) {
  return hx_open_as(cx, &(hx_open_info){ .parts = *parts, .written = hx_none() });
}

hx_val hx_open_items(hx_cx *cx, const hx_val *items, hx_items_form form) {
  return hx_open_as(cx, &(hx_open_info){ .parts = *items, .written = hx_none(), .form = form });
}
