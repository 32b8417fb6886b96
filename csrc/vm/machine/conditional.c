/* conditional.c: executes conditionals. Source: reference's ConditionalExpr.Value. Both results were evaluated; the errors of the result
** not chosen are dropped here. If the results have no common type, that is the only error, because the reference finds it before
** the condition. */
#include "vm/machine/parts.h"

#include "value/open.h"
#include "vm/machine/coverage.h"

/* Replaces the condition by BOOL or unknown (both may be marked), or by NONE if an error was reported. */
hx_went hx_slow_cond(hx_machine *m, const hx_instr *in) {
  (void)in;
  const hx_node *node = hx_machine_node(m);
  hx_val *v = m->top - 1;
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_null(bare)) {
    hx_diag_add(&m->cx, HX_D_CONDITION_NULL, m->program->source, hx_node_range(node->u.kids.first))->context = hx_node_range(node);
    *v = hx_none();
  } else if (bare->tag != HX_T_BOOL && (!hx_is_unknown(bare) || hx_open_of(bare) || m->host->check)) {
    hx_why_not why = { { "", 0 } };
    hx_val out;
    if (hx_convert(&m->cx, v, &hx_type_bool, &out, &why)) { /* the marks stay: they hide values that a rejection would show */
      *v = out;
    } else {
      hx_diag_add(&m->cx, HX_D_CONDITION_TYPE, m->program->source, hx_node_range(node->u.kids.first), HX_STR_ARG(why.text))
          ->context = hx_node_range(node);
      *v = hx_none();
    }
  }
  if (hx_covers(m)) hx_coverage_open(m, node, v);
  return HX_WENT_ON;
}

typedef struct choice {
  const hx_val *cond, *yes, *no;
  const hx_type *type; /* of the result */
  bool convert_yes, convert_no;
  bool unsettled; /* whether the results have a common type depends on open objects inside */
} choice;

static bool is_plain_null(const hx_val *v) {
  return v->tag == HX_T_NULL && v->u.type->kind == HX_K_DYNAMIC;
}

/* Returns true if v is of a kind that `open` can't become. An open object is an object or a map, and items that aren't blocks are a
** sequence. */
static bool is_other_than(const hx_val *v, const hx_val *open) {
  const hx_val *bare = hx_unmarked(open);
  if (hx_open_of(bare)) return !hx_may_be_mapping(v);
  return hx_items_of(bare) && !hx_is_blocks(bare) && !hx_may_be_sequence(v);
}

/* Returns true if the type is certain although parts of the results have unknown types. If t is a collection of strings, all
** elements become strings; if t contains `any`, settled() keeps only what is certain. */
static bool is_sure(const hx_type *t) {
  return hx_type_has_dynamic(t) || (hx_type_is_collection(t) && t->elem->kind == HX_K_STRING);
}

/* Finds the type that both results have or can become. Returns false if they have no common type. */
static bool find_type(hx_cx *cx, choice *c) {
  c->convert_yes = c->convert_no = c->unsettled = false;
  if (is_plain_null(c->yes)) {
    c->type = hx_val_type(cx, c->no);
    c->convert_yes = true;
    return true;
  }
  if (is_plain_null(c->no)) {
    c->type = hx_val_type(cx, c->yes);
    c->convert_no = true;
    return true;
  }
  if (hx_val_kind(c->yes) == HX_K_DYNAMIC || hx_val_kind(c->no) == HX_K_DYNAMIC) {
    c->type = &hx_type_dynamic;
    return !is_other_than(c->yes, c->no) && !is_other_than(c->no, c->yes);
  }
  const hx_type *types[2] = { hx_val_type(cx, c->yes), hx_val_type(cx, c->no) };
  if (types[0] == types[1]) {
    c->type = hx_type_plain(cx, types[0]);
    c->convert_yes = c->convert_no = c->type != types[0];
    return true;
  }
  c->type = hx_unify(cx, types, 2, false);
  c->convert_yes = c->convert_no = true;
  bool may_change = !c->type || ((hx_type_has_dynamic(types[0]) || hx_type_has_dynamic(types[1])) && !is_sure(c->type));
  if (!may_change || !(hx_has_open(c->yes) || hx_has_open(c->no))) return c->type != NULL;
  c->unsettled = !c->type;
  c->type = &hx_type_dynamic;
  return true;
}

