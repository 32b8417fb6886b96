/* scanner.c: scans tokens of expressions and bodies. Within quotes and templates, hx_scan_step calls scan_template.c. */
#include "syntax/scanner.h"

#include "base/ascii.h"
#include "text/unicode.h"

/* The classes of bytes: which tokens a byte can begin in MAIN mode. */
enum {
  C_OTHER,
  C_SPACE,
  C_NEWLINE,
  C_CR,
  C_NAME,
  C_DIGIT,
  C_SINGLE,
  C_DOT,
  C_SLASH,
  C_HASH,
  C_EQ,
  C_BANG,
  C_LT,
  C_GT,
  C_AMP,
  C_PIPE,
  C_TILDE,
  C_COLON,
  C_QUOTE,
  C_OBRACE,
  C_CBRACE,
  C_HIGH,
};

#define BETWEEN(c, a, b) ((c) >= (a) && (c) <= (b))
#define IS_LETTER(c) (BETWEEN(c, 'a', 'z') || BETWEEN(c, 'A', 'Z') || (c) == '_')
#define IS_SINGLE(c)                                                                                                             \
  ((c) == '[' || (c) == ']' || (c) == '(' || (c) == ')' || (c) == ',' || (c) == '*' || (c) == '%' || (c) == '+' || (c) == '-' || \
   (c) == '?' || (c) == '^' || (c) == ';' || (c) == '`' || (c) == '\'')
#define CLASS(c)                           \
  ((c) >= 128                  ? C_HIGH    \
   : IS_LETTER(c)              ? C_NAME    \
   : BETWEEN(c, '0', '9')      ? C_DIGIT   \
   : IS_SINGLE(c)              ? C_SINGLE  \
   : (c) == ' ' || (c) == '\t' ? C_SPACE   \
   : (c) == '\n'               ? C_NEWLINE \
   : (c) == '\r'               ? C_CR      \
   : (c) == '.'                ? C_DOT     \
   : (c) == '/'                ? C_SLASH   \
   : (c) == '#'                ? C_HASH    \
   : (c) == '='                ? C_EQ      \
   : (c) == '!'                ? C_BANG    \
   : (c) == '<'                ? C_LT      \
   : (c) == '>'                ? C_GT      \
   : (c) == '&'                ? C_AMP     \
   : (c) == '|'                ? C_PIPE    \
   : (c) == '~'                ? C_TILDE   \
   : (c) == ':'                ? C_COLON   \
   : (c) == '"'                ? C_QUOTE   \
   : (c) == '{'                ? C_OBRACE  \
   : (c) == '}'                ? C_CBRACE  \
                               : C_OTHER)
#define IS_TEXT(c) ((c) < 128 && (c) != '\n' && (c) != '\r' && (c) != '$' && (c) != '%')
#define ENTRY(c)                                                                                     \
  (uint8_t)(CLASS(c) | (IS_LETTER(c) || BETWEEN(c, '0', '9') || (c) == '-' ? HX_CLASS_IN_NAME : 0) | \
            (IS_TEXT(c) ? HX_CLASS_IN_TEXT : 0) | (IS_TEXT(c) && (c) != '"' && (c) != '\\' ? HX_CLASS_IN_QUOTED : 0))

const uint8_t hx_scan_classes[256] = { HX_BYTE_ROWS(ENTRY) };

/* The bytes that are a token by themselves, unless they begin a longer one. */
static const uint8_t singles[128] = {
  ['['] = HX_TOK_OBRACK,  [']'] = HX_TOK_CBRACK,    ['('] = HX_TOK_OPAREN,   [')'] = HX_TOK_CPAREN,      [','] = HX_TOK_COMMA,
  ['*'] = HX_TOK_STAR,    ['%'] = HX_TOK_PERCENT,   ['+'] = HX_TOK_PLUS,     ['-'] = HX_TOK_MINUS,       ['?'] = HX_TOK_QUESTION,
  ['^'] = HX_TOK_BIT_XOR, [';'] = HX_TOK_SEMICOLON, ['`'] = HX_TOK_BACKTICK, ['\''] = HX_TOK_APOSTROPHE, ['.'] = HX_TOK_DOT,
  [':'] = HX_TOK_COLON,   ['='] = HX_TOK_ASSIGN,    ['!'] = HX_TOK_BANG,     ['>'] = HX_TOK_GT,          ['<'] = HX_TOK_LT,
  ['&'] = HX_TOK_BIT_AND, ['|'] = HX_TOK_BIT_OR,    ['~'] = HX_TOK_BIT_NOT,
};

