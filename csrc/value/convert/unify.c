/* unify.c: finds the one type that several types convert to. */
#include "value/marks.h"
#include "value/convert/plan.h"

/* The distinct types to unify, in order of first appearance. */
typedef struct type_list {
  const hx_type **t;
  uint32_t n;
} type_list;

typedef struct unifier {
  hx_cx *cx;
  bool unsafe;
} unifier;

static const hx_type *unify(unifier *u, const hx_type *const *types, uint32_t n);

/* Charges for visiting all parts of a type: a step for eight parts. (To find out how it converts takes a step for two.) */
static void charge_look(unifier *u, const hx_type *t) {
  hx_charge_steps(u->cx, hx_type_weight(t) >> 7);
}

typedef struct wanted {
  const type_list *list;
  const hx_type *t;
} wanted;

static bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return hx_type_equal(w->list->t[i], w->t);
}

/* Returns the n types without repetitions. Equal types add nothing, and large tuples repeat a few types, so the functions below work on
** distinct types. */
static type_list distinct(unifier *u, const hx_type *const *types, uint32_t n) {
  hx_arena *a = &u->cx->scratch;
  hx_table table = hx_table_new(a, n);
  type_list out = { hx_arena_alloc(a, n * sizeof *out.t), 0 };
  for (uint32_t i = 0; i < n; i++) {
    if (i && types[i] == types[i - 1]) continue;
    charge_look(u, types[i]);
    uint32_t hash = hx_type_hash(types[i]), *slot = hx_table_find(&table, u->cx, hash, is_wanted, &(wanted){ &out, types[i] });
    if (*slot) continue;
    hx_table_put(&table, slot, out.n, hash);
    out.t[out.n++] = types[i];
  }
  return out;
}

static bool converts(unifier *u, const hx_type *in, const hx_type *out) {
  hx_arena_mark mark = hx_arena_get_mark(&u->cx->scratch);
  const hx_plan *plan;
  bool can = hx_plan_make(u->cx, in, out, u->unsafe ? HX_PLAN_UNSAFE : HX_PLAN_SAFE, &plan);
  hx_arena_release(&u->cx->scratch, mark);
  return can;
}

static bool all_convert(unifier *u, const type_list *l, const hx_type *want) {
  for (uint32_t i = 0; i < l->n; i++) {
    hx_charge_steps(u->cx, 1 + (hx_type_weight(l->t[i]) >> 5));
    if (!converts(u, l->t[i], want)) return false;
  }
  return true;
}

/* Compares two types as results: <0: a is preferred, >0: b is, 0: neither. */
static int compare(const hx_type *a, const hx_type *b);

static int compare_parts(const hx_type *a, const hx_type *b) {
  bool a_better = false, b_better = false;
  hx_stack_check();
  if (a->n != b->n) return 0;
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->kind == HX_K_OBJECT && !hx_str_eq(a->names[i], b->names[i])) return 0;
    int c = compare(a->elems[i], b->elems[i]);
    if (c < 0) a_better = true;
    if (c > 0) b_better = true;
  }
  return (int)b_better - (int)a_better;
}

/* Rank kinds that convert to one another: list, tuple, set; map, object. A lower rank is preferred; 0: another kind. */
static int sequence_rank(const hx_type *t) {
  return t->kind == HX_K_LIST ? 1 : t->kind == HX_K_TUPLE ? 2 : t->kind == HX_K_SET ? 3 : 0;
}
static int mapping_rank(const hx_type *t) {
  return t->kind == HX_K_MAP ? 1 : t->kind == HX_K_OBJECT ? 2 : 0;
}

static int compare(const hx_type *a, const hx_type *b) {
  while (a->kind == b->kind && hx_type_is_collection(a)) {
    a = a->elem;
    b = b->elem;
  }
  if (a->kind == HX_K_DYNAMIC || b->kind == HX_K_DYNAMIC) return (a->kind == HX_K_DYNAMIC) - (b->kind == HX_K_DYNAMIC);
  if (hx_type_is_primitive(a) && hx_type_is_primitive(b)) return (b->kind == HX_K_STRING) - (a->kind == HX_K_STRING);
  if (a->kind == b->kind) return compare_parts(a, b);
  if (sequence_rank(a) && sequence_rank(b)) return sequence_rank(a) - sequence_rank(b);
  if (mapping_rank(a) && mapping_rank(b)) return mapping_rank(a) - mapping_rank(b);
  return 0;
}

