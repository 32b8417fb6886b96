/* file_path.h: paths as text. No function here accesses a file.
** Memory: results in cx->arena, or parts of the argument.
** Errors: memory only, or a bool. */
#ifndef HX_FN_FILE_PATH_H
#define HX_FN_FILE_PATH_H

#include "base/cx.h"

/* Returns the shortest equivalent path: no empty elements, no ".", and ".." only at the start; "." for an empty path. */
hx_str hx_path_clean(hx_cx *cx, hx_str path);
/* Returns a/b, cleaned; an empty part is left out. */
hx_str hx_path_join(hx_cx *cx, hx_str a, hx_str b);
/* Makes a clean absolute path. A relative path starts from `directory`, which may itself be relative to the working directory.
** Returns false if the working directory is unknown. */
bool hx_path_absolute(hx_cx *cx, hx_str directory, hx_str path, hx_str *out);
/* Returns the relative path from one absolute clean path to another. */
hx_str hx_path_relative(hx_cx *cx, hx_str from, hx_str to);
/* Sets *rest to the part of an absolute clean path below root ("" for root itself). Returns false if the path isn't below root. */
bool hx_path_below(hx_str root, hx_str path, hx_str *rest);
/* Replaces the `~` of `~` and `~/…` by the user's home directory. Returns false if that is impossible; *why says why. */
bool hx_path_expand(hx_cx *cx, hx_str path, hx_str *out, const char **why);

/* Returns true if the path contains a NUL, which would end it for the system. Test the path as written: a clean path may have lost
** the NUL. */
HX_INLINE bool hx_path_has_nul(hx_str path) {
  return path.len && memchr(path.p, 0, path.len) != NULL;
}

#endif
