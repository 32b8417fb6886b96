/* parse_hints.c: guesses what was meant by an unexpected token: words and operators of other languages, text without quotes, a bracket
** that was left open. A hint is a sentence after a space, for the end of a detail. */
#include "base/ascii.h"
#include "syntax/parse_state.h"
#include "text/source.h"
#include "text/suggest.h"
#include "text/unicode.h"

enum { WORD_MAX = 40, NEAR = 4096 };

/* Words that other languages use as operators. */
static const hx_word_note words[] = {
  { { "and", 3 }, " For \"and\" write \"&&\"." },
  { { "AND", 3 }, " For \"and\" write \"&&\"." },
  { { "or", 2 }, " For \"or\" write \"||\"." },
  { { "OR", 2 }, " For \"or\" write \"||\"." },
  { { "xor", 3 }, " For two conditions, just one of them true, write \"!=\"." },
  { { "is", 2 }, " For \"is\" write \"==\"." },
  { { "eq", 2 }, " For \"equal\" write \"==\"." },
  { { "ne", 2 }, " For \"not equal\" write \"!=\"." },
  { { "mod", 3 }, " For the rest of a division write \"%\"." },
  { { "div", 3 }, " For a whole quotient write floor(a / b)." },
  { { "in", 2 }, " Use contains(list, value)." },
  { { "if", 2 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
  { { "then", 4 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
  { { "else", 4 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
};

/* Words before the unexpected token that were read as names. */
static const hx_word_note prefixes[] = {
  { { "not", 3 }, " For \"not\" write \"!\"." },
  { { "NOT", 3 }, " For \"not\" write \"!\"." },
  { { "if", 2 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
  { { "unless", 6 }, " A choice is written with \"?\" and \":\": condition ? a : b." },
};

/* Pairs of characters whose second one was read as a separate token. */
static const hx_word_note pairs[] = {
  { { "==", 2 }, " \"==\" says that two values are equal." }, /* written === */
  { { "!=", 2 }, " Equality is written \"==\", its opposite \"!=\"." },
  { { "~=", 2 }, " \"Not equal\" is written \"!=\"." },
  { { "<>", 2 }, " \"Not equal\" is written \"!=\"." },
  { { "??", 2 }, " For a default write coalesce(a, b)." },
  { { "**", 2 }, " For a power write pow(a, b)." },
  { { "<<", 2 }, " The language has no operators on bits." },
  { { ">>", 2 }, " The language has no operators on bits." },
  { { "..", 2 }, " Texts are joined in a template: \"${a}${b}\"." },
};

#define NOTE_OF(list, word) hx_word_note_of(list, sizeof(list) / sizeof *(list), word)

static bool in_word(char c) {
  return hx_is_alnum(c) || c == '_' || c == '.';
}

/* Returns the word that ends at `stop`; an empty text if it is too long to show. */
static hx_str word_before(const hx_parser *p, uint32_t stop) {
  uint32_t start = stop;
  while (start > 0 && stop - start <= WORD_MAX && in_word(p->text[start - 1])) start--;
  return stop - start <= WORD_MAX ? hx_slice(p, start, stop) : HX_STR("");
}

/* Returns a hint for a name right after a number: 30s, 0x10, 1_000. */
static hx_str unquoted(hx_parser *p, hx_range at) {
  hx_str number = word_before(p, at.start);
  if (!number.len || !hx_is_digit(number.p[0])) return HX_STR("");
  char c = p->text[at.start];
  if (c == '_') return HX_STR(" Write the digits of a number without a separator: 1000000.");
  if (hx_str_eq(number, HX_STR("0")) && (c == 'x' || c == 'X' || c == 'b' || c == 'o'))
    return HX_STR(" Numbers are decimal; parseint(\"ff\", 16) reads others.");
  return hx_strf(p->cx, " Write text in quotes: \"%.*s%.*s\".", HX_STR_ARG(number), (int)(at.stop - at.start), p->text + at.start);
}

/* Returns a hint for a number with two dots, which is an address or a version. */
static hx_str of_number(hx_parser *p, hx_range at) {
  const char *point = memchr(p->text + at.start, '.', at.stop - at.start);
  uint32_t rest = point ? (uint32_t)(p->text + at.stop - point - 1) : 0;
  if (!rest || !memchr(point + 1, '.', rest) || at.stop - at.start > WORD_MAX) return HX_STR("");
  return hx_strf(p->cx, " Write text in quotes: \"%.*s\".", (int)(at.stop - at.start), p->text + at.start);
}

/* Returns a hint for the first line of a heredoc, whose `<<` the scanner read as two operators. */
static hx_str of_heredoc(hx_parser *p, uint32_t start) {
  uint32_t at = start + 2;
  if (p->text[at] == '-') at++;
  char c = p->text[at];
  if (c == '"' || c == '\'') return HX_STR(" The marker of a heredoc takes no quotes: <<EOT.");
  if (c == ' ' || c == '\t') return HX_STR(" The marker of a heredoc follows \"<<\" without a space: <<EOT.");
  while (at < p->scan.end && in_word(p->text[at])) at++;
  c = at < p->scan.end ? p->text[at] : '\n';
  if (c == ' ' || c == '\t') return HX_STR(" Nothing may follow the marker of a heredoc on its line, not even a space.");
  return HX_STR(" A heredoc begins with \"<<\", a name as its marker, and the end of the line: <<EOT.");
}

/* Returns a hint for tags.contains("x"): functions are not methods. */
static hx_str of_method(hx_parser *p, uint32_t at) {
  hx_str path = word_before(p, at);
  uint32_t dot = path.len;
  while (dot > 0 && path.p[dot - 1] != '.') dot--;
  if (dot < 2 || dot == path.len) return HX_STR("");
  hx_str name = hx_str_from(path, dot), object = path.p[0] == '.' ? HX_STR("value") : hx_str_of(path.p, dot - 1);
  return hx_strf(p->cx, " Values have no methods; write a function of the value: %.*s(%.*s, ...).", HX_STR_ARG(name),
                 HX_STR_ARG(object));
}

/* Returns a hint for a name before a string: upper "a". */
static hx_str of_call(hx_parser *p, uint32_t at) {
  uint32_t stop = at;
  while (stop > 0 && p->text[stop - 1] == ' ') stop--;
  hx_str name = word_before(p, stop);
  if (stop == at || !hx_is_identifier(name) || hx_str_eq(name, HX_STR("null"))) return HX_STR("");
  return hx_strf(p->cx, " A call has parentheses: %.*s(...).", HX_STR_ARG(name));
}

static bool of_text(const hx_parser *p, uint32_t at) {
  return p->text[at] == ' ' || (in_word(p->text[at]) && p->text[at] != '.');
}

/* Returns a hint for text of several words without quotes, up to the end of the line: x = hello world. */
static hx_str of_words(hx_parser *p, hx_range at) {
  uint32_t start = at.start, stop = at.start, most = at.start + WORD_MAX;
  while (start > 0 && at.start - start <= WORD_MAX && of_text(p, start - 1)) start--;
  while (stop < p->scan.end && stop <= most && of_text(p, stop)) stop++;
  bool whole = p->text[start] == ' ' && (stop == p->scan.end || p->text[stop] == '\n' || p->text[stop] == '\r');
  while (p->text[start] == ' ') start++;
  while (stop > start && p->text[stop - 1] == ' ') stop--;
  if (!whole || start == at.start || !hx_is_letter(p->text[start]) || stop - start > WORD_MAX) return HX_STR("");
  return hx_strf(p->cx, " Text takes quotes: \"%.*s\".", (int)(stop - start), p->text + start);
}

static hx_str of_sign(hx_parser *p, hx_range at) {
  char c = p->text[at.start], before = at.start ? p->text[at.start - 1] : ' ';
  char after = at.stop < p->scan.end ? p->text[at.stop] : ' ';
  const char pair[2] = { before, c };
  hx_str note = NOTE_OF(pairs, ((hx_str){ pair, 2 }));
  if (note.len) return note;
  if (c == '<' && after == '<') return of_heredoc(p, at.start);
  if (c == '(') return of_method(p, at.start);
  if (c == '"') return of_call(p, at.start);
  if (c == ':') return HX_STR(" What has a name is set by \"=\": a = 5.");
  if (c == '=' && after == '~') return HX_STR(" Whether a text matches a pattern: can(regex(pattern, text)).");
  if (c == '=') return HX_STR(" \"==\" compares two values. Only in files and objects, after a name, \"=\" sets one.");
  if (c == '.' && hx_is_digit(after)) return HX_STR(" A fraction begins with a digit: 0.5.");
  return HX_STR("");
}

/* Returns a hint about what the token, and the word before it, may have meant. */
static hx_str of_token(hx_parser *p, hx_range at) {
  hx_str token = hx_slice(p, at.start, at.stop);
  if (token.len > WORD_MAX) return HX_STR("");
  if (token.len == 1 && !hx_is_alnum(token.p[0]) && token.p[0] != '_') {
    hx_str text = of_sign(p, at);
    if (text.len) return text;
  }
  hx_str note = NOTE_OF(words, token);
  if (note.len) return note;
  if (hx_is_letter(token.p[0]) || token.p[0] == '_') {
    hx_str quoted = unquoted(p, at);
    if (quoted.len) return quoted;
  }
  uint32_t end = at.start;
  while (end > 0 && (p->text[end - 1] == ' ' || p->text[end - 1] == '\t')) end--;
  if (end == at.start) return HX_STR("");
  note = NOTE_OF(prefixes, word_before(p, end));
  return note.len || !in_word(token.p[0]) ? note : of_words(p, at);
}

/* Finds the innermost open bracket. Returns false if no bracket is open in this expression. */
static bool find_open(const hx_parser *p, hx_range *open) {
  for (uint32_t i = p->nframes; i-- > 0;) {
    const hx_frame *f = &p->frames[i];
    switch (f->kind) {
      case HX_FRAME_PARENS:
      case HX_FRAME_INDEX:
      case HX_FRAME_TUPLE:
      case HX_FRAME_OBJECT:
      case HX_FRAME_FOR:
      case HX_FRAME_BLOCK: *open = hx_range_of(f->start, f->start + 1); return true;
      case HX_FRAME_CALL: *open = hx_range_of(f->stop - 1, f->stop); return true;
      case HX_FRAME_TEMPLATE:
        if (f->phase == HX_TEMPLATE_TEXT) break;
        *open = hx_range_of(f->start, f->start + 2);
        return true;
      case HX_FRAME_ATTRIBUTE:
      case HX_FRAME_ITEM:
      case HX_FRAME_SOURCE: return false;
      default: break;
    }
  }
  return false;
}

/* Returns a hint that says where the innermost bracket was opened. The hint is empty if no bracket is open, or if the bracket is near on
** the same line, unless the source ends there. */
static hx_str of_open(hx_parser *p, hx_range at) {
  hx_range open;
  if (!find_open(p, &open) || open.start >= at.start) return HX_STR("");
  uint32_t n = at.start - open.start;
  bool ends = at.start == at.stop;
  if (!ends && n < NEAR && !memchr(p->text + open.start, '\n', n)) return HX_STR("");
  hx_str place = hx_source_place_text(p->cx, p->src, open.start);
  return hx_strf(p->cx, " The \"%.*s\" before it is on %.*s.", (int)(open.stop - open.start), p->text + open.start,
                 HX_STR_ARG(place));
}

/* Returns a text that says where the innermost `${` or `%{` was opened, between the texts `before` and `after`. Returns an empty text if
** no sequence is open. */
static hx_str of_sequence(hx_parser *p, const char *before, const char *after) {
  uint32_t i = p->nframes;
  while (i > 0 && (p->frames[i - 1].kind != HX_FRAME_TEMPLATE || p->frames[i - 1].phase == HX_TEMPLATE_TEXT)) i--;
  if (!i) return HX_STR("");
  uint32_t start = p->frames[i - 1].start;
  hx_str place = hx_source_place_text(p->cx, p->src, start);
  return hx_strf(p->cx, "%s\"%.*s\" on %.*s%s", before, 2, p->text + start, HX_STR_ARG(place), after);
}

/* Returns a hint for a string or heredoc that isn't closed. A quote may have been meant to close the string around a sequence. */
static hx_str of_template(hx_parser *p) {
  const hx_frame *f = hx_frame_top(p);
  uint32_t start = f->node->start, stop;
  if (f->op == HX_TOK_END) return HX_STR("");
  hx_str place = hx_source_place_text(p->cx, p->src, start);
  if (f->op == HX_TOK_CQUOTE) {
    hx_str sequence = of_sequence(p, " Or the ", " has no closing brace.");
    return hx_strf(p->cx, " Its opening quote is on %.*s.%.*s", HX_STR_ARG(place), HX_STR_ARG(sequence));
  }
  while (p->text[start] == '<' || p->text[start] == '-') start++;
  for (stop = start; p->text[stop] != '\n' && p->text[stop] != '\r'; stop++) continue;
  hx_str marker = hx_slice(p, start, stop);
  if (marker.len > WORD_MAX) marker = HX_STR("marker");
  return hx_strf(p->cx, " This heredoc begins on %.*s, and ends with a line that holds only %.*s, and with its newline.",
                 HX_STR_ARG(place), HX_STR_ARG(marker));
}

/* Returns the place after the brace that closes the brace at `open`, if that brace is near and on the same line; otherwise 0. */
static uint32_t behind_brace(const hx_parser *p, uint32_t open) {
  uint32_t depth = 0;
  for (uint32_t i = open; i < p->scan.end && i - open <= WORD_MAX && p->text[i] != '\n'; i++) {
    if (p->text[i] == '{') depth++;
    if (p->text[i] == '}' && --depth == 0) return i + 1;
  }
  return 0;
}

/* Returns true if the byte may belong to a text that lacks its quotes, such as foo-${a}/b. */
static bool adjoins(const hx_parser *p, uint32_t at) {
  char c = p->text[at];
  return in_word(c) || c == '-' || c == '/';
}

/* Returns the end of a text that lacks its quotes. */
static uint32_t text_end(const hx_parser *p, uint32_t at) {
  uint32_t most = at + WORD_MAX;
  while (at < p->scan.end && at < most) {
    uint32_t end = p->text[at] == '$' && at + 1 < p->scan.end ? behind_brace(p, at + 1) : 0;
    if (!end && !adjoins(p, at)) break;
    at = end ? end : at + 1;
  }
  return at;
}

/* Returns true if a key ends at `stop`, so that an equals sign follows. */
static bool is_key(const hx_parser *p, uint32_t stop) {
  while (stop < p->scan.end && p->text[stop] == ' ') stop++;
  char c = stop + 1 < p->scan.end ? p->text[stop + 1] : ' ';
  return stop < p->scan.end && p->text[stop] == '=' && c != '=' && c != '>';
}

/* Says what to write instead of a `${` outside of any template. */
static hx_str of_interpolation(hx_parser *p, uint32_t dollar) {
  uint32_t end = behind_brace(p, dollar + 1), start = dollar, from = dollar + 2, to = end - 1;
  while (end && from < to && (p->text[from] == ' ' || p->text[from] == '~')) from++;
  while (end && from < to && (p->text[to - 1] == ' ' || p->text[to - 1] == '~')) to--;
  if (!end || from == to) return HX_STR("Write it without ${ }");
  hx_str inner = hx_slice(p, from, to);
  if (is_key(p, end)) return hx_strf(p->cx, "Write a key that is computed in parentheses: (%.*s)", HX_STR_ARG(inner));
  while (start > p->begin && dollar - start <= WORD_MAX && adjoins(p, start - 1)) start--;
  if (start < dollar && p->text[dollar - 1] == '.')
    return hx_strf(p->cx, "Write a key that is computed in brackets: [%.*s]", HX_STR_ARG(inner));
  hx_str text = hx_slice(p, start, text_end(p, dollar));
  hx_str quoted = text.len == end - dollar ? HX_STR("") : hx_strf(p->cx, ", or a text in quotes: \"%.*s\"", HX_STR_ARG(text));
  return hx_strf(p->cx, "Write %.*s without ${ }%.*s", HX_STR_ARG(inner), HX_STR_ARG(quoted));
}

hx_str hx_meant_by_bad(hx_parser *p, hx_range at) {
  if (p->text[at.start] == '$' && at.stop < p->scan.end && p->text[at.stop] == '{') return of_interpolation(p, at.start);
  if (p->text[at.start] == '~' && at.stop < p->scan.end && p->text[at.stop] == '=')
    return HX_STR("; \"not equal\" is written \"!=\"");
  if (p->text[at.start] == '\n' || p->text[at.start] == '\r') return of_sequence(p, ", or the ", "");
  if (p->text[at.start] != '\'') return HX_STR("");
  uint32_t stop = at.stop;
  while (stop < p->scan.end && stop - at.stop <= WORD_MAX && !strchr("'\"\\$%\r\n", p->text[stop])) stop++;
  if (stop == p->scan.end || p->text[stop] != '\'') return HX_STR("");
  return hx_strf(p->cx, ": \"%.*s\"", (int)(stop - at.stop), p->text + at.stop);
}

/* Returns a hint for a wrong directive inside another directive: the place where the outer one begins. */
static hx_str of_directive(hx_parser *p) {
  const hx_part *opener = hx_frame_top(p)->extra;
  hx_str place = hx_source_place_text(p->cx, p->src, opener->start);
  return hx_strf(p->cx, " It begins on %.*s.", HX_STR_ARG(place));
}

hx_str hx_parse_hint(hx_parser *p, hx_diag_id id, hx_range at) {
  if (id == HX_D_SYNTAX_IF_END || id == HX_D_SYNTAX_FOR_DIRECTIVE_END) return of_directive(p);
  if (id == HX_D_SYNTAX_NUMBER) return of_number(p, at);
  if (id == HX_D_SYNTAX_TEMPLATE) return of_template(p);
  if (at.start == at.stop) return of_open(p, at); /* the source has ended */
  if (id == HX_D_SYNTAX_OBJECT_ASSIGN && hx_str_eq(hx_slice(p, at.start, at.stop), HX_STR("=>")))
    return HX_STR(" \"=>\" is for \"for\" expressions: {for k, v in map : k => v}.");
  if (id == HX_D_SYNTAX_FOR_COLON && hx_str_eq(hx_slice(p, at.start, at.stop), HX_STR("if")))
    return HX_STR(" Write the condition last: [for v in list : v if v > 0].");
  if (id == HX_D_SYNTAX_BLOCK_HEAD)
    return strchr("(.[:", p->text[at.start]) ? HX_STR(" \"=\" belongs after the name of an argument.") : HX_STR("");
  if (id == HX_D_SYNTAX_ITEM) {
    bool dashes = at.stop < p->scan.end && p->text[at.start] == '-' && p->text[at.stop] == '-';
    return dashes ? HX_STR(" A comment begins with \"#\" or \"//\".") : HX_STR("");
  }
  hx_str open = of_open(p, at), text = of_token(p, at);
  if (open.len && p->text[at.start] == '=') return open; /* probably the equals sign of the body's next argument */
  if (text.len) return text;
  if (id == HX_D_SYNTAX_EXTRA) return HX_STR(" Remove it, or join the two with an operator.");
  return open;
}
