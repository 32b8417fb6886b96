/* expansion.h: a body whose `dynamic` blocks were worked out: what evaluating an EXPANDED gave, as a tree of bodies and blocks.
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
  const hx_node *body; /* BODY: its ATTRIBUTEs are this body's */
  hx_part part;        /* what their expressions are evaluated within */
  hx_expanded_block *blocks;
  uint32_t nblocks;
};

/* made: the EXPANDED; v: its value. */
const hx_expansion *hx_expansion_make(hx_cx *cx, const hx_node *made, const hx_val *v);

#endif
