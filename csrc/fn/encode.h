/* encode.h: bytes as base64 and back, for all code that reads or writes base64.
** Memory: results in cx->arena.
** Errors: limits abort; the caller reports malformed base64. */
#ifndef HX_FN_ENCODE_H
#define HX_FN_ENCODE_H

#include "vm/fn.h"

/* Returns any bytes as base64, a string value. */
hx_val hx_base64_value(hx_cx *cx, hx_str bytes);
/* Reads base64 by RFC 4648 as Go does: line ends are skipped anywhere, padding is required, unused bits of the last character are ignored.
** Returns false if it is malformed. */
bool hx_base64_read(hx_cx *cx, hx_str text, hx_str *bytes);
/* Reports that an argument (or HX_BLAME_CALL) is not base64. */
hx_val hx_fail_base64(hx_call *call, int32_t arg);

/* Functions of this theme in other files. */
hx_val hx_fn_base64gzip(hx_call *call, const hx_val *args);
hx_val hx_fn_base64gunzip(hx_call *call, const hx_val *args);
hx_val hx_fn_textencodebase64(hx_call *call, const hx_val *args);
hx_val hx_fn_textdecodebase64(hx_call *call, const hx_val *args);

#endif
