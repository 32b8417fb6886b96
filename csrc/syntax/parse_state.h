/* parse_state.h: the state of the parser's machine, shared by its files.
** The parser is a push-down machine. Its stack holds *frames*, one for each open construct. The loop in parser.c executes one step after
** the other; each step says where to continue (hx_go). There are two registers: p->value, the expression just parsed, and p->tok, the next
** token.
**
** Recovery follows the reference, because it decides which follow-up errors stay silent. The first error that skips tokens turns
** p->recovery on. It stays on to the end of an expression or template. A part has *failed* if recovery is on and errors were reported since
** the part began. Each frame records in `before` the number of errors when the part that it waits for began.
**
** In a body, each item is read as an attempt of its own. After a mistake the body continues where the item ends by its layout
** (parse_recover.c). Then recovery is over.
**
** Memory: frames live in cx->scratch, nodes in cx->arena.
** Errors: reported through hx_parse_error, which counts them. */
#ifndef HX_SYNTAX_PARSE_STATE_H
#define HX_SYNTAX_PARSE_STATE_H

#include "base/buf.h"
#include "base/cx.h"
#include "base/vec.h"
#include "syntax/parser.h"
#include "syntax/scanner.h"

typedef enum hx_frame_kind {
#define HX_FRAME(id, resume) HX_FRAME_##id,
#include "syntax/frame_list.h"
#undef HX_FRAME
  HX_FRAME_COUNT
} hx_frame_kind;

/* Where to continue. */
typedef enum hx_go {
  HX_GO_TERM,    /* read a term: a new operand begins */
  HX_GO_POSTFIX, /* p->value is a term: look for steps after it */
  HX_GO_DELIVER, /* p->value is a whole expression: resume the frame on top */
  HX_GO_PARTS,   /* continue reading the template on top */
  HX_GO_ITEMS,   /* continue reading the body on top */
  HX_GO_STOP,    /* the source is parsed, or nests too deeply */
} hx_go;

typedef struct hx_frame {
  uint8_t kind;         /* hx_frame_kind */
  uint8_t phase;        /* depends on the construct */
  uint8_t op;           /* depends on the construct: the hx_op of a BINARY, for example */
  uint8_t prec;         /* depends on the construct: the precedence of a BINARY, for example */
  bool newlines;        /* p->newlines outside, restored by hx_frame_close */
  bool flag;            /* depends on the construct */
  uint32_t mark;        /* p->mark outside, restored by hx_frame_close */
  uint32_t before;      /* errors when the awaited part began */
  uint32_t start, stop; /* the construct's opening token, as a rule */
  uint32_t at;          /* depends on the construct */
  hx_node *node;        /* what is being built */
  hx_node **tail;       /* where to add the node's next child */
  void *extra;          /* depends on the construct */
} hx_frame;

/* A part of a template before directives are matched. parse_template.c makes parts; template_tree.c makes nodes from them. */
typedef enum hx_part_kind {
  HX_PART_TEXT,
  HX_PART_VALUE, /* ${ node } */
  HX_PART_IF,    /* %{ if node } */
  HX_PART_ELSE,
  HX_PART_ENDIF,
  HX_PART_FOR, /* %{ for loop in node } */
  HX_PART_ENDFOR,
} hx_part_kind;

typedef struct hx_part {
  uint8_t kind; /* hx_part_kind */
  uint32_t start, stop;
  uint32_t last; /* TEXT: bytes of its last token, the part that a strip marker may shorten */
  hx_str text;   /* TEXT: decoded */
  hx_node *node;
  hx_loop *loop;
} hx_part;

/* The sorts of tokens that no source may contain. Each sort has its own rules of reporting. */
enum { HX_BAD_OPERATOR, HX_BAD_APOSTROPHE, HX_BAD_BACKTICK, HX_BAD_SEMICOLON, HX_BAD_BYTES, HX_BAD_SORTS };

