/* references.c: walks a tree in source order and reports the names in it that aren't local names of enclosing loops. */
#include "vm/references.h"

#include "syntax/json.h"
#include "text/quote.h"
#include "text/source.h"
#include "value/number/number.h"
#include "vm/body_plan.h"

/* A walk over a tree in source order. The remaining work is on a separate stack. It has one entry for each node on the path down to
** the current one, and one for the siblings after it, so the memory depends on the depth of the tree, not on its width. */
typedef enum todo_kind {
  TODO_NODE,  /* visit n */
  TODO_CHAIN, /* visit n and the siblings after it */
  TODO_BODY,  /* like CHAIN, with the names of loop in scope from here on */
  TODO_ALONE, /* like BODY, but visits n only */
  TODO_ITEMS, /* n and its later siblings are items of a `dynamic` block; loop has the block's iterator */
  TODO_LEAVE, /* ends the innermost scope */
} todo_kind;

typedef struct walk_task {
  todo_kind kind;
  const hx_node *n;
  const hx_loop *loop;
} walk_task;

typedef struct walk {
  hx_cx *cx;
  const hx_source *src;
  hx_arena_mark mark;
  HX_VEC(walk_task) tasks;
  HX_VEC(const hx_loop *) scopes;
} walk;

static void later(walk *w, todo_kind kind, const hx_node *n, const hx_loop *loop) {
  *HX_VEC_PUSH(&w->cx->scratch, &w->tasks) = (walk_task){ kind, n, loop };
}

static void walk_begin(walk *w, hx_cx *cx, const hx_source *src, const hx_node *root) {
  *w = (walk){ .cx = cx, .src = src, .mark = hx_arena_get_mark(&cx->scratch) };
  later(w, TODO_NODE, root, NULL);
}

/* Returns true if the key is a plain word, which is the name of an attribute and not a reference. true, false and null count as words. */
static bool is_literal_key(const hx_node *key) {
  return !(key->flags & HX_AST_FORCED) && hx_node_word(key->u.kids.first).len != 0;
}

static bool is_named(const hx_node *item, const char *name) {
  return item->kind == HX_AST_ATTRIBUTE && hx_str_eq(*item->u.attr.name, hx_str_c(name));
}

/* Returns the body of a `dynamic` block of native syntax that names the generated blocks, otherwise NULL. In JSON syntax only a
** schema can identify this body. */
static const hx_node *dynamic_body(const hx_node *n) {
  if (n->kind != HX_AST_BLOCK || !hx_str_eq(n->u.block.head->type, HX_STR("dynamic"))) return NULL;
  const hx_node *label = n->u.block.first, *body = label && label->kind == HX_AST_LABEL ? label->next : NULL;
  return body && body->kind == HX_AST_BODY ? body : NULL;
}

static const hx_loop *iterator_of(walk *w, const hx_node *dynamic, const hx_node *body) {
  hx_loop *loop = hx_arena_alloc(&w->cx->scratch, sizeof *loop);
  *loop = (hx_loop){ .value = hx_node_text(dynamic->u.block.first) };
  for (const hx_node *n = body->u.kids.first; n; n = n->next) {
    if (!is_named(n, "iterator") || n->u.attr.first->kind != HX_AST_TRAVERSAL) continue;
    const hx_step *root = n->u.attr.first->u.trav.steps;
    loop->value = (hx_str){ root->text, root->len };
  }
  return loop;
}

/* Walks an expression of generated blocks, with the iterators as local names. */
static void walk_within(walk *w, const hx_node *n) {
  const hx_within_plan *plan = n->u.made.plan;
  for (const hx_bound_name *b = plan->names; b; b = b->outer) later(w, TODO_LEAVE, NULL, NULL);
  later(w, TODO_NODE, n->u.made.first, NULL);
  for (const hx_bound_name *b = plan->names; b; b = b->outer) {
    hx_loop *loop = hx_arena_alloc(&w->cx->scratch, sizeof *loop);
    *loop = (hx_loop){ .value = b->name };
    later(w, TODO_ALONE, NULL, loop);
  }
}

static void walk_into(walk *w, const hx_node *n) {
  const hx_node *first = hx_node_first(n), *items = dynamic_body(n);
  if (n->kind == HX_AST_WITHIN) {
    walk_within(w, n);
    return;
  }
  if (items) {
    later(w, TODO_ITEMS, items->u.kids.first, iterator_of(w, n, items));
    return;
  }
  if (!first || (n->kind == HX_AST_KEY && is_literal_key(n))) return;
  if (n->kind != HX_AST_FOR) {
    later(w, n->kind == HX_AST_RELATIVE ? TODO_NODE : TODO_CHAIN, first, NULL);
    return;
  }
  later(w, TODO_LEAVE, NULL, NULL);
  later(w, TODO_BODY, first->next, n->u.loop.names);
  later(w, TODO_NODE, first, NULL);
}

/* Walks an item of a `dynamic` block. The iterator is visible in labels and content, not in for_each. The value of `iterator` is a bare
** word, so it isn't walked. */
static void walk_item(walk *w, const walk_task *t) {
  if (!t->n) return;
  later(w, TODO_ITEMS, t->n->next, t->loop);
  if (is_named(t->n, "iterator")) return;
  if (is_named(t->n, "for_each")) {
    later(w, TODO_NODE, t->n, NULL);
    return;
  }
  later(w, TODO_LEAVE, NULL, NULL);
  later(w, TODO_ALONE, t->n, t->loop);
}

