/* parts.h: shared by the machine's files: frames of loops, and the helper of each instruction, for cases that the main loop
** (machine.c) doesn't handle itself.
** Memory: frames and tables are in the evaluation's arena.
** Errors: helpers report diagnostics. The machine then notes the instruction (hx_errors_note), so that the addresses of an
**   operand's code show whether it failed. Without errors the notes aren't read. */
#ifndef HX_VM_MACHINE_PARTS_H
#define HX_VM_MACHINE_PARTS_H

#include "vm/compile/compiler.h"
#include "vm/machine/machine.h"

/* How an instruction ended. */
typedef enum hx_went {
  HX_WENT_ON,    /* continue with the next instruction */
  HX_WENT_JUMP,  /* continue at m->pc */
  HX_WENT_WAIT,  /* the host must ask Lua: pc and stack are as before */
  HX_WENT_CALL,  /* a Lua function must be called: m->need. pc stays; call.c continues */
  HX_WENT_DONE,  /* m->result, m->status */
  HX_WENT_ENTER, /* another program must run: m->frame */
} hx_went;

/* The result of the last search in a column: the index of the attribute in objects of this shape. */
typedef struct hx_column_cache {
  const hx_shape *shape;
  uint32_t index;
} hx_column_cache;

typedef enum hx_loop_state {
  HX_LOOP_RUN,
  HX_LOOP_TRIAL, /* names are unknown: a `for` tries its condition (reference: ForExpr.Value), or for_each of a block is unknown */
  HX_LOOP_TYPES, /* splat: elements are unknowns of their types, to find the type of the result */
  HX_LOOP_RETYPES, /* TYPES after errors: the errors of this state are dropped */
  HX_LOOP_CHECK,   /* elements are unknowns of their types, and so is the result (check.c) */
} hx_loop_state;

/* The values at one key of a grouping loop. */
typedef HX_VEC(hx_val) hx_loop_group;

typedef struct hx_loop_frame {
  const hx_val *item;    /* the current element; NULL: the elements are rows of a FOREIGN collection */
  const uint32_t *order; /* the order of the elements, as indexes from `base`; NULL: they are in order */
  uint32_t i, n;
  uint32_t errors; /* number of errors when this element began */
  hx_val *out;
  uint32_t nout, cap;
  hx_val *cells;          /* HX_ROWS for each column */
  hx_column_cache *cache; /* one for each column */
  const hx_loop_plan *plan;
  struct hx_loop_frame *outer;
  const hx_val *base;
  const hx_str *keys; /* the keys of an object, in order of elements; NULL: keys are numbers, or the elements of a set */
  hx_val collection;  /* unmarked, or FOREIGN */
  const hx_marks *marks;
  bool known, failed, is_set, unsettled;
  bool items;           /* of a splat: the collection consists of items that may be a list, so the result may be a list, too */
  bool was_secret;      /* cx.secret outside the loop */
  uint8_t state;        /* hx_loop_state */
  uint32_t first_error; /* RETYPES: number of errors before this state */
  hx_obj_builder builder;
  HX_VEC(hx_loop_group) groups; /* of a grouping loop: the groups, in the order of the builder's keys */
} hx_loop_frame;

HX_INLINE const hx_node *hx_machine_node(const hx_machine *m) {
  return m->program->nodes[m->pc];
}

/* errors: errors.c */
/* Notes which instruction reported the errors since the last call. */
void hx_errors_note(hx_machine *m, uint32_t pc);
/* Returns true if code in [from, to) reported errors in the current element of the innermost loop. */
bool hx_errors_any(const hx_machine *m, uint32_t from, uint32_t to);
/* Returns true if the code of the current instruction's operands reported errors. */
HX_INLINE bool hx_operands_failed(const hx_machine *m) {
  return HX_UNLIKELY(m->cx.diags.errors != 0) && hx_errors_any(m, m->program->starts[m->pc], m->pc);
}
/* Returns the address of the first error of code in [from, to), or UINT32_MAX if it reported none. */
uint32_t hx_errors_first(const hx_machine *m, uint32_t from, uint32_t to);
/* Drops the errors of code in [from, to). */
void hx_errors_drop(hx_machine *m, uint32_t from, uint32_t to);
/* Drops the errors of code in [from, to), except those for which `keep` is true. */
void hx_errors_drop_but(hx_machine *m, uint32_t from, uint32_t to, bool (*keep)(const hx_diag *d));
/* Drops errors that are like an earlier one at the same place: a check finds the same error with elements of several types. */
void hx_errors_distinct(hx_machine *m);
/* Drops all errors but the first n. */
void hx_errors_cut(hx_machine *m, uint32_t n);
/* Returns the last diagnostic of code in [from, to), or NULL. */
hx_diag *hx_errors_last(const hx_machine *m, uint32_t from, uint32_t to);
/* Adds the values of the names involved to the diagnostics, when the program ends. */
void hx_errors_explain(hx_machine *m);
/* Adds a diagnostic of the current instruction, at a place in the program. */
hx_diag *hx_report_at(hx_machine *m, hx_diag_id id, hx_range at, hx_str detail);

