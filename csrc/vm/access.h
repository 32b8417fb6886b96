/* access.h: attributes and indexes of any values: null, unknown, marked, of the wrong types.
** Memory: results in cx->arena.
** Errors: reported here as diagnostics at the range given; the result is then unknown of type any.
** Source: reference's Index, GetAttr, Traversal.TraverseAbs. */
#ifndef HX_VM_ACCESS_H
#define HX_VM_ACCESS_H

#include "syntax/ast.h"
#include "value/convert.h"
#include "value/equal.h"
#include "value/number.h"

struct hx_source;

/* An index step's number, where it is a plain one, as nearly all are: digits only, and it fits. */
bool hx_step_number(const hx_step *step, int64_t *out);
/* v[key]; legacy index and constant keys too. */
hx_val hx_get_index(hx_cx *cx, const hx_val *v, const hx_val *key, const struct hx_source *src, hx_range at);
/* What is reported of an object with these keys that has no attribute `name`. */
void hx_report_attribute(hx_cx *cx, const hx_str *keys, uint32_t n, hx_str name, const struct hx_source *src, hx_range at);
/* What is reported of a list or tuple of n elements where an index, from 0, goes beyond them. */
void hx_report_range(hx_cx *cx, hx_kind kind, uint32_t n, const struct hx_source *src, hx_range at);
/* Steps [from, n) of a traversal. */
hx_val hx_get_steps(hx_cx *cx, hx_val v, const hx_step *steps, uint32_t from, uint32_t n, const struct hx_source *src);

#endif
