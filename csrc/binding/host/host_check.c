/* host_check.c: the host of a check (expr:check): only the types of data count, because another evaluation may have other data.
** Header: binding/host/host.h. */
#include "binding/host/host.h"

#include "value/marks.h"
#include "value/unknown.h"

/* Returns the part of a type that a check may trust: empty and null data say nothing about data that may come later. */
static const hx_type *type_told(hx_cx *cx, const hx_type *t) {
  hx_stack_check();
  if (hx_type_is_collection(t)) {
    const hx_type *elem = type_told(cx, t->elem);
    return elem == t->elem ? t : hx_type_collection(cx, (hx_kind)t->kind, elem);
  }
  if (t->kind != HX_K_TUPLE && t->kind != HX_K_OBJECT) return t;
  if (t->n == 0) return &hx_type_dynamic;
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, t->n);
  bool same = true;
  for (uint32_t i = 0; i < t->n; i++) {
    elems[i] = type_told(cx, t->elems[i]);
    same = same && elems[i] == t->elems[i];
  }
  if (same) return t;
  return t->kind == HX_K_TUPLE ? hx_type_tuple(cx, elems, t->n) : hx_type_object(cx, t->names, elems, t->optional, t->n);
}

static hx_val stand_in(hx_cx *cx, const hx_val *v);

/* Returns an open object or items with unknowns in place of the parts. */
static hx_val open_stand_in(hx_cx *cx, const hx_open_info *open) {
  const hx_val *parts = &open->parts;
  hx_val *made = HX_NEW_ARRAY(cx, hx_val, parts->len);
  bool object = parts->tag == HX_T_OBJECT;
  hx_stack_check();
  for (uint32_t i = 0; i < parts->len; i++) made[i] = stand_in(cx, object ? &parts->u.obj->v[i] : &parts->u.seq->v[i]);
  hx_val v = object ? hx_object(cx, parts->u.obj->shape, made) : hx_tuple(cx, made, parts->len);
  return hx_open_items(cx, &v, open->form);
}

/* Returns an unknown in place of the value, with the marks on the value and in it. */
static hx_val stand_in(hx_cx *cx, const hx_val *v) {
  const hx_marks *marks = NULL;
  const hx_val *parts = hx_known_parts(hx_unmarked(v));
  if (parts) {
    hx_charge_walk(cx, hx_val_weight(parts));
    return hx_mark(cx, open_stand_in(cx, hx_unmarked(v)->u.unk->open), hx_marks_get(v));
  }
  hx_val bare = hx_unmark_deep(cx, v, &marks);
  if (hx_is_unknown(&bare)) return *v;
  hx_charge_walk(cx, hx_val_weight(&bare));
  return hx_mark(cx, hx_unknown(cx, type_told(cx, hx_val_type(cx, &bare))), marks);
}

/* Answers for data that lack the element which the path asks for. The answer is unknown if the data are empty, because other data may have
** the element, and inside try() and can(), which allow for its absence. Otherwise the machine goes on from these data, or from an unknown
** of their type. */
static hx_answer stand_in_short(hx_host *h, hx_cx *cx, hx_val *out) {
  uint32_t n = 0;
  hx_kind kind = hx_val_kind(hx_unmarked(out));
  if (out->tag == HX_T_FOREIGN) {
    hx_answer a = h->shape(h, cx, out, &kind, &n, NULL);
    if (a != HX_ANSWER_OK) return a;
    if (n != 0 && !hx_evaluation_of(h)->machine.cx.tries) return a;
    *out = hx_unknown_dynamic;
  } else if (kind == HX_K_OBJECT && hx_evaluation_of(h)->machine.cx.tries && !hx_is_unknown(hx_unmarked(out))) {
    *out = hx_unknown_dynamic;
  } else {
    *out = stand_in(cx, out);
  }
  return HX_ANSWER_OK;
}

static hx_answer check_path(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at) {
  (void)want;
  hx_answer a = hx_host_path(h, cx, p, HX_WANT_WHOLE, out, at);
  if (a != HX_ANSWER_OK) return a;
  if (*at < p->n) return stand_in_short(h, cx, out);
  *out = stand_in(cx, out);
  return a;
}

void hx_host_only_checks(hx_host *host) {
  host->path = check_path;
  host->glance = NULL;
  host->check = true;
}
