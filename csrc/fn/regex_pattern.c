/* regex_pattern.c: translates the reference's regular expressions to RE2's. A single walk over the pattern takes out the names of groups,
** spells \p{…} for RE2, and rejects patterns that only RE2 accepts. RE2 judges everything else. */
#include "fn/regex.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "fn/text_search.h"

/* The reference bounds the depth of the parsed pattern, in which only capturing groups have a level of their own. */
#define NESTING_MAX 999

/* A group whose end is still to be read. */
typedef struct group {
  bool captures;
  uint32_t optional; /* the translator's count of optional parts where the group begins */
} group;

typedef struct translator {
  hx_cx *cx;
  hx_buf out;
  const char *p, *end;
  HX_VEC(group) open;
  uint32_t depth; /* how many open groups capture */
  HX_VEC(hx_str) names;
  /* what the pattern has: something that repeats without end; alternatives; a group that is followed by *, +, ? or { */
  bool repeats, alternates, repeats_group;
  uint32_t optional; /* optional parts, with all repetitions written out; a repetition without end counts as two */
  bool no_class_end; /* the rest of the pattern contains no :] */
  hx_str *why;
} translator;

static bool wrong(translator *t, hx_str why) {
  *t->why = why;
  return false;
}

static bool is_at(const translator *t, hx_str text) {
  return (size_t)(t->end - t->p) >= text.len && memcmp(t->p, text.p, text.len) == 0;
}

static void copy(translator *t, uint32_t n) {
  uint32_t left = (uint32_t)(t->end - t->p);
  if (n > left) n = left;
  hx_buf_bytes(&t->out, t->p, n);
  t->p += n;
}

static void copy_char(translator *t) {
  copy(t, hx_code_point_len(hx_str_of(t->p, (size_t)(t->end - t->p))));
}

/* Translates \pN, \p{Name}, \P{^Name} … */
static bool translate_class(translator *t, bool inside) {
  bool negative = t->p[1] == 'P';
  const char *name = t->p + 2, *stop;
  if (name == t->end) return wrong(t, HX_STR("the name of a class is missing after \\p"));
  if (*name == '{') {
    name++;
    stop = memchr(name, '}', (size_t)(t->end - name));
    if (!stop) return wrong(t, HX_STR("the } of a \\p{…} is missing"));
    t->p = stop + 1;
  } else {
    stop = name + hx_code_point_len(hx_str_of(name, (size_t)(t->end - name)));
    t->p = stop;
  }
  if (name < stop && *name == '^') {
    negative = !negative;
    name++;
  }
  hx_str is = hx_str_of(name, (size_t)(stop - name));
  if (hx_regex_class(t->cx, &t->out, is, negative, inside)) return true;
  return wrong(t, hx_strf(t->cx, "no character class is named \"%.*s\"", HX_STR_ARG(is)));
}

static bool is_unicode_class(const translator *t) {
  return t->end - t->p >= 2 && t->p[0] == '\\' && (t->p[1] == 'p' || t->p[1] == 'P');
}

/* Classes in brackets */

/* Copies a [:name:] within a class. Returns false if something else follows; a [: without a :] is something else. */
static bool copy_posix_class(translator *t) {
  if (!is_at(t, HX_STR("[:")) || t->no_class_end) return false;
  hx_str rest = hx_str_of(t->p, (size_t)(t->end - t->p));
  uint32_t stop = hx_find_text(rest, HX_STR(":]"), 2);
  t->no_class_end = stop == rest.len;
  if (t->no_class_end) return false;
  copy(t, stop + 2);
  return true;
}

static void copy_class_char(translator *t) {
  if (*t->p == '\\') copy(t, 1);
  if (t->p < t->end) copy_char(t);
}

/* Returns true if a set of characters comes next, such as \d, which can't end a range. */
static bool is_perl_class(const translator *t) {
  return t->end - t->p >= 2 && t->p[0] == '\\' && memchr("dDsSwW", t->p[1], 6) != NULL;
}

/* Translates one item: a class or a range of characters. */
static bool translate_item(translator *t) {
  if (copy_posix_class(t)) return true;
  if (is_unicode_class(t)) return translate_class(t, true);
  if (is_perl_class(t)) {
    copy(t, 2);
    return true;
  }
  copy_class_char(t);
  if (t->end - t->p < 2 || t->p[0] != '-' || t->p[1] == ']') return true;
  copy(t, 1);
  if (is_unicode_class(t)) return wrong(t, HX_STR("a class can't be the end of a range"));
  copy_class_char(t);
  return true;
}

static bool translate_brackets(translator *t) {
  copy(t, 1);
  if (is_at(t, HX_STR("^"))) copy(t, 1);
  for (bool first = true; first || !is_at(t, HX_STR("]")); first = false) {
    if (t->p == t->end) return wrong(t, HX_STR("the ] of a class is missing"));
    if (!translate_item(t)) return false;
  }
  copy(t, 1);
  return true;
}

/* Groups */

static bool is_name(hx_str name) {
  for (uint32_t i = 0; i < name.len; i++) {
    char c = name.p[i];
    if (!hx_is_alnum(c) && c != '_') return false;
  }
  return name.len > 0;
}

static bool translate_named(translator *t, uint32_t opening) {
  const char *name = t->p + opening;
  const char *stop = memchr(name, '>', (size_t)(t->end - name));
  if (!stop) return wrong(t, HX_STR("the > after the name of a group is missing"));
  hx_str is = hx_str_of(name, (size_t)(stop - name));
  if (!is_name(is)) return wrong(t, HX_STR("the name of a group may have letters, digits and _ only"));
  *HX_VEC_PUSH(&t->cx->arena, &t->names) = is;
  hx_buf_put(&t->out, '(');
  t->p = stop + 1;
  return true;
}

