/* regex.h: regular expressions as in the reference (Go's regexp), on RE2. Patterns that are one set of ASCII characters need no RE2.
** Cost: RE2 reports neither how much text it read nor how much of its automaton it built. So steps are charged by the instructions of the
** compiled pattern and the bytes of the text, for the most that these may cost:
**   compiling   1 for each byte of the pattern, and INSTRUCTION_STEPS for each instruction. RE2's memory bounds their number,
**               and RE2 is given no more memory than the remaining steps pay for. RE2 nests optional parts, such as the 9 of
**               x{0,9}: the square of their number / 32. A repetition without end counts as two
**   searching   instructions * bytes / 32. Most patterns are read up to the end of the match, where it is clear that it can't grow.
**               Those that may have to read on (see hx_pattern.near) are read to the end of the text
**   groups      (instructions + 16) * bytes of the match / 16. From 16 groups on also the square of their number / 8, for each byte
**               of the match and one more, but only once if each group has a single place (hx_pattern.straight)
** A search is not begun if too few steps are left for the rest of the text.
** Memory: a compiled pattern lives until the activity ends or a few others have been compiled since; its names are in cx->arena.
** Errors: a wrong pattern gives NULL and why; nothing is reported. Limits abort. Without RE2 all patterns but sets are
** rejected. */
#ifndef HX_FN_REGEX_H
#define HX_FN_REGEX_H

#include "fn/arguments.h"

/* A pattern in RE2's syntax, without the names of its groups: RE2 would not treat names as the reference does. */
typedef struct hx_pattern {
  hx_str text;
  uint32_t groups; /* number of capturing groups */
  /* number of parts that may be left out, with repetitions written out; a repetition without end counts as two */
  uint32_t optional;
  bool near;           /* finding all matches in a text reads no part of it more than a few times */
  bool straight;       /* every part of the pattern takes part in each match, once */
  const hx_str *names; /* of the groups; empty: the group has no name */
} hx_pattern;

/* regex_pattern.c: translates a pattern, and checks it where the two syntaxes differ. Returns false if it is wrong, as *why says. */
bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why);

/* regex_unicode.c: writes the class with a name of \p{…} in RE2's syntax, as Unicode 15.0 and the reference define it. Returns
** false if no class has this name. inside: as an item of a class in brackets, otherwise by itself. */
bool hx_regex_class(hx_cx *cx, hx_buf *out, hx_str name, bool negative, bool inside);

/* A set of characters. negative: the set has all characters except those in `ascii`. */
typedef struct hx_char_set {
  uint64_t ascii[2]; /* a bit for each ASCII character */
  bool negative;
} hx_char_set;

/* regex_set.c: reads a pattern that is one set of ASCII characters in brackets. Returns false for any other pattern, also a wrong one. */
bool hx_char_set_read(hx_str pattern, hx_char_set *set);
/* Finds the first character of a set at or after `from`, and sets at[0] and at[1] to its offsets. Returns false if the text has no such
** character. */
bool hx_char_set_find(const hx_char_set *set, hx_str text, uint32_t from, int64_t *at);

typedef struct hx_regex {
  hx_str source; /* as the user wrote it */
  hx_pattern pattern;
  bool is_set; /* `set` is the whole pattern */
  hx_char_set set;
  struct hx_re2 *re; /* NULL: the pattern is a set, or was rejected */
  hx_str why;        /* why it was rejected */
  int64_t *at;       /* offsets of a match: [2 * i], [2 * i + 1] of group i, -1 for none; group 0 is the whole match */
  uint32_t size;     /* number of instructions of the compiled pattern */
} hx_regex;

/* Returns the compiled pattern, perhaps from an earlier call. Returns NULL if the pattern is wrong, as *why says. */
hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why);
/* Finds the leftmost match at or after `from`, and sets re->at to its offsets. Returns false if nothing matches. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from);

#endif