typedef struct hx_parser {
  hx_cx *cx;
  const hx_source *src;
  const char *text;
  hx_token tok;  /* the next token; perhaps white space that hx_peek skips */
  hx_range prev; /* the last token read */
  bool started;  /* a token was read */
  bool newlines; /* newlines are tokens here */
  bool recovery;
  uint32_t errors; /* errors that the parser reported; not those of the scanner */
  uint32_t mark;   /* errors when the current operand began */
  hx_node *value;
  hx_frame *frames;
  uint32_t nframes, frames_cap;
  uint32_t depth, max_depth;
  HX_VEC(hx_part) parts; /* the parts of all open templates */
  hx_scanner scan;
  /* Bodies (parse_recover.c) */
  uint32_t begin, end;  /* the range of the source; scan.end may be earlier, at the end of an item */
  uint32_t item;        /* where the current item begins; UINT32_MAX: this isn't a body */
  uint32_t item_errors; /* errors when the item's expression began */
  hx_range reported_at; /* the place of the report that is last in the source */
  hx_diag_id reported;  /* the diagnostic of that report */
  uint32_t bad;         /* start + 1 of the last reported token that no source may contain; 0: no such token was reported */
  bool guarded;         /* an attribute is being read: the first report that needs recovery ends the attempt */
  bool lost;            /* the attempt has ended: all further tokens are END, and nothing is reported */
  bool again;           /* an expression is being read again, for its parts: nothing is reported, and no construct fails */
  uint32_t again_frames, again_depth, again_parts; /* nframes, depth and parts.n when the second reading began */
  int64_t spare;                                   /* bytes that may still be read ahead */
  hx_node **body_tail;                             /* where the next item of the body that just ended would be added */
  uint32_t no_comment_end;                         /* no_comment_end for the whole source, while scan.end is earlier */
  uint32_t owed;                                   /* how many blocks were taken as ended without their brace */
  uint32_t line_asked, line;                       /* a byte, and the start of its line */
  uint32_t end_asked, line_end;                    /* a byte, and the end of its line */
  uint32_t blamed;                                 /* the opening brace of the block that was reported as unclosed */
  uint8_t bad_tokens[HX_BAD_SORTS];                /* how many tokens of each sort there were */
} hx_parser;

/* --- Tokens (parse_tokens.c) --- */
/* Fetches the next token of any kind; reports a token that no source may contain. */
void hx_parse_advance(hx_parser *p);
hx_token hx_peek_past_blanks(hx_parser *p);
/* Returns the next token that counts here. Newlines that don't count are dropped, so code must read a token before it makes newlines
** count again. */
HX_INLINE hx_token hx_peek(hx_parser *p) {
  return HX_LIKELY(p->tok.kind > HX_TOK_LAST_BLANK) ? p->tok : hx_peek_past_blanks(p);
}
/* Returns only the kind of the next token that counts (hx_token_kind). */
HX_INLINE uint8_t hx_peek_kind(hx_parser *p) {
  return HX_LIKELY(p->tok.kind > HX_TOK_LAST_BLANK) ? p->tok.kind : hx_peek_past_blanks(p).kind;
}
HX_INLINE hx_token hx_read(hx_parser *p) {
  hx_token t = hx_peek(p);
  p->prev = hx_token_range(t);
  p->started = true;
  hx_parse_advance(p);
  return t;
}
HX_INLINE bool hx_token_is(const hx_parser *p, hx_token t, hx_str word) {
  return t.kind == HX_TOK_IDENT && t.stop - t.start == word.len && memcmp(p->text + t.start, word.p, word.len) == 0;
}
/* Returns true if t is the `$` of a `${` outside of any template. In an expression that is read again, its braces are treated as
** parentheses. */
HX_INLINE bool hx_is_interpolation(const hx_parser *p, hx_token t) {
  return t.kind == HX_TOK_INVALID && p->text[t.start] == '$' && t.stop < p->scan.end && p->text[t.stop] == '{';
}
/* Turns recovery on: the next tokens may be out of place. */
void hx_give_up(hx_parser *p);
/* Returns true if a token of this kind can begin a term. */
bool hx_begins_term(uint8_t kind);
/* For an expression that is read again, where a separator is missing: returns true if the construct continues with a term, and false if
** it ends here. Skips tokens that are neither a term nor a bracket. */
bool hx_again_goes_on(hx_parser *p);
/* For an expression that is read again: returns the token that closes a construct here. If that token is missing, makes one up. */
hx_token hx_again_close(hx_parser *p, hx_token_kind end);
/* Skips past the next `end` that doesn't end a nested pair. Returns the token where it stops (END if no such token follows). */
hx_token hx_recover(hx_parser *p, hx_token_kind end);
/* Skips past the next whole pair that begins with `start`. */
void hx_recover_over(hx_parser *p, hx_token_kind start);
/* Returns the name of the token in a message: its text if it is a short word, otherwise its kind. */
hx_str hx_found(hx_parser *p, hx_token t);
HX_INLINE hx_str hx_slice(const hx_parser *p, uint32_t start, uint32_t stop) {
  return (hx_str){ p->text + start, stop - start };
}

