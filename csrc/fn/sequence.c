/* sequence.c: functions that take lists, sets and tuples apart and put them together. Headers: vm/fn.h.
** Source: go-cty's stdlib (collection, sequence) and, where Terraform has its own function (length), its recorded answers. */
#include "fn/arguments.h"
#include "base/vec.h"
#include "text/unicode.h"
#include "value/open.h"
#include "vm/host.h"

#define LENGTH_PREC 64 /* precision of counts */

/* length */

static hx_val count(uint64_t n) {
  return hx_int_prec((int64_t)n, LENGTH_PREC);
}

/* Returns an unknown count, or a known one if the bounds are equal. A max above INT64_MAX, such as HX_NO_MAX, counts as INT64_MAX. */
static hx_val count_between(hx_cx *cx, uint64_t min, uint64_t max) {
  hx_val n = hx_unknown_not_null(cx, &hx_type_number);
  hx_refine f;
  hx_refine_begin(&f, &n);
  hx_refine_min(&f, count(min), true);
  hx_refine_max(&f, count(max > INT64_MAX ? INT64_MAX : max), true);
  return hx_refine_done(cx, &f);
}

static hx_val count_at_least(hx_cx *cx, uint64_t min) {
  hx_val n = hx_unknown_not_null(cx, &hx_type_number);
  hx_refine f;
  hx_refine_begin(&f, &n);
  hx_refine_min(&f, count(min), true);
  return hx_refine_done(cx, &f);
}

/* Counts items. A set may have fewer elements, and a single block may be an object with any number of attributes. */
static hx_val count_items(hx_cx *cx, const hx_val *v) {
  uint32_t n = hx_items_of(v)->len;
  if (hx_items_differ(cx, v)) return count(n);
  return n > 1 ? count_between(cx, 1, n) : count_at_least(cx, 1);
}

static hx_val length_of_unknown(hx_cx *cx, const hx_val *v) {
  const hx_type *t = v->u.unk->type;
  uint64_t min, max;
  if (t->kind == HX_K_STRING) {
    hx_str prefix = hx_prefix_of(v);
    hx_charge_characters(cx, prefix);
    return count_at_least(cx, hx_unicode_knows(prefix) ? hx_grapheme_count(prefix) : 1);
  }
  if (t->kind == HX_K_TUPLE || t->kind == HX_K_OBJECT) return count(t->n);
  if (hx_open_of(v)) return count_at_least(cx, hx_open_of(v)->len);
  if (hx_items_of(v)) return count_items(cx, v);
  if (t->kind == HX_K_DYNAMIC) return hx_unknown(cx, &hx_type_number);
  hx_length_bounds_of(v, &min, &max);
  return count_between(cx, min, max);
}

static hx_val length_of_foreign(hx_call *call, const hx_val *v) {
  hx_kind kind;
  uint32_t n;
  hx_answer answer = call->host->shape(call->host, call->cx, v, &kind, &n, NULL);
  if (answer == HX_ANSWER_OK) return count(n);
  return answer == HX_ANSWER_WAIT ? hx_none() : hx_unknown(call->cx, &hx_type_number);
}

static hx_val length_of(hx_call *call, const hx_val *v) {
  hx_kind kind = hx_val_kind(v);
  if (kind == HX_K_NUMBER || kind == HX_K_BOOL || kind == HX_K_CAPSULE)
    return hx_fail_with(call, HX_BLAME_CALL, "The value is %s, which has no length. Strings, collections and objects have one.",
                        hx_arg_type(call, v));
  if (hx_is_unknown(v)) return length_of_unknown(call->cx, v);
  if (kind == HX_K_STRING) {
    if (!hx_unicode_knows(hx_val_str(v))) return hx_fail_unknown_characters(call);
    hx_charge_characters(call->cx, hx_val_str(v));
    return count(hx_grapheme_count(hx_val_str(v)));
  }
  if (hx_set_may_shrink(v)) return count_between(call->cx, 1, v->len);
  return count(v->len);
}

/* Returns true if the value's length is exactly the number of its elements. A set may have fewer, because unknown elements may turn
** out equal. */
static bool is_counted(const hx_val *v) {
  return v->tag == HX_T_LIST || v->tag == HX_T_TUPLE || hx_is_obj(v);
}

