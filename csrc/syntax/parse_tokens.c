/* parse_tokens.c: reads tokens for the parser: decides which are skipped and which are reported, and recovers from errors. */
#include "syntax/parse_state.h"

/* --- Errors --- */

/* Counts an error, and returns true if it must be reported. Hostile input can have an error in each byte, so errors that would not be
** kept are only counted. */
static bool count_error(hx_parser *p) {
  if (p->again) return false;
  p->errors++;
  /* The mistake is a token that no source may contain: its consequences aren't reported. */
  if (p->lost || p->item < p->bad) return false;
  if (!hx_is_silent(p->cx)) return true;
  p->cx->diags.dropped++;
  p->cx->diags.errors++;
  return false;
}

/* Returns true if the row's detail ends with a hint. */
static bool takes_hint(hx_diag_id id) {
  hx_str format = hx_str_c(hx_diag_format(id));
  return format.len > 4 && memcmp(format.p + format.len - 4, "%.*s", 4) == 0;
}

/* Returns true if the error was reported before. A token that no source may contain is not reported again when the parser reads it. In a
** body, an attempt may go past the item's end by layout: an error reported there is found again with the next item. */
static bool is_reported(hx_parser *p, hx_diag_id id, hx_range at) {
  if (p->item == UINT32_MAX) return at.start + 1 == p->bad;
  if (id == p->reported && at.start == p->reported_at.start && at.stop == p->reported_at.stop) return true;
  if (at.start < p->reported_at.start) return false;
  p->reported = id;
  p->reported_at = at;
  return false;
}

void hx_parse_error_in(hx_parser *p, hx_diag_id id, hx_range at, uint32_t from, hx_str what) {
  if (!count_error(p)) return;
  if (!is_reported(p, id, at)) {
    hx_str hint = takes_hint(id) ? hx_parse_hint(p, id, at) : HX_STR("");
    hx_diag *d = hx_diag_add(p->cx, id, p->src, at, HX_STR_ARG(what), HX_STR_ARG(hint));
    d->context.start = from;
  }
  if (p->guarded && p->recovery) hx_lose(p);
}

void hx_parse_error_with(hx_parser *p, hx_diag_id id, hx_range at, hx_str what, hx_str more) {
  if (count_error(p)) hx_diag_add(p->cx, id, p->src, at, HX_STR_ARG(what), HX_STR_ARG(more));
}

void hx_parse_error(hx_parser *p, hx_diag_id id, hx_range at, hx_str what) {
  hx_parse_error_in(p, id, at, at.start, what);
}

void hx_parse_bad_number(hx_parser *p, hx_diag_id id, hx_range at, hx_str what) {
  hx_parse_error(p, id, at, what);
  p->bad = at.start + 1;
}

void hx_parse_too_deep(hx_parser *p, hx_range at) {
  hx_parse_error(p, HX_D_LIMIT_DEPTH, at, hx_strf(p->cx, "%llu", (unsigned long long)p->cx->limits.depth));
}

hx_str hx_found(hx_parser *p, hx_token t) {
  if ((t.kind == HX_TOK_IDENT || t.kind == HX_TOK_NUMBER) && t.stop - t.start <= 40)
    return hx_strf(p->cx, "\"%.*s\"", (int)(t.stop - t.start), p->text + t.start);
  return hx_str_c(hx_token_name((hx_token_kind)t.kind));
}

void hx_parse_unexpected(hx_parser *p, hx_diag_id id, hx_token t, uint32_t from) {
  if (!p->recovery) hx_parse_error_in(p, id, hx_token_range(t), from, hx_found(p, t));
}

/* Tokens that no source may contain. Each sort is reported as often as the reference does: bit i of `reported` says whether the token
** after i others of its sort is reported. The reference stays silent about the second of a pair of quotes, and about operators after the
** fourth. */
static const struct bad_token {
  uint8_t sort, reported; /* reported 0: reported always */
  uint16_t id;
} bad_tokens[HX_TOK_COUNT] = {
  [HX_TOK_BIT_AND] = { HX_BAD_OPERATOR, 15, HX_D_SYNTAX_BIT_AND },
  [HX_TOK_BIT_OR] = { HX_BAD_OPERATOR, 15, HX_D_SYNTAX_BIT_OR },
  [HX_TOK_BIT_NOT] = { HX_BAD_OPERATOR, 15, HX_D_SYNTAX_BIT_NOT },
  [HX_TOK_BIT_XOR] = { HX_BAD_OPERATOR, 15, HX_D_SYNTAX_BIT_XOR },
  [HX_TOK_APOSTROPHE] = { HX_BAD_APOSTROPHE, 5, HX_D_SYNTAX_APOSTROPHE },
  [HX_TOK_BACKTICK] = { HX_BAD_BACKTICK, 5, HX_D_SYNTAX_BACKTICK },
  [HX_TOK_SEMICOLON] = { HX_BAD_SEMICOLON, 1, HX_D_SYNTAX_SEMICOLON },
  [HX_TOK_BAD_UTF8] = { HX_BAD_BYTES, 1, HX_D_SYNTAX_UTF8 },
  [HX_TOK_QUOTED_NEWLINE] = { .id = HX_D_SYNTAX_QUOTED_NEWLINE },
  [HX_TOK_INVALID] = { .id = HX_D_SYNTAX_CHARACTER },
};

