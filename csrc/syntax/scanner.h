/* scanner.h: scans bytes to tokens, one at a time, on demand. Every byte belongs to a token or is a space or tab between two tokens.
** Comments and newlines are tokens, so that a formatter can use the same stream. A // or # comment includes the newline that ends it.
** Memory: the stack of modes grows in the arena given at init; tokens are by value.
** Errors: none. Malformed input is a token of a bad kind, and the parser reports it. */
#ifndef HX_SYNTAX_SCANNER_H
#define HX_SYNTAX_SCANNER_H

#include "base/arena.h"
#include "base/vec.h"
#include "syntax/token.h"

/* The construct around the scanner's position. */
typedef enum hx_scan_kind {
  HX_SCAN_MAIN,    /* expressions and bodies: the whole source, or within ${ } and %{ } */
  HX_SCAN_QUOTED,  /* "..." */
  HX_SCAN_HEREDOC, /* <<X ... X */
  HX_SCAN_BARE     /* a source that is entirely a template */
} hx_scan_kind;

typedef struct hx_scan_mode {
  uint8_t kind;    /* hx_scan_kind */
  bool line_start; /* HEREDOC: the end marker may be here */
  uint32_t braces; /* MAIN: open braces; the next `}` beyond them ends the template sequence */
  uint32_t marker; /* HEREDOC: where the marker's name is, and its length */
  uint32_t marker_len;
} hx_scan_mode;

enum { HX_MODES_INLINE = 4 };

typedef struct hx_scanner {
  const unsigned char *text;
  uint32_t pos, end;
  uint32_t no_comment_end;    /* from here on no open comment is closed: this keeps hostile input linear */
  hx_scan_mode mode;          /* the innermost mode */
  HX_VEC(hx_scan_mode) outer; /* the modes of the enclosing constructs */
  hx_arena *arena;
  uint32_t start;                            /* the start of the last token, which ends at pos */
  bool plain;                                /* see hx_token; of the last token */
  bool lines;                                /* quotes end with their line, by a token without characters */
  bool more;                                 /* the text continues after `end` */
  hx_scan_mode first_modes[HX_MODES_INLINE]; /* the first memory of `outer`; because of it a scanner must not be moved */
} hx_scanner;

/* Begins to scan text[from, to). A byte order mark at its start is skipped. kind: MAIN or BARE. */
void hx_scan_init(hx_scanner *s, hx_arena *arena, const char *text, uint32_t from, uint32_t to, hx_scan_kind kind);
/* Scans the next token: returns its kind, and leaves its place in s. Returns END on every call after the last token. */
hx_token_kind hx_scan_step(hx_scanner *s);
/* Returns the next token. The token is composed inline: as a function's result it would be written in parts and read as a whole, which
** stalls the processor for each token (an eighth of a parse). For the same reason start and pos aren't neighbours. */
HX_INLINE hx_token hx_scan_next(hx_scanner *s) {
  hx_token_kind kind = hx_scan_step(s);
  return (hx_token){ s->start, s->pos, (uint8_t)kind, s->plain };
}

/* --- Between the files of the scanner --- */

/* For each byte: what it can begin in MAIN mode (5 bits), and where it is ordinary text. */
enum {
  HX_CLASS_BEGINS = 31,
  HX_CLASS_IN_NAME = 32,   /* may be within a name */
  HX_CLASS_IN_QUOTED = 64, /* text within quotes */
  HX_CLASS_IN_TEXT = 128,  /* text within a heredoc or bare template */
};
extern const uint8_t hx_scan_classes[256];

hx_token_kind hx_scan_quoted(hx_scanner *s);
hx_token_kind hx_scan_text(hx_scanner *s);
void hx_scan_push(hx_scanner *s, hx_scan_mode inner);
void hx_scan_pop(hx_scanner *s);
/* Returns the length in bytes of the character at p; 0 if it is cut off or malformed. Overlong encodings and surrogates are accepted here,
** as in the reference. */
uint32_t hx_scan_char(const unsigned char *p, const unsigned char *end);

#endif
