/* parse_call.c: parses calls: f(a, b...), ns::f(). */
#include "syntax/parse_state.h"

/* Handles a name that continues wrongly: skips everything up to the end of the next pair of parentheses. */
static hx_go broken_name(hx_parser *p, hx_diag_id id, hx_token name, hx_token bad) {
  hx_parse_error_in(p, id, hx_token_range(bad), name.start, hx_found(p, bad));
  if (p->again) return hx_give_term(p, hx_node_new(p, HX_AST_BROKEN, name.start, p->prev.stop));
  hx_recover_over(p, HX_TOK_OPAREN);
  return hx_give_term(p, hx_node_new(p, HX_AST_BROKEN, name.start, bad.stop));
}

static hx_go end_call(hx_parser *p, hx_token close) {
  hx_node *n = hx_frame_close(p)->node;
  n->u.call.close_start = close.start;
  n->stop = close.stop;
  return hx_give_term(p, n);
}

/* The fields of a CALL frame. node: the call; start: the start of the name; stop: the end of the opening parenthesis. */
hx_go hx_parse_call(hx_parser *p, hx_token name) {
  uint32_t name_stop = name.stop;
  hx_token open = hx_read(p);
  while (open.kind == HX_TOK_DOUBLE_COLON) {
    hx_token part = hx_read(p);
    if (part.kind != HX_TOK_IDENT) return broken_name(p, HX_D_SYNTAX_CALL_NAME, name, part);
    name_stop = part.stop;
    open = hx_read(p);
  }
  if (open.kind != HX_TOK_OPAREN) return broken_name(p, HX_D_SYNTAX_CALL_OPEN, name, open);
  hx_frame *f = hx_frame_open(p, HX_FRAME_CALL, (hx_range){ name.start, open.stop });
  if (!f) return HX_GO_STOP;
  f->node = hx_node_new(p, HX_AST_CALL, name.start, open.stop);
  f->node->u.call.name_stop = name_stop;
  f->node->u.call.open = open.start;
  f->node->u.call.close_start = open.stop;
  f->tail = &f->node->u.call.first;
  p->newlines = false;
  if (hx_peek_kind(p) == HX_TOK_CPAREN) return end_call(p, hx_read(p));
  return hx_begin_expression(p);
}

/* Reads the end of the call after `...`: only the closing parenthesis may follow. */
static hx_go end_expanded(hx_parser *p, hx_frame *f, hx_token dots) {
  f->node->flags |= HX_AST_EXPAND;
  if (hx_peek_kind(p) == HX_TOK_CPAREN) return end_call(p, hx_read(p));
  if (p->again) return end_call(p, hx_again_close(p, HX_TOK_CPAREN));
  if (!p->recovery) hx_parse_error_in(p, HX_D_SYNTAX_CALL_EXPAND, hx_token_range(dots), f->start, hx_found(p, hx_peek(p)));
  return end_call(p, hx_recover(p, HX_TOK_CPAREN));
}

hx_go hx_resume_call(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_frame_add(f, p->value);
  if (hx_part_failed(p, f)) return end_call(p, hx_recover(p, HX_TOK_CPAREN));
  uint8_t k = p->again ? hx_peek_kind(p) : HX_TOK_COMMA;
  bool separated = k == HX_TOK_COMMA || k == HX_TOK_CPAREN || k == HX_TOK_ELLIPSIS;
  if (!separated || p->value->kind == HX_AST_BROKEN) f->node->flags |= HX_AST_TORN;
  if (!separated) return hx_again_goes_on(p) ? hx_begin_expression(p) : end_call(p, hx_again_close(p, HX_TOK_CPAREN));
  hx_token t = hx_read(p);
  switch (t.kind) {
    case HX_TOK_CPAREN: return end_call(p, t);
    case HX_TOK_ELLIPSIS: return end_expanded(p, f, t);
    case HX_TOK_COMMA:
      if (hx_peek_kind(p) == HX_TOK_CPAREN) return end_call(p, hx_read(p));
      return hx_begin_expression(p);
    case HX_TOK_END: hx_parse_error(p, HX_D_SYNTAX_CALL_UNCLOSED, (hx_range){ f->start, f->stop }, HX_STR("")); break;
    default: hx_parse_error_in(p, HX_D_SYNTAX_CALL_COMMA, hx_token_range(t), f->start, hx_found(p, t)); break;
  }
  return end_call(p, hx_recover(p, HX_TOK_CPAREN));
}
