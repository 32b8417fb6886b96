/* suggest.h: "did you mean": the candidate nearest to a given name.
** Memory: the name found is one of the candidates, which are borrowed for the call. The sentence about it is in cx->arena.
** Errors: none except the limit of steps: a message charges one for four candidates. */
#ifndef HX_TEXT_SUGGEST_H
#define HX_TEXT_SUGGEST_H

#include "base/cx.h"

/* The candidate within a small edit distance of given (2, or 1 for names under 3 letters), the first in byte order among
** equally near ones; empty if no name is near. Time is linear for long names and lists: names over 64 bytes and candidates beyond
** 1,000 are ignored. */
hx_str hx_suggest(hx_str given, const hx_str *candidates, uint32_t n);
/* The same for a message: it charges steps, and finds nothing if the message is not shown (hx_is_silent). */
hx_str hx_near_name(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* " Did you mean \"x\"?" or "", for the end of a detail. */
hx_str hx_did_you_mean(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* The same for a name that was found, or for an empty one. */
hx_str hx_near_hint(hx_cx *cx, hx_str near);
/* Words of other languages, each with a sentence about what to write here, for the end of a detail. */
typedef struct hx_word_note {
  hx_str word;
  const char *note;
} hx_word_note;
/* The note of a word, or "". */
hx_str hx_word_note_of(const hx_word_note *notes, size_t n, hx_str word);
/* Reports that nothing has this name, by a row of diag_list.h that takes the name and, for the end, the suggestion and this
** note; both may be empty. */
void hx_report_missing(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range at, hx_str given,
                       const hx_str *candidates, uint32_t n, hx_str note);

#endif
