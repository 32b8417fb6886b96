/* files.c: functions of the core for hclexpr/terraform/read/files.lua, and for the files that keep versions of rules.
** Memory: Lua's.
** Errors: nil and why, in words; misuse raises. */
#define _DEFAULT_SOURCE /* realpath */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "binding/state/openers.h"

#include "binding/state/place.h"
#include "binding/objects/scope.h"
#include "binding/data/value.h"
#include "fn/file_open.h"
#include "fn/file_path.h"
#include "fn/hash.h"
#include "library/library.h"

/* A path to be read, listed or tested. It is absolute, or relative to the working directory. host: the folders that must contain
** the path; if NULL, anything may be read. */
typedef struct file_job {
  const hx_host *host;
  hx_str path;
  enum { READ, LIST, LOOK } way;
  hx_file_fault fault;
  hx_str content;
  hx_file_entry *entries;
  uint32_t n;
} file_job;

/* Finds the place of a path. Built-in functions take relative paths from the granted folder; here the path is made absolute first, from the
** working directory. */
static hx_file_fault locate(hx_cx *cx, file_job *job, hx_file_place *out) {
  const hx_host any = { .directory = HX_STR("/") };
  hx_str whole;
  if (hx_path_has_nul(job->path)) return HX_FILE_NAME;
  if (!hx_path_absolute(cx, HX_STR("."), job->path, &whole)) return HX_FILE_BROKEN;
  return hx_file_locate(cx, job->host ? job->host : &any, whole, out);
}

static void run_file(hx_cx *cx, void *ud) {
  file_job *job = ud;
  uint64_t id[2];
  hx_file_place at;
  if (!job->path.len) {
    job->fault = HX_FILE_ABSENT;
  } else if (!job->host && job->way == READ) {
    job->fault = hx_file_read_anywhere(cx, job->path, &job->content);
  } else if (!job->host && job->way == LIST) {
    job->fault = hx_file_list_anywhere(cx, job->path, &job->entries, &job->n);
  } else {
    job->fault = locate(cx, job, &at);
    if (job->fault != HX_FILE_FINE) return;
    if (job->way == LOOK) job->fault = hx_file_look(cx, at.directory, at.inside);
    else if (job->way == LIST) job->fault = hx_file_list(cx, at.directory, at.inside, &job->entries, &job->n, id);
    else job->fault = hx_file_read(cx, at.directory, at.inside, &job->content);
  }
}

/* Returns the host of the scope at the index, or NULL if no scope is given or the scope grants no folders. */
static const hx_host *host_of(lua_State *L, int at) {
  const hx_scope *s = lua_isnil(L, at) ? NULL : hx_check_class(L, at, HX_CLASS_SCOPE);
  return s && (s->host.has & HX_NEEDS_FILES) ? &s->host : NULL;
}

/* Says in words why a job failed. */
static const char *fault_of(const file_job *job, hx_why why) {
  if (why == HX_WHY_NO_MEMORY) return "there is not enough memory for it";
  if (why != HX_WHY_NONE) return "it is larger than may be read at once";
  return job->way == LIST && job->fault == HX_FILE_ABSENT ? "it does not exist" : hx_file_fault_text(job->fault);
}

/* Does the job for arguments 1 and 2 (scope or nil, and path). Returns false after pushing nil and the reason. If memory runs out,
** a READ does the same; LIST and LOOK raise, because their callers take nil for a missing file. */
static bool run(lua_State *L, file_job *job) {
  lua_settop(L, 2);
  job->host = host_of(L, 1);
  job->path = hx_check_str(L, 2);
  hx_why why = hx_home_run(hx_work_push(L), run_file, job);
  if (why == HX_WHY_NONE && job->fault == HX_FILE_FINE) return true;
  if (why == HX_WHY_NO_MEMORY && job->way != READ) luaL_error(L, "not enough memory");
  lua_pushnil(L);
  lua_pushstring(L, fault_of(job, why));
  return false;
}

/* core.read_file(scope, path): returns the bytes of a file, or nil and the reason for a failure. */
static int l_read_file(lua_State *L) {
  file_job job = { .way = READ };
  if (!run(L, &job)) return 2;
  hx_push_str(L, job.content);
  hx_work_close(L, 3);
  return 1;
}

