/* machine.c: the main loop over instructions, and the functions that start, step and end it. The other files in this folder contain the
** helpers of instructions. */
#include "vm/machine/machine.h"

#include "vm/machine/fast.h"
#include "vm/machine/parts.h"
#include "value/number/number.h"

/* Values are copied as two words: copying 16 bytes just after writing their halves separately would stall the processor. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

static hx_slow_fn *const slow_fns[HX_I_COUNT] = {
#define HX_CODE(id, effect, operand, slow) [HX_I_##id] = hx_slow_##slow,
#include "vm/compile/opcode_list.h"
#undef HX_CODE
};

/* Arithmetic on numbers that aren't plain whole numbers: `few` for short numbers, `many` for longer ones. */
static const struct {
  hx_short_fn *few;
  hx_long_fn *many;
} number_fns[HX_I_COUNT] = {
  [HX_I_ADD] = { hx_short_add, hx_long_add },   [HX_I_SUB] = { hx_short_sub, hx_long_sub },
  [HX_I_MUL] = { hx_short_mul, hx_long_mul },   [HX_I_DIV] = { hx_short_div, hx_long_div },
  [HX_I_ADD_K] = { hx_short_add, hx_long_add }, [HX_I_SUB_K] = { hx_short_sub, hx_long_sub },
  [HX_I_MUL_K] = { hx_short_mul, hx_long_mul }, [HX_I_DIV_K] = { hx_short_div, hx_long_div },
};

/* Beginning and end */

void hx_machine_init(hx_machine *m) {
  memset(m, 0, sizeof *m);
  hx_cx_init(&m->cx, NULL, 2048);
}

void hx_machine_deinit(hx_machine *m) {
  hx_cx_deinit(&m->cx);
}

static inline hx_val *take_values(hx_machine *m, uint32_t more) {
  uint32_t n = m->program->npaths;
  hx_val *v = HX_NEW_ARRAY(&m->cx, hx_val, (size_t)n + more);
  for (uint32_t i = 0; i < n; i++) hx_fast_write(&v[i], HX_T_NONE, 0, 0);
  m->path_values = v;
  return v + n;
}

void hx_machine_take_path_values(hx_machine *m) {
  take_values(m, 0);
}

void hx_machine_take_tables(hx_machine *m) {
  const hx_program *p = m->program;
  bool bound = m->host->serial != 0; /* if all values are bound, the program's caches may answer every path */
  if (HX_UNLIKELY(p->records)) m->records = NULL;
  m->path_values = NULL;
  m->stack = m->top = bound ? HX_NEW_ARRAY(&m->cx, hx_val, p->max_stack) : take_values(m, p->max_stack);
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
  /* For more bytes, compilers use an instruction that takes longer than the rest of this function. */
  _Static_assert(offsetof(hx_machine, status) - offsetof(hx_machine, stack) <= 96, "the fields to zero fit into six stores");
  HX_ASSERT(p->code != NULL);
  m->program = p;
  m->host = host;
  m->plain = !p->ncalls || hx_calls_builtins(m);
  memset((char *)m + offsetof(hx_machine, stack), 0, offsetof(hx_machine, status) - offsetof(hx_machine, stack));
  hx_cx_reset(&m->cx, limits);
}

/* Updates the activity's number of steps before code that may charge. The loop itself counts steps down in a local variable. */
static void give_steps(hx_machine *m, uint64_t left) {
  m->cx.steps_left = left + m->held;
}

/* Records that no step is left, in the slice or at all. Steps that a helper charged beyond its slice stay charged. */
static void give_none(hx_machine *m) {
  if (m->cx.steps_left > m->held) m->cx.steps_left = m->held;
}

/* Returns true if a slice has ended. */
static bool is_spent(const hx_machine *m) {
  return m->held != 0 && m->cx.steps_left <= m->held;
}

static bool has_errors(const hx_machine *m) {
  return m->cx.diags.errors != 0;
}

/* An operator on two values, or on a value and a constant. `fast` returns false if the operands aren't simple enough. Errors in the
** operands make the result unknown, whatever the values are: the helper handles that. */
#define BINARY(id, fast, otherwise, otherwise_k)                 \
  case HX_I_##id:                                                \
    if (HX_UNLIKELY(has_errors(m))) goto slow;                   \
    if (HX_UNLIKELY(!fast(sp - 2, sp - 1))) goto otherwise;      \
    sp--;                                                        \
    in++;                                                        \
    continue;                                                    \
  case HX_I_##id##_K:                                            \
    if (HX_UNLIKELY(has_errors(m))) goto slow;                   \
    if (HX_UNLIKELY(!fast(sp - 1, k + in->b))) goto otherwise_k; \
    in++;                                                        \
    continue;

