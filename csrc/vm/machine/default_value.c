/* default_value.c: computes the default of an optional attribute, in a separate machine without names. */
#include "text/source.h"
#include "vm/defaults.h"
#include "vm/machine/machine.h"

/* The program and machine that compute a default. Freeing them is deferred to the end of cx->arena, so an abort of cx frees them, too. */
typedef struct worker {
  hx_program program;
  hx_machine machine;
  bool has_program, has_machine;
} worker;

static void worker_free(void *p) {
  worker *w = p;
  if (w->has_machine) hx_machine_deinit(&w->machine);
  if (w->has_program) hx_program_deinit(&w->program);
  w->has_machine = w->has_program = false;
}

/* A host without names and functions. */

static hx_answer no_path(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at) {
  (void)h, (void)cx, (void)p, (void)want, (void)out, (void)at;
  return HX_ANSWER_ABSENT;
}

static const hx_fn *no_function(hx_host *h, hx_cx *cx, hx_str name, const hx_fn *builtin) {
  (void)h, (void)cx, (void)name, (void)builtin;
  return NULL;
}

static hx_str no_names(hx_host *h, hx_cx *cx, bool functions, hx_str wanted, const hx_str **names, uint32_t *n) {
  (void)h, (void)cx, (void)functions, (void)wanted;
  *names = NULL;
  *n = 0;
  return HX_STR("");
}

/* Reports an error of the default. The messages for calls of functions and for names say that a default is a constant. A call is blamed as
** a whole, as in the reference. */
static void take_diag(hx_cx *cx, const struct hx_source *src, const hx_diag *d) {
  if (d->id == HX_D_CALL_NONE) {
    hx_diag_add(cx, HX_D_TYPE_DEFAULT_CALL, src, d->context);
  } else if (d->id == HX_D_REFERENCE_UNKNOWN) {
    hx_diag_add(cx, HX_D_TYPE_DEFAULT_NAME, src, d->subject);
  } else {
    hx_diag *copy = hx_diag_add_text(cx, (hx_diag_id)d->id, src, d->subject, hx_str_copy(cx, d->detail));
    copy->context = d->context;
  }
}

static bool work_out(hx_cx *cx, worker *w, const struct hx_source *src, hx_node *n, hx_val *out) {
  hx_program whole = { .source = (hx_source *)src, .root = n };
  whole.cx.limits = cx->limits;
  hx_program_init_part(&w->program, &whole, n);
  w->has_program = true;
  hx_why why = hx_program_ready(&w->program);
  if (why != HX_WHY_NONE) hx_abort(cx, why);
  hx_machine_init(&w->machine);
  w->has_machine = true;
  hx_host host = { .path = no_path, .function = no_function, .names = no_names };
  hx_machine_start(&w->machine, &w->program, &host, &cx->limits);
  w->machine.cx.steps_left = cx->steps_left; /* all defaults of a text share one limit of steps */
  hx_status status = hx_machine_step(&w->machine, 0);
  cx->steps_left = w->machine.cx.steps_left;
  if (status == HX_DONE) {
    *out = hx_val_copy(cx, &w->machine.result);
    return true;
  }
  for (const hx_diag *d = w->machine.cx.diags.first; d; d = d->next) take_diag(cx, src, d);
  return false;
}

bool hx_default_value(hx_cx *cx, const struct hx_source *src, const hx_node *n, hx_val *out) {
  worker *w = HX_NEW(cx, worker);
  memset(&w->program, 0, sizeof w->program);
  w->has_program = w->has_machine = false;
  hx_arena_defer(&cx->arena, worker_free, w);
  bool ok = work_out(cx, w, src, (hx_node *)n, out);
  worker_free(w);
  return ok;
}
