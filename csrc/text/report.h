/* report.h: diagnostics as text for people: summary, place, source snippet with a caret range, values involved, detail.
** Memory: the text lives in cx->arena.
** Errors: memory only. */
#ifndef HX_TEXT_REPORT_H
#define HX_TEXT_REPORT_H

#include "base/buf.h"
#include "text/source.h"

#define HX_REPORT_WIDTH 100u

typedef struct hx_report_style {
  bool colours;   /* ANSI escapes */
  uint32_t width; /* columns, for text and sources; 0: HX_REPORT_WIDTH. Words and indented lines are never broken */
  hx_str all;     /* the option that shows all, as in "-all shows them". If set, three warnings of one kind with different
                  ** details are shown, and three errors with one place or one detail; the others are counted */
} hx_report_style;

/* Returns true if both diagnostics look the same. An expression in a loop fails for each element, but is reported once. */
bool hx_report_same(const hx_diag *d, const hx_diag *e);
/* Returns the diagnostics as text, each once, with an empty line in between. Repetitions at one place, for other instances, are counted.
** One diagnostic looks like this:
**   Error: Unknown name
**     on rules.hcl line 3, column 7:
**      3 | x = vra.a + 1
**        |     ^^^
**   Nothing is named "vra" here. Did you mean "var"? */
hx_str hx_report(hx_cx *cx, const hx_diags *diags, hx_report_style style);
/* Returns the text of hx_diag.chain for a call that failed because of `inner`, a diagnostic in the called template: the place of `inner`
** with snippet and values as above, and its own chain. */
hx_str hx_report_chain(hx_cx *cx, const hx_diag *inner);

#endif
