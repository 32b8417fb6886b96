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
  uint32_t width; /* columns, for text and sources; 0: HX_REPORT_WIDTH. Never within a word, nor within a line that is indented */
  hx_str all;     /* what shows all, as "-all shows them"; not empty: of warnings of one kind three with different
                  ** details are shown, of errors three with one place or one detail, and the others counted */
} hx_report_style;

/* Do both look the same? An expression in a loop fails once an element, and is one mistake. */
bool hx_report_same(const hx_diag *d, const hx_diag *e);
/* Each once, with an empty line between two; what comes up again at one place, for another instance, is counted. Example of one:
**   Error: Unknown variable
**     on rules.hcl line 3, column 7:
**      3 | x = vra.a + 1
**        |     ^^^
**   There is no variable named "vra". Did you mean "var"? */
hx_str hx_report(hx_cx *cx, const hx_diags *diags, hx_report_style style);
/* For hx_diag.chain: the place in a source where a diagnostic came up, with snippet and values as above, and its own chain. */
hx_str hx_report_chain(hx_cx *cx, const hx_diag *inner);

#endif