static const char *const names[HX_TOK_COUNT] = {
#define HX_TOK(id, name) [HX_TOK_##id] = name,
#include "syntax/token_list.h"
#undef HX_TOK
};

const char *hx_token_name(hx_token_kind k) {
  return names[k];
}

void hx_scan_init(hx_scanner *s, hx_arena *arena, const char *text, uint32_t from, uint32_t to, hx_scan_kind kind) {
  if (to - from >= 3 && memcmp(text + from, "\xEF\xBB\xBF", 3) == 0) from += 3;
  s->text = (const unsigned char *)text;
  s->start = s->pos = from;
  s->end = to;
  s->plain = s->lines = s->more = false;
  s->no_comment_end = UINT32_MAX;
  s->mode = (hx_scan_mode){ .kind = (uint8_t)kind };
  s->outer.p = s->first_modes;
  s->outer.n = 0;
  s->outer.cap = HX_MODES_INLINE;
  s->arena = arena;
}

void hx_scan_push(hx_scanner *s, hx_scan_mode inner) {
  *HX_VEC_PUSH(s->arena, &s->outer) = s->mode;
  s->mode = inner;
}

void hx_scan_pop(hx_scanner *s) {
  HX_ASSERT(s->outer.n > 0);
  s->mode = s->outer.p[--s->outer.n];
}

