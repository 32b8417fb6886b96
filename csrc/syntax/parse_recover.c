/* parse_recover.c: continues a body after a mistake. The first mistake of a source is reported as the reference reports it, by the
** reference's rules. Then the parser leaves the item, and finds the item's end by its layout. The margin of a line is the number of spaces
** and tabs before its first word. An item extends over lines with a larger margin than its own, and over closing brackets at its own
** margin. It ends before a line at its margin that begins another item, or that closes the block around it. So an unclosed bracket or quote
** affects no other item. The readable part of an expression is then read again, silently, up to that end (p->again). Incomplete constructs
** end there, or continue with the next token.
** Reading ahead is charged to p->spare. When that is used up, expressions are read only up to the end that the layout gives, so hostile
** sources take linear time. */
#include "syntax/parse_state.h"

#include "text/unicode.h"

/* --- Lines --- */

/* Returns the end of the line that contains the byte at `at`, without its newline. The last result is kept, so that a long line isn't
** searched again and again. */
static uint32_t line_end(hx_parser *p, uint32_t at) {
  if (at >= p->end_asked && at <= p->line_end) return p->line_end;
  const char *nl = memchr(p->text + at, '\n', p->end - at);
  uint32_t end = nl ? (uint32_t)(nl - p->text) : p->end;
  p->end_asked = at;
  return p->line_end = end > at && nl && p->text[end - 1] == '\r' ? end - 1 : end;
}

/* Returns where the line after one that ends at `end` begins, or p->end if no line follows. */
static uint32_t next_line(const hx_parser *p, uint32_t end) {
  while (end < p->end && p->text[end] != '\n') end++;
  return end < p->end ? end + 1 : end;
}

static uint32_t skip_margin(const hx_parser *p, uint32_t at) {
  while (at < p->end && (p->text[at] == ' ' || p->text[at] == '\t')) at++;
  return at;
}

/* Returns the start of the line that contains the byte at `at`. The last result is kept, and shortens the search for later places. */
static uint32_t line_start(hx_parser *p, uint32_t at) {
  uint32_t start = at, known = at >= p->line_asked ? p->line_asked : p->begin;
  while (start > known && p->text[start - 1] != '\n') start--;
  if (start == known && known == p->line_asked && known > p->begin && p->text[known - 1] != '\n') start = p->line;
  p->line_asked = at;
  return p->line = start;
}

/* Returns the number of spaces and tabs before the first word of the line that contains the byte at `at`. */
static uint32_t margin_of(hx_parser *p, uint32_t at) {
  uint32_t start = line_start(p, at);
  return skip_margin(p, start) - start;
}

/* Returns true if a line ends at `at`. A carriage return alone doesn't end a line. */
static bool is_line_end(const hx_parser *p, uint32_t at) {
  if (at < p->end && p->text[at] == '\r') at++;
  return at == p->end || p->text[at] == '\n';
}

/* Returns true if the line from `at` on begins as only items do: name =, name {, name "label". alone: a single name counts, too. */
static bool begins_like_item(hx_parser *p, uint32_t at, bool alone) {
  hx_scanner s;
  hx_scan_init(&s, &p->cx->scratch, p->text, at, line_end(p, at), HX_SCAN_MAIN);
  hx_token t = hx_scan_next(&s);
  if (t.kind != HX_TOK_IDENT || hx_token_is(p, t, HX_STR("for"))) return false;
  t = hx_scan_next(&s);
  if (t.kind == HX_TOK_ASSIGN || (alone && t.kind == HX_TOK_END)) return true;
  while (t.kind == HX_TOK_IDENT) t = hx_scan_next(&s);
  return t.kind == HX_TOK_OBRACE || t.kind == HX_TOK_OQUOTE;
}

static bool begins_item(hx_parser *p, uint32_t at) {
  return begins_like_item(p, at, false);
}

/* --- Parts that hide lines: heredocs and comments of several lines --- */

/* Returns the name after `<<` at the end of the line [from, to), or an empty range. */
static hx_range heredoc_marker(const hx_parser *p, uint32_t from, uint32_t to) {
  uint32_t at = to;
  while (at > from && p->text[at - 1] != '<' && p->text[at - 1] != ' ') at--;
  if (at < from + 2 || p->text[at - 1] != '<' || p->text[at - 2] != '<') return hx_range_of(to, to);
  if (at < to && p->text[at] == '-') at++;
  return hx_is_identifier(hx_str_of(p->text + at, to - at)) ? hx_range_of(at, to) : hx_range_of(to, to);
}

