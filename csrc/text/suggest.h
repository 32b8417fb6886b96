/* suggest.h: "did you mean": the candidate nearest to what was written.
** Memory: a name found is one of the candidates; the sentence about it is in cx->arena; candidates are needed no longer than a call.
** Errors: none but the limit of steps, of which messages take one for four candidates. */
#ifndef HX_TEXT_SUGGEST_H
#define HX_TEXT_SUGGEST_H

#include "base/cx.h"

/* The candidate at most a small edit distance (2, or 1 for names under 3 letters) from given, the first in byte order of those that are
** equally near; empty if there is none. Long names and lists cost linear time: names over 64 bytes and more than 1,000 candidates are not
** looked at. */
hx_str hx_suggest(hx_str given, const hx_str *candidates, uint32_t n);
/* The same for a message: it takes steps, and finds nothing where the message is unread. */
hx_str hx_near_name(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* " Did you mean \"x\"?" or "": for the end of a detail. It may be a draft (base/draft.h), of a text that is perhaps empty. */
#define HX_DRAFT_NAMES 24u /* of so many candidates at most */
hx_str hx_did_you_mean(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n);
/* Reports that nothing is named so, by a row of diag_list.h that takes the name and, for the end, the suggestion and this note, which are
** perhaps empty. */
void hx_report_missing(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range at, hx_str given,
                       const hx_str *candidates, uint32_t n, hx_str note);

#endif
