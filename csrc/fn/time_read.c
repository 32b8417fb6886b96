/* time_read.c: reads timestamps and durations. */
#include "fn/time.h"

#include "base/ascii.h"

/* Calendar. Years are counted from March, so that the leap day is the last of its year; the calendar repeats after 400 years. */

#define DAYS_OF_400_YEARS 146097
#define DAYS_TO_1970 719468 /* counted from March 1st of the year 0 */
#define SECONDS_OF_DAY 86400
#define NANOS_OF_SECOND 1000000000

static bool is_leap(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int32_t hx_days_of_month(int32_t month, int64_t year) {
  static const int8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Returns the days before a month in a year that begins with March, which is month 0. */
static int32_t days_before(int32_t month) {
  return (153 * month + 2) / 5;
}

static int64_t divide_down(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* Returns the number of days since 1970-01-01. */
static int64_t days_from_date(int64_t year, int32_t month, int32_t day) {
  if (month <= 2) year--;
  int64_t cycle = divide_down(year, 400), in_cycle = year - cycle * 400;
  int64_t of_year = days_before((month + 9) % 12) + day - 1;
  return cycle * DAYS_OF_400_YEARS + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + of_year - DAYS_TO_1970;
}

static void date_from_days(int64_t days, hx_civil *c) {
  days += DAYS_TO_1970;
  int64_t cycle = divide_down(days, DAYS_OF_400_YEARS), left = days - cycle * DAYS_OF_400_YEARS;
  /* subtracting the leap days leaves only years of 365 days */
  int64_t in_cycle = (left - left / 1460 + left / 36524 - left / 146096) / 365;
  int32_t of_year = (int32_t)(left - (in_cycle * 365 + in_cycle / 4 - in_cycle / 100));
  int32_t month = (5 * of_year + 2) / 153;
  c->day = of_year - days_before(month) + 1;
  c->month = month < 10 ? month + 3 : month - 9;
  c->year = cycle * 400 + in_cycle + (c->month <= 2);
}

hx_civil hx_time_civil(const hx_time *t) {
  int64_t local = t->seconds + t->offset, days = divide_down(local, SECONDS_OF_DAY);
  int32_t clock = (int32_t)(local - days * SECONDS_OF_DAY);
  hx_civil c = { .hour = clock / 3600, .minute = clock / 60 % 60, .second = clock % 60, .offset = t->offset };
  date_from_days(days, &c);
  c.weekday = (int32_t)(days + 4 - divide_down(days + 4, 7) * 7); /* 1970 began on a Thursday */
  return c;
}

hx_time hx_time_add(const hx_time *t, int64_t nanos) {
  hx_time sum = *t;
  int64_t rest = t->nanos + nanos % NANOS_OF_SECOND, carry = divide_down(rest, NANOS_OF_SECOND);
  sum.seconds += nanos / NANOS_OF_SECOND + carry;
  sum.nanos = (int32_t)(rest - carry * NANOS_OF_SECOND);
  return sum;
}

int hx_time_cmp(const hx_time *a, const hx_time *b) {
  if (a->seconds != b->seconds) return a->seconds < b->seconds ? -1 : 1;
  return (a->nanos > b->nanos) - (a->nanos < b->nanos);
}

/* Timestamps */

static bool wrong(const char **why, const char *text) {
  *why = text;
  return false;
}

/* Reads at least `least` and at most `most` digits at *p, and moves *p past them. */
static bool read_digits(const char **p, const char *end, uint32_t least, uint32_t most, int32_t *out) {
  uint32_t n = 0;
  for (*out = 0; n < most && *p < end && hx_is_digit(**p); n++) *out = *out * 10 + (*(*p)++ - '0');
  return n >= least;
}

/* The parts of a timestamp up to the seconds, in their order. */
typedef struct part {
  uint32_t digits;
  int32_t min, max;
  char after; /* the character between this part and the next; 0: nothing */
  const char *fault, *after_fault;
} part;

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, PARTS };

static const part parts[PARTS] = {
  [YEAR] = { 4, 0, 9999, '-', "The year must have four digits.", "After the year there must be a \"-\"." },
  [MONTH] = { 2, 1, 12, '-', "The month must have two digits, 01 to 12.", "After the month there must be a \"-\"." },
  [DAY] = { 2, 1, 31, 'T', "The day must have two digits, 01 to 31.", "Between date and time there must be a capital \"T\"." },
  [HOUR] = { 2, 0, 23, ':', "The hour must have two digits, 00 to 23.", "After the hour there must be a \":\"." },
  [MINUTE] = { 2, 0, 59, ':', "The minute must have two digits, 00 to 59.", "After the minute there must be a \":\"." },
  [SECOND] = { 2, 0, 59, 0, "The second must have two digits, 00 to 59.", NULL },
};

static bool read_parts(const char **p, const char *end, hx_time_style style, int32_t *v, const char **why) {
  for (int i = 0; i < PARTS; i++) {
    const part *is = &parts[i];
    uint32_t least = i == HOUR && style == HX_TIME_LOOSE ? 1 : is->digits;
    if (!read_digits(p, end, least, is->digits, &v[i]) || v[i] < is->min || v[i] > is->max) return wrong(why, is->fault);
    if (!is->after) continue;
    if (*p == end || **p != is->after) return wrong(why, is->after_fault);
    ++*p;
  }
  return v[DAY] <= hx_days_of_month(v[MONTH], v[YEAR]) || wrong(why, "The month doesn't have so many days.");
}

/* Reads a fraction as nanoseconds. Digits after the ninth don't count. A separator without digits isn't read, so that read_offset
** rejects it. */
static int32_t read_fraction(const char **p, const char *end, hx_time_style style) {
  int32_t nanos = 0, scale = NANOS_OF_SECOND / 10;
  bool separated = end - *p >= 2 && (**p == '.' || (**p == ',' && style == HX_TIME_LOOSE)) && hx_is_digit((*p)[1]);
  if (!separated) return 0;
  for (++*p; *p < end && hx_is_digit(**p); ++*p, scale /= 10) nanos += (**p - '0') * scale;
  return nanos;
}

static bool read_offset(const char *p, const char *end, hx_time_style style, int32_t *out, const char **why) {
  static const char form[] = "After the seconds there may be a fraction like \".5\", and then must be \"Z\" or an offset from "
                             "UTC like \"+02:00\".";
  int32_t hours, minutes, extra = style == HX_TIME_LOOSE;
  *out = 0;
  if (end - p == 1 && *p == 'Z') return true;
  if (end - p != 6 || (*p != '+' && *p != '-')) return wrong(why, form);
  bool west = *p++ == '-';
  if (!read_digits(&p, end, 2, 2, &hours) || *p++ != ':' || !read_digits(&p, end, 2, 2, &minutes)) return wrong(why, form);
  if (hours > 23 + extra || minutes > 59 + extra) return wrong(why, "The offset from UTC must be at most 23:59, like \"+05:45\".");
  *out = (hours * 60 + minutes) * (west ? -60 : 60);
  return true;
}

bool hx_time_read(hx_str text, hx_time_style style, hx_time *out, const char **why) {
  const char *p = text.p, *end = text.p + text.len;
  int32_t v[PARTS];
  if (!read_parts(&p, end, style, v, why)) return false;
  out->nanos = read_fraction(&p, end, style);
  if (!read_offset(p, end, style, &out->offset, why)) return false;
  int64_t clock = v[HOUR] * 3600 + v[MINUTE] * 60 + v[SECOND];
  out->seconds = days_from_date(v[YEAR], v[MONTH], v[DAY]) * SECONDS_OF_DAY + clock - out->offset;
  return true;
}

/* Durations are counted without a sign, in 64 bits; only the smallest negative one needs the highest bit. */

#define MAGNITUDE_MAX (UINT64_C(1) << 63)

static const struct unit {
  hx_str name;
  uint64_t nanos;
} units[] = {
  { { "ns", 2 }, 1 },
  { { "us", 2 }, 1000 },
  { { "\xC2\xB5s", 3 }, 1000 }, /* micro sign */
  { { "\xCE\xBCs", 3 }, 1000 }, /* Greek mu */
  { { "ms", 2 }, 1000000 },
  { { "s", 1 }, NANOS_OF_SECOND },
  { { "m", 1 }, UINT64_C(60) * NANOS_OF_SECOND },
  { { "h", 1 }, UINT64_C(3600) * NANOS_OF_SECOND },
};

static const struct unit *find_unit(hx_str name) {
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (hx_str_eq(units[i].name, name)) return &units[i];
  return NULL;
}

static const char too_long[] = "A duration is at most about 292 years, 2562047h47m16.854775807s.";

/* Reads the digits after the point as a whole number, and sets *scale to the power of ten that divides it. Digits beyond 63 bits
** don't count. */
static uint64_t read_duration_fraction(const char **p, const char *end, double *scale) {
  uint64_t f = 0;
  bool full = false;
  for (*scale = 1; *p < end && hx_is_digit(**p); ++*p) {
    uint64_t digit = (uint64_t)(**p - '0');
    full = full || f > (MAGNITUDE_MAX - 1) / 10 || f * 10 + digit > MAGNITUDE_MAX;
    if (full) continue;
    f = f * 10 + digit;
    *scale *= 10;
  }
  return f;
}

/* Reads a number and its unit. */
static bool read_step(const char **p, const char *end, uint64_t *nanos, const char **why) {
  static const char form[] = "It must be numbers each with a unit, like \"1h30m\" or \"-0.5s\".";
  const char *start = *p;
  uint64_t whole = 0, fraction = 0;
  double scale = 1;
  for (; *p < end && hx_is_digit(**p); ++*p) {
    uint64_t digit = (uint64_t)(**p - '0');
    if (whole > (MAGNITUDE_MAX - digit) / 10) return wrong(why, too_long);
    whole = whole * 10 + digit;
  }
  bool digits = *p > start;
  if (*p < end && **p == '.') {
    const char *point = ++*p;
    fraction = read_duration_fraction(p, end, &scale);
    digits = digits || *p > point;
  }
  if (!digits) return wrong(why, form);
  const char *name = *p;
  while (*p < end && **p != '.' && !hx_is_digit(**p)) ++*p;
  if (*p == name) return wrong(why, "A number in it has no unit. Units are h, m, s, ms, us and ns.");
  const struct unit *unit = find_unit(hx_str_of(name, (size_t)(*p - name)));
  if (!unit) return wrong(why, "This unit is unknown. Units are h, m, s, ms, us and ns; a day is 24h.");
  if (whole > MAGNITUDE_MAX / unit->nanos) return wrong(why, too_long);
  /* reference: a fraction is computed in doubles, then cut to whole nanoseconds */
  *nanos = whole * unit->nanos + (uint64_t)((double)fraction * ((double)unit->nanos / scale));
  return *nanos <= MAGNITUDE_MAX || wrong(why, too_long);
}

bool hx_duration_read(hx_str text, int64_t *nanos, const char **why) {
  const char *p = text.p, *end = text.p + text.len;
  uint64_t sum = 0, step;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  *nanos = 0;
  if (end - p == 1 && *p == '0') return true; /* reference: a zero needs no unit */
  if (p == end) return wrong(why, "It is empty. A duration of nothing is \"0s\".");
  while (p < end) {
    if (!read_step(&p, end, &step, why)) return false;
    sum += step;
    if (sum > MAGNITUDE_MAX) return wrong(why, too_long);
  }
  if (!negative && sum == MAGNITUDE_MAX) return wrong(why, too_long);
  *nanos = !negative ? (int64_t)sum : sum == MAGNITUDE_MAX ? INT64_MIN : -(int64_t)sum;
  return true;
}
