/* ast_list.h: every kind of AST node, once.
**   HX_AST(id, name, children)      name: as expr:ast() shows it; children: what the child list holds, in order
** A row's comment names the field of the union in hx_node (ast.h) that the kind uses, unless that is `kids`. */

/* Expressions */
HX_AST(NUMBER, "number", "")                     /* text: the literal's own characters */
HX_AST(BOOL, "bool", "")                         /* op: 0 or 1 */
HX_AST(NULL, "null", "")
HX_AST(STRING, "string", "")                     /* text: decoded, NFC; mark. A template, or branch of a directive, that is one literal or empty */
HX_AST(TEMPLATE, "template", "parts")            /* quoted template, heredoc, bare template, branch of a directive; parts: TEXT or any expression; mark: its first token */
HX_AST(TEXT, "text", "")                         /* text: literal part of a template, decoded, NFC, strip markers applied */
HX_AST(WRAP, "wrap", "inner")                    /* "${x}" alone: the value of x itself */
HX_AST(JOIN, "join", "for")                      /* %{ for }: the FOR of its body, joined to a string */
HX_AST(TRAVERSAL, "traversal", "")               /* trav: root name and steps, all constant */
HX_AST(RELATIVE, "relative", "source")           /* trav: steps on the value of source (kid 0 in trav.source) */
HX_AST(INDEX, "index", "collection key")         /* mark: the brackets, `[` to `]` */
HX_AST(SPLAT, "splat", "source each")            /* mark: the marker `.*` or `[*]`; flags: HX_AST_FULL; each has ITEM as its innermost source */
HX_AST(ITEM, "item", "")                         /* the element inside a splat's `each` */
HX_AST(CALL, "call", "args")                     /* call: name, parentheses; flags: HX_AST_EXPAND for `...` */
HX_AST(CONDITIONAL, "conditional", "condition yes no")
HX_AST(BINARY, "binary", "left right")           /* op: hx_op */
HX_AST(UNARY, "unary", "operand")                /* op: hx_op; mark: the operator */
HX_AST(TUPLE, "tuple", "elements")               /* mark: `[` */
HX_AST(OBJECT, "object", "keys and values by turns") /* mark: `{`; each key is a KEY */
HX_AST(KEY, "key", "inner")                      /* flags: HX_AST_FORCED if the key is in parentheses */
HX_AST(FOR, "for", "collection [key] value [condition]") /* loop: names; flags: HX_AST_HAS_KEY, HX_AST_HAS_COND, HX_AST_GROUP. Of a directive: [collection value] */
HX_AST(PARENS, "parens", "inner")
HX_AST(BROKEN, "broken", "parts")                /* could not be parsed; a diagnostic reports it. Parts: its readable parts */

/* Bodies */
HX_AST(BODY, "body", "items")                    /* items: ATTRIBUTE and BLOCK, in source order */
HX_AST(ATTRIBUTE, "attribute", "expression")     /* attr: name; flags: HX_AST_DUPLICATE for a second of the same name */
HX_AST(BLOCK, "block", "labels body")            /* block: type, braces; labels: LABEL, then one BODY */
HX_AST(LABEL, "label", "")                       /* text: decoded; the node's range is the label's */

/* Made of bodies by config/, never by the parser: vm/body_plan.h says what for. made: children and a plan. */
HX_AST(EXPANDED, "expanded", "items")            /* items: an EXPANDED or EACH for each block; FAULT */
HX_AST(DECODED, "decoded", "items")              /* items: ARGUMENT, NESTED, FAULT */
HX_AST(ARGUMENT, "argument", "expression")       /* no expression: the plan's value */
HX_AST(NESTED, "nested", "entries")              /* entries: DECODED, EACH */
HX_AST(EACH, "each", "for_each labels content")  /* with `check`: for_each and FAULTs */
HX_AST(WITHIN, "within", "expression")           /* an expression, and the iterators of the block around it */
HX_AST(FAULT, "fault", "")                       /* fault: the diagnostic; count: if more than 1, the number of diagnostics in its list */
