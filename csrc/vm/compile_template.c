/* compile_template.c: strings with interpolations, and joined loops of directives. */
#include "vm/compiler.h"

/* The parts of a template stand among the constants: first their number (`len`: how many are on the stack), then a constant for
** each part: its text, or HX_T_NONE for a part on the stack. */
void hx_compile_template(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  hx_val v;
  if (t->phase == 0) {
    t->phase = 1;
    t->kid = node->u.kids.first;
  }
  while (t->kid) {
    const hx_node *part = t->kid;
    t->kid = part->next;
    if (hx_constant_of(c, part, &v) && v.tag == HX_T_STR) continue;
    t->count++;
    hx_compile_child(c, part, HX_WANT_SCALAR);
    return;
  }
  hx_val head = hx_int_prec((int64_t)node->count, t->count);
  uint32_t parts = hx_compile_constant(c, &head);
  for (const hx_node *part = node->u.kids.first; part; part = part->next) {
    if (!hx_constant_of(c, part, &v) || v.tag != HX_T_STR) v = hx_none();
    hx_compile_constant(c, &v);
  }
  hx_emit_varying(c, HX_I_TEMPLATE, 0, parts, node, t->start, t->count);
  hx_compile_done(c);
}

void hx_compile_join(hx_compiler *c, hx_compile_task *t) {
  if (t->phase == 0) {
    t->phase = 1;
    hx_compile_child(c, t->node->u.kids.first, HX_WANT_WHOLE);
    return;
  }
  hx_emit(c, HX_I_JOIN, 0, 0, t->node, t->start);
  hx_compile_done(c);
}
