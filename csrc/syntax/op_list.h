/* op_list.h: every operator, once.
**   HX_OP(id, symbol, token, precedence, arity, type of operands, type of result, name)
** Precedence: larger binds tighter; binary operators of one level associate to the left; unary operators bind tightest.
** Implementations are op_<name> in vm/ops.c, instructions HX_I_<id> in vm/compile/opcode_list.h. Source: spec, "Operations". */
HX_OP(OR, "||", OR, 1, 2, BOOL, BOOL, or)
HX_OP(AND, "&&", AND, 2, 2, BOOL, BOOL, and)
HX_OP(EQ, "==", EQ, 3, 2, DYNAMIC, BOOL, eq)
HX_OP(NE, "!=", NE, 3, 2, DYNAMIC, BOOL, ne)
HX_OP(GT, ">", GT, 4, 2, NUMBER, BOOL, gt)
HX_OP(GE, ">=", GE, 4, 2, NUMBER, BOOL, ge)
HX_OP(LT, "<", LT, 4, 2, NUMBER, BOOL, lt)
HX_OP(LE, "<=", LE, 4, 2, NUMBER, BOOL, le)
HX_OP(ADD, "+", PLUS, 5, 2, NUMBER, NUMBER, add)
HX_OP(SUB, "-", MINUS, 5, 2, NUMBER, NUMBER, sub)
HX_OP(MUL, "*", STAR, 6, 2, NUMBER, NUMBER, mul)
HX_OP(DIV, "/", SLASH, 6, 2, NUMBER, NUMBER, div)
HX_OP(MOD, "%", PERCENT, 6, 2, NUMBER, NUMBER, mod)
HX_OP(NEG, "-", MINUS, 7, 1, NUMBER, NUMBER, neg)
HX_OP(NOT, "!", BANG, 7, 1, BOOL, BOOL, not)