static const hx_type *shown_type(hx_cx *cx, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v), *items = hx_items_of(bare);
  return hx_open_of(bare) ? &hx_type_empty_object : hx_val_type(cx, items ? items : v);
}

static void report_mismatch(hx_machine *m, const choice *c) {
  const hx_node *node = hx_machine_node(m), *yes = node->u.kids.first->next;
  unsigned hide = (hx_is_hidden(&m->cx, c->no) ? HX_HIDE_GOT : 0) | (hx_is_hidden(&m->cx, c->yes) ? HX_HIDE_WANT : 0);
  hx_str why = hx_difference(&m->cx, shown_type(&m->cx, c->yes), shown_type(&m->cx, c->no), hide);
  hx_diag *d = hx_diag_add(&m->cx, HX_D_CONDITION_RESULTS, m->program->source,
                           hx_range_join(hx_node_range(yes), hx_node_range(yes->next)), HX_STR_ARG(why));
  d->context = hx_node_range(node);
}

/* A bound of a number, on one side. */
typedef struct bound {
  hx_val at; /* NONE: no bound */
  bool inclusive;
} bound;
/* Returns the bound that holds for both numbers: the one that is further in the direction, -1 or 1. */
static bound wider(const bound *a, const bound *b, int direction) {
  bool given = a->at.tag != HX_T_NONE, both = given && b->at.tag != HX_T_NONE;
  if (!both) {
    /* Unless both numbers have a bound, the result has none. But an infinity that one of them may reach is kept as a bound, because a
    ** number without a bound is finite on that side. */
    const bound *one = given ? a : b;
    bool infinite = one->at.tag != HX_T_NONE && hx_num_is_inf(&one->at) && hx_num_is_negative(&one->at) == (direction < 0);
    return infinite ? *one : (bound){ hx_none(), false };
  }
  int order = direction * hx_num_cmp(&a->at, &b->at);
  if (order != 0) return order > 0 ? *a : *b;
  return (bound){ b->at, a->inclusive || b->inclusive };
}

/* Returns an unknown number with bounds that hold for both a and b. */
static hx_val either_number(hx_cx *cx, const hx_val *a, const hx_val *b, bool not_null) {
  hx_val v = hx_unknown(cx, &hx_type_number);
  bound alow, ahigh, blow, bhigh;
  hx_bounds_of(a, &alow.at, &alow.inclusive, &ahigh.at, &ahigh.inclusive);
  hx_bounds_of(b, &blow.at, &blow.inclusive, &bhigh.at, &bhigh.inclusive);
  bound low = wider(&alow, &blow, -1), high = wider(&ahigh, &bhigh, 1);
  hx_refine f;
  hx_refine_begin(&f, &v);
  if (not_null) hx_refine_not_null(&f);
  hx_refine_min(&f, low.at, low.inclusive);
  hx_refine_max(&f, high.at, high.inclusive);
  return hx_refine_done(cx, &f);
}

static hx_val either_collection(hx_cx *cx, const choice *c, const hx_val *a, const hx_val *b, bool not_null) {
  hx_val v = hx_unknown(cx, c->type);
  uint64_t amin, amax, bmin, bmax;
  hx_length_bounds_of(a, &amin, &amax);
  hx_length_bounds_of(b, &bmin, &bmax);
  hx_refine f;
  hx_refine_begin(&f, &v);
  if (not_null) hx_refine_not_null(&f);
  hx_refine_length(&f, amin < bmin ? amin : bmin, amax > bmax ? amax : bmax);
  return hx_refine_done(cx, &f);
}

