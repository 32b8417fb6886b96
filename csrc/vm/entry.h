/* entry.h: a call that is carried out by running a program: templates. The machine runs it on its own stack, in a frame of its own:
** its names are the entry's variables and nothing else, its functions those of the call's place but for what the entry forbids.
** Memory: an entry and its program live as long as the evaluation.
** Errors: what goes wrong inside is one fault of the call, which shows the place inside (hx_diag.chain). */
#ifndef HX_VM_ENTRY_H
#define HX_VM_ENTRY_H

#include "vm/fn.h"
#include "value/marks.h"
#include "vm/program.h"

typedef struct hx_entry {
  const hx_program *program;                      /* compiled */
  hx_val variables;                               /* an object or map: known, unmarked */
  uint8_t forbids;                                /* HX_NEEDS_* whose functions may not be called inside */
  const hx_marks *marks;                          /* of the program's text: finish puts them on the result; or NULL */
  bool secret_text;                               /* no word of the program may be shown … */
  bool secret_variables;                          /* … or of what it works with */
  hx_val (*finish)(hx_call *call, hx_val result); /* the call's result, or what hx_fail* returns */
} hx_entry;

/* For an implementation: run this, then finish. Returns what the implementation returns. */
hx_val hx_enter(hx_call *call, const hx_entry *entry);
/* Blames argument i, or HX_BLAME_CALL, for the first of the errors that a program's parse or run gave. */
hx_val hx_fail_inner(hx_call *call, int32_t i, const hx_diags *errors, bool secret_text, bool secret_variables);

/* How a HX_FORM_TEMPLATE argument is written. */
typedef enum hx_text_form {
  HX_TEXT_REFERENCE, /* a named value or part of one */
  HX_TEXT_LITERAL,   /* a quoted template */
  HX_TEXT_OTHER,
} hx_text_form;

/* Argument 0 of a HX_FORM_TEMPLATE call, which the protocol sees as an empty string. */
typedef struct hx_text_argument {
  hx_text_form form;
  bool failed; /* its evaluation did: `why`; nothing was reported of it */
  hx_str why;
  hx_val v;
} hx_text_argument;

#endif
