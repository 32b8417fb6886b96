/* re2.cc: regular expressions by RE2. Closed patterns are kept for the next time that the same pattern is opened: to compile one takes
** ten times as long as most matches, and programs use the same few patterns again and again. */
#include "library/re2.h"

#include <re2/re2.h>

#include <cstdio>
#include <memory>
#include <new>
#include <pthread.h>
#include <string>
#include <vector>

struct hx_re2 {
  RE2 re;
  int64_t memory; /* the memory that RE2 was given for the pattern; 0: more than usual, so the pattern isn't kept */
  int64_t seen;   /* bytes of all texts searched so far */
  std::vector<re2::StringPiece> groups;

  hx_re2(const re2::StringPiece &pattern, const RE2::Options &options, int64_t bytes)
      : re(pattern, options), memory(bytes), seen(0) {
  }
};

/* Kept patterns */

/* A thread keeps at most KEPT patterns, and only as many as can't have grown above KEPT_BYTES in total (most_bytes). */
static const int KEPT = 64;
static const int64_t KEPT_BYTES = 32 << 20;

/* The patterns that a thread keeps. They are found by a key, because a thread-local variable would end the process if memory for it is
** missing. */
struct kept_patterns {
  hx_re2 *all[KEPT];
  int64_t bytes;
};

/* Returns the bytes that a pattern's two automata may have grown to: each byte of a text adds a state at most, and a state has a word for
** each class of bytes and each instruction. */
static int64_t most_bytes(const hx_re2 *re) {
  int64_t state = 2048 + 4 * static_cast<int64_t>(re->re.ProgramSize());
  return re->seen > re->memory / (2 * state) ? re->memory : re->seen * 2 * state;
}

static hx_re2 *take(kept_patterns *kept, hx_re2 *&place) {
  hx_re2 *re = place;
  if (re) kept->bytes -= most_bytes(re);
  place = nullptr;
  return re;
}

static pthread_key_t key;
static bool has_key;
static kept_patterns ended; /* the list of a thread that has ended: patterns closed after that are freed */

static void end_thread(void *p) {
  kept_patterns *kept = static_cast<kept_patterns *>(p);
  pthread_setspecific(key, &ended);
  if (kept == &ended) return;
  for (hx_re2 *&place : kept->all) delete take(kept, place);
  delete kept;
}

static void make_key() {
  has_key = pthread_key_create(&key, end_thread) == 0;
}

/* Returns the kept patterns of this thread, or nullptr if it has not made a list yet. make: makes the list if memory suffices. */
static kept_patterns *kept_here(bool make) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  kept_patterns *kept = has_key ? static_cast<kept_patterns *>(pthread_getspecific(key)) : nullptr;
  if (kept || !make || !has_key) return kept == &ended ? nullptr : kept;
  kept = new (std::nothrow) kept_patterns();
  if (kept && pthread_setspecific(key, kept) == 0) return kept;
  delete kept;
  return nullptr;
}

static hx_re2 *take_kept(const re2::StringPiece &pattern, int64_t memory) {
  kept_patterns *kept = kept_here(false);
  if (!kept) return nullptr;
  for (hx_re2 *&place : kept->all)
    if (place && place->memory == memory && place->re.pattern() == pattern) return take(kept, place);
  return nullptr;
}

/* Returns a free place or, if all are taken, that of the pattern whose automata may be largest, to make room. largest: returns the
** latter in any case. */
static hx_re2 *&find_place(kept_patterns *kept, bool largest) {
  hx_re2 **found = &kept->all[0];
  for (hx_re2 *&place : kept->all) {
    if (!place && !largest) return place;
    if (!*found || (place && most_bytes(place) > most_bytes(*found))) found = &place;
  }
  return *found;
}

static void close_pattern(hx_re2 *re) {
  kept_patterns *kept = re->memory == 0 ? nullptr : kept_here(true);
  if (!kept) {
    delete re;
    return;
  }
  hx_re2 *&place = find_place(kept, false);
  delete take(kept, place);
  place = re;
  kept->bytes += most_bytes(re);
  while (kept->bytes > KEPT_BYTES) delete take(kept, find_place(kept, true));
}

/* Returns true if the pattern is so large that it needs more memory than usual. RE2's instructions have 16 bytes, and it gives a twelfth
** of its memory to those of the reversed pattern. */
static bool is_large(const RE2 &re, int64_t memory) {
  return re.ok() ? re.ProgramSize() > memory / 12 / 16 / 2 : re.error_code() == RE2::ErrorPatternTooLarge;
}

static hx_re2 *open_pattern(const char *pattern, size_t len, int64_t usual, int64_t most, bool *too_large, char *error,
                            size_t size) {
  error[0] = '\0';
  hx_re2 *known = take_kept(re2::StringPiece(pattern, len), usual);
  if (known) return known;
  try {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(usual);
    std::unique_ptr<hx_re2> made(new hx_re2(re2::StringPiece(pattern, len), options, usual));
    if (usual < most && is_large(made->re, usual)) {
      options.set_max_mem(most);
      made.reset(new hx_re2(re2::StringPiece(pattern, len), options, 0));
    }
    if (made->re.ok()) return made.release();
    *too_large = made->re.error_code() == RE2::ErrorPatternTooLarge;
    snprintf(error, size, "%s", made->re.error().c_str());
  } catch (...) {
    error[0] = '\0';
  }
  return nullptr;
}

static int count_instructions(const hx_re2 *re) {
  return re->re.ProgramSize();
}

static int find_match(hx_re2 *re, const char *text, size_t len, size_t start, int64_t *at, int groups) {
  re->seen += static_cast<int64_t>(len - start);
  try {
    re->groups.resize(static_cast<size_t>(groups));
    re2::StringPiece whole(text, len);
    if (!re->re.Match(whole, start, len, RE2::UNANCHORED, re->groups.data(), groups)) return 0;
    for (int i = 0; i < groups; i++) {
      const re2::StringPiece &g = re->groups[static_cast<size_t>(i)];
      bool there = g.data() != nullptr;
      at[2 * i] = there ? g.data() - text : -1;
      at[2 * i + 1] = there ? g.data() - text + static_cast<int64_t>(g.size()) : -1;
    }
    return 1;
  } catch (...) {
    return -1;
  }
}

const hx_re2_library hx_library_re2 = { open_pattern, close_pattern, count_instructions, find_match };
