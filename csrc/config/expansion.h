/* expansion.h: a body whose `dynamic` blocks were worked out: what evaluating an EXPANDED gave, as a tree of bodies and blocks,
** and as one of nodes that can be read by a schema, or evaluated, like any other.
** Memory: in cx->arena; values, nodes and names are those of the evaluation's result and of the program.
** Errors: none but memory. */
#ifndef HX_CONFIG_EXPANSION_H
#define HX_CONFIG_EXPANSION_H

#include "syntax/ast.h"
#include "vm/program.h"

typedef struct hx_expansion hx_expansion;

typedef struct hx_expanded_block {
  const hx_node *block; /* BLOCK as it is written, a `dynamic` one too */
  hx_str type;
  hx_range type_range;
  const hx_str *labels;
  const hx_range *label_ranges;
  uint32_t nlabels;
  const hx_expansion *body;
} hx_expanded_block;

struct hx_expansion {
  const hx_node *body; /* BODY as a schema had it, `dynamic` blocks and all */
  hx_node *tree;       /* BODY: ATTRIBUTEs whose expressions are WITHIN, BLOCKs that were there or were generated, of such BODYs */
  hx_part part;        /* what expressions are evaluated within */
  hx_expanded_block *blocks;
  uint32_t nblocks;
};

/* made: the EXPANDED; v: its value. */
const hx_expansion *hx_expansion_make(hx_cx *cx, const hx_node *made, const hx_val *v);

#endif
