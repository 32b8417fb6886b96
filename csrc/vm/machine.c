#include "vm/machine.h"

#include "vm/machine_parts.h"
#include "vm/machine_fast.h"
#include "value/number.h"

/* Values are copied as two words: one copy of 16 bytes just after its halves were written apart would wait for both. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

static hx_slow_fn *const slow_fns[HX_I_COUNT] = {
#define HX_CODE(id, effect, operand, slow) [HX_I_##id] = hx_slow_##slow,
#include "vm/opcode_list.h"
#undef HX_CODE
};

/* Arithmetic on numbers that aren't plain whole ones: where it is short, and else. */
static const struct {
  hx_short_fn *few;
  hx_long_fn *many;
} number_fns[HX_I_COUNT] = {
  [HX_I_ADD] = { hx_short_add, hx_long_add },   [HX_I_SUB] = { hx_short_sub, hx_long_sub },
  [HX_I_MUL] = { hx_short_mul, hx_long_mul },   [HX_I_DIV] = { hx_short_div, hx_long_div },
  [HX_I_ADD_K] = { hx_short_add, hx_long_add }, [HX_I_SUB_K] = { hx_short_sub, hx_long_sub },
  [HX_I_MUL_K] = { hx_short_mul, hx_long_mul }, [HX_I_DIV_K] = { hx_short_div, hx_long_div },
};

/* Life */

void hx_machine_init(hx_machine *m) {
  memset(m, 0, sizeof *m);
  hx_cx_init(&m->cx, NULL, 2048);
}

void hx_machine_deinit(hx_machine *m) {
  hx_cx_deinit(&m->cx);
}

void hx_machine_take_tables(hx_machine *m) {
  const hx_program *p = m->program;
  size_t n = (size_t)p->max_stack + p->npaths;
  m->stack = n < 4096 ? hx_alloc(&m->cx, n * sizeof(hx_val)) : HX_NEW_ARRAY(&m->cx, hx_val, n);
  m->top = m->stack;
  m->path_values = m->stack + p->max_stack;
  for (uint32_t i = 0; i < p->npaths; i++) hx_fast_write(&m->path_values[i], HX_T_NONE, 0, 0);
  if (p->ncalls && !m->host->plain) {
    m->fns = HX_NEW_ARRAY(&m->cx, const hx_fn *, p->ncalls);
    memset(m->fns, 0, p->ncalls * sizeof *m->fns);
  }
  if (p->nloops) {
    m->loops = HX_NEW_ARRAY(&m->cx, hx_loop_frame, p->nloops);
    for (uint32_t i = 0; i < p->nloops; i++) {
      hx_loop_frame *f = &m->loops[i];
      f->plan = &p->loops[i];
      f->cells = NULL;
      f->cache = NULL;
    }
  }
}

void hx_machine_start(hx_machine *m, const hx_program *p, hx_host *host, const hx_limits *limits) {
  HX_ASSERT(p->code != NULL);
  hx_cx_reset(&m->cx, limits);
  m->program = p;
  m->host = host;
  m->pc = 0;
  m->stack = NULL;
  m->loop = NULL;
  m->frame = NULL;
  m->errors = NULL;
  m->nerrors = m->errors_cap = m->nkept = 0;
  m->phase = HX_PHASE_RUN;
  m->quiet = 0;
}

/* Steps are taken from the limit in advance and the rest given back, so that the loop counts down one number. */
static uint64_t grant(hx_machine *m) {
  if (m->cx.steps_left == 0 && m->slice_left > 0) hx_abort(&m->cx, HX_WHY_STEPS);
  uint64_t n = m->slice_left < m->cx.steps_left ? m->slice_left : m->cx.steps_left;
  m->cx.steps_left -= n;
  m->slice_left -= n;
  return n;
}

static void give_back(hx_machine *m, uint64_t n) {
  m->cx.steps_left += n;
  m->slice_left += n;
}

/* The loop */