static bool open_group(translator *t, bool captures) {
  *HX_VEC_PUSH(&t->cx->arena, &t->open) = (group){ captures, t->optional };
  t->depth += captures;
  return t->depth <= NESTING_MAX || wrong(t, HX_STR("groups nest too deeply"));
}

/* Counts */

/* The bound on nested counts, in RE2 and in the reference. */
#define COUNT_MAX 1000u
/* From this number of optional parts on, the cost exceeds any limit. */
#define OPTIONAL_MAX (1u << 24)

static uint32_t read_number(const translator *t, const char **p) {
  uint32_t n = 0;
  for (; *p < t->end && hx_is_digit(**p); (*p)++)
    if (n <= COUNT_MAX) n = n * 10 + (uint32_t)(**p - '0');
  return n < COUNT_MAX ? n : COUNT_MAX;
}

/* A count in braces, such as {2,3}. Literal braces are taken for counts, too, which does no harm. */
typedef struct count {
  uint32_t low, high;
  bool endless;
} count;

static count read_count(const translator *t) {
  const char *p = t->p + 1;
  count is = { .low = read_number(t, &p) };
  is.high = is.low;
  if (p < t->end && *p == ',') {
    p++;
    is.endless = p < t->end && *p == '}';
    is.high = is.endless ? is.low : read_number(t, &p);
  }
  return is;
}

static void add_optional(translator *t, uint64_t n) {
  t->optional = n < OPTIONAL_MAX - t->optional ? t->optional + (uint32_t)n : OPTIONAL_MAX;
}

static void close_group(translator *t) {
  uint32_t before = 0;
  if (t->open.n) {
    group is = t->open.p[--t->open.n];
    t->depth -= is.captures;
    before = is.optional;
  }
  copy(t, 1);
  if (t->p == t->end || !memchr("*+?{", *t->p, 4)) return;
  t->repeats_group = true;
  if (*t->p != '{') return;
  count times = read_count(t);
  uint32_t once = t->optional - before;
  t->optional = before;
  add_optional(t, (uint64_t)once * (times.high ? times.high : 1));
}

static bool translate_group(translator *t) {
  bool p_name = is_at(t, HX_STR("(?P<")), name = p_name || is_at(t, HX_STR("(?<"));
  bool flags = !name && is_at(t, HX_STR("(?"));
  if (!open_group(t, !flags)) return false;
  if (name) return translate_named(t, p_name ? 4 : 3);
  if (!flags) *HX_VEC_PUSH(&t->cx->arena, &t->names) = HX_STR("");
  copy(t, flags ? 2 : 1);
  return true;
}

/* Copies \Q … \E: everything in between is text. */
static void copy_quoted(translator *t) {
  hx_str rest = hx_str_of(t->p, (size_t)(t->end - t->p));
  uint32_t stop = hx_find_text(rest, HX_STR("\\E"), 2);
  copy(t, stop == rest.len ? stop : stop + 2);
}

static bool translate_escape(translator *t) {
  if (is_unicode_class(t)) return translate_class(t, false);
  if (is_at(t, HX_STR("\\C"))) return wrong(t, HX_STR("\\C, a single byte, is not allowed"));
  if (is_at(t, HX_STR("\\Q"))) {
    copy_quoted(t);
    return true;
  }
  copy(t, 1);
  if (t->p < t->end) copy_char(t);
  return true;
}

/* Counts a part that repeats without end as two optional parts, because it costs RE2 twice as much as one. */
static void add_endless(translator *t) {
  t->repeats = true;
  add_optional(t, 2);
}

static void translate_count(translator *t) {
  count is = read_count(t);
  if (is.endless) add_endless(t);
  if (is.high > is.low) add_optional(t, is.high - is.low);
}

static bool translate_next(translator *t) {
  switch (*t->p) {
    case '\\': return translate_escape(t);
    case '[': return translate_brackets(t);
    case '(': return translate_group(t);
    case ')': close_group(t); return true;
    case '*':
    case '+': add_endless(t); break;
    case '{': translate_count(t); break;
    case '?': add_optional(t, 1); break;
    case '|': t->alternates = true; break;
    default: break;
  }
  copy_char(t);
  return true;
}

bool hx_pattern_translate(hx_cx *cx, hx_str pattern, hx_pattern *out, hx_str *why) {
  translator t = { .cx = cx, .p = pattern.p, .end = pattern.p + pattern.len, .why = why };
  hx_buf_init(&t.out, &cx->arena, pattern.len + 16);
  hx_charge_steps(cx, pattern.len);
  while (t.p < t.end)
    if (!translate_next(&t)) return false;
  out->text = (hx_str){ t.out.p, t.out.len };
  out->groups = t.names.n;
  out->names = t.names.p;
  out->optional = t.optional;
  out->straight = !t.repeats && !t.alternates && t.optional == 0;
  /* If nothing repeats without end, a match can't be far away. Otherwise, suppose that the pattern has no alternatives and only single
  ** characters repeat: a search that is still within such a repetition would find its own end wherever a later match ends. So text
  ** read in vain contains no further match, and isn't read again. `x*y|x` is different: each x is a match after all of them were
  ** read. */
  out->near = !t.repeats || !(t.alternates || t.repeats_group);
  return true;
}
