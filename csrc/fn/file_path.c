/* file_path.c: paths as text, and the functions abspath, basename, dirname and pathexpand. Headers: vm/fn.h.
** Source: Go's path/filepath. */
#define _DEFAULT_SOURCE
#include "fn/file_path.h"

#include "base/buf.h"
#include "text/unicode.h"
#include "vm/fn.h"
#include "vm/host.h"

#include <stdlib.h>
#include <unistd.h>

#define CWD_MAX 4096

static bool is_absolute(hx_str path) {
  return path.len && path.p[0] == '/';
}

static bool is_dots(const char *p, uint32_t n) {
  return n == 2 && p[0] == '.' && p[1] == '.';
}

/* Removes the last element written. Returns false if it is "..", or the path is empty. */
static bool drop_last(hx_buf *b, uint32_t root) {
  uint32_t n = b->len;
  if (n == root) return false;
  while (n > root && b->p[n - 1] != '/') n--;
  if (is_dots(b->p + n, b->len - n)) return false;
  b->len = n > root ? n - 1 : root;
  return true;
}

hx_str hx_path_clean(hx_cx *cx, hx_str path) {
  uint32_t at = 0, root = is_absolute(path) ? 1 : 0;
  hx_buf b;
  hx_charge_steps(cx, path.len / 16);
  hx_charge_memory(cx, 2 * (uint64_t)path.len);
  hx_buf_init(&b, &cx->arena, path.len + 1);
  if (root) hx_buf_put(&b, '/');
  while (at < path.len) {
    uint32_t n = 0;
    while (at + n < path.len && path.p[at + n] != '/') n++;
    const char *p = path.p + at;
    at += n + 1;
    if (n == 0 || (n == 1 && p[0] == '.')) continue;
    if (is_dots(p, n) && (drop_last(&b, root) || root)) continue;
    if (b.len > root) hx_buf_put(&b, '/');
    hx_buf_bytes(&b, p, n);
  }
  if (!b.len) hx_buf_put(&b, '.');
  return hx_buf_done(&b);
}

hx_str hx_path_join(hx_cx *cx, hx_str a, hx_str b) {
  if (!a.len && !b.len) return HX_STR("");
  if (!a.len) return hx_path_clean(cx, b);
  return hx_path_clean(cx, hx_strf(cx, "%.*s/%.*s", HX_STR_ARG(a), HX_STR_ARG(b)));
}

bool hx_path_absolute(hx_cx *cx, hx_str directory, hx_str path, hx_str *out) {
  if (is_absolute(path)) {
    *out = hx_path_clean(cx, path);
    return true;
  }
  if (is_absolute(directory)) {
    *out = hx_path_join(cx, directory, path);
    return true;
  }
  hx_charge_steps(cx, 8); /* for asking the system */
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  char *cwd = hx_arena_alloc(&cx->scratch, CWD_MAX);
  bool known = getcwd(cwd, CWD_MAX) && cwd[0] == '/';
  if (known) *out = hx_path_join(cx, hx_path_join(cx, hx_str_of(cwd, strlen(cwd)), directory), path);
  hx_arena_release(&cx->scratch, mark);
  return known;
}

bool hx_path_below(hx_str root, hx_str path, hx_str *rest) {
  uint32_t n = root.len;
  if (path.len < n || memcmp(path.p, root.p, n) != 0) return false;
  if (path.len == n) {
    *rest = HX_STR("");
    return true;
  }
  if (n && root.p[n - 1] == '/') n--;
  if (path.p[n] != '/') return false;
  *rest = (hx_str){ path.p + n + 1, path.len - n - 1 };
  return true;
}

hx_str hx_path_relative(hx_cx *cx, hx_str from, hx_str to) {
  uint32_t same = 0, at = 0;
  hx_buf b;
  if (from.len == 1) from.len = 0; /* "/" without its slash, since each element begins with one */
  if (to.len == 1) to.len = 0;
  /* the common elements end where both have a slash or end */
  for (;; at++) {
    bool from_ends = at == from.len || from.p[at] == '/', to_ends = at == to.len || to.p[at] == '/';
    if (from_ends && to_ends) same = at;
    if (at == from.len || at == to.len || from.p[at] != to.p[at]) break;
  }
  hx_buf_init(&b, &cx->arena, to.len + 16);
  for (uint32_t i = same; i < from.len; i++)
    if (from.p[i] == '/') hx_buf_c(&b, b.len ? "/.." : "..");
  if (same < to.len) {
    if (b.len) hx_buf_put(&b, '/');
    hx_buf_bytes(&b, to.p + same + 1, to.len - same - 1);
  }
  if (!b.len) hx_buf_put(&b, '.');
  return hx_buf_done(&b);
}

