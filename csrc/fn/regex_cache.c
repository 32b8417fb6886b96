/* regex_cache.c: compiled patterns of an activity. In a loop the same pattern comes again and again, and compiling it costs far more
** than matching: so the last few stay. */
#include "fn/regex.h"

#include "fn/re2_shim.h"
#include "fn/text_search.h"

#ifdef HX_HAS_RE2

#define KEPT 8
#define MEMORY_MAX (64 << 20) /* of one pattern */

typedef struct regex_cache {
  void **home;   /* where the activity keeps the pointer to this cache */
  uint32_t next; /* the place of the next pattern */
  hx_regex *kept[KEPT];
} regex_cache;

static void free_cache(void *p) {
  regex_cache *cache = p;
  for (uint32_t i = 0; i < KEPT; i++)
    if (cache->kept[i] && cache->kept[i]->re) hx_re2_free(cache->kept[i]->re);
  *cache->home = NULL;
}

static regex_cache *cache_of(hx_cx *cx) {
  if (cx->regexes) return cx->regexes;
  regex_cache *cache = HX_NEW(cx, regex_cache);
  memset(cache, 0, sizeof *cache);
  cache->home = &cx->regexes;
  hx_arena_defer(&cx->arena, free_cache, cache);
  cx->regexes = cache;
  return cache;
}

/* An empty place; what stood there is freed. */
static hx_regex **next_place(regex_cache *cache) {
  hx_regex **place = &cache->kept[cache->next];
  cache->next = (cache->next + 1) % KEPT;
  if (*place && (*place)->re) hx_re2_free((*place)->re);
  *place = NULL;
  return place;
}

static struct hx_re2 *compile(hx_cx *cx, hx_str text, hx_str *why) {
  char error[200];
  uint64_t most = cx->limits.memory < MEMORY_MAX ? cx->limits.memory : MEMORY_MAX;
  struct hx_re2 *re = hx_re2_new(text.p, text.len, (int64_t)most, error, sizeof error);
  if (!re && error[0] == '\0') hx_abort(cx, HX_WHY_NO_MEMORY);
  if (!re) *why = hx_strf(cx, "%s", error);
  return re;
}

hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why) {
  regex_cache *cache = cache_of(cx);
  for (uint32_t i = 0; i < KEPT; i++)
    if (cache->kept[i] && hx_str_eq(cache->kept[i]->source, pattern)) return cache->kept[i];
  hx_regex *made = HX_NEW(cx, hx_regex);
  made->source = hx_str_copy(cx, pattern);
  made->re = NULL;
  made->built = 0;
  if (!hx_pattern_translate(cx, made->source, &made->pattern, why)) return NULL;
  made->at = HX_NEW_ARRAY(cx, int64_t, 2 * ((size_t)made->pattern.groups + 1));
  hx_regex **place = next_place(cache);
  made->re = compile(cx, made->pattern.text, why);
  if (!made->re) return NULL;
  *place = made;
  int size = hx_re2_size(made->re);
  made->size = size > 0 ? (uint32_t)size : 0;
  hx_charge_steps(cx, 4ull * made->size);
  return made;
}

/* As large as an automaton grows, about: instructions * states, of four bytes each, in the third of its memory that RE2 keeps
** for them. */
#define BUILT_MAX (MEMORY_MAX / 3 / 4)

/* What is known before: the search is not begun if it might take far more than there is. */
static void charge_before(hx_cx *cx, const hx_regex *re, uint64_t rest) {
  if (re->size * rest / 32 > cx->steps_left) hx_abort(cx, HX_WHY_STEPS);
  hx_charge_steps(cx, 2 + (re->pattern.near ? 0 : rest * (128 + re->size) / 8192));
}

/* seen: bytes up to the end of the match. Beyond it a pattern in which nothing repeats looks no further than it is long. */
static void charge_after(hx_cx *cx, hx_regex *re, uint64_t seen, uint64_t matched) {
  uint64_t work = seen * re->size, building = work < BUILT_MAX - re->built ? work : BUILT_MAX - re->built;
  re->built += building;
  hx_charge_steps(cx, (seen + re->size) / 64 + building / 16 + (work - building) / 64);
  if (re->pattern.groups) hx_charge_steps(cx, matched * re->size / 32);
}

/* RE2 matches bytes, and an empty match may lie within a character: the reference has none there. */
bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from) {
  for (;;) {
    uint32_t rest = text.len - from;
    charge_before(cx, re, rest);
    int found = hx_re2_match(re->re, text.p, text.len, from, re->at, (int)re->pattern.groups + 1);
    if (found < 0) hx_abort(cx, HX_WHY_NO_MEMORY);
    charge_after(cx, re, found ? (uint64_t)(re->at[1] - from) : rest, found ? (uint64_t)(re->at[1] - re->at[0]) : 0);
    if (!found) return false;
    uint32_t at = (uint32_t)re->at[0];
    if (at == text.len || !hx_is_continuation(text.p[at])) return true;
    from = at + 1;
  }
}

#else

hx_regex *hx_regex_get(hx_cx *cx, hx_str pattern, hx_str *why) {
  (void)cx, (void)pattern;
  *why = HX_STR("this build has no regular expressions; rebuild it where RE2 is installed");
  return NULL;
}

bool hx_regex_find(hx_cx *cx, hx_regex *re, hx_str text, uint32_t from) {
  (void)cx, (void)re, (void)text, (void)from;
  return false;
}

#endif