/* Reports a token that no source may contain. The error doesn't count as the parser's own, so it makes no construct fail. */
static void report_bad_token(hx_parser *p, hx_token t) {
  const struct bad_token *bad = &bad_tokens[t.kind];
  hx_diag_id id = (hx_diag_id)bad->id;
  if (p->again) return;
  if (bad->reported) {
    uint8_t *before = &p->bad_tokens[bad->sort];
    bool is_reported = bad->reported >> *before & 1;
    if (*before < 7) ++*before;
    if (!is_reported) return;
  }
  hx_str s = hx_slice(p, t.start, t.stop);
  if (id == HX_D_SYNTAX_CHARACTER && (hx_str_eq(s, HX_STR("\xE2\x80\x9C")) || hx_str_eq(s, HX_STR("\xE2\x80\x9D"))))
    id = HX_D_SYNTAX_CURLY_QUOTE;
  else if (hx_is_interpolation(p, t)) id = HX_D_SYNTAX_INTERP_BARE;
  uint32_t errors = p->errors;
  hx_range at = hx_token_range(t);
  /* A template without an end continues to the end of the source, whatever part of the template is being read. */
  if (t.kind == HX_TOK_INVALID && p->scan.outer.n > 0 && t.stop - t.start > 1 && t.stop == p->scan.end) at.stop = p->end;
  hx_parse_error(p, id, at, hx_meant_by_bad(p, at));
  p->errors = errors;
  p->bad = t.start + 1;
}

/* --- Reading --- */

void hx_parse_advance(hx_parser *p) {
  p->tok = hx_scan_next(&p->scan);
  if (HX_UNLIKELY(p->tok.kind >= HX_TOK_FIRST_BAD)) report_bad_token(p, p->tok);
}

hx_token hx_peek_past_blanks(hx_parser *p) {
  while (p->tok.kind <= HX_TOK_LAST_BLANK) {
    if (p->newlines) {
      if (p->tok.kind == HX_TOK_NEWLINE) break;
      /* A comment that includes its line's end is also that newline, which ends an item. */
      if (p->text[p->tok.stop - 1] == '\n') {
        p->tok.kind = HX_TOK_NEWLINE;
        break;
      }
    }
    hx_parse_advance(p);
  }
  return p->tok;
}

/* --- Recovery --- */

bool hx_begins_term(uint8_t kind) {
  return kind == HX_TOK_IDENT || kind == HX_TOK_NUMBER || kind == HX_TOK_OQUOTE || kind == HX_TOK_OHEREDOC ||
         kind == HX_TOK_OBRACK || kind == HX_TOK_OBRACE || kind == HX_TOK_OPAREN;
}

static bool is_closer(uint8_t kind);

bool hx_again_goes_on(hx_parser *p) {
  for (;;) {
    uint8_t k = hx_peek_kind(p);
    if (hx_begins_term(k) || hx_is_interpolation(p, p->tok)) return true;
    if (k == HX_TOK_END || is_closer(k)) return false;
    hx_read(p);
  }
}

hx_token hx_again_close(hx_parser *p, hx_token_kind end) {
  hx_token t = hx_peek(p);
  if (t.kind == end) return hx_read(p);
  return (hx_token){ .start = t.start, .stop = t.start, .kind = HX_TOK_END };
}

static const uint8_t closers[HX_TOK_COUNT] = {
  [HX_TOK_OBRACE] = HX_TOK_CBRACE,   [HX_TOK_OBRACK] = HX_TOK_CBRACK,     [HX_TOK_OPAREN] = HX_TOK_CPAREN,
  [HX_TOK_OQUOTE] = HX_TOK_CQUOTE,   [HX_TOK_OHEREDOC] = HX_TOK_CHEREDOC, [HX_TOK_INTERP] = HX_TOK_SEQ_END,
  [HX_TOK_CONTROL] = HX_TOK_SEQ_END,
};

static bool is_closer(uint8_t kind) {
  return kind == HX_TOK_CBRACE || kind == HX_TOK_CBRACK || kind == HX_TOK_CPAREN || kind == HX_TOK_CQUOTE ||
         kind == HX_TOK_CHEREDOC || kind == HX_TOK_SEQ_END;
}

hx_token hx_recover(hx_parser *p, hx_token_kind end) {
  uint64_t nested = 0;
  hx_give_up(p);
  for (;;) {
    hx_token t = hx_read(p);
    if (t.kind == end && nested == 0) return t;
    if (t.kind == HX_TOK_END) return t;
    if (t.kind == end) nested--;
    else if (closers[t.kind] == end) nested++;
  }
}

void hx_recover_over(hx_parser *p, hx_token_kind start) {
  hx_token t;
  hx_give_up(p);
  do t = hx_read(p);
  while (t.kind != start && t.kind != HX_TOK_END);
  hx_recover(p, (hx_token_kind)closers[start]);
}