/* --- Errors (parse_tokens.c) --- */
/* Counts an error and reports it. `what` is the argument for the %.*s of the row's detail, if it has one. A second %.*s, at the end, is
** for a hint. */
void hx_parse_error(hx_parser *p, hx_diag_id id, hx_range at, hx_str what);
/* Reports a bad number as hx_parse_error does. Like a token that no source may contain, it is the only mistake that is reported in its
** item. */
void hx_parse_bad_number(hx_parser *p, hx_diag_id id, hx_range at, hx_str what);
/* Reports that nesting at `at` goes beyond the limit. */
void hx_parse_too_deep(hx_parser *p, hx_range at);
/* Reports as hx_parse_error does, with a context that begins at byte `from`. */
void hx_parse_error_in(hx_parser *p, hx_diag_id id, hx_range at, uint32_t from, hx_str what);
/* Reports as hx_parse_error does, with the text `more` instead of the hint. */
void hx_parse_error_with(hx_parser *p, hx_diag_id id, hx_range at, hx_str what, hx_str more);
/* Reports that token t was found where something else was expected, unless recovery is on. */
void hx_parse_unexpected(hx_parser *p, hx_diag_id id, hx_token t, uint32_t from);

/* --- Hints (parse_hints.c) --- */
/* Returns a hint for an unexpected token: what was meant, or the place of the bracket around it; perhaps empty. */
hx_str hx_parse_hint(hx_parser *p, hx_diag_id id, hx_range at);
/* Returns a hint for a token that no source may contain, without a space before it. */
hx_str hx_meant_by_bad(hx_parser *p, hx_range at);

/* --- Frames (parser.c) --- */
hx_frame *hx_frame_more(hx_parser *p);
/* Pushes a frame, valid until the next push. */
HX_INLINE hx_frame *hx_frame_push(hx_parser *p, hx_frame_kind kind) {
  hx_frame *f = HX_LIKELY(p->nframes < p->frames_cap) ? &p->frames[p->nframes++] : hx_frame_more(p);
  f->kind = (uint8_t)kind;
  f->phase = 0;
  f->flag = false;
  f->before = p->errors;
  return f;
}
HX_INLINE hx_frame *hx_frame_top(const hx_parser *p) {
  return &p->frames[p->nframes - 1];
}
/* Pushes the frame of a nested construct, opened by the token at `at`. Returns NULL, with a diagnostic, if it nests too deeply. */
hx_frame *hx_frame_open(hx_parser *p, hx_frame_kind kind, hx_range at);
/* Pops the frame. Its fields may be read until the next push. */
HX_INLINE hx_frame *hx_frame_close(hx_parser *p) {
  hx_frame *f = &p->frames[--p->nframes];
  p->newlines = f->newlines;
  p->mark = f->mark;
  p->depth--;
  return f;
}
/* Returns true if the part that f waits for reported errors that needed recovery. */
HX_INLINE bool hx_part_failed(const hx_parser *p, const hx_frame *f) {
  return HX_UNLIKELY(p->recovery) && p->errors != f->before;
}
/* Begins an expression inside the top frame. */
HX_INLINE hx_go hx_begin_expression(hx_parser *p) {
  hx_frame_top(p)->before = p->mark = p->errors;
  return HX_GO_TERM;
}

