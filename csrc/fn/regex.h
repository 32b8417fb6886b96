/* regex.h: regular expressions as the reference has them (Go's regexp), on RE2.
** Memory: a compiled pattern lives until the activity ends or a few others have been compiled since; its names in cx->arena.
** Errors: a wrong pattern gives NULL and why; nothing is reported. Limits abort. Without RE2 every pattern is refused. */
#ifndef HX_FN_REGEX_H
#define HX_FN_REGEX_H

#include "fn/arguments.h"

/* A pattern in RE2's syntax, and what RE2 isn't told: the names of groups, which it would not take as the reference does. */
typedef struct hx_pattern {
  hx_str text;
  uint32_t groups;     /* capturing ones */
  const hx_str *names; /* of each; empty: it has none */
} hx_pattern;

/* regex_pattern.c: checks a pattern where the two differ; false: *why. */
bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why);

typedef struct hx_regex {
  hx_str source; /* as the user wrote it */
  hx_pattern pattern;
  struct hx_re2 *re;
  int64_t *at;   /* place for the offsets of a match: [2 * i], [2 * i + 1] of group i, -1 for none; 0 is the whole match */
  uint32_t size; /* instructions of the compiled pattern */
} hx_regex;

/* Compiled now or remembered from an earlier call. */
hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why);
/* The leftmost match at or after from; false: none. Offsets in re->at. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from);

#endif