/* Returns the end of the heredoc's last line, or 0 if the heredoc isn't closed or p->spare is used up. */
static uint32_t heredoc_end(hx_parser *p, hx_range marker, uint32_t from) {
  uint32_t len = marker.stop - marker.start;
  for (uint32_t line = from; line < p->end && p->spare > 0;) {
    uint32_t at = skip_margin(p, line), end = line_end(p, line);
    if (end - at == len && memcmp(p->text + at, p->text + marker.start, len) == 0) return end;
    p->spare -= (int64_t)(end - line) + 1;
    line = next_line(p, end);
  }
  return 0;
}

/* Returns the end of the comment at `at`. */
static uint32_t comment_end(hx_parser *p, uint32_t at) {
  for (uint32_t i = at + 2; i + 1 < p->end && p->spare > 0; i++, p->spare--)
    if (p->text[i] == '*' && p->text[i + 1] == '/') return line_end(p, i);
  return line_end(p, at);
}

/* Returns the end of a line that belongs to an item, or of the heredoc that the line opens. */
static uint32_t whole_line(hx_parser *p, uint32_t from) {
  uint32_t end = line_end(p, from);
  hx_range marker = heredoc_marker(p, from, end);
  uint32_t last = marker.start < marker.stop ? heredoc_end(p, marker, next_line(p, end)) : 0;
  return last ? last : end;
}

/* --- Extents --- */

/* Returns true if a brace with this margin may close the block around the item, whose margin is m. The item's own frames are those from
** i on. */
static bool closes_block(hx_parser *p, uint32_t i, uint32_t margin, uint32_t m) {
  while (i > 0 && p->frames[i - 1].kind != HX_FRAME_BLOCK) i--;
  if (!i) return false;
  return margin < m || margin_of(p, p->frames[i - 1].node->start) >= m;
}

/* Returns true if the line is a comment, or is empty and its margin is at most m, so that it belongs to an item only if more of the item
** follows. If a comment of several lines begins in it, sets *end to the end of the comment. */
static bool is_neutral(hx_parser *p, uint32_t at, uint32_t margin, uint32_t m, uint32_t *end) {
  const char *s = p->text + at;
  bool two = p->end - at > 1;
  if (is_line_end(p, at)) return margin <= m;
  if (*s == '#' || (two && memcmp(s, "//", 2) == 0)) return true;
  if (!two || memcmp(s, "/*", 2) != 0) return false;
  *end = comment_end(p, at);
  return true;
}

/* Returns true if the line, whose first word is at `at`, ends the item because it belongs to something else. Its margin is at most that
** of the item. */
static bool ends_item(hx_parser *p, uint32_t at, uint32_t margin, uint32_t m, bool word) {
  return p->text[at] == '}' ? closes_block(p, p->nframes, margin, m) : begins_like_item(p, at, word);
}

/* Returns where the item with margin m that begins at `start` ends by its layout. word: the text begins with a name but isn't an item,
** so a line with a single name ends it as well. */
static uint32_t extent_by(hx_parser *p, uint32_t start, uint32_t m, bool word) {
  uint32_t stop = whole_line(p, start), end = stop;
  for (;;) {
    uint32_t line = next_line(p, end);
    if (line >= p->end) return stop;
    uint32_t at = skip_margin(p, line), margin = at - line;
    end = line_end(p, line);
    if (is_neutral(p, at, margin, m, &end)) {
      p->spare -= (int64_t)(end - line) + 1; /* these lines may belong to no item, and be read again */
      if (p->spare <= 0) return stop;
      continue;
    }
    if (margin <= m && at < p->end && ends_item(p, at, margin, m, word)) return stop;
    stop = end = whole_line(p, line);
  }
}

static uint32_t extent(hx_parser *p, uint32_t start) {
  return extent_by(p, start, margin_of(p, start), false);
}

/* Returns the margin of an item, or of other text, in the body. It is at least the margin of the body's first item, so that text further
** left doesn't contain the items after it. */
static uint32_t margin_in(hx_parser *p, const hx_frame *body, uint32_t start) {
  const hx_node *first = body->node->u.kids.first;
  uint32_t m = margin_of(p, start), items = 0;
  if (first && p->spare > 0) {
    items = margin_of(p, first->start);
    p->spare -= (int64_t)(first->start - p->line) + 1;
  }
  return items > m ? items : m;
}

