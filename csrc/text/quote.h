/* quote.h: text shown as a quoted literal.
** Memory: text is written to the buffer; that of hx_quote_short is in cx->arena.
** Errors: none but memory. An ill-formed byte is shown as U+FFFD. */
#ifndef HX_TEXT_QUOTE_H
#define HX_TEXT_QUOTE_H

#include "base/buf.h"

/* Appends s as an HCL string: escapes
** \r \t \" \\ \uXXXX \UXXXXXXXX, and $${ %%{ for template openers. HCL reads it back as s. */
void hx_quote_hcl(hx_buf *b, hx_str s);
/* Appends an escape: a backslash, the letter, and cp as this many hexadecimal digits: \uXXXX. */
void hx_quote_escape(hx_buf *b, char letter, int32_t cp, int digits);
/* Appends s as JSON, with the reference's escapes. html: also <, >, & and U+2028/9 become \uXXXX. */
void hx_quote_json(hx_buf *b, hx_str s, bool html);
/* Appends s for a terminal. Characters that would steer the terminal (controls except the newline and the tab, characters that turn or
** break lines) and bytes that aren't UTF-8 become escapes, \u001b or \xff; all others stay. one_line: newlines and tabs become escapes too,
** as in names. */
void hx_put_plain(hx_buf *b, hx_str s, bool one_line);
/* Returns s for a message: as HCL, at most max grapheme clusters as shown (text/unicode.h), then "…". */
hx_str hx_quote_short(hx_cx *cx, hx_str s, uint32_t max);

#endif
