/* default_value.h: the value of a default in optional(type, default): an expression without any scope.
** Memory: in cx->arena. The program and machine that compute it are freed before this returns, or with cx.
** Errors: diagnostics in cx->diags, at the reference's places. */
#ifndef HX_VM_DEFAULT_VALUE_H
#define HX_VM_DEFAULT_VALUE_H

#include "syntax/ast.h"
#include "value/value.h"

struct hx_source;

bool hx_default_value(hx_cx *cx, const struct hx_source *src, const hx_node *n, hx_val *out);

#endif
