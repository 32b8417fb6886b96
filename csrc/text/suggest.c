/* suggest.c: finds the nearest name. */
#include "text/suggest.h"

#include "base/ascii.h"
#include "base/buf.h"

/* Longer names and longer lists are ignored: a diagnostic must not cost more than the mistake. */
#define NAME_MAX 64
#define CANDIDATES_MAX 1000

/* Returns the letters of a name as bits. An edit changes at most two bits, which rules most names out immediately. */
static uint64_t letters(hx_str s) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < s.len; i++) bits |= (uint64_t)1 << (hx_lower_ascii(s.p[i]) & 63);
  return bits;
}

/* Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour; most + 1 if that is more than most. */
static uint32_t distance(hx_str a, hx_str b, uint32_t most) {
  uint32_t rows[3][NAME_MAX + 1], i, j;
  uint32_t *before = rows[0], *last = rows[1], *now = rows[2], *spare;
  if (a.len > b.len + most || b.len > a.len + most) return most + 1;
  /* Common letters at the start and end cost nothing; usually few others are left. */
  while (a.len && b.len && hx_lower_ascii(a.p[0]) == hx_lower_ascii(b.p[0])) a.p++, a.len--, b.p++, b.len--;
  while (a.len && b.len && hx_lower_ascii(a.p[a.len - 1]) == hx_lower_ascii(b.p[b.len - 1])) a.len--, b.len--;
  if (!a.len || !b.len) return a.len + b.len;
  for (j = 0; j <= b.len; j++) last[j] = j;
  for (i = 1; i <= a.len; i++) {
    uint32_t least = now[0] = i;
    for (j = 1; j <= b.len; j++) {
      char x = hx_lower_ascii(a.p[i - 1]), y = hx_lower_ascii(b.p[j - 1]);
      uint32_t d = last[j - 1] + (x != y);
      if (last[j] + 1 < d) d = last[j] + 1;
      if (now[j - 1] + 1 < d) d = now[j - 1] + 1;
      if (i > 1 && j > 1 && x == hx_lower_ascii(b.p[j - 2]) && hx_lower_ascii(a.p[i - 2]) == y && before[j - 2] + 1 < d)
        d = before[j - 2] + 1;
      now[j] = d;
      if (d < least) least = d;
    }
    if (least > most) return most + 1;
    spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[b.len];
}

hx_str hx_suggest(hx_str given, const hx_str *candidates, uint32_t n) {
  uint32_t most = given.len < 6 ? 1u : 2u, i; /* one edit for names of up to five letters */
  uint64_t bits;
  hx_str found = HX_STR("");
  if (given.len == 0 || given.len > NAME_MAX) return found;
  if (n > CANDIDATES_MAX) n = CANDIDATES_MAX;
  bits = letters(given);
  for (i = 0; i < n; i++) {
    hx_str c = candidates[i];
    uint32_t d;
    if (c.len == 0 || c.len > NAME_MAX || c.len > given.len + most || given.len > c.len + most) continue;
    if ((uint32_t)__builtin_popcountll(letters(c) ^ bits) > 2 * most || hx_str_eq(c, given)) continue;
    d = distance(given, c, most);
    /* If every letter would have to change, the name isn't worth suggesting. */
    if (d > most || d >= given.len) continue;
    if (found.len && d == most && hx_str_cmp(found, c) < 0) continue;
    most = d;
    found = c;
  }
  return found;
}

hx_str hx_near_name(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n) {
  if (hx_is_silent(cx)) return HX_STR("");
  hx_charge_steps(cx, (n < CANDIDATES_MAX ? n : CANDIDATES_MAX) / 4);
  return hx_suggest(given, candidates, n);
}

hx_str hx_did_you_mean(hx_cx *cx, hx_str given, const hx_str *candidates, uint32_t n) {
  return hx_near_hint(cx, hx_near_name(cx, given, candidates, n));
}

hx_str hx_near_hint(hx_cx *cx, hx_str near) {
  return near.len ? hx_say(cx, " Did you mean \"%.*s\"?", HX_STR_ARG(near)) : near;
}

hx_str hx_word_note_of(const hx_word_note *notes, size_t n, hx_str word) {
  for (size_t i = 0; i < n; i++)
    if (hx_str_eq(notes[i].word, word)) return hx_str_c(notes[i].note);
  return HX_STR("");
}

void hx_report_missing(hx_cx *cx, hx_diag_id id, const struct hx_source *source, hx_range at, hx_str given,
                       const hx_str *candidates, uint32_t n, hx_str note) {
  hx_str hint = hx_did_you_mean(cx, given, candidates, n);
  bool is_similar = hint.len > 0;
  if (note.len) hint = hx_say(cx, "%.*s%.*s", HX_STR_ARG(hint), HX_STR_ARG(note));
  hx_diag *d = hx_diag_add(cx, id, source, at, HX_STR_ARG(given), HX_STR_ARG(hint));
  d->name = given;
  if (is_similar) d->reason = HX_STR("similar");
}