uint32_t hx_scan_char(const unsigned char *p, const unsigned char *end) {
  uint32_t n = *p < 0x80 ? 1 : *p < 0xC0 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF8 ? 4 : 0;
  if (n > (size_t)(end - p)) return 0;
  for (uint32_t i = 1; i < n; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  return n;
}

/* Returns the end of a name, whose first character is just before p. */
static const unsigned char *skip_name(const unsigned char *p, const unsigned char *end) {
  for (;;) {
    while (p < end && hx_scan_classes[*p] & HX_CLASS_IN_NAME) p++;
    if (p == end || *p < 0x80) return p;
    int32_t cp;
    uint32_t n = hx_utf8_read((const char *)p, (const char *)end, &cp);
    if (cp < 0 || !hx_is_id_continue(cp)) return p;
    p += n;
  }
}

/* Returns the end of the name at p, or p itself if no name begins there. */
static const unsigned char *skip_whole_name(const unsigned char *p, const unsigned char *end) {
  if (p == end) return p;
  if ((hx_scan_classes[*p] & HX_CLASS_BEGINS) == C_NAME) return skip_name(p + 1, end);
  if (*p < 0x80) return p;
  int32_t cp;
  uint32_t n = hx_utf8_read((const char *)p, (const char *)end, &cp);
  return cp >= 0 && hx_is_id_start(cp) ? skip_name(p + n, end) : p;
}

/* Returns the end of a number, whose first digit is just before p. A number contains digits, dots and exponents in any order, and
** doesn't end with a dot: 1.2.3 is one (bad) number, 1...x is 1 and an ellipsis. */
static const unsigned char *skip_number(const unsigned char *p, const unsigned char *end) {
  const unsigned char *last = p;
  while (p < end) {
    if (BETWEEN(*p, '0', '9')) last = ++p;
    else if (*p == '.') p++;
    else if (*p == 'e' || *p == 'E') {
      const unsigned char *q = p + 1;
      if (q < end && (*q == '+' || *q == '-')) q++;
      if (q == end || !BETWEEN(*q, '0', '9')) break;
      last = p = q + 1;
    } else break;
  }
  return last;
}

static const unsigned char *skip_line_comment(const unsigned char *p, const unsigned char *end) {
  const unsigned char *nl = memchr(p, '\n', (size_t)(end - p));
  return nl ? nl + 1 : end;
}

/* Returns the end of the block comment at p. Returns NULL if it isn't closed; its slash and star are then operators. */
static const unsigned char *skip_block_comment(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  uint32_t at = (uint32_t)(p - s->text);
  if (at >= s->no_comment_end) return NULL;
  for (p += 2; p < end; p++) {
    p = memchr(p, '*', (size_t)(end - p));
    if (!p) break;
    if (p + 1 < end && p[1] == '/') return p + 2;
  }
  s->no_comment_end = at;
  return NULL;
}

/* Returns the end of `<<NAME` or `<<-NAME` if only a newline follows. Otherwise returns NULL, and each `<` is an operator. */
static const unsigned char *skip_heredoc_intro(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  p += 2;
  if (p < end && *p == '-') p++;
  const unsigned char *name = p;
  p = skip_whole_name(p, end);
  if (p == name) return NULL;
  const unsigned char *name_end = p;
  if (p < end && *p == '\r') p++;
  if (p == end || *p != '\n') return NULL;
  hx_scan_push(s, (hx_scan_mode){ .kind = HX_SCAN_HEREDOC,
                                  .line_start = true,
                                  .marker = (uint32_t)(name - s->text),
                                  .marker_len = (uint32_t)(name_end - name) });
  return p + 1;
}

/* Scans a closing brace, with or without `~`. It ends the template sequence if no brace is open in the sequence. */
static hx_token_kind close_brace(hx_scanner *s, bool trim) {
  if (s->mode.braces == 0 && s->outer.n > 0) {
    hx_scan_pop(s);
    return HX_TOK_SEQ_END;
  }
  /* Outside of any sequence, a superfluous brace is ignored. */
  if (s->mode.braces > 0) s->mode.braces--;
  return trim ? HX_TOK_SEQ_END : HX_TOK_CBRACE;
}

/* Scans a character beyond ASCII that begins at *p - 1: it begins a name, or is invalid. */
static hx_token_kind scan_high(const unsigned char **p, const unsigned char *end) {
  const unsigned char *start = *p - 1, *q = skip_whole_name(start, end);
  if (q > start) {
    *p = q;
    return HX_TOK_IDENT;
  }
  uint32_t n = hx_scan_char(start, end);
  if (n > 1) *p = start + n;
  return n ? HX_TOK_INVALID : HX_TOK_BAD_UTF8;
}

/* Pairs of characters that are one token. */
static const struct sign {
  unsigned char first, second;
  uint8_t token;
} signs[] = {
  { ':', ':', HX_TOK_DOUBLE_COLON }, { '=', '=', HX_TOK_EQ }, { '=', '>', HX_TOK_FAT_ARROW }, { '!', '=', HX_TOK_NE },
  { '>', '=', HX_TOK_GE },           { '<', '=', HX_TOK_LE }, { '&', '&', HX_TOK_AND },       { '|', '|', HX_TOK_OR },
};

/* Scans punctuation or an operator, whose first byte is c; *p is after this byte. */
static hx_token_kind scan_sign(hx_scanner *s, unsigned char c, const unsigned char **p, const unsigned char *end) {
  unsigned char d = *p < end ? **p : 0;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (signs[i].first != c || signs[i].second != d) continue;
    ++*p;
    return (hx_token_kind)signs[i].token;
  }
  if (c == '.' && d == '.' && *p + 1 < end && (*p)[1] == '.') {
    *p += 2;
    return HX_TOK_ELLIPSIS;
  }
  if (c == '~' && d == '}') {
    ++*p;
    return close_brace(s, true);
  }
  const unsigned char *heredoc = c == '<' && d == '<' ? skip_heredoc_intro(s, *p - 1, end) : NULL;
  if (!heredoc) return (hx_token_kind)singles[c];
  *p = heredoc;
  return HX_TOK_OHEREDOC;
}

