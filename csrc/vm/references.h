/* references.h: the named values and functions that a tree depends on, without local names of `for` and iterators of
** `dynamic` blocks.
** Memory: in cx->arena; texts are shared with the tree.
** Errors: memory, and the limit of steps. No recursion. Source: reference's Variables(). */
#ifndef HX_VM_REFERENCES_H
#define HX_VM_REFERENCES_H

#include "base/cx.h"
#include "base/vec.h"
#include "syntax/ast.h"

struct hx_source;

/* This many enclosing loops are searched for a name in one step. */
#define HX_LOOPS_A_STEP 16u

typedef struct hx_reference {
  const hx_step *steps; /* steps[0] is the root */
  uint32_t n;
  hx_range range;
} hx_reference;
typedef HX_VEC(hx_reference) hx_references;

/* Lists the references in the order of the source, except that a condition of `for` comes after the parts of its value, as in the tree. */
void hx_references_of(hx_cx *cx, const struct hx_source *src, const hx_node *root, hx_references *out);
/* Returns a reference as expr:references() writes it: `var.list[0]["k"]`. */
hx_str hx_reference_path(hx_cx *cx, const hx_reference *r);

typedef struct hx_function_use {
  hx_str name;
  hx_range range;
  uint32_t nargs; /* number of arguments as written; UINT32_MAX: the call is broken, and its arguments can't be counted */
  bool spread;    /* the last argument is a collection that `...` spreads */
} hx_function_use;
typedef HX_VEC(hx_function_use) hx_function_uses;
void hx_functions_of(hx_cx *cx, const struct hx_source *src, const hx_node *root, hx_function_uses *out);
/* Returns the name that a CALL calls: its parts joined by `::`, without the spaces and comments between them. */
hx_str hx_call_name(hx_cx *cx, const struct hx_source *src, const hx_node *call);

#endif
