/* ast.h: the names of a node's parts in the tables of expr:ast().
** Memory: none.
** Errors: none. */
#ifndef HX_BINDING_API_AST_H
#define HX_BINDING_API_AST_H

#include "syntax/ast.h"

/* Returns the field of a node's table that has child i, or NULL if the children are in an array. */
const char *hx_ast_child_name(const hx_node *n, uint32_t i);

#endif
