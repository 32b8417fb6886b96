/* time.h: timestamps in the form of RFC 3339, durations, and the calendar (Gregorian, also before its introduction).
** Memory: text goes to the caller's buffer.
** Errors: readers return false and give the reason in `why`, a sentence of static text; nothing is reported. */
#ifndef HX_FN_TIME_H
#define HX_FN_TIME_H

#include "base/buf.h"

/* A moment, with the offset from UTC with which it was written. */
typedef struct hx_time {
  int64_t seconds; /* since 1970-01-01T00:00:00Z */
  int32_t nanos;   /* 0 … 999,999,999 */
  int32_t offset;  /* seconds east of UTC: whole minutes */
} hx_time;

/* A moment as calendar and clock show it at its offset. */
typedef struct hx_civil {
  int64_t year;
  int32_t month, day, hour, minute, second; /* month and day from 1 */
  int32_t weekday;                          /* 0 is Sunday */
  int32_t offset;
} hx_civil;

/* The styles of timestamps. LOOSE, as in timecmp(), also accepts one-digit hours, a comma before the fraction, and offsets of 24
** hours or 60 minutes. */
typedef enum hx_time_style { HX_TIME_STRICT, HX_TIME_LOOSE } hx_time_style;

bool hx_time_read(hx_str text, hx_time_style style, hx_time *out, const char **why);
/* Reads a duration such as "-1h30m" or "0.5s", in nanoseconds. */
bool hx_duration_read(hx_str text, int64_t *nanos, const char **why);

int32_t hx_days_of_month(int32_t month, int64_t year);
hx_civil hx_time_civil(const hx_time *t);
/* Returns t plus some nanoseconds. */
hx_time hx_time_add(const hx_time *t, int64_t nanos);
/* Compares moments, whatever their offsets: -1, 0, 1. */
int hx_time_cmp(const hx_time *a, const hx_time *b);
/* Writes RFC 3339 without a fraction. Years after 9999 get more digits, those before 0 a sign. */
void hx_time_write(hx_buf *b, const hx_time *t);

/* Appends a time to b by a format of formatdate()'s verbs. Returns false if a part of the format isn't a verb, or is an unclosed
** quotation. Then *bad is this part, and *why says what is wrong. */
bool hx_time_format(hx_buf *b, hx_str format, const hx_civil *c, hx_str *bad, const char **why);

#endif
