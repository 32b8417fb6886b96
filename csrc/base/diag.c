/* diag.c: adds diagnostics to an activity's list, and holds the rows of diag_list.h. */
#include "base/diag.h"

#include "base/buf.h"
#include "base/cx.h"

#define MESSAGE_SIZE 192u /* the first size of a message's buffer; bytes that it doesn't need return to the arena */

static const struct row {
  hx_severity severity;
  const char *code, *summary, *detail;
} rows[] = {
#define HX_DIAG(id, severity, code, summary, detail) [HX_D_##id] = { severity, code, summary, detail },
#include "base/diag_list.h"
#undef HX_DIAG
};

hx_severity hx_diag_severity(const hx_diag *d) {
  return rows[d->id].severity;
}

static bool is_own(const hx_diag *d) {
  return (d->id == HX_D_OWN_ERROR || d->id == HX_D_OWN_WARNING) && d->summary.len;
}

const char *hx_diag_code(const hx_diag *d) {
  return is_own(d) ? d->summary.p : rows[d->id].code;
}

hx_str hx_diag_summary(const hx_diag *d) {
  if (is_own(d)) return hx_str_from(d->summary, (uint32_t)strlen(d->summary.p) + 1);
  return d->summary.len ? d->summary : hx_str_c(rows[d->id].summary);
}

const char *hx_diag_format(hx_diag_id id) {
  return rows[id].detail;
}

void hx_diags_append(hx_diags *list, hx_diag *d) {
  d->next = NULL;
  if (list->last) list->last->next = d;
  else list->first = d;
  list->last = d;
  list->kept++;
  if (hx_diag_severity(d) == HX_ERROR) list->errors++;
}

void hx_diags_prepend(hx_diags *list, hx_diag *d) {
  d->next = list->first;
  list->first = d;
  if (!list->last) list->last = d;
  list->kept++;
  if (hx_diag_severity(d) == HX_ERROR) list->errors++;
}

/* Returns a record for a diagnostic. Diagnostics that are only counted share one record, which is never shown. */
static hx_diag *take_record(hx_cx *cx) {
  return HX_UNLIKELY(hx_is_silent(cx)) ? &cx->spare : HX_NEW(cx, hx_diag);
}

static void fill(hx_diag *d, hx_diag_id id, const struct hx_source *source, hx_range subject) {
  *d = (hx_diag){ .source = source, .subject = subject, .context = subject, .id = (uint16_t)id, .has_range = source != NULL };
}

/* Adds the diagnostic to the list, or only counts it if it has the shared record. */
static hx_diag *report(hx_cx *cx, hx_diag *d) {
  if (HX_LIKELY(d != &cx->spare)) {
    hx_diags_append(&cx->diags, d);
  } else {
    cx->diags.dropped++;
    if (hx_diag_severity(d) == HX_ERROR) cx->diags.errors++;
  }
  return d;
}

static hx_str list_detail(hx_cx *cx, hx_diag_id id, va_list *args) {
  hx_buf b;
  if (!strchr(rows[id].detail, '%')) return hx_str_c(rows[id].detail);
  hx_buf_init(&b, &cx->arena, MESSAGE_SIZE);
  hx_buf_say(&b, rows[id].detail, args);
  return hx_buf_done(&b);
}

hx_diag *hx_diag_add_text(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, hx_str detail) {
  hx_diag *d = take_record(cx);
  fill(d, id, source, subject);
  d->detail = detail;
  return report(cx, d);
}

hx_diag *hx_diag_add(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, ...) {
  hx_diag *d = take_record(cx);
  va_list args;
  fill(d, id, source, subject);
  if (d == &cx->spare) return report(cx, d);
  va_start(args, subject);
  d->detail = list_detail(cx, id, &args);
  va_end(args);
  return report(cx, d);
}

hx_diag *hx_diag_hold(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, va_list *args) {
  hx_diag *d = HX_NEW(cx, hx_diag);
  fill(d, id, source, subject);
  d->detail = list_detail(cx, id, args);
  return d;
}

hx_diag *hx_diag_report(hx_cx *cx, const hx_diag *held) {
  hx_diag *d = take_record(cx);
  *d = *held;
  return report(cx, d);
}

void hx_diags_report_at(hx_cx *cx, const hx_diags *held, const struct hx_source *source, hx_range subject, hx_range context) {
  for (const hx_diag *from = held->first; from; from = from->next) {
    hx_diag *d = hx_diag_report(cx, from);
    if (d->has_range) continue;
    d->source = source;
    d->subject = subject;
    d->context = context;
    d->has_range = true;
  }
}

void hx_diag_add_value(hx_cx *cx, hx_diag *d, hx_str path, hx_str text) {
  if (path.len > HX_SHOWN_MAX) path = hx_say(cx, "%.*s", HX_STR_ARG(path));
  hx_diag_value *v = HX_NEW(cx, hx_diag_value), **at = &d->values;
  *v = (hx_diag_value){ path, text, NULL };
  while (*at) at = &(*at)->next;
  *at = v;
}

hx_diags_mark hx_diags_get_mark(const hx_cx *cx) {
  return (hx_diags_mark){ cx->diags.last, cx->diags.kept, cx->diags.dropped, cx->diags.errors };
}

void hx_diags_rollback(hx_cx *cx, hx_diags_mark m) {
  cx->diags.last = m.last;
  cx->diags.kept = m.kept;
  cx->diags.dropped = m.dropped;
  cx->diags.errors = m.errors;
  if (m.last) m.last->next = NULL;
  else cx->diags.first = NULL;
}
