/* parse_template.c: parses "…", heredocs and bare templates: their text and their sequences (`${ }` and `%{ }`), one after the other.
** When the template is complete, template_tree.c finds what the directives enclose. */
#include "syntax/parse_state.h"
#include "text/source.h"
#include "text/suggest.h"
#include "text/unicode.h"

/* The fields of a TEMPLATE frame. node: the template, whose mark is the first token in it; op: the token that ends it; prec: what the
** strip markers require; flag: a flush heredoc; at: its first part in p->parts; phase: HX_TEMPLATE_TEXT outside of sequences; start,
** stop: the opener of the current sequence; extra: names of the current %{ for }. */
enum { TEXT = HX_TEMPLATE_TEXT, INTERP, WORD, IF, FOR };
enum { TRIM_NEXT = 1, CAN_TRIM_PREV = 2 };

static hx_part *add_part(hx_parser *p, hx_part_kind kind, uint32_t start, uint32_t stop) {
  hx_part *part = HX_VEC_PUSH(&p->cx->scratch, &p->parts);
  *part = (hx_part){ .kind = (uint8_t)kind, .start = start, .stop = stop };
  return part;
}

/* Adds text as a part. The lines of a heredoc are separate tokens, but one text if they are adjacent in the source, unless their
** indentation must still be removed. */
static void add_text(hx_parser *p, hx_frame *f, hx_token t, hx_str text) {
  hx_part *part = f->prec & CAN_TRIM_PREV && !f->flag ? &p->parts.p[p->parts.n - 1] : NULL;
  if (f->prec & TRIM_NEXT) text = hx_trim_left(text);
  if (part && part->text.p + part->text.len == text.p) {
    part->text.len += text.len;
    part->stop = t.stop;
  } else {
    part = add_part(p, HX_PART_TEXT, t.start, t.stop);
    part->text = text;
  }
  part->last = text.len;
  f->prec = CAN_TRIM_PREV;
}

static hx_frame *open_template(hx_parser *p, hx_token_kind end, hx_range opener, hx_token first, uint16_t flags, bool flush) {
  hx_frame *f = hx_frame_open(p, HX_FRAME_TEMPLATE, opener);
  if (!f) return NULL;
  f->node = hx_node_new(p, HX_AST_TEMPLATE, opener.start, opener.stop);
  f->node->flags = flags;
  f->node->u.kids.mark = hx_token_range(first);
  f->op = (uint8_t)end;
  f->prec = 0;
  f->flag = flush;
  f->at = p->parts.n;
  return f;
}

hx_go hx_parse_template_open(hx_parser *p, hx_token_kind end, hx_range opener, uint16_t flags, bool flush) {
  return open_template(p, end, opener, hx_peek(p), flags, flush) ? HX_GO_PARTS : HX_GO_STOP;
}

static hx_go give_string(hx_parser *p, hx_token open, hx_token close, hx_str text, hx_range mark) {
  hx_node *n = hx_node_new(p, HX_AST_STRING, open.start, close.stop);
  n->u.text.p = text.p;
  n->u.text.len = text.len;
  n->u.text.mark = mark;
  return hx_give_term(p, n);
}

hx_go hx_parse_quoted(hx_parser *p) {
  hx_token open = hx_read(p);
  hx_range opener = hx_token_range(open);
  if (open.kind == HX_TOK_OHEREDOC) {
    bool flush = p->text[open.start + 2] == '-';
    return hx_parse_template_open(p, HX_TOK_CHEREDOC, opener, HX_AST_HEREDOC, flush);
  }
  /* Most strings are one text, and need no frame. */
  hx_token first = hx_peek(p);
  if (first.kind == HX_TOK_CQUOTE) {
    hx_read(p);
    return give_string(p, open, first, HX_STR(""), hx_range_of(first.stop, first.stop));
  }
  if (first.kind != HX_TOK_QUOTED_LIT) return hx_parse_template_open(p, HX_TOK_CQUOTE, opener, 0, false);
  hx_read(p);
  uint32_t before = p->errors;
  hx_str text = hx_decode_text(p, first);
  hx_token next = hx_peek(p);
  if (next.kind == HX_TOK_CQUOTE) {
    hx_read(p);
    return give_string(p, open, next, hx_nfc(p->cx, text), hx_token_range(first));
  }
  hx_frame *f = open_template(p, HX_TOK_CQUOTE, opener, first, 0, false);
  if (!f) return HX_GO_STOP;
  f->before = before;
  add_text(p, f, first, text);
  return HX_GO_PARTS;
}

