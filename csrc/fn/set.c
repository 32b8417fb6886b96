/* set.c: operations on sets. Headers: vm/fn.h.
** Source: go-cty's stdlib. All sets are first converted to one element type. */
#include "fn/arguments.h"

static bool fail_types(hx_call *call) {
  hx_fail_call(call, "The elements of the sets have no common type.");
  return false;
}

/* Returns the set type to which all arguments convert, or NULL after reporting a mistake. An empty set without a stated type
** converts to any. */
static const hx_type *common_set(hx_call *call, const hx_val *args) {
  const hx_type **types = HX_NEW_ARRAY(call->cx, const hx_type *, call->n);
  uint32_t used = 0;
  bool same = true;
  for (uint32_t i = 0; i < call->n; i++) {
    const hx_type *elem = hx_val_type(call->cx, &args[i])->elem;
    if (args[i].tag == HX_T_SET && args[i].len == 0 && elem->kind == HX_K_DYNAMIC) continue;
    types[used++] = elem;
    if (used > 1 && !hx_type_equal(types[0], elem)) same = false;
  }
  if (used == 0) return &hx_type_set_dynamic;
  const hx_type *elem = same ? hx_type_plain(call->cx, types[0]) : hx_unify(call->cx, types, used, false);
  if (elem) return hx_type_set(call->cx, elem);
  fail_types(call);
  return NULL;
}

static bool as_set(hx_call *call, const hx_type *set, const hx_val *args, uint32_t i, hx_val *out) {
  if (args[i].tag == HX_T_SET && hx_type_equal(args[i].u.seq->elem, set->elem)) {
    *out = args[i];
    return true;
  }
  if (hx_convert(call->cx, &args[i], set, out, NULL)) return true;
  hx_fail_with(call, (int32_t)i, "It can't be converted to a %s like the other sets.", hx_type_friendly(call->cx, set));
  return false;
}

/* If the common type doesn't have an element type yet, replaces it by the type of the converted sets, which must all have the same
** one. Returns false after reporting a mistake. */
static bool agree(hx_call *call, const hx_type **set, const hx_val *sets, uint32_t n) {
  if (!hx_type_has_dynamic((*set)->elem)) return true;
  for (uint32_t i = 1; i < n; i++)
    if (!hx_type_equal(hx_val_type(call->cx, &sets[0]), hx_val_type(call->cx, &sets[i]))) return fail_types(call);
  *set = hx_val_type(call->cx, &sets[0]);
  return true;
}

/* Converts all arguments to sets of the common type, or returns NULL after reporting a mistake. If `open` isn't NULL, it stops at
** the first argument that isn't wholly known, and sets *open. reference: later arguments needn't even convert. */
static hx_val *as_sets(hx_call *call, const hx_val *args, uint32_t n, const hx_type **set, bool *open) {
  *set = common_set(call, args);
  if (!*set) return NULL;
  hx_val *sets = HX_NEW_ARRAY(call->cx, hx_val, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!as_set(call, *set, args, i, &sets[i])) return NULL;
    if (!open || hx_is_wholly_known(&sets[i])) continue;
    *open = true;
    break;
  }
  return sets;
}

/* Returns true if all elements of the sets are strings, or all are whole numbers, or all are bools. Then their order shows which
** are equal. */
static bool are_plain(const hx_val *sets, uint32_t n) {
  uint32_t tag = HX_T_NONE;
  for (uint32_t s = 0; s < n; s++) {
    if (!sets[s].len) continue;
    const hx_seq *e = sets[s].u.seq;
    if (tag == HX_T_NONE) tag = e->v[0].tag;
    if (!e->plain || !hx_type_is_primitive(e->elem) || e->v[0].tag != tag) return false;
    for (uint32_t i = 0; e->elem->kind == HX_K_NUMBER && i < sets[s].len; i++)
      if (e->v[i].tag != HX_T_INT) return false;
  }
  return true;
}

static int order_plain(const hx_val *a, const hx_val *b) {
  if (a->tag == HX_T_STR) return hx_str_cmp(hx_val_str(a), hx_val_str(b));
  return (a->u.i > b->u.i) - (a->u.i < b->u.i);
}

static inline uint64_t weight_of_plain(const hx_val *v) {
  return 16 + (v->tag == HX_T_STR ? (uint64_t)v->len : 0);
}