static uint32_t text_extent(hx_parser *p, uint32_t start, bool word) {
  return extent_by(p, start, margin_in(p, hx_frame_top(p), start), word);
}

/* Returns the place of the first word in the next line that isn't empty, or p->end if all are empty or p->spare is used up. */
static uint32_t next_word(hx_parser *p, uint32_t at) {
  uint32_t line = next_line(p, line_end(p, at));
  while (line < p->end && p->spare > 0) {
    uint32_t word = skip_margin(p, line);
    p->spare -= (int64_t)(word - line) + 1;
    if (!is_line_end(p, word)) return word;
    line = next_line(p, word);
  }
  return p->end;
}

/* Returns true if the block that begins at `start` continues with the line whose first word is at `word`: with an item or comment
** further right, an opening brace, or the block's own closing brace. own: the number of the block's frames. */
static bool goes_on_with(hx_parser *p, uint32_t start, uint32_t own, uint32_t word) {
  if (word == p->end) return false;
  uint32_t m = margin_in(p, hx_frame_top(p) - own, start), margin = margin_of(p, word);
  if (p->text[word] == '{') return margin >= m;
  if (p->text[word] == '}') return margin == m && !closes_block(p, p->nframes - own, margin, m);
  return margin > m && (p->text[word] == '#' || p->text[word] == '/' || begins_item(p, word));
}

/* --- Moving --- */

/* Sets the end of the source for the scanner. no_comment_end is kept for the whole source, because a comment that is open at the end of
** an item may be closed after it. */
static void limit(hx_parser *p, uint32_t end) {
  if (p->scan.end == p->end) p->no_comment_end = p->scan.no_comment_end;
  p->scan.end = end;
  p->scan.more = end < p->end;
  if (end == p->end) p->scan.no_comment_end = p->no_comment_end;
}

/* Continues to read at `at`, outside of any quote, up to `end`. */
static void move(hx_parser *p, uint32_t at, uint32_t end) {
  limit(p, end);
  p->scan.pos = at;
  p->scan.mode = (hx_scan_mode){ .kind = HX_SCAN_MAIN };
  p->scan.outer.n = 0;
  hx_parse_advance(p);
}

/* Continues after an item that ends at `stop`, and skips its newline. */
static void go_behind(hx_parser *p, uint32_t stop) {
  p->recovery = p->guarded = p->lost = p->again = p->scan.lines = false;
  p->newlines = true;
  p->prev = hx_range_of(stop, stop);
  move(p, stop, p->end);
  if (hx_peek_kind(p) == HX_TOK_NEWLINE) hx_read(p);
}

/* Continues after a broken item. If the source ends there, open blocks around the item are not reported. */
static void go_behind_broken(hx_parser *p, uint32_t stop) {
  go_behind(p, stop);
  while (p->tok.kind <= HX_TOK_LAST_BLANK) hx_parse_advance(p);
  p->recovery = p->tok.kind == HX_TOK_END;
}

/* Reports bytes that no source may contain: the reference reports these before everything else. */
static void tell_bad_tokens(hx_parser *p, uint32_t stop) {
  if (p->cx->diags.errors) return;
  limit(p, stop);
  while (p->tok.kind != HX_TOK_END) hx_parse_advance(p);
}

/* --- Attributes --- */

void hx_give_up(hx_parser *p) {
  if (p->again) return;
  p->recovery = true;
  if (p->guarded && (p->errors != p->item_errors || p->bad > p->item)) hx_lose(p);
}

/* Ends the attempt: all open constructs see the end of the source. */
void hx_lose(hx_parser *p) {
  p->lost = true;
  p->spare -= (int64_t)(p->scan.pos - p->item);
  p->scan.pos = p->scan.end;
  p->tok = (hx_token){ .start = p->scan.end, .stop = p->scan.end, .kind = HX_TOK_END };
}

/* Returns the end of an attribute in a block of one line: the brace that ends the line, or the end of the line. */
static uint32_t short_extent(hx_parser *p, uint32_t start) {
  uint32_t end = line_end(p, start), at = end;
  while (at > start && (p->text[at - 1] == ' ' || p->text[at - 1] == '\t')) at--;
  return at > start && p->text[at - 1] == '}' ? at - 1 : end;
}