/* --- Sequences --- */

/* Begins a sequence. `${~` and `%{~` remove the white space at the end of the text before. */
static void open_sequence(hx_parser *p, hx_frame *f, hx_token open, uint8_t phase) {
  if (f->prec & CAN_TRIM_PREV && open.stop - open.start == 3) {
    hx_part *prev = &p->parts.p[p->parts.n - 1];
    uint32_t rest = prev->text.len - prev->last;
    prev->text.len = rest + hx_trim_right(hx_str_of(prev->text.p + rest, prev->last)).len;
  }
  f->prec = 0;
  f->phase = phase;
  f->start = open.start;
  f->stop = open.stop;
  p->newlines = false;
}

/* Skips a sequence with a mistake. The skipped part may contain directives as well. */
static void skip_sequence(hx_parser *p) {
  hx_recover(p, HX_TOK_SEQ_END);
  hx_frame *f = hx_frame_top(p);
  f->phase = TEXT;
  f->node->flags |= HX_AST_TORN;
  p->newlines = f->newlines;
}

/* Ends a sequence, whose end is the next token: `~}` removes the white space at the start of the text after it. */
static void close_sequence(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  hx_token close = hx_read(p);
  if (close.stop - close.start == 2) f->prec = TRIM_NEXT;
  f->phase = TEXT;
  p->newlines = f->newlines;
}

static hx_go end_interpolation(hx_parser *p, hx_frame *f) {
  hx_token close = hx_peek(p);
  hx_part *part = add_part(p, HX_PART_VALUE, f->start, close.stop);
  part->node = p->value;
  if (close.kind == HX_TOK_SEQ_END) {
    close_sequence(p);
    return HX_GO_PARTS;
  }
  bool quote = (close.kind == HX_TOK_CQUOTE || close.kind == HX_TOK_OQUOTE) && f->op == HX_TOK_CQUOTE;
  if (!p->recovery && (quote || close.kind == HX_TOK_END)) {
    hx_parse_error(p, HX_D_SYNTAX_INTERP_UNCLOSED, hx_range_of(f->start, f->stop), hx_source_place_text(p->cx, p->src, f->start));
  } else if (!p->again) {
    hx_diag_id id = close.kind == HX_TOK_COLON ? HX_D_SYNTAX_INTERP_COLON : HX_D_SYNTAX_INTERP_EXTRA;
    hx_parse_unexpected(p, id, close, f->node->u.kids.mark.start);
  }
  skip_sequence(p);
  return HX_GO_PARTS;
}

static hx_part *add_directive(hx_parser *p, hx_part_kind kind) {
  hx_frame *f = hx_frame_top(p);
  return add_part(p, kind, f->start, hx_peek(p).stop);
}

static hx_go end_directive(hx_parser *p) {
  hx_token close = hx_peek(p);
  if (close.kind == HX_TOK_SEQ_END) {
    close_sequence(p);
  } else {
    hx_parse_unexpected(p, HX_D_SYNTAX_DIRECTIVE_EXTRA, close, hx_frame_top(p)->start);
    skip_sequence(p);
  }
  return HX_GO_PARTS;
}

static hx_go fail_directive(hx_parser *p, hx_diag_id id) {
  hx_parse_unexpected(p, id, hx_peek(p), hx_frame_top(p)->start);
  skip_sequence(p);
  return HX_GO_PARTS;
}

/* Parses %{ for k, v in c } up to `in`. */
static hx_go parse_for_directive(hx_parser *p) {
  hx_loop *loop = HX_NEW(p->cx, hx_loop);
  *loop = (hx_loop){ .key = { "", 0 } };
  hx_diag_id wrong = hx_parse_loop_names(p, loop);
  if (wrong != HX_D_COUNT) return fail_directive(p, wrong);
  hx_frame *f = hx_frame_top(p);
  f->phase = FOR;
  f->extra = loop;
  return hx_begin_expression(p);
}

static const hx_str words[] = { { "if", 2 }, { "else", 4 }, { "endif", 5 }, { "for", 3 }, { "endfor", 6 } };
static const uint8_t word_parts[] = { HX_PART_IF, HX_PART_ELSE, HX_PART_ENDIF, HX_PART_FOR, HX_PART_ENDFOR };
enum { NWORDS = sizeof words / sizeof *words };

