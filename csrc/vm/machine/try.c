/* try.c: executes the forms whose arguments are not simply evaluated: try(), can(), and type arguments. Source: reference's tryfunc and
** typeexpr.ConvertFunc. If the host has a function of that name, the same code makes an ordinary call of the host's function; its arguments
** then stay on the stack. */
#include "vm/machine/parts.h"

#include "base/buf.h"
#include "value/open.h"
#include "vm/constraint.h"

/* Returns true if the failure of argument i is never shown: can() gives no reason, and try() only that of the last argument. */
static bool is_silent(const hx_machine *m, const hx_call_site *site, uint32_t i) {
  if (m->program->records) return false;
  uint32_t written = site->nargs - (site->spread ? 1 : 0);
  if (site->form & HX_FORM_CAN) return i < written;
  return written < UINT16_MAX && i + 1 < written; /* arguments after the first 65,535 have no number */
}

/* Subtracts the errors that were only counted in silence. A full list also counts other errors without keeping them, so its count
** stays as it is. */
void hx_machine_end_silence(hx_machine *m) {
  hx_diags *list = &m->cx.diags;
  m->cx.silent = 0;
  if (list->kept >= HX_DIAGS_MAX) return;
  list->errors -= list->dropped;
  list->dropped = 0;
}

void hx_try_begin(hx_machine *m, const hx_call_site *site) {
  if (!(site->form & (HX_FORM_TRY | HX_FORM_CAN)) || !hx_call_is_form(m, site)) return;
  m->cx.tries++;
  if (!m->host->check && is_silent(m, site, 0)) m->cx.silent++;
}

hx_went hx_slow_type_arg(hx_machine *m, const hx_instr *in) {
  const hx_call_site *site = &m->program->calls[in->b];
  if (!hx_call_is_form(m, site)) return HX_WENT_ON;
  hx_val v = hx_unknown_dynamic;
  if (site->constraint) v = hx_capsule(site->constraint->type);
  else hx_constraint_parse(&m->cx, m->program->source, hx_machine_node(m), true);
  hx_machine_put(m, 0, v);
  m->pc = site->type_end;
  return HX_WENT_JUMP;
}

/* Ends the call: drops all reports of its arguments. `takes`: the number of its values on the stack. */
static hx_went succeed(hx_machine *m, const hx_call_site *site, uint32_t takes, hx_val v) {
  m->cx.tries--;
  hx_errors_drop(m, site->begin, m->pc);
  hx_machine_put(m, takes + (site->spread ? 1 : 0), v);
  m->pc = site->end;
  return HX_WENT_JUMP;
}

/* Returns the result if argument v didn't fail: true for can(), v for try(). reference: if v isn't wholly known, the result is unknown,
** because v may turn out differently, or fail. */
static hx_val outcome(hx_machine *m, const hx_call_site *site, const hx_val *v) {
  if (v->tag > HX_T_STR) hx_charge_walk(&m->cx, hx_val_weight(v));
  bool known = hx_is_wholly_known(v);
  if (site->form & HX_FORM_CAN) return known ? hx_bool(true) : hx_unknown(&m->cx, &hx_type_bool);
  return known ? *v : hx_unknown_of_open(&m->cx, v);
}

hx_went hx_slow_try_next(hx_machine *m, const hx_instr *in) {
  const hx_call_site *site = &m->program->calls[in->b];
  if (m->host->check || !hx_call_is_form(m, site)) return HX_WENT_ON;
  if (is_silent(m, site, in->a)) m->cx.silent--;
  if (hx_operands_failed(m)) {
    if (site->form & HX_FORM_CAN) return succeed(m, site, 1, hx_bool(false));
    m->top--;
    if (is_silent(m, site, in->a + 1u)) m->cx.silent++;
    return HX_WENT_ON;
  }
  return succeed(m, site, 1, outcome(m, site, m->top - 1));
}

/* Returns the source text that a diagnostic points at, or its first 60 bytes. */
static hx_str place_text(const hx_diag *d) {
  uint32_t len = d->subject.stop - d->subject.start;
  if (!d->source || d->subject.stop > d->source->text.len) return HX_STR("");
  return (hx_str){ d->source->text.p + d->subject.start, len < 60 ? len : 60 };
}

static hx_went fail_all(hx_machine *m, const hx_call_site *site) {
  const hx_diag *d = hx_errors_last(m, site->begin, m->pc);
  hx_str text = HX_STR("try(): it needs at least one expression to try.");
  m->cx.tries--;
  if (d) {
    hx_str at = place_text(d);
    text = hx_say(&m->cx,
                  "try(): none of the expressions could be evaluated. What failed last is \"%.*s\": %.*s End with an expression "
                  "that can't fail.",
                  HX_STR_ARG(at), HX_STR_ARG(d->detail));
  }
  hx_errors_drop(m, site->begin, m->pc);
  hx_diag *made = hx_report_at(m, HX_D_CALL_FAILED, hx_call_start(site), text);
  made->context = hx_node_range(site->node);
  if (d) {
    made->name = d->name;
    made->reason = d->reason;
  }
  hx_machine_put(m, site->spread ? 1 : 0, hx_unknown_dynamic);
  return HX_WENT_ON;
}

/* Ends try() or can() after all arguments written one by one have failed. If a spread collection has elements, its first one
** decides, since a value can't fail. */
hx_went hx_slow_try_end(hx_machine *m, const hx_instr *in) {
  const hx_call_site *site = &m->program->calls[in->b];
  if (!hx_call_is_form(m, site)) return hx_call_go(m, site);
  if (m->host->check) return hx_check_try(m, site);
  if (site->spread) {
    const hx_val *v = m->top - 1, *bare = hx_unmarked(v);
    if (bare->len) {
      hx_val first = hx_mark(&m->cx, bare->u.seq->v[0], hx_marks_get(v));
      return succeed(m, site, 0, outcome(m, site, &first));
    }
  }
  return fail_all(m, site);
}