static const hx_val *quick_length(const hx_val *args, uint32_t n, hx_val *room) {
  (void)n;
  if (!is_counted(&args[0])) return NULL;
  *room = count(args[0].len);
  return room;
}

static hx_val fn_length(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  if (is_counted(v)) return hx_mark(call->cx, count(v->len), hx_marks_get(&args[0]));
  if (v->tag == HX_T_FOREIGN) return length_of_foreign(call, v);
  hx_val len = length_of(call, v);
  return call->failed ? len : hx_mark(call->cx, len, hx_marks_get(&args[0]));
}

/* element */

static hx_val fail_elements(hx_call *call, const hx_val *v) {
  return hx_fail_with(call, HX_BLAME_CALL, "The value is %s, whose elements are not counted. Give a list or a tuple.",
                      hx_arg_type(call, v));
}

/* Reads an index, which wraps around at both ends. Returns false after reporting a mistake. */
static bool wrapped_index(hx_call *call, const hx_val *index, uint32_t len, uint32_t *out) {
  int64_t i;
  if (!hx_arg_whole(index, &i)) {
    hx_fail_call(call, "The index must be a whole number. Use floor() for one that has a fraction.");
    return false;
  }
  if (len == 0) {
    hx_fail_call(call, "The list is empty, so it has no element at any index. Test its length() first.");
    return false;
  }
  i %= (int64_t)len;
  *out = (uint32_t)(i < 0 ? i + (int64_t)len : i);
  return true;
}

static const hx_type *type_element(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  const hx_type *t = hx_val_type(call->cx, v);
  uint32_t i;
  if (t->kind == HX_K_LIST) return t->elem;
  if (t->kind != HX_K_TUPLE) {
    fail_elements(call, v);
    return NULL;
  }
  if (hx_is_unknown(&args[1])) return &hx_type_dynamic;
  return wrapped_index(call, &args[1], t->n, &i) ? t->elems[i] : NULL;
}

static hx_val fn_element(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  uint32_t i;
  if (v->tag != HX_T_LIST && v->tag != HX_T_TUPLE) return fail_elements(call, v);
  if (!wrapped_index(call, &args[1], v->len, &i)) return hx_none();
  return hx_mark(call->cx, v->u.seq->v[i], hx_marks_get(&args[0]));
}

/* slice */

typedef struct slice_at {
  int64_t start, end;
  bool known; /* both indexes are known */
} slice_at;

static bool slice_bound(hx_call *call, const hx_val *args, int32_t i, int64_t length, int64_t *out) {
  const char *which = i == 1 ? "start" : "end";
  if (!hx_arg_whole(&args[i], out)) hx_fail(call, i, "The %s index must be a whole number.", which);
  else if (*out < 0) hx_fail(call, i, "The %s index is negative. Indexes are counted from 0.", which);
  else if (length >= 0 && *out > length && hx_arg_is_marked(call, 0))
    hx_fail(call, i, "The %s index is past the end of the list.", which);
  else if (length >= 0 && *out > length)
    hx_fail(call, i, "The %s index is past the end of the list, whose length is %lld.", which, (long long)length);
  return !call->failed;
}

/* Reads the indexes that are known. Returns false after reporting a mistake. length < 0: unknown. */
static bool slice_bounds(hx_call *call, const hx_val *args, int64_t length, slice_at *at) {
  bool start = !hx_is_unknown(&args[1]), end = !hx_is_unknown(&args[2]);
  if (start && !slice_bound(call, args, 1, length, &at->start)) return false;
  if (end && !slice_bound(call, args, 2, length, &at->end)) return false;
  at->known = start && end;
  if (at->known && at->start > at->end) {
    hx_fail(call, 1, "The start index is greater than the end index.");
    return false;
  }
  return true;
}

static bool slice_list(hx_call *call, const hx_val *v) {
  hx_kind kind = hx_val_kind(v);
  if (kind == HX_K_LIST || kind == HX_K_TUPLE) return true;
  if (kind == HX_K_SET) {
    hx_fail(call, 0, "Elements of a set have no index. Make it a list with tolist() if the set's order is enough.");
  } else {
    hx_fail_with(call, 0, "It must be a list or a tuple, not %s. For strings there is substr().", hx_arg_type(call, v));
  }
  return false;
}

