/* template.c: compiles strings with interpolations, and joined loops of directives. */
#include "vm/compile/compiler.h"

static bool is_text(hx_compiler *c, const hx_node *part, hx_val *text) {
  return hx_constant_of(c, part, text) && text->tag == HX_T_STR;
}

/* Makes the plan of a template with `takes` parts on the stack. Returns its index. */
static uint32_t plan_template(hx_compiler *c, const hx_node *node, uint32_t takes) {
  hx_val *parts = HX_NEW_ARRAY(c->cx, hx_val, node->count), *to = parts;
  for (const hx_node *part = node->u.kids.first; part; part = part->next, to++)
    if (!is_text(c, part, to)) *to = hx_none();
  *HX_VEC_PUSH(&c->cx->scratch, &c->templates) = (hx_template_plan){ .parts = parts, .n = node->count, .takes = takes };
  return c->templates.n - 1;
}

void hx_compile_template(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node;
  hx_val text;
  if (t->phase == 0) {
    t->phase = 1;
    t->kid = node->u.kids.first;
  }
  while (t->kid) {
    const hx_node *part = t->kid;
    t->kid = part->next;
    if (is_text(c, part, &text)) continue;
    t->count++;
    hx_compile_child(c, part, HX_WANT_SCALAR);
    return;
  }
  hx_emit_varying(c, HX_I_TEMPLATE, 0, plan_template(c, node, t->count), node, t->start, t->count);
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
