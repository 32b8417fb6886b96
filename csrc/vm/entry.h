/* entry.h: a call that runs a program: a template. The machine runs the program on its own stack, in its own frame. The only names inside
** are the entry's variables. The functions are those at the place of the call, except those that the entry forbids.
** Memory: an entry and its program live as long as the evaluation.
** Errors: a failure inside is one error of the call, which shows the place inside (hx_diag.chain). */
#ifndef HX_VM_ENTRY_H
#define HX_VM_ENTRY_H

#include "vm/fn.h"
#include "value/marks.h"

typedef struct hx_entry {
  const struct hx_program *program; /* compiled (vm/compile/program.h) */
  hx_val variables;                 /* an object or map: known, unmarked */
  uint8_t forbids;                  /* HX_NEEDS_* of the functions that are forbidden inside, besides HX_NEEDS_ENTRY */
  const hx_marks *marks;            /* the marks of the program's text, or NULL; finish puts them on the result */
  bool secret_text;                 /* messages must not quote the program */
  bool secret_variables;            /* messages must not show its variables */
  hx_val (*finish)(hx_call *call, hx_val result); /* returns the call's result, or what hx_fail* returns */
} hx_entry;

/* Makes the machine run the entry's program after the implementation, and then call finish. The implementation returns the result of
** hx_enter. */
hx_val hx_enter(hx_call *call, const hx_entry *entry);
/* Blames argument i, or HX_BLAME_CALL, for the first error in parsing or running a program. */
hx_val hx_fail_inner(hx_call *call, int32_t i, const hx_diags *errors, bool secret_text, bool secret_variables);

/* How a HX_FORM_TEMPLATE argument is written. */
typedef enum hx_text_form {
  HX_TEXT_REFERENCE, /* a named value or part of one */
  HX_TEXT_LITERAL,   /* a quoted template */
  HX_TEXT_OTHER,
} hx_text_form;

/* Argument 0 of a HX_FORM_TEMPLATE call. The argument protocol gets an empty string in its place. */
typedef struct hx_text_argument {
  hx_text_form form;
  bool failed; /* the evaluation of the argument failed because of `why`, and nothing was reported */
  hx_str why;
  hx_val v;
} hx_text_argument;

#endif
