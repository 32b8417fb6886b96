/* parse_postfix.c: parses the steps after a term: attributes, indexes, splats. */
#include "syntax/parse_state.h"

/* --- Steps --- */

void hx_node_more_steps(hx_parser *p, hx_node *n) {
  size_t size = n->count * sizeof(hx_step);
  n->u.trav.steps = hx_arena_grow(&p->cx->arena, n->u.trav.steps, size, 2 * size);
}

/* Adds a constant step to p->value, which becomes a traversal unless it is one already. */
HX_INLINE void add_step(hx_parser *p, hx_step step) {
  hx_node *n = p->value;
  if (n->kind != HX_AST_TRAVERSAL && n->kind != HX_AST_RELATIVE) n = hx_node_traversal(p, HX_AST_RELATIVE, n->start, n);
  *hx_node_add_step(p, n) = step;
  n->stop = step.stop;
  p->value = n;
}

/* Makes the step for an index in the old notation, `.0`. In a.0.1, meant as two indexes, the scanner reads 0.1 as one number, which is
** rejected. */
static hx_step number_step(hx_parser *p, hx_token dot, hx_token number, hx_range blame) {
  hx_step step = { dot.start, number.stop, p->text + number.start, number.stop - number.start, HX_STEP_INDEX };
  if (memchr(step.text, '.', step.len)) {
    hx_parse_bad_number(p, HX_D_SYNTAX_LEGACY_INDEX, blame, hx_slice(p, number.start, number.stop));
  } else if (!hx_number_is_valid(step.text, step.len)) {
    hx_parse_bad_number(p, HX_D_SYNTAX_NUMBER, hx_token_range(number), hx_found(p, number));
  } else {
    return step;
  }
  step.text = "0"; /* keeps the tree sound; a diagnostic reports the step */
  step.len = 1;
  return step;
}

static hx_step name_step(hx_parser *p, hx_token dot, hx_token name) {
  return (hx_step){ dot.start, name.stop, p->text + name.start, name.stop - name.start, HX_STEP_ATTR };
}

/* --- .name, .0, .* --- */

static hx_node *splat_node(hx_parser *p, hx_node *source, hx_node *each, hx_range marker, uint32_t stop) {
  hx_node *n = hx_node_new(p, HX_AST_SPLAT, source->start, stop);
  n->u.kids.first = source;
  n->u.kids.mark = marker;
  n->count = 2;
  source->next = each;
  return n;
}

/* Parses `.*` and the names and numbers after it, which apply to each element. */
static void parse_attribute_splat(hx_parser *p, hx_token dot) {
  hx_token star = hx_read(p), blame = star;
  hx_range marker = { dot.start, star.stop };
  hx_node *item = hx_node_new(p, HX_AST_ITEM, marker.start, marker.stop), *each = item;
  uint32_t stop = star.stop;
  while (hx_peek_kind(p) == HX_TOK_DOT) {
    dot = hx_read(p);
    hx_token t = hx_peek(p);
    if (t.kind != HX_TOK_NUMBER && t.kind != HX_TOK_IDENT) {
      if (t.kind == HX_TOK_STAR) hx_parse_unexpected(p, HX_D_SYNTAX_NESTED_SPLAT, t, dot.start);
      else hx_parse_unexpected(p, HX_D_SYNTAX_ATTRIBUTE_NAME, blame, blame.start);
      hx_give_up(p);
      if (p->again) p->value = splat_node(p, p->value, hx_node_broken(p, each, each->start, dot.stop), marker, dot.stop);
      return; /* as in the reference, the splat is dropped: p->value stays as it is */
    }
    t = hx_read(p);
    if (each == item) each = hx_node_traversal(p, HX_AST_RELATIVE, dot.start, item);
    *hx_node_add_step(p, each) = t.kind == HX_TOK_NUMBER ? number_step(p, dot, t, hx_token_range(blame)) : name_step(p, dot, t);
    each->stop = stop = t.stop;
  }
  p->value = splat_node(p, p->value, each, marker, stop);
}

static void parse_dot(hx_parser *p) {
  hx_token dot = hx_read(p), t = hx_peek(p);
  switch (t.kind) {
    case HX_TOK_IDENT: add_step(p, name_step(p, dot, hx_read(p))); return;
    case HX_TOK_NUMBER:
      t = hx_read(p);
      add_step(p, number_step(p, dot, t, hx_token_range(t)));
      return;
    case HX_TOK_STAR: parse_attribute_splat(p, dot); return;
    default: break;
  }
  /* Reported even in recovery. The token stays: steps may continue after the broken one. */
  hx_parse_error_in(p, HX_D_SYNTAX_ATTRIBUTE_NAME, hx_token_range(t), dot.start, hx_found(p, t));
  hx_give_up(p);
  p->value = hx_node_broken(p, p->value, p->value->start, dot.stop);
}