/* --- Nodes --- */
HX_INLINE hx_node *hx_node_new(hx_parser *p, hx_ast_kind kind, uint32_t start, uint32_t stop) {
  hx_node *n = HX_NEW(p->cx, hx_node);
  n->kind = (uint8_t)kind;
  n->op = 0;
  n->flags = 0;
  n->start = start;
  n->stop = stop;
  n->count = 0;
  n->next = NULL;
  n->u.kids.first = NULL;
  return n;
}
/* Makes a BROKEN node up to `stop` with a readable part, which may be NULL. */
HX_INLINE hx_node *hx_node_broken(hx_parser *p, hx_node *part, uint32_t start, uint32_t stop) {
  hx_node *n = hx_node_new(p, HX_AST_BROKEN, start, stop);
  n->u.kids.first = part;
  for (; part; part = part->next) n->count++;
  return n;
}
/* Appends a child to the frame's node. */
HX_INLINE void hx_frame_add(hx_frame *f, hx_node *kid) {
  *f->tail = kid;
  f->tail = &kid->next;
  f->node->count++;
}
/* Sets p->value and continues with the steps after it. */
HX_INLINE hx_go hx_give_term(hx_parser *p, hx_node *n) {
  p->value = n;
  return HX_GO_POSTFIX;
}
/* Makes a TRAVERSAL or RELATIVE without steps. Its array of steps has room for 2, 4, 8, …: the size follows from the count. */
HX_INLINE hx_node *hx_node_traversal(hx_parser *p, hx_ast_kind kind, uint32_t start, hx_node *source) {
  hx_node *n = hx_node_new(p, kind, start, start);
  n->u.trav.steps = hx_arena_alloc(&p->cx->arena, 2 * sizeof(hx_step));
  n->u.trav.source = source;
  return n;
}
void hx_node_more_steps(hx_parser *p, hx_node *n);
/* Adds a step at the end, which the caller fills in. */
HX_INLINE hx_step *hx_node_add_step(hx_parser *p, hx_node *n) {
  uint32_t count = n->count;
  if (count >= 2 && (count & (count - 1)) == 0) hx_node_more_steps(p, n);
  n->count = count + 1;
  return &n->u.trav.steps[count];
}

/* --- Constructs, each in a file of its own --- */
/* Reads `k, v in` or `v in` of a loop. Returns the mistake at the next token, or HX_D_COUNT. */
hx_diag_id hx_parse_loop_names(hx_parser *p, hx_loop *loop);
hx_go hx_parse_term(hx_parser *p);
hx_go hx_parse_postfix(hx_parser *p);
hx_go hx_parse_operand(hx_parser *p);
hx_go hx_parse_call(hx_parser *p, hx_token name);
hx_go hx_parse_tuple(hx_parser *p);
hx_go hx_parse_object(hx_parser *p);
hx_go hx_parse_for(hx_parser *p);
hx_go hx_parse_quoted(hx_parser *p);
/* Opens the frame of a template that ends with `end`. Its node begins with `opener`. */
hx_go hx_parse_template_open(hx_parser *p, hx_token_kind end, hx_range opener, uint16_t flags, bool flush);
hx_go hx_parse_parts(hx_parser *p);
/* TEMPLATE: the phase outside of `${ }` and `%{ }`. */
enum { HX_TEMPLATE_TEXT };
/* BODY: the phase of a block that began on one line but continues over others. That was reported, and its brace may be anywhere. */
enum { HX_BODY_LOOSE = 2 };
/* Opens the frame of a body that ends with `end`. */
hx_frame *hx_parse_body_open(hx_parser *p, hx_token_kind end);
hx_go hx_parse_items(hx_parser *p);
/* Reads a block's labels, from after its type up to its body. */
hx_go hx_parse_block(hx_parser *p, hx_token type);
/* Continues after the body of a block of one line, whether it could be parsed or not. */
hx_go hx_end_line_block(hx_parser *p);
/* Continues after the body of any block. */
hx_go hx_end_block(hx_parser *p);

