/* enter.c: runs programs entered by a call (vm/entry.h). The machine saves the state of the running program, and restores it when the
** entered one has ended. Steps, suspensions and limits work the same inside. */
#include "vm/entry.h"
#include "vm/machine/parts.h"

/* The host of the entered program: names are the entry's variables; all other answers are the outer host's. */
typedef struct inner_host {
  hx_host host; /* first: see inner_of */
  hx_host *outer;
  const hx_val *variables;
} inner_host;

/* The saved state of the outer program: SAVED(type, name, its place in the machine). */
#define ALL_SAVED                                        \
  SAVED(const hx_program *, program, program)            \
  SAVED(hx_host *, host, host)                           \
  SAVED(uint32_t, pc, pc)                                \
  SAVED(hx_val *, stack, stack)                          \
  SAVED(hx_val *, top, top)                              \
  SAVED(hx_loop_frame *, loops, loops)                   \
  SAVED(hx_loop_frame *, loop, loop)                     \
  SAVED(hx_val *, path_values, path_values)              \
  SAVED(bool, plain, plain)                              \
  SAVED(hx_error_at *, errors, errors)                   \
  SAVED(uint32_t, nerrors, nerrors)                      \
  SAVED(uint32_t, errors_cap, errors_cap)                \
  SAVED(uint32_t, nkept, nkept)                          \
  SAVED(hx_diags, diags, cx.diags)                       \
  SAVED(bool, secret, cx.secret)                         \
  SAVED(hx_call, call, call) /* the call that entered */ \
  SAVED(const hx_marks *, call_marks, call_marks)        \
  SAVED(hx_val *, call_args, call_args)                  \
  SAVED(uint32_t, call_nargs, call_nargs)

typedef struct hx_frame {
  inner_host inner;
#define SAVED(type, name, from) type name;
  ALL_SAVED
#undef SAVED
} hx_frame;

static inner_host *inner_of(hx_host *h) {
  return (inner_host *)(void *)h;
}

/* Answers the root of a path; the machine follows its steps. */
static hx_answer inner_path(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at) {
  const hx_val *v = hx_obj_get(inner_of(h)->variables, p->root);
  (void)cx, (void)want;
  if (!v) return HX_ANSWER_ABSENT;
  *out = *v;
  *at = 0;
  return HX_ANSWER_OK;
}

static const hx_fn *inner_function(hx_host *h, hx_cx *cx, hx_str name, const hx_fn *builtin) {
  hx_host *outer = inner_of(h)->outer;
  return outer->function(outer, cx, name, builtin);
}

static hx_str inner_names(hx_host *h, hx_cx *cx, bool functions, hx_str wanted, const hx_str **names, uint32_t *n) {
  const inner_host *in = inner_of(h);
  if (functions) return in->outer->names ? in->outer->names(in->outer, cx, functions, wanted, names, n) : HX_STR("");
  *names = in->variables->u.obj->shape->keys;
  *n = in->variables->len;
  return HX_STR("");
}

static hx_answer inner_clock(hx_host *h, hx_cx *cx, int64_t *seconds) {
  hx_host *outer = inner_of(h)->outer;
  return outer->clock(outer, cx, seconds);
}

static hx_answer inner_random(hx_host *h, hx_cx *cx, void *bytes, uint32_t n) {
  hx_host *outer = inner_of(h)->outer;
  return outer->random(outer, cx, bytes, n);
}

static hx_answer inner_outside(hx_host *h, hx_cx *cx, hx_str path) {
  hx_host *outer = inner_of(h)->outer;
  return outer->outside(outer, cx, path);
}

/* Makes the host of an entered program. An entered program can't enter another one, so at most one frame exists. */
static void begin_host(inner_host *in, hx_host *outer, const hx_entry *entry) {
  *in = (inner_host){ .outer = outer, .variables = &entry->variables };
  in->host = (hx_host){
    .path = inner_path,
    .function = inner_function,
    .names = inner_names,
    .plain = outer->plain,
    .console = outer->console,
    .absent = outer->absent,
    .has = outer->has,
    .forbids = outer->forbids | HX_NEEDS_ENTRY | entry->forbids,
    .directory = outer->directory,
    .folders = outer->folders,
    .plan_timestamp = outer->plan_timestamp,
    .clock = outer->clock ? inner_clock : NULL,
    .random = outer->random ? inner_random : NULL,
    .outside = outer->outside ? inner_outside : NULL,
  };
}

hx_went hx_frame_enter(hx_machine *m) {
  hx_frame *f = HX_NEW(&m->cx, hx_frame);
  const hx_entry *entry = m->call.entry;
  const hx_program *p = entry->program;
  HX_ASSERT(!m->frame);
  hx_charge_memory(&m->cx, sizeof *f + 16 * ((uint64_t)p->max_stack + p->npaths) + (uint64_t)p->nloops * sizeof(hx_loop_frame));
#define SAVED(type, name, from) f->name = m->from;
  ALL_SAVED
#undef SAVED
  begin_host(&f->inner, m->host, entry);
  m->frame = f;
  m->program = p;
  m->host = &f->inner.host;
  m->plain = hx_calls_builtins(m);
  m->pc = 0;
  m->loop = NULL;
  if (entry->secret_variables) m->cx.secret = true;
  m->errors = NULL;
  m->nerrors = m->errors_cap = m->nkept = 0;
  m->cx.diags = (hx_diags){ 0 };
  hx_machine_take_tables(m);
  return HX_WENT_ENTER;
}

/* Restores the outer program's state in the machine. */
static void restore(hx_machine *m) {
  const hx_frame *f = m->frame;
  m->frame = NULL;
#define SAVED(type, name, from) m->from = f->name;
  ALL_SAVED
#undef SAVED
}

hx_went hx_frame_leave(hx_machine *m) {
  const hx_diags inner = m->cx.diags;
  restore(m);
  const hx_call_site *site = &m->program->calls[m->program->code[m->pc].b];
  const hx_entry *entry = m->call.entry;
  hx_val out = hx_unknown_dynamic;
  hx_call_state state;
  if (inner.errors) {
    hx_fail_inner(&m->call, HX_BLAME_CALL, &inner, entry->secret_text, entry->secret_variables);
    state = hx_call_left(&m->call);
  } else {
    state = hx_call_leave(&m->call, m->result, m->call_marks, &out);
  }
  return hx_call_settle(m, site, state, out);
}

void hx_frame_abandon(hx_machine *m) {
  if (m->frame) restore(m);
}
