/* time_write.c: writes timestamps as text: RFC 3339, and the formats of formatdate(). */
#include "fn/time.h"

#include "base/ascii.h"

/* Writes a number with at least `width` digits. */
static void write_digits(hx_buf *b, int64_t n, uint32_t width) {
  char digits[20];
  uint32_t at = sizeof digits;
  uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  if (n < 0) hx_buf_put(b, '-');
  for (; left; left /= 10) digits[--at] = (char)('0' + left % 10);
  uint32_t used = (uint32_t)sizeof digits - at;
  if (width > used) hx_buf_fill(b, '0', width - used);
  hx_buf_bytes(b, digits + at, used);
}

/* Writes an offset as "+hh:mm" or, with an empty separator, as "+hhmm". */
static void write_offset(hx_buf *b, int32_t offset, const char *separator) {
  int32_t minutes = offset < 0 ? -offset / 60 : offset / 60;
  hx_buf_put(b, offset < 0 ? '-' : '+');
  write_digits(b, minutes / 60, 2);
  hx_buf_c(b, separator);
  write_digits(b, minutes % 60, 2);
}

static void write_short_offset(hx_buf *b, int32_t offset) {
  if (offset) write_offset(b, offset, ":");
  else hx_buf_put(b, 'Z');
}

void hx_time_write(hx_buf *b, const hx_time *t) {
  hx_civil c = hx_time_civil(t);
  const struct {
    int64_t n;
    char before;
  } rest[] = { { c.month, '-' }, { c.day, '-' }, { c.hour, 'T' }, { c.minute, ':' }, { c.second, ':' } };
  write_digits(b, c.year, 4);
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
    hx_buf_put(b, rest[i].before);
    write_digits(b, rest[i].n, 2);
  }
  write_short_offset(b, c.offset);
}

/* Verbs: a letter, repeated as the wanted form requires */

static const char *const month_names[] = {
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
};
static const char *const day_names[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };

/* Writes a name: its first three letters for a verb of three letters, the whole name for one of four. */
static void write_name(hx_buf *b, const char *name, uint32_t n) {
  if (n == 3) hx_buf_bytes(b, name, 3);
  else hx_buf_c(b, name);
}

static void write_year(hx_buf *b, const hx_civil *c, uint32_t n) {
  write_digits(b, n == 2 ? c->year % 100 : c->year, n);
}

static void write_month(hx_buf *b, const hx_civil *c, uint32_t n) {
  if (n > 2) write_name(b, month_names[c->month - 1], n);
  else write_digits(b, c->month, n);
}

static void write_weekday(hx_buf *b, const hx_civil *c, uint32_t n) {
  write_name(b, day_names[c->weekday], n);
}

static void write_hour12(hx_buf *b, const hx_civil *c, uint32_t n) {
  write_digits(b, c->hour % 12 ? c->hour % 12 : 12, n);
}

static void write_half_upper(hx_buf *b, const hx_civil *c, uint32_t n) {
  (void)n;
  hx_buf_c(b, c->hour < 12 ? "AM" : "PM");
}

static void write_half_lower(hx_buf *b, const hx_civil *c, uint32_t n) {
  (void)n;
  hx_buf_c(b, c->hour < 12 ? "am" : "pm");
}

static void write_zone(hx_buf *b, const hx_civil *c, uint32_t n) {
  if (n == 1) write_short_offset(b, c->offset);
  else if (n == 3 && c->offset == 0) hx_buf_c(b, "UTC");
  else write_offset(b, c->offset, n == 5 ? ":" : "");
}

#define FORM(n) (1u << (n))

