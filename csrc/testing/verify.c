/* verify.c: checks compiled code: operands exist, addresses are in the code, and the stack has the same height on every path to an
** instruction. One pass from the start sees each height, because an instruction that jumps leaves its result at the end of its
** construct, as the code that it jumps over does. Header: testing/testing.h. */
#include "testing/testing.h"

#include "vm/compile/compiler.h"

static bool operand_ok(const hx_program *p, const hx_instr *in) {
  switch ((hx_operand)hx_codes[in->op].operand) {
    case HX_ON_NONE: return true;
    case HX_ON_CONST: return in->b < p->nconstants && (in->op != HX_I_PICK || in->b + 1 < p->nconstants);
    case HX_ON_PATH: return in->b < p->npaths;
    case HX_ON_LOOP: return in->b < p->nloops && (in->a == 0 || in->a < p->loops[in->b].columns.n);
    case HX_ON_CODE: return in->b < p->ncode;
    case HX_ON_CALL: return in->b < p->ncalls;
    case HX_ON_COUNT:
    case HX_ON_STEP: return true;
    case HX_ON_TEMPLATE: return in->b < p->ntemplates && p->templates[in->b].takes <= p->templates[in->b].n;
    case HX_ON_SHAPE: return in->b < p->nshapes;
    case HX_ON_CHOICE: return in->b < p->nchoices && p->choices[in->b].yes <= p->choices[in->b].no;
  }
  return false;
}

/* Values that an instruction pushes minus those that it pops. */
static int64_t effect(const hx_program *p, const hx_instr *in) {
  /* the code after this instruction leaves the value; the instruction may jump over it */
  if (in->op == HX_I_TYPE_ARG) return 0;
  if (hx_codes[in->op].effect != HX_VARIES) return hx_codes[in->op].effect;
  if (in->op == HX_I_TEMPLATE) return 1 - (int64_t)p->templates[in->b].takes;
  if (in->op == HX_I_TUPLE || in->op == HX_I_EACH_APPEND || in->op == HX_I_DECODED || in->op == HX_I_NESTED)
    return 1 - (int64_t)in->b;
  if (in->op == HX_I_OBJECT) return 1 - (int64_t)p->shapes[in->b]->n;
  if (in->op == HX_I_OBJECT_OF) return 1 - 2 * (int64_t)in->b;
  return 1 - (int64_t)p->calls[in->b].nargs;
}

static bool loops_ok(const hx_program *p) {
  for (uint32_t i = 0; i < p->nloops; i++) {
    const hx_loop_plan *l = &p->loops[i];
    if (l->rows + 1 != l->body || l->body >= l->end || l->end >= p->ncode || p->code[l->rows].op != HX_I_ROWS) return false;
  }
  return true;
}

static bool calls_ok(const hx_program *p) {
  for (uint32_t i = 0; i < p->ncalls; i++) {
    const hx_call_site *s = &p->calls[i];
    if (s->begin >= s->end || s->end >= p->ncode || p->code[s->begin].op != HX_I_CALL_BEGIN) return false;
  }
  return true;
}

const char *hx_program_verify(const hx_program *p) {
  int64_t height = 0;
  for (uint32_t pc = 0; pc < p->ncode; pc++) {
    const hx_instr *in = &p->code[pc];
    if (in->op >= HX_I_COUNT || !operand_ok(p, in) || p->starts[pc] > pc + 1 || !p->nodes[pc]) return "an operand";
    height += effect(p, in);
    if (height < 0 || height > (int64_t)p->max_stack) return "the height of the stack";
  }
  if (height == 0 && loops_ok(p) && calls_ok(p) && p->code[p->ncode - 1].op == HX_I_END) return NULL;
  return "the structure";
}