static hx_token_kind scan_slash(hx_scanner *s, const unsigned char **p, const unsigned char *end) {
  if (*p < end && **p == '/') {
    *p = skip_line_comment(*p, end);
    return HX_TOK_COMMENT;
  }
  if (*p < end && **p == '*') {
    const unsigned char *q = skip_block_comment(s, *p - 1, end);
    if (q) {
      *p = q;
      return HX_TOK_COMMENT;
    }
  }
  return HX_TOK_SLASH;
}

/* Scans a token of the less common kinds, which begins with byte c; *p is after c. */
static hx_token_kind scan_other(hx_scanner *s, unsigned char c, const unsigned char **p, const unsigned char *end) {
  switch (hx_scan_classes[c] & HX_CLASS_BEGINS) {
    case C_NAME: *p = skip_name(*p, end); return HX_TOK_IDENT;
    case C_DIGIT: *p = skip_number(*p, end); return HX_TOK_NUMBER;
    case C_QUOTE: hx_scan_push(s, (hx_scan_mode){ .kind = HX_SCAN_QUOTED }); return HX_TOK_OQUOTE;
    case C_OBRACE: s->mode.braces++; return HX_TOK_OBRACE;
    case C_CBRACE: return close_brace(s, false);
    case C_NEWLINE: return HX_TOK_NEWLINE;
    case C_CR:
      if (*p == end || **p != '\n') return HX_TOK_INVALID;
      ++*p;
      return HX_TOK_NEWLINE;
    case C_HASH: *p = skip_line_comment(*p, end); return HX_TOK_COMMENT;
    case C_SLASH: return scan_slash(s, p, end);
    case C_HIGH: return scan_high(p, end);
    case C_OTHER: return HX_TOK_INVALID;
    default: return scan_sign(s, c, p, end);
  }
}

HX_INLINE hx_token_kind token_to(hx_scanner *s, hx_token_kind kind, const unsigned char *stop) {
  s->pos = (uint32_t)(stop - s->text);
  return kind;
}

static hx_token_kind scan_rest(hx_scanner *s, const unsigned char *p, const unsigned char *end) {
  unsigned char c = *p++;
  hx_token_kind kind = scan_other(s, c, &p, end);
  return token_to(s, kind, p);
}

static hx_token_kind scan_within_template(hx_scanner *s) {
  s->start = s->pos;
  if (HX_UNLIKELY(s->pos >= s->end)) return HX_TOK_END;
  return s->mode.kind == HX_SCAN_QUOTED ? hx_scan_quoted(s) : hx_scan_text(s);
}

/* Scans the most common tokens here, and leaves all others to tail calls, so that this function needs no stack frame. */
hx_token_kind hx_scan_step(hx_scanner *s) {
  s->plain = false;
  if (s->mode.kind != HX_SCAN_MAIN) return scan_within_template(s);
  const unsigned char *p = s->text + s->pos, *end = s->text + s->end;
  int begins = C_SPACE;
  while (p < end && (begins = hx_scan_classes[*p] & HX_CLASS_BEGINS) == C_SPACE) p++;
  s->start = (uint32_t)(p - s->text);
  if (p == end) return token_to(s, HX_TOK_END, p);
  const unsigned char *q = p + 1;
  switch (begins) {
    case C_NAME:
      while (q < end && hx_scan_classes[*q] & HX_CLASS_IN_NAME) q++;
      return q == end || *q < 0x80 ? token_to(s, HX_TOK_IDENT, q) : scan_rest(s, p, end);
    case C_DIGIT:
      while (q < end && BETWEEN(*q, '0', '9')) q++;
      s->plain = q == end || (*q != '.' && *q != 'e' && *q != 'E');
      return s->plain ? token_to(s, HX_TOK_NUMBER, q) : scan_rest(s, p, end);
    case C_DOT: return q == end || *q != '.' ? token_to(s, HX_TOK_DOT, q) : scan_rest(s, p, end);
    case C_SINGLE: return token_to(s, (hx_token_kind)singles[*p], q);
    default: return scan_rest(s, p, end);
  }
}
