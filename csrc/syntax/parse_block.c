/* parse_block.c: parses blocks: type "label" name { body }. */
#include "syntax/parse_state.h"
#include "text/source.h"

/* The fields of a BLOCK frame. node: the block; extra: its head; start, stop: `{`; tail: where to add the body. */

/* --- Labels --- */

static hx_node *new_label(hx_parser *p, uint32_t start, uint32_t stop, uint16_t flags, hx_str text) {
  hx_node *n = hx_node_new(p, HX_AST_LABEL, start, stop);
  n->flags = flags;
  n->u.text.p = text.p;
  n->u.text.len = text.len;
  return n;
}

/* Ends a label after a mistake at t, which was reported. The label extends to the next quote or to the end of its line, but not over a
** brace that ends the line. */
static hx_node *end_label(hx_parser *p, hx_token open, hx_token t) {
  uint32_t stop = t.start;
  p->recovery = true;
  while (stop < p->end && p->text[stop] != '\n' && p->text[stop] != '\r' && p->text[stop] != '"') stop++;
  if (stop < p->end && p->text[stop] == '"') return new_label(p, open.start, stop + 1, HX_AST_QUOTED, hx_slice(p, open.stop, stop));
  while (stop > open.stop && strchr(" \t{", p->text[stop - 1])) stop--;
  return new_label(p, open.start, stop, HX_AST_QUOTED, hx_slice(p, open.stop, stop));
}

/* Reads the parts of a quoted label, which may only be text. Other content is reported once. first: the token after the quote. */
static hx_node *parse_label_parts(hx_parser *p, hx_token open, hx_token first) {
  hx_buf text;
  hx_buf_init(&text, &p->cx->arena, 16);
  for (hx_token t = first;; t = hx_read(p)) {
    if (t.kind == HX_TOK_CQUOTE) return new_label(p, open.start, t.stop, HX_AST_QUOTED, hx_buf_done(&text));
    if (t.kind == HX_TOK_QUOTED_LIT) {
      hx_buf_str(&text, hx_decode_text(p, t));
      continue;
    }
    if (t.kind == HX_TOK_INTERP || t.kind == HX_TOK_CONTROL)
      hx_parse_error_in(p, HX_D_SYNTAX_LABEL_TEMPLATE, hx_token_range(t), open.start, hx_found(p, t));
    else /* the end, or a token that no source may contain, which was reported */
      hx_parse_error_in(p, HX_D_SYNTAX_LABEL_UNCLOSED, hx_token_range(t), open.start,
                        hx_source_place_text(p->cx, p->src, open.start));
    return end_label(p, open, t);
  }
}

/* Reads a label. Most are one text without escapes in the source. */
static hx_node *parse_label(hx_parser *p) {
  hx_token open = hx_read(p);
  if (open.kind != HX_TOK_OQUOTE) return new_label(p, open.start, open.stop, 0, hx_slice(p, open.start, open.stop));
  hx_token text = hx_read(p);
  if (!text.plain || hx_peek_kind(p) != HX_TOK_CQUOTE) return parse_label_parts(p, open, text);
  uint32_t stop = hx_read(p).stop;
  return new_label(p, open.start, stop, HX_AST_QUOTED, hx_slice(p, text.start, text.stop));
}

/* --- Heads --- */

/* Opens the frames of the block and of its body, after the brace. */
static hx_go open_block(hx_parser *p, hx_node *block, hx_node **tail, hx_range brace) {
  hx_frame *f = hx_frame_open(p, HX_FRAME_BLOCK, brace);
  if (!f) return HX_GO_STOP;
  f->node = block;
  f->tail = tail;
  f->extra = block->u.block.head;
  block->u.block.head->open_brace = brace;
  p->depth--; /* the body counts for the depth of both */
  hx_frame *body = hx_parse_body_open(p, HX_TOK_CBRACE);
  if (!body) return HX_GO_STOP;
  uint8_t k = hx_peek_kind(p);
  body->flag = k != HX_TOK_NEWLINE && k != HX_TOK_END && k != HX_TOK_CBRACE;
  return HX_GO_ITEMS;
}

/* Returns true if the head was probably meant as an argument without its `=`, whose value begins with a call or has steps. */
static bool is_value(const hx_node *block, hx_token t) {
  return block->count == 1 && !(block->u.block.first->flags & HX_AST_QUOTED) &&
         (t.kind == HX_TOK_OPAREN || t.kind == HX_TOK_DOT || t.kind == HX_TOK_OBRACK || t.kind == HX_TOK_DOUBLE_COLON);
}

