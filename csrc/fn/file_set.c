/* file_set.c: fileset: finds the files whose paths match a pattern. Headers: fn/file.h. Source: the reference's globbing library. */
#include "fn/file.h"

#include "base/vec.h"
#include "fn/arguments.h"
#include "fn/file_path.h"
#include "text/quote.h"
#include "text/unicode.h"

#define PATTERN_RULES "each [ needs its ], each { its }, and a \\ something after it."

typedef struct search {
  hx_call *call;
  hx_cx *cx;
  hx_str directory;
  hx_str from, root; /* both absolute: results are relative to `from`, and paths begin at `root` */
  HX_VEC(hx_val) found;
  hx_val instead; /* the call's result if a folder could not be searched */
} search;

/* A folder that is being searched, and the folders around it. A link back to one of these isn't followed. */
typedef struct folder {
  const struct folder *outer;
  uint64_t id[2];
} folder;

static bool is_within(const folder *f, const uint64_t id[2]) {
  for (; f; f = f->outer)
    if (f->id[0] == id[0] && f->id[1] == id[1]) return true;
  return false;
}

static bool refuse(search *s, hx_str path, hx_file_fault fault) {
  if (hx_file_is_unknown(s->call, hx_path_join(s->cx, s->root, path), fault, &s->instead)) return false;
  hx_str shown = hx_args_are_marked(s->call) ? HX_STR(HX_HIDDEN_TEXT) : hx_quote_short(s->cx, path, HX_PATH_SHOWN);
  hx_fail_because(s->call, HX_BLAME_CALL, hx_file_fault_reason(fault),
                  hx_say(s->cx, "%.*s can't be searched: %s.", HX_STR_ARG(shown), hx_file_fault_text(fault)));
  return false;
}

/* Adds a path that matches, if a regular file is there. Returns false if s->instead is the call's result. */
static bool add(search *s, hx_str path) {
  hx_file_fault fault = hx_file_look(s->cx, s->directory, path);
  if (fault == HX_FILE_IS_FOLDER || fault == HX_FILE_SPECIAL) return true;
  if (fault != HX_FILE_FINE) return refuse(s, path, fault);
  hx_str shown = hx_path_relative(s->cx, s->from, hx_path_join(s->cx, s->root, path));
  shown = hx_nfc(s->cx, hx_utf8_repair(s->cx, shown));
  hx_charge_memory(s->cx, 16 + shown.len);
  *HX_VEC_PUSH(&s->cx->arena, &s->found) = hx_string(shown);
  return true;
}

static bool run(search *s, hx_str base, hx_str pattern, const folder *outer);

/* Searches for `**`: any number of folders. As the last element it matches everything in them. */
static bool run_deep(search *s, hx_str base, hx_str pattern, hx_str rest, bool last, const folder *here, const hx_file_entry *e,
                     uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    hx_str path = hx_path_join(s->cx, base, e[i].name);
    if (last && !add(s, path)) return false;
    if (e[i].folder && !run(s, path, pattern, here)) return false;
  }
  return last || run(s, base, rest, here->outer);
}

/* Returns the number of characters before the first special character. */
static uint32_t plain_length(hx_str pattern) {
  uint32_t n = 0;
  while (n < pattern.len && !strchr("*?[{\\", pattern.p[n])) n++;
  return n;
}

/* Returns the length of the part before the first element with a special character: it is a path like any other. */
static uint32_t plain_part(hx_str pattern) {
  uint32_t n = plain_length(pattern);
  while (n && pattern.p[n - 1] != '/') n--;
  return n;
}

/* Returns true if the fault is reported. The reference finds nothing in folders that it can't read, but here a path that the scope
** forbids is an error. */
static bool is_told(hx_file_fault fault) {
  return fault == HX_FILE_OUTSIDE || fault == HX_FILE_NO_ROOT;
}