/* core.list_folder(scope, path): returns an array of the names in a folder, in byte order, or nil and the reason for a failure.
** Names of folders end with "/". Links to folders are left out. */
static int l_list_folder(lua_State *L) {
  file_job job = { .way = LIST };
  int n = 0;
  if (!run(L, &job)) return 2;
  lua_newtable(L);
  for (uint32_t i = 0; i < job.n; i++) {
    const hx_file_entry *e = &job.entries[i];
    if (e->folder && e->link) continue;
    hx_push_str(L, e->name);
    if (e->folder) {
      lua_pushliteral(L, "/");
      lua_concat(L, 2);
    }
    lua_rawseti(L, -2, ++n);
  }
  hx_work_close(L, 3);
  return 1;
}

/* core.has_file(scope, path): returns true if a regular file is at the path. */
static int l_has_file(lua_State *L) {
  file_job job = { .way = LOOK };
  bool there = run(L, &job);
  if (there) hx_work_close(L, 3);
  lua_pushboolean(L, there);
  return 1;
}

/* core.make_folder(path): makes a folder for its owner alone, unless it exists. Its parent must exist. Returns true, or nil and the
** reason for a failure. */
static int l_make_folder(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  if (mkdir(path, S_IRWXU) == 0 || errno == EEXIST) {
    lua_pushboolean(L, true);
    return 1;
  }
  lua_pushnil(L);
  lua_pushstring(L, strerror(errno));
  return 2;
}

/* Sets *out to a clean absolute path for argument arg. Returns false if the working directory is unknown. */
static bool absolute(lua_State *L, hx_cx *cx, int arg, hx_str *out) {
  return hx_path_absolute(cx, HX_STR("."), hx_check_str(L, arg), out);
}

/* core.clean_path(path): returns the shortest path that means the same. */
static int clean_path(lua_State *L, hx_cx *cx) {
  hx_push_str(L, hx_path_clean(cx, hx_check_str(L, 1)));
  return 1;
}

/* core.absolute_path(path): returns a clean absolute path, or the same path if the working directory is unknown. */
static int absolute_path(lua_State *L, hx_cx *cx) {
  hx_str path;
  if (absolute(L, cx, 1, &path)) hx_push_str(L, path);
  else lua_pushvalue(L, 1);
  return 1;
}

/* core.real_path(path): returns the path with all links followed, or nil if it leads to no file. */
static int l_real_path(lua_State *L) {
  char real[PATH_MAX];
  size_t n;
  const char *path = luaL_checklstring(L, 1, &n);
  if (strlen(path) == n && realpath(path, real)) lua_pushstring(L, real);
  else lua_pushnil(L);
  return 1;
}

/* core.relative_path(from, to): returns the path that leads from the folder `from` to `to`, or `to` itself if the working directory is
** unknown. */
static int relative_path(lua_State *L, hx_cx *cx) {
  hx_str from, to;
  if (absolute(L, cx, 1, &from) && absolute(L, cx, 2, &to)) hx_push_str(L, hx_path_relative(cx, from, to));
  else lua_pushvalue(L, 2);
  return 1;
}

/* core.sha256(bytes): returns the digest in hexadecimal, or nil if this build lacks it. */
static int sha256(lua_State *L, hx_cx *cx) {
  hx_str bytes = hx_check_str(L, 1);
  unsigned char digest[HX_HASH_BYTES];
  const hx_digest_library *library = hx_library_get(HX_LIBRARY_DIGEST);
  uint32_t n = library ? library->digest(HX_HASH_SHA256, &bytes, 1, digest) : 0;
  if (n) hx_push_str(L, hx_hex(cx, hx_str_of((const char *)digest, n)));
  else lua_pushnil(L);
  return 1;
}

static const luaL_Reg functions[] = {
  { "read_file", l_read_file },     { "list_folder", l_list_folder }, { "has_file", l_has_file },
  { "make_folder", l_make_folder }, { "real_path", l_real_path },     { NULL, NULL },
};
static const hx_work_row work[] = {
  { "clean_path", 1, clean_path, false },
  { "absolute_path", 1, absolute_path, false },
  { "relative_path", 2, relative_path, false },
  { "sha256", 1, sha256, false },
};

void hx_open_files(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  HX_REGISTER_WORK(L, work);
}