/* Returns the number of steps that may be taken now, without those that a slice holds back. */
HX_INLINE uint64_t hx_machine_steps(const hx_machine *m) {
  return m->cx.steps_left > m->held ? m->cx.steps_left - m->held : 0;
}

/* Makes room for the answers of the program's paths, m->path_values. */
void hx_machine_take_path_values(hx_machine *m);
/* Returns the answer of a path in this evaluation, or its bound value. Returns NULL if it isn't known or failed. */
const hx_val *hx_path_known(const hx_machine *m, uint32_t path);

/* Replaces the `takes` values on top of the stack by one. */
HX_INLINE void hx_machine_put(hx_machine *m, uint32_t takes, hx_val v) {
  m->top -= takes;
  *m->top++ = v;
}

/* Converts a FOREIGN value in place, with all its parts; leaves other values alone. */
hx_answer hx_machine_whole(hx_machine *m, hx_val *v);

/* The helper of an instruction, named after it. */
typedef hx_went hx_slow_fn(hx_machine *m, const hx_instr *in);
hx_slow_fn hx_slow_path, hx_slow_column, hx_slow_loop_key, hx_slow_steps, hx_slow_index;         /* path.c */
hx_slow_fn hx_slow_binary, hx_slow_logic, hx_slow_unary;                                         /* operator.c */
hx_slow_fn hx_slow_cond, hx_slow_pick, hx_slow_choose;                                           /* conditional.c */
hx_slow_fn hx_slow_template, hx_slow_join;                                                       /* template.c */
hx_slow_fn hx_slow_tuple, hx_slow_object, hx_slow_object_of, hx_slow_item_key, hx_slow_key_path; /* construct.c */
hx_slow_fn hx_slow_for, hx_slow_rows, hx_slow_for_if, hx_slow_for_key, hx_slow_for_append, hx_slow_for_put,
    hx_slow_for_group;                          /* for.c */
hx_slow_fn hx_slow_splat, hx_slow_splat_append; /* splat.c */
hx_slow_fn hx_slow_call_begin, hx_slow_spread, hx_slow_type_arg, hx_slow_call, hx_slow_try_next,
    hx_slow_try_end;                                                                                      /* call.c, try.c */
hx_slow_fn hx_slow_each, hx_slow_each_check, hx_slow_each_label, hx_slow_each_state, hx_slow_each_append; /* each.c */
hx_slow_fn hx_slow_argument, hx_slow_argument_mark, hx_slow_argument_type, hx_slow_decoded, hx_slow_fault, hx_slow_secret,
    hx_slow_mark;                                     /* body.c */
hx_slow_fn hx_slow_nested;                            /* nested.c */
hx_slow_fn hx_slow_record;                            /* record.c */
hx_slow_fn hx_slow_end, hx_slow_broken, hx_slow_none; /* machine.c */

/* Loops: for.c and splat.c */
/* Starts a loop's frame over a collection that is known, unmarked and iterable. */
void hx_loop_over(hx_machine *m, hx_loop_frame *f, const hx_val *collection);
/* Empties a frame, and makes it the innermost one. */
void hx_loop_enter(hx_machine *m, hx_loop_frame *f);
/* Notes the marks of the frame's collection (NULL: none). Elements don't have these marks, so no message shows a value until the loop
** ends. */
HX_INLINE void hx_loop_mark(hx_machine *m, hx_loop_frame *f, const hx_marks *marks) {
  f->marks = marks;
  if (marks) m->cx.secret = true;
}
/* Removes the innermost frame. */
HX_INLINE void hx_loop_exit(hx_machine *m, const hx_loop_frame *f) {
  m->loop = f->outer;
  m->cx.secret = f->was_secret;
}
/* Asks the host for the shape of v, a FOREIGN collection, and sets *kind. Enters the frame if the answer is HX_ANSWER_OK. Returns the
** answer. */
hx_answer hx_loop_over_foreign(hx_machine *m, hx_loop_frame *f, const hx_val *v, hx_kind *kind);
/* Begins the first element. Returns the address at which to continue. */
uint32_t hx_loop_first(hx_machine *m, hx_loop_frame *f);
/* Continues after a loop that wasn't entered; the result replaces the collection. */
HX_INLINE hx_went hx_loop_skip(hx_machine *m, const hx_loop_frame *f, hx_val result) {
  m->top[-1] = result;
  m->pc = f->plan->end;
  return HX_WENT_JUMP;
}
/* Ends the loop with the given result. */
hx_went hx_loop_leave(hx_machine *m, hx_loop_frame *f, hx_val result);
void hx_loop_grow(hx_machine *m, hx_loop_frame *f);