/* Returns the indexes of the types by preference: better types first, others in their original order. */
static uint32_t *by_preference(unifier *u, const type_list *l) {
  hx_arena *a = &u->cx->scratch;
  uint32_t n = l->n, done = 0, found = 0;
  uint32_t *worse_than = hx_arena_alloc(a, n * sizeof *worse_than);
  uint32_t *order = hx_arena_alloc(a, n * sizeof *order);
  hx_charge_steps(u->cx, (uint64_t)n * n);
  for (uint32_t i = 0; i < n; i++) {
    hx_charge_steps(u->cx, n * (hx_type_weight(l->t[i]) >> 8));
    worse_than[i] = 0;
    for (uint32_t j = 0; j < n; j++) worse_than[i] += compare(l->t[j], l->t[i]) < 0;
    if (!worse_than[i]) order[found++] = i;
  }
  while (done < found) {
    const hx_type *t = l->t[order[done++]];
    for (uint32_t j = 0; j < n; j++)
      if (compare(t, l->t[j]) < 0 && --worse_than[j] == 0) order[found++] = j;
  }
  while (found < n) order[found++] = 0;
  return order;
}

static const hx_type *best_of(unifier *u, const type_list *l) {
  const uint32_t *order = by_preference(u, l);
  for (uint32_t k = 0; k < l->n; k++)
    if (all_convert(u, l, l->t[order[k]])) return l->t[order[k]];
  return NULL;
}

/* Unifies all parts of all the types. */
static const hx_type *unify_all_parts(unifier *u, const type_list *l) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < l->n; i++) n += l->t[i]->n;
  if (n > UINT32_MAX) hx_abort(u->cx, HX_WHY_MEMORY);
  const hx_type **parts = hx_arena_alloc(&u->cx->scratch, (size_t)n * sizeof *parts);
  n = 0;
  for (uint32_t i = 0; i < l->n; i++)
    for (uint32_t j = 0; j < l->t[i]->n; j++) parts[n++] = l->t[i]->elems[j];
  return unify(u, parts, (uint32_t)n);
}

/* Returns the collection type with element type elem. Returns NULL if elem is NULL, or if one of the types doesn't convert to the
** collection. */
static const hx_type *collection_of(unifier *u, const type_list *l, hx_kind kind, const hx_type *elem) {
  const hx_type *t = elem ? hx_type_collection(u->cx, kind, elem) : NULL;
  return t && all_convert(u, l, t) ? t : NULL;
}

static const hx_type *objects_to_map(unifier *u, const type_list *l) {
  return collection_of(u, l, HX_K_MAP, unify_all_parts(u, l));
}

static const hx_type *tuples_to_list(unifier *u, const type_list *l) {
  return collection_of(u, l, HX_K_LIST, unify_all_parts(u, l));
}

/* For each i, sets out[i] to the unified type of the i-th parts. Returns false if the parts at one i have no common type. */
static bool unify_across(unifier *u, const type_list *l, const hx_type **out) {
  const hx_type **across = hx_arena_alloc(&u->cx->scratch, l->n * sizeof *across);
  for (uint32_t i = 0; i < l->t[0]->n; i++) {
    for (uint32_t k = 0; k < l->n; k++) across[k] = l->t[k]->elems[i];
    if (!(out[i] = unify(u, across, l->n))) return false;
  }
  return true;
}

static bool same_names(const hx_type *a, const hx_type *b) {
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (!hx_str_eq(a->names[i], b->names[i])) return false;
  return true;
}

/* Unifies object types: attribute by attribute if all have the same names, otherwise as maps. */
static const hx_type *objects(unifier *u, const type_list *l) {
  const hx_type *first = l->t[0];
  for (uint32_t i = 1; i < l->n; i++)
    if (!same_names(first, l->t[i])) return objects_to_map(u, l);
  const hx_type **elems = HX_NEW_ARRAY(u->cx, const hx_type *, first->n);
  if (!unify_across(u, l, elems)) return NULL;
  const hx_type *t = hx_type_object(u->cx, first->names, elems, NULL, first->n);
  return all_convert(u, l, t) ? t : objects_to_map(u, l);
}

/* Unifies tuple types: element by element if all have the same length, otherwise as lists. */
static const hx_type *tuples(unifier *u, const type_list *l) {
  const hx_type *first = l->t[0];
  for (uint32_t i = 1; i < l->n; i++)
    if (l->t[i]->n != first->n) return tuples_to_list(u, l);
  const hx_type **elems = HX_NEW_ARRAY(u->cx, const hx_type *, first->n);
  if (!unify_across(u, l, elems)) return NULL;
  const hx_type *t = hx_type_tuple(u->cx, elems, first->n);
  return all_convert(u, l, t) ? t : tuples_to_list(u, l);
}

