/* ast.h: the names of a node's parts, as expr:ast() has them.
** Memory: none.
** Errors: none. */
#ifndef HX_BINDING_API_AST_H
#define HX_BINDING_API_AST_H

#include "syntax/ast.h"

/* The field of a node's table that its child i is in; NULL: a list. */
const char *hx_ast_child_name(const hx_node *n, uint32_t i);

#endif
