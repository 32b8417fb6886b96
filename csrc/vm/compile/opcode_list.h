/* opcode_list.h: the list of all instructions.
**   HX_CODE(id, effect, operand, slow)
** effect: values that it pushes minus those that it pops; HX_VARIES: depends on the operand (verify.c, effect).
** operand: the meaning of `b`: NONE, CONST (index of a constant), PATH, LOOP (plan), CODE (address), CALL (site), COUNT, STEP (first
**   step to take), TEMPLATE (plan), SHAPE, CHOICE (plan).
** slow: the helper for cases that the machine's main loop doesn't handle itself (machine/parts.h); none: it handles all. */

HX_CODE(CONST, 1, CONST, none)
HX_CODE(BROKEN, 1, NONE, broken) /* code that could not be compiled; never reached in a program without errors */

/* Named values */
HX_CODE(PATH, 1, PATH, path)      /* in the form that the path wants, which is never FOREIGN here */
HX_CODE(PATH_OPEN, 1, PATH, path) /* FOREIGN is allowed; a is 1 if the lookup may also be asked later, with the keys
                                                 ** that follow (vm/machine/asked.h) */
HX_CODE(ELEMENT, 1, LOOP, column) /* a: index of the column without steps, the loop's element */
HX_CODE(COLUMN, 1, LOOP, column)  /* a: index of the column, the value at constant steps of the element */
HX_CODE(LOOP_KEY, 1, LOOP, loop_key)
HX_CODE(STEPS, 0, STEP, steps)  /* applies the node's steps from b on to the value on top; a: hx_want */
HX_CODE(INDEX, -1, NONE, index) /* collection key -> element; a: hx_want */

/* Operators: left right -> result; _K: the right operand is a constant */
HX_CODE(ADD, -1, NONE, binary)
HX_CODE(SUB, -1, NONE, binary)
HX_CODE(MUL, -1, NONE, binary)
HX_CODE(DIV, -1, NONE, binary)
HX_CODE(MOD, -1, NONE, binary)
HX_CODE(EQ, -1, NONE, binary)
HX_CODE(NE, -1, NONE, binary)
HX_CODE(LT, -1, NONE, binary)
HX_CODE(LE, -1, NONE, binary)
HX_CODE(GT, -1, NONE, binary)
HX_CODE(GE, -1, NONE, binary)
HX_CODE(ADD_K, 0, CONST, binary)
HX_CODE(SUB_K, 0, CONST, binary)
HX_CODE(MUL_K, 0, CONST, binary)
HX_CODE(DIV_K, 0, CONST, binary)
HX_CODE(MOD_K, 0, CONST, binary)
HX_CODE(EQ_K, 0, CONST, binary)
HX_CODE(NE_K, 0, CONST, binary)
HX_CODE(LT_K, 0, CONST, binary)
HX_CODE(LE_K, 0, CONST, binary)
HX_CODE(GT_K, 0, CONST, binary)
HX_CODE(GE_K, 0, CONST, binary)
HX_CODE(AND, -1, CODE, logic) /* b: where the right operand's code starts */
HX_CODE(OR, -1, CODE, logic)
HX_CODE(NEG, 0, NONE, unary)
HX_CODE(NOT, 0, NONE, unary)

/* Conditionals: condition yes no -> result */
HX_CODE(COND, 0, NONE, cond)  /* condition -> true, false, unknown (marks kept), or NONE after a report */
HX_CODE(PICK, 0, CONST, pick) /* both results are constants: b and b + 1 */
HX_CODE(CHOOSE, -2, CHOICE, choose)