static void run(hx_cx *cx, void *ud) {
  hx_machine *m = ud;
  const hx_program *p = m->program;
  const hx_instr *code = p->code, *in;
  const hx_val *k = p->constants, *right;
  uint32_t pc = m->pc;
  hx_val *sp = m->top, *left;
  uint64_t left_steps = grant(m);
  for (;;) {
    if (HX_UNLIKELY(left_steps == 0)) {
      m->pc = pc;
      m->top = sp;
      if (m->slice_left == 0) {
        m->status = HX_SLICED;
        return;
      }
      left_steps = grant(m);
    }
    left_steps--;
    in = &code[pc];
    hx_code op = (hx_code)in->op;
    if (op >= HX_I_COUNT) HX_UNREACHABLE();
    switch (op) {
      case HX_I_CONST:
        hx_fast_copy(sp++, k + in->b);
        pc++;
        continue;

      case HX_I_PATH:
      case HX_I_PATH_OPEN: {
        const hx_path_cache *bound = &p->path_caches[in->b];
        const hx_val *known = &m->path_values[in->b];
        if (bound->serial != 0 && bound->serial == m->host->serial) known = &bound->value;
        if (HX_UNLIKELY(known->tag == HX_T_NONE)) goto slow;
        hx_fast_copy(sp++, known);
        pc++;
        continue;
      }

      case HX_I_ELEMENT: {
        const hx_loop_frame *f = &m->loops[in->b];
        const hx_val *v = f->item;
        if (HX_UNLIKELY(!v)) v = &f->cells[in->a * HX_ROWS + f->i % HX_ROWS];
        if (HX_UNLIKELY(v->tag == HX_T_NONE)) goto slow;
        hx_fast_copy(sp++, v);
        pc++;
        continue;
      }

      case HX_I_COLUMN: {
        const hx_loop_frame *f = &m->loops[in->b];
        const hx_val *v = f->item;
        if (HX_LIKELY(v != NULL)) {
          if (HX_UNLIKELY(v->tag != HX_T_OBJECT || v->u.obj->shape != f->cache[in->a].shape)) goto slow;
          hx_fast_copy(sp++, v->u.obj->v + f->cache[in->a].index);
        } else {
          v = &f->cells[in->a * HX_ROWS + f->i % HX_ROWS];
          if (HX_UNLIKELY(v->tag == HX_T_NONE)) goto slow;
          hx_fast_copy(sp++, v);
        }
        pc++;
        continue;
      }

      case HX_I_LOOP_KEY: {
        const hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->keys || f->is_set || f->state != HX_LOOP_RUN)) goto slow;
        hx_fast_write(sp, HX_T_INT, 64, (int64_t)f->i);
        sp++;
        pc++;
        continue;
      }

      case HX_I_INDEX: {
        const hx_val *from = sp - 2, *key = sp - 1;
        if ((from->tag == HX_T_TUPLE || from->tag == HX_T_LIST) && key->tag == HX_T_INT && key->u.i >= 0 &&
            key->u.i < (int64_t)from->len) {
          hx_fast_copy(sp - 2, from->u.seq->v + key->u.i);
          sp--;
          pc++;
          continue;
        }
        goto slow;
      }

      case HX_I_ADD:
        if (HX_UNLIKELY(!hx_fast_add(sp - 2, sp - 1))) goto number;
        sp--;
        pc++;
        continue;
      case HX_I_ADD_K:
        if (HX_UNLIKELY(!hx_fast_add(sp - 1, k + in->b))) goto number_k;
        pc++;
        continue;
      case HX_I_SUB:
        if (HX_UNLIKELY(!hx_fast_sub(sp - 2, sp - 1))) goto number;
        sp--;
        pc++;
        continue;
      case HX_I_SUB_K:
        if (HX_UNLIKELY(!hx_fast_sub(sp - 1, k + in->b))) goto number_k;
        pc++;
        continue;
      case HX_I_MUL:
        if (HX_UNLIKELY(!hx_fast_mul(sp - 2, sp - 1))) goto number;
        sp--;
        pc++;
        continue;
      case HX_I_MUL_K:
        if (HX_UNLIKELY(!hx_fast_mul(sp - 1, k + in->b))) goto number_k;
        pc++;
        continue;
      case HX_I_DIV:
        if (HX_UNLIKELY(!hx_fast_div(sp - 2, sp - 1))) goto number;
        sp--;
        pc++;
        continue;
      case HX_I_DIV_K:
        if (HX_UNLIKELY(!hx_fast_div(sp - 1, k + in->b))) goto number_k;
        pc++;
        continue;
      case HX_I_MOD:
        if (HX_UNLIKELY(!hx_fast_mod(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_MOD_K:
        if (HX_UNLIKELY(!hx_fast_mod(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_EQ:
        if (HX_UNLIKELY(!hx_fast_eq(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_EQ_K:
        if (HX_UNLIKELY(!hx_fast_eq(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_NE:
        if (HX_UNLIKELY(!hx_fast_ne(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_NE_K:
        if (HX_UNLIKELY(!hx_fast_ne(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_LT:
        if (HX_UNLIKELY(!hx_fast_lt(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_LT_K:
        if (HX_UNLIKELY(!hx_fast_lt(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_LE:
        if (HX_UNLIKELY(!hx_fast_le(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_LE_K:
        if (HX_UNLIKELY(!hx_fast_le(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_GT:
        if (HX_UNLIKELY(!hx_fast_gt(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_GT_K:
        if (HX_UNLIKELY(!hx_fast_gt(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;
      case HX_I_GE:
        if (HX_UNLIKELY(!hx_fast_ge(sp - 2, sp - 1))) goto slow;
        sp--;
        pc++;
        continue;
      case HX_I_GE_K:
        if (HX_UNLIKELY(!hx_fast_ge(sp - 1, k + in->b))) goto slow;
        pc++;
        continue;

      case HX_I_AND:
      case HX_I_OR: {
        left = sp - 2;
        right = sp - 1;
        if (HX_UNLIKELY(left->tag != HX_T_BOOL || right->tag != HX_T_BOOL || cx->diags.errors)) goto slow;
        if (in->op == HX_I_AND) left->u.i &= right->u.i;
        else left->u.i |= right->u.i;
        sp--;
        pc++;
        continue;
      }

      case HX_I_NOT:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL)) goto slow;
        sp[-1].u.i ^= 1;
        pc++;
        continue;

      case HX_I_NEG:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_INT || sp[-1].u.i == 0 || sp[-1].u.i == INT64_MIN)) goto slow;
        sp[-1].u.i = -sp[-1].u.i;
        pc++;
        continue;

      case HX_I_COND:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL)) goto slow;
        pc++;
        continue;

      case HX_I_PICK:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || k[in->b].tag != k[in->b + 1].tag || k[in->b].tag == HX_T_NULL)) goto slow;
        hx_fast_copy(sp - 1, k + in->b + (sp[-1].u.i ? 0 : 1));
        pc++;
        continue;

      case HX_I_CHOOSE: {
        hx_val *cond = sp - 3;
        const hx_val *yes = sp - 2, *no = sp - 1;
        bool alike = yes->tag == no->tag && (yes->tag == HX_T_STR || yes->tag == HX_T_INT || yes->tag == HX_T_BOOL);
        if (HX_UNLIKELY(!alike || cond->tag != HX_T_BOOL || cx->diags.errors)) goto slow;
        hx_fast_copy(cond, cond->u.i ? yes : no);
        sp -= 2;
        pc++;
        continue;
      }

      case HX_I_FOR_IF: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || f->state != HX_LOOP_RUN)) goto slow;
        if (sp[-1].u.i) {
          sp--;
          pc++;
          continue;
        }
        if (HX_UNLIKELY(f->i + 1 >= f->n)) goto slow;
        sp--;
        pc = hx_loop_next(m, f);
        continue;
      }

      case HX_I_FOR_KEY:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_STR)) goto slow;
        pc++;
        continue;

      case HX_I_FOR_APPEND: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n || f->nout == f->cap)) goto slow;
        hx_fast_copy(&f->out[f->nout++], --sp);
        pc = hx_loop_next(m, f);
        continue;
      }

      case HX_I_FOR_PUT: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n)) goto slow;
        m->pc = pc;
        give_back(m, left_steps); /* the builder may charge */
        hx_val *at = hx_obj_builder_put(&f->builder, hx_val_str(sp - 2));
        left_steps = grant(m);
        if (HX_UNLIKELY(at->tag != HX_T_NONE)) goto slow;
        hx_fast_copy(at, sp - 1);
        sp -= 2;
        pc = hx_loop_next(m, f);
        continue;
      }

      case HX_I_SPLAT_APPEND: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n || cx->diags.errors)) goto slow;
        hx_fast_copy(&f->out[f->nout++], --sp);
        pc = hx_loop_next(m, f);
        continue;
      }

      case HX_I_CALL_BEGIN:
        if (HX_UNLIKELY(!m->host->plain || !p->calls[in->b].sure || p->calls[in->b].form)) goto slow;
        pc++;
        continue;

      case HX_I_TEMPLATE: {
        /* A template of nothing but one string is that string. */
        const hx_val *head = &k[in->b];
        if (HX_UNLIKELY(head->u.i != 1 || head->len != 1 || sp[-1].tag != HX_T_STR || cx->diags.errors)) goto slow;
        pc++;
        continue;
      }

      case HX_I_STEPS:
      case HX_I_JOIN:
      case HX_I_TUPLE:
      case HX_I_OBJECT:
      case HX_I_OBJECT_OF:
      case HX_I_ITEM_KEY:
      case HX_I_KEY_PATH:
      case HX_I_FOR:
      case HX_I_SPLAT:
      case HX_I_ROWS:
      case HX_I_FOR_GROUP:
      case HX_I_SPREAD:
      case HX_I_TYPE_ARG:
      case HX_I_CALL:
      case HX_I_TRY_NEXT:
      case HX_I_TRY_END:
      case HX_I_EACH:
      case HX_I_EACH_CHECK:
      case HX_I_EACH_LABEL:
      case HX_I_EACH_STATE:
      case HX_I_EACH_APPEND:
      case HX_I_ARGUMENT_MARK:
      case HX_I_ARGUMENT_TYPE:
      case HX_I_DECODED:
      case HX_I_NESTED:
      case HX_I_FAULT:
      case HX_I_SECRET:
      case HX_I_MARK:
      case HX_I_BROKEN: goto slow;

      case HX_I_ARGUMENT:
        if (HX_UNLIKELY(m->loop != NULL)) goto slow;
        pc++;
        continue;

      case HX_I_END:
        if (HX_UNLIKELY(cx->diags.errors)) goto slow;
        hx_fast_copy(&m->result, sp - 1);
        m->cx.steps_left += left_steps;
        m->status = HX_DONE;
        return;

      case HX_I_COUNT: HX_UNREACHABLE();
    }

  /* Numbers that are not both plain whole ones. */
  number:
    left = sp - 2;
    right = sp - 1;
    goto numbers;
  number_k:
    left = sp - 1;
    right = k + in->b;
  numbers:
    m->pc = pc;
    if (HX_LIKELY(!cx->diags.errors)) {
      if (HX_LIKELY(number_fns[op].few(cx, left, left, right))) {
        sp = left + 1;
        pc++;
        continue;
      }
      if (hx_is_number(left) && hx_is_number(right)) {
        give_back(m, left_steps); /* long ones charge */
        hx_val v = number_fns[op].many(cx, left, right);
        left_steps = grant(m);
        if (HX_LIKELY(v.tag != HX_T_NONE)) {
          *left = v;
          sp = left + 1;
          pc++;
          continue;
        }
      }
    }

  slow:
    m->pc = pc;
    m->top = sp;
    give_back(m, left_steps);
    hx_went went = slow_fns[in->op](m, in);
    if (HX_UNLIKELY(cx->diags.errors != m->nerrors)) hx_errors_note(m, pc);
    sp = m->top;
    if (HX_LIKELY(went == HX_WENT_ON)) {
      pc++;
    } else if (went == HX_WENT_JUMP) {
      pc = m->pc;
    } else {
      if (went == HX_WENT_WAIT) {
        give_back(m, 1); /* it is executed again: one step in all */
        m->status = HX_NEED_NAME;
      } else if (went == HX_WENT_CALL) {
        m->status = HX_NEED_CALL;
      } else if (went == HX_WENT_ENTER) {
        m->status = HX_SLICED; /* step() goes on with the other program */
      }
      return;
    }
    left_steps = grant(m);
  }
}

hx_went hx_slow_none(hx_machine *m, const hx_instr *in) {
  (void)in;
  (void)m;
  HX_UNREACHABLE();
  return HX_WENT_ON;
}

hx_went hx_slow_broken(hx_machine *m, const hx_instr *in) {
  (void)in;
  hx_machine_put(m, 0, hx_unknown_dynamic);
  return HX_WENT_ON;
}

hx_went hx_slow_end(hx_machine *m, const hx_instr *in) {
  (void)in;
  m->result = *--m->top;
  m->status = HX_DONE;
  if (HX_UNLIKELY(m->cx.diags.errors)) {
    m->status = HX_FAILED;
    hx_errors_explain(m);
  }
  return HX_WENT_DONE;
}

/* The rest of a call; false: it has still to wait. */
static bool go_on(hx_machine *m, hx_went (*rest)(hx_machine *m)) {
  hx_went went = rest(m);
  uint32_t pc = m->pc;
  if (m->cx.diags.errors != m->nerrors) hx_errors_note(m, pc);
  if (went == HX_WENT_CALL) {
    m->status = HX_NEED_CALL;
    return false;
  }
  m->pc = pc + 1;
  return true;
}

/* What runs under the guard: what a host's answer leaves to do, then the code. */
static void step(hx_cx *cx, void *ud) {
  hx_machine *m = ud;
  if (!m->stack) hx_machine_take_tables(m);
  if (m->phase != HX_PHASE_RUN && !go_on(m, hx_call_resume)) return;
  run(cx, ud);
  /* Only where a template was entered: it begins, or it ends and the call that entered it goes on. */
  while (HX_UNLIKELY(m->frame != NULL)) {
    if (m->status == HX_DONE || m->status == HX_FAILED) {
      if (!go_on(m, hx_frame_leave)) return;
    } else if (m->status != HX_SLICED || m->slice_left == 0) {
      return;
    }
    run(cx, ud);
  }
}

hx_status hx_machine_step(hx_machine *m, uint32_t slice) {
  const hx_program *p = m->program;
  if (p->literal && m->cx.steps_left >= 2 && slice == 0) {
    m->cx.steps_left -= 2;
    m->result = p->constants[0];
    return HX_DONE;
  }
  m->slice_left = slice ? slice : UINT64_MAX;
  hx_why why = hx_guard_run(&m->cx, step, m);
  if (HX_LIKELY(why == HX_WHY_NONE)) return m->status;
  hx_frame_abandon(m);
  if (!m->cx.why_source && m->stack) {
    m->cx.why_source = m->program->source;
    m->cx.why_range = hx_node_range(hx_machine_node(m));
  }
  hx_why_report(&m->cx, why);
  return HX_FAILED;
}

hx_status hx_machine_stutter(hx_machine *m) {
  return hx_machine_step(m, 1);
}

void hx_machine_answer(hx_machine *m, hx_val result) {
  HX_ASSERT(m->phase == HX_PHASE_ASKED);
  m->phase = HX_PHASE_ANSWERED;
  m->answer = result;
}

void hx_machine_refuse(hx_machine *m, hx_str message, int32_t arg) {
  HX_ASSERT(m->phase == HX_PHASE_ASKED);
  m->phase = HX_PHASE_REFUSED;
  m->refusal = message;
  m->refused_arg = arg;
}
