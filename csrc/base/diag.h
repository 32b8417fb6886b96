/* diag.h: diagnostics say what is wrong with the user's text or data, where, and how to repair it.
** Memory: a diagnostic and its texts live in the arena of the activity that reported it.
** Errors: at most HX_DIAGS_MAX diagnostics are kept. The rest, and those that aren't shown (hx_is_silent), are only counted. A function
**   that returns failure has reported exactly once; its caller adds nothing. No text ever shows a marked value. */
#ifndef HX_BASE_DIAG_H
#define HX_BASE_DIAG_H

#include <stdarg.h>

#include "base/range.h"
#include "base/str.h"

struct hx_cx;
struct hx_source;

typedef enum hx_severity { HX_ERROR, HX_WARNING } hx_severity;

typedef enum hx_diag_id {
#define HX_DIAG(id, severity, code, summary, detail) HX_D_##id,
#include "base/diag_list.h"
#undef HX_DIAG
  HX_D_COUNT
} hx_diag_id;

/* A named value that the message is about: its path, and a short rendering ("(sensitive value)" if the value is marked). */
typedef struct hx_diag_value {
  hx_str path, text;
  struct hx_diag_value *next;
} hx_diag_value;

typedef struct hx_diag hx_diag;
struct hx_diag {
  hx_diag *next;
  const struct hx_source *source; /* NULL: the diagnostic has no place in a source */
  hx_range subject, context;      /* context contains subject; they are equal if nothing wider is known */
  hx_str detail;
  hx_diag_value *values;
  uint16_t id; /* an hx_diag_id; its row in diag_list.h has severity, code and summary */
  bool has_range;
  bool wide;      /* Lua shows an empty subject as one character */
  uint32_t pc;    /* the machine's instruction: see vm/machine/machine.h */
  hx_str summary; /* empty: that of diag_list.h. For a diagnostic made by a script (OWN_*): its code, a NUL, its summary */
  hx_str name;    /* the name that is missing, or that of the value read; or empty */
  hx_str reason;  /* a word that distinguishes causes that have the same code (doc/api.md); or empty */
  hx_str chain;   /* the chain of templates that led to the place, as text (hx_report_chain); or empty */
};

#define HX_DIAGS_MAX 100

typedef struct hx_diags {
  hx_diag *first, *last;
  uint32_t kept, dropped; /* dropped counts diagnostics that aren't kept */
  uint32_t errors;        /* errors reported, dropped ones included */
} hx_diags;

typedef struct hx_diags_mark {
  hx_diag *last;
  uint32_t kept, dropped, errors;
} hx_diags_mark;

/* Adds a diagnostic of diag_list.h. The arguments are those of the row's detail format; source may be NULL. Returns the diagnostic,
** never NULL, so that the caller can add a context or values. */
hx_diag *hx_diag_add(struct hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, ...);
/* Adds a diagnostic with a finished detail text, for built-in functions and messages from Lua. */
hx_diag *hx_diag_add_text(struct hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, hx_str detail);
/* hx_diag_hold makes a diagnostic without reporting it. hx_diag_report reports a copy of it, as often as you like. */
hx_diag *hx_diag_hold(struct hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range subject, va_list *args);
hx_diag *hx_diag_report(struct hx_cx *cx, const hx_diag *held);
/* Reports copies of all diagnostics in a list. Those without a place get the place given here. */
void hx_diags_report_at(struct hx_cx *cx, const hx_diags *held, const struct hx_source *source, hx_range subject, hx_range context);
void hx_diag_add_value(struct hx_cx *cx, hx_diag *d, hx_str path, hx_str text);

hx_diags_mark hx_diags_get_mark(const struct hx_cx *cx);
/* Drops everything reported since the mark (try, can, branches not taken). */
void hx_diags_rollback(struct hx_cx *cx, hx_diags_mark m);

/* For cx.c: hx_diag_format returns the detail format of a row. The other two add a record that belongs to the caller. */
const char *hx_diag_format(hx_diag_id id);
void hx_diags_append(hx_diags *list, hx_diag *d);
void hx_diags_prepend(hx_diags *list, hx_diag *d);

hx_severity hx_diag_severity(const hx_diag *d);
const char *hx_diag_code(const hx_diag *d);
hx_str hx_diag_summary(const hx_diag *d);

#endif
