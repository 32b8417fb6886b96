/* template_text.c: edits the text parts of templates: removes the indentation of flush heredocs, and joins neighbours. */
#include "syntax/parse_state.h"
#include "text/unicode.h"

/* --- Flush heredocs --- */

static bool ends_line(const hx_part *part) {
  return part->kind == HX_PART_TEXT && part->text.len > 0 && part->text.p[part->text.len - 1] == '\n';
}

/* Returns how many grapheme clusters of white space the text begins with: its indentation. */
static uint32_t indentation(hx_str s) {
  hx_str rest = hx_trim_left(s);
  hx_str blank = { s.p, s.len - rest.len };
  return hx_is_ascii(blank) && !memchr(blank.p, '\r', blank.len) ? blank.len : hx_grapheme_count(blank);
}

static void drop_clusters(hx_part *part, uint32_t n) {
  for (; n > 0 && part->text.len > 0; n--) {
    uint32_t len = hx_grapheme_len(part->text);
    part->text.p += len;
    part->text.len -= len;
    part->start += len;
  }
}

/* Returns true if the part begins a line that isn't empty: the indentation of empty lines is ignored. prev: the part before it, or NULL.
** A line that begins with a sequence has no indentation. */
static bool begins_line(const hx_part *part, const hx_part *prev) {
  if (prev && !ends_line(prev)) return false;
  return part->kind != HX_PART_TEXT || !ends_line(part) || hx_trim_left(part->text).len > 0;
}

void hx_flush_parts(hx_part *parts, uint32_t n) {
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < n && least > 0; i++) {
    if (!begins_line(&parts[i], i ? &parts[i - 1] : NULL)) continue;
    uint32_t own = parts[i].kind == HX_PART_TEXT ? indentation(parts[i].text) : 0;
    if (own < least) least = own;
  }
  if (least == 0 || least == UINT32_MAX) return;
  /* The last part comes first, because whether a part begins a line depends on the end of the part before it, which must still be
  ** complete. */
  for (uint32_t i = n; i-- > 0;)
    if (parts[i].kind == HX_PART_TEXT && begins_line(&parts[i], i ? &parts[i - 1] : NULL)) drop_clusters(&parts[i], least);
}

/* --- Neighbours --- */

/* Joins parts[0, n) to one text: a piece of the source if they are adjacent there, otherwise a copy. */
static hx_str join(hx_parser *p, const hx_part *parts, uint32_t n) {
  bool touching = true;
  uint32_t len = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0 && parts[i].text.p != parts[i - 1].text.p + parts[i - 1].text.len) touching = false;
    len += parts[i].text.len;
  }
  if (touching) return (hx_str){ parts->text.p, len };
  char *text = hx_arena_alloc(&p->cx->arena, len), *q = text;
  for (uint32_t i = 0; i < n; i++) {
    memcpy(q, parts[i].text.p, parts[i].text.len);
    q += parts[i].text.len;
  }
  return (hx_str){ text, len };
}

uint32_t hx_meld_parts(hx_parser *p, hx_part *parts, uint32_t n) {
  uint32_t out = 0;
  for (uint32_t i = 0; i < n;) {
    uint32_t j = i + 1;
    if (parts[i].kind == HX_PART_TEXT)
      while (j < n && parts[j].kind == HX_PART_TEXT) j++;
    if (j - i > 1) {
      parts[i].text = join(p, parts + i, j - i);
      parts[i].stop = parts[j - 1].stop;
    }
    if (out < i) parts[out] = parts[i];
    out++;
    i = j;
  }
  return out;
}
