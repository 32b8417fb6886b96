/* template_tree.c: makes nodes from the parts of a template: matches directives with their ends. */
#include "syntax/parse_state.h"
#include "text/source.h"
#include "text/unicode.h"

/* The fields of a DIRECTIVE frame, which is an open directive or, at the bottom, the template itself. node: the TEMPLATE that receives
** its current branch; extra: the part that opened it, NULL for the template; flag: after %{ else }. The result of an %{ if } is the
** sibling of its condition. */

typedef struct tree {
  hx_parser *p;
  uint32_t base; /* the index of its first frame */
  const hx_part *end;
  bool torn; /* a sequence was skipped, and reported: it may have been a directive */
} tree;

static void add(tree *t, hx_node *kid) {
  hx_frame *f = hx_frame_top(t->p);
  if (f->extra) {
    if (f->node->count == 0) f->node->start = kid->start;
    f->node->stop = kid->stop;
  }
  hx_frame_add(f, kid);
}

static void add_broken(tree *t, hx_range at) {
  add(t, hx_node_new(t->p, HX_AST_BROKEN, at.start, at.stop));
}

static void add_text(tree *t, const hx_part *part) {
  hx_node *n = hx_node_new(t->p, HX_AST_TEXT, part->start, part->stop);
  hx_str text = hx_nfc(t->p->cx, part->text);
  n->u.text.p = text.p;
  n->u.text.len = text.len;
  add(t, n);
}

static void begin_branch(tree *t, uint32_t at) {
  hx_frame *f = hx_frame_top(t->p);
  f->node = hx_node_new(t->p, HX_AST_TEMPLATE, at, at);
  f->tail = &f->node->u.kids.first;
}

/* Ends the branch of the directive on top, and returns its node. A branch that is a single text, or empty (then it is at byte `at`), is a
** constant string. */
static hx_node *end_branch(tree *t, uint32_t at) {
  hx_node *n = hx_frame_top(t->p)->node, *first = n->u.kids.first;
  if (n->count == 0) {
    n->kind = HX_AST_STRING;
    n->start = n->stop = at;
    n->u.text.p = "";
    n->u.text.len = 0;
    n->u.text.mark = hx_range_of(at, at);
  } else if (n->count == 1 && first->kind == HX_AST_TEXT) {
    n->kind = HX_AST_STRING;
    n->count = 0;
    n->u.text = first->u.text;
    n->u.text.mark = hx_node_range(first);
  }
  return n;
}

/* Opens an %{ if } or %{ for }. Returns false if it nests too deeply. */
static bool open_directive(tree *t, const hx_part *part) {
  hx_parser *p = t->p;
  if (p->depth + (p->nframes - t->base) > p->max_depth) {
    hx_parse_too_deep(p, hx_range_of(part->start, part->stop));
    return false;
  }
  hx_frame *f = hx_frame_push(p, HX_FRAME_DIRECTIVE);
  f->extra = (void *)(uintptr_t)part;
  begin_branch(t, part->stop);
  return true;
}

static void report(tree *t, hx_diag_id id, hx_range at, uint32_t from, hx_str what) {
  if (!t->torn) hx_parse_error_in(t->p, id, at, from, what);
}

/* Reports a directive that ends wrongly, and replaces it by a BROKEN node with its parts. */
static void fail_directive(tree *t, hx_diag_id id, hx_range at, hx_str what) {
  const hx_part *opener = hx_frame_top(t->p)->extra;
  report(t, id, at, opener->start, what);
  hx_frame *f = hx_frame_top(t->p);
  hx_node *branch = end_branch(t, opener->stop);
  if (f->flag) opener->node->next->next = branch;
  else opener->node->next = branch;
  t->p->nframes--;
  add(t, hx_node_broken(t->p, opener->node, opener->start, at.stop));
}

static hx_str part_name(hx_part_kind kind) {
  static const hx_str names[] = {
    [HX_PART_TEXT] = { "text", 4 },           [HX_PART_VALUE] = { "${ }", 4 },        [HX_PART_IF] = { "%{ if }", 7 },
    [HX_PART_ELSE] = { "%{ else }", 9 },      [HX_PART_ENDIF] = { "%{ endif }", 10 }, [HX_PART_FOR] = { "%{ for }", 8 },
    [HX_PART_ENDFOR] = { "%{ endfor }", 11 },
  };
  return names[kind];
}

static void end_if(tree *t, const hx_part *end) {
  hx_frame *f = hx_frame_top(t->p);
  const hx_part *opener = f->extra;
  hx_node *condition = opener->node;
  if (!f->flag) {
    condition->next = end_branch(t, opener->stop);
    begin_branch(t, end->start);
  }
  condition->next->next = end_branch(t, end->start);
  hx_node *n = hx_node_new(t->p, HX_AST_CONDITIONAL, opener->start, end->stop);
  n->flags = HX_AST_DIRECTIVE;
  n->u.kids.first = condition;
  n->count = 3;
  t->p->nframes--;
  add(t, n);
}

