/* plan.c: finds out how one type converts to another, without looking at any value. */
#include "value/convert/plan.h"

typedef struct maker {
  hx_cx *cx;
  bool unsafe, with_open;
} maker;

/* The search for a plan also finds out whether two types are equal. To test that first, at each level, would take time quadratic in the
** depth. */
typedef enum outcome {
  IMPOSSIBLE,
  SAME, /* the types are equal: no plan is needed */
  PLANNED,
} outcome;

static outcome make(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan);

static hx_plan *new_plan(maker *m, hx_plan_op op, const hx_type *in, const hx_type *out) {
  hx_plan *p = hx_arena_alloc(&m->cx->scratch, sizeof *p);
  *p = (hx_plan){ .op = op, .unsafe = m->unsafe, .in = in, .out = out };
  return p;
}

static outcome planned(const hx_plan **plan, const hx_plan *p) {
  *plan = p;
  return PLANNED;
}

static const hx_plan **new_parts(maker *m, uint32_t n) {
  return hx_arena_alloc(&m->cx->scratch, (size_t)n * sizeof(hx_plan *));
}

static outcome primitive(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  if (in->kind == out->kind) return SAME;
  if (out->kind == HX_K_STRING) return planned(plan, new_plan(m, HX_PLAN_TO_STRING, in, out));
  /* Converting a string to a number or bool is unsafe: not every string is one. */
  if (in->kind != HX_K_STRING || !m->unsafe) return IMPOSSIBLE;
  return planned(plan, new_plan(m, out->kind == HX_K_NUMBER ? HX_PLAN_TO_NUMBER : HX_PLAN_TO_BOOL, in, out));
}

/* Makes the plan from object to object. Attributes that `out` doesn't name are dropped; those that `in` lacks must be optional. */
static outcome object_to_object(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  hx_plan *p = new_plan(m, HX_PLAN_OBJECT, in, out);
  bool same = in->n == out->n && !out->optional;
  p->parts = new_parts(m, out->n);
  for (uint32_t i = 0; i < out->n; i++) {
    const hx_type *from = hx_type_attr(in, out->names[i]);
    p->parts[i] = NULL;
    if (!from && !hx_type_is_optional(out, i)) return IMPOSSIBLE;
    outcome o = from ? make(m, from, out->elems[i], &p->parts[i]) : PLANNED;
    if (o == IMPOSSIBLE) return IMPOSSIBLE;
    same = same && o == SAME;
  }
  return same ? SAME : planned(plan, p);
}

/* Makes the plan from map to object. Only a value shows which keys a map has. So if the map's elements can't become an optional
** attribute, a plan is still possible: the key may be absent. */
static outcome map_to_object(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  hx_plan *p = new_plan(m, HX_PLAN_MAP_OBJECT, in, out);
  bool *impossible = hx_arena_alloc(&m->cx->scratch, out->n);
  if (!m->unsafe) return IMPOSSIBLE;
  p->parts = new_parts(m, out->n);
  for (uint32_t i = 0; i < out->n; i++) {
    p->parts[i] = NULL;
    impossible[i] = make(m, in->elem, out->elems[i], &p->parts[i]) == IMPOSSIBLE;
    if (impossible[i] && !hx_type_is_optional(out, i)) return IMPOSSIBLE;
  }
  p->impossible = impossible;
  return planned(plan, p);
}

static outcome tuple_to_tuple(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  if (in->n != out->n) return IMPOSSIBLE;
  hx_plan *p = new_plan(m, HX_PLAN_TUPLE, in, out);
  bool same = true;
  p->parts = new_parts(m, in->n);
  for (uint32_t i = 0; i < in->n; i++) {
    p->parts[i] = NULL;
    outcome o = make(m, in->elems[i], out->elems[i], &p->parts[i]);
    if (o == IMPOSSIBLE) return IMPOSSIBLE;
    same = same && o == SAME;
  }
  return same ? SAME : planned(plan, p);
}

static outcome collection(maker *m, hx_plan_op op, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  hx_plan *p = new_plan(m, op, in, out);
  p->elem = out->elem;
  outcome o = make(m, in->elem, out->elem, &p->each);
  if (o == IMPOSSIBLE || (o == SAME && in->kind == out->kind)) return o;
  return planned(plan, p);
}

