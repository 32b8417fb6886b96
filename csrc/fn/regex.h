/* regex.h: regular expressions as in the reference (Go's regexp), on RE2.
** Cost: RE2 does not report how far it looked, nor how much of its automaton it built. So steps are charged by the instructions of the
** compiled pattern and the bytes of the text, for the most that these may cost:
**   compiling   1 for each byte of the pattern, and INSTRUCTION_STEPS for each instruction. RE2's memory bounds their number,
**               and RE2 is given no more memory than the remaining steps pay for. RE2 nests optional parts, such as the 9 of
**               x{0,9}: the square of their number / 32. A repetition without end counts as two
**   searching   instructions * bytes / 32. Most patterns are read up to the end of the match, where it is clear that it can't grow.
**               Those that may have to look on (see hx_pattern.near) are read to the end of the text
**   groups      (instructions + 16) * bytes of the match / 16. From 16 groups on also the square of their number / 8, for each byte
**               of the match and one more, but only once if each group has a single place (hx_pattern.straight)
** A search is not begun if too few steps are left for the rest of the text.
** Memory: a compiled pattern lives until the activity ends or a few others have been compiled since; its names are in cx->arena.
** Errors: a wrong pattern gives NULL and why; nothing is reported. Limits abort. Without RE2 every pattern is rejected. */
#ifndef HX_FN_REGEX_H
#define HX_FN_REGEX_H

#include "fn/arguments.h"

/* A pattern in RE2's syntax, without the names of its groups: RE2 would not treat names as the reference does. */
typedef struct hx_pattern {
  hx_str text;
  uint32_t groups;     /* capturing ones */
  uint32_t optional;   /* parts that may be left out, with all repetitions written out; a repetition without end counts as two */
  bool near;           /* finding all matches in a text reads no part of it more than a few times */
  bool straight;       /* every part of the pattern takes part in each match, once */
  const hx_str *names; /* of the groups; empty: the group has no name */
} hx_pattern;

/* regex_pattern.c: translates a pattern, and checks it where the two syntaxes differ; false: *why says what is wrong. */
bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why);

/* regex_unicode.c: writes the class of a name of \p{…} in RE2's syntax, as Unicode 15.0 and the reference define it; false: no class has
** this name. inside: as an item of a class in brackets, else on its own. */
bool hx_regex_class(hx_cx *cx, hx_buf *out, hx_str name, bool negative, bool inside);

typedef struct hx_regex {
  hx_str source; /* as the user wrote it */
  hx_pattern pattern;
  struct hx_re2 *re; /* NULL: the pattern was refused */
  hx_str why;        /* the reason then */
  int64_t *at;       /* offsets of a match: [2 * i], [2 * i + 1] of group i, -1 for none; group 0 is the whole match */
  uint32_t size;     /* instructions of the compiled pattern */
} hx_regex;

/* Returns the compiled pattern, perhaps from an earlier call; NULL: *why says what is wrong. */
hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why);
/* Finds the leftmost match at or after `from`; false: nothing matches. The offsets are in re->at. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from);

#endif