static uint32_t extent_of(hx_parser *p, const hx_frame *attribute) {
  return attribute->flag ? short_extent(p, attribute->at) : extent(p, attribute->start);
}

void hx_limit_attribute(hx_parser *p, const hx_frame *attribute) {
  limit(p, extent_of(p, attribute));
  if (p->tok.stop > p->scan.end) move(p, p->scan.end, p->scan.end);
}

/* Continues after the attribute that ended at `stop`. */
static void leave_attribute(hx_parser *p, uint32_t stop, bool one_line, bool broken) {
  if (!one_line) {
    if (broken) go_behind_broken(p, stop);
    else go_behind(p, stop);
    return;
  }
  p->again = p->scan.lines = false;
  p->newlines = true;
  p->prev = hx_range_of(stop, stop);
  move(p, stop, p->end);
  p->recovery = broken;
}

void hx_leave_limit(hx_parser *p, bool one_line) {
  leave_attribute(p, p->scan.end, one_line, false);
}

/* Reads the expression from `from` to `stop` again, for its parts. The top frame receives it. */
static hx_go read_again(hx_parser *p, uint32_t from, uint32_t stop) {
  p->guarded = p->lost = p->recovery = false;
  p->again = p->scan.lines = true;
  p->again_frames = p->nframes;
  p->again_depth = p->depth;
  p->again_parts = p->parts.n;
  p->newlines = true;
  move(p, from, stop);
  return hx_begin_expression(p);
}

hx_go hx_end_again(hx_parser *p) {
  p->nframes = p->again_frames;
  p->depth = p->again_depth;
  p->parts.n = p->again_parts;
  p->value = hx_node_new(p, HX_AST_BROKEN, p->scan.end, p->scan.end);
  return HX_GO_DELIVER;
}

hx_go hx_recover_attribute(hx_parser *p) {
  const hx_frame *f = hx_frame_top(p);
  return read_again(p, f->at, extent_of(p, f));
}

void hx_end_attribute(hx_parser *p, hx_node *attribute, bool one_line) {
  uint32_t stop = p->scan.end;
  attribute->stop = stop;
  leave_attribute(p, stop, one_line, true);
}

bool hx_ends_block(hx_parser *p, uint32_t above, uint32_t at) {
  const hx_frame *block = hx_frame_top(p) - above;
  return block->kind == HX_FRAME_BLOCK && !goes_on_with(p, block->node->start, above + 1, next_word(p, at));
}

/* --- Text that isn't an item --- */

/* Opens an ITEM frame. node: a BROKEN node for text in a body that isn't an item. Its part is the readable expression. */
static hx_go take_item(hx_parser *p, uint32_t start, uint32_t value, uint32_t stop) {
  hx_frame *f = hx_frame_push(p, HX_FRAME_ITEM);
  f->node = hx_node_new(p, HX_AST_BROKEN, start, stop);
  return read_again(p, value, stop);
}

hx_go hx_recover_value(hx_parser *p, uint32_t start, uint32_t value) {
  return take_item(p, start, value, extent(p, start));
}

hx_go hx_recover_item(hx_parser *p, hx_diag_id id, hx_token t) {
  bool brace = t.kind == HX_TOK_CBRACE;
  uint32_t end = line_end(p, t.start);
  bool word = t.kind == HX_TOK_IDENT && !strchr("{[(", p->text[end - 1]);
  uint32_t stop = brace ? end : text_extent(p, t.start, word);
  if (p->tok.stop <= stop) tell_bad_tokens(p, stop);
  if (brace && p->owed) p->owed--;
  else hx_parse_error(p, id, hx_token_range(t), hx_found(p, t));
  return take_item(p, t.start, t.start, stop);
}

hx_go hx_resume_item(hx_parser *p) {
  hx_node *n = hx_frame_top(p)->node, *value = p->value;
  p->nframes--;
  if (value->start < value->stop && value->stop <= n->stop) {
    n->u.kids.first = value;
    n->count = 1;
    /* If the text is only a name or a path, the item ends with that, before the spaces after it. */
    if (value->kind == HX_AST_TRAVERSAL && skip_margin(p, value->stop) == n->stop) n->stop = value->stop;
  }
  hx_frame_add(hx_frame_top(p), n);
  go_behind_broken(p, p->scan.end);
  return HX_GO_ITEMS;
}

