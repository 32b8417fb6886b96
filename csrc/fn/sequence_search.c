/* sequence_search.c: functions that look for elements, choose among them or put them in order. Headers: vm/fn.h.
** Source: go-cty's stdlib for contains, distinct, compact, sort, coalescelist; Terraform's recorded answers for the others. */
#include "fn/arguments.h"
#include "value/open.h"
#include "value/sort.h"

/* contains, index */

/* Returns true if a string is searched in a list of known strings, as in most calls. */
static bool is_text_search(const hx_val *list, const hx_val *wanted) {
  return wanted->tag == HX_T_STR && hx_is_plain_seq(list);
}

static uint32_t find_text(const hx_val *list, hx_str wanted) {
  const hx_val *v = list->u.seq->v;
  uint32_t i = 0;
  while (i < list->len && !(v[i].tag == HX_T_STR && hx_str_eq(hx_val_str(&v[i]), wanted))) i++;
  return i;
}

static hx_val fn_contains(hx_call *call, const hx_val *args) {
  const hx_val *list = &args[0];
  if (!hx_is_seq(list)) {
    hx_str is = hx_arg_type(call, list);
    return hx_fail_call(call, "A list, set or tuple is searched, not %.*s.%s", HX_STR_ARG(is),
                        list->tag == HX_T_STR ? " strcontains() searches strings." : "");
  }
  bool open = false; /* an unknown element may be equal */
  hx_charge_steps(call->cx, list->len / 4);
  if (is_text_search(list, &args[1])) return hx_bool(find_text(list, hx_val_str(&args[1])) < list->len);
  for (uint32_t i = 0; i < list->len; i++) {
    hx_val eq = hx_equal_unmarked(call->cx, &args[1], &list->u.seq->v[i]);
    if (hx_is_true(&eq)) return hx_bool(true);
    if (eq.tag != HX_T_BOOL) open = true;
  }
  return open ? hx_unknown(call->cx, &hx_type_bool) : hx_bool(false);
}

static hx_val fn_index(hx_call *call, const hx_val *args) {
  const hx_val *list = &args[0];
  if (list->tag != HX_T_LIST && list->tag != HX_T_TUPLE)
    return hx_fail_with(call, HX_BLAME_CALL, "A list or a tuple is searched, not %s.", hx_arg_type(call, list));
  hx_charge_steps(call->cx, list->len / 4);
  uint32_t from = is_text_search(list, &args[1]) ? find_text(list, hx_val_str(&args[1])) : 0;
  for (uint32_t i = from; i < list->len; i++) {
    hx_val eq = hx_equal_unmarked(call->cx, &list->u.seq->v[i], &args[1]);
    if (eq.tag != HX_T_BOOL) return hx_unknown(call->cx, &hx_type_number);
    if (hx_is_true(&eq)) return hx_int_prec(i, 64);
  }
  return hx_fail_call(call, "No element of the list equals the value. Ask contains() first, or give a fallback with try().");
}

/* a single element */

static hx_val fail_several(hx_call *call, uint32_t n) {
  return hx_fail_telling(call, 0, "It has more than one element, and at most one is allowed.",
                         "It has %u elements, and at most one is allowed.", n);
}

static const hx_type *type_one(hx_call *call, const hx_val *args) {
  const hx_type *t = hx_val_type(call->cx, &args[0]);
  if (t->kind == HX_K_LIST || t->kind == HX_K_SET) return t->elem;
  if (t->kind == HX_K_TUPLE && t->n <= 1) return t->n ? t->elems[0] : &hx_type_dynamic;
  if (t->kind == HX_K_TUPLE) {
    fail_several(call, t->n);
  } else {
    hx_fail_with(call, 0, "It must be a list, set or tuple of at most one element, not %s.", hx_arg_type(call, &args[0]));
  }
  return NULL;
}

static hx_val fn_one(hx_call *call, const hx_val *args) {
  const hx_val *v = &args[0];
  if (!hx_is_seq(v)) {
    type_one(call, args);
    return hx_none();
  }
  if (v->len == 0) return hx_null(v->tag == HX_T_TUPLE ? &hx_type_dynamic : v->u.seq->elem);
  if (v->len == 1) return v->u.seq->v[0];
  if (hx_set_may_shrink(v)) return hx_unknown(call->cx, v->u.seq->elem);
  return fail_several(call, v->len);
}

