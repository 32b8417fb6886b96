/* file.h: helpers of the functions about files: a path argument, read or rejected; fileset's patterns.
** Memory: results in call->cx->arena; patterns take scratch.
** Errors: reported by hx_fail; limits abort, and each attempt of a pattern is charged. */
#ifndef HX_FN_FILE_H
#define HX_FN_FILE_H

#include "fn/file_open.h"
#include "vm/fn.h"
#include "vm/host.h"

#define HX_PATH_SHOWN 200u /* the most characters of a path in a message */

/* Reads the file named by argument 0 as text: well-formed UTF-8, not normalised. Returns false if *instead is the call's result. */
bool hx_file_text(hx_call *call, const hx_val *path, hx_str *text, hx_val *instead);
/* Returns true if a path leads out of the granted folders and the host handles such paths. Then *instead is the call's result: an
** unknown value, or NONE while the host is asked. */
bool hx_file_is_unknown(hx_call *call, hx_str path, hx_file_fault fault, hx_val *instead);

typedef enum hx_pattern_answer { HX_PATTERN_NO, HX_PATTERN_YES, HX_PATTERN_BAD } hx_pattern_answer;

/* Matches one element of a path with one of a pattern: `*` matches any characters, `?` one, `[a-z]` and `[^a-z]` one of a class, `{a,b}`
** one of the alternatives, `\` the next character itself. */
hx_pattern_answer hx_pattern_match(hx_cx *cx, hx_str pattern, hx_str name);
/* Returns the position of the first `c` that no `\` precedes, or s.len. */
uint32_t hx_pattern_find(hx_str s, char c);

#endif
