/* parser.c: the parser's machine: its loop, its stack, and the entry points. */
#include "syntax/parser.h"

#include "syntax/parse_state.h"

/* --- The stack --- */

hx_frame *hx_frame_more(hx_parser *p) {
  uint32_t cap = p->frames_cap * 2;
  hx_frame *frames = hx_arena_alloc(&p->cx->scratch, (size_t)cap * sizeof *frames);
  memcpy(frames, p->frames, p->nframes * sizeof *frames);
  p->frames = frames;
  p->frames_cap = cap;
  return &p->frames[p->nframes++];
}

hx_frame *hx_frame_open(hx_parser *p, hx_frame_kind kind, hx_range at) {
  if (HX_UNLIKELY(p->depth >= p->max_depth)) {
    hx_parse_too_deep(p, at);
    p->value = NULL;
    return NULL;
  }
  p->depth++;
  hx_frame *f = hx_frame_push(p, kind);
  f->newlines = p->newlines;
  f->mark = p->mark;
  f->start = at.start;
  f->stop = at.stop;
  return f;
}

/* --- The loop --- */

hx_go hx_resume_none(hx_parser *p) {
  (void)p;
  HX_UNREACHABLE();
  return HX_GO_STOP;
}

hx_go hx_resume_source(hx_parser *p) {
  (void)p;
  return HX_GO_STOP;
}

static hx_go (*const resume[HX_FRAME_COUNT])(hx_parser *p) = {
#define HX_FRAME(id, fn) [HX_FRAME_##id] = fn,
#include "syntax/frame_list.h"
#undef HX_FRAME
};

static void run(hx_parser *p, hx_go go) {
  for (;;) {
    switch (go) {
      case HX_GO_TERM: go = hx_parse_term(p); break;
      case HX_GO_POSTFIX: go = hx_parse_postfix(p); break;
      case HX_GO_DELIVER: go = resume[hx_frame_top(p)->kind](p); break;
      case HX_GO_PARTS: go = hx_parse_parts(p); break;
      case HX_GO_ITEMS: go = hx_parse_items(p); break;
      case HX_GO_STOP:
        if (!p->again) return;
        go = hx_end_again(p);
        break;
    }
  }
}

/* --- Entry points --- */

static hx_node *broken(hx_cx *cx, hx_range at) {
  hx_node *n = HX_NEW(cx, hx_node);
  *n = (hx_node){ .kind = HX_AST_BROKEN, .start = at.start, .stop = at.stop };
  return n;
}

/* Returns what is left of a source that nests too deeply: a body with everything that was read, including open blocks; a BROKEN node for an
** expression. */
static hx_node *unfinished(hx_parser *p, hx_range at) {
  if (p->nframes < 2 || p->frames[1].kind != HX_FRAME_BODY) return broken(p->cx, at);
  for (uint32_t i = p->nframes - 1; i-- > 2;) {
    hx_frame *f = &p->frames[i], *body = f + 1;
    if (f->kind != HX_FRAME_BLOCK || body->kind != HX_FRAME_BODY) continue;
    hx_block_head *head = f->extra;
    head->close_brace = (hx_range){ p->prev.stop, p->prev.stop };
    body->node->stop = f->node->stop = p->prev.stop;
    *f->tail = body->node;
    f->node->count++;
    hx_frame_add(f - 1, f->node);
  }
  p->frames[1].node->stop = at.stop;
  return p->frames[1].node;
}

/* Begins to parse a source of one kind: an expression, a template or a body. */
typedef hx_go (*begin_fn)(hx_parser *p);

static hx_go begin_expression(hx_parser *p) {
  p->newlines = false;
  return hx_begin_expression(p);
}

/* Begins a template. The outermost template or body doesn't count as nested. */
static hx_go begin_template(hx_parser *p) {
  p->max_depth++;
  return hx_parse_template_open(p, HX_TOK_END, hx_token_range(hx_peek(p)), HX_AST_BARE, false);
}

static hx_go begin_body(hx_parser *p) {
  p->max_depth++;
  return hx_parse_body_open(p, HX_TOK_END) ? HX_GO_ITEMS : HX_GO_STOP;
}

/* The frames and parts of a small source are on the C stack. */
enum { FIRST_FRAMES = 12, FIRST_PARTS = 32 };

static hx_node *parse(hx_cx *cx, const hx_source *src, hx_range at, hx_scan_kind kind, begin_fn begin) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_frame frames[FIRST_FRAMES];
  hx_part parts[FIRST_PARTS];
  hx_parser p = {
    .cx = cx,
    .src = src,
    .text = src->text.p,
    .prev = { at.start, at.start },
    .newlines = true,
    .frames = frames,
    .frames_cap = FIRST_FRAMES,
    .max_depth = cx->limits.depth < HX_DEPTH_MAX ? (uint32_t)cx->limits.depth : HX_DEPTH_MAX,
    .parts = { parts, 0, FIRST_PARTS },
    .begin = at.start,
    .end = at.stop,
    .item = begin == begin_body ? 0 : UINT32_MAX,
    .spare = 8 * (int64_t)(at.stop - at.start) + (1 << 16),
    .no_comment_end = UINT32_MAX,
    .line_asked = at.start,
    .line = at.start,
    .end_asked = 1,
    .blamed = UINT32_MAX,
  };
  hx_scan_init(&p.scan, &cx->scratch, p.text, at.start, at.stop, kind);
  hx_parse_advance(&p);

  hx_frame_push(&p, HX_FRAME_SOURCE);
  run(&p, begin(&p));
  if (p.value) {
    HX_ASSERT(p.nframes == 1 && p.depth == 0);
    hx_token next = hx_peek(&p);
    if (next.kind != HX_TOK_END) hx_parse_unexpected(&p, HX_D_SYNTAX_EXTRA, next, next.start);
    /* Bytes that no source may contain are reported even after the end of the expression. */
    while (p.tok.kind != HX_TOK_END) hx_parse_advance(&p);
  }
  hx_node *whole = p.value ? p.value : unfinished(&p, at);
  hx_arena_release(&cx->scratch, mark);
  return whole;
}

/* Parses the whole source, unless it is too long. */
static hx_node *parse_all(hx_cx *cx, const hx_source *src, hx_scan_kind kind, begin_fn begin) {
  hx_range all = { 0, src->text.len };
  if (src->text.len > cx->limits.source || src->text.len == UINT32_MAX) {
    hx_str limit = hx_strf(cx, "%llu", (unsigned long long)cx->limits.source);
    hx_diag_add(cx, HX_D_LIMIT_SOURCE, src, (hx_range){ 0, 0 }, HX_STR_ARG(limit));
    return broken(cx, all);
  }
  return parse(cx, src, all, kind, begin);
}

hx_node *hx_parse_expression(hx_cx *cx, const hx_source *src) {
  return parse_all(cx, src, HX_SCAN_MAIN, begin_expression);
}

hx_node *hx_parse_template(hx_cx *cx, const hx_source *src) {
  return parse_all(cx, src, HX_SCAN_BARE, begin_template);
}

hx_node *hx_parse_body(hx_cx *cx, const hx_source *src) {
  return parse_all(cx, src, HX_SCAN_MAIN, begin_body);
}

hx_node *hx_parse_expression_at(hx_cx *cx, const hx_source *src, hx_range at) {
  return parse(cx, src, at, HX_SCAN_MAIN, begin_expression);
}

hx_node *hx_parse_template_at(hx_cx *cx, const hx_source *src, hx_range at) {
  return parse(cx, src, at, HX_SCAN_BARE, begin_template);
}