/* Writes the union of two sets to `out`, in order. */
static hx_val unite_plain(hx_cx *cx, const hx_type *elem, const hx_val *x, const hx_val *y, hx_val *out) {
  const hx_val *a = x->u.seq->v, *b = y->u.seq->v, *a_end = a + x->len, *b_end = b + y->len;
  hx_val *to = out;
  uint64_t weight = x->u.seq->weight + y->u.seq->weight;
  while (a < a_end && b < b_end) {
    int order = order_plain(a, b);
    if (order == 0) weight -= weight_of_plain(b);
    *to++ = order <= 0 ? *a : *b;
    a += order <= 0;
    b += order >= 0;
  }
  for (; a < a_end; a++) *to++ = *a;
  for (; b < b_end; b++) *to++ = *b;
  return hx_set_weighed(cx, elem, out, (uint32_t)(to - out), weight, true);
}

/* Unites neighbouring sets until one is left, and overwrites `sets`. */
static hx_val union_of_plain(hx_cx *cx, const hx_type *elem, hx_val *sets, uint32_t n, uint64_t total) {
  while (n > 1) {
    uint32_t made = 0;
    hx_val *room = HX_NEW_ARRAY(cx, hx_val, (size_t)total);
    hx_charge_steps(cx, total / 8);
    for (uint32_t i = 0; i + 1 < n; i += 2) {
      hx_val both = unite_plain(cx, elem, &sets[i], &sets[i + 1], room);
      sets[made++] = both;
      room += both.len;
    }
    if (n % 2) sets[made++] = sets[n - 1];
    n = made;
  }
  return sets[0];
}

static hx_val fn_setunion(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  const hx_type *set;
  hx_val *sets = as_sets(call, args, n, &set, NULL);
  if (!sets || !agree(call, &set, sets, n)) return hx_none();
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; i++) total += sets[i].len;
  hx_need_memory(call->cx, 16 * total);
  if (total && are_plain(sets, n)) return union_of_plain(call->cx, set->elem, sets, n, total);
  hx_val *all = HX_NEW_ARRAY(call->cx, hx_val, (size_t)total);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (sets[i].len) memcpy(all + at, sets[i].u.seq->v, sets[i].len * sizeof *all);
    at += sets[i].len;
  }
  return hx_set(call->cx, set->elem, all, at);
}

/* Copies some of the n elements to `out`, which may be v: those in the other set if `wanted`, otherwise the rest. Both sets are in
** order. Returns the number of copies. */
static uint32_t choose_plain(const hx_val *v, uint32_t n, const hx_val *other, bool wanted, hx_val *out) {
  const hx_val *o = other->u.seq->v, *o_end = o + other->len;
  hx_val *to = out;
  for (const hx_val *end = v + n; v < end; v++) {
    int order = 1;
    while (o < o_end && (order = order_plain(o, v)) < 0) o++;
    if ((o < o_end && order == 0) == wanted) *to++ = *v;
  }
  return (uint32_t)(to - out);
}

static uint32_t choose_hashed(hx_cx *cx, const hx_val *v, uint32_t n, const hx_val *other, bool wanted, hx_val *out) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_value_set set;
  uint32_t left = 0;
  hx_value_set_init_elements(&set, cx, other->u.seq->v, other->len);
  hx_value_set_fill(&set, other->len, NULL);
  for (uint32_t k = 0; k < n; k++)
    if (hx_value_set_has(&set, &v[k]) == wanted) out[left++] = v[k];
  hx_arena_release(&cx->scratch, mark);
  return left;
}

/* Returns the elements of the first set that are in all other sets if `wanted`, otherwise those that are in none of them. */
static hx_val choose(hx_call *call, const hx_val *args, uint32_t n, bool wanted) {
  hx_cx *cx = call->cx;
  const hx_type *set;
  bool open = false;
  const hx_val *sets = as_sets(call, args, n, &set, &open);
  if (!sets) return hx_none();
  if (open) return hx_unknown(cx, set);
  bool plain = are_plain(sets, n);
  if (!agree(call, &set, sets, n)) return hx_none();
  hx_need_memory(cx, 16ull * sets[0].len);
  hx_val *kept = HX_NEW_ARRAY(cx, hx_val, sets[0].len);
  const hx_val *from = sets[0].u.seq->v;
  uint32_t count = sets[0].len;
  for (uint32_t i = 1; i < n; i++) {
    hx_charge_steps(cx, ((plain ? sets[i].len : 0) + (uint64_t)count) / 8);
    count = plain ? choose_plain(from, count, &sets[i], wanted, kept) : choose_hashed(cx, from, count, &sets[i], wanted, kept);
    from = kept;
  }
  hx_arena_trim(&cx->arena, kept, sets[0].len * sizeof *kept, from == kept ? count * sizeof *kept : 0);
  return hx_set_in_order(cx, set->elem, from, count);
}

static hx_val fn_setintersection(hx_call *call, const hx_val *args) {
  return choose(call, args, call->n, true);
}
static hx_val fn_setsubtract(hx_call *call, const hx_val *args) {
  return choose(call, args, call->n, false);
}

/* setproduct */

