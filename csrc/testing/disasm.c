/* disasm.c: writes code as text, one instruction on a line: address, name, operands and their meaning. Header: testing/testing.h. */
#include "testing/testing.h"

#include "base/buf.h"
#include "value/render.h"
#include "vm/compile/compiler.h"

static void put_path(hx_buf *b, const hx_path *p) {
  hx_buf_f(b, " %.*s", HX_STR_ARG(p->root));
  for (uint32_t i = 0; i < p->n; i++) {
    const hx_path_step *s = &p->steps[i];
    if (s->kind == HX_STEP_INDEX) hx_buf_f(b, "[%lld]", (long long)s->index);
    else hx_buf_f(b, ".%.*s", HX_STR_ARG(s->name));
  }
}

static void put_operand(hx_cx *cx, hx_buf *b, const hx_program *p, const hx_instr *in) {
  switch ((hx_operand)hx_codes[in->op].operand) {
    case HX_ON_NONE: return;
    case HX_ON_CONST: {
      hx_str text = hx_render_short(cx, &p->constants[in->b]);
      hx_buf_f(b, " %.*s", HX_STR_ARG(text));
      return;
    }
    case HX_ON_PATH: put_path(b, &p->paths[in->b]); return;
    case HX_ON_LOOP: hx_buf_f(b, " loop %u column %u", in->b, in->a); return;
    case HX_ON_CALL: hx_buf_f(b, " %.*s", HX_STR_ARG(p->calls[in->b].name)); return;
    case HX_ON_CODE:
    case HX_ON_COUNT:
    case HX_ON_STEP:
    case HX_ON_TEMPLATE:
    case HX_ON_SHAPE:
    case HX_ON_CHOICE: hx_buf_f(b, " %u", in->b); return;
  }
}

hx_str hx_program_disassemble(hx_cx *cx, const hx_program *p) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 256);
  for (uint32_t pc = 0; pc < p->ncode; pc++) {
    hx_buf_f(&b, "%4u  %s", pc, hx_codes[p->code[pc].op].name);
    put_operand(cx, &b, p, &p->code[pc]);
    hx_buf_put(&b, '\n');
  }
  return hx_buf_done(&b);
}
