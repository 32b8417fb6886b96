/* part.h: what the files that carry out conversion plans share.
** Memory: as in convert.h.
** Errors: false, with the reason in *c->why. */
#ifndef HX_VALUE_CONVERT_PART_H
#define HX_VALUE_CONVERT_PART_H

#include "value/convert/plan.h"

/* The path to a part that is being converted. */
typedef struct hx_place {
  const struct hx_place *up;
  const hx_type *of; /* the type that contains the part: its kind says whether the step is an attribute, a key or an index */
  hx_str key;
  uint32_t index;
} hx_place;

typedef struct hx_conversion {
  hx_cx *cx;
  hx_why_not *why;
  uint32_t hidden;        /* levels of marks around the current part: if not 0, its value isn't shown */
  const hx_place *secret; /* the outermost marked part if hidden > 0; NULL: the whole value. No key inside it is shown */
} hx_conversion;

/* Sets the reason of the failure, after the part's place. Returns false. */
bool hx_conversion_fail(hx_conversion *c, const hx_place *at, hx_str reason);
/* Converts one value by its plan. If the plan is NULL, the value stays as it is. */
bool hx_conversion_run(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);
/* Convert v, a known unmarked collection, tuple or object, to a collection. */
bool hx_convert_elements(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);
bool hx_convert_to_map(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);

#endif