/* --- Recovery in bodies (parse_recover.c) --- */
/* If p->spare is used up, an attribute is read only up to its end by layout: hx_limit_attribute sets that end before, hx_leave_limit
** removes it after. */
void hx_limit_attribute(hx_parser *p, const hx_frame *attribute);
void hx_leave_limit(hx_parser *p, bool one_line);
HX_INLINE void hx_guard_attribute(hx_parser *p, const hx_frame *attribute) {
  p->guarded = true;
  p->item_errors = p->errors;
  if (HX_UNLIKELY(p->spare <= 0)) hx_limit_attribute(p, attribute);
}
HX_INLINE void hx_unguard_attribute(hx_parser *p, bool one_line) {
  p->guarded = false;
  if (HX_UNLIKELY(p->scan.end != p->end)) hx_leave_limit(p, one_line);
}
void hx_lose(hx_parser *p);
/* Reads the expression of the ATTRIBUTE on top once more, silently; hx_end_attribute then continues after it. */
hx_go hx_recover_attribute(hx_parser *p);
void hx_end_attribute(hx_parser *p, hx_node *attribute, bool one_line);
/* Gives up a nested part beyond the depth limit, in an expression that is read again. */
hx_go hx_end_again(hx_parser *p);
/* Returns true if the brace at `at`, which follows an item on its line, closes the block around the item. above: the number of frames on
** top of that block's frame. */
bool hx_ends_block(hx_parser *p, uint32_t above, uint32_t at);
/* Takes the item that begins at `start`, which was reported and whose value is an expression at `value`. */
hx_go hx_recover_value(hx_parser *p, uint32_t start, uint32_t value);
/* Reports that t doesn't begin an item, and takes the text that belongs to it. */
hx_go hx_recover_item(hx_parser *p, hx_diag_id id, hx_token t);
/* Returns true if the lone name at `start` is the head of a block. */
bool hx_is_head(hx_parser *p, uint32_t start);
/* Continues after a head that begins at `start` and lacks its brace. Returns true if a body follows nevertheless. */
bool hx_recover_head(hx_parser *p, uint32_t start, hx_range *brace);
/* Continues after a block without brace and body. */
void hx_leave_head(hx_parser *p, uint32_t start);
/* Continues at `at`, on the line where a block ended. */
void hx_recover_behind_block(hx_parser *p, uint32_t at);
bool hx_recover_line_block(hx_parser *p, const hx_node *block);
bool hx_end_by_margin(hx_parser *p, hx_node *block, hx_node **tail, hx_frame *outer);

/* The functions that resume frames. */
#define HX_FRAME(id, resume) hx_go resume(hx_parser *p);
#include "syntax/frame_list.h"
#undef HX_FRAME

/* --- Text (string_lit.c, template_text.c, number_lit.c) --- */
/* Returns the text of a QUOTED_LIT or STRING_LIT token, not normalised; borrowed from the source if nothing is escaped. */
hx_str hx_decode_text(hx_parser *p, hx_token t);
/* Returns true if the reference accepts these characters as a number. */
bool hx_number_is_valid(const char *s, uint32_t len);
/* Removes the indentation that all lines of a flush heredoc share from its parts. */
void hx_flush_parts(hx_part *parts, uint32_t n);
/* Joins neighbouring texts. Returns the number of parts left. */
uint32_t hx_meld_parts(hx_parser *p, hx_part *parts, uint32_t n);
/* Matches directives and makes nodes from the parts, as children of `template`. Returns false if they nest too deeply. */
bool hx_template_tree(hx_parser *p, const hx_part *parts, uint32_t n, hx_range end, hx_node *template);

/* --- Names of a body (body_names.c) --- */
/* Notes the attribute's name. Returns the attribute of the top body that already has this name, or NULL. All calls for a body together
** take linear time. */
const hx_node *hx_body_name_taken(hx_parser *p, hx_frame *body, const hx_node *attribute);

#endif