static const hx_type *type_slice(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  slice_at at = { 0, 0, false };
  if (!slice_list(call, v)) return NULL;
  const hx_type *t = hx_val_type(call->cx, v);
  int64_t length = t->kind == HX_K_TUPLE ? (int64_t)t->n : hx_is_unknown(v) ? -1 : (int64_t)v->len;
  if (!slice_bounds(call, args, length, &at)) return NULL;
  if (t->kind == HX_K_LIST) return t;
  return at.known ? hx_type_tuple(call->cx, t->elems + at.start, (uint32_t)(at.end - at.start)) : &hx_type_dynamic;
}

static hx_val fn_slice(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  slice_at at = { 0, 0, false };
  if (!slice_list(call, v) || !slice_bounds(call, args, v->len, &at)) return hx_none();
  hx_val out = hx_list(call->cx, v->u.seq->elem, v->u.seq->v + at.start, (uint32_t)(at.end - at.start));
  return hx_mark(call->cx, out, hx_marks_get(&args[0]));
}

/* reverse */

static bool reversible(hx_call *call, const hx_val *v) {
  if (hx_kind_is_seq(hx_val_kind(v))) return true;
  hx_fail_with(call, 0, "It must be a list or a tuple, not %s. For strings there is strrev().", hx_arg_type(call, v));
  return false;
}

static const hx_type *type_reverse(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  if (!reversible(call, v)) return NULL;
  const hx_type *t = hx_val_type(call->cx, v);
  if (t->kind != HX_K_TUPLE) return hx_type_list(call->cx, t->elem);
  const hx_type **elems = HX_NEW_ARRAY(call->cx, const hx_type *, t->n);
  for (uint32_t i = 0; i < t->n; i++) elems[t->n - 1 - i] = t->elems[i];
  return hx_type_tuple(call->cx, elems, t->n);
}

static hx_val fn_reverse(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  if (!reversible(call, v)) return hx_none();
  hx_need_memory(call->cx, 16ull * v->len);
  hx_val *out = HX_NEW_ARRAY(call->cx, hx_val, v->len);
  for (uint32_t i = 0; i < v->len; i++) out[v->len - 1 - i] = v->u.seq->v[i];
  hx_val list = hx_seq_weighed(call->cx, v->u.seq->elem, out, v->len, v->u.seq->weight, v->u.seq->plain);
  return hx_mark(call->cx, list, hx_marks_get(&args[0]));
}

/* concat: lists with a common type give a list, anything else gives a tuple. */

static bool concat_takes(hx_call *call, const hx_val *v, uint32_t i) {
  hx_kind kind = hx_val_kind(v);
  if (kind == HX_K_LIST || kind == HX_K_TUPLE) return true;
  hx_str is = hx_arg_type(call, v);
  hx_fail(call, (int32_t)i, "It must be a list or a tuple, not %.*s.%s", HX_STR_ARG(is),
          kind == HX_K_SET ? " tolist() makes a list of a set; setunion() joins sets." : "");
  return false;
}

/* Returns the list type to which all arguments convert, or NULL. */
static const hx_type *common_list(hx_call *call, const hx_val *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (hx_val_kind(hx_unmarked(&args[i])) != HX_K_LIST) return NULL;
  const hx_type **types = HX_NEW_ARRAY(call->cx, const hx_type *, n);
  bool same = true;
  for (uint32_t i = 0; i < n; i++) {
    types[i] = hx_val_type(call->cx, hx_unmarked(&args[i]));
    if (i > 0 && !hx_type_equal(types[0], types[i])) same = false;
  }
  return same ? hx_type_plain(call->cx, types[0]) : hx_unify(call->cx, types, n, false);
}