/* Executes instructions. Without a guard (is_straight) it ends before the first instruction that needs its helper, because only helpers may
** abort. */
static void run(hx_machine *m) {
  const hx_program *p = m->program;
  const hx_path_cache *caches = p->path_caches;
  const hx_instr *code = p->code;
  const hx_val *k = p->constants, *right;
  hx_val *sp = m->top, *left;
  uint64_t steps = hx_machine_steps(m), serial = m->host->serial;
  for (const hx_instr *in = code + m->pc;;) {
    if (HX_UNLIKELY(steps-- == 0)) {
      m->pc = (uint32_t)(in - code);
      m->top = sp;
      give_none(m);
      if (!is_spent(m) && m->cx.guard) hx_abort(&m->cx, HX_WHY_STEPS);
      m->status = HX_SLICED;
      return;
    }
    switch ((hx_code)in->op) {
      case HX_I_CONST:
        hx_fast_copy(sp++, k + in->b);
        in++;
        continue;

      case HX_I_PATH:
      case HX_I_PATH_OPEN: {
        const hx_path_cache *bound = &caches[in->b];
        if (HX_LIKELY(bound->serial == serial && serial != 0)) {
          hx_fast_copy(sp++, &bound->value);
          in++;
          continue;
        }
        if (HX_LIKELY(m->path_values && m->path_values[in->b].tag != HX_T_NONE)) {
          hx_fast_copy(sp++, &m->path_values[in->b]);
        } else {
          if (m->cx.guard || !m->host->glance || !m->host->glance(m->host, &m->cx, &p->paths[in->b], sp)) goto slow;
          serial = m->host->serial;
          if (m->path_values) hx_fast_copy(&m->path_values[in->b], sp);
          sp++;
        }
        in++;
        continue;
      }

      case HX_I_ELEMENT: {
        const hx_loop_frame *f = &m->loops[in->b];
        const hx_val *v = f->item;
        if (HX_UNLIKELY(!v)) v = &f->cells[in->a * HX_ROWS + f->i % HX_ROWS];
        if (HX_UNLIKELY(v->tag == HX_T_NONE)) goto slow;
        hx_fast_copy(sp++, v);
        in++;
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
        in++;
        continue;
      }

      case HX_I_LOOP_KEY: {
        const hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->keys || f->is_set || f->state != HX_LOOP_RUN)) goto slow;
        hx_fast_write(sp, HX_T_INT, 64, (int64_t)f->i);
        sp++;
        in++;
        continue;
      }

      case HX_I_INDEX: {
        const hx_val *from = sp - 2, *key = sp - 1;
        if ((from->tag == HX_T_TUPLE || from->tag == HX_T_LIST) && key->tag == HX_T_INT && key->u.i >= 0 &&
            key->u.i < (int64_t)from->len && from->u.seq->v[key->u.i].tag != HX_T_NULL) {
          hx_fast_copy(sp - 2, from->u.seq->v + key->u.i);
          sp--;
          in++;
          continue;
        }
        goto slow;
      }

        /* clang-format off */
      BINARY(ADD, hx_fast_add, number, number_k)
      BINARY(SUB, hx_fast_sub, number, number_k)
      BINARY(MUL, hx_fast_mul, number, number_k)
      BINARY(DIV, hx_fast_div, number, number_k)
      BINARY(MOD, hx_fast_mod, slow, slow)
      BINARY(EQ, hx_fast_eq, slow, slow)
      BINARY(NE, hx_fast_ne, slow, slow)
      BINARY(LT, hx_fast_lt, slow, slow)
      BINARY(LE, hx_fast_le, slow, slow)
      BINARY(GT, hx_fast_gt, slow, slow)
      BINARY(GE, hx_fast_ge, slow, slow)
        /* clang-format on */

      case HX_I_AND:
        if (HX_UNLIKELY(sp[-2].tag != HX_T_BOOL || sp[-1].tag != HX_T_BOOL || has_errors(m))) goto slow;
        sp[-2].u.i &= sp[-1].u.i;
        sp--;
        in++;
        continue;
      case HX_I_OR:
        if (HX_UNLIKELY(sp[-2].tag != HX_T_BOOL || sp[-1].tag != HX_T_BOOL || has_errors(m))) goto slow;
        sp[-2].u.i |= sp[-1].u.i;
        sp--;
        in++;
        continue;

      case HX_I_NOT:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || has_errors(m))) goto slow;
        sp[-1].u.i ^= 1;
        in++;
        continue;

      case HX_I_NEG:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_INT || sp[-1].u.i == 0 || sp[-1].u.i == INT64_MIN || has_errors(m))) goto slow;
        sp[-1].u.i = -sp[-1].u.i;
        in++;
        continue;

      case HX_I_COND:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || m->host->covers)) goto slow;
        in++;
        continue;

      case HX_I_PICK:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || k[in->b].tag != k[in->b + 1].tag || k[in->b].tag == HX_T_NULL ||
                        m->host->covers))
          goto slow;
        hx_fast_copy(sp - 1, k + in->b + (sp[-1].u.i ? 0 : 1));
        in++;
        continue;

      case HX_I_CHOOSE: {
        hx_val *cond = sp - 3;
        const hx_val *yes = sp - 2, *no = sp - 1;
        bool alike = yes->tag == no->tag && (yes->tag == HX_T_STR || yes->tag == HX_T_INT || yes->tag == HX_T_BOOL);
        if (HX_UNLIKELY(!alike || cond->tag != HX_T_BOOL || has_errors(m) || m->host->covers)) goto slow;
        hx_fast_copy(cond, cond->u.i ? yes : no);
        sp -= 2;
        in++;
        continue;
      }

      case HX_I_FOR_IF: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(sp[-1].tag != HX_T_BOOL || f->state != HX_LOOP_RUN)) goto slow;
        if (sp[-1].u.i) {
          sp--;
          in++;
          continue;
        }
        if (HX_UNLIKELY(f->i + 1 >= f->n)) goto slow;
        sp--;
        in = code + hx_loop_next(m, f);
        continue;
      }

      case HX_I_FOR_KEY:
        if (HX_UNLIKELY(sp[-1].tag != HX_T_STR)) goto slow;
        in++;
        continue;

      case HX_I_FOR_APPEND: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n || f->nout == f->cap)) goto slow;
        hx_fast_copy(&f->out[f->nout++], --sp);
        in = code + hx_loop_next(m, f);
        continue;
      }

      case HX_I_FOR_PUT: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n)) goto slow;
        give_steps(m, steps); /* the builder may charge */
        m->pc = (uint32_t)(in - code);
        hx_val *at = hx_obj_builder_put(&f->builder, hx_val_str(sp - 2));
        steps = hx_machine_steps(m);
        if (HX_UNLIKELY(at->tag != HX_T_NONE)) goto slow;
        hx_fast_copy(at, sp - 1);
        sp -= 2;
        in = code + hx_loop_next(m, f);
        continue;
      }

      case HX_I_SPLAT_APPEND: {
        hx_loop_frame *f = &m->loops[in->b];
        if (HX_UNLIKELY(f->i + 1 >= f->n || has_errors(m))) goto slow;
        hx_fast_copy(&f->out[f->nout++], --sp);
        in = code + hx_loop_next(m, f);
        continue;
      }

      case HX_I_CALL_BEGIN:
        if (HX_UNLIKELY(!m->plain || !p->calls[in->b].sure || p->calls[in->b].form)) goto slow;
        in++;
        continue;

      case HX_I_CALL_QUICK: {
        const hx_call_site *site = &p->calls[in->b];
        if (HX_UNLIKELY(!m->plain || has_errors(m))) goto slow;
        if (!hx_fast_call(site, sp - site->nargs, &steps)) goto slow;
        sp -= site->nargs - 1;
        in++;
        continue;
      }

      case HX_I_TEMPLATE: {
        /* A template that is a single string has that string as its value. */
        const hx_template_plan *plan = &p->templates[in->b];
        if (HX_UNLIKELY(plan->n != 1 || plan->takes != 1 || sp[-1].tag != HX_T_STR || has_errors(m))) goto slow;
        in++;
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
      case HX_I_RECORD:
      case HX_I_ARGUMENT:
      case HX_I_BROKEN: goto slow;

      case HX_I_END:
        if (HX_UNLIKELY(has_errors(m))) goto slow;
        hx_fast_copy(&m->result, sp - 1);
        give_steps(m, steps);
        m->status = HX_DONE;
        return;

      case HX_I_COUNT:
      default: HX_UNREACHABLE();
    }

  /* From here on the opcode is read again: keeping it in a register across the switch would slow every instruction down. */

  /* Arithmetic on numbers that aren't both plain whole numbers. */
  number:
    left = sp - 2;
    right = sp - 1;
    goto numbers;
  number_k:
    left = sp - 1;
    right = k + in->b;
  numbers:
    if (HX_UNLIKELY(!m->cx.guard)) goto slow;
    m->pc = (uint32_t)(in - code);
    if (HX_LIKELY(number_fns[code[m->pc].op].few(&m->cx, left, left, right))) {
      sp = left + 1;
      in++;
      continue;
    }
    if (hx_is_number(left) && hx_is_number(right)) {
      give_steps(m, steps); /* arithmetic on long numbers charges */
      hx_val v = number_fns[code[m->pc].op].many(&m->cx, left, right);
      steps = hx_machine_steps(m);
      if (HX_LIKELY(v.tag != HX_T_NONE)) {
        *left = v;
        sp = left + 1;
        in++;
        continue;
      }
    }

  slow:
    m->pc = (uint32_t)(in - code);
    m->top = sp;
    if (HX_UNLIKELY(!m->cx.guard)) { /* the instruction is executed again, and counts as one step */
      give_steps(m, steps + 1);
      m->status = HX_SLICED;
      return;
    }
    give_steps(m, steps);
    hx_went went = slow_fns[code[m->pc].op](m, in);
    if (HX_UNLIKELY(m->cx.diags.errors != m->nerrors)) hx_errors_note(m, (uint32_t)(in - code));
    if (HX_LIKELY(went == HX_WENT_ON)) {
      in++;
    } else if (went == HX_WENT_JUMP) {
      in = code + m->pc;
    } else {
      if (went == HX_WENT_WAIT) {
        m->cx.steps_left++; /* the instruction is executed again, and counts as one step */
        m->status = HX_NEED_NAME;
      } else if (went == HX_WENT_CALL) {
        m->status = HX_NEED_CALL;
      } else if (went == HX_WENT_ENTER) {
        m->status = HX_SLICED; /* step() then continues with the entered program */
      }
      return;
    }
    sp = m->top;
    steps = hx_machine_steps(m);
    serial = m->host->serial;
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
    if (m->host->check) hx_errors_distinct(m);
    hx_errors_explain(m);
  }
  return HX_WENT_DONE;
}