/* Returns the result if the condition is unknown: an unknown with the refinements that are true of both results. */
static hx_val either(hx_cx *cx, const choice *c) {
  const hx_val *a = hx_unmarked(c->yes), *b = hx_unmarked(c->no);
  hx_kind ka = hx_val_kind(a), kb = hx_val_kind(b);
  if (hx_is_null(a) && hx_is_null(b)) return hx_null(c->type);
  bool not_null = hx_surely_not_null(a) && hx_surely_not_null(b);
  if (ka == HX_K_NUMBER && kb == HX_K_NUMBER) return either_number(cx, a, b, not_null);
  if (hx_kind_is_collection(ka) && hx_kind_is_collection(kb) && hx_type_equal(hx_val_type(cx, a), hx_val_type(cx, b)))
    return either_collection(cx, c, a, b, not_null);
  return not_null ? hx_unknown_not_null(cx, c->type) : hx_unknown(cx, c->type);
}

/* Returns true if all values have one type. known_only: values of unknown type are skipped. */
static bool have_one_type(const hx_val *v, uint32_t n, bool known_only) {
  const hx_val *first = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (known_only && hx_val_kind(&v[i]) == HX_K_DYNAMIC) continue;
    if (!first) first = &v[i];
    else if (!hx_val_same_type(first, &v[i])) return false;
  }
  return true;
}

/* If t is a collection, and v is a tuple and the other a list, or v an object and the other a map, returns the parts of v;
** otherwise NULL. */
static const hx_val *collected(const hx_val *v, const hx_val *other, const hx_type *t) {
  if (!hx_type_is_collection(t)) return NULL;
  if (v->tag == HX_T_TUPLE && hx_val_kind(other) == HX_K_LIST) return v->u.seq->v;
  return v->tag == HX_T_OBJECT && hx_val_kind(other) == HX_K_MAP ? v->u.obj->v : NULL;
}

/* Returns v with unknowns of type elem instead of unknown parts whose type doesn't convert to elem. */
static hx_val loosened(hx_cx *cx, const hx_val *v, const hx_val *parts, const hx_type *elem) {
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, v->len);
  hx_charge_memory(cx, 16 * (uint64_t)v->len);
  for (uint32_t i = 0; i < v->len; i++) {
    const hx_val *part = hx_unmarked(&parts[i]);
    out[i] = parts[i];
    if (!hx_is_unknown(part) || hx_convertible(cx, part->u.unk->type, elem, false)) continue;
    hx_val unknown = hx_surely_not_null(part) ? hx_unknown_not_null(cx, elem) : hx_unknown(cx, elem);
    out[i] = hx_mark(cx, unknown, hx_marks_get(&parts[i]));
  }
  return v->tag == HX_T_TUPLE ? hx_tuple(cx, out, v->len) : hx_object(cx, v->u.obj->shape, out);
}

/* Prepares *v for the conversion to t. reference (unifyTuplesAsList, unifyObjectsAsMaps): a tuple or object that is unified with a list or
** map is first converted to such a collection by itself. Returns false, with *why, if that fails although hx_convert may succeed. If the
** common type of an object's values isn't known, only the values of known type must have one type. */
static bool prepare(hx_cx *cx, hx_val *v, const hx_val *other, const hx_type *t, hx_why_not *why) {
  const hx_val *parts = collected(v, other, t);
  if (!parts) return true;
  hx_charge_walk(cx, hx_val_weight(v));
  if (have_one_type(parts, v->len, false)) return true;
  const hx_type *own = hx_val_type(cx, v), *common = hx_unify(cx, own->elems, own->n, false);
  bool settled = common && common->kind != HX_K_DYNAMIC, open = t->elem->kind == HX_K_DYNAMIC;
  hx_val made;
  if (!common || (!settled && v->tag == HX_T_TUPLE)) return true;
  why->text = HX_STR("all its elements must have one type, since the other result doesn't say which");
  if (settled)
    return !open &&
           (!hx_type_has_dynamic(common) || hx_convert(cx, v, hx_type_collection(cx, (hx_kind)t->kind, common), &made, why));
  if (!have_one_type(parts, v->len, true)) return false;
  if (!open) *v = loosened(cx, v, parts, t->elem);
  return true;
}

/* Returns v. If the common type contains `any`, returns only what is certain about v whatever type both results get. */
static hx_val settled(hx_cx *cx, const choice *c, const hx_val *v, bool yes) {
  return hx_type_has_dynamic(c->type) ? hx_beside(cx, v, hx_unmarked(yes ? c->no : c->yes)) : *v;
}

