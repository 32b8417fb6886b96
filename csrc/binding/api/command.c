/* command.c: rows of the core for the command (lua/hclexpr/cli).
** Memory: Lua's.
** Errors: nil and a message for files; misuse raises. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "binding/api/openers.h"

#include "binding/api/body.h"
#include "binding/api/expression.h"
#include "binding/api/uses.h"
#include "binding/data/value.h"
#include "fn/json.h"
#include "value/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <poll.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Files. A file is replaced as a whole: readers see the old or the new content, never a part. */

#define SUFFIX ".XXXXXX"

static bool write_all(int fd, hx_str text) {
  while (text.len) {
    ssize_t n = write(fd, text.p, text.len);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text = hx_str_of(text.p + n, text.len - (size_t)n);
  }
  return true;
}

/* The new file gets the mode of the old one and, if this process may set it, its owner: nobody shall read it who couldn't
** before. */
static bool write_like(int fd, const struct stat *old, hx_str text) {
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM) return false;
  return fchmod(fd, old->st_mode & 07777) == 0 && write_all(fd, text) && fsync(fd) == 0;
}

/* Writes the text to a file beside path, whose name is put into `temporary`, then renames it to path, which is a file and no link.
** Without an old one the new is this user's alone, and is not forced to the disk: a server that keeps such a file must not wait.
** False: errno has the reason; *made: a file beside it could be made. */
static bool replace(char *temporary, const char *path, const struct stat *old, hx_str text, bool *made) {
  size_t n = strlen(path);
  bool written;
  int fd, error;
  memcpy(temporary, path, n);
  memcpy(temporary + n, SUFFIX, sizeof SUFFIX);
  fd = mkstemp(temporary);
  *made = fd >= 0;
  if (!*made) return false;
  written = old ? write_like(fd, old, text) : write_all(fd, text);
  error = errno;
  if (close(fd) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && rename(temporary, path) == 0) return true;
  if (written) error = errno;
  (void)unlink(temporary);
  errno = error;
  return false;
}

static int failed_to_replace(lua_State *L, const char *name, bool made) {
  int error = errno;
  lua_pushnil(L);
  lua_pushfstring(L, made ? "%s: %s" : "%s: no new file can be made in its folder: %s", name, strerror(error));
  return 2;
}

/* core.keep_file(name, text): true, or nil and a message. Only this user may read and write the file, which may be there or not. */
static int l_keep_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  hx_str text = hx_check_str(L, 2);
  bool made = true;
  if (!replace(lua_newuserdata(L, strlen(name) + sizeof SUFFIX), name, NULL, text, &made)) return failed_to_replace(L, name, made);
  lua_pushboolean(L, true);
  return 1;
}

/* core.replace_file(name, text): true, or nil and a message. A link stays; its target is replaced. */
static int l_replace_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  hx_str text = hx_check_str(L, 2);
  char *path = lua_newuserdata(L, 2 * PATH_MAX + sizeof SUFFIX);
  struct stat old;
  bool made = true;
  if (realpath(name, path) && stat(path, &old) == 0 && access(path, W_OK) == 0) {
    if (!S_ISREG(old.st_mode)) {
      lua_pushnil(L);
      lua_pushfstring(L, "%s: not a regular file", name);
      return 2;
    }
    if (replace(path + PATH_MAX, path, &old, text, &made)) {
      lua_pushboolean(L, true);
      return 1;
    }
  }
  return failed_to_replace(L, name, made);
}

/* JSON */

/* What is wrong with a value, in words that follow its name. */
static void push_fault(lua_State *L, hx_json_fault fault, const hx_val *v) {
  static const char *const words[] = { [HX_JSON_FINE] = "",
                                       [HX_JSON_UNKNOWN] = "is not known yet",
                                       [HX_JSON_INFINITE] = "is infinite",
                                       [HX_JSON_MARKED] = "is ",
                                       [HX_JSON_TYPE] = "is a type" };
  const hx_marks *marks = fault == HX_JSON_MARKED ? hx_marks_get(v) : NULL;
  lua_pushstring(L, words[fault]);
  for (uint32_t i = 0; marks && i < marks->n; i++) {
    if (i) lua_pushliteral(L, " and ");
    hx_push_str(L, marks->names[i]);
    lua_concat(L, i ? 3 : 2);
  }
}

/* core.value_json(value, indent, depth, html, omit_nulls): JSON text, exact and of any size; or nil, the path of a value that
** JSON can't express, and its kind. */
static int value_json(lua_State *L, hx_cx *cx) {
  const hx_limits all = { UINT64_MAX / 4, UINT64_MAX / 64, HX_DEPTH_MAX, UINT64_MAX / 4, UINT64_MAX / 4 };
  const hx_val *v = &hx_value_hold(L, 1)->v;
  hx_json_style style = { .indent = (uint32_t)luaL_checknumber(L, 2),
                          .depth = (uint32_t)luaL_checknumber(L, 3),
                          .html = lua_toboolean(L, 4) != 0,
                          .omit_nulls = lua_toboolean(L, 5) != 0,
                          .exact = true };
  hx_json_place place;
  hx_buf b;
  hx_guard_again(cx);
  hx_cx_refill(cx, &all);
  hx_buf_init(&b, &cx->arena, 256);
  hx_json_fault fault = hx_json_write_as(cx, &b, v, &style, &place);
  if (fault == HX_JSON_FINE) {
    hx_push_str(L, hx_buf_done(&b));
    return 1;
  }
  lua_pushnil(L);
  hx_push_str(L, place.path);
  push_fault(L, fault, place.v);
  return 3;
}

/* Traversals */

/* core.traversals(x [, known, read]): as references() of an Expression or Body, but with each step a table { kind, text, range }. With
** known, a table by path, in their place what stands there for the path; what is new is what read(traversal) gives, of a traversal
** without ranges and path. */
static int l_traversals(lua_State *L) {
  hx_unit *u;
  const hx_node *root;
  if (hx_is_class(L, 1, HX_CLASS_EXPRESSION)) {
    u = hx_check_expression(L, 1)->unit;
    root = u->program.root;
  } else {
    root = hx_check_body(L, 1, &u, NULL);
  }
  lua_settop(L, 3);
  return hx_traversals_push(L, u, root, lua_istable(L, 2));
}

/* The terminal */

/* core.is_terminal("stdin" | "stdout" | "stderr") */
static int l_is_terminal(lua_State *L) {
  static const char *const names[] = { "stdin", "stdout", "stderr", NULL };
  lua_pushboolean(L, isatty(luaL_checkoption(L, 1, NULL, names)));
  return 1;
}

/* core.wait_input(seconds): is there anything to read on standard input, its end included, within that time? */
static int l_wait_input(lua_State *L) {
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  double seconds = fmin(fmax(luaL_checknumber(L, 1), 0), 3600);
  int ready = poll(&input, 1, (int)(seconds * 1000));
  lua_pushboolean(L, ready > 0);
  return 1;
}

static const luaL_Reg functions[] = {
  { "replace_file", l_replace_file }, { "keep_file", l_keep_file },   { "traversals", l_traversals },
  { "is_terminal", l_is_terminal },   { "wait_input", l_wait_input }, { NULL, NULL },
};

static const hx_work_row work[] = { { "value_json", 5, value_json, false } };

void hx_open_command(lua_State *L) {
  HX_REGISTER_WORK(L, work);
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
