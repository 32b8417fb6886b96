/* suggest.h: "did you mean": finds the candidate nearest to a given name.
** Memory: the name found is one of the candidates, which are borrowed for the call. The sentence about it is in cx->arena.
** Errors: none except the limit of steps: a message charges one for four candidates. */
#ifndef HX_TEXT_SUGGEST_H
#define HX_TEXT_SUGGEST_H

#include "base/cx.h"

/* Returns the candidate that is nearest to `given` within a small edit distance (1, or 2 for names of six letters and more). Of equally
** near candidates, returns the first in byte order. Returns an empty text if no candidate is near.
** Time is linear for long names and lists: names over 64 bytes and candidates beyond 1,000 are ignored. */
hx_str hx_suggest(hx_str given, const hx_str *candidates, uint32_t n);
/* Finds a name for a message as hx_suggest does, but charges steps, and finds nothing if the message is not shown (hx_is_silent). */
hx_str hx_near_name(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* Returns " Did you mean \"x\"?" or "", for the end of a detail. */
hx_str hx_did_you_mean(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* Returns the sentence of hx_did_you_mean for a name that was found before, or "" for an empty name. */
hx_str hx_near_hint(hx_cx *cx, hx_str near);
/* Words of other languages, each with a sentence about what to write here, for the end of a detail. */
typedef struct hx_word_note {
  hx_str word;
  const char *note;
} hx_word_note;
/* Returns the note of a word, or "". */
hx_str hx_word_note_of(const hx_word_note *notes, size_t n, hx_str word);
/* Reports that nothing has the name `given`. id is a row of diag_list.h that takes the name, the suggestion and, at the end, the note.
** Suggestion and note may be empty. */
void hx_report_missing(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range at, hx_str given,
                       const hx_str *candidates, uint32_t n, hx_str note);

#endif
