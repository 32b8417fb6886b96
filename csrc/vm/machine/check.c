/* check.c: evaluations that only check (hx_host.check): the data are unknown, so every branch is evaluated, and its errors count.
**   conditionals, && and ||   errors of the branch not chosen stay
**   for, dynamic              run once for all successive elements of the same type; if the collection is empty, once for an unknown
**   try, can                  all arguments are evaluated; errors that no data can prevent stay
**   Lua functions             aren't called: the result is unknown, of the declared type */
#include "vm/machine/parts.h"

/* Loops */

static const hx_type *element_type(const hx_type *t, uint32_t i) {
  return t->kind == HX_K_TUPLE || t->kind == HX_K_OBJECT ? t->elems[i] : t->elem;
}

/* Sets `out` to unknowns of the element types, and returns their number. Consecutive elements of the same type count once, since an
** array of data usually has elements of one type. */
static uint32_t element_types(hx_cx *cx, const hx_type *t, hx_val *out) {
  uint32_t n = 0, all = hx_type_is_collection(t) ? 1 : t->n;
  const hx_type *last = NULL;
  for (uint32_t i = 0; i < all; i++) {
    const hx_type *elem = element_type(t, i);
    if (last && (elem == last || hx_type_equal(elem, last))) continue;
    out[n++] = hx_unknown(cx, elem);
    last = elem;
  }
  if (n == 0) out[n++] = hx_unknown_dynamic;
  return n;
}

void hx_check_elements(hx_machine *m, hx_loop_frame *f, const hx_val *collection) {
  const hx_type *t = hx_val_type(&m->cx, collection);
  hx_charge_walk(&m->cx, hx_type_weight(t));
  hx_val *v = HX_NEW_ARRAY(&m->cx, hx_val, (size_t)t->n + 1);
  f->n = element_types(&m->cx, t, v);
  f->collection = *collection;
  f->base = v;
  f->item = NULL;
  f->is_set = t->kind == HX_K_SET;
  f->unsettled = false;
  f->state = HX_LOOP_CHECK;
}

hx_val hx_check_loop_key(hx_machine *m, const hx_loop_frame *f) {
  hx_kind kind = hx_val_kind(&f->collection);
  if (kind == HX_K_LIST || kind == HX_K_TUPLE) return hx_unknown_not_null(&m->cx, &hx_type_number);
  if (kind == HX_K_MAP || kind == HX_K_OBJECT) return hx_unknown_not_null(&m->cx, &hx_type_string);
  return kind == HX_K_SET ? *f->item : hx_unknown_dynamic;
}

hx_val hx_check_text(hx_machine *m, const hx_loop_frame *f) {
  return hx_string(hx_strf(&m->cx, "%u.%u", m->pc, f->i));
}

/* Returns the type that all values share, or `any` if their types differ or contain `any`. */
static const hx_type *common_type(hx_cx *cx, const hx_val *v, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (!hx_val_same_type(hx_unmarked(&v[0]), hx_unmarked(&v[i]))) return &hx_type_dynamic;
  const hx_type *t = n ? hx_val_type(cx, &v[0]) : &hx_type_dynamic;
  return hx_type_has_dynamic(t) ? &hx_type_dynamic : t;
}

/* Returns the result of a loop over an unknown number of elements: a list or map, because it fits wherever a tuple or object of any
** length fits. */
hx_val hx_check_loop_result(hx_machine *m, const hx_loop_frame *f) {
  hx_cx *cx = &m->cx;
  bool tuple = f->plan->kind == HX_LOOP_TUPLE;
  if (f->plan->kind == HX_LOOP_GROUP) return hx_unknown_dynamic;
  const hx_type *t = tuple ? common_type(cx, f->out, f->nout) : common_type(cx, f->builder.v, f->builder.n);
  if (t->kind == HX_K_DYNAMIC) return hx_unknown_dynamic;
  return hx_unknown_not_null(cx, tuple ? hx_type_list(cx, t) : hx_type_map(cx, t));
}

/* try and can */

/* Returns true if the expression fails in this way for any data. */
static bool is_certain(const hx_diag *d) {
  static const hx_diag_id certain[] = {
    HX_D_REFERENCE_UNKNOWN,
    HX_D_REFERENCE_ATTRIBUTE,
    HX_D_REFERENCE_ATTRIBUTE_OF_EACH,
    HX_D_REFERENCE_NO_ATTRIBUTES,
    HX_D_CALL_UNKNOWN,
    HX_D_CALL_NONE,
    HX_D_CALL_COUNT,
  };
  for (size_t i = 0; i < sizeof certain / sizeof *certain; i++)
    if (d->id == certain[i]) return true;
  return false;
}

hx_went hx_check_try(hx_machine *m, const hx_call_site *site) {
  m->cx.tries--;
  if (m->cx.diags.errors) hx_errors_drop_but(m, site->begin, m->pc, is_certain);
  const hx_type *t = &hx_type_bool;
  if (!(site->form & HX_FORM_CAN)) t = site->spread ? &hx_type_dynamic : common_type(&m->cx, m->top - site->nargs, site->nargs);
  hx_machine_put(m, site->nargs, hx_unknown(&m->cx, t));
  return HX_WENT_ON;
}

/* Calls */

hx_val hx_check_called(hx_machine *m) {
  const hx_type *t = m->call.ret ? m->call.ret : &hx_type_dynamic;
  return hx_mark(&m->cx, hx_unknown(&m->cx, t), m->call_marks);
}