static const hx_type *collections(unifier *u, const type_list *l) {
  const hx_type **elems = hx_arena_alloc(&u->cx->scratch, l->n * sizeof *elems);
  for (uint32_t i = 0; i < l->n; i++) elems[i] = l->t[i]->elem;
  return collection_of(u, l, (hx_kind)l->t[0]->kind, unify(u, elems, l->n));
}

/* Unifies maps with objects, or lists with tuples: the structural types first become one collection type, which is then unified with the
** others. Returns NULL if that fails, so that the general rule is tried. */
static const hx_type *as_collections(unifier *u, const type_list *l, hx_kind structure, hx_kind kind) {
  hx_arena *a = &u->cx->scratch;
  type_list some = { hx_arena_alloc(a, l->n * sizeof *some.t), 0 };
  for (uint32_t i = 0; i < l->n; i++)
    if (l->t[i]->kind == structure) some.t[some.n++] = l->t[i];
  const hx_type *t = structure == HX_K_OBJECT ? objects_to_map(u, &some) : tuples_to_list(u, &some);
  if (!t) return NULL;
  const hx_type **all = hx_arena_alloc(a, l->n * sizeof *all);
  for (uint32_t i = 0; i < l->n; i++) all[i] = l->t[i]->kind == structure ? t : l->t[i];
  t = unify(u, all, l->n);
  return t && t->kind == kind ? t : NULL;
}

/* Unifies distinct types by the rule for their kinds, or by the general rule: the result is the first type, by preference, to which all
** others convert. */
static const hx_type *unify_distinct(unifier *u, const type_list *l) {
  uint32_t count[HX_K_CAPSULE + 1] = { 0 };
  for (uint32_t i = 0; i < l->n; i++) count[l->t[i]->kind]++;
  uint32_t dynamic = count[HX_K_DYNAMIC], rest = l->n - dynamic;
  hx_kind kind = HX_K_DYNAMIC;
  for (uint32_t k = HX_K_LIST; k <= HX_K_OBJECT; k++)
    if (rest && count[k] == rest) kind = (hx_kind)k;
  /* All known types are of one composite kind. The types that aren't known yet may turn out to be anything, so the result is open. */
  if (kind != HX_K_DYNAMIC && dynamic) return &hx_type_dynamic;
  if (kind == HX_K_OBJECT) return objects(u, l);
  if (kind == HX_K_TUPLE) return tuples(u, l);
  if (kind != HX_K_DYNAMIC) return collections(u, l);
  const hx_type *t = NULL;
  if (count[HX_K_MAP] && count[HX_K_MAP] + count[HX_K_OBJECT] == rest) t = as_collections(u, l, HX_K_OBJECT, HX_K_MAP);
  else if (count[HX_K_LIST] && count[HX_K_LIST] + count[HX_K_TUPLE] == rest) t = as_collections(u, l, HX_K_TUPLE, HX_K_LIST);
  else if (count[HX_K_OBJECT] && count[HX_K_TUPLE]) return NULL;
  return t ? t : best_of(u, l);
}

static const hx_type *unify(unifier *u, const hx_type *const *types, uint32_t n) {
  if (!n) return NULL;
  uint32_t same = 1;
  while (same < n && types[same] == types[0]) same++;
  if (same == n && !types[0]->n && !hx_type_is_collection(types[0])) return types[0];
  hx_stack_check();
  hx_arena_mark mark = hx_arena_get_mark(&u->cx->scratch);
  type_list l = distinct(u, types, n);
  const hx_type *t = l.n == 1 ? hx_type_plain(u->cx, l.t[0]) : unify_distinct(u, &l);
  hx_arena_release(&u->cx->scratch, mark);
  return t;
}

const hx_type *hx_unify(hx_cx *cx, const hx_type *const *types, uint32_t n, bool safe) {
  unifier u = { .cx = cx, .unsafe = !safe };
  return unify(&u, types, n);
}

bool hx_unified(hx_cx *cx, const hx_val *v, const hx_type *const *types, uint32_t n, const hx_type *unified, hx_val *out) {
  bool open = false;
  if (unified->kind == HX_K_DYNAMIC)
    for (uint32_t i = 0; i < n && !open; i++) open = types[i]->kind != HX_K_DYNAMIC;
  if (!open) return hx_convert(cx, v, unified, out, NULL);
  *out = hx_mark(cx, hx_unknown_dynamic, hx_marks_get(v));
  return true;
}
