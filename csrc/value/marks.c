/* marks.c: makes sets of marks, adds marks to values, and removes them. */
#include "value/marks.h"
#include "value/sort.h"
#include "value/unknown.h"

static const hx_str name_sensitive = { "sensitive", 9 };
static const hx_str name_ephemeral = { "ephemeral", 9 };
const hx_str hx_mark_guarded = { "guarded", 7 };
const hx_marks hx_marks_sensitive = { 1, &name_sensitive };
static const hx_marks ephemeral = { 1, &name_ephemeral };

const hx_marks *hx_marks_of(hx_cx *cx, hx_str name) {
  if (hx_str_eq(name, name_sensitive)) return &hx_marks_sensitive;
  if (hx_str_eq(name, name_ephemeral)) return &ephemeral;
  hx_marks *m = HX_NEW(cx, hx_marks);
  hx_str *own = HX_NEW(cx, hx_str);
  *own = hx_str_copy(cx, name);
  *m = (hx_marks){ 1, own };
  return m;
}

const hx_marks *hx_marks_copy(hx_cx *cx, const hx_marks *from) {
  if (from->n == 1) return hx_marks_of(cx, from->names[0]);
  hx_str *names = HX_NEW_ARRAY(cx, hx_str, from->n);
  for (uint32_t i = 0; i < from->n; i++) names[i] = hx_str_copy(cx, from->names[i]);
  hx_marks *m = HX_NEW(cx, hx_marks);
  *m = (hx_marks){ from->n, names };
  return m;
}

bool hx_marks_has(const hx_marks *m, hx_str name) {
  return m && hx_strs_find(m->names, m->n, name) >= 0;
}

static bool holds_all(const hx_marks *a, const hx_marks *b) {
  for (uint32_t i = 0; i < b->n; i++)
    if (!hx_marks_has(a, b->names[i])) return false;
  return true;
}

const hx_marks *hx_marks_join(hx_cx *cx, const hx_marks *a, const hx_marks *b) {
  if (!b || a == b) return a;
  if (!a) return b;
  hx_charge_steps(cx, (a->n + b->n) / 2);
  if (holds_all(a, b)) return a;
  if (holds_all(b, a)) return b;
  hx_str *names = HX_NEW_ARRAY(cx, hx_str, a->n + b->n);
  uint32_t i = 0, j = 0, n = 0;
  while (i < a->n || j < b->n) {
    int c = i == a->n ? 1 : j == b->n ? -1 : hx_str_cmp(a->names[i], b->names[j]);
    names[n++] = c <= 0 ? a->names[i] : b->names[j];
    if (c <= 0) i++;
    if (c >= 0) j++;
  }
  hx_marks *m = HX_NEW(cx, hx_marks);
  *m = (hx_marks){ n, names };
  return m;
}

const hx_marks *hx_marks_without(hx_cx *cx, const hx_marks *a, hx_str name) {
  if (!hx_marks_has(a, name)) return a;
  if (a->n == 1) return NULL;
  hx_str *names = HX_NEW_ARRAY(cx, hx_str, a->n - 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->n; i++)
    if (!hx_str_eq(a->names[i], name)) names[n++] = a->names[i];
  hx_marks *m = HX_NEW(cx, hx_marks);
  *m = (hx_marks){ n, names };
  return m;
}

hx_val hx_mark(hx_cx *cx, hx_val v, const hx_marks *marks) {
  if (!marks || !marks->n) return v;
  if (v.tag == HX_T_MARKED) {
    const hx_marks *joined = hx_marks_join(cx, v.u.marked->marks, marks);
    if (joined == v.u.marked->marks) return v;
    marks = joined;
    v = v.u.marked->v;
  }
  hx_marked *m = HX_NEW(cx, hx_marked);
  m->v = v;
  m->marks = marks;
  return (hx_val){ .tag = HX_T_MARKED, .len = HX_POISON, .u.marked = m };
}

/* Returns the *n parts that may have marks, or NULL. Elements of a set never have any: the set's own mark covers them. */
static const hx_val *markable_parts(const hx_val *v, uint32_t *n) {
  if (hx_known_parts(v)) v = hx_known_parts(v);
  *n = v->len;
  if (v->tag == HX_T_LIST || v->tag == HX_T_TUPLE) return v->u.seq->plain ? NULL : v->u.seq->v;
  return hx_is_obj(v) ? v->u.obj->v : NULL;
}

bool hx_is_marked_deep(const hx_val *v) {
  if (v->tag == HX_T_MARKED) return true;
  uint32_t n;
  const hx_val *parts = markable_parts(v, &n);
  if (parts) hx_stack_check();
  for (uint32_t i = 0; parts && i < n; i++)
    if (parts[i].tag > HX_T_STR && hx_is_marked_deep(&parts[i])) return true;
  return false;
}

bool hx_is_hidden(const hx_cx *cx, const hx_val *v) {
  return cx->secret || hx_is_marked_deep(v);
}

static hx_val unmark(hx_cx *cx, const hx_val *v, const hx_marks **marks, bool *changed);

/* Returns a copy of the parts without their marks, which are added to *marks. Returns NULL if no part has a mark. */
static const hx_val *unmark_parts(hx_cx *cx, const hx_val *parts, uint32_t n, const hx_marks **marks) {
  hx_val *own = NULL;
  hx_stack_check();
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].tag <= HX_T_STR) {
      if (own) own[i] = parts[i];
      continue;
    }
    bool changed = false;
    hx_val part = unmark(cx, &parts[i], marks, &changed);
    if (changed && !own) {
      own = HX_NEW_ARRAY(cx, hx_val, n);
      memcpy(own, parts, i * sizeof *own);
    }
    if (own) own[i] = part;
  }
  return own;
}

static hx_val unmark(hx_cx *cx, const hx_val *v, const hx_marks **marks, bool *changed) {
  if (v->tag == HX_T_MARKED) {
    *marks = hx_marks_join(cx, *marks, v->u.marked->marks);
    *changed = true;
    v = &v->u.marked->v;
  }
  uint32_t n;
  const hx_val *parts = markable_parts(v, &n);
  if (!parts || !(parts = unmark_parts(cx, parts, n, marks))) return *v;
  *changed = true;
  if (v->tag == HX_T_UNKNOWN) {
    const hx_val *from = hx_known_parts(v);
    hx_val bare = from->tag == HX_T_TUPLE ? hx_tuple(cx, parts, n) : hx_object(cx, from->u.obj->shape, parts);
    return hx_open_items(cx, &bare, v->u.unk->open->form);
  }
  if (v->tag == HX_T_TUPLE) return hx_tuple(cx, parts, v->len);
  if (v->tag == HX_T_LIST) return hx_list(cx, v->u.seq->elem, parts, v->len);
  if (v->tag == HX_T_MAP) return hx_map(cx, v->u.obj->elem, v->u.obj->shape, parts);
  return hx_object(cx, v->u.obj->shape, parts);
}

hx_val hx_unmark_deep(hx_cx *cx, const hx_val *v, const hx_marks **marks) {
  bool changed = false;
  return unmark(cx, v, marks, &changed);
}
