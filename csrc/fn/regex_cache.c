/* regex_cache.c: keeps the last few compiled patterns of an activity: a loop uses the same pattern again and again, and compiling it costs
** far more than matching. */
#include "fn/regex.h"

#include "fn/text_search.h"
#include "library/library.h"
#include "library/re2.h"

#define KEPT 8
#define MEMORY_MAX (64 << 20) /* for one pattern */
/* The memory that RE2 usually gets for a pattern. It suffices for most patterns. A larger automaton is slower, because its states
** don't fit into the processor's caches. */
#define MEMORY_USUAL (8 << 20)
/* The steps for each instruction; most instructions describe sets of characters beyond ASCII, which take longest to compile. */
#define INSTRUCTION_STEPS 5ull
/* The bytes of RE2's memory that an instruction takes. */
#define INSTRUCTION_BYTES 96ull

typedef struct regex_cache {
  const hx_re2_library *re2; /* NULL: no pattern needed it yet */
  uint32_t next;             /* the place for the next pattern */
  hx_regex *kept[KEPT];
} regex_cache;

static void end_cache(void *p) {
  const regex_cache *cache = p;
  for (uint32_t i = 0; i < KEPT; i++)
    if (cache->kept[i] && cache->kept[i]->re) cache->re2->close(cache->kept[i]->re);
}

static regex_cache *cache_of(hx_cx *cx) {
  static const char key;
  return hx_keep(cx, &key, sizeof(regex_cache), end_cache);
}

/* Frees the pattern at the next place of the cache, and returns this place. */
static hx_regex **next_place(regex_cache *cache) {
  hx_regex **place = &cache->kept[cache->next];
  cache->next = (cache->next + 1) % KEPT;
  if (*place && (*place)->re) cache->re2->close((*place)->re);
  *place = NULL;
  return place;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static hx_re2 *compile(hx_cx *cx, const hx_re2_library *re2, const hx_pattern *pattern, hx_str *why) {
  char error[200];
  bool too_large = false;
  uint64_t allowed = least(cx->limits.memory, MEMORY_MAX), paid = cx->steps_left / INSTRUCTION_STEPS * INSTRUCTION_BYTES;
  uint64_t most = least(allowed, paid + 4096);
  if (most < 16) most = 16; /* with a smaller bound RE2 would use its own */
  hx_re2 *re = re2->open(pattern->text.p, pattern->text.len, (int64_t)least(most, MEMORY_USUAL), (int64_t)most, &too_large, error,
                         sizeof error);
  if (too_large && most < allowed) hx_abort(cx, HX_WHY_STEPS);
  if (too_large && allowed < MEMORY_MAX) hx_abort(cx, HX_WHY_MEMORY);
  if (too_large) hx_charge_steps(cx, most / INSTRUCTION_BYTES * INSTRUCTION_STEPS);
  if (!re && error[0] == '\0') hx_abort(cx, HX_WHY_NO_MEMORY);
  if (!re) *why = hx_strf(cx, "%s", error);
  return re;
}

/* Returns a pattern of the cache, or NULL if RE2 rejected it. Rejected patterns are kept as well, because RE2 must compile much of
** a pattern to find that it is too large. */
static hx_regex *known(hx_regex *re, hx_str *why) {
  bool good = re->is_set || re->re;
  if (!good) *why = re->why;
  return good ? re : NULL;
}

static void keep_set(hx_cx *cx, regex_cache *cache, hx_regex *made) {
  hx_charge_steps(cx, made->source.len);
  made->pattern = (hx_pattern){ .text = made->source, .near = true, .straight = true };
  made->at = HX_NEW_ARRAY(cx, int64_t, 2);
  made->size = 1;
  *next_place(cache) = made;
}

/* Compiles a pattern with RE2, and keeps it; false: *why says what is wrong. */
static bool keep_re2(hx_cx *cx, regex_cache *cache, hx_regex *made, hx_str *why) {
  cache->re2 = hx_library_get(HX_LIBRARY_RE2);
  if (!cache->re2 || !hx_pattern_translate(cx, made->source, &made->pattern, why)) return false;
  made->at = HX_NEW_ARRAY(cx, int64_t, 2 * ((size_t)made->pattern.groups + 1));
  hx_regex **place = next_place(cache);
  hx_charge_steps(cx, (uint64_t)made->pattern.optional * made->pattern.optional / 32);
  made->re = compile(cx, cache->re2, &made->pattern, &made->why);
  *place = made;
  if (!made->re) return known(made, why) != NULL;
  int size = cache->re2->size(made->re);
  made->size = size > 0 ? (uint32_t)size : 0;
  hx_charge_steps(cx, INSTRUCTION_STEPS * made->size);
  return true;
}

hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why) {
  regex_cache *cache = cache_of(cx);
  for (uint32_t i = 0; i < KEPT; i++)
    if (cache->kept[i] && hx_str_eq(cache->kept[i]->source, pattern)) return known(cache->kept[i], why);
  hx_regex *made = HX_NEW(cx, hx_regex);
  *made = (hx_regex){ .source = hx_str_copy(cx, pattern), .why = HX_STR("") };
  made->is_set = hx_char_set_read(made->source, &made->set);
  if (made->is_set) keep_set(cx, cache, made);
  else if (!keep_re2(cx, cache, made, why)) return NULL;
  return made;
}

