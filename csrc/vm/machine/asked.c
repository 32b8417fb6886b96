/* asked.c: resolves names with computed keys, which a lookup answers. */
#include "vm/machine/asked.h"

#include "value/marks.h"
#include "vm/access.h"

static hx_val asked(hx_machine *m, const hx_asked *a) {
  hx_charge_memory(&m->cx, 16);
  return (hx_val){ .tag = HX_T_FOREIGN, .len = 1, .u.asked = a };
}

hx_val hx_asked_name(hx_machine *m, const hx_path *path) {
  hx_asked *a = HX_NEW(&m->cx, hx_asked);
  *a = (hx_asked){ .path = path, .node = hx_machine_node(m), .key = hx_none(), .links = 1, .steps = path->n };
  return asked(m, a);
}

/* The question */

typedef struct question {
  const hx_asked **links; /* from the name to the last key */
  uint32_t nlinks, total; /* total: number of steps of all links */
  hx_path *path;          /* the steps before the first step that a lookup can't take */
  hx_step *written;       /* the same steps as a source would write them, after the name */
  const hx_val *stop;     /* the computed key that a lookup can't take; NULL: none, or a constant */
} question;

static hx_str digits(hx_cx *cx, int64_t n) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 24);
  hx_buf_int(&b, n);
  return hx_buf_done(&b);
}

/* Converts a computed key to a step. Returns false if no lookup can take this key. */
static bool key_step(hx_machine *m, const hx_val *key, hx_path_step *step, hx_step *written) {
  const hx_val *bare = hx_unmarked(key);
  hx_str text;
  if (bare->tag == HX_T_STR) {
    text = hx_val_str(bare);
    *step = (hx_path_step){ .kind = HX_STEP_KEY, .name = text };
  } else if (hx_is_number(bare) && hx_num_to_int(bare, &step->index)) {
    *step = (hx_path_step){ .kind = HX_STEP_INDEX, .index = step->index };
    text = digits(&m->cx, step->index);
  } else {
    return false;
  }
  *written = (hx_step){ .text = text.p, .len = text.len, .kind = step->kind };
  return true;
}

static bool constant_step(const hx_step *s, hx_path_step *step, hx_step *written) {
  *written = *s;
  *step = (hx_path_step){ .kind = s->kind };
  if (s->kind == HX_STEP_INDEX) return hx_step_number(s, &step->index);
  step->name = (hx_str){ s->text, s->len };
  return s->kind != HX_STEP_CONST;
}

/* Adds the steps of a link to the question. Returns false if a lookup can't take one of them: the question ends there. */
static bool add_link(hx_machine *m, question *q, const hx_asked *link) {
  hx_path *p = q->path;
  if (link->key.tag != HX_T_NONE) {
    if (!key_step(m, &link->key, &p->steps[p->n], &q->written[p->n])) {
      q->stop = &link->key;
      return false;
    }
    p->secret = p->secret || link->key.tag == HX_T_MARKED;
    p->n++;
    return true;
  }
  const hx_step *steps = link->node->u.trav.steps + (link->before ? 0 : 1);
  uint32_t n = link->before ? link->node->count : link->path->n;
  for (uint32_t i = 0; i < n; i++, p->n++)
    if (!constant_step(&steps[i], &p->steps[p->n], &q->written[p->n])) return false;
  return true;
}

static void make_question(hx_machine *m, const hx_asked *last, question *q) {
  hx_cx *cx = &m->cx;
  const hx_node *name = last->node; /* ends as the node of the first link */
  hx_node *node = HX_NEW(cx, hx_node);
  hx_step *written = HX_NEW_ARRAY(cx, hx_step, last->steps + 1);
  hx_charge_steps(cx, last->steps >> 4);
  hx_charge_memory(cx, 16 * ((uint64_t)last->steps + last->links));
  *q = (question){ .nlinks = last->links, .total = last->steps, .written = written + 1 };
  q->links = HX_NEW_ARRAY(cx, const hx_asked *, last->links);
  for (const hx_asked *a = last; a; a = a->before) {
    q->links[a->links - 1] = a;
    name = a->node;
  }
  q->path = HX_NEW(cx, hx_path);
  *q->path = (hx_path){ .root = last->path->root, .root_anchor = last->path->root_anchor, .secret = cx->secret, .node = node };
  q->path->steps = HX_NEW_ARRAY(cx, hx_path_step, last->steps);
  q->path->range = (hx_range){ name->start, last->node->stop };
  for (uint32_t i = 0; i < q->nlinks && add_link(m, q, q->links[i]);) i++;
  written[0] = name->u.trav.steps[0];
  *node = (hx_node){ .kind = HX_AST_TRAVERSAL, .start = name->start, .stop = last->node->stop, .count = q->path->n + 1 };
  node->u.trav.steps = written;
}