static const struct verb {
  char letter;
  uint32_t forms; /* FORM(n): the verb may have n letters */
  void (*write)(hx_buf *b, const hx_civil *c, uint32_t n);
  const char *fault;
  size_t field; /* for verbs without `write`: the offset of the number in hx_civil */
} verbs[] = {
  { 'Y', FORM(2) | FORM(4), write_year, "The year is YYYY or YY.", 0 },
  { 'M', FORM(1) | FORM(2) | FORM(3) | FORM(4), write_month, "The month is M, MM, MMM or MMMM.", 0 },
  { 'D', FORM(1) | FORM(2), NULL, "The day of the month is D or DD.", offsetof(hx_civil, day) },
  { 'E', FORM(3) | FORM(4), write_weekday, "The day of the week is EEE or EEEE.", 0 },
  { 'h', FORM(1) | FORM(2), NULL, "The hour is h or hh, or H or HH of twelve.", offsetof(hx_civil, hour) },
  { 'H', FORM(1) | FORM(2), write_hour12, "The hour of twelve is H or HH.", 0 },
  { 'A', FORM(2), write_half_upper, "AM or PM is AA.", 0 },
  { 'a', FORM(2), write_half_lower, "am or pm is aa.", 0 },
  { 'm', FORM(1) | FORM(2), NULL, "The minute is m or mm.", offsetof(hx_civil, minute) },
  { 's', FORM(1) | FORM(2), NULL, "The second is s or ss.", offsetof(hx_civil, second) },
  { 'Z', FORM(1) | FORM(3) | FORM(4) | FORM(5), write_zone, "The offset from UTC is Z, ZZZ, ZZZZ or ZZZZZ.", 0 },
};

static const struct verb *find_verb(char letter) {
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (verbs[i].letter == letter) return &verbs[i];
  return NULL;
}

/* Writes the text of a quotation. reference: '' outside of a quotation is a quote. */
static void write_quotation(hx_buf *b, hx_str token) {
  if (token.len == 2) hx_buf_put(b, '\'');
  for (uint32_t i = 1; i + 1 < token.len; i++) {
    hx_buf_put(b, token.p[i]);
    if (token.p[i] == '\'') i++;
  }
}

/* Returns the number of bytes up to and including the closing quote; without one, all bytes. */
static uint32_t quotation_len(hx_str s) {
  if (s.len > 1 && s.p[1] == '\'') return 2;
  for (uint32_t i = 1; i < s.len; i++) {
    if (s.p[i] != '\'') continue;
    if (i + 1 == s.len || s.p[i + 1] != '\'') return i + 1;
    i++;
  }
  return s.len;
}

static uint32_t run_len(hx_str s) {
  uint32_t n = 1;
  while (n < s.len && s.p[n] == s.p[0]) n++;
  return n;
}

static uint32_t literal_len(hx_str s) {
  uint32_t n = 1;
  while (n < s.len && s.p[n] != '\'' && !hx_is_letter(s.p[n])) n++;
  return n;
}

static bool write_token(hx_buf *b, hx_str token, const hx_civil *c, const char **why) {
  if (token.p[0] == '\'') {
    *why = "The quotation has no end. Put a ' after it; a ' that is meant itself is written ''.";
    if (token.len == 1 || token.p[token.len - 1] != '\'') return false;
    write_quotation(b, token);
    return true;
  }
  const struct verb *verb = find_verb(token.p[0]);
  *why = verb ? verb->fault : "Write letters that are meant themselves in quotes: 'at'.";
  if (!verb || token.len >= 32 || !(verb->forms & FORM(token.len))) return false;
  if (verb->write) verb->write(b, c, token.len);
  else write_digits(b, *(const int32_t *)(const void *)((const char *)c + verb->field), token.len);
  return true;
}

/* reference: the format is read through a window of this size. At a verb or quotation that doesn't fit into the window, the format ends
** without an error. */
#define WINDOW 65536u

bool hx_time_format(hx_buf *b, hx_str format, const hx_civil *c, hx_str *bad, const char **why) {
  while (format.len) {
    bool quoted = format.p[0] == '\'', letter = hx_is_letter(format.p[0]);
    hx_str token = { format.p, quoted ? quotation_len(format) : letter ? run_len(format) : literal_len(format) };
    if (!quoted && !letter) {
      hx_buf_str(b, token);
    } else {
      if (token.len >= WINDOW) break;
      if (!write_token(b, token, c, why)) {
        *bad = token;
        return false;
      }
    }
    format = hx_str_of(format.p + token.len, format.len - token.len);
  }
  return true;
}