static bool run(search *s, hx_str base, hx_str pattern, const folder *outer) {
  uint32_t plain = plain_part(pattern), n = 0;
  folder here = { outer, { 0, 0 } };
  hx_file_entry *e = NULL;
  hx_stack_check();
  if (plain) {
    base = hx_path_join(s->cx, base, (hx_str){ pattern.p, plain });
    pattern = hx_str_from(pattern, plain);
  }
  hx_file_fault fault = hx_file_list(s->cx, s->directory, base, &e, &n, here.id);
  if (is_told(fault)) return refuse(s, base, fault);
  if (fault != HX_FILE_FINE) return true;
  uint32_t end = hx_pattern_find(pattern, '/');
  bool last = end == pattern.len;
  hx_str element = { pattern.p, end }, rest = last ? HX_STR("") : (hx_str){ pattern.p + end + 1, pattern.len - end - 1 };
  if (hx_str_eq(element, HX_STR("**"))) return is_within(outer, here.id) || run_deep(s, base, pattern, rest, last, &here, e, n);
  for (uint32_t i = 0; i < n; i++) {
    hx_pattern_answer a = hx_pattern_match(s->cx, element, e[i].name);
    if (a == HX_PATTERN_BAD) {
      hx_str shown = hx_quote_short(s->cx, element, HX_PATH_SHOWN);
      hx_fail_telling(s->call, HX_BLAME_CALL, "The pattern is wrong: " PATTERN_RULES,
                      "The pattern is wrong at %.*s: " PATTERN_RULES, HX_STR_ARG(shown));
      return false;
    }
    if (a != HX_PATTERN_YES) continue;
    hx_str path = hx_path_join(s->cx, base, e[i].name);
    if (!(last ? add(s, path) : run(s, path, rest, NULL))) return false;
  }
  return true;
}

static hx_val fn_fileset(hx_call *call, const hx_val *args) {
  hx_cx *cx = call->cx;
  search s = { .call = call, .cx = cx, .instead = hx_none() };
  hx_str path = hx_val_str(&args[0]), pattern = hx_val_str(&args[1]);
  hx_file_place at;
  /* A path can't have a NUL, so nothing matches. This is tested first, because joining the paths cleans them and may remove the NUL. */
  if (hx_path_has_nul(path) || hx_path_has_nul(pattern)) return hx_set(cx, &hx_type_string, NULL, 0);
  hx_str wanted = hx_path_join(cx, path, pattern);
  hx_file_fault fault = hx_file_locate(cx, call->host, wanted, &at);
  if (hx_file_is_unknown(call, wanted, fault, &s.instead)) return s.instead;
  if (fault != HX_FILE_FINE)
    return hx_fail_because(call, HX_BLAME_CALL, hx_file_fault_reason(fault),
                           hx_say(cx, "The path and pattern can't be searched: %s.", hx_file_fault_text(fault)));
  s.directory = at.directory;
  if (!hx_path_absolute(cx, s.directory, HX_STR(""), &s.root) || !hx_path_absolute(cx, call->host->directory, path, &s.from))
    return hx_fail_call(call, "The current folder of this process is unknown.");
  if (plain_length(at.inside) == at.inside.len) {
    fault = hx_file_look(cx, s.directory, at.inside);
    if (fault == HX_FILE_FINE ? !add(&s, at.inside) : is_told(fault) && !refuse(&s, at.inside, fault)) return s.instead;
  } else if (!run(&s, HX_STR("."), at.inside, NULL)) {
    return s.instead;
  }
  return hx_set(cx, &hx_type_string, s.found.p, s.found.n);
}

const hx_fn hx_fns_file_set[] = {
  { .name = "fileset",
    .type = &hx_type_set_string,
    .impl = fn_fileset,
    .flags = HX_NOT_NULL,
    .needs = HX_NEEDS_FILES,
    .params = { HX_TEXT("path"), HX_TEXT("pattern") },
    .summary = "Returns the files below a folder whose paths match a pattern.",
    .doc = "In a pattern, * matches any characters of a name, ? one character, [a-z] one character of a class, {a,b} one of the "
           "alternatives, and ** as a whole element any number of folders. A backslash removes the meaning of the next character. "
           "Folders themselves are not listed. Paths begin at the given folder.",
    .example = "fileset(\"caps\", \"*.txt\")" },
  { .name = NULL },
};
