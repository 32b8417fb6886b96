/* parse_collection.c: parses [a, b] and { a = b, c = d }. */
#include "syntax/parse_state.h"

static const hx_str word_for = { "for", 3 };

static hx_go end_collection(hx_parser *p, hx_token close) {
  hx_node *n = hx_frame_close(p)->node;
  n->stop = close.stop;
  return hx_give_term(p, n);
}

/* Opens a frame of the given kind for a node that begins with the next token. */
static hx_frame *open_collection(hx_parser *p, hx_frame_kind kind, hx_ast_kind node) {
  hx_token open = hx_read(p);
  hx_frame *f = hx_frame_open(p, kind, hx_token_range(open));
  if (!f) return NULL;
  f->node = hx_node_new(p, node, open.start, open.stop);
  f->node->u.kids.mark = hx_token_range(open);
  f->tail = &f->node->u.kids.first;
  p->newlines = false;
  return f;
}

/* --- [a, b]: TUPLE --- */

static hx_go next_element(hx_parser *p) {
  if (hx_peek_kind(p) == HX_TOK_CBRACK) return end_collection(p, hx_read(p));
  return hx_begin_expression(p);
}

hx_go hx_parse_tuple(hx_parser *p) {
  if (!open_collection(p, HX_FRAME_TUPLE, HX_AST_TUPLE)) return HX_GO_STOP;
  if (hx_token_is(p, hx_peek(p), word_for)) return hx_parse_for(p);
  return next_element(p);
}

/* Reports a missing separator: at the bracket if the source ends, otherwise at the wrong token. */
static hx_go fail_separator(hx_parser *p, hx_frame *f, hx_diag_id unclosed, hx_diag_id missing, hx_token_kind close) {
  hx_token t = hx_peek(p);
  if (p->again) return hx_again_goes_on(p) ? hx_begin_expression(p) : end_collection(p, hx_again_close(p, close));
  if (t.kind == HX_TOK_END) {
    if (!p->recovery) hx_parse_error(p, unclosed, (hx_range){ f->start, f->stop }, HX_STR(""));
  } else {
    hx_parse_unexpected(p, missing, t, f->start);
  }
  return end_collection(p, hx_recover(p, close));
}

hx_go hx_resume_tuple(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_frame_add(f, p->value);
  if (hx_part_failed(p, f)) return end_collection(p, hx_recover(p, HX_TOK_CBRACK));
  switch (hx_peek_kind(p)) {
    case HX_TOK_COMMA: hx_read(p); return next_element(p);
    case HX_TOK_CBRACK: return end_collection(p, hx_read(p));
    default: return fail_separator(p, f, HX_D_SYNTAX_TUPLE_UNCLOSED, HX_D_SYNTAX_TUPLE_COMMA, HX_TOK_CBRACK);
  }
}

/* --- { a = b }: OBJECT; flag: the key is in parentheses --- */

enum { KEY, VALUE };

static hx_go next_item(hx_parser *p) {
  hx_token t;
  while ((t = hx_peek(p)).kind == HX_TOK_NEWLINE) hx_read(p);
  if (t.kind == HX_TOK_CBRACE || (p->again && !hx_again_goes_on(p))) {
    return end_collection(p, p->again ? hx_again_close(p, HX_TOK_CBRACE) : hx_read(p));
  }
  t = hx_peek(p);
  hx_frame *f = hx_frame_top(p);
  f->phase = KEY;
  f->flag = t.kind == HX_TOK_OPAREN;
  return hx_begin_expression(p);
}

hx_go hx_parse_object(hx_parser *p) {
  if (!open_collection(p, HX_FRAME_OBJECT, HX_AST_OBJECT)) return HX_GO_STOP;
  /* `for` may be on a later line; an object ignores the skipped newlines as well. */
  if (hx_token_is(p, hx_peek(p), word_for)) return hx_parse_for(p);
  p->newlines = true;
  return next_item(p);
}

/* Ends a key without a value, in an expression that is read again. */
static hx_go end_lone_key(hx_parser *p, hx_frame *f, hx_node *key) {
  hx_frame_add(f, key);
  f->phase = VALUE;
  if (hx_begins_term(hx_peek_kind(p))) return hx_begin_expression(p);
  hx_frame_add(f, hx_node_new(p, HX_AST_BROKEN, key->stop, key->stop));
  return next_item(p);
}

static hx_go resume_key(hx_parser *p, hx_frame *f) {
  if (hx_part_failed(p, f)) return end_collection(p, hx_recover(p, HX_TOK_CBRACE));
  hx_node *inner = p->value, *key = hx_node_new(p, HX_AST_KEY, inner->start, inner->stop);
  key->u.kids.first = inner;
  key->count = 1;
  if (f->flag) key->flags = HX_AST_FORCED;
  hx_token t = hx_peek(p);
  if (t.kind == HX_TOK_ASSIGN || t.kind == HX_TOK_COLON) {
    hx_read(p);
    hx_frame_add(f, key);
    f->phase = VALUE;
    return hx_begin_expression(p);
  }
  if (p->again) return end_lone_key(p, f, key);
  hx_diag_id missing = t.kind == HX_TOK_NEWLINE || t.kind == HX_TOK_COMMA ? HX_D_SYNTAX_OBJECT_VALUE : HX_D_SYNTAX_OBJECT_ASSIGN;
  return fail_separator(p, f, HX_D_SYNTAX_OBJECT_UNCLOSED, missing, HX_TOK_CBRACE);
}

hx_go hx_resume_object(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  if (f->phase == KEY) return resume_key(p, f);
  hx_frame_add(f, p->value);
  if (hx_part_failed(p, f)) return end_collection(p, hx_recover(p, HX_TOK_CBRACE));
  switch (hx_peek_kind(p)) {
    case HX_TOK_CBRACE: return end_collection(p, hx_read(p));
    case HX_TOK_COMMA:
    case HX_TOK_NEWLINE: hx_read(p); return next_item(p);
    default:
      if (p->again) return next_item(p);
      return fail_separator(p, f, HX_D_SYNTAX_OBJECT_UNCLOSED, HX_D_SYNTAX_OBJECT_COMMA, HX_TOK_CBRACE);
  }
}
