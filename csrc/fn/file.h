/* file.h: what the functions about files share: a path argument, read or refused.
** Memory: results in call->cx->arena.
** Errors: reported by hx_fail; limits abort. */
#ifndef HX_FN_FILE_H
#define HX_FN_FILE_H

#include "fn/file_open.h"
#include "vm/fn.h"
#include "vm/host.h"

/* The content of the file that argument 0 names; false: `blame` (0 or HX_BLAME_CALL) was reported. */
bool hx_file_content(hx_call *call, const hx_val *path, int32_t blame, hx_str *content);
/* Blames argument 0's file for something. */
hx_val hx_fail_file(hx_call *call, const hx_val *path, int32_t blame, const char *why);
/* The content as text, in form C; false: reported. */
bool hx_file_text(hx_call *call, const hx_val *path, hx_str *text);

#endif
