/* command.c: functions of the core for the command (lua/hclexpr/cli).
** Memory: Lua's.
** Errors: nil and a message for files; misuse raises. */
#define _GNU_SOURCE /* realpath, extended attributes */
#include "binding/state/openers.h"

#include "binding/objects/body.h"
#include "binding/objects/expression.h"
#include "binding/objects/uses.h"
#include "binding/data/value.h"
#include "fn/json.h"
#include "value/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* Files. A file is replaced as a whole: readers see the old or the new content, never a part. The same users as before can read the new
** file: its owner, group, mode, access lists and attributes are those of the old one, or nothing is written. */

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

/* A file that is to be replaced. It is a userdata, because its buffers are too large for the stack. */
typedef struct old_file {
  int fd; /* -1: not open */
  struct stat stat;
  const char *fault; /* why the file can't be replaced, for messages; NULL: errno says why */
  char path[PATH_MAX], temporary[PATH_MAX + sizeof SUFFIX];
  char names[4096], piece[4096];
} old_file;

#ifdef __linux__
/* Copies an attribute or an access list, which is an attribute too. It skips the system's labels, which the system sets itself. */
static bool copy_attribute(old_file *old, int to, const char *name) {
  if (strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0) return true;
  ssize_t n = fgetxattr(old->fd, name, old->piece, sizeof old->piece);
  return n >= 0 && fsetxattr(to, name, old->piece, (size_t)n, 0) == 0;
}

static bool copy_attributes(old_file *old, int to) {
  ssize_t n = flistxattr(old->fd, old->names, sizeof old->names);
  if (n < 0) return errno == ENOTSUP;
  for (const char *at = old->names; at < old->names + n; at += strlen(at) + 1) {
    if (!copy_attribute(old, to, at)) return false;
  }
  return true;
}
#else
static bool copy_attributes(old_file *old, int to) {
  (void)old;
  (void)to;
  return true;
}
#endif

/* Gives the new file the owner, group, attributes and mode of the old one. If that fails, returns false, and errno or old->fault says why.
** Only root may change the owner, but members of a group may give a file to the group. The mode is set after the attributes, because access
** lists change it. */
static bool make_like(int fd, old_file *old) {
  struct stat made;
  if (fchown(fd, old->stat.st_uid, old->stat.st_gid) != 0) (void)!fchown(fd, (uid_t)-1, old->stat.st_gid);
  if (fstat(fd, &made) != 0) return false;
  if (made.st_uid != old->stat.st_uid || made.st_gid != old->stat.st_gid) {
    old->fault = "its owner and group can't be kept by this user: nothing is written; let its owner do it";
    return false;
  }
  if (copy_attributes(old, fd) && fchmod(fd, old->stat.st_mode & 07777) == 0) return true;
  old->fault = "its access list or attributes can't be kept: nothing is written";
  return false;
}

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

static bool is_same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && is_same_time(a->st_mtim, b->st_mtim) &&
         is_same_time(a->st_ctim, b->st_ctim);
}

#define CHANGED "it was changed meanwhile: nothing is written; do it again"

/* Returns true if the file still has the content that the caller read. */
static bool has_content(old_file *old, const char *was, size_t len) {
  size_t at = 0;
  ssize_t n;
  while ((n = read(old->fd, old->piece, sizeof old->piece)) > 0) {
    if ((size_t)n > len - at || memcmp(old->piece, was + at, (size_t)n) != 0) break;
    at += (size_t)n;
  }
  if (n == 0 && at == len) return true;
  old->fault = n < 0 ? NULL : CHANGED;
  return false;
}

/* Writes the new file. Without an old one, the new file isn't forced to the disk: a server that keeps such a file must not wait. */
static bool write_new(int fd, old_file *old, hx_str text) {
  if (!old) return write_all(fd, text);
  return make_like(fd, old) && write_all(fd, text) && fsync(fd) == 0;
}

static bool still_there(const char *path, old_file *old) {
  struct stat now;
  if (!old || (stat(path, &now) == 0 && is_same(&now, &old->stat))) return true;
  old->fault = CHANGED;
  return false;
}

