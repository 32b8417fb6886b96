/* path.c: evaluates named values, columns of loops, steps on values, and indexes. */
#include "vm/machine/parts.h"

#include "text/suggest.h"
#include "text/unicode.h"
#include "value/marks.h"
#include "value/render.h"
#include "vm/access.h"
#include "vm/body_plan.h"
#include "vm/machine/asked.h"
#include "vm/machine/fast.h"
#include "vm/outline.h"

/* As in machine.c: a host has just written the answer, in two halves. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

hx_answer hx_machine_whole(hx_machine *m, hx_val *v) {
  if (v->tag != HX_T_FOREIGN) return HX_ANSWER_OK;
  hx_val out = hx_unknown_dynamic;
  hx_answer a = m->host->whole(m->host, &m->cx, v, &out);
  if (a == HX_ANSWER_WAIT) return a;
  *v = a == HX_ANSWER_OK ? out : hx_unknown_dynamic;
  return a;
}

/* Returns true if the outline that the host gave suffices. If not, the elements are needed after all. */
static bool outline_will_do(const hx_machine *m, hx_want want) {
  return want == HX_WANT_SCALAR || m->plain;
}

/* Follows steps [at, n) of a traversal. */
static hx_val take_steps(hx_machine *m, hx_val v, const hx_step *steps, uint32_t at, uint32_t n) {
  return at < n ? hx_get_steps(&m->cx, v, steps, at, n, m->program->source) : v;
}

/* Absent values */

/* Returns the source text of the value that was read, or other words if the text is long or has several lines. */
static hx_str read_text(const hx_machine *m, const hx_node *node) {
  hx_range r = hx_node_range(node);
  hx_str text = { m->program->source->text.p + r.start, r.stop - r.start };
  return text.len > 80 || memchr(text.p, '\n', text.len) ? HX_STR("What is read here") : text;
}

/* Returns the name that attributes and indexes are read from, or "" if they are read from another expression. */
static hx_str read_name(const hx_node *node) {
  while (node->kind == HX_AST_RELATIVE || node->kind == HX_AST_INDEX || node->kind == HX_AST_PARENS) node = hx_node_first(node);
  if (node->kind != HX_AST_TRAVERSAL) return HX_STR("");
  return hx_str_of(node->u.trav.steps->text, node->u.trav.steps->len);
}

static hx_val absent(hx_machine *m, const hx_val *v) {
  const hx_node *node = hx_machine_node(m);
  if (m->host->absent == HX_ABSENT_UNKNOWN)
    return hx_mark(&m->cx, hx_unknown(&m->cx, hx_val_type(&m->cx, hx_unmarked(v))), hx_marks_get(v));
  hx_str text = read_text(m, node);
  hx_diag_add(&m->cx, HX_D_REFERENCE_ABSENT, m->program->source, hx_node_range(node), HX_STR_ARG(text))->name = read_name(node);
  return hx_unknown_dynamic;
}

/* Returns v, which was read by a name, an attribute, a key or an index. If v is null, the scope's `absent` decides the result. */
HX_INLINE hx_val had(hx_machine *m, hx_val v) {
  return HX_LIKELY(m->host->absent == HX_ABSENT_NULL) || !hx_is_null(hx_unmarked(&v)) ? v : absent(m, &v);
}

/* Adds the names of the current loop and of enclosing loops to *names. */
static void add_loop_names(hx_machine *m, const hx_str **names, uint32_t *n) {
  HX_VEC(hx_str) all = { NULL, 0, 0 };
  for (uint32_t i = 0; i < *n; i++) *HX_VEC_PUSH(&m->cx.arena, &all) = (*names)[i];
  for (const hx_loop_frame *f = m->loop; f; f = f->outer) {
    const hx_node *node = f->plan->node;
    const hx_loop *loop = NULL;
    if (node->kind == HX_AST_FOR) loop = node->u.loop.names;
    else if (node->kind == HX_AST_EACH) loop = &((const hx_each_plan *)node->u.made.plan)->names;
    if (!loop) continue;
    *HX_VEC_PUSH(&m->cx.arena, &all) = loop->value;
    if (loop->key.len) *HX_VEC_PUSH(&m->cx.arena, &all) = loop->key;
  }
  *names = all.p;
  *n = all.n;
}

