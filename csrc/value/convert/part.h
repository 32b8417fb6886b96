/* part.h: shared by the files that carry out conversion plans.
** Memory: as in convert.h.
** Errors: false, with the reason in run->why. */
#ifndef HX_VALUE_CONVERT_PART_H
#define HX_VALUE_CONVERT_PART_H

#include "value/convert/plan.h"

/* The place of a conversion: the path to the current part. */
typedef struct hx_place {
  const struct hx_place *up;
  const hx_type *of; /* the type that the part belongs to: an object has attributes, a map keys, others numbers */
  hx_str key;
  uint32_t index;
} hx_place;

typedef struct hx_conversion {
  hx_cx *cx;
  hx_why_not *why;
  uint32_t hidden;        /* levels of marks around the current part: its value isn't shown */
  const hx_place *secret; /* the outermost marked part if hidden > 0; NULL: the whole. Keys below it aren't shown either */
} hx_conversion;

/* Returns false, and puts the reason after the place. */
bool hx_conversion_fail(hx_conversion *c, const hx_place *at, hx_str reason);
/* Converts one value by its plan. Plan NULL: it stays as it is. */
bool hx_conversion_run(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);
/* Collections from collections, tuples and objects. v is known and unmarked. */
bool hx_convert_elements(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);
bool hx_convert_to_map(hx_conversion *c, const hx_plan *p, const hx_val *v, const hx_place *at, hx_val *out);

#endif