#define PRODUCT_BOUND_MAX 2048 /* the reference's choice: larger bounds of an unknown result are of no use */
#define PRODUCT_FACTOR_MAX 1024

/* Returns the element type that argument i adds to the tuples, or NULL after reporting a mistake. Sets *is_set to whether the
** argument is a set, not a list or tuple. */
static const hx_type *factor_type(hx_call *call, const hx_val *v, uint32_t i, bool *is_set) {
  const hx_type *t = hx_val_type(call->cx, v);
  *is_set = t->kind == HX_K_SET;
  if (t->kind == HX_K_SET || t->kind == HX_K_LIST) return t->elem;
  if (t->kind != HX_K_TUPLE) {
    hx_fail_with(call, (int32_t)i, "It must be a set, list or tuple, not %s.", hx_arg_type(call, v));
    return NULL;
  }
  const hx_type *elem = t->n ? hx_unify(call->cx, t->elems, t->n, false) : &hx_type_dynamic;
  if (!elem) hx_fail(call, (int32_t)i, "Its elements have no common type.");
  return elem;
}

/* Returns the type of the product: a list of tuples, or a set of them if any argument is a set. Returns NULL after reporting a mistake. */
static const hx_type *product_type(hx_call *call, const hx_val *args, uint32_t n) {
  const hx_type **elems = HX_NEW_ARRAY(call->cx, const hx_type *, n);
  bool any_set = false;
  if (n < 2) {
    hx_fail_call(call, "At least two sets must be given.");
    return NULL;
  }
  for (uint32_t i = 0; i < n; i++) {
    bool is_set;
    elems[i] = factor_type(call, hx_unmarked(&args[i]), i, &is_set);
    if (!elems[i]) return NULL;
    any_set = any_set || is_set;
  }
  const hx_type *tuple = hx_type_tuple(call->cx, elems, n);
  return any_set ? hx_type_set(call->cx, tuple) : hx_type_list(call->cx, tuple);
}

static bool has_length(const hx_val *v) {
  return hx_is_seq(v) && !hx_set_may_shrink(v);
}

/* Returns an unknown product, with what is certain about its length, if the length of an argument is unknown. For sets only known
** bounds count. */
static hx_val open_product(hx_call *call, const hx_type *t, const hx_val *args, uint32_t n) {
  hx_val out = hx_unknown_not_null(call->cx, t);
  uint64_t most = 1;
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    uint64_t min, max;
    if (hx_val_kind(v) == HX_K_TUPLE) max = hx_is_unknown(v) ? v->u.unk->type->n : v->len;
    else hx_length_bounds_of(v, &min, &max);
    if (max > PRODUCT_FACTOR_MAX) return out;
    most *= max;
    if (most > PRODUCT_BOUND_MAX) return out;
  }
  hx_refine f;
  hx_refine_begin(&f, &out);
  hx_refine_length(&f, most ? 1 : 0, most);
  return hx_refine_done(call->cx, &f);
}

/* Converts the elements of each argument. Returns false after reporting a mistake. */
static bool convert_factors(hx_call *call, const hx_type *tuple, const hx_val *args, const hx_val **out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    if (v->tag != HX_T_TUPLE) {
      out[i] = v->u.seq->v;
      continue;
    }
    hx_val *elems = HX_NEW_ARRAY(call->cx, hx_val, v->len);
    for (uint32_t k = 0; k < v->len; k++) {
      if (hx_convert(call->cx, &v->u.seq->v[k], tuple->elems[i], &elems[k], NULL)) continue;
      hx_fail_telling(call, HX_BLAME_CALL, "An element can't be converted to the type of the others.",
                      "Element %u of argument %u can't be converted to the type of the others.", k, i + 1);
      return false;
    }
    out[i] = elems;
  }
  return true;
}

/* Returns the type of the product. If the element type of a factor is `any`, its actual elements must have one type, which the
** product gets. Returns NULL after reporting a mistake. */
static const hx_type *closed_type(hx_call *call, const hx_type *t, const hx_val *args, const hx_val *const *factors, uint32_t n) {
  if (!hx_type_has_dynamic(t->elem)) return t;
  const hx_type **elems = HX_NEW_ARRAY(call->cx, const hx_type *, n);
  for (uint32_t i = 0; i < n; i++) {
    elems[i] = hx_val_type(call->cx, &factors[i][0]);
    for (uint32_t k = 1; k < hx_unmarked(&args[i])->len; k++) {
      if (hx_type_equal(elems[i], hx_val_type(call->cx, &factors[i][k]))) continue;
      hx_fail_call(call, "The elements of argument %u have no common type.", i + 1);
      return NULL;
    }
  }
  const hx_type *tuple = hx_type_tuple(call->cx, elems, n);
  return t->kind == HX_K_SET ? hx_type_set(call->cx, tuple) : hx_type_list(call->cx, tuple);
}

