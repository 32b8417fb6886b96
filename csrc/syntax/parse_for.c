/* parse_for.c: parses [for k, v in c : x if y] and {for k, v in c : a => b... if y}. */
#include "syntax/parse_state.h"

/* The fields of a FOR frame, which was opened for a tuple or object and turned out to be a `for`. node: the FOR; extra: its names; flag:
** an object; start, stop: the bracket; at: where `...` is. A key is recognised by the arrow after it. */
enum { COLLECTION, KEY_OR_VALUE, VALUE, CONDITION };

static hx_token_kind closer(const hx_frame *f) {
  return f->flag ? HX_TOK_CBRACE : HX_TOK_CBRACK;
}

/* Gives up the loop: a BROKEN node keeps its parts. */
static hx_go fail_for(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_token close = hx_recover(p, closer(f));
  hx_frame_close(p);
  return hx_give_term(p, hx_node_broken(p, f->node->u.loop.first, f->start, close.stop));
}

static hx_go fail_intro(hx_parser *p, hx_diag_id id) {
  hx_parse_unexpected(p, id, hx_peek(p), hx_frame_top(p)->start);
  return fail_for(p);
}

hx_diag_id hx_parse_loop_names(hx_parser *p, hx_loop *loop) {
  hx_token name = hx_peek(p);
  if (name.kind != HX_TOK_IDENT) return HX_D_SYNTAX_FOR_NAME;
  hx_read(p);
  if (hx_peek_kind(p) == HX_TOK_COMMA) {
    hx_read(p);
    loop->key = hx_slice(p, name.start, name.stop);
    loop->key_range = hx_token_range(name);
    name = hx_peek(p);
    if (name.kind != HX_TOK_IDENT) return HX_D_SYNTAX_FOR_VALUE;
    hx_read(p);
  }
  loop->value = hx_slice(p, name.start, name.stop);
  loop->value_range = hx_token_range(name);
  if (!hx_token_is(p, hx_peek(p), HX_STR("in"))) return HX_D_SYNTAX_FOR_IN;
  hx_read(p);
  return HX_D_COUNT;
}

hx_go hx_parse_for(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  f->flag = f->kind == HX_FRAME_OBJECT;
  f->kind = HX_FRAME_FOR;
  f->phase = COLLECTION;
  hx_token word = hx_read(p);
  hx_loop *loop = HX_NEW(p->cx, hx_loop);
  *loop = (hx_loop){ .open = { f->start, f->stop }, .intro = hx_token_range(word) };
  f->extra = loop;
  f->node->kind = HX_AST_FOR;
  f->node->u.loop.names = loop;
  f->tail = &f->node->u.loop.first;
  hx_diag_id wrong = hx_parse_loop_names(p, loop);
  return wrong == HX_D_COUNT ? hx_begin_expression(p) : fail_intro(p, wrong);
}

static hx_go resume_collection(hx_parser *p, hx_frame *f) {
  if (hx_part_failed(p, f)) return fail_for(p);
  hx_token t = hx_peek(p);
  if (t.kind != HX_TOK_COLON) {
    if (p->again) hx_frame_add(f, p->value);
    return fail_intro(p, HX_D_SYNTAX_FOR_COLON);
  }
  hx_read(p);
  hx_frame_add(f, p->value);
  ((hx_loop *)f->extra)->intro.stop = t.stop;
  f->phase = KEY_OR_VALUE;
  return hx_begin_expression(p);
}

static hx_go end_for(hx_parser *p, hx_frame *f) {
  hx_node *n = f->node, *result = n->u.loop.first->next;
  hx_token close = hx_peek(p);
  if (p->again) {
    close = hx_again_close(p, closer(f));
  } else if (close.kind == closer(f)) {
    hx_read(p);
  } else {
    hx_parse_unexpected(p, HX_D_SYNTAX_FOR_END, close, f->start);
    close = hx_recover(p, closer(f));
  }
  n->stop = close.stop;
  ((hx_loop *)f->extra)->close = hx_token_range(close);
  /* Parts that don't fit the kind of bracket are reported at the end, even in recovery. */
  hx_range first = hx_node_range(result);
  if (!f->flag && n->flags & HX_AST_HAS_KEY) hx_parse_error_in(p, HX_D_SYNTAX_FOR_KEY, first, f->start, HX_STR(""));
  if (!f->flag && n->flags & HX_AST_GROUP)
    hx_parse_error_in(p, HX_D_SYNTAX_FOR_GROUP, (hx_range){ f->at, f->at + 3 }, f->start, HX_STR(""));
  if (f->flag && !(n->flags & HX_AST_HAS_KEY)) hx_parse_error_in(p, HX_D_SYNTAX_FOR_NO_KEY, first, f->start, HX_STR(""));
  hx_frame_close(p);
  return hx_give_term(p, n);
}

static hx_go resume_value(hx_parser *p, hx_frame *f) {
  hx_token t = hx_peek(p);
  if (f->phase == KEY_OR_VALUE && t.kind == HX_TOK_FAT_ARROW) {
    hx_read(p);
    hx_frame_add(f, p->value);
    f->node->flags |= HX_AST_HAS_KEY;
    f->phase = VALUE;
    p->mark = p->errors; /* `before` stays: key and value fail together */
    return HX_GO_TERM;
  }
  if (hx_part_failed(p, f)) return fail_for(p);
  hx_frame_add(f, p->value);
  if (t.kind == HX_TOK_ELLIPSIS) {
    hx_read(p);
    f->node->flags |= HX_AST_GROUP;
    f->at = t.start;
    t = hx_peek(p);
  }
  if (!hx_token_is(p, t, HX_STR("if"))) return end_for(p, f);
  hx_read(p);
  f->phase = CONDITION;
  return hx_begin_expression(p);
}

hx_go hx_resume_for(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  switch (f->phase) {
    case COLLECTION: return resume_collection(p, f);
    case KEY_OR_VALUE:
    case VALUE: return resume_value(p, f);
    default: break;
  }
  if (hx_part_failed(p, f)) return fail_for(p);
  hx_frame_add(f, p->value);
  f->node->flags |= HX_AST_HAS_COND;
  return end_for(p, f);
}