static uint32_t dynamic_elems(const hx_type *t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->n; i++) n += t->elems[i]->kind == HX_K_DYNAMIC;
  return n;
}

/* Returns true if a value of type t becomes one of type `as`, whatever the unknown types in t turn out to be. An unknown type is settled
** only if `as` is string: otherwise it may turn out to be string, and then all elements become strings. */
static bool is_settled(const hx_type *t, const hx_type *as) {
  if (t->kind == HX_K_DYNAMIC) return as->kind == HX_K_STRING;
  if (hx_type_is_collection(t)) return !hx_type_is_collection(as) || is_settled(t->elem, as->elem);
  hx_stack_check();
  for (uint32_t i = 0; i < t->n; i++) {
    const hx_type *part = hx_type_is_collection(as) ? as->elem : i < as->n ? as->elems[i] : as;
    if (!is_settled(t->elems[i], part)) return false;
  }
  return true;
}

/* Makes the plan from a tuple or object to a collection. If the element type is `any`, the plan uses the type that all parts convert to. */
static outcome structural(maker *m, hx_plan_op op, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  hx_plan *p = new_plan(m, op, in, out);
  p->elem = out->elem;
  if (!in->n) return planned(plan, p);
  if (p->elem->kind == HX_K_DYNAMIC) {
    uint32_t unsettled = dynamic_elems(in);
    p->elem = hx_unify(m->cx, in->elems, in->n, !m->unsafe);
    for (uint32_t i = 0; p->elem && m->with_open && i < in->n; i++)
      if (!is_settled(in->elems[i], p->elem)) p->elem = &hx_type_dynamic;
    if (!p->elem) return IMPOSSIBLE;
    /* Elements of different types can't form a list or set if some are unknown. For a map, the values decide later. */
    if (p->elem->kind == HX_K_DYNAMIC && op != HX_PLAN_OBJECT_MAP && !m->with_open && unsettled < in->n) return IMPOSSIBLE;
  }
  p->parts = new_parts(m, in->n);
  for (uint32_t i = 0; i < in->n; i++) {
    p->parts[i] = NULL;
    if (i && in->elems[i] == in->elems[i - 1]) p->parts[i] = p->parts[i - 1];
    else if (make(m, in->elems[i], p->elem, &p->parts[i]) == IMPOSSIBLE) return IMPOSSIBLE;
  }
  return planned(plan, p);
}

/* Makes the plan for two composite types. */
static outcome composite(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  bool from_list = in->kind == HX_K_LIST, from_set = in->kind == HX_K_SET;
  hx_stack_check();
  switch ((hx_kind)out->kind) {
    case HX_K_OBJECT:
      if (in->kind == HX_K_OBJECT) return object_to_object(m, in, out, plan);
      return in->kind == HX_K_MAP ? map_to_object(m, in, out, plan) : IMPOSSIBLE;
    case HX_K_TUPLE: return in->kind == HX_K_TUPLE ? tuple_to_tuple(m, in, out, plan) : IMPOSSIBLE;
    case HX_K_LIST:
      if (from_list || from_set) return collection(m, HX_PLAN_LIST, in, out, plan);
      return in->kind == HX_K_TUPLE ? structural(m, HX_PLAN_TUPLE_LIST, in, out, plan) : IMPOSSIBLE;
    case HX_K_SET:
      /* A list that becomes a set loses its order and its repetitions, so that is unsafe. */
      if (from_set || (from_list && m->unsafe)) return collection(m, HX_PLAN_SET, in, out, plan);
      return in->kind == HX_K_TUPLE ? structural(m, HX_PLAN_TUPLE_SET, in, out, plan) : IMPOSSIBLE;
    case HX_K_MAP:
      if (in->kind == HX_K_MAP) return collection(m, HX_PLAN_MAP, in, out, plan);
      return in->kind == HX_K_OBJECT ? structural(m, HX_PLAN_OBJECT_MAP, in, out, plan) : IMPOSSIBLE;
    case HX_K_CAPSULE: return in->kind == HX_K_CAPSULE ? SAME : IMPOSSIBLE;
    case HX_K_DYNAMIC:
    case HX_K_STRING:
    case HX_K_NUMBER:
    case HX_K_BOOL: break;
  }
  return IMPOSSIBLE;
}