/* --- Blocks --- */

/* Returns true if the lone name at `start` is the head of a block. */
bool hx_is_head(hx_parser *p, uint32_t start) {
  uint32_t word = next_word(p, start);
  return goes_on_with(p, start, 0, word) && p->text[word] != '}';
}

/* Continues after a head without its brace. Returns true if a body follows nevertheless: if the brace ends the line or begins the next one,
** or if it is missing before lines further right, or before the end of the block. Otherwise the block ends with its line. */
bool hx_recover_head(hx_parser *p, uint32_t start, hx_range *brace) {
  uint32_t end = line_end(p, start), at = end, word = next_word(p, start);
  while (at > start && (p->text[at - 1] == ' ' || p->text[at - 1] == '\t')) at--;
  bool last = at > start && p->text[at - 1] == '{', follows = goes_on_with(p, start, 0, word);
  bool next = !last && follows && p->text[word] == '{';
  *brace = last ? hx_range_of(at - 1, at) : next ? hx_range_of(word, word + 1) : hx_range_of(end, end);
  p->recovery = false;
  p->prev = *brace;
  move(p, brace->stop, p->end);
  return last || follows;
}

void hx_leave_head(hx_parser *p, uint32_t start) {
  p->owed++;
  go_behind_broken(p, text_extent(p, start, false));
}

/* Continues after a block: skips to the next item on the same line, if there is one; otherwise skips the text after the block, which ends
** by its layout as an item does. */
void hx_recover_behind_block(hx_parser *p, uint32_t at) {
  uint32_t end = line_end(p, at), word = at;
  while (word < end && !begins_item(p, word) && (p->spare -= end - word) > 0) word++;
  if (word < end && begins_item(p, word)) move(p, word, p->end);
  else go_behind_broken(p, extent(p, at));
}

/* Continues after the beginning of a block that should have ended on its line, which was reported. Returns true if the block continues over
** more lines; its items then follow. Otherwise the block ends with its line, at the line's last brace if there is one. */
bool hx_recover_line_block(hx_parser *p, const hx_node *block) {
  uint32_t end = line_end(p, p->prev.stop), at = end;
  p->recovery = false;
  if (goes_on_with(p, block->start, 2, next_word(p, p->prev.stop))) {
    go_behind_broken(p, end);
    return true;
  }
  while (at > p->prev.stop && p->text[at - 1] != '}') at--;
  if (at == p->prev.stop) p->owed++;
  p->prev = at > p->prev.stop ? hx_range_of(at - 1, at) : hx_range_of(end, end);
  move(p, end, p->end);
  p->recovery = end == p->end;
  return false;
}

static hx_node *body_of(const hx_node *block) {
  hx_node *n = block->u.block.first;
  while (n->kind == HX_AST_LABEL) n = n->next;
  return n;
}

/* Returns true if, among the next eight items, the first block with items has its first item further right than m, the margin of the block
** that is to be ended. Only then do margins mean anything here. */
static bool has_margins(hx_parser *p, const hx_node *item, uint32_t m) {
  for (int i = 0; item && i < 8; item = item->next, i++) {
    const hx_node *first = item->kind == HX_AST_BLOCK ? body_of(item)->u.kids.first : NULL;
    if (first) return margin_of(p, first->start) > m;
  }
  return false;
}

/* Ends a block that was still open at the end of the source. If its margin shows that it ended before, moves the rest of its items to
** the body around it, whose frame is `outer`, and returns true. tail: where the block's next item would be added. Margins show nothing
** in sources that aren't indented. */
bool hx_end_by_margin(hx_parser *p, hx_node *block, hx_node **tail, hx_frame *outer) {
  hx_node *body = body_of(block), *last = NULL;
  uint32_t m = margin_of(p, block->start), i = 0;
  hx_node **at = &body->u.kids.first;
  for (; *at && margin_of(p, (*at)->start) > m; at = &(*at)->next, i++) last = *at;
  if (!*at || (!last && !has_margins(p, *at, m))) return false;
  hx_node *first = *at;
  uint32_t stop = last ? last->stop : block->u.block.head->open_brace.stop;
  *at = NULL;
  block->stop = body->stop = stop;
  block->u.block.head->close_brace = hx_range_of(stop, stop);
  *outer->tail = first;
  outer->node->count += body->count - i;
  body->count = i;
  outer->tail = tail;
  return true;
}