static const hx_type *tuple_of_all(hx_call *call, const hx_val *args, uint32_t n) {
  HX_VEC(const hx_type *) elems = { 0 };
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = hx_unmarked(&args[i]);
    if (!concat_takes(call, v, i)) return NULL;
    const hx_type *t = hx_val_type(call->cx, v);
    bool tuple = t->kind == HX_K_TUPLE;
    if (!tuple && hx_is_unknown(v)) return &hx_type_dynamic;
    uint32_t len = tuple ? t->n : v->len;
    for (uint32_t k = 0; k < len; k++) *HX_VEC_PUSH(&call->cx->arena, &elems) = tuple ? t->elems[k] : t->elem;
  }
  return hx_type_tuple(call->cx, elems.p, elems.n);
}

static const hx_type *type_concat(hx_call *call, const hx_val *args) {
  const hx_type *list = common_list(call, args, call->n);
  return list ? list : tuple_of_all(call, args, call->n);
}

/* Converts the arguments that aren't of the list type yet. Returns false after reporting a mistake. */
static bool as_lists(hx_call *call, const hx_type *list, const hx_val *args, hx_val *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (hx_type_equal(hx_unmarked(&args[i])->u.seq->elem, list->elem)) {
      out[i] = args[i];
    } else if (!hx_convert(call->cx, &args[i], list, &out[i], NULL)) {
      hx_fail_with(call, (int32_t)i, "It can't be converted to a %s like the other lists.", hx_type_friendly(call->cx, list));
      return false;
    }
  }
  return true;
}

/* The lists to join, and their total length, weight and marks. */
typedef struct joining {
  const hx_val *lists;
  uint32_t n;
  uint64_t total, weight;
  bool plain;
  const hx_marks *marks;
} joining;

/* Adds up the lists to join. Returns false after reporting an argument that isn't a list. */
static bool look_at_lists(hx_call *call, joining *j) {
  for (uint32_t i = 0; i < j->n; i++) {
    const hx_val *v = hx_unmarked(&j->lists[i]);
    if (!concat_takes(call, v, i)) return false;
    j->plain = j->plain && v->u.seq->plain;
    j->marks = hx_marks_join(call->cx, j->marks, hx_marks_get(&j->lists[i]));
    j->total += v->len;
    j->weight = hx_check_weight(call->cx, j->weight + v->u.seq->weight);
  }
  hx_need_memory(call->cx, 16 * j->total);
  return true;
}

static hx_val *join(hx_cx *cx, const joining *j) {
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, (size_t)j->total), *to = out;
  for (uint32_t i = 0; i < j->n; i++) {
    const hx_val *v = hx_unmarked(&j->lists[i]);
    if (v->len) memcpy(to, v->u.seq->v, v->len * sizeof *to);
    to += v->len;
  }
  return out;
}

/* Returns the elements of all lists. If only one list has elements, they aren't copied. */
static const hx_val *elements_of(hx_cx *cx, const joining *j) {
  for (uint32_t i = 0; i < j->n; i++) {
    const hx_val *v = hx_unmarked(&j->lists[i]);
    if (v->len == j->total) return v->u.seq->v;
  }
  return join(cx, j);
}

/* Joins lists whose common type doesn't have an element type. The actual elements must share one. */
static hx_val join_open(hx_call *call, const joining *j) {
  const hx_type *elem;
  hx_val *all = join(call->cx, j);
  if (hx_elem_type(call->cx, all, (uint32_t)j->total, &elem)) return hx_list(call->cx, elem, all, (uint32_t)j->total);
  return hx_fail_call(call, "The elements of the lists have no common type.");
}

static hx_val fn_concat(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  if (n == 0) return hx_fail_call(call, "At least one list must be given.");
  const hx_type *list = common_list(call, args, n);
  joining j = { .lists = args, .n = n, .plain = true };
  if (list) {
    hx_val *converted = HX_NEW_ARRAY(call->cx, hx_val, n);
    if (!as_lists(call, list, args, converted, n)) return hx_none();
    j.lists = converted;
  }
  if (!look_at_lists(call, &j)) return hx_none();
  hx_val out;
  if (list && j.total && hx_type_has_dynamic(list->elem)) {
    out = join_open(call, &j);
    if (call->failed) return out;
  } else {
    out = hx_seq_weighed(call->cx, list ? list->elem : NULL, elements_of(call->cx, &j), (uint32_t)j.total, j.weight, j.plain);
  }
  return hx_mark(call->cx, out, j.marks);
}

