/* file_path.h: paths as text: nothing here looks at a file.
** Memory: results in cx->arena, or parts of the argument.
** Errors: memory only, or a bool. */
#ifndef HX_FN_FILE_PATH_H
#define HX_FN_FILE_PATH_H

#include "base/cx.h"

/* The shortest path that says the same: no empty elements, no ".", ".." only where nothing is before it; "." for nothing. */
hx_str hx_path_clean(hx_cx *cx, hx_str path);
/* a/b, cleaned; an empty part is left out. */
hx_str hx_path_join(hx_cx *cx, hx_str a, hx_str b);
/* An absolute clean path: relative ones start from `directory`, which itself may be relative to the process's. false: that one can't
** be told. */
bool hx_path_absolute(hx_cx *cx, hx_str directory, hx_str path, hx_str *out);
/* How to get from one clean path to another, both absolute. */
hx_str hx_path_relative(hx_cx *cx, hx_str from, hx_str to);
/* What is left of a clean absolute path below another one ("" for that one itself); false: it lies elsewhere. */
bool hx_path_below(hx_str root, hx_str path, hx_str *rest);
/* `~` and `~/…` in terms of the user's home directory. false: *why. */
bool hx_path_expand(hx_cx *cx, hx_str path, hx_str *out, const char **why);

#endif