/* Returns the tuples of the product, in the order of a counter whose last digit is the last argument. */
static hx_val *write_product(hx_call *call, const hx_val *args, const hx_val *const *factors, uint32_t n, uint32_t total) {
  hx_cx *cx = call->cx;
  hx_val *tuples = HX_NEW_ARRAY(cx, hx_val, total);
  hx_val *elems = HX_NEW_ARRAY(cx, hx_val, (size_t)total * n);
  uint32_t *at = HX_NEW_ARRAY(cx, uint32_t, n);
  memset(at, 0, n * sizeof *at);
  for (uint32_t k = 0; k < total; k++, elems += n) {
    for (uint32_t i = 0; i < n; i++) elems[i] = factors[i][at[i]];
    tuples[k] = hx_tuple(cx, elems, n);
    for (uint32_t i = n; i-- > 0;) {
      if (++at[i] < hx_unmarked(&args[i])->len) break;
      at[i] = 0;
    }
  }
  return tuples;
}

static hx_val product(hx_call *call, const hx_type *t, const hx_val *args, uint32_t n) {
  hx_cx *cx = call->cx;
  uint64_t total = 1;
  for (uint32_t i = 0; i < n; i++)
    if (!has_length(hx_unmarked(&args[i]))) return open_product(call, t, args, n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t len = hx_unmarked(&args[i])->len;
    if (len && total > UINT32_MAX / len) hx_abort(cx, HX_WHY_MEMORY);
    total *= len;
  }
  hx_charge_steps(cx, total);
  hx_need_memory(cx, 16 * total * (n + 1ull));
  const hx_val **factors = HX_NEW_ARRAY(cx, const hx_val *, n);
  hx_val *tuples = NULL;
  if (total) {
    if (!convert_factors(call, t->elem, args, factors, n)) return hx_none();
    t = closed_type(call, t, args, factors, n);
    if (!t) return hx_none();
    tuples = write_product(call, args, factors, n, (uint32_t)total);
  }
  return t->kind == HX_K_SET ? hx_set(cx, t->elem, tuples, (uint32_t)total) : hx_list(cx, t->elem, tuples, (uint32_t)total);
}

static hx_val fn_setproduct(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  const hx_type *t = product_type(call, args, n);
  if (!t) return hx_none();
  const hx_marks *marks = NULL;
  for (uint32_t i = 0; i < n; i++) marks = hx_marks_join(call->cx, marks, hx_marks_get(&args[i]));
  hx_val out = product(call, t, args, n);
  return call->failed ? out : hx_mark(call->cx, out, marks);
}

#define ANY_SET(name_) \
  { name_, &hx_type_set_dynamic, HX_ALLOW_DYNAMIC }

const hx_fn hx_fns_set[] = {
  { .name = "setunion",
    .type_fn = common_set,
    .impl = fn_setunion,
    .flags = HX_NOT_NULL,
    .params = { ANY_SET("first_set") },
    .rest = ANY_SET("other_sets"),
    .summary = "Returns the elements that are in any of the sets.",
    .doc = "The elements are converted to one type first. It is an error if they have no common type.",
    .example = "setunion([\"a\", \"b\"], [\"b\", \"c\"])" },
  { .name = "setintersection",
    .type_fn = common_set,
    .impl = fn_setintersection,
    .flags = HX_NOT_NULL,
    .params = { ANY_SET("first_set") },
    .rest = ANY_SET("other_sets"),
    .summary = "Returns the elements that are in all of the sets.",
    .doc = "The elements are converted to one type first. It is an error if they have no common type.",
    .example = "setintersection([\"a\", \"b\"], [\"b\", \"c\"])" },
  { .name = "setsubtract",
    .type_fn = common_set,
    .impl = fn_setsubtract,
    .flags = HX_NOT_NULL,
    .params = { ANY_SET("a"), ANY_SET("b") },
    .summary = "Returns the elements of the first set that are not in the second.",
    .doc = "The elements are converted to one type first. It is an error if they have no common type.",
    .example = "setsubtract([\"a\", \"b\"], [\"b\"])" },
  { .name = "setproduct",
    .impl = fn_setproduct,
    .flags = HX_NOT_NULL,
    .rest = { "sets", &hx_type_dynamic, HX_ALLOW_UNKNOWN | HX_ALLOW_MARKED },
    .summary = "Returns all combinations of elements, with one from each set.",
    .doc = "It takes at least two sets. Each combination is a tuple. Lists and tuples are allowed as well: without a set among the "
           "arguments, the result is a list in their order, otherwise a set.",
    .example = "setproduct([\"a\", \"b\"], [1, 2])" },
  { .name = NULL },
};