/* Writes the text to a new file in the folder of path, and renames it to path, which must not be a link. Puts the new file's name into
** `temporary`. mode: the mode if path doesn't exist yet. If that fails, returns false, and errno or old->fault says why. Sets *made to
** whether a file could be made in the folder. */
static bool replace(char *temporary, const char *path, old_file *old, mode_t mode, hx_str text, bool *made) {
  size_t n = strlen(path);
  bool written;
  int fd, error;
  memcpy(temporary, path, n);
  memcpy(temporary + n, SUFFIX, sizeof SUFFIX);
  fd = mkstemp(temporary);
  *made = fd >= 0;
  if (!*made) return false;
  written = write_new(fd, old, text) && (old || fchmod(fd, mode) == 0);
  error = errno;
  if (close(fd) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && still_there(path, old) && rename(temporary, path) == 0) return true;
  if (written) error = errno;
  (void)unlink(temporary);
  errno = error;
  return false;
}

/* Calls replace() with all signals blocked, because a signal that ends the process would leave the temporary file. */
static bool replace_undisturbed(char *temporary, const char *path, old_file *old, mode_t mode, hx_str text, bool *made) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool done = replace(temporary, path, old, mode, text, made);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return done;
}

static int failed_to_replace(lua_State *L, const char *name, const char *fault, bool made) {
  int error = errno;
  lua_pushnil(L);
  if (fault) lua_pushfstring(L, "%s: %s", name, fault);
  else lua_pushfstring(L, made ? "%s: %s" : "%s: no new file can be made in its folder: %s", name, strerror(error));
  return 2;
}

/* core.keep_file(name, text): makes or replaces a file that only this user may read and write. Returns true, or nil and a message. */
static int l_keep_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  hx_str text = hx_check_str(L, 2);
  bool made = true;
  if (!replace_undisturbed(lua_newuserdata(L, strlen(name) + sizeof SUFFIX), name, NULL, 0600, text, &made)) {
    return failed_to_replace(L, name, NULL, made);
  }
  lua_pushboolean(L, true);
  return 1;
}

/* Opens the file that is to be replaced. If that fails, returns false, and errno or old->fault says why. was: the content that the caller
** read from the file, or NULL. */
static bool open_old(old_file *old, const char *was, size_t len) {
  if (stat(old->path, &old->stat) != 0 || access(old->path, W_OK) != 0) return false;
  if (!S_ISREG(old->stat.st_mode)) old->fault = "not a regular file";
  else if (old->stat.st_nlink > 1)
    old->fault = "it has several names (hard links), which would become several files: nothing is written";
  if (old->fault) return false;
  old->fd = open(old->path, O_RDONLY | O_CLOEXEC);
  return old->fd >= 0 && fstat(old->fd, &old->stat) == 0 && (!was || has_content(old, was, len));
}

/* Makes a file that doesn't exist yet, with the mode that the umask gives to new files. */
static bool write_first(char *temporary, const char *name, hx_str text, bool *made) {
  mode_t mask = umask(0);
  umask(mask);
  return replace_undisturbed(temporary, name, NULL, 0666 & ~mask, text, made);
}

/* core.replace_file(name, text [, was]): replaces the file's content; returns true, or nil and a message. A symbolic link stays, and its
** target is replaced. With `was`, the file must exist and have this content. Without `was`, a missing file is made. */
static int l_replace_file(lua_State *L) {
  size_t len = 0;
  const char *name = luaL_checkstring(L, 1);
  hx_str text = hx_check_str(L, 2);
  const char *was = luaL_optlstring(L, 3, NULL, &len);
  old_file *old = lua_newuserdata(L, sizeof *old);
  bool made = true, done;
  old->fd = -1;
  old->fault = NULL;
  if (realpath(name, old->path)) {
    done = open_old(old, was, len) && replace_undisturbed(old->temporary, old->path, old, 0, text, &made);
  } else {
    done = errno == ENOENT && !was && strlen(name) < PATH_MAX && write_first(old->temporary, name, text, &made);
  }
  int error = errno;
  if (old->fd >= 0) (void)close(old->fd);
  errno = error;
  if (!done) return failed_to_replace(L, name, old->fault, made);
  lua_pushboolean(L, true);
  return 1;
}

/* JSON */