static hx_go fail_word(hx_parser *p, hx_token word) {
  if (!p->recovery) {
    hx_str given = hx_slice(p, word.start, word.stop), hint = hx_did_you_mean(p->cx, given, words, NWORDS);
    hx_str what = given.len > 40 ? HX_STR("This") : hx_strf(p->cx, "\"%.*s\"", HX_STR_ARG(given));
    hx_parse_error_in(p, HX_D_SYNTAX_DIRECTIVE_WORD, hx_token_range(word), hx_frame_top(p)->start,
                      hx_strf(p->cx, "%.*s is not a directive.%.*s", HX_STR_ARG(what), HX_STR_ARG(hint)));
  }
  skip_sequence(p);
  return HX_GO_PARTS;
}

static hx_go parse_directive(hx_parser *p) {
  hx_token word = hx_peek(p);
  if (word.kind != HX_TOK_IDENT) return fail_directive(p, HX_D_SYNTAX_DIRECTIVE);
  hx_read(p);
  uint32_t i = 0;
  while (i < NWORDS && !hx_token_is(p, word, words[i])) i++;
  if (i == NWORDS) return fail_word(p, word);
  if (word_parts[i] == HX_PART_FOR) return parse_for_directive(p);
  if (word_parts[i] == HX_PART_IF) {
    hx_frame_top(p)->phase = IF;
    return hx_begin_expression(p);
  }
  add_directive(p, (hx_part_kind)word_parts[i]);
  return end_directive(p);
}

hx_go hx_resume_template(hx_parser *p) {
  hx_frame *f = hx_frame_top(p);
  if (f->phase == INTERP) return end_interpolation(p, f);
  hx_part *part = add_directive(p, f->phase == IF ? HX_PART_IF : HX_PART_FOR);
  part->node = p->value;
  if (f->phase == FOR) part->loop = f->extra;
  return end_directive(p);
}

/* --- The template --- */

/* Makes the node from the parts: a constant string, the value of a lone interpolation, or a template. Returns false if it nests too
** deeply. */
static bool make_template(hx_parser *p, hx_frame *f, hx_range end) {
  hx_node *n = f->node;
  n->stop = end.stop;
  if (p->parts.n == f->at) {
    uint32_t at = n->u.kids.mark.stop;
    add_part(p, HX_PART_TEXT, at, at)->text = HX_STR("");
  }
  hx_part *parts = p->parts.p + f->at;
  uint32_t count = p->parts.n - f->at;
  if (f->flag) hx_flush_parts(parts, count);
  count = hx_meld_parts(p, parts, count);
  if (count != 1 || parts->kind > HX_PART_VALUE) return hx_template_tree(p, parts, count, end, n);
  if (parts->kind == HX_PART_VALUE) {
    n->kind = HX_AST_WRAP;
    n->u.kids.first = parts->node;
    n->count = 1;
  } else {
    hx_str text = hx_nfc(p->cx, parts->text);
    n->kind = HX_AST_STRING;
    n->u.text.p = text.p;
    n->u.text.len = text.len;
    n->u.text.mark = hx_range_of(parts->start, parts->stop);
  }
  return true;
}

static hx_go end_template(hx_parser *p, hx_token end) {
  uint32_t top = p->nframes - 1;
  if (!make_template(p, &p->frames[top], hx_token_range(end))) {
    p->value = NULL;
    return HX_GO_STOP;
  }
  hx_frame *f = hx_frame_close(p);
  p->parts.n = f->at;
  p->value = f->node;
  return f->node->flags & HX_AST_BARE ? HX_GO_DELIVER : HX_GO_POSTFIX;
}

hx_go hx_parse_parts(hx_parser *p) {
  for (;;) {
    hx_frame *f = hx_frame_top(p);
    hx_token t = hx_read(p);
    if (t.kind == f->op) return end_template(p, t);
    switch (t.kind) {
      case HX_TOK_QUOTED_LIT:
      case HX_TOK_STRING_LIT: add_text(p, f, t, hx_decode_text(p, t)); break;
      case HX_TOK_INTERP: open_sequence(p, f, t, INTERP); return hx_begin_expression(p);
      case HX_TOK_CONTROL: {
        open_sequence(p, f, t, WORD);
        hx_go go = parse_directive(p);
        if (go != HX_GO_PARTS) return go;
        break;
      }
      default:
        hx_parse_unexpected(p, HX_D_SYNTAX_TEMPLATE, t, f->node->u.kids.mark.start);
        return end_template(p, hx_recover(p, (hx_token_kind)f->op));
    }
  }
}