/* flatten: replaces elements that are sequences by their elements, at every level. Only the marks of sequences that were taken apart move
** to the result. */

typedef struct flattened {
  hx_cx *cx;
  HX_VEC(hx_val) out;
  uint64_t weight; /* weight of its elements */
  const hx_marks *marks;
  bool known, plain;
} flattened;

static void flatten_seq(flattened *f, const hx_val *v, const hx_marks *marks);

static void flatten_value(flattened *f, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_seq(bare)) {
    flatten_seq(f, bare, hx_marks_get(v));
  } else if (hx_are_sure_elements(bare)) {
    flatten_seq(f, hx_items_of(bare), hx_marks_get(v));
  } else if (hx_is_unknown(bare) && hx_kind_is_seq((hx_kind)bare->u.unk->type->kind)) {
    f->known = false;
    f->marks = hx_marks_join(f->cx, f->marks, hx_marks_get(v));
  } else {
    /* An unknown of any type may become anything, unless it is marked: the reference doesn't look below the mark. */
    if (v->tag == HX_T_UNKNOWN && v->u.unk->type->kind == HX_K_DYNAMIC && !hx_open_of(v)) {
      f->known = false;
      f->marks = hx_marks_join(f->cx, f->marks, hx_open_marks(f->cx, v));
    }
    if (v->tag > HX_T_STR) f->plain = false;
    f->weight += hx_val_weight(v);
    *HX_VEC_PUSH(&f->cx->arena, &f->out) = *v;
  }
}

/* This many elements are examined to estimate the total. */
#define SAMPLES 64u

/* Estimates the total number of elements, assuming that the list's elements contain no further lists. */
static uint64_t expect_two_levels(const hx_val *v) {
  uint32_t step = v->len / SAMPLES + 1, looked = 0, least = UINT32_MAX, most = 0;
  uint64_t sum = 0;
  if (v->u.seq->plain) return v->len;
  for (uint32_t i = 0; i < v->len; i += step, looked++) {
    const hx_val *inner = &v->u.seq->v[i];
    uint32_t n = hx_is_seq(inner) ? inner->len : 1;
    least = n < least ? n : least;
    most = n > most ? n : most;
    sum += n;
  }
  uint64_t total = step == 1 ? sum : v->len * sum / looked;
  return step == 1 || least == most ? total : total + total / 8;
}

/* Copies the elements of a plain sequence, which are known primitives, without examining them. f->out must have room for them. */
HX_INLINE void take_plain(flattened *f, const hx_val *v) {
  if (!v->len) return; /* either array may still be NULL */
  hx_val *to = f->out.p + f->out.n;
  const hx_val *from = v->u.seq->v;
  if (v->len > 8) memcpy(to, from, v->len * sizeof *to);
  else
    for (const hx_val *end = from + v->len; from < end; from++) *to++ = *from;
  f->out.n += v->len;
  f->weight += v->u.seq->weight;
}

static void flatten_seq(flattened *f, const hx_val *v, const hx_marks *marks) {
  hx_stack_check();
  if (marks) f->marks = hx_marks_join(f->cx, f->marks, marks);
  if (hx_set_may_shrink(v)) {
    f->known = false;
    return;
  }
  /* Shared parts can make the result far larger than the argument. */
  hx_charge_steps(f->cx, v->len);
  hx_need_memory(f->cx, 16ull * ((uint64_t)f->out.n + v->len));
  if (v->u.seq->plain) {
    HX_VEC_RESERVE(&f->cx->arena, &f->out, v->len);
    take_plain(f, v);
    return;
  }
  const hx_val *at = v->u.seq->v, *end = at + v->len;
  for (; at < end; at++) {
    if (hx_is_plain_seq(at) && f->out.cap - f->out.n >= at->len) {
      hx_charge_steps(f->cx, at->len);
      take_plain(f, at);
    } else {
      flatten_value(f, at);
    }
  }
}

