/* body_plan.h: plans of the nodes that config/ makes of a body, to evaluate it as one program (ast_list.h, "Made of
** bodies"). The value of the node is after ->:
**
**   EXPANDED   a body whose `dynamic` blocks are to be expanded: one item for each block -> tuple of the items' values
**   DECODED    a body to be decoded: ARGUMENT, NESTED and FAULT items -> object
**   ARGUMENT   an attribute's expression, if there is one -> its value, converted to its type
**   NESTED     all blocks of one type: DECODED (static blocks) and EACH (dynamic ones) -> as `nesting` says
**   EACH       a `dynamic` block: for_each, labels, content -> tuple of entries, one for each generated block:
**              of DECODED content   [ labels…, body ]
**              of EXPANDED content [ key, value, state, labels…, items ]; state: null, or unknown if for_each is unknown; with the
**              marks of for_each
**   WITHIN     an expression of an expanded body (config/lower.h) -> its value there
**   FAULT      reports a diagnostic
** Memory: plans live with the nodes, in the program's arena.
** Errors: none here. */
#ifndef HX_VM_BODY_PLAN_H
#define HX_VM_BODY_PLAN_H

#include "base/diag.h"
#include "syntax/ast.h"
#include "vm/constraint.h"

/* The plan of a DECODED or EXPANDED node. */
typedef struct hx_entry_plan {
  const hx_node *block; /* its BLOCK; NULL: the outermost body */
  const hx_node *body;  /* its content (config/content.h) */
  const hx_str *labels; /* for a DECODED that isn't the content of a `dynamic` block */
  uint32_t nlabels;
  uint32_t beside; /* of the outermost DECODED: values may be nested this many levels deeper than the blocks */
} hx_entry_plan;

typedef struct hx_argument_plan {
  const hx_constraint *type; /* NULL: any */
  hx_val value;              /* the value that replaces null; HX_T_NONE: no default */
  bool not_null;             /* null is an error */
} hx_argument_plan;

typedef enum hx_nesting { HX_NESTING_LIST, HX_NESTING_SET, HX_NESTING_MAP, HX_NESTING_SINGLE } hx_nesting;

typedef struct hx_nested_plan {
  hx_str type;
  const hx_str *labels; /* names of the labels; NULL: each label becomes a level of nested objects */
  uint32_t nlabels;
  uint8_t nesting; /* hx_nesting */
  uint32_t min, max;
  hx_range missing; /* where missing blocks are reported */
} hx_nested_plan;

typedef struct hx_each_plan {
  hx_loop names; /* names.value is the iterator */
  hx_str type;   /* the type of the generated blocks */
  hx_range type_range;
  uint32_t nlabels;
  bool expanded; /* the content is EXPANDED */
  bool check;    /* only for_each is checked; FAULT items follow */
} hx_each_plan;

/* An entry of EACH. */
typedef struct hx_each_entry {
  const hx_val *iterator; /* key and value, as in hx_iterator_shape; NULL unless the content is EXPANDED */
  const hx_val *state;    /* null, or unknown if for_each is unknown; NULL unless the content is EXPANDED */
  const hx_val *labels;
  const hx_val *content; /* the body, or its items */
} hx_each_entry;
/* The values that an entry of EXPANDED content begins with. */
enum { HX_EACH_KEY, HX_EACH_VALUE, HX_EACH_STATE, HX_EACH_ITERATION /* the number of values above */ };

/* hx_each_before_labels returns how many values of an entry come before its labels, hx_each_values how many the entry has in all. */
HX_INLINE uint32_t hx_each_before_labels(const hx_each_plan *plan) {
  return plan->expanded ? HX_EACH_ITERATION : 0;
}
HX_INLINE uint32_t hx_each_values(const hx_each_plan *plan) {
  return hx_each_before_labels(plan) + plan->nlabels + 1;
}
/* Returns an entry by its values, which are in order. */
HX_INLINE hx_each_entry hx_each_entry_of(const hx_each_plan *plan, const hx_val *values) {
  const hx_val *labels = values + hx_each_before_labels(plan);
  return (hx_each_entry){ .iterator = plan->expanded ? values : NULL,
                          .state = plan->expanded ? values + HX_EACH_STATE : NULL,
                          .labels = labels,
                          .content = labels + plan->nlabels };
}

/* A name that is a constant within an expression: the iterator of a `dynamic` block around the expression. */
typedef struct hx_bound_name {
  const struct hx_bound_name *outer;
  hx_str name;
  hx_val value;
  bool secret; /* for_each of this block or an outer one has a mark that the value lacks, so no message may show the value */
} hx_bound_name;

typedef struct hx_within_plan {
  const hx_bound_name *names; /* innermost first */
  hx_val unknown;             /* the result if the block is unknown: the expression isn't evaluated then; otherwise HX_T_NONE */
  hx_val marked;              /* the result gets the marks of this value; or HX_T_NONE */
} hx_within_plan;

HX_INLINE bool hx_within_is_secret(const hx_within_plan *plan) {
  return plan->names && plan->names->secret;
}

/* Returns the shape of an iterator, with the attributes key and value. */
const hx_shape *hx_iterator_shape(hx_cx *cx);

/* Returns the plan of a node made by config/. */
HX_INLINE const void *hx_plan_of(const hx_node *n) {
  return n->u.made.plan;
}

#endif
