/* machine_parts.h: what the machine's files share: frames of loops, and the helper of each instruction for what the loop of
** machine.c doesn't settle itself.
** Memory: frames and tables are in the evaluation's arena.
** Errors: helpers report diagnostics; the machine then notes where (hx_errors_note), so that "did this operand fail?" is answered by
**   the addresses of its code. Nothing of this is looked at while there is no error. */
#ifndef HX_VM_MACHINE_PARTS_H
#define HX_VM_MACHINE_PARTS_H

#include "vm/compiler.h"
#include "vm/machine.h"

/* How an instruction ended. */
typedef enum hx_went {
  HX_WENT_ON,    /* to the next instruction */
  HX_WENT_JUMP,  /* m->pc is set */
  HX_WENT_WAIT,  /* the host must ask: pc and stack are as they were */
  HX_WENT_CALL,  /* a Lua function: m->need; pc stays, machine_call.c goes on */
  HX_WENT_DONE,  /* m->result, m->status */
  HX_WENT_ENTER, /* another program is to be run: m->frame */
} hx_went;

/* What a column found last: the index of its attribute in objects of this shape. */
typedef struct hx_column_cache {
  const hx_shape *shape;
  uint32_t index;
} hx_column_cache;

typedef enum hx_loop_state {
  HX_LOOP_RUN,
  HX_LOOP_TRIAL,   /* the condition is evaluated once with unknown names (reference: ForExpr.Value) */
  HX_LOOP_TYPES,   /* splat: elements are unknowns of their types, for the type of the result */
  HX_LOOP_RETYPES, /* the same after errors: its own are dropped */
} hx_loop_state;

typedef struct hx_loop_frame {
  const hx_val *item;    /* the element; NULL: rows of a FOREIGN collection */
  const uint32_t *order; /* of `base`, or NULL: as they stand */
  uint32_t i, n;
  uint32_t errors; /* errors there were when this element was begun */
  hx_val *out;
  uint32_t nout, cap;
  hx_val *cells;          /* HX_ROWS a column */
  hx_column_cache *cache; /* one a column */
  const hx_loop_plan *plan;
  struct hx_loop_frame *outer;
  const hx_val *base;
  const hx_str *keys; /* of objects, in order of elements; NULL: numbers, or the elements of a set */
  hx_val collection;  /* unmarked, or FOREIGN */
  const hx_marks *marks;
  bool known, failed, is_set, unsettled;
  bool was_secret;      /* cx.secret outside of the loop */
  uint8_t state;        /* hx_loop_state */
  uint32_t first_error; /* RETYPES: errors there were before */
  hx_obj_builder builder;
  struct hx_loop_group *groups;
  uint32_t ngroups, groups_cap;
} hx_loop_frame;

HX_INLINE const hx_node *hx_machine_node(const hx_machine *m) {
  return m->program->nodes[m->pc];
}

/* errors: machine_errors.c */
/* Records where the errors were reported that came since the last time. */
void hx_errors_note(hx_machine *m, uint32_t pc);
/* Did code in [from, to) report errors, in the current element of the innermost loop? */
bool hx_errors_any(const hx_machine *m, uint32_t from, uint32_t to);
/* The address of the first of those errors; UINT32_MAX: there is none. */
uint32_t hx_errors_first(const hx_machine *m, uint32_t from, uint32_t to);
/* Forgets those errors. */
void hx_errors_drop(hx_machine *m, uint32_t from, uint32_t to);
/* Forgets all errors since there were n. */
void hx_errors_cut(hx_machine *m, uint32_t n);
/* The last diagnostic of those errors, or NULL. */
hx_diag *hx_errors_last(const hx_machine *m, uint32_t from, uint32_t to);
/* At the end: the values of the names involved. */
void hx_errors_explain(hx_machine *m);
/* A diagnostic at a place of the program, of the instruction at hand. */
hx_diag *hx_report_at(hx_machine *m, hx_diag_id id, hx_range at, hx_str detail);

/* Steps that may be taken now: those that are left, but for what a slice holds back. */
HX_INLINE uint64_t hx_machine_steps(const hx_machine *m) {
  return m->cx.steps_left > m->held ? m->cx.steps_left - m->held : 0;
}

/* Room for the answers of the program's paths: m->path_values. */
void hx_machine_take_path_values(hx_machine *m);
/* What a path came to in this evaluation, or is bound to; NULL: it isn't known, or failed. */
const hx_val *hx_path_known(const hx_machine *m, uint32_t path);

/* Replaces the `takes` values on top by one. */
HX_INLINE void hx_machine_put(hx_machine *m, uint32_t takes, hx_val v) {
  m->top -= takes;
  *m->top++ = v;
}

/* A FOREIGN value in place converted deep; others are left alone. */
hx_answer hx_machine_whole(hx_machine *m, hx_val *v);

