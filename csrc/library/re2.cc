/* re2.cc: see re2.h. */
#include "library/re2.h"

#include <re2/re2.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct hx_re2 {
  RE2 re;
  std::vector<re2::StringPiece> groups;

  hx_re2(const re2::StringPiece &pattern, const RE2::Options &options) : re(pattern, options) {
  }
};

/* RE2's instructions have 16 bytes, and it gives a twelfth of its memory to those of the pattern read backwards. */
static bool is_large(const RE2 &re, int64_t memory) {
  return re.ok() ? re.ProgramSize() > memory / 12 / 16 / 2 : re.error_code() == RE2::ErrorPatternTooLarge;
}

static hx_re2 *open_pattern(const char *pattern, size_t len, int64_t usual, int64_t most, bool *too_large, char *error,
                            size_t size) {
  error[0] = '\0';
  try {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(usual);
    std::unique_ptr<hx_re2> made(new hx_re2(re2::StringPiece(pattern, len), options));
    if (usual < most && is_large(made->re, usual)) {
      options.set_max_mem(most);
      made.reset(new hx_re2(re2::StringPiece(pattern, len), options));
    }
    if (made->re.ok()) return made.release();
    *too_large = made->re.error_code() == RE2::ErrorPatternTooLarge;
    snprintf(error, size, "%s", made->re.error().c_str());
  } catch (...) {
    error[0] = '\0';
  }
  return nullptr;
}

static void close_pattern(hx_re2 *re) {
  delete re;
}

static int count_instructions(const hx_re2 *re) {
  return re->re.ProgramSize();
}

static int find_match(hx_re2 *re, const char *text, size_t len, size_t start, int64_t *at, int groups) {
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
