/* construct.c: makes tuples and objects. Source: reference's TupleConsExpr.Value and ObjectConsExpr.Value. */
#include "text/quote.h"
#include "vm/machine/parts.h"

/* Copies the top n values of the stack into the arena. */
static const hx_val *keep(hx_machine *m, uint32_t n) {
  hx_val *to = HX_NEW_ARRAY(&m->cx, hx_val, n);
  if (n) memcpy(to, m->top - n, n * sizeof *to);
  return to;
}

hx_went hx_slow_tuple(hx_machine *m, const hx_instr *in) {
  hx_val v = in->b ? hx_tuple(&m->cx, keep(m, in->b), in->b) : hx_empty_tuple;
  hx_machine_put(m, in->b, v);
  return HX_WENT_ON;
}

hx_went hx_slow_object(hx_machine *m, const hx_instr *in) {
  const hx_shape *shape = m->program->shapes[in->b];
  hx_val v = shape->n ? hx_object(&m->cx, shape, keep(m, shape->n)) : hx_empty_object;
  hx_machine_put(m, shape->n, v);
  return HX_WENT_ON;
}

/* Reports a name that occurs twice in an object of JSON syntax. */
static void report_twice(hx_machine *m, const hx_node *key, const hx_val *name) {
  hx_str shown = HX_STR("this name");
  if (name->tag == HX_T_STR) shown = hx_quote_short(&m->cx, hx_val_str(name), 40);
  hx_diag_add(&m->cx, HX_D_OBJECT_KEY_TWICE, m->program->source, hx_node_range(key), HX_STR_ARG(shown));
}

/* Makes an object. reference: if a key is unknown or failed, the whole object is unknown; the object gets the marks of keys. */
hx_went hx_slow_object_of(hx_machine *m, const hx_instr *in) {
  uint32_t n = in->b;
  const hx_val *item = m->top - 2 * (size_t)n;
  const hx_marks *marks = NULL;
  bool known = true;
  const hx_node *node = hx_machine_node(m), *key = node->u.kids.first;
  hx_obj_builder b;
  hx_obj_builder_init(&b, &m->cx, n);
  for (uint32_t i = 0; i < n; i++, item += 2, key = key->next->next) {
    if (item->tag == HX_T_NONE) {
      known = false;
      continue;
    }
    marks = hx_marks_join(&m->cx, marks, hx_marks_get(item));
    hx_val *at = hx_obj_builder_put(&b, hx_val_str(hx_unmarked(item)));
    if (at->tag != HX_T_NONE && node->flags & HX_AST_JSON) report_twice(m, key, item);
    else *at = item[1];
  }
  hx_val v = known ? hx_mark(&m->cx, hx_obj_builder_object(&b), marks) : hx_unknown_dynamic;
  hx_machine_put(m, 2 * n, v);
  return HX_WENT_ON;
}

hx_went hx_slow_item_key(hx_machine *m, const hx_instr *in) {
  (void)in;
  hx_val *v = m->top - 1;
  if (v->tag == HX_T_STR && !m->cx.diags.errors) return HX_WENT_ON;
  const hx_node *key = hx_machine_node(m);
  const hx_val *bare = hx_unmarked(v);
  const hx_marks *marks = hx_marks_get(v);
  /* reference: in JSON, a key with an error is still checked like any other. */
  bool json = (key->flags & HX_AST_JSON) != 0;
  if (!json && hx_operands_failed(m)) {
    *v = hx_none();
    return HX_WENT_ON;
  }
  if (hx_is_null(bare)) {
    /* reference: the diagnostic points at the value; in JSON, at the name */
    const hx_node *at = json ? key : key->next;
    hx_diag_add(&m->cx, HX_D_OBJECT_KEY_NULL, m->program->source, hx_node_range(at));
    *v = hx_none();
    return HX_WENT_ON;
  }
  hx_why_not why = { { "", 0 } };
  hx_val out;
  if (!hx_convert(&m->cx, bare, &hx_type_string, &out, &why)) {
    hx_diag_add(&m->cx, HX_D_OBJECT_KEY_TYPE, m->program->source, hx_node_range(key), HX_STR_ARG(why.text));
    *v = hx_none();
    return HX_WENT_ON;
  }
  *v = hx_is_unknown(hx_unmarked(&out)) ? hx_none() : hx_mark(&m->cx, out, marks);
  return HX_WENT_ON;
}

hx_went hx_slow_key_path(hx_machine *m, const hx_instr *in) {
  (void)in;
  hx_diag_add(&m->cx, HX_D_OBJECT_KEY_PATH, m->program->source, hx_node_range(hx_machine_node(m)));
  hx_machine_put(m, 0, hx_none());
  return HX_WENT_ON;
}