/* Hints for constants of other languages. */
static const hx_word_note foreign_words[] = {
  { { "nil", 3 }, " For \"nil\" write null." },
  { { "NULL", 4 }, " It is written in lower case: null." },
  { { "Null", 4 }, " It is written in lower case: null." },
  { { "None", 4 }, " For \"None\" write null." },
  { { "undefined", 9 }, " For \"undefined\" write null." },
  { { "True", 4 }, " It is written in lower case: true." },
  { { "TRUE", 4 }, " It is written in lower case: true." },
  { { "False", 5 }, " It is written in lower case: false." },
  { { "FALSE", 5 }, " It is written in lower case: false." },
};

/* Returns a hint about what an unknown name may have meant: a word of another language, or a string with dots or hyphens, such as
** t2.micro. */
static hx_str meant(hx_machine *m, const hx_node *node) {
  const hx_step *steps = node->u.trav.steps;
  hx_str root = { steps[0].text, steps[0].len };
  uint32_t len = steps[node->count - 1].stop - node->start;
  hx_str note = hx_word_note_of(foreign_words, sizeof foreign_words / sizeof *foreign_words, root);
  if (node->count == 1 && note.len) return note;
  for (uint32_t i = 1; i < node->count; i++)
    if (steps[i].kind != HX_STEP_ATTR && steps[i].kind != HX_STEP_INDEX) return HX_STR("");
  const char *text = m->program->source->text.p + node->start;
  if (len > 40 || memchr(text, '[', len) || (node->count == 1 && !memchr(text, '-', len))) return HX_STR("");
  return hx_say(&m->cx, " If this is text, quote it: \"%.*s\".", (int)len, text);
}

/* Reports an unknown name at `node`, which need not be path->node, since nodes share paths. */
void hx_report_unknown_name(hx_machine *m, const hx_path *path, const hx_node *node) {
  const hx_step *root = &node->u.trav.steps[0];
  hx_host *h = m->host;
  const hx_str *names = NULL;
  uint32_t n = 0;
  hx_str note = HX_STR("");
  bool hints = !hx_is_silent(&m->cx);
  if (h->names && hints) note = h->names(h, &m->cx, false, path->root, &names, &n);
  if (m->loop && hints) add_loop_names(m, &names, &n);
  if (hints && !note.len) note = meant(m, node);
  else if (hints && hx_did_you_mean(&m->cx, path->root, names, n).len) note = HX_STR("");
  hx_report_missing(&m->cx, HX_D_REFERENCE_UNKNOWN, m->program->source, hx_range_of(root->start, root->stop), path->root, names, n,
                    note);
}

/* Returns a traversal as written, with its steps from 0 to `last`. */
static hx_str text_until(const hx_machine *m, const hx_node *node, uint32_t last) {
  return (hx_str){ m->program->source->text.p + node->start, node->u.trav.steps[last].stop - node->start };
}

/* Adds to a diagnostic the value to which the failing step is applied, such as: `var.a` is 5. An object or map needs no such note. */
static void explain_step(hx_machine *m, hx_diag *d, const hx_node *node, hx_val v, uint32_t at) {
  const hx_step *steps = node->u.trav.steps;
  uint32_t fails = at + 1;
  while (fails < node->count && steps[fails].start < d->subject.start) fails++;
  if (fails == node->count || steps[fails].start != d->subject.start) return;
  if (fails > at + 1) v = hx_get_steps(&m->cx, v, steps, at + 1, fails, m->program->source);
  if (hx_is_obj(hx_unmarked(&v))) return;
  hx_str path = text_until(m, node, fails - 1);
  hx_diag_add_value(&m->cx, d, path, hx_render_short(&m->cx, &v));
}

/* Returns the diagnostic added after the first `kept` ones, or NULL if none was added or it isn't shown. */
static hx_diag *listed_since(const hx_machine *m, uint32_t kept) {
  return m->cx.diags.kept == kept ? NULL : m->cx.diags.last;
}

/* Adds the host's note to d, if d isn't NULL and is about a key of FOREIGN data. */
static void note_foreign(hx_machine *m, const hx_val *foreign, hx_diag *d) {
  if (!d || foreign->tag != HX_T_FOREIGN || !m->host->foreign_note) return;
  hx_str note = m->host->foreign_note(m->host, foreign);
  if (note.len) d->detail = hx_say(&m->cx, "%.*s%.*s", HX_STR_ARG(d->detail), HX_STR_ARG(note));
}