bool hx_path_expand(hx_cx *cx, hx_str path, hx_str *out, const char **why) {
  *out = path;
  if (!path.len || path.p[0] != '~') return true;
  if (path.len > 1 && path.p[1] != '/' && path.p[1] != '\\') {
    *why = "~ followed by a user's name is not supported; ~/ is this user's home directory";
    return false;
  }
  const char *home = getenv("HOME");
  if (!home || !*home) {
    *why = "~ means the home directory, and the environment variable HOME doesn't name one";
    return false;
  }
  hx_str dir = hx_str_copy(cx, hx_utf8_repair(cx, hx_str_c(home)));
  *out = hx_path_join(cx, dir, hx_str_from(path, 1));
  return true;
}

/* Functions */

static hx_val text(hx_cx *cx, hx_str s) {
  return hx_string_of(cx, hx_nfc(cx, s));
}

static hx_val fn_basename(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  if (!s.len) return text(call->cx, HX_STR("."));
  while (s.len && s.p[s.len - 1] == '/') s.len--;
  if (!s.len) return text(call->cx, HX_STR("/"));
  uint32_t at = s.len;
  while (at && s.p[at - 1] != '/') at--;
  return text(call->cx, hx_str_from(s, at));
}

static hx_val fn_dirname(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  while (s.len && s.p[s.len - 1] != '/') s.len--;
  return text(call->cx, hx_path_clean(call->cx, s));
}

/* abspath: only a relative path depends on the scope's folder. */
static hx_val fn_abspath(hx_call *call, const hx_val *args) {
  hx_str path = hx_val_str(&args[0]), out;
  bool granted = (call->host->has & HX_NEEDS_FILES) != 0;
  if (!is_absolute(path) && !granted)
    return hx_fail_because(
        call, HX_BLAME_CALL, "files",
        HX_STR("A relative path starts at the scope's folder, and this scope has none. Set its option filesystem = \"DIR\"."));
  if (!hx_path_absolute(call->cx, call->host->directory, path, &out))
    return hx_fail_call(call, "The current folder of this process is unknown. Give the scope's filesystem as an absolute path.");
  return text(call->cx, hx_utf8_repair(call->cx, out));
}

static hx_val fn_pathexpand(hx_call *call, const hx_val *args) {
  hx_str path = hx_val_str(&args[0]), out;
  const char *why = NULL;
  if (path.len && path.p[0] == '~' && !(call->host->has & HX_NEEDS_FILES))
    return hx_fail_because(call, HX_BLAME_CALL, "files",
                           HX_STR("A scope without files doesn't know the home directory. Set its option filesystem = \"DIR\"."));
  if (!hx_path_expand(call->cx, path, &out, &why)) return hx_fail_call(call, "%s.", why);
  return text(call->cx, out);
}

#define PATH \
  { HX_TEXT("path") }

const hx_fn hx_fns_path[] = {
  { .name = "abspath",
    .params = PATH,
    .type = &hx_type_string,
    .impl = fn_abspath,
    .flags = HX_NOT_NULL,
    .summary = "Makes a path absolute.",
    .doc = "A relative path starts at the folder that the scope grants (filesystem). Elements such as . and .. are resolved in the "
           "text alone: the files need not exist.",
    .example = "abspath(\"/srv//www/../app/\")" },
  { .name = "basename",
    .params = PATH,
    .type = &hx_type_string,
    .impl = fn_basename,
    .flags = HX_NOT_NULL,
    .summary = "Returns the last element of a path.",
    .doc = "Slashes at the end don't count. An empty path gives \".\", and a path of only slashes \"/\".",
    .example = "basename(\"conf/site.json\")" },
  { .name = "dirname",
    .params = PATH,
    .type = &hx_type_string,
    .impl = fn_dirname,
    .flags = HX_NOT_NULL,
    .summary = "Returns a path without its last element.",
    .doc = "The result has its shortest form. It is \".\" if the path has no slash.",
    .example = "dirname(\"conf/sites/one.json\")" },
  { .name = "pathexpand",
    .params = PATH,
    .type = &hx_type_string,
    .impl = fn_pathexpand,
    .flags = HX_NOT_NULL,
    .summary = "Replaces a ~ at the start of a path by the home directory.",
    .doc = "Other paths stay as they are. A path such as ~name is an error. A ~ needs a scope that grants files.",
    .example = "pathexpand(\"conf/site.json\")" },
  { .name = NULL },
};
