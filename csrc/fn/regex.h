/* regex.h: regular expressions as the reference has them (Go's regexp), on RE2.
** Cost: charged as steps, by instructions of the compiled pattern and bytes of the text. RE2 doesn't tell how far it looked, how
** much of its automaton it had to build, or that it gave it up and followed every instruction instead, so it is what those may
** come to:
**   compiling       1 for each byte of the pattern and 4 bytes of it in RE2's syntax, 6000 for \p{…}, 4 an instruction, as many as are
**                   known beforehand before it begins
**   reading         1 for 64 bytes: up to the end of the match for most patterns, which see there that it can't grow; the rest of
**                   the text, and more for large ones, for those that may have to look on (see hx_pattern.near)
**   building        instructions * bytes / 16 until the automaton may be as large as RE2 lets it grow, then a quarter of that; no
**                   end to it and 3 for every byte where each byte may need a new state (see hx_pattern.grows)
**   groups          (instructions + 16) * bytes of the match / 16; with 16 groups and more the square of their number / 8, too: for
**                   each byte of the match and one more, but once where each group has but one place (hx_pattern.straight)
** A search that might take instructions * bytes / 32 steps, or what building costs where there is no end to it, when there are not
** as many left is not begun.
** Memory: a compiled pattern lives until the activity ends or a few others have been compiled since; its names in cx->arena.
** Errors: a wrong pattern gives NULL and why; nothing is reported. Limits abort. Without RE2 every pattern is refused. */
#ifndef HX_FN_REGEX_H
#define HX_FN_REGEX_H

#include "fn/arguments.h"

/* A pattern in RE2's syntax, and what RE2 isn't told: the names of groups, which it would not take as the reference does. */
typedef struct hx_pattern {
  hx_str text;
  uint32_t groups;     /* capturing ones */
  bool near;           /* all matches in a text are found without reading any part of it more than a few times */
  bool grows;          /* the automaton may need a new state for every byte of a text */
  bool straight;       /* every part of it is there in each match, once */
  uint32_t length;     /* characters and sets of them, with all repetitions written out: as many instructions, or more */
  const hx_str *names; /* of each; empty: it has none */
} hx_pattern;

/* regex_pattern.c: checks a pattern where the two differ; false: *why. */
bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why);

/* regex_growth.c: grows, straight and length; RE2 may still refuse the pattern. */
void hx_pattern_measure(hx_cx *cx, hx_pattern *pattern);

typedef struct hx_regex {
  hx_str source; /* as the user wrote it */
  hx_pattern pattern;
  struct hx_re2 *re; /* NULL: it was refused */
  hx_str why;        /* and why */
  int64_t *at;       /* place for the offsets of a match: [2 * i], [2 * i + 1] of group i, -1 for none; 0 is the whole match */
  uint32_t size;     /* instructions of the compiled pattern */
  uint64_t built;    /* instructions * bytes that were charged for building the automaton */
} hx_regex;

/* Compiled now or remembered from an earlier call. */
hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why);
/* The leftmost match at or after from; false: none. Offsets in re->at. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from);

#endif
