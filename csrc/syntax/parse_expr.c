/* parse_expr.c: parses terms and operators, conditionals, parentheses. */
#include "syntax/parse_state.h"

/* --- Operators --- */

typedef struct binary_op {
  uint8_t op, prec; /* prec 0: no binary operator */
} binary_op;

#define BINARY_1(id, tok, prec)
#define BINARY_2(id, tok, prec) [HX_TOK_##tok] = { HX_OP_##id, prec },
static const binary_op binary_ops[HX_TOK_COUNT] = {
#define HX_OP(id, sym, tok, prec, arity, arg, result, name) BINARY_##arity(id, tok, prec)
#include "syntax/op_list.h"
#undef HX_OP
};

/* Makes nodes of the pending operators that bind at least as tightly as prec, and returns the last one. right: the last right operand. */
static hx_node *reduce(hx_parser *p, hx_node *right, uint8_t prec) {
  hx_frame *f = hx_frame_top(p);
  while (f->kind == HX_FRAME_BINARY && f->prec >= prec) {
    hx_node *left = f->node;
    hx_node *n = hx_node_new(p, HX_AST_BINARY, left->start, right->stop);
    n->op = f->op;
    n->count = 2;
    n->u.kids.first = left;
    left->next = right;
    right = n;
    p->nframes--;
    f--;
  }
  return right;
}

/* Drops the pending operators after an operand failed. Returns the first operand, which is all that remains of the chain. */
static hx_node *drop_operators(hx_parser *p, hx_node *value) {
  for (; hx_frame_top(p)->kind == HX_FRAME_BINARY; p->nframes--) value = hx_frame_top(p)->node;
  return value;
}

/* Continues after an operand with all its steps, which is in p->value. */
hx_go hx_parse_operand(hx_parser *p) {
  if (HX_UNLIKELY(p->recovery) && p->errors != p->mark) {
    p->value = drop_operators(p, p->value);
    return HX_GO_DELIVER;
  }
  uint8_t k = hx_peek_kind(p);
  binary_op b = binary_ops[k];
  hx_node *left = reduce(p, p->value, b.prec ? b.prec : 1);
  if (b.prec == 0 && k != HX_TOK_QUESTION) {
    p->value = left;
    return HX_GO_DELIVER;
  }
  hx_frame *f = hx_frame_push(p, b.prec ? HX_FRAME_BINARY : HX_FRAME_CONDITIONAL);
  f->op = b.op;
  f->prec = b.prec;
  f->node = left;
  p->mark = p->errors;
  hx_read(p);
  return HX_GO_TERM;
}

/* The fields of a CONDITIONAL frame. node: the condition, whose sibling is the first result in phase NO. */
enum { YES, NO };

hx_go hx_resume_conditional(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_node *condition = f->node, *value = p->value;
  bool failed = hx_part_failed(p, f);
  if (f->phase == YES && !failed) {
    hx_token t = hx_peek(p);
    if (t.kind == HX_TOK_COLON) {
      hx_read(p);
      condition->next = value;
      f->phase = NO;
      return hx_begin_expression(p);
    }
    hx_parse_error_in(p, HX_D_SYNTAX_CONDITIONAL, hx_token_range(t), condition->start, hx_found(p, t));
    if (p->guarded) hx_give_up(p);
    failed = true;
  }
  p->nframes--;
  if (failed && p->again) {
    condition->next = value;
    p->value = hx_node_broken(p, condition, condition->start, value->stop);
    return HX_GO_DELIVER;
  }
  if (failed) {
    condition->next = NULL;
    p->value = condition;
    return HX_GO_DELIVER;
  }
  condition->next->next = value;
  hx_node *n = hx_node_new(p, HX_AST_CONDITIONAL, condition->start, value->stop);
  n->u.kids.first = condition;
  n->count = 3;
  p->value = n;
  return HX_GO_DELIVER;
}

/* --- Terms --- */

static hx_go parse_unary(hx_parser *p, hx_op op) {
  hx_token t = hx_read(p);
  hx_frame *f = hx_frame_open(p, HX_FRAME_UNARY, hx_token_range(t));
  if (!f) return HX_GO_STOP;
  f->op = (uint8_t)op;
  return HX_GO_TERM;
}

