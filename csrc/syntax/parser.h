/* parser.h: parses source text to an AST: expressions, templates, bodies. The parser is a push-down machine with its own stack, so input of
** any depth uses constant C stack.
** Memory: the tree lives in cx->arena (the program's). The parser's stack is in cx->scratch and is released.
** Errors: diagnostics in cx->diags. An expression or template gets as many as the reference gives, at the same places. A body gets one
**   for each mistake, the first at the reference's place (parse_recover.c). A tree is returned in any case, with BROKEN parts. Nesting
**   beyond cx->limits.depth is one diagnostic (HX_D_LIMIT_DEPTH) at its place; a source longer than cx->limits.source (or 4 GiB - 1) is
**   one HX_D_LIMIT_SOURCE. Neither aborts. The tree is then BROKEN, except that a body that nests too deeply keeps its items up to the
**   place of the error. */
#ifndef HX_SYNTAX_PARSER_H
#define HX_SYNTAX_PARSER_H

#include "base/cx.h"
#include "syntax/ast.h"
#include "text/source.h"

/* Parses a whole source as one expression; newlines around it are allowed. */
hx_node *hx_parse_expression(hx_cx *cx, const hx_source *src);
/* Parses a whole source as a bare template, such as a template file. */
hx_node *hx_parse_template(hx_cx *cx, const hx_source *src);
/* Parses a whole source as a body: attributes and blocks. */
hx_node *hx_parse_body(hx_cx *cx, const hx_source *src);
/* Parse a range of a source as a bare template or expression (strings of the JSON syntax); ranges in the tree are those of src. */
hx_node *hx_parse_template_at(hx_cx *cx, const hx_source *src, hx_range at);
hx_node *hx_parse_expression_at(hx_cx *cx, const hx_source *src, hx_range at);

#endif