static hx_val fn_flatten(hx_call *call, const hx_val *args) {
  const hx_val *v = hx_unmarked(&args[0]);
  flattened f = { .cx = call->cx, .known = true, .plain = true };
  if (hx_is_seq(v)) {
    uint64_t total = expect_two_levels(v);
    if (total <= call->cx->memory_left / 16 && total <= UINT32_MAX) HX_VEC_RESERVE(&call->cx->arena, &f.out, (uint32_t)total);
    flatten_seq(&f, v, hx_marks_get(&args[0]));
  } else if (hx_is_obj(v) && !hx_is_wholly_known(v)) {
    /* The reference checks the type only if the value is wholly known. */
    hx_iter it;
    f.marks = hx_marks_get(&args[0]);
    for (hx_iter_init(call->cx, &it, v); hx_iter_next(&it);) flatten_value(&f, it.value);
  } else {
    return hx_fail_with(call, HX_BLAME_CALL, "It must be a list, set or tuple, not %s.", hx_arg_type(call, v));
  }
  hx_arena_trim(&call->cx->arena, f.out.p, f.out.cap * sizeof *f.out.p, f.out.n * sizeof *f.out.p);
  hx_val out = f.known ? hx_seq_weighed(call->cx, NULL, f.out.p, f.out.n, f.weight, f.plain) : hx_unknown_dynamic;
  return hx_mark(call->cx, out, f.marks);
}

/* chunklist */

static const hx_type *type_chunklist(hx_call *call, const hx_val *args) {
  return hx_type_list(call->cx, hx_val_type(call->cx, hx_unmarked(&args[0])));
}

static hx_val fn_chunklist(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *v = hx_unmarked(&args[0]);
  int64_t size;
  if (!hx_arg_whole(hx_unmarked(&args[1]), &size)) return hx_fail_call(call, "The size of the chunks must be a whole number.");
  if (size < 0) return hx_fail_call(call, "The size of the chunks is negative. It must be at least 1, or 0 for one chunk of all.");
  if (size == 0 || size > v->len) size = v->len;
  uint32_t chunks = v->len ? (uint32_t)(((uint64_t)v->len + (uint64_t)size - 1) / (uint64_t)size) : 0;
  hx_charge_steps(cx, chunks / 4);
  hx_need_memory(cx, 16ull * chunks);
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, chunks);
  for (uint32_t i = 0; i < chunks; i++) {
    uint32_t start = i * (uint32_t)size, rest = v->len - start;
    out[i] = hx_list(cx, v->u.seq->elem, v->u.seq->v + start, rest < (uint32_t)size ? rest : (uint32_t)size);
  }
  const hx_type *chunk = hx_type_list(cx, v->u.seq->elem);
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(&args[0]), hx_marks_get(&args[1]));
  return hx_mark(cx, hx_list(cx, chunk, out, chunks), marks);
}

/* range */

#define RANGE_MAX 1024 /* elements: the reference's own limit */

typedef struct range_of {
  hx_val start, end, step;
} range_of;

static bool range_arguments(hx_call *call, const hx_val *args, uint32_t n, range_of *r) {
  if (n < 1 || n > 3) {
    hx_fail_call(call, "It takes one, two or three numbers: range(end), range(start, end), range(start, end, step).");
    return false;
  }
  r->start = n > 1 ? args[0] : count(0);
  r->end = n > 1 ? args[1] : args[0];
  int order = hx_num_cmp(&r->end, &r->start);
  r->step = n > 2 ? args[2] : order < 0 ? hx_int_prec(-1, LENGTH_PREC) : count(1);
  int way = hx_num_sign(&r->step);
  if (way < 0 && order > 0) hx_fail(call, 1, "With a negative step the end must not be greater than the start.");
  if (way >= 0 && order < 0) hx_fail(call, 1, "With a positive step the end must not be less than the start.");
  return !call->failed;
}

static hx_val fn_range(hx_call *call, const hx_val *args) {
  range_of r;
  if (!range_arguments(call, args, call->n, &r)) return hx_none();
  bool down = hx_num_sign(&r.step) < 0;
  HX_VEC(hx_val) out = { 0 };
  hx_val at = r.start;
  while (down ? hx_num_cmp(&at, &r.end) > 0 : hx_num_cmp(&at, &r.end) < 0) {
    if (out.n == RANGE_MAX)
      return hx_fail_call(call, "More than %d numbers would be in the list. Make the step larger or the ends closer.", RANGE_MAX);
    hx_charge_steps(call->cx, 1);
    *HX_VEC_PUSH(&call->cx->arena, &out) = at;
    at = hx_num_add(call->cx, &at, &r.step);
    if (at.tag == HX_T_NONE) return hx_fail_call(call, "Infinite numbers of opposite signs can't be added.");
  }
  hx_charge_steps(call->cx, out.n / 4); /* charged at the end, because at most RANGE_MAX numbers are made */
  return hx_list(call->cx, &hx_type_number, out.p, out.n);
}