/* Opens parentheses. The field op of the PARENS frame is the token that ends them. */
static hx_go open_parens(hx_parser *p, hx_token_kind close) {
  hx_token t = hx_read(p);
  hx_frame *f = hx_frame_open(p, HX_FRAME_PARENS, hx_token_range(t));
  if (!f) return HX_GO_STOP;
  f->op = (uint8_t)close;
  p->newlines = false;
  return hx_begin_expression(p);
}

hx_go hx_resume_parens(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_node *inner = p->value;
  /* Any error inside the parentheses counts here, not only one that needed recovery. */
  if (p->errors != f->before) {
    hx_recover(p, HX_TOK_CPAREN);
    hx_frame_close(p);
    return HX_GO_POSTFIX;
  }
  hx_token t = hx_peek(p);
  if (t.kind != f->op) {
    hx_parse_error_in(p, HX_D_SYNTAX_PARENS, hx_token_range(t), f->start, hx_found(p, t));
    hx_give_up(p);
  }
  t = p->again ? hx_again_close(p, (hx_token_kind)f->op) : hx_read(p);
  hx_node *n = hx_node_new(p, HX_AST_PARENS, f->start, t.stop);
  n->u.kids.first = inner;
  n->count = 1;
  hx_frame_close(p);
  return hx_give_term(p, n);
}

static hx_go parse_number(hx_parser *p) {
  hx_token t = hx_peek(p);
  hx_node *n = p->value = hx_node_new(p, HX_AST_NUMBER, t.start, t.stop);
  n->u.text.p = p->text + t.start;
  n->u.text.len = t.stop - t.start;
  hx_read(p);
  if (!t.plain && !hx_number_is_valid(n->u.text.p, n->u.text.len)) {
    hx_parse_bad_number(p, HX_D_SYNTAX_NUMBER, hx_token_range(t), hx_found(p, t));
    n->kind = HX_AST_BROKEN;
    n->u.kids.first = NULL;
  }
  return hx_parse_postfix(p); /* called directly, not through the loop, because operands are frequent; it parses no term itself */
}

static const struct constant {
  hx_str word;
  uint8_t kind, value;
} constants[] = {
  { { "true", 4 }, HX_AST_BOOL, 1 },
  { { "false", 5 }, HX_AST_BOOL, 0 },
  { { "null", 4 }, HX_AST_NULL, 0 },
};

static hx_go parse_name(hx_parser *p) {
  hx_token t = hx_read(p);
  uint8_t next = hx_peek_kind(p);
  if (next == HX_TOK_OPAREN || next == HX_TOK_DOUBLE_COLON) return hx_parse_call(p, t);
  uint32_t len = t.stop - t.start;
  if (len == 4 || len == 5) {
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
      if (!hx_token_is(p, t, constants[i].word)) continue;
      hx_node *n = hx_node_new(p, (hx_ast_kind)constants[i].kind, t.start, t.stop);
      n->op = constants[i].value;
      return hx_give_term(p, n);
    }
  }
  hx_node *n = hx_node_traversal(p, HX_AST_TRAVERSAL, t.start, NULL);
  *hx_node_add_step(p, n) = (hx_step){ t.start, t.stop, p->text + t.start, len, HX_STEP_ROOT };
  n->stop = t.stop;
  p->value = n;
  return hx_parse_postfix(p); /* see parse_number */
}

hx_go hx_parse_term(hx_parser *p) {
  switch (hx_peek_kind(p)) {
    case HX_TOK_IDENT: return parse_name(p);
    case HX_TOK_NUMBER: return parse_number(p);
    case HX_TOK_OQUOTE:
    case HX_TOK_OHEREDOC: return hx_parse_quoted(p);
    case HX_TOK_OBRACK: return hx_parse_tuple(p);
    case HX_TOK_OBRACE: return hx_parse_object(p);
    case HX_TOK_OPAREN: return open_parens(p, HX_TOK_CPAREN);
    case HX_TOK_MINUS: return parse_unary(p, HX_OP_NEG);
    case HX_TOK_BANG: return parse_unary(p, HX_OP_NOT);
    default: break;
  }
  hx_token t = hx_peek(p);
  if (p->again && hx_is_interpolation(p, t)) {
    hx_read(p);
    return open_parens(p, HX_TOK_CBRACE);
  }
  hx_parse_unexpected(p, HX_D_SYNTAX_EXPRESSION, t, t.start);
  hx_give_up(p);
  return hx_give_term(p, hx_node_new(p, HX_AST_BROKEN, t.start, p->again ? t.start : t.stop));
}
