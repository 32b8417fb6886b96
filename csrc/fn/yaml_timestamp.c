/* yaml_timestamp.c: reads dates and times of YAML 1.1 (yaml.org/type/timestamp.html), in the forms that the reference accepts. */
#include "fn/yaml.h"

#include "base/ascii.h"
#include "fn/time.h"

typedef struct stamp {
  int year, month, day, hour, minute, second;
  int offset; /* minutes */
} stamp;

static bool is_digit_at(hx_str s, uint32_t i) {
  return i < s.len && hx_is_digit(s.p[i]);
}

/* Takes a number of one or two digits; if `two`, of exactly two digits. */
static bool take_number(hx_str *s, bool two, int *out) {
  if (!is_digit_at(*s, 0)) return false;
  uint32_t n = is_digit_at(*s, 1) ? 2 : 1;
  if (two && n == 1) return false;
  *out = s->p[0] - '0';
  if (n == 2) *out = *out * 10 + (s->p[1] - '0');
  *s = hx_str_from(*s, n);
  return true;
}

static bool take(hx_str *s, char c) {
  if (s->len == 0 || s->p[0] != c) return false;
  *s = hx_str_from(*s, 1);
  return true;
}

static bool take_date(hx_str *s, stamp *t) {
  for (uint32_t i = 0; i < 4; i++) {
    if (!is_digit_at(*s, i)) return false;
    t->year = t->year * 10 + (s->p[i] - '0');
  }
  *s = hx_str_from(*s, 4);
  if (!take(s, '-') || !take_number(s, false, &t->month) || !take(s, '-') || !take_number(s, false, &t->day)) return false;
  if (t->month < 1 || t->month > 12) return false;
  return t->day >= 1 && t->day <= hx_days_of_month(t->month, t->year);
}

/* Takes a time. Fractions of a second may follow, after a point or a comma, and are dropped. */
static bool take_time(hx_str *s, stamp *t) {
  if (!take_number(s, false, &t->hour) || !take(s, ':') || !take_number(s, false, &t->minute)) return false;
  if (!take(s, ':') || !take_number(s, false, &t->second)) return false;
  if (t->hour > 23 || t->minute > 59 || t->second > 59) return false;
  if (s->len > 1 && (s->p[0] == '.' || s->p[0] == ',') && is_digit_at(*s, 1)) {
    uint32_t n = 1;
    while (is_digit_at(*s, n)) n++;
    *s = hx_str_from(*s, n);
  }
  return true;
}

/* Takes a zone: Z, or a sign, two digits, a colon, two digits: at most 24 hours and at most 60 minutes. */
static bool take_zone(hx_str *s, stamp *t) {
  int hours, minutes;
  if (take(s, 'Z')) return true;
  bool minus = take(s, '-');
  if (!minus && !take(s, '+')) return false;
  if (!take_number(s, true, &hours) || !take(s, ':') || !take_number(s, true, &minutes)) return false;
  if (hours > 24 || minutes > 60) return false;
  t->offset = (hours * 60 + minutes) * (minus ? -1 : 1);
  return true;
}

/* Reads a date; or a date with T or t, time and zone; or a date, spaces and a time without a zone. */
static bool read_stamp(hx_str s, stamp *t) {
  if (!take_date(&s, t)) return false;
  if (s.len == 0) return true;
  if (take(&s, 'T') || take(&s, 't')) return take_time(&s, t) && take_zone(&s, t) && s.len == 0;
  if (!take(&s, ' ')) return false;
  while (take(&s, ' ')) continue;
  return take_time(&s, t) && s.len == 0;
}

static void put_two(hx_buf *b, int n) {
  if (n < 10) hx_buf_put(b, '0');
  hx_buf_int(b, n);
}

static void put_three(hx_buf *b, int x, char between, int y, int z) {
  put_two(b, x);
  hx_buf_put(b, between);
  put_two(b, y);
  hx_buf_put(b, between);
  put_two(b, z);
}

hx_str hx_yaml_timestamp(hx_cx *cx, hx_str text) {
  stamp t = { 0 };
  if (!read_stamp(text, &t)) return HX_STR("");
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 32);
  put_two(&b, t.year / 100);
  put_three(&b, t.year % 100, '-', t.month, t.day);
  hx_buf_put(&b, 'T');
  put_three(&b, t.hour, ':', t.minute, t.second);
  if (t.offset == 0) {
    hx_buf_put(&b, 'Z');
    return hx_buf_done(&b);
  }
  int zone = t.offset < 0 ? -t.offset : t.offset;
  hx_buf_put(&b, t.offset < 0 ? '-' : '+');
  put_two(&b, zone / 60);
  hx_buf_put(&b, ':');
  put_two(&b, zone % 60);
  return hx_buf_done(&b);
}