/* Follows the steps of a path that the host could not follow, from the value v on. They meet an error, an unknown, a mark or a
** null. foreign: the host's value from which v was made. */
static hx_val finish_path(hx_machine *m, const hx_path *path, const hx_node *node, const hx_val *foreign, hx_val v, uint32_t at) {
  uint32_t kept = m->cx.diags.kept;
  hx_val from = v;
  v = take_steps(m, v, node->u.trav.steps, at + 1, path->n + 1);
  hx_diag *d = listed_since(m, kept);
  if (!d) return v;
  explain_step(m, d, node, from, at);
  note_foreign(m, foreign, d);
  return v;
}

/* Returns true if a name is its own normal form, and the normal form of no other name. Otherwise a name that isn't found may exist
** in another form. The only ASCII letter that is the normal form of another character is K, of the Kelvin sign. */
static bool has_one_form(hx_str name) {
  return hx_is_ascii(name) && !(name.len && memchr(name.p, 'K', name.len));
}

/* Outlines. If a step finds nothing in a host's table, the message needs only the table's keys or its number of elements, and nothing at
** all if the message isn't shown. The contents, which may be large or have mistakes themselves, aren't converted. */

/* Makes an object with these distinct keys, whose values are all unknown. */
static hx_val outline_of_object(hx_machine *m, const hx_str *keys, uint32_t n) {
  hx_charge_memory(&m->cx, 16 * (uint64_t)n);
  hx_val *v = HX_NEW_ARRAY(&m->cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) v[i] = hx_unknown_dynamic;
  return hx_object(&m->cx, hx_shape_new(&m->cx, keys, n), v);
}

/* Replaces *v by an outline. Returns ABSENT if an outline doesn't suffice, for instance for a hole in a sequence, or for a name
** that may exist in its normal form. */
static hx_answer take_outline(hx_machine *m, hx_val *v, const hx_path_step *step) {
  hx_host *h = m->host;
  hx_kind kind;
  uint32_t n;
  const hx_str *keys;
  if (v->tag != HX_T_FOREIGN || h->shape(h, &m->cx, v, &kind, NULL, NULL) != HX_ANSWER_OK) return HX_ANSWER_ABSENT;
  if ((kind == HX_K_TUPLE) != (step->kind == HX_STEP_INDEX)) return HX_ANSWER_ABSENT;
  if (kind == HX_K_OBJECT && !hx_is_ascii(step->name)) return HX_ANSWER_ABSENT;
  if (step->kind == HX_STEP_ATTR && hx_is_silent(&m->cx) && has_one_form(step->name)) {
    *v = hx_outline_object();
    return HX_ANSWER_OK;
  }
  if (h->shape(h, &m->cx, v, &kind, &n, &keys) != HX_ANSWER_OK) return HX_ANSWER_FAILED;
  if (kind == HX_K_TUPLE && step->index < n) return HX_ANSWER_ABSENT;
  hx_val out = kind == HX_K_TUPLE ? hx_outline_tuple(n) : outline_of_object(m, keys, n);
  if (kind == HX_K_OBJECT && hx_plain_step(&out, step)) return HX_ANSWER_ABSENT;
  *v = out;
  return HX_ANSWER_OK;
}

/* Replaces *v, which may be FOREIGN, by a value to continue from, after a step that the host did not find. */
static hx_answer take_view(hx_machine *m, hx_val *v, const hx_path_step *step) {
  hx_answer a = take_outline(m, v, step);
  if (a == HX_ANSWER_ABSENT) return hx_machine_whole(m, v);
  if (a == HX_ANSWER_FAILED) *v = hx_unknown_dynamic;
  return a;
}

const hx_val *hx_path_known(const hx_machine *m, uint32_t path) {
  const hx_path_cache *bound = &m->program->path_caches[path];
  if (m->path_values && m->path_values[path].tag != HX_T_NONE) return &m->path_values[path];
  return m->host->serial != 0 && bound->serial == m->host->serial ? &bound->value : NULL;
}

/* Stores the answer of a path. If all values are bound, the room for answers is only made when the first is stored. */
HX_INLINE void remember(hx_machine *m, uint32_t path, const hx_val *v) {
  if (HX_UNLIKELY(!m->path_values)) hx_machine_take_path_values(m);
  hx_fast_copy(&m->path_values[path], v);
}

