/* parse_body.c: parses bodies and attributes. Blocks: parse_block.c. */
#include "syntax/parse_state.h"
#include "text/source.h"

/* The fields of a BODY frame. node: the body; op: the token that ends it; start, stop: the token before it; at: attributes so far; flag: it
** is the body of a one-line block; extra: the table of names, once it has many.
** The fields of an ATTRIBUTE frame. node: the attribute; flag: it is in a one-line block; start, stop: the name; at: where its
** expression may begin. */

hx_frame *hx_parse_body_open(hx_parser *p, hx_token_kind end) {
  hx_range before = p->started ? p->prev : hx_token_range(hx_peek(p));
  hx_frame *f = hx_frame_open(p, HX_FRAME_BODY, before);
  if (!f) return NULL;
  f->node = hx_node_new(p, HX_AST_BODY, before.start, before.stop);
  f->tail = &f->node->u.kids.first;
  f->op = (uint8_t)end;
  f->at = 0;
  f->extra = NULL;
  return f;
}

/* --- Attributes --- */

static hx_go open_attribute(hx_parser *p, hx_token name, bool one_line) {
  hx_read(p);
  hx_node *n = hx_node_new(p, HX_AST_ATTRIBUTE, name.start, name.stop);
  n->u.attr.name = HX_NEW(p->cx, hx_str);
  *n->u.attr.name = hx_slice(p, name.start, name.stop);
  hx_frame *f = hx_frame_push(p, HX_FRAME_ATTRIBUTE);
  f->node = n;
  f->flag = one_line;
  f->start = name.start;
  f->stop = name.stop;
  f->at = p->prev.stop;
  hx_guard_attribute(p, f);
  return hx_begin_expression(p);
}

/* Reads the end of an attribute's line. Anything else there is an error. */
static void end_line(hx_parser *p, uint32_t start) {
  hx_token t = hx_peek(p);
  if (t.kind == HX_TOK_NEWLINE || t.kind == HX_TOK_END) {
    hx_read(p);
    return;
  }
  if (t.kind == HX_TOK_CBRACE && (hx_frame_top(p) - 1)->phase == HX_BODY_LOOSE) return;
  hx_parse_unexpected(p, t.kind == HX_TOK_COMMA ? HX_D_SYNTAX_ATTRIBUTE_COMMA : HX_D_SYNTAX_ATTRIBUTE_END, t, start);
  if (t.kind != HX_TOK_CBRACE || !hx_ends_block(p, 2, t.start)) hx_give_up(p);
}

hx_go hx_resume_attribute(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_node *n = f->node;
  hx_range name = { f->start, f->stop };
  bool one_line = f->flag;
  n->u.attr.first = p->value;
  n->stop = p->prev.stop;
  if (!p->again && !p->recovery && !one_line) end_line(p, name.start);
  if (!p->again && p->recovery) return hx_recover_attribute(p);
  p->nframes--;
  if (p->again) hx_end_attribute(p, n, one_line);
  else hx_unguard_attribute(p, one_line);
  hx_frame *body = hx_frame_top(p);
  const hx_node *first = hx_body_name_taken(p, body, n);
  if (first) {
    n->flags |= HX_AST_DUPLICATE;
    hx_parse_error_with(p, HX_D_SYNTAX_ATTRIBUTE_TWICE, name, *n->u.attr.name, hx_source_line_text(p->cx, p->src, first->start));
  }
  hx_frame_add(body, n);
  if (!one_line) return HX_GO_ITEMS;
  body->node->start = n->start;
  body->node->stop = n->stop;
  return hx_end_line_block(p);
}

/* --- Items --- */

static hx_go end_body(hx_parser *p, uint32_t stop) {
  hx_frame *f = hx_frame_close(p);
  f->node->stop = stop;
  p->value = f->node;
  return hx_frame_top(p)->kind == HX_FRAME_BLOCK ? hx_end_block(p) : HX_GO_STOP;
}

/* Handles a token that begins no item. */
static hx_go fail_body(hx_parser *p, hx_frame *f) {
  hx_token bad = hx_read(p);
  if (bad.kind != HX_TOK_END)
    return hx_recover_item(p, bad.kind == HX_TOK_OQUOTE ? HX_D_SYNTAX_ITEM_QUOTED : HX_D_SYNTAX_ITEM, bad);
  /* The innermost block is blamed, and also enclosing blocks that ended earlier by their margins. */
  if (!p->recovery) hx_parse_error(p, HX_D_SYNTAX_BLOCK_UNCLOSED, (hx_range){ f->start, f->stop }, HX_STR(""));
  if (!p->recovery) p->blamed = f->start;
  p->recovery = true;
  p->body_tail = f->tail;
  return end_body(p, bad.stop);
}

static hx_go parse_item(hx_parser *p) {
  hx_token name = hx_read(p);
  switch (hx_peek_kind(p)) {
    case HX_TOK_ASSIGN: return open_attribute(p, name, false);
    case HX_TOK_OQUOTE:
    case HX_TOK_OBRACE:
    case HX_TOK_IDENT: return hx_parse_block(p, name);
    default: break;
  }
  if (hx_peek_kind(p) != HX_TOK_NEWLINE || !hx_is_head(p, name.start)) return hx_recover_item(p, HX_D_SYNTAX_ITEM_BARE, name);
  hx_parse_error(p, HX_D_SYNTAX_ITEM_BARE, hx_token_range(name), hx_found(p, name));
  p->recovery = true;
  return hx_parse_block(p, name);
}

/* Parses the one attribute of a block of one line: { a = b }. */
static hx_go parse_line_item(hx_parser *p, hx_frame *f) {
  hx_token name = hx_read(p), next = hx_peek(p);
  if (name.kind == HX_TOK_IDENT && next.kind == HX_TOK_ASSIGN) return open_attribute(p, name, true);
  hx_diag_id id = HX_D_SYNTAX_ITEM_BARE;
  uint32_t stop = name.stop;
  if (name.kind != HX_TOK_IDENT) {
    id = HX_D_SYNTAX_ITEM;
  } else if (next.kind == HX_TOK_OQUOTE || next.kind == HX_TOK_OBRACE || next.kind == HX_TOK_IDENT) {
    id = HX_D_SYNTAX_BLOCK_LINE_ITEM;
    stop = next.stop;
  }
  f->phase = 1; /* the item gets no node: the body is the range between the braces */
  hx_parse_error(p, id, hx_range_of(name.start, stop), hx_found(p, name));
  p->recovery = true;
  return hx_end_line_block(p);
}

hx_go hx_parse_items(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  if (f->flag) return parse_line_item(p, f);
  for (;;) {
    hx_token t = hx_peek(p);
    p->item = t.start;
    if (t.kind == f->op) {
      hx_read(p);
      return end_body(p, t.stop);
    }
    if (t.kind == HX_TOK_IDENT) return parse_item(p);
    if (t.kind != HX_TOK_NEWLINE) return fail_body(p, f);
    hx_read(p);
  }
}