/* Handles a block's head without its brace. If no body follows, the block gets an empty one. */
static hx_go fail_head(hx_parser *p, hx_node *block, hx_node **tail) {
  hx_token t = hx_peek(p);
  hx_range type = block->u.block.head->type_range, brace;
  if (p->recovery) {
    /* The label has reported its mistake. */
  } else if (t.kind == HX_TOK_ASSIGN || t.kind == HX_TOK_NEWLINE) {
    hx_parse_error_in(p, t.kind == HX_TOK_ASSIGN ? HX_D_SYNTAX_BLOCK_ASSIGN : HX_D_SYNTAX_BLOCK_NEWLINE, hx_token_range(t),
                      type.start, HX_STR(""));
  } else {
    hx_parse_unexpected(p, HX_D_SYNTAX_BLOCK_HEAD, t, type.start);
    if (is_value(block, t)) return hx_recover_value(p, type.start, block->u.block.first->start);
  }
  if (hx_recover_head(p, type.start, &brace)) return open_block(p, block, tail, brace);
  block->stop = block->u.block.head->range.stop;
  *tail = hx_node_new(p, HX_AST_BODY, type.start, type.stop);
  block->count++;
  block->u.block.head->open_brace = block->u.block.head->close_brace = type;
  hx_frame_add(hx_frame_top(p), block);
  hx_leave_head(p, type.start);
  return HX_GO_ITEMS;
}

hx_go hx_parse_block(hx_parser *p, hx_token type) {
  hx_node *n = hx_node_new(p, HX_AST_BLOCK, type.start, type.stop);
  hx_block_head *head = HX_NEW(p->cx, hx_block_head);
  head->type = hx_slice(p, type.start, type.stop);
  head->type_range = head->range = hx_token_range(type);
  head->within = NULL;
  n->u.block.head = head;
  hx_node **tail = &n->u.block.first;
  hx_token t;
  while (t = hx_peek(p), !p->recovery && (t.kind == HX_TOK_OQUOTE || t.kind == HX_TOK_IDENT)) {
    *tail = parse_label(p);
    head->range.stop = (*tail)->stop;
    tail = &(*tail)->next;
    n->count++;
  }
  if (t.kind != HX_TOK_OBRACE || p->recovery) return fail_head(p, n, tail);
  t = hx_read(p);
  return open_block(p, n, tail, hx_token_range(t));
}

/* --- Ends --- */

hx_go hx_end_line_block(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_token t = hx_peek(p);
  hx_range open = { f->start, f->stop };
  if (t.kind == HX_TOK_CBRACE && !f->phase) {
    hx_read(p);
    p->recovery = false;
  } else {
    if (p->recovery) {
      /* The item has reported its mistake. */
    } else if (t.kind == HX_TOK_COMMA) {
      hx_parse_error_in(p, HX_D_SYNTAX_BLOCK_LINE_COMMA, hx_token_range(t), open.start, HX_STR(""));
    } else if (t.kind == HX_TOK_NEWLINE) {
      hx_parse_error_in(p, HX_D_SYNTAX_BLOCK_LINE_NEWLINE, hx_token_range(t), open.start, HX_STR(""));
    } else if (t.kind != HX_TOK_END) {
      hx_parse_unexpected(p, HX_D_SYNTAX_BLOCK_LINE_END, t, open.start);
    } else {
      hx_parse_error(p, HX_D_SYNTAX_BLOCK_UNCLOSED, open, HX_STR(""));
    }
    f->flag = false;
    if (hx_recover_line_block(p, (f - 1)->node)) {
      f->phase = HX_BODY_LOOSE;
      return HX_GO_ITEMS;
    }
  }
  f = hx_frame_close(p);
  if (f->phase) f->node->start = f->start, f->node->stop = p->prev.stop;
  p->value = f->node;
  return hx_end_block(p);
}

hx_go hx_end_block(hx_parser *p) {
  p->depth++; /* hx_frame_close subtracts it again */
  hx_frame *f = hx_frame_close(p);
  hx_node *n = f->node;
  *f->tail = p->value;
  n->count++;
  n->stop = p->prev.stop;
  n->u.block.head->close_brace = p->prev;
  hx_frame_add(hx_frame_top(p), n);
  hx_token t = hx_peek(p);
  if (p->recovery && t.kind == HX_TOK_END) {
    hx_range open = n->u.block.head->open_brace;
    if (hx_end_by_margin(p, n, p->body_tail, hx_frame_top(p)) && open.start != p->blamed)
      hx_parse_error(p, HX_D_SYNTAX_BLOCK_UNCLOSED, open, HX_STR(""));
  }
  if (t.kind == HX_TOK_NEWLINE || t.kind == HX_TOK_END) {
    hx_read(p);
  } else {
    hx_parse_unexpected(p, HX_D_SYNTAX_BLOCK_END, t, n->start);
    if (t.kind != HX_TOK_CBRACE || !hx_ends_block(p, 1, t.start)) hx_recover_behind_block(p, t.start);
  }
  return HX_GO_ITEMS;
}
