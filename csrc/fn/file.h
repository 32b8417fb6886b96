/* file.h: shared by the functions about files: a path argument, read or refused.
** Memory: results in call->cx->arena.
** Errors: reported by hx_fail; limits abort. */
#ifndef HX_FN_FILE_H
#define HX_FN_FILE_H

#include "fn/file_open.h"
#include "vm/fn.h"
#include "vm/host.h"

/* The content of the file named by argument 0, as text: well-formed UTF-8, not normalised. false: an error was reported. */
bool hx_file_text(hx_call *call, const hx_val *path, hx_str *text);

#endif
