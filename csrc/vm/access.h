/* access.h: attributes and indexes of any value: null, unknown, marked, or of a wrong type.
** Memory: results in cx->arena.
** Errors: reported here as diagnostics at the given range. The result is then an unknown of `any`.
** Source: reference's Index, GetAttr, Traversal.TraverseAbs. */
#ifndef HX_VM_ACCESS_H
#define HX_VM_ACCESS_H

#include "syntax/ast.h"
#include "value/convert/convert.h"
#include "value/equal.h"
#include "value/number/number.h"
#include "vm/host.h"

struct hx_source;

/* Sets *out to the number of an index step. Returns false unless the step is 1 to 18 digits. */
bool hx_step_number(const hx_step *step, int64_t *out);
/* Follows one step of a constant path through a plain object, map, tuple or list. Returns NULL in any other case, such as a missing key. */
HX_INLINE const hx_val *hx_plain_step(const hx_val *v, const hx_path_step *s) {
  if (s->kind != HX_STEP_INDEX) return hx_is_obj(v) ? hx_obj_get(v, s->name) : NULL;
  if ((v->tag != HX_T_TUPLE && v->tag != HX_T_LIST) || s->index < 0 || s->index >= (int64_t)v->len) return NULL;
  return &v->u.seq->v[s->index];
}
/* Returns v[key]; also for legacy indexes and constant keys. */
hx_val hx_get_index(hx_cx *cx, const hx_val *v, const hx_val *key, const struct hx_source *src, hx_range at);
/* Reports that an index (from 0) is beyond the n elements of a list or tuple. */
void hx_report_range(hx_cx *cx, hx_kind kind, uint32_t n, const struct hx_source *src, hx_range at);
/* Follows steps [from, n) of a traversal. */
hx_val hx_get_steps(hx_cx *cx, hx_val v, const hx_step *steps, uint32_t from, uint32_t n, const struct hx_source *src);

#endif