static uint64_t search_cost(const hx_regex *re, uint64_t bytes) {
  return bytes * re->size / 32;
}

/* Returns the steps for finding groups. For each place in the pattern, a search keeps the positions of all groups, and copies them. */
static uint64_t groups_cost(const hx_regex *re, uint64_t matched) {
  uint64_t many = re->pattern.groups / 16, times = re->pattern.straight ? 1 : matched + 1;
  return matched * (re->size + 16ull) / 16 + times * many * many * 32;
}

/* Checks and charges before a search. The activity is aborted if the search might take more steps than are left, or if the groups
** of even the shortest match would. */
static void charge_before(hx_cx *cx, const hx_regex *re, uint64_t rest) {
  if (search_cost(re, rest) > cx->steps_left || groups_cost(re, 0) > cx->steps_left) hx_abort(cx, HX_WHY_STEPS);
  hx_charge_steps(cx, 2 + (re->pattern.near ? 0 : rest * (128 + re->size) / 8192));
}

/* Charges for a search. seen: bytes up to the end of the match. If nothing in the pattern repeats without end, a search reads at most
** re->size bytes beyond the match. */
static void charge_after(hx_cx *cx, const hx_regex *re, uint64_t seen, uint64_t matched) {
  hx_charge_steps(cx, (seen + re->size) / 64 + search_cost(re, seen));
  if (re->pattern.groups) hx_charge_steps(cx, groups_cost(re, matched));
}

/* Finds the first match of a pattern of either kind. */
static bool find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from) {
  if (re->is_set) return hx_char_set_find(&re->set, text, from, re->at);
  const hx_re2_library *re2 = hx_library_get(HX_LIBRARY_RE2);
  int found = re2->match(re->re, text.p, text.len, from, re->at, (int)re->pattern.groups + 1);
  if (found < 0) hx_abort(cx, HX_WHY_NO_MEMORY);
  return found;
}

/* Searches again after empty matches within a character, which RE2 finds because it matches bytes; the reference finds none there. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from) {
  for (;;) {
    uint32_t rest = text.len - from;
    charge_before(cx, re, rest);
    bool found = find(cx, re, text, from);
    charge_after(cx, re, found ? (uint64_t)(re->at[1] - from) : rest, found ? (uint64_t)(re->at[1] - re->at[0]) : 0);
    if (!found) return false;
    uint32_t at = (uint32_t)re->at[0];
    if (at == text.len || !hx_is_continuation(text.p[at])) return true;
    from = at + 1;
  }
}