/* Templates, tuples, objects */
HX_CODE(TEMPLATE, HX_VARIES, TEMPLATE, template) /* takes the values of the parts that aren't constant strings */
HX_CODE(JOIN, 0, NONE, join)
HX_CODE(TUPLE, HX_VARIES, COUNT, tuple)
HX_CODE(OBJECT, HX_VARIES, SHAPE, object)       /* takes the values of a shape's keys */
HX_CODE(OBJECT_OF, HX_VARIES, COUNT, object_of) /* takes b keys and b values, alternating */
HX_CODE(ITEM_KEY, 0, NONE, item_key)            /* an item's key -> string (marks kept), or NONE: unknown or reported */
HX_CODE(KEY_PATH, 1, NONE, key_path)            /* reports the error in `{ a.b = … }` */

/* Loops. FOR or SPLAT takes the collection. The last instruction of the body adds to the result, and continues with the next
** element or leaves the result on the stack. */
HX_CODE(FOR, -1, LOOP, for)
HX_CODE(SPLAT, -1, LOOP, splat)
HX_CODE(ROWS, 0, LOOP, rows) /* fetches the next 64 rows of a FOREIGN collection */
HX_CODE(FOR_IF, -1, LOOP, for_if)
HX_CODE(FOR_KEY, 0, LOOP, for_key)
HX_CODE(FOR_APPEND, 0, LOOP, for_append)
HX_CODE(FOR_PUT, -1, LOOP, for_put)
HX_CODE(FOR_GROUP, -1, LOOP, for_group)
HX_CODE(SPLAT_APPEND, 0, LOOP, splat_append)

/* Calls */
HX_CODE(CALL_BEGIN, 0, CALL, call_begin) /* finds the function, and checks the number of arguments */
HX_CODE(SPREAD, 0, CALL, spread)         /* tests the collection before `...`, which stays below the arguments */
HX_CODE(TYPE_ARG, 1, CALL, type_arg)     /* a: number of the argument, which is a type; pushes the type, and skips the code that would
                                         ** evaluate the argument */
HX_CODE(CALL, HX_VARIES, CALL, call)
HX_CODE(CALL_QUICK, HX_VARIES, CALL, call) /* as CALL, for a function whose row has `quick` */
HX_CODE(TRY_NEXT, 0, CALL, try_next)       /* after each argument of try() and can() */
HX_CODE(TRY_END, HX_VARIES, CALL, try_end)

/* Bodies (vm/body_plan.h): the node has the plan */
HX_CODE(EACH, -1, LOOP, each)             /* for_each -> elements, as FOR; an unknown for_each gives one unknown element */
HX_CODE(EACH_CHECK, 0, CODE, each_check)  /* for_each -> unknown; b: where to continue if it is wrong */
HX_CODE(EACH_LABEL, 0, COUNT, each_label) /* a label's value -> string; for a wrong label: reports it and drops the b values
                                                 ** of the block so far */
HX_CODE(EACH_STATE, 1, LOOP, each_state)  /* null, or unknown, with the marks of for_each */
HX_CODE(EACH_APPEND, HX_VARIES, COUNT, each_append) /* b values are the entry of one block */
HX_CODE(ARGUMENT, 0, CODE, argument)                /* in an unknown block: pushes an unknown as the argument's value, and continues at b */
HX_CODE(ARGUMENT_MARK, 0, LOOP, argument_mark)      /* a value -> the value with the marks of for_each */
HX_CODE(ARGUMENT_TYPE, 0, NONE, argument_type)      /* applies the plan's type, or its value for null */
HX_CODE(DECODED, HX_VARIES, COUNT, decoded)
HX_CODE(NESTED, HX_VARIES, COUNT, nested)
HX_CODE(FAULT, 1, NONE, fault)
HX_CODE(SECRET, 1, NONE, secret) /* hides values in all messages until MARK; pushes the previous setting */
HX_CODE(MARK, -1, CONST, mark)   /* takes the setting that SECRET left, and a value -> the value with the constant's
                                                 ** marks, if the constant has any */

HX_CODE(RECORD, 0, NONE, record) /* records the value of the node, if the program records (vm/machine/record.h) */

HX_CODE(END, -1, NONE, end) /* the result is on top */