/* Makes a plan. Sets *plan only if it returns PLANNED. */
static outcome make(maker *m, const hx_type *in, const hx_type *out, const hx_plan **plan) {
  if (in == out && !out->n && !hx_type_is_collection(out)) return SAME;
  if (out->kind == HX_K_DYNAMIC) return planned(plan, new_plan(m, HX_PLAN_AS_IS, in, out));
  if (in->kind == HX_K_DYNAMIC) return m->unsafe ? planned(plan, new_plan(m, HX_PLAN_LATER, in, out)) : IMPOSSIBLE;
  if (hx_type_is_primitive(in) && hx_type_is_primitive(out)) return primitive(m, in, out, plan);
  return composite(m, in, out, plan);
}

bool hx_plan_make(hx_cx *cx, const hx_type *in, const hx_type *out, hx_plan_rules rules, const hx_plan **plan) {
  maker m = { .cx = cx, .unsafe = rules != HX_PLAN_SAFE, .with_open = rules == HX_PLAN_WITH_OPEN };
  *plan = NULL;
  return make(&m, in, out, plan) != IMPOSSIBLE;
}

/* Filling */

static const hx_type *fill_object(hx_cx *cx, const hx_type *in, const hx_type *out) {
  if (in->kind != HX_K_OBJECT && in->kind != HX_K_MAP) return &hx_type_empty_object;
  if (!out->n) return out;
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, out->n);
  hx_type *t = HX_NEW(cx, hx_type);
  for (uint32_t i = 0; i < out->n; i++) {
    const hx_type *from = in->kind == HX_K_MAP ? in->elem : hx_type_attr(in, out->names[i]);
    elems[i] = from ? hx_type_fill(cx, from, out->elems[i]) : out->elems[i];
  }
  *t = (hx_type){
    .kind = HX_K_OBJECT, .n = out->n, .weight = hx_types_weight(cx, elems, out->n), .elems = elems, .names = out->names
  };
  return t;
}

static const hx_type *fill_tuple(hx_cx *cx, const hx_type *in, const hx_type *out) {
  const hx_type **elems = HX_NEW_ARRAY(cx, const hx_type *, out->n);
  for (uint32_t i = 0; i < out->n; i++)
    elems[i] = hx_type_fill(cx, in->kind == HX_K_TUPLE && i < in->n ? in->elems[i] : NULL, out->elems[i]);
  return hx_type_tuple(cx, elems, out->n);
}

/* Sets *elem to the element type of `in`, or to the one it gets when it becomes a collection of kind `out`. Returns false if it can't. */
static bool source_elem(hx_cx *cx, const hx_type *in, hx_kind out, const hx_type **elem) {
  hx_kind structure = out == HX_K_MAP ? HX_K_OBJECT : HX_K_TUPLE;
  if (in->kind == structure) {
    *elem = hx_unify(cx, in->elems, in->n, false);
    return true;
  }
  bool collects = out == HX_K_MAP ? in->kind == HX_K_MAP : in->kind == HX_K_LIST || in->kind == HX_K_SET;
  *elem = collects ? in->elem : NULL;
  return collects;
}

const hx_type *hx_type_fill(hx_cx *cx, const hx_type *in, const hx_type *out) {
  const hx_type *elem;
  if (!in || in->kind == HX_K_DYNAMIC) return out;
  if (out->kind == HX_K_DYNAMIC) return in;
  hx_stack_check();
  if (out->kind == HX_K_OBJECT) return fill_object(cx, in, out);
  if (out->kind == HX_K_TUPLE) return fill_tuple(cx, in, out);
  if (!hx_type_is_collection(out) || !source_elem(cx, in, (hx_kind)out->kind, &elem)) return out;
  elem = hx_type_fill(cx, elem, out->elem);
  return hx_type_collection(cx, (hx_kind)out->kind, elem);
}
