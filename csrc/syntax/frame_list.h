/* frame_list.h: every kind of construct that the parser can be inside, once.
**   HX_FRAME(id, resume)      resume: continues when the expression that the frame waits for is in p->value
** The file that parses a construct lists the fields of its frame (parse_state.h). */
HX_FRAME(BINARY, hx_resume_none)          /* operator and left operand; finished by hx_parse_operand */
HX_FRAME(UNARY, hx_resume_none)           /* finished by hx_parse_postfix */
HX_FRAME(SPLAT, hx_resume_none)           /* the steps after [*]; finished by hx_parse_postfix */
HX_FRAME(CONDITIONAL, hx_resume_conditional)
HX_FRAME(PARENS, hx_resume_parens)
HX_FRAME(INDEX, hx_resume_index)
HX_FRAME(CALL, hx_resume_call)
HX_FRAME(TUPLE, hx_resume_tuple)
HX_FRAME(OBJECT, hx_resume_object)
HX_FRAME(FOR, hx_resume_for)
HX_FRAME(TEMPLATE, hx_resume_template)    /* an expression within ${ } or %{ } */
HX_FRAME(DIRECTIVE, hx_resume_none)       /* %{ if } or %{ for } whose end isn't found yet; only within hx_template_tree */
HX_FRAME(BODY, hx_resume_none)            /* items of a body */
HX_FRAME(BLOCK, hx_resume_none)           /* a block, around its body */
HX_FRAME(ATTRIBUTE, hx_resume_attribute)
HX_FRAME(ITEM, hx_resume_item)            /* text in a body that isn't an item, read as an expression */
HX_FRAME(SOURCE, hx_resume_source)        /* the outermost frame */