/* Returns the chosen result, converted to the common type. */
static hx_val taken(hx_machine *m, const choice *c, bool yes) {
  const hx_val *v = hx_unmarked(yes ? c->yes : c->no);
  if (c->unsettled) return hx_unknown_untyped;
  if (!(yes ? c->convert_yes : c->convert_no)) return settled(&m->cx, c, v, yes);
  hx_why_not why = { { "", 0 } };
  hx_val from = *v, out;
  if (prepare(&m->cx, &from, yes ? c->no : c->yes, c->type, &why) && hx_convert(&m->cx, &from, c->type, &out, &why))
    return settled(&m->cx, c, &out, yes);
  const hx_node *node = hx_machine_node(m), *first = node->u.kids.first->next;
  hx_diag_add(&m->cx, HX_D_CONDITION_RESULT, m->program->source, hx_node_range(yes ? first : first->next), HX_STR_ARG(why.text))
      ->context = hx_node_range(node);
  return hx_unknown(&m->cx, c->type);
}

static hx_val choose(hx_machine *m, const choice *c) {
  hx_cx *cx = &m->cx;
  if (c->cond->tag == HX_T_NONE) return hx_unknown(cx, c->type);
  const hx_val *cond = hx_unmarked(c->cond);
  const hx_marks *marks = hx_marks_join(cx, hx_marks_get(c->cond), hx_marks_get(c->yes));
  marks = hx_marks_join(cx, marks, hx_marks_get(c->no));
  hx_val v = hx_is_unknown(cond) ? either(cx, c) : taken(m, c, cond->u.i != 0);
  if ((hx_is_unknown(cond) || c->unsettled) && hx_type_has_dynamic(c->type)) {
    marks = hx_marks_join(cx, marks, hx_open_marks(cx, c->yes));
    marks = hx_marks_join(cx, marks, hx_open_marks(cx, c->no));
    if (c->type->kind == HX_K_DYNAMIC && (hx_has_open(c->yes) || hx_has_open(c->no))) v = hx_unknown_untyped;
  }
  return hx_mark(cx, v, marks);
}

/* Drops the errors of results that are not chosen. Errors of the condition stay. */
static void drop_errors(hx_machine *m, const hx_instr *in, const hx_val *cond) {
  const hx_choice_plan *code = &m->program->choices[in->b];
  bool known = cond->tag != HX_T_NONE && hx_unmarked(cond)->tag == HX_T_BOOL;
  bool yes = known && hx_unmarked(cond)->u.i != 0;
  if (m->host->check) return;
  if (!yes) hx_errors_drop(m, code->yes, code->no);
  if (!known || yes) hx_errors_drop(m, code->no, m->pc);
}

hx_went hx_slow_choose(hx_machine *m, const hx_instr *in) {
  choice c = { .cond = m->top - 3, .yes = m->top - 2, .no = m->top - 1 };
  hx_val v = hx_unknown_dynamic;
  if (!find_type(&m->cx, &c)) {
    if (m->cx.diags.errors) hx_errors_drop(m, m->program->starts[m->pc], m->pc);
    report_mismatch(m, &c);
  } else {
    if (m->cx.diags.errors) drop_errors(m, in, c.cond);
    v = choose(m, &c);
  }
  if (hx_covers(m)) hx_coverage_close(m, hx_machine_node(m));
  hx_machine_put(m, 3, v);
  return HX_WENT_ON;
}

hx_went hx_slow_pick(hx_machine *m, const hx_instr *in) {
  const hx_val *k = m->program->constants;
  choice c = { .cond = m->top - 1, .yes = &k[in->b], .no = &k[in->b + 1] };
  hx_val v = hx_unknown_dynamic;
  if (find_type(&m->cx, &c)) {
    v = choose(m, &c);
  } else {
    if (m->cx.diags.errors) hx_errors_drop(m, m->program->starts[m->pc], m->pc);
    report_mismatch(m, &c);
  }
  if (hx_covers(m)) hx_coverage_close(m, hx_machine_node(m));
  hx_machine_put(m, 1, v);
  return HX_WENT_ON;
}