const hx_fn hx_fns_sequence[] = {
  { .name = "length",
    .type = &hx_type_number,
    .impl = fn_length,
    .quick = quick_length,
    .flags = HX_NOT_NULL | HX_FOREIGN_OK,
    .params = { { "value", &hx_type_dynamic,
                  HX_ALLOW_UNKNOWN | HX_ALLOW_DYNAMIC | HX_ALLOW_MARKED | HX_ALLOW_OPEN | HX_ALLOW_ITEMS } },
    .summary = "Returns the number of elements of a collection, or of characters of a string.",
    .doc = "It counts the elements of a list, set, tuple or map, the attributes of an object, and the characters of a string. A "
           "character includes its accents, and an emoji its modifiers.",
    .example = "length([\"a\", \"b\"])" },
  { .name = "element",
    .type_fn = type_element,
    .impl = fn_element,
    .params = { { "list", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEMS_AS_LIST }, HX_NUMBER("index") },
    .summary = "Returns an element of a list. The index wraps around.",
    .doc = "The first element has index 0. An index past the end starts again at the first element, and a negative index counts "
           "from the end. An empty list is an error.",
    .example = "element([\"a\", \"b\", \"c\"], 4)" },
  { .name = "slice",
    .type_fn = type_slice,
    .impl = fn_slice,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEMS_AS_LIST },
                HX_NUMBER("start_index"),
                HX_NUMBER("end_index") },
    .summary = "Returns a part of a list.",
    .doc = "The part begins at the start index and ends before the end index. Both must lie within the list.",
    .example = "slice([\"a\", \"b\", \"c\", \"d\"], 1, 3)" },
  { .name = "reverse",
    .type_fn = type_reverse,
    .impl = fn_reverse,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEM_AS_LIST } },
    .summary = "Reverses the order of a list.",
    .doc = "A set counts as a list in the set's order.",
    .example = "reverse([1, 2, 3])" },
  { .name = "concat",
    .type_fn = type_concat,
    .impl = fn_concat,
    .flags = HX_NOT_NULL,
    .rest = { "seqs", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEMS_AS_LIST },
    .summary = "Joins lists.",
    .doc = "Lists with a common type give a list. If an argument is a tuple, the result is a tuple.",
    .example = "concat([\"a\"], [\"b\", \"c\"])" },
  { .name = "flatten",
    .impl = fn_flatten,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ALLOW_MARKED | HX_ITEM_AS_LIST } },
    .summary = "Replaces lists inside a list by their elements.",
    .doc = "Lists, sets and tuples are replaced at every depth. Maps and objects stay whole.",
    .example = "flatten([[\"a\", [\"b\"]], [], \"c\"])" },
  { .name = "chunklist",
    .type_fn = type_chunklist,
    .impl = fn_chunklist,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_list_dynamic, HX_ALLOW_MARKED }, { "size", &hx_type_number, HX_ALLOW_MARKED } },
    .summary = "Splits a list into pieces of a given length.",
    .doc = "The last piece may be shorter. With a size of 0 there is one piece with all elements.",
    .example = "chunklist([1, 2, 3, 4, 5], 2)" },
  { .name = "range",
    .type = &hx_type_list_number,
    .impl = fn_range,
    .flags = HX_NOT_NULL,
    .rest = HX_NUMBER("params"),
    .summary = "Returns a list of evenly spaced numbers.",
    .doc =
        "range(end) counts from 0, and range(start, end) from the start, in steps of 1, or of -1 if the end is lower. range(start, "
        "end, step) counts in steps of the given size. The end is never in the list. The list has at most 1,024 numbers.",
    .example = "range(1, 8, 3)" },
  { .name = NULL },
};
