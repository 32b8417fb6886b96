/* regex.h: regular expressions as in the reference (Go's regexp), on RE2.
** Cost: steps are charged by the instructions of the compiled pattern and the bytes of the text. RE2 does not tell how far
** it looked, how much of its automaton it built, or whether it gave the automaton up and followed every instruction. So the
** charge is the most that these may cost:
**   compiling       1 for each byte of the pattern and for each 4 bytes of it in RE2's syntax; 6000 for \p{…}; 4 for each instruction,
**                   as far as their number is known before compiling
**   reading         1 for 64 bytes. Most patterns are read up to the end of the match, where they see that it can't grow. Those that
**                   may have to look on (see hx_pattern.near) are read to the end of the text, and large ones cost more
**   building        instructions * bytes / 16 until the automaton may be as large as RE2 allows, then a quarter of that. If each byte
**                   may need a new state (see hx_pattern.grows) this has no end, and every byte costs 3 more
**   groups          (instructions + 16) * bytes of the match / 16. From 16 groups on also the square of their number / 8: for each
**                   byte of the match and one more, but only once if each group has a single place (hx_pattern.straight)
** A search is not begun if too few steps are left for the most that it may take: instructions * bytes / 32, or building
** without end.
** Memory: a compiled pattern lives until the activity ends or a few others have been compiled since; its names in
**   cx->arena.
** Errors: a wrong pattern gives NULL and why; nothing is reported. Limits abort. Without RE2 every pattern is refused. */
#ifndef HX_FN_REGEX_H
#define HX_FN_REGEX_H

#include "fn/arguments.h"

/* A pattern in RE2's syntax, without the names of its groups: RE2 would not treat these as the reference does. */
typedef struct hx_pattern {
  hx_str text;
  uint32_t groups;     /* capturing ones */
  bool near;           /* finding all matches in a text reads no part of it more than a few times */
  bool grows;          /* the automaton may need a new state for every byte of a text */
  bool straight;       /* every part of the pattern takes part in each match, once */
  uint32_t length;     /* characters and sets, with all repetitions written out: no more than its instructions */
  uint32_t optional;   /* of these, such as x{0,9} has 9: RE2 nests them, and its work grows with the square of their number */
  const hx_str *names; /* of the groups; empty: without a name */
} hx_pattern;

/* regex_pattern.c: translates a pattern, and checks it where the two syntaxes differ; false: *why. */
bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why);

/* regex_growth.c: sets grows, straight, length and optional. RE2 may still refuse the pattern. */
void hx_pattern_measure(hx_cx *cx, hx_pattern *pattern);

typedef struct hx_regex {
  hx_str source; /* as the user wrote it */
  hx_pattern pattern;
  struct hx_re2 *re; /* NULL: the pattern was refused */
  hx_str why;        /* the reason then */
  int64_t *at;       /* offsets of a match: [2 * i], [2 * i + 1] of group i, -1 for none; group 0 is the whole match */
  uint32_t size;     /* instructions of the compiled pattern */
  uint64_t built;    /* instructions * bytes charged so far for building the automaton */
} hx_regex;

/* The compiled pattern, perhaps from an earlier call. */
hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why);
/* The leftmost match at or after from; false: none. Offsets in re->at. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from);

#endif