/* The answer */

/* Returns the marks of the computed keys among the first n steps. */
static const hx_marks *marks_of(hx_machine *m, const question *q, uint32_t n) {
  const hx_marks *marks = NULL;
  for (uint32_t i = 0; i < q->nlinks && q->links[i]->steps <= n; i++)
    if (q->links[i]->key.tag == HX_T_MARKED) marks = hx_marks_join(&m->cx, marks, hx_marks_get(&q->links[i]->key));
  return marks;
}

/* Follows all steps from *v, the lookup's answer for the first `at` steps, and sets *v to the result. */
static hx_answer follow_links(hx_machine *m, const question *q, uint32_t at, hx_want want, hx_val *v) {
  for (uint32_t i = 0; i < q->nlinks; i++) {
    const hx_asked *link = q->links[i];
    uint32_t before = link->before ? link->before->steps : 0, from = at > before ? at - before : 0;
    uint32_t errors = m->cx.diags.errors;
    hx_want wanted = i + 1 == q->nlinks ? want : HX_WANT_OPEN;
    hx_answer a;
    if (link->steps <= at) continue;
    if (link->key.tag != HX_T_NONE) a = hx_follow_index(m, link->node, &link->key, wanted, v);
    else if (!link->before) a = hx_follow_steps(m, link->node, from + 1, link->path->n + 1, wanted, v);
    else a = hx_follow_steps(m, link->node, from, link->node->count, wanted, v);
    if (a != HX_ANSWER_OK || m->cx.diags.errors != errors) return a == HX_ANSWER_WAIT ? a : HX_ANSWER_FAILED;
  }
  return HX_ANSWER_OK;
}

/* Returns true if an enclosing loop runs over unknown elements (hx_loop_state), so that the lookup need not be asked. */
static bool is_trial(const hx_machine *m) {
  for (const hx_loop_frame *f = m->loop; f; f = f->outer)
    if (f->state != HX_LOOP_RUN) return true;
  return false;
}

/* Asks the lookup, with the keys before the first that it can't take. If that key is unknown or null, and the lookup has no such name or
** isn't asked, the value is unknown. */
static hx_answer ask(hx_machine *m, const question *q, hx_val *v, uint32_t *at) {
  bool open = q->stop && (hx_is_unknown(hx_unmarked(q->stop)) || hx_is_null(hx_unmarked(q->stop)));
  hx_answer a = HX_ANSWER_ABSENT;
  if (!open || !is_trial(m)) a = m->host->path(m->host, &m->cx, q->path, HX_WANT_OPEN, v, at);
  if (a != HX_ANSWER_ABSENT) return a;
  *v = hx_unknown_dynamic;
  *at = q->path->n;
  if (open) return HX_ANSWER_OK;
  hx_report_unknown_name(m, q->path, q->path->node);
  return HX_ANSWER_FAILED;
}

static hx_answer answer_of(hx_machine *m, const hx_asked *last, hx_want want, hx_val *v) {
  question q;
  uint32_t at = 0;
  make_question(m, last, &q);
  hx_answer a = ask(m, &q, v, &at);
  if (a != HX_ANSWER_OK) return a;
  const hx_marks *marks = marks_of(m, &q, at);
  if (marks || (at == q.total && !hx_is_open_want(want))) a = hx_machine_whole(m, v);
  if (a == HX_ANSWER_OK && marks) *v = hx_mark(&m->cx, *v, marks);
  return a == HX_ANSWER_OK ? follow_links(m, &q, at, want, v) : a;
}

hx_answer hx_asked_go_on(hx_machine *m, hx_val *v, const hx_val *key, hx_want want) {
  const hx_asked *before = v->u.asked;
  hx_asked *a = HX_NEW(&m->cx, hx_asked);
  *a = (hx_asked){ .before = before, .path = before->path, .node = hx_machine_node(m), .key = key ? *key : hx_none() };
  a->links = before->links + 1;
  a->steps = before->steps + (key ? 1 : a->node->count);
  if (want != HX_WANT_PART) return answer_of(m, a, want, v);
  *v = asked(m, a);
  return HX_ANSWER_OK;
}
