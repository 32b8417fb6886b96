/* json.h: the JSON syntax: from JSON text to the tree that the native syntax gives.
**
** Objects and arrays become OBJECT and TUPLE; a property name is a KEY around a STRING. Nodes have the flag HX_AST_JSON,
** because a few rules differ: property names are templates, none may occur twice, and errors point at them.
** A string that contains a template, or is not in form C, has HX_AST_UNREAD. Its `text` is the decoded text as written,
** which serves as name of attributes, blocks and labels. Code that needs the string's value calls hx_json_template.
**
** Memory: the tree lives in cx->arena; text without escapes points into the source.
** Errors: as in parser.h. Templates are not checked here: a string that is never evaluated may have any text. */
#ifndef HX_SYNTAX_JSON_H
#define HX_SYNTAX_JSON_H

#include "syntax/parser.h"

/* A whole source that is one JSON value. */
hx_node *hx_parse_json(hx_cx *cx, hx_source *src);
/* The same for the body of a file: the value must be an object or array. */
hx_node *hx_parse_json_body(hx_cx *cx, hx_source *src);
/* The value of a STRING with HX_AST_UNREAD. A malformed template gives a FAULT, with its diagnostics in cx, too. */
hx_node *hx_json_template(hx_cx *cx, const hx_source *src, const hx_node *string);

/* The expression of native syntax in a string that takes the place of a path; NULL: it holds none. If the string has escapes,
** only the node's own range is a place of the source: where it would be without them. Reports nothing. */
hx_node *hx_json_expression(hx_cx *cx, const hx_source *src, const hx_node *string);

#endif