/* Pushes what is wrong with a value, to be appended to its name. */
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

/* core.value_json(value, indent, depth, html, omit_nulls): returns JSON text, exact and of any size; or nil, the path of a value that JSON
** can't express, and what is wrong with that value. The options are those of hx_json_style. */
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

/* core.traversals(x [, known, read]): returns what references() returns of an Expression, a Body or an Attribute's expression, but with
** each step as a table { kind, text, range }. With the table `known` the list holds known[path] instead of each traversal. For a path that
** `known` lacks it holds the result of read(traversal), called without ranges and path, and `known` keeps that result unless a step is a
** constant that isn't a key. */
static int l_traversals(lua_State *L) {
  hx_unit *u;
  const hx_node *root = hx_check_depends(L, 1, &u);
  lua_settop(L, 3);
  return hx_traversals_push(L, u, root, lua_istable(L, 2));
}

/* core.uses(x): returns whether an Expression, an Attribute or a Body uses named values, and whether it calls functions. */
static int l_uses(lua_State *L) {
  hx_unit *u;
  const hx_node *root = hx_check_depends(L, 1, &u);
  return hx_uses_push(L, u, root);
}

/* Standard streams, pipes, the terminal */

/* core.hold_streams(): opens /dev/null for each closed standard stream, so that a file opened later doesn't get the stream's number
** and output isn't written into it. Reading from or writing to the stream still fails. */
static int l_hold_streams(lua_State *L) {
  (void)L;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  return 0;
}

/* core.set_room(bytes): from now on a cycle of the collector begins when the heap has grown by this many bytes, or by its own size if that
** is more. 0 returns the decision to the collector's pause, which isn't restored. */
static int l_set_room(lua_State *L) {
  size_t room = (size_t)luaL_checknumber(L, 1);
  hx_state_get(L)->room = room;
  if (room) hx_lua_collect_later(L, (int)(room >> 10));
  return 0;
}

/* core.is_pipe(path): returns true if the file is a named pipe. Opening a pipe waits for a writer. */
static int l_is_pipe(lua_State *L) {
  struct stat found;
  lua_pushboolean(L, stat(luaL_checkstring(L, 1), &found) == 0 && S_ISFIFO(found.st_mode));
  return 1;
}

/* core.is_terminal("stdin" | "stdout" | "stderr"): returns true if the stream is a terminal. */
static int l_is_terminal(lua_State *L) {
  static const char *const names[] = { "stdin", "stdout", "stderr", NULL };
  lua_pushboolean(L, isatty(luaL_checkoption(L, 1, NULL, names)));
  return 1;
}

/* core.terminal_width("stdin" | "stdout" | "stderr"): returns the columns of the stream's terminal, or nil if they aren't known. */
static int l_terminal_width(lua_State *L) {
  static const char *const names[] = { "stdin", "stdout", "stderr", NULL };
  int stream = luaL_checkoption(L, 1, NULL, names);
#ifdef TIOCGWINSZ
  struct winsize size = { 0 };
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    lua_pushinteger(L, size.ws_col);
    return 1;
  }
#endif
  (void)stream;
  lua_pushnil(L);
  return 1;
}

/* core.wait_input(seconds): returns true if standard input has something to read, or ends, within that time, which is an hour at most. */
static int l_wait_input(lua_State *L) {
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  double seconds = fmin(fmax(luaL_checknumber(L, 1), 0), 3600);
  int ready = poll(&input, 1, (int)(seconds * 1000));
  lua_pushboolean(L, ready > 0);
  return 1;
}

static const luaL_Reg functions[] = {
  { "replace_file", l_replace_file },
  { "keep_file", l_keep_file },
  { "traversals", l_traversals },
  { "uses", l_uses },
  { "hold_streams", l_hold_streams },
  { "set_room", l_set_room },
  { "is_pipe", l_is_pipe },
  { "is_terminal", l_is_terminal },
  { "wait_input", l_wait_input },
  { "terminal_width", l_terminal_width },
  { NULL, NULL },
};

static const hx_work_row work[] = { { "value_json", 5, value_json, false } };

void hx_open_command(lua_State *L) {
  HX_REGISTER_WORK(L, work);
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
