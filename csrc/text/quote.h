/* quote.h: writes text as a quoted literal.
** Memory: text is written to the buffer; that of hx_quote_short is in cx->arena.
** Errors: none but memory. An ill-formed byte is shown as U+FFFD. */
#ifndef HX_TEXT_QUOTE_H
#define HX_TEXT_QUOTE_H

#include "base/buf.h"

/* Appends s as an HCL string, with the escapes \n \r \t \" \\ \uXXXX \UXXXXXXXX, and $${ and %%{ for template openers. HCL reads it back
** as s. */
void hx_quote_hcl(hx_buf *b, hx_str s);
/* Appends an escape such as \u00e9: a backslash, the letter, and cp as a hexadecimal number of this many digits. */
void hx_quote_escape(hx_buf *b, char letter, int32_t cp, int digits);
/* Appends s as JSON, with the reference's escapes. html: also <, >, & and U+2028/9 become \uXXXX. */
void hx_quote_json(hx_buf *b, hx_str s, bool html);
/* Appends s for a terminal. Two kinds of bytes become escapes such as \u001b or \xff: characters that would steer the terminal (controls
** except newline and tab, and characters that turn or break lines), and bytes that aren't UTF-8. one_line: newlines and tabs also become
** escapes, as in names. */
void hx_put_plain(hx_buf *b, hx_str s, bool one_line);
/* Returns s as an HCL string for a message: at most max grapheme clusters, as hx_grapheme_shown counts them, and "…" if more follow. */
hx_str hx_quote_short(hx_cx *cx, hx_str s, uint32_t max);

#endif