/* An instruction's helper, named after it. */
typedef hx_went hx_slow_fn(hx_machine *m, const hx_instr *in);
hx_slow_fn hx_slow_path, hx_slow_column, hx_slow_loop_key, hx_slow_steps, hx_slow_index;         /* machine_path.c */
hx_slow_fn hx_slow_binary, hx_slow_logic, hx_slow_unary;                                         /* machine_operator.c */
hx_slow_fn hx_slow_cond, hx_slow_pick, hx_slow_choose;                                           /* machine_conditional.c */
hx_slow_fn hx_slow_template, hx_slow_join;                                                       /* machine_template.c */
hx_slow_fn hx_slow_tuple, hx_slow_object, hx_slow_object_of, hx_slow_item_key, hx_slow_key_path; /* machine_construct.c */
hx_slow_fn hx_slow_for, hx_slow_rows, hx_slow_for_if, hx_slow_for_key, hx_slow_for_append, hx_slow_for_put,
    hx_slow_for_group;                          /* machine_for.c */
hx_slow_fn hx_slow_splat, hx_slow_splat_append; /* machine_splat.c */
hx_slow_fn hx_slow_call_begin, hx_slow_spread, hx_slow_type_arg, hx_slow_call, hx_slow_try_next,
    hx_slow_try_end; /* machine_call.c, machine_try.c */
hx_slow_fn hx_slow_each, hx_slow_each_check, hx_slow_each_label, hx_slow_each_state, hx_slow_each_append; /* machine_each.c */
hx_slow_fn hx_slow_argument, hx_slow_argument_mark, hx_slow_argument_type, hx_slow_decoded, hx_slow_fault, hx_slow_secret,
    hx_slow_mark;                                     /* machine_body.c */
hx_slow_fn hx_slow_nested;                            /* machine_nested.c */
hx_slow_fn hx_slow_end, hx_slow_broken, hx_slow_none; /* machine.c */

/* Loops: machine_for.c and machine_splat.c */
/* Starts a loop's frame over a collection: known, unmarked, iterable. */
void hx_loop_over(hx_machine *m, hx_loop_frame *f, const hx_val *collection);
/* An empty frame, the innermost. */
void hx_loop_enter(hx_machine *m, hx_loop_frame *f);
/* What it goes through has these marks (NULL: none). The elements bear none of them, so meanwhile no message shows a value. */
HX_INLINE void hx_loop_mark(hx_machine *m, hx_loop_frame *f, const hx_marks *marks) {
  f->marks = marks;
  if (marks) m->cx.secret = true;
}
/* The frame is the innermost no more. */
HX_INLINE void hx_loop_exit(hx_machine *m, const hx_loop_frame *f) {
  m->loop = f->outer;
  m->cx.secret = f->was_secret;
}
/* Starts one over a FOREIGN collection; else as the host says. */
hx_answer hx_loop_over_foreign(hx_machine *m, hx_loop_frame *f, const hx_val *v, hx_kind *kind);
/* The first element; returns the address to go on at. */
uint32_t hx_loop_first(hx_machine *m, hx_loop_frame *f);
/* The loop ends with this result. */
hx_went hx_loop_leave(hx_machine *m, hx_loop_frame *f, hx_val result);
void hx_loop_grow(hx_machine *m, hx_loop_frame *f);

/* Goes on with the next element; returns the address, or UINT32_MAX after the last. */
HX_INLINE uint32_t hx_loop_next(hx_machine *m, hx_loop_frame *f) {
  f->errors = m->nerrors;
  if (HX_UNLIKELY(++f->i >= f->n)) return UINT32_MAX;
  if (HX_LIKELY(f->item != NULL)) {
    f->item = HX_LIKELY(f->order == NULL) ? f->item + 1 : f->base + f->order[f->i];
    return f->plan->body;
  }
  return f->i % HX_ROWS ? f->plan->body : f->plan->rows;
}

/* Calls: machine_call.c */
/* Goes on after the host's answer; called by the machine before the next instruction. */
hx_went hx_call_resume(hx_machine *m);
/* The function of a call, or NULL. */
const hx_fn *hx_call_function(hx_machine *m, const hx_call_site *site);
/* Is the call carried out as its form says (not shadowed by the host's function)? */
HX_INLINE bool hx_call_is_form(hx_machine *m, const hx_call_site *site) {
  return m->host->plain || hx_call_function(m, site) == site->builtin;
}
/* The arguments of a call begin: of try() and can() errors are expected (machine_try.c). */
void hx_try_begin(hx_machine *m, const hx_call_site *site);
/* The ordinary call at the end of a site's code. */
hx_went hx_call_go(hx_machine *m, const hx_call_site *site);
/* What follows of a call that was carried out so far: its result or its faults, or waiting, or another program. */
hx_went hx_call_settle(hx_machine *m, const hx_call_site *site, hx_call_state state, hx_val out);
/* The range from a call's name to its `(`. */
hx_range hx_call_start(const hx_call_site *site);

/* Entered programs: machine_enter.c */
/* Begins m->call.entry. */
hx_went hx_frame_enter(hx_machine *m);
/* The entered program has ended, as m->status says: the call that entered it goes on. */
hx_went hx_frame_leave(hx_machine *m);
/* After an abort: back to the outermost program. */
void hx_frame_abandon(hx_machine *m);
/* Stack and tables for m->program. */
void hx_machine_take_tables(hx_machine *m);

/* hx_machine.phase: is the instruction at hand a call that waits for a Lua function? */
enum {
  HX_PHASE_RUN,      /* no */
  HX_PHASE_ASKED,    /* it does: m->need */
  HX_PHASE_ANSWERED, /* no more: m->answer */
  HX_PHASE_REFUSED,  /* no more: m->refusal */
};

#endif