/* --- [*], [key] --- */

/* Skips to the `]` that should have followed, and returns it. As in the reference, the error is reported at the place of this `]`. */
static hx_token fail_bracket(hx_parser *p, hx_diag_id id, hx_token bad, uint32_t from) {
  hx_token close = hx_recover(p, HX_TOK_CBRACK);
  hx_parse_error_in(p, id, hx_token_range(close), from, hx_found(p, bad));
  return close;
}

/* Opens a splat. The fields of its SPLAT frame are node, the source, and start and stop, the marker. */
static hx_go open_splat(hx_parser *p, hx_token open) {
  hx_read(p);
  hx_token close = p->again ? hx_again_close(p, HX_TOK_CBRACK) : hx_read(p);
  if (close.kind != HX_TOK_CBRACK && !p->recovery && !p->again) close = fail_bracket(p, HX_D_SYNTAX_SPLAT_CLOSE, close, open.start);
  hx_frame *f = hx_frame_open(p, HX_FRAME_SPLAT, (hx_range){ open.start, close.stop });
  if (!f) return HX_GO_STOP;
  f->node = p->value;
  return hx_give_term(p, hx_node_new(p, HX_AST_ITEM, open.start, close.stop));
}

/* Opens an index, or a splat. The fields of an INDEX frame are node, the collection, and start and stop, the `[`. */
static hx_go open_index(hx_parser *p) {
  hx_token open = hx_read(p);
  if (hx_peek_kind(p) == HX_TOK_STAR) return open_splat(p, open);
  hx_frame *f = hx_frame_open(p, HX_FRAME_INDEX, hx_token_range(open));
  if (!f) return HX_GO_STOP;
  f->node = p->value;
  p->newlines = false;
  return hx_begin_expression(p);
}

/* Makes *step if the key is a constant, as in the reference: a number, true, false, null or a string without interpolation, not in
** parentheses. Otherwise returns false. */
static bool constant_step(const hx_parser *p, const hx_node *key, hx_step *step) {
  if (key->kind == HX_AST_BOOL || key->kind == HX_AST_NULL) {
    step->kind = HX_STEP_CONST;
    step->text = p->text + key->start;
    step->len = key->stop - key->start;
    return true;
  }
  if (key->kind != HX_AST_NUMBER && key->kind != HX_AST_STRING) return false;
  step->kind = key->kind == HX_AST_NUMBER ? HX_STEP_INDEX : HX_STEP_KEY;
  step->text = key->u.text.p;
  step->len = key->u.text.len;
  return true;
}

hx_go hx_resume_index(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_node *key = p->value, *collection = f->node;
  hx_token close;
  if (p->again) {
    close = hx_again_close(p, HX_TOK_CBRACK);
  } else if (hx_part_failed(p, f)) {
    close = hx_recover(p, HX_TOK_CBRACK);
  } else {
    close = hx_read(p);
    if (close.kind != HX_TOK_CBRACK && !p->recovery) close = fail_bracket(p, HX_D_SYNTAX_INDEX_CLOSE, close, f->start);
  }
  hx_step step = { .start = f->start, .stop = close.stop };
  hx_frame_close(p);
  p->value = collection;
  if (close.kind == HX_TOK_CBRACK && constant_step(p, key, &step)) {
    add_step(p, step);
    return HX_GO_POSTFIX;
  }
  hx_node *n = hx_node_new(p, HX_AST_INDEX, collection->start, close.stop);
  n->u.kids.first = collection;
  n->u.kids.mark = (hx_range){ step.start, step.stop };
  n->count = 2;
  collection->next = key;
  return hx_give_term(p, n);
}

/* --- The end of the steps --- */

/* Ends the steps: p->value is complete. The splats and unary operators that waited for it are complete as well, because no step can
** follow them either. */
static hx_go end_steps(hx_parser *p) {
  for (;;) {
    hx_frame *f = hx_frame_top(p);
    hx_node *value = p->value;
    if (f->kind == HX_FRAME_SPLAT) {
      p->value = splat_node(p, f->node, value, (hx_range){ f->start, f->stop }, value->stop);
      p->value->flags = HX_AST_FULL;
    } else if (f->kind == HX_FRAME_UNARY) {
      hx_node *n = hx_node_new(p, HX_AST_UNARY, f->start, value->stop);
      n->op = f->op;
      n->u.kids.first = value;
      n->u.kids.mark = (hx_range){ f->start, f->stop };
      n->count = 1;
      p->value = n;
    } else {
      return hx_parse_operand(p);
    }
    hx_frame_close(p);
  }
}

hx_go hx_parse_postfix(hx_parser *p) {
  for (;;) {
    uint8_t k = hx_peek_kind(p);
    if (k == HX_TOK_DOT) parse_dot(p);
    else if (k == HX_TOK_OBRACK) return open_index(p);
    else return end_steps(p);
  }
}