/* alltrue, anytrue */

static hx_val fn_alltrue(hx_call *call, const hx_val *args) {
  for (uint32_t i = 0; i < args[0].len; i++) {
    const hx_val *v = &args[0].u.seq->v[i];
    if (hx_is_unknown(v)) return hx_unknown(call->cx, &hx_type_bool);
    if (!hx_is_true(v)) return hx_bool(false);
  }
  return hx_bool(true);
}

static hx_val fn_anytrue(hx_call *call, const hx_val *args) {
  bool open = false;
  for (uint32_t i = 0; i < args[0].len; i++) {
    const hx_val *v = &args[0].u.seq->v[i];
    if (hx_is_true(v)) return hx_bool(true);
    if (hx_is_unknown(v)) open = true;
  }
  return open ? hx_unknown(call->cx, &hx_type_bool) : hx_bool(false);
}

/* coalesce: converts the arguments to one type, then chooses the first that is neither null nor an empty string. reference: empty strings
** are skipped only if that type is string. */

static const hx_type *const primitives[] = {
  [HX_K_STRING] = &hx_type_string,
  [HX_K_NUMBER] = &hx_type_number,
  [HX_K_BOOL] = &hx_type_bool,
};

static const hx_type *coalesce_type(hx_call *call, const hx_val *args, uint32_t n) {
  hx_kind kind = n ? hx_val_kind(&args[0]) : HX_K_DYNAMIC;
  uint32_t same = 0;
  while (same < n && hx_val_kind(&args[same]) == kind) same++;
  if (n > 0 && same == n && (kind == HX_K_STRING || kind == HX_K_NUMBER || kind == HX_K_BOOL)) return primitives[kind];
  const hx_type **types = HX_NEW_ARRAY(call->cx, const hx_type *, n);
  for (uint32_t i = 0; i < n; i++) types[i] = hx_val_type(call->cx, &args[i]);
  return hx_unify(call->cx, types, n, false);
}

static bool any_open(const hx_val *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (hx_has_open(&args[i])) return true;
  return false;
}

/* Returns the chosen argument, in the type that all arguments share. */
static hx_val beside_all(hx_call *call, const hx_val *args, uint32_t n, uint32_t chosen, hx_val v) {
  for (uint32_t i = 0; i < n; i++)
    if (i != chosen) v = hx_beside(call->cx, &v, &args[i]);
  return v;
}

static hx_val fn_coalesce(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  const hx_type *t = n ? coalesce_type(call, args, n) : &hx_type_dynamic;
  bool open = any_open(args, n), parts = false;
  for (uint32_t i = 0; i < n; i++) parts = parts || hx_known_parts(hx_unmarked(&args[i]));
  for (uint32_t i = 0; parts && t && i < n; i++)
    if (!hx_is_null(&args[i]) && !hx_may_be_mapping(&args[i])) t = NULL;
  if (!t && open) return hx_unknown_untyped;
  if (!t) return hx_fail_call(call, "The arguments have no common type.");
  for (uint32_t i = 0; i < n; i++) {
    hx_val v;
    if (!hx_convert(call->cx, &args[i], t, &v, NULL)) continue;
    if (hx_is_unknown(&v) && !hx_open_of(&v)) return hx_unknown(call->cx, t);
    if (hx_is_null(&v) || (t->kind == HX_K_STRING && v.len == 0)) continue;
    return open ? beside_all(call, args, n, i, v) : v;
  }
  return hx_fail_call(call, "All arguments are null or empty strings. Add a last one that is neither.");
}

static hx_val fn_coalescelist(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  const hx_type *t = n ? hx_val_type(call->cx, &args[0]) : NULL;
  if (!t) return hx_fail_call(call, "At least one list must be given.");
  for (uint32_t i = 0; i < n; i++) {
    if (hx_is_unknown(&args[i])) {
      t = &hx_type_dynamic;
      break;
    }
    hx_kind kind = hx_val_kind(&args[i]);
    if (kind != HX_K_LIST && kind != HX_K_TUPLE)
      return hx_fail_with(call, HX_BLAME_CALL, "All arguments must be lists or tuples, not %s.", hx_arg_type(call, &args[i]));
  }
  for (uint32_t i = 0; i < n; i++) {
    if (hx_is_unknown(&args[i])) return hx_unknown(call->cx, t);
    if (!hx_is_null(&args[i]) && args[i].len > 0) return args[i];
  }
  return hx_fail_call(call, "All lists are null or empty. Add a last one that is neither.");
}

