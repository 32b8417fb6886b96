/* draft.h: texts of messages that aren't written yet. Most of what an evaluation reports is never read, so what a text would be made from
** is kept instead, and the text is written when someone looks.
**   A draft is a hx_str of length HX_DRAFT; its p is no pointer. It may stand wherever a text is formatted: as an argument of "%.*s", in
** hx_say, hx_buf_f and the rows of diag_list.h, and as a text of a diagnostic. Nobody else may look into a text that hx_say,
** hx_quote_short or the like gave: hx_draft_write makes one that anybody may.
**   Memory: what drafts are made from lies in cx->drafts (NULL: each text is written at once), in one piece without pointers into itself
** or into the activity: it is copied as bytes, two that are the same bytes give the same texts, and one may be appended to another
** (hx_draft_moved). It has HX_DRAFTS_ROOM bytes: what doesn't fit is written at once.
**   Errors: none but memory. */
#ifndef HX_BASE_DRAFT_H
#define HX_BASE_DRAFT_H

#include "base/str.h"

#include <stdarg.h>

struct hx_cx;
struct hx_buf;

#define HX_DRAFT UINT32_MAX
#define HX_DRAFTS_ROOM 1024u

/* What a format takes: a letter for each argument (as in base/print.h; U D: wide). The same few formats come again and again. */
#define HX_FORMAT_ARGS 13u
typedef struct hx_known_format {
  const char *fmt;
  char letters[HX_FORMAT_ARGS];
  uint8_t n;
} hx_known_format;
#define HX_FORMATS 6u

typedef struct hx_drafts {
  char *p;                /* HX_DRAFTS_ROOM bytes in the activity's arena, or what is read; NULL: none yet */
  uint32_t n;             /* bytes of them in use */
  bool on;                /* more may come */
  uint8_t nformats, next; /* formats known, and the place of the next */
  hx_known_format formats[HX_FORMATS];
} hx_drafts;

/* None yet. Formats stay known. */
HX_INLINE void hx_drafts_begin(hx_drafts *d) {
  d->p = NULL;
  d->n = 0;
  d->on = true;
}

/* Writes a text from the bytes that were kept for it. */
typedef void hx_draft_fn(struct hx_cx *cx, struct hx_buf *b, hx_str kept);

HX_INLINE bool hx_is_draft(hx_str s) {
  return s.len == HX_DRAFT;
}

/* A draft for which so many bytes are kept, at *at: to be filled by the caller, all of them. NULL: there is none, so it must be written. */
hx_str hx_draft_new(struct hx_cx *cx, hx_draft_fn *write, uint32_t size, char **at);
/* The draft of a formatted text; fmt is static, the arguments stay as they are. The same. */
hx_str hx_draft_format(struct hx_cx *cx, const char *fmt, va_list *args);

/* The text s, where what drafts are made from stands `by` bytes further on now. */
HX_INLINE hx_str hx_draft_moved(hx_str s, uint32_t by) {
  return (hx_str){ hx_is_draft(s) ? s.p + by : s.p, s.len };
}

/* Appends a text that may be a draft. */
void hx_draft_put(struct hx_buf *b, hx_str s);
/* The text itself, if s is a draft; else s. */
hx_str hx_draft_write(struct hx_cx *cx, hx_str s);

#endif
