/* quote.h: text shown as a quoted literal.
** Memory: text is written to the buffer; that of hx_quote_short is in cx->arena.
** Errors: none but memory. An ill-formed byte is shown as U+FFFD. */
#ifndef HX_TEXT_QUOTE_H
#define HX_TEXT_QUOTE_H

#include "base/buf.h"

/* As an HCL string: escapes \n \r \t \" \\ \uXXXX \UXXXXXXXX, and $${ %%{ for template openers. Reads back as the same string. */
void hx_quote_hcl(hx_buf *b, hx_str s);
/* A character as this many hexadecimal digits, after its letter: \uXXXX. */
void hx_quote_escape(hx_buf *b, char letter, int32_t cp, int digits);
/* As JSON with the reference's escapes (with html also <, >, & and U+2028/9 as \uXXXX). */
void hx_quote_json(hx_buf *b, hx_str s, bool html);
/* Text for a terminal: characters that would steer one (controls except the newline and the tab, characters that turn or break lines) and
** bytes that aren't UTF-8 are shown as escapes, \u001b or \xff; anything else stays. one_line: newlines and tabs too, as in names. */
void hx_put_plain(hx_buf *b, hx_str s, bool one_line);
/* For messages: as HCL, at most max grapheme clusters as shown (text/unicode.h), then "…". */
hx_str hx_quote_short(hx_cx *cx, hx_str s, uint32_t max);

#endif
