/* format_verb.h: a verb of a format, such as `%-8.3f`, and the text that it makes of its argument.
** Memory: text goes to the job's buffer.
** Errors: reported by hx_fail* on the job's call; limits abort before a field is padded. */
#ifndef HX_FN_FORMAT_VERB_H
#define HX_FN_FORMAT_VERB_H

#include "fn/arguments.h"

/* A text to be formatted: the result of format(), or one element of formatlist()'s result. */
typedef struct hx_format_job {
  hx_call *call;
  hx_str format;
  const hx_val *args;
  uint32_t n;
  int64_t element; /* formatlist(): index of the result's element; else -1 */
  hx_buf out;
} hx_format_job;

#define HX_FORMAT_NONE UINT32_MAX /* no width, no precision */

typedef struct hx_format_verb {
  hx_str text;  /* as written, for messages */
  uint32_t arg; /* from 1 */
  uint32_t width, prec;
  char letter;
  bool zero, sharp, minus, plus, space;
  bool wrapped; /* the width or precision needs more than 64 bits */
} hx_format_verb;

/* Appends the text that the verb makes of its argument. Returns false after reporting a mistake. */
bool hx_format_verb_write(hx_format_job *job, const hx_format_verb *verb);
/* Reports a mistake of the call, with the element of the result if that is known, and returns false. plain: a message without
** printf arguments, used instead if the format is marked; NULL: the message is the same. */
bool hx_format_fail(hx_format_job *job, const char *plain, const char *fmt, ...) HX_PRINTF(3, 4);

#endif