/* compact, distinct */

static bool is_text(const hx_val *v) {
  return v->tag == HX_T_STR && v->len > 0;
}

static hx_val fn_compact(hx_call *call, const hx_val *args) {
  const hx_val *v = &args[0];
  if (!hx_is_wholly_known(v)) return hx_unknown(call->cx, &hx_type_list_string);
  hx_need_memory(call->cx, 16ull * v->len);
  uint32_t kept = 0;
  while (kept < v->len && is_text(&v->u.seq->v[kept])) kept++;
  if (kept == v->len) return hx_seq_weighed(call->cx, &hx_type_string, v->u.seq->v, kept, v->u.seq->weight, true);
  hx_val *out = HX_NEW_ARRAY(call->cx, hx_val, v->len);
  if (kept) memcpy(out, v->u.seq->v, kept * sizeof *out);
  for (uint32_t i = kept; i < v->len; i++)
    if (is_text(&v->u.seq->v[i])) out[kept++] = v->u.seq->v[i];
  hx_arena_trim(&call->cx->arena, out, v->len * sizeof *out, kept * sizeof *out);
  return hx_list(call->cx, &hx_type_string, out, kept);
}

static const hx_type *type_of_first(hx_call *call, const hx_val *args) {
  return hx_val_type(call->cx, &args[0]);
}

static hx_val fn_distinct(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *v = &args[0];
  if (!hx_is_wholly_known(v)) return hx_unknown_of(cx, v);
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  bool *is_new = hx_arena_alloc(&cx->scratch, v->len);
  hx_value_set seen;
  hx_value_set_init(&seen, cx, v->u.seq->v, v->len);
  uint32_t kept = 0, count = hx_value_set_fill(&seen, v->len, is_new);
  hx_val *out = NULL;
  if (count < v->len) {
    hx_need_memory(cx, 16ull * count);
    out = HX_NEW_ARRAY(cx, hx_val, count);
    for (uint32_t i = 0; i < v->len; i++)
      if (is_new[i]) out[kept++] = v->u.seq->v[i];
  }
  hx_arena_release(&cx->scratch, mark);
  return out ? hx_list(cx, v->u.seq->elem, out, count) : *v;
}

/* matchkeys: values[i] for each keys[i] that is in searchset. */

/* Returns true if the key is among the elements. They are compared one by one, as in the reference, up to the first that is equal or may be
** equal. Sets *open to whether that one only may be equal. */
static bool is_among(hx_cx *cx, const hx_val *key, const hx_val *elements, bool *open) {
  hx_charge_steps(cx, elements->len);
  for (uint32_t i = 0; i < elements->len; i++) {
    hx_val eq = hx_equal(cx, key, &elements->u.seq->v[i]);
    *open = eq.tag != HX_T_BOOL;
    if (*open || hx_is_true(&eq)) return !*open;
  }
  return false;
}

static hx_val match_known(hx_cx *cx, const hx_val *values, const hx_val *keys, const hx_val *searched, hx_val *out) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_value_set set;
  hx_value_set_init(&set, cx, searched->u.seq->v, searched->len);
  hx_value_set_fill(&set, searched->len, NULL);
  uint32_t n = 0;
  hx_charge_steps(cx, keys->len / 4);
  for (uint32_t i = 0; i < keys->len; i++)
    if (hx_value_set_has(&set, &keys->u.seq->v[i])) out[n++] = values->u.seq->v[i];
  hx_arena_release(&cx->scratch, mark);
  return hx_list(cx, values->u.seq->elem, out, n);
}

static hx_val match_open(hx_cx *cx, const hx_val *values, const hx_val *keys, const hx_val *searched, hx_val *out) {
  uint32_t n = 0;
  bool open = false;
  for (uint32_t i = 0; i < keys->len && !open; i++)
    if (is_among(cx, &keys->u.seq->v[i], searched, &open)) out[n++] = values->u.seq->v[i];
  return hx_list(cx, values->u.seq->elem, out, open ? 0 : n);
}