/* Continues with the next element. Returns the address, or UINT32_MAX after the last element. */
HX_INLINE uint32_t hx_loop_next(hx_machine *m, hx_loop_frame *f) {
  f->errors = m->nerrors;
  if (HX_UNLIKELY(++f->i >= f->n)) return UINT32_MAX;
  if (HX_LIKELY(f->item != NULL)) {
    f->item = HX_LIKELY(f->order == NULL) ? f->item + 1 : f->base + f->order[f->i];
    return f->plan->body;
  }
  return f->i % HX_ROWS ? f->plan->body : f->plan->rows;
}

/* Calls: call.c */
/* Continues a call after the host's answer; the machine calls it before the next instruction. */
hx_went hx_call_resume(hx_machine *m);
/* Returns the function of a call, or NULL if no function has the name. */
const hx_fn *hx_call_function(hx_machine *m, const hx_call_site *site);
/* Returns true if all calls of built-ins in the program reach the built-ins, and not functions of the host. */
bool hx_calls_builtins(hx_machine *m);
/* Returns true if the call is executed as a form, because no function of the host shadows the built-in. */
HX_INLINE bool hx_call_is_form(hx_machine *m, const hx_call_site *site) {
  return m->plain || hx_call_function(m, site) == site->builtin;
}
/* Prepares for the arguments of a call: in try() and can() most errors are never shown (try.c). */
void hx_try_begin(hx_machine *m, const hx_call_site *site);
/* Executes the ordinary call at the end of a site's code. */
hx_went hx_call_go(hx_machine *m, const hx_call_site *site);
/* Continues with the outcome of a call: its result, its errors, a wait, or another program. */
hx_went hx_call_settle(hx_machine *m, const hx_call_site *site, hx_call_state state, hx_val out);
/* Returns the range from a call's name to its `(`. */
hx_range hx_call_start(const hx_call_site *site);

/* For a host that only checks: check.c */
/* Sets the elements of a loop over an unmarked collection, which may be unknown. */
void hx_check_elements(hx_machine *m, hx_loop_frame *f, const hx_val *collection);
/* Returns the key of the current element. */
hx_val hx_check_loop_key(hx_machine *m, const hx_loop_frame *f);
/* Returns a string in place of a key or label of the current element. It differs from any other such string. */
hx_val hx_check_text(hx_machine *m, const hx_loop_frame *f);
/* Returns the result of a `for` whose elements hx_check_elements has set. */
hx_val hx_check_loop_result(hx_machine *m, const hx_loop_frame *f);
/* Ends try() or can(), whose arguments are all on the stack. */
hx_went hx_check_try(hx_machine *m, const hx_call_site *site);
/* Returns the result of the current call of a Lua function, which isn't called. */
hx_val hx_check_called(hx_machine *m);

/* Entered programs: enter.c */
/* Enters the program m->call.entry. */
hx_went hx_frame_enter(hx_machine *m);
/* Ends an entered program, as m->status says, and resumes the call that entered it. */
hx_went hx_frame_leave(hx_machine *m);
/* Returns to the outer program after an abort. */
void hx_frame_abandon(hx_machine *m);
/* Makes the stack and the tables for m->program. */
void hx_machine_take_tables(hx_machine *m);

/* hx_machine.phase: whether the current instruction, a call, waits for a Lua function */
enum {
  HX_PHASE_RUN,      /* not waiting */
  HX_PHASE_ASKED,    /* waiting for the result of m->need */
  HX_PHASE_ANSWERED, /* m->answer has the result */
  HX_PHASE_REFUSED,  /* m->refusal has the rejection */
};

#endif
