/* draft.h: drafts: messages that are not written yet. Most messages of an evaluation are never read. So the parts of a
** message are kept, and its text is written when someone reads it.
** A draft is an hx_str of length HX_DRAFT whose p is no pointer. It may stand where texts are formatted: as an argument of
** "%.*s" in hx_say, hx_buf_f and the rows of diag_list.h, and as a text of a diagnostic. Other code must not look into a
** text from hx_say, hx_quote_short or the like; hx_draft_write makes one that it may read.
** Memory: the parts lie in cx->drafts, in one piece without pointers into itself or the activity. So they are copied as
**   bytes, equal bytes give equal texts, and one piece may be appended to another (hx_draft_moved). A piece has
**   HX_DRAFTS_ROOM bytes; a text whose parts don't fit is written at once, as are all texts if cx->drafts is NULL.
** Errors: none but memory. */
#ifndef HX_BASE_DRAFT_H
#define HX_BASE_DRAFT_H

#include "base/str.h"

#include <stdarg.h>

struct hx_cx;
struct hx_buf;

#define HX_DRAFT UINT32_MAX
#define HX_DRAFTS_ROOM 1024u

/* The arguments of a format: a letter for each (as in base/print.h; U D: wide). The same few formats come again and again. */
#define HX_FORMAT_ARGS 13u
typedef struct hx_known_format {
  const char *fmt;
  char letters[HX_FORMAT_ARGS];
  uint8_t n;
} hx_known_format;
#define HX_FORMATS 6u

typedef struct hx_drafts {
  char *p;                /* HX_DRAFTS_ROOM bytes in the activity's arena, or bytes to be read; NULL: none yet */
  uint32_t n;             /* bytes in use */
  bool on;                /* more drafts may come */
  uint8_t nformats, next; /* known formats; where the next one goes */
  hx_known_format formats[HX_FORMATS];
} hx_drafts;

/* Begins without drafts. Formats stay known. */
HX_INLINE void hx_drafts_begin(hx_drafts *d) {
  d->p = NULL;
  d->n = 0;
  d->on = true;
}

/* Writes a text from the bytes kept for it. */
typedef void hx_draft_fn(struct hx_cx *cx, struct hx_buf *b, hx_str kept);

HX_INLINE bool hx_is_draft(hx_str s) {
  return s.len == HX_DRAFT;
}

/* A draft with `size` bytes at *at, all of which the caller must fill. NULL: no draft is possible, so the text must be written. */
hx_str hx_draft_new(struct hx_cx *cx, hx_draft_fn *write, uint32_t size, char **at);
/* The draft of a formatted text, or NULL as above. fmt is static; the arguments stay as they are. */
hx_str hx_draft_format(struct hx_cx *cx, const char *fmt, va_list *args);

/* The text s, after the bytes of drafts have moved `by` bytes further on. */
HX_INLINE hx_str hx_draft_moved(hx_str s, uint32_t by) {
  return (hx_str){ hx_is_draft(s) ? s.p + by : s.p, s.len };
}

/* Appends a text that may be a draft. */
void hx_draft_put(struct hx_buf *b, hx_str s);
/* The text itself: s, written if it is a draft. */
hx_str hx_draft_write(struct hx_cx *cx, hx_str s);

#endif