static const hx_type *common_key_type(hx_call *call, const hx_val *args) {
  const hx_type *types[2] = { hx_val_type(call->cx, &args[1]), hx_val_type(call->cx, &args[2]) };
  const hx_type *t = hx_unify(call->cx, types, 2, false);
  if (!t) hx_fail_call(call, "The keys can't be compared with the third argument: they have no common type.");
  return t;
}

static const hx_type *type_matchkeys(hx_call *call, const hx_val *args) {
  return common_key_type(call, args) ? hx_val_type(call->cx, &args[0]) : NULL;
}

static hx_val fn_matchkeys(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_type *t = common_key_type(call, args);
  if (!t) return hx_none();
  const hx_val *values = &args[0];
  if (values->len != args[1].len) {
    return hx_fail_telling(call, HX_BLAME_CALL, "There are not as many keys as values, and each value must have its key.",
                           "There are %u values and %u keys, and each value must have its key.", values->len, args[1].len);
  }
  if (args[2].len == 0) return hx_list(cx, values->u.seq->elem, NULL, 0); /* reference: even if the keys couldn't be compared */
  hx_val keys, searched;
  if (!hx_convert(cx, &args[1], t, &keys, NULL) || !hx_convert(cx, &args[2], t, &searched, NULL)) {
    return hx_fail_call(call, "The keys can't be compared with the third argument: they have no common type.");
  }
  if (!hx_is_wholly_known(values) || !hx_is_wholly_known(&keys)) return hx_unknown_of(cx, values);
  hx_need_memory(cx, 16ull * values->len);
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, values->len);
  return hx_is_wholly_known(&searched) ? match_known(cx, values, &keys, &searched, out)
                                       : match_open(cx, values, &keys, &searched, out);
}

/* sort */

static hx_str element_text(void *ud, uint32_t i) {
  return hx_val_str(&((const hx_val *)ud)[i]);
}

static hx_val sort_strings(hx_cx *cx, const hx_val *v) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, v->len);
  const hx_val *from = v->u.seq->v;
  uint32_t *order = hx_arena_alloc(&cx->scratch, v->len * sizeof *order);
  hx_sort_texts(cx, v->len, element_text, (void *)(uintptr_t)from, order);
  for (uint32_t i = 0; i < v->len; i++) out[i] = from[order[i] & HX_SORT_INDEX];
  hx_arena_release(&cx->scratch, mark);
  return hx_seq_weighed(cx, &hx_type_string, out, v->len, v->u.seq->weight, true);
}

static hx_val fn_sort(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  const hx_val *v = &args[0];
  if (!hx_is_wholly_known(v)) {
    /* The order is unknown, the length isn't. */
    uint64_t min, max;
    hx_val out = hx_unknown_not_null(cx, &hx_type_list_string);
    hx_refine f;
    hx_length_bounds_of(v, &min, &max);
    hx_refine_begin(&f, &out);
    hx_refine_length(&f, min, max);
    return hx_refine_done(cx, &f);
  }
  hx_need_memory(cx, 16ull * v->len);
  for (uint32_t i = 0; i < v->len && !v->u.seq->plain; i++) {
    if (hx_is_null(&v->u.seq->v[i]))
      return hx_fail_telling(call, HX_BLAME_CALL,
                             "An element of the list is null, and nulls have no place in the order. Leave them out with compact().",
                             "Element %u of the list is null, and nulls have no place in the order. Leave them out with compact().",
                             i);
  }
  return sort_strings(cx, v);
}

static const hx_type list_bool = { .kind = HX_K_LIST, .elem = &hx_type_bool };