/* Returns the value of a string of JSON syntax: a template, or a FAULT if the template is malformed, which depends on nothing. Drops the
** diagnostics. */
static const hx_node *read_string(walk *w, const hx_node *string) {
  hx_diags_mark mark = hx_diags_get_mark(w->cx);
  const hx_node *n = hx_json_template(w->cx, w->src, string);
  hx_diags_rollback(w->cx, mark);
  return n;
}

/* Returns the next node. At the end it returns NULL, and releases the memory of the walk. */
static const hx_node *walk_next(walk *w) {
  while (w->tasks.n) {
    walk_task t = w->tasks.p[--w->tasks.n];
    if (t.kind == TODO_LEAVE) {
      w->scopes.n--;
      continue;
    }
    if (t.kind == TODO_ITEMS) {
      walk_item(w, &t);
      continue;
    }
    if (t.kind == TODO_BODY || t.kind == TODO_ALONE) *HX_VEC_PUSH(&w->cx->scratch, &w->scopes) = t.loop;
    if (!t.n) continue;
    if ((t.kind == TODO_CHAIN || t.kind == TODO_BODY) && t.n->next) later(w, TODO_CHAIN, t.n->next, NULL);
    const hx_node *n = t.n->flags & HX_AST_UNREAD ? read_string(w, t.n) : t.n;
    walk_into(w, n);
    return n;
  }
  hx_arena_release(&w->cx->scratch, w->mark);
  return NULL;
}

static bool is_local(const walk *w, hx_str name) {
  bool found = false;
  uint32_t i = w->scopes.n;
  while (i > 0 && !found) {
    const hx_loop *loop = w->scopes.p[--i];
    found = hx_str_eq(loop->value, name) || (loop->key.len && hx_str_eq(loop->key, name));
  }
  hx_charge_steps(w->cx, (w->scopes.n - i) / HX_LOOPS_A_STEP);
  return found;
}

void hx_references_of(hx_cx *cx, const hx_source *src, const hx_node *root, hx_references *out) {
  walk w;
  walk_begin(&w, cx, src, root);
  for (const hx_node *n = walk_next(&w); n; n = walk_next(&w)) {
    if (n->kind != HX_AST_TRAVERSAL) continue;
    const hx_step *steps = n->u.trav.steps;
    if (is_local(&w, (hx_str){ steps[0].text, steps[0].len })) continue;
    hx_range range = { steps[0].start, steps[n->count - 1].stop };
    *HX_VEC_PUSH(&cx->arena, out) = (hx_reference){ steps, n->count, range };
  }
}

/* An index with more digits is written with an exponent. */
#define INDEX_DIGITS 40u

static void write_step(hx_cx *cx, hx_buf *b, const hx_step *step) {
  hx_str text = { step->text, step->len };
  switch ((hx_step_kind)step->kind) {
    case HX_STEP_ROOT: hx_buf_str(b, text); return;
    case HX_STEP_ATTR:
      hx_buf_put(b, '.');
      hx_buf_str(b, text);
      return;
    case HX_STEP_KEY:
      hx_buf_put(b, '[');
      hx_quote_json(b, text, false);
      hx_buf_put(b, ']');
      return;
    case HX_STEP_INDEX: {
      hx_val number = hx_num_parse(cx, text);
      hx_buf_put(b, '[');
      hx_num_show(cx, b, &number, INDEX_DIGITS);
      hx_buf_put(b, ']');
      return;
    }
    case HX_STEP_CONST: hx_buf_c(b, "[?]"); return; /* no element has such a key: evaluation reports it */
  }
}

hx_str hx_reference_path(hx_cx *cx, const hx_reference *r) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 32);
  for (uint32_t i = 0; i < r->n; i++) write_step(cx, &b, &r->steps[i]);
  return hx_buf_done(&b);
}

/* Functions */

/* Returns the end of the comment that starts at p, or p if no comment does. */
static const char *skip_comment(const char *p, const char *end) {
  bool line = *p == '#' || (end - p > 1 && memcmp(p, "//", 2) == 0);
  if (line) {
    while (p < end && *p != '\n') p++;
    return p;
  }
  if (end - p < 2 || p[0] != '/' || p[1] != '*') return p;
  for (p += 2; p < end; p++)
    if (p[0] == '*' && end - p > 1 && p[1] == '/') return p + 2;
  return end;
}

hx_str hx_call_name(hx_cx *cx, const struct hx_source *src, const hx_node *call) {
  hx_str text = { src->text.p + call->start, call->u.call.name_stop - call->start };
  bool plain = true;
  for (uint32_t i = 0; i < text.len && plain; i++) plain = !strchr(" \t\r\n#/", text.p[i]);
  if (plain) return text;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, text.len);
  const char *end = text.p + text.len;
  for (const char *p = text.p; p < end;) {
    const char *after = skip_comment(p, end);
    if (after == p) {
      if (!strchr(" \t\r\n", *p)) hx_buf_put(&b, *p);
      after++;
    }
    p = after;
  }
  return hx_buf_done(&b);
}

void hx_functions_of(hx_cx *cx, const struct hx_source *src, const hx_node *root, hx_function_uses *out) {
  walk w;
  walk_begin(&w, cx, src, root);
  for (const hx_node *n = walk_next(&w); n; n = walk_next(&w)) {
    if (n->kind != HX_AST_CALL) continue;
    hx_range range = { n->start, n->u.call.name_stop };
    uint32_t nargs = 0;
    for (const hx_node *arg = hx_node_first(n); arg; arg = arg->next) nargs++;
    if (n->flags & HX_AST_TORN) nargs = UINT32_MAX;
    *HX_VEC_PUSH(&cx->arena, out) = (hx_function_use){ hx_call_name(cx, src, n), range, nargs, (n->flags & HX_AST_EXPAND) != 0 };
  }
}