/* Continues a call. Returns false if the call still has to wait. */
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

/* Runs under the guard: first the rest of a call that waited for the host's answer, then the code. */
static void step(hx_cx *cx, void *ud) {
  hx_machine *m = ud;
  (void)cx;
  if (!m->stack) hx_machine_take_tables(m);
  if (m->phase != HX_PHASE_RUN && !go_on(m, hx_call_resume)) return;
  run(m);
  /* Repeats only if a template was entered. When the template has ended, the call that entered it continues. */
  while (HX_UNLIKELY(m->frame != NULL)) {
    if (m->status == HX_DONE || m->status == HX_FAILED) {
      if (!go_on(m, hx_frame_leave)) return;
    } else if (m->status != HX_SLICED || is_spent(m)) {
      return;
    }
    run(m);
  }
}

/* Returns true if the program can begin without a guard. Most small expressions need no helper: without a guard their evaluation takes 5 %
** fewer instructions over bound values, and 12 % fewer over plain tables. Programs with loops begin with a guard. */
static bool is_straight(const hx_machine *m) {
  const hx_program *p = m->program;
  return !m->stack && !p->nloops && hx_arena_has_room(&m->cx.arena, (p->max_stack + (size_t)p->npaths) * sizeof(hx_val));
}

hx_status hx_machine_step(hx_machine *m, uint32_t slice) {
  m->held = slice && m->cx.steps_left > slice ? m->cx.steps_left - slice : 0;
  if (is_straight(m)) {
    hx_machine_take_tables(m);
    run(m);
    if (HX_LIKELY(m->status == HX_DONE)) return HX_DONE;
  }
  hx_why why = hx_guard_run(&m->cx, step, m);
  if (HX_LIKELY(why == HX_WHY_NONE)) return m->status;
  hx_frame_abandon(m);
  hx_machine_end_silence(m);
  if (!m->cx.why_source && m->stack) hx_why_at(&m->cx, m->program->source, hx_node_range(hx_machine_node(m)));
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
  m->refused_with = NULL;
}
