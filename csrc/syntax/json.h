/* json.h: parses the JSON syntax, to the same kind of tree as the native syntax.
**
** Objects and arrays become OBJECT and TUPLE; a property name is a KEY around a STRING. Nodes have the flag HX_AST_JSON, because a few
** rules differ: property names are templates, no name may occur twice, and errors point at names.
** A string that contains a template, or is not in form C, has HX_AST_UNREAD. Its `text` is the decoded text as written, which serves as the
** name of an attribute, block or label. Code that needs the string's value calls hx_json_template.
**
** Memory: the tree lives in cx->arena; text without escapes points into the source.
** Errors: as in parser.h. Templates are not checked here: a string that is never evaluated may have any text. */
#ifndef HX_SYNTAX_JSON_H
#define HX_SYNTAX_JSON_H

#include "syntax/parser.h"

/* Parses a whole source as one JSON value. */
hx_node *hx_parse_json(hx_cx *cx, hx_source *src);
/* Parses a whole source as the body of a file: the value must be an object or array. */
hx_node *hx_parse_json_body(hx_cx *cx, hx_source *src);
/* Returns the value of a STRING with HX_AST_UNREAD. A malformed template gives a FAULT, and its diagnostics are in cx as well. */
hx_node *hx_json_template(hx_cx *cx, const hx_source *src, const hx_node *string);

/* Parses a string as an expression of native syntax, where JSON has a string instead of a path. Returns NULL if that fails, and reports
** nothing. If the string has escapes, only the returned node's own range is a place in the source, counted as if the string had no
** escapes. */
hx_node *hx_json_expression(hx_cx *cx, const hx_source *src, const hx_node *string);

#endif