/* Continues a path that the host did not follow to its end. */
static hx_went rest_of_path(hx_machine *m, const hx_instr *in, hx_answer answer, uint32_t at) {
  const hx_path *path = &m->program->paths[in->b];
  if (answer == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (answer == HX_ANSWER_ABSENT) hx_report_unknown_name(m, path, hx_machine_node(m));
  if (answer != HX_ANSWER_OK) {
    hx_machine_put(m, 0, hx_unknown_dynamic);
    return HX_WENT_ON;
  }
  hx_val v = *m->top, found = v;
  answer = take_view(m, &v, &path->steps[at]);
  if (answer == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (answer == HX_ANSWER_OK) v = finish_path(m, path, hx_machine_node(m), &found, v, at);
  v = had(m, v);
  /* A failure isn't stored, so each evaluation of the path reports it. */
  if (m->cx.diags.errors == m->nerrors) remember(m, in->b, &v);
  hx_machine_put(m, 0, v);
  return HX_WENT_ON;
}

hx_went hx_slow_path(hx_machine *m, const hx_instr *in) {
  const hx_path *path = &m->program->paths[in->b];
  hx_path_cache *bound = &m->program->path_caches[in->b];
  uint32_t at = 0;
  hx_answer answer = m->host->path(m->host, &m->cx, path, in->a ? HX_WANT_PART : (hx_want)path->want, m->top, &at);
  if (HX_UNLIKELY(answer == HX_ANSWER_LATER)) {
    hx_machine_put(m, 0, hx_asked_name(m, path));
    return HX_WENT_ON;
  }
  if (HX_UNLIKELY(answer == HX_ANSWER_OUTLINE)) {
    answer = HX_ANSWER_OK;
    if (!outline_will_do(m, (hx_want)path->want)) answer = m->host->path(m->host, &m->cx, path, HX_WANT_WHOLE, m->top, &at);
  }
  if (HX_UNLIKELY(answer != HX_ANSWER_OK || at < path->n)) return rest_of_path(m, in, answer, at);
  if (HX_UNLIKELY(m->host->absent != HX_ABSENT_NULL)) {
    *m->top = had(m, *m->top);
    if (m->cx.diags.errors != m->nerrors) {
      m->top++;
      return HX_WENT_ON;
    }
  }
  if (m->host->serial) {
    bound->serial = m->host->serial;
    bound->value = *m->top;
  }
  remember(m, in->b, m->top);
  m->top++;
  return HX_WENT_ON;
}

/* Columns */

/* Returns the steps of the column in the source of this instruction. Diagnostics need their ranges. */
static const hx_step *column_steps(const hx_machine *m, const hx_loop_frame *f) {
  const hx_node *n = hx_machine_node(m);
  if (n->kind == HX_AST_RELATIVE) return n->u.trav.steps;
  if (n->kind != HX_AST_TRAVERSAL) return NULL;
  return n->u.trav.steps + (f->plan->kind == HX_LOOP_EACH ? 2 : 1); /* skips the name, and `.value` of an iterator */
}

static hx_val walk_column(hx_machine *m, hx_loop_frame *f, uint32_t index) {
  const hx_column *column = &f->plan->columns.p[index];
  const hx_val *v = f->item;
  for (uint32_t i = 0; i < column->n && v; i++) v = hx_plain_step(v, &column->steps[i]);
  if (!v) return take_steps(m, *f->item, column_steps(m, f), 0, column->n);
  if (column->n == 1 && f->item->tag == HX_T_OBJECT && m->host->absent == HX_ABSENT_NULL)
    f->cache[index] = (hx_column_cache){ f->item->u.obj->shape, (uint32_t)(v - f->item->u.obj->v) };
  return *v;
}

/* Follows the rest of a column's steps from the host's answer. Returns WAIT if the host must ask Lua first. */
static hx_answer rest_of_column(hx_machine *m, hx_loop_frame *f, const hx_column *column, uint32_t at, hx_val *v) {
  const hx_step *steps = column_steps(m, f);
  hx_val found = *v;
  uint32_t kept = m->cx.diags.kept;
  hx_answer a = take_view(m, v, &column->steps[at]);
  if (a != HX_ANSWER_OK) return a;
  *v = take_steps(m, *v, steps, at, column->n);
  note_foreign(m, &found, listed_since(m, kept));
  return a;
}

hx_went hx_slow_column(hx_machine *m, const hx_instr *in) {
  hx_loop_frame *f = &m->loops[in->b];
  const hx_column *column = &f->plan->columns.p[in->a];
  if (f->item) {
    hx_val v = walk_column(m, f, in->a);
    hx_machine_put(m, 0, column->n ? had(m, v) : v);
    return HX_WENT_ON;
  }
  hx_val v = hx_unknown_dynamic;
  uint32_t at = 0, before = m->cx.diags.errors;
  hx_answer a = m->host->cell(m->host, &m->cx, &f->collection, f->keys, f->i, column, &v, &at);
  if (a == HX_ANSWER_OUTLINE) {
    hx_column whole = { column->steps, column->n, HX_WANT_WHOLE };
    a = HX_ANSWER_OK;
    if (!outline_will_do(m, (hx_want)column->want))
      a = m->host->cell(m->host, &m->cx, &f->collection, f->keys, f->i, &whole, &v, &at);
  }
  if (a == HX_ANSWER_OK && at < column->n) a = rest_of_column(m, f, column, at, &v);
  if (a == HX_ANSWER_WAIT) return HX_WENT_WAIT;
  if (a != HX_ANSWER_OK) v = hx_unknown_dynamic;
  if (column->n) v = had(m, v);
  if (m->cx.diags.errors == before) f->cells[in->a * HX_ROWS + f->i % HX_ROWS] = v;
  hx_machine_put(m, 0, v);
  return HX_WENT_ON;
}

hx_went hx_slow_loop_key(hx_machine *m, const hx_instr *in) {
  const hx_loop_frame *f = &m->loops[in->b];
  hx_val key = hx_unknown_dynamic;
  if (f->state == HX_LOOP_RUN) {
    if (f->is_set) key = *f->item;
    else if (f->keys) key = hx_string(f->keys[f->order ? f->order[f->i] : f->i]);
    else key = hx_int_prec((int64_t)f->i, 64);
  } else if (f->state == HX_LOOP_CHECK) {
    key = hx_check_loop_key(m, f);
  }
  hx_machine_put(m, 0, key);
  return HX_WENT_ON;
}

/* Steps and indexes */

/* Converts the key of a step to the form that hosts take. Returns false if hosts can't take it. */
static bool host_key(const hx_step *s, hx_val *key) {
  int64_t n;
  if (s->kind == HX_STEP_ATTR || s->kind == HX_STEP_KEY) {
    *key = hx_string((hx_str){ s->text, s->len });
    return true;
  }
  if (s->kind != HX_STEP_INDEX || !hx_step_number(s, &n)) return false;
  *key = hx_int(n);
  return true;
}

/* Reads an element of FOREIGN data. */
static hx_answer foreign_element(hx_machine *m, const hx_val *v, const hx_val *key, hx_want want, hx_val *out, bool *found) {
  hx_answer a = m->host->index(m->host, &m->cx, v, key, want, out, found);
  if (a != HX_ANSWER_OUTLINE) return a;
  if (outline_will_do(m, want)) return HX_ANSWER_OK;
  return m->host->index(m->host, &m->cx, v, key, HX_WANT_WHOLE, out, found);
}

/* Follows steps on FOREIGN data, until the host lacks an element or gives a value that isn't FOREIGN. */
static hx_answer foreign_steps(hx_machine *m, const hx_step *steps, uint32_t n, hx_want want, hx_val *v, uint32_t *at) {
  while (v->tag == HX_T_FOREIGN && *at < n) {
    hx_val key, out = hx_unknown_dynamic;
    bool found = false;
    if (!host_key(&steps[*at], &key)) return HX_ANSWER_OK;
    hx_answer a = foreign_element(m, v, &key, *at + 1 == n ? want : HX_WANT_OPEN, &out, &found);
    if (a != HX_ANSWER_OK || !found) return a;
    *v = out;
    ++*at;
  }
  return HX_ANSWER_OK;
}

/* Returns true if the traversal has ended with an error. reference: a named value, or the item of a splat, and its constant steps
** are one traversal, which ends at its first error. */
static bool has_ended(const hx_machine *m, const hx_node *node) {
  return hx_operands_failed(m) && (node->kind == HX_AST_TRAVERSAL || node->u.trav.source->kind == HX_AST_ITEM);
}

HX_INLINE hx_answer follow_steps(hx_machine *m, const hx_node *node, uint32_t at, uint32_t n, hx_want want, hx_val *v) {
  const hx_step *steps = node->u.trav.steps;
  uint32_t kept = m->cx.diags.kept;
  hx_val from = *v;
  if (v->tag == HX_T_FOREIGN) {
    hx_answer a = foreign_steps(m, steps, n, want, v, &at);
    from = *v;
    if (a == HX_ANSWER_OK && (at < n || !hx_is_open_want(want))) a = hx_machine_whole(m, v);
    if (a != HX_ANSWER_OK) return a;
  }
  *v = take_steps(m, *v, steps, at, n);
  note_foreign(m, &from, listed_since(m, kept));
  *v = had(m, *v);
  return HX_ANSWER_OK;
}

hx_answer hx_follow_steps(hx_machine *m, const hx_node *node, uint32_t at, uint32_t n, hx_want want, hx_val *v) {
  return follow_steps(m, node, at, n, want, v);
}

/* Replaces the top `takes` values on the stack by the result of an instruction, unless it must wait. */
HX_INLINE hx_went put_answer(hx_machine *m, uint32_t takes, hx_answer a, const hx_val *v) {
  if (HX_UNLIKELY(a == HX_ANSWER_WAIT)) return HX_WENT_WAIT;
  hx_machine_put(m, takes, HX_LIKELY(a == HX_ANSWER_OK) ? *v : hx_unknown_dynamic);
  return HX_WENT_ON;
}

/* Continues the asked value v with a key, which is above v on the stack, or with the node's steps if key is NULL. Puts the result
** on the stack. */
static hx_went go_on_asked(hx_machine *m, const hx_instr *in, hx_val v, const hx_val *key) {
  hx_answer a = hx_asked_go_on(m, &v, key, (hx_want)in->a);
  if (a == HX_ANSWER_OK) v = had(m, v);
  return put_answer(m, key ? 2 : 1, a, &v);
}

hx_went hx_slow_steps(hx_machine *m, const hx_instr *in) {
  const hx_node *node = hx_machine_node(m);
  if (has_ended(m, node)) return HX_WENT_ON;
  hx_val v = m->top[-1];
  if (HX_UNLIKELY(hx_is_asked(&v))) return go_on_asked(m, in, v, NULL);
  hx_answer a = follow_steps(m, node, in->b, node->count, (hx_want)in->a, &v);
  return put_answer(m, 1, a, &v);
}

/* Sets *v to (*v)[key]. Nothing may wait after this, because an instruction that is executed again needs the old *v. from: the
** value from which *v was made. */
HX_INLINE hx_answer index_value(hx_machine *m, const hx_node *node, const hx_val *key, const hx_val *from, hx_val *v) {
  uint32_t kept = m->cx.diags.kept;
  *v = had(m, hx_get_index(&m->cx, v, key, m->program->source, node->u.kids.mark));
  note_foreign(m, from, listed_since(m, kept));
  return HX_ANSWER_OK;
}

HX_INLINE hx_answer index_foreign(hx_machine *m, const hx_node *node, const hx_val *key, hx_want want, hx_val *v) {
  hx_val out = hx_unknown_dynamic, from = *v;
  hx_answer a = HX_ANSWER_OK;
  bool found = false;
  if (key->tag == HX_T_INT || key->tag == HX_T_STR) a = foreign_element(m, v, key, want, &out, &found);
  if (HX_LIKELY(a == HX_ANSWER_OK && found)) {
    *v = had(m, out);
    return a;
  }
  if (a == HX_ANSWER_OK) a = hx_machine_whole(m, v);
  return a == HX_ANSWER_OK ? index_value(m, node, key, &from, v) : a;
}

HX_INLINE hx_answer follow_index(hx_machine *m, const hx_node *node, const hx_val *key, hx_want want, hx_val *v) {
  if (key->tag == HX_T_STR) hx_charge_steps(&m->cx, key->len >> 6); /* the comparison reads the whole text */
  if (v->tag == HX_T_FOREIGN) return index_foreign(m, node, key, want, v);
  const hx_val *found = hx_is_obj(v) && key->tag == HX_T_STR ? hx_obj_get(v, hx_val_str(key)) : NULL;
  if (!found) return index_value(m, node, key, v, v);
  *v = had(m, *found);
  return HX_ANSWER_OK;
}

hx_answer hx_follow_index(hx_machine *m, const hx_node *node, const hx_val *key, hx_want want, hx_val *v) {
  return follow_index(m, node, key, want, v);
}

hx_went hx_slow_index(hx_machine *m, const hx_instr *in) {
  hx_val *v = m->top - 2;
  if (HX_UNLIKELY(hx_is_asked(v))) return go_on_asked(m, in, *v, m->top - 1);
  hx_answer a = follow_index(m, hx_machine_node(m), m->top - 1, (hx_want)in->a, v);
  if (HX_UNLIKELY(a == HX_ANSWER_WAIT)) return HX_WENT_WAIT;
  if (HX_UNLIKELY(a != HX_ANSWER_OK)) *v = hx_unknown_dynamic;
  m->top--;
  return HX_WENT_ON;
}