static void end_for(tree *t, const hx_part *end) {
  const hx_part *opener = hx_frame_top(t->p)->extra;
  hx_node *loop = hx_node_new(t->p, HX_AST_FOR, opener->start, end->stop);
  loop->flags = HX_AST_DIRECTIVE;
  loop->count = 2;
  loop->u.loop.names = opener->loop;
  opener->loop->open = opener->loop->intro = hx_range_of(opener->start, opener->stop);
  opener->loop->close = hx_range_of(end->start, end->stop);
  loop->u.loop.first = opener->node;
  opener->node->next = end_branch(t, opener->stop);
  hx_node *n = hx_node_new(t->p, HX_AST_JOIN, loop->start, loop->stop);
  n->u.kids.first = loop;
  n->count = 1;
  t->p->nframes--;
  add(t, n);
}

/* Returns true if the part belongs to the frame's open directive. */
static bool fits(const hx_frame *f, const hx_part *part) {
  const hx_part *opener = f->extra;
  if (opener->kind == HX_PART_FOR) return part->kind == HX_PART_ENDFOR;
  return part->kind == HX_PART_ENDIF || (part->kind == HX_PART_ELSE && !f->flag);
}

static bool fits_outer(const tree *t, const hx_part *part) {
  for (uint32_t i = t->p->nframes - 1; i-- > t->base + 1;)
    if (fits(&t->p->frames[i], part)) return true;
  return false;
}

/* Returns how many of the %{ endif } and %{ endfor } after the part belong to directives opened before it. Returns 0 if no report would
** be shown. */
static uint32_t ends_behind(const tree *t, const hx_part *part) {
  uint32_t inner = 0, ends = 0;
  if (t->torn || hx_is_silent(t->p->cx)) return 0;
  while (++part < t->end) {
    if (part->kind == HX_PART_IF || part->kind == HX_PART_FOR) inner++;
    if (part->kind != HX_PART_ENDIF && part->kind != HX_PART_ENDFOR) continue;
    if (inner) inner--;
    else ends++;
  }
  return ends;
}

static void misplaced(tree *t, const hx_part *part, bool ends) {
  const hx_part *opener = hx_frame_top(t->p)->extra;
  hx_diag_id id = opener->kind == HX_PART_IF ? HX_D_SYNTAX_IF_END : HX_D_SYNTAX_FOR_DIRECTIVE_END;
  hx_range at = hx_range_of(part->start, part->stop);
  hx_str name = part_name((hx_part_kind)part->kind);
  if (ends) {
    fail_directive(t, id, at, name);
  } else {
    report(t, id, at, opener->start, name);
    add_broken(t, at);
  }
}

/* Handles an end that doesn't fit the innermost open directive. If as many ends follow as directives are open, this one is superfluous.
** If fewer follow and it fits an outer directive, the ends of the directives inside that are missing. Otherwise another word was meant.
** Returns true if it fits now. */
static bool mend(tree *t, const hx_part *part) {
  uint32_t ends = ends_behind(t, part), open = t->p->nframes - t->base - 1;
  bool within = fits_outer(t, part) && ends + (part->kind != HX_PART_ELSE) < open;
  do misplaced(t, part, ends < open);
  while (within && !fits(hx_frame_top(t->p), part));
  return within;
}

/* Handles %{ else }, %{ endif } or %{ endfor }. Outside of any directive it is superfluous. */
static void end_directive(tree *t, const hx_part *part) {
  hx_range at = hx_range_of(part->start, part->stop);
  if (!hx_frame_top(t->p)->extra) {
    report(t, HX_D_SYNTAX_DIRECTIVE_STRAY, at, at.start, part_name((hx_part_kind)part->kind));
    add_broken(t, at);
    return;
  }
  if (!fits(hx_frame_top(t->p), part) && !mend(t, part)) return;
  hx_frame *f = hx_frame_top(t->p);
  if (part->kind == HX_PART_ENDIF) {
    end_if(t, part);
  } else if (part->kind == HX_PART_ENDFOR) {
    end_for(t, part);
  } else {
    const hx_part *opener = f->extra;
    opener->node->next = end_branch(t, opener->stop);
    f->flag = true;
    begin_branch(t, part->stop);
  }
}

bool hx_template_tree(hx_parser *p, const hx_part *parts, uint32_t n, hx_range end, hx_node *template) {
  tree t = { .p = p, .base = p->nframes, .end = parts + n, .torn = (template->flags & HX_AST_TORN) != 0 };
  hx_frame *root = hx_frame_push(p, HX_FRAME_DIRECTIVE);
  root->node = template;
  root->tail = &template->u.kids.first;
  root->extra = NULL;
  for (const hx_part *part = parts; part < t.end; part++) {
    switch ((hx_part_kind)part->kind) {
      case HX_PART_TEXT: add_text(&t, part); break;
      case HX_PART_VALUE: add(&t, part->node); break;
      case HX_PART_IF:
      case HX_PART_FOR:
        if (!open_directive(&t, part)) return false;
        break;
      case HX_PART_ELSE:
      case HX_PART_ENDIF:
      case HX_PART_ENDFOR: end_directive(&t, part); break;
    }
  }
  while (p->nframes > t.base + 1) {
    const hx_part *opener = hx_frame_top(p)->extra;
    HX_ASSERT(opener); /* only the template's own frame lacks an opener */
    hx_str name = part_name((hx_part_kind)opener->kind), place = hx_source_place_text(p->cx, p->src, opener->start);
    fail_directive(&t, HX_D_SYNTAX_DIRECTIVE_UNCLOSED, end, hx_strf(p->cx, "%.*s on %.*s", HX_STR_ARG(name), HX_STR_ARG(place)));
  }
  p->nframes--;
  return true;
}
