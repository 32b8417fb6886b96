/* json.h: the JSON syntax: from JSON text to the same tree that the native syntax gives.
**
** What stands in braces or brackets becomes OBJECT and TUPLE; a property name is a KEY around a STRING. Nodes have HX_AST_JSON,
** because a few rules differ: names of properties are templates, none may stand twice, and errors point at them. A string whose
** text holds a template, or isn't in form C, has HX_AST_UNREAD: its `text` is the decoded text as it stands (which is what names
** of attributes, blocks and labels are), and whoever needs its value asks for hx_json_template.
**
** Memory: the tree lives in cx->arena; text without escapes points into the source.
** Errors: as parser.h has it. Templates are not looked into here: a string that nobody evaluates may hold any text. */
#ifndef HX_SYNTAX_JSON_H
#define HX_SYNTAX_JSON_H

#include "syntax/parser.h"

/* A whole source that is one JSON value. */
hx_node *hx_parse_json(hx_cx *cx, hx_source *src);
/* The same, but it must be an object or array: the body of a file. */
hx_node *hx_parse_json_body(hx_cx *cx, hx_source *src);
/* What a STRING with HX_AST_UNREAD stands for; a FAULT if it is no sound template, with its diagnostics in cx too. */
hx_node *hx_json_template(hx_cx *cx, const hx_source *src, const hx_node *string);

/* What a string stands for where a path belongs: an expression of native syntax. NULL: it is none. Where it stands with escapes,
** only the node's own place is one of the source's: where it would be without them. Reports nothing. */
hx_node *hx_json_expression(hx_cx *cx, const hx_source *src, const hx_node *string);

#endif