const hx_fn hx_fns_sequence_search[] = {
  { .name = "contains",
    .type = &hx_type_bool,
    .impl = fn_contains,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ITEMS_AS_LIST },
                { "value", &hx_type_dynamic, HX_ALLOW_NULL | HX_ALLOW_ITEMS | HX_ALLOW_OPEN } },
    .summary = "Returns true if a value is an element of a list.",
    .doc = "It searches a list, set or tuple. Values of different types are never equal: 1 is not \"1\".",
    .example = "contains([\"a\", \"b\"], \"b\")" },
  { .name = "index",
    .type = &hx_type_number,
    .impl = fn_index,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_dynamic, HX_ITEMS_AS_LIST }, { "value", &hx_type_dynamic, HX_ALLOW_ITEMS | HX_ALLOW_OPEN } },
    .summary = "Returns the index of the first element that equals a value.",
    .doc = "Indexes count from 0. It is an error if no element is equal.",
    .example = "index([\"a\", \"b\", \"c\"], \"b\")" },
  { .name = "one",
    .type_fn = type_one,
    .impl = fn_one,
    .params = { { "list", &hx_type_dynamic, HX_ITEM_AS_LIST } },
    .summary = "Returns the only element of a list, or null.",
    .doc = "An empty list, set or tuple gives null. More than one element is an error.",
    .example = "one([\"a\"])" },
  { .name = "alltrue",
    .type = &hx_type_bool,
    .impl = fn_alltrue,
    .flags = HX_NOT_NULL,
    .params = { { "list", &list_bool, HX_ITEMS_ANY_ORDER } },
    .summary = "Returns true if all elements are true.",
    .doc = "A null element is not true. For an empty list the result is true.",
    .example = "alltrue([true, \"true\"])" },
  { .name = "anytrue",
    .type = &hx_type_bool,
    .impl = fn_anytrue,
    .flags = HX_NOT_NULL,
    .params = { { "list", &list_bool, HX_ITEMS_ANY_ORDER } },
    .summary = "Returns true if any element is true.",
    .doc = "Null elements are ignored. For an empty list the result is false.",
    .example = "anytrue([false, true])" },
  { .name = "coalesce",
    .impl = fn_coalesce,
    .flags = HX_NOT_NULL,
    .rest = { "vals", &hx_type_dynamic, HX_ALLOW_ANY | HX_ALLOW_OPEN },
    .summary = "Returns the first argument that is neither null nor an empty string.",
    .doc =
        "All arguments are converted to one type first. It is an error if they have no common type, or if all are null or empty.",
    .example = "coalesce(\"\", null, \"c\")" },
  { .name = "coalescelist",
    .impl = fn_coalescelist,
    .flags = HX_NOT_NULL,
    .rest = { "vals", &hx_type_dynamic, HX_ALLOW_ANY | HX_ITEMS_AS_LIST },
    .summary = "Returns the first list that isn't empty.",
    .doc = "The arguments are lists or tuples. Null arguments are ignored. It is an error if all are null or empty.",
    .example = "coalescelist([], [\"a\"], [\"b\"])" },
  { .name = "compact",
    .type = &hx_type_list_string,
    .impl = fn_compact,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_list_string, 0 } },
    .summary = "Removes null and empty strings from a list.",
    .doc = "The other strings keep their order.",
    .example = "compact([\"a\", \"\", \"b\"])" },
  { .name = "distinct",
    .type_fn = type_of_first,
    .impl = fn_distinct,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_list_dynamic, 0 } },
    .summary = "Removes repeated elements from a list.",
    .doc = "The first of several equal elements stays. The order is kept.",
    .example = "distinct([\"b\", \"a\", \"b\"])" },
  { .name = "matchkeys",
    .type_fn = type_matchkeys,
    .impl = fn_matchkeys,
    .flags = HX_NOT_NULL,
    .params = { { "values", &hx_type_list_dynamic, 0 },
                { "keys", &hx_type_list_dynamic, 0 },
                { "searchset", &hx_type_list_dynamic, 0 } },
    .summary = "Selects values by their keys.",
    .doc = "The first two lists belong together: keys[i] is the key of values[i]. The result has the values whose keys are "
           "elements of the third argument.",
    .example = "matchkeys([\"i-1\", \"i-2\"], [\"eu\", \"us\"], [\"us\"])" },
  { .name = "sort",
    .type = &hx_type_list_string,
    .impl = fn_sort,
    .flags = HX_NOT_NULL,
    .params = { { "list", &hx_type_list_string, HX_ALLOW_UNKNOWN | HX_ITEMS_ANY_ORDER } },
    .summary = "Sorts strings.",
    .doc = "The order is that of the UTF-8 bytes: upper case before lower case, and letters with accents after all others. Numbers "
           "are converted to strings first.",
    .example = "sort([\"b\", \"C\", \"a\"])" },
  { .name = NULL },
};
