/* body_plan.h: what the nodes say that config/ makes of a body to be evaluated as one program (ast_list.h, "Made of bodies").
**
**   EXPANDED   a body whose `dynamic` blocks are to be worked out: one item for each block -> tuple of what they give
**   DECODED    a body to be decoded: ARGUMENT, NESTED and FAULT items -> object
**   ARGUMENT   an attribute's expression, converted to its type
**   NESTED     all blocks of one type: DECODED (static blocks) and EACH (dynamic ones) -> what the nesting says
**   EACH       a `dynamic` block: for_each, labels, content -> tuple of entries, one a generated block:
**              of DECODED content   [ labels…, body ]
**              of EXPANDED content  [ key, value, state, labels…, items ]; state: null, or unknown where for_each is; with its marks
**   WITHIN     an expression of a body whose `dynamic` blocks were worked out (config/expansion.h) -> its value there
**   FAULT      reports a diagnostic
** Memory: plans live with the nodes, in the program's arena.
** Errors: none here. */
#ifndef HX_VM_BODY_PLAN_H
#define HX_VM_BODY_PLAN_H

#include "base/diag.h"
#include "syntax/ast.h"
#include "vm/constraint.h"

/* Of a DECODED or EXPANDED. */
typedef struct hx_entry_plan {
  const hx_node *block; /* the BLOCK it is of; NULL: the outermost body */
  const hx_node *body;  /* its content (config/content.h) */
  const hx_str *labels; /* of a DECODED that is no content of a `dynamic` block */
  uint32_t nlabels;
  uint32_t beside; /* of the outermost DECODED: levels of data that its blocks come to, beyond one each */
} hx_entry_plan;

typedef struct hx_argument_plan {
  hx_str name;
  const hx_constraint *type; /* NULL: any */
  hx_val value;              /* what stands for null; HX_T_NONE: nothing does */
  bool not_null;             /* null is an error */
} hx_argument_plan;

typedef enum hx_nesting { HX_NESTING_LIST, HX_NESTING_SET, HX_NESTING_MAP, HX_NESTING_SINGLE } hx_nesting;

typedef struct hx_nested_plan {
  hx_str type;
  const hx_str *labels; /* their names; NULL: each label is a level of tables */
  uint32_t nlabels;
  uint8_t nesting; /* hx_nesting */
  uint32_t min, max;
  hx_range missing; /* where too few blocks are reported */
} hx_nested_plan;

typedef struct hx_each_plan {
  hx_loop names; /* value: the iterator */
  hx_str type;   /* of the blocks it generates */
  hx_range type_range;
  uint32_t nlabels;
  bool expanded; /* its content is EXPANDED */
  bool check;    /* only for_each is looked at: FAULTs follow it */
} hx_each_plan;

/* A name that an expression sees as a constant: an iterator of a `dynamic` block that it stands in. */
typedef struct hx_bound_name {
  const struct hx_bound_name *outer;
  hx_str name;
  hx_val value;
  bool secret; /* its for_each is marked, or one around it, and the value bears no mark of that: no message shows it */
} hx_bound_name;

typedef struct hx_within_plan {
  const hx_bound_name *names; /* innermost first */
  hx_val unknown;             /* the result, where the block isn't known and the expression not looked at; else HX_T_NONE */
  hx_val marked;              /* its marks are put on the result; or HX_T_NONE */
} hx_within_plan;

HX_INLINE bool hx_within_is_secret(const hx_within_plan *plan) {
  return plan->names && plan->names->secret;
}

/* The shape of an iterator: its attributes are key and value. */
const hx_shape *hx_iterator_shape(hx_cx *cx);

/* The plan of a node that config/ made. */
HX_INLINE const void *hx_plan_of(const hx_node *n) {
  return n->u.made.plan;
}

#endif
