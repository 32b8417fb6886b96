/* file_open.c: opens and reads files, which no other file does. */
#define _GNU_SOURCE /* O_PATH */
#include "fn/file_open.h"

#include "base/vec.h"
#include "fn/file_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM 4096 /* the longest path, including the targets of its links */
#define LINKS_MAX 40

/* The flags for opening a folder along a path. The folder needn't be readable. */
#ifdef O_PATH
#define PASS_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
#define PASS_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

static const char *const texts[] = {
  [HX_FILE_FINE] = "it is a file",
  [HX_FILE_ABSENT] = "the file does not exist",
  [HX_FILE_NOT_FOLDER] = "a part of the path is a file, not a folder",
  [HX_FILE_NO_FOLDER] = "it is a file, not a folder",
  [HX_FILE_IS_FOLDER] = "it is a folder, not a file",
  [HX_FILE_SPECIAL] = "it is not a regular file",
  [HX_FILE_OUTSIDE] = "it is outside the granted folders",
  [HX_FILE_NO_ROOT] = "the folder that the option filesystem names is missing or not readable",
  [HX_FILE_DENIED] = "the system doesn't allow this process to read it",
  [HX_FILE_LINKS] = "too many symbolic links follow each other",
  [HX_FILE_NAME] = "no file can have this name",
  [HX_FILE_HOME] = "~ means this user's home directory only, as ~/, if the variable HOME names it",
  [HX_FILE_BROKEN] = "the system failed to read it",
};

const char *hx_file_fault_text(hx_file_fault fault) {
  return texts[fault];
}

const char *hx_file_fault_reason(hx_file_fault fault) {
  return fault == HX_FILE_OUTSIDE ? "outside" : NULL;
}

static hx_file_fault fault_of(int error) {
  switch (error) {
    case ENOENT: return HX_FILE_ABSENT;
    case ENOTDIR: return HX_FILE_NOT_FOLDER;
    case EISDIR: return HX_FILE_IS_FOLDER;
    case EACCES:
    case EPERM: return HX_FILE_DENIED;
    case ELOOP: return HX_FILE_LINKS;
    case ENAMETOOLONG:
    case EINVAL: return HX_FILE_NAME;
    default: return HX_FILE_BROKEN;
  }
}

hx_file_fault hx_file_locate_home(hx_cx *cx, const hx_host *host, hx_str path, hx_file_place *out) {
  const char *why;
  if (hx_path_has_nul(path)) return HX_FILE_NAME; /* tested before the path is cleaned, which may remove the NUL */
  if (!hx_path_expand(cx, path, &path, &why)) return HX_FILE_HOME;
  return hx_file_locate(cx, host, path, out);
}

/* Returns true if an absolute clean path lies in a folder, and sets *out to its place. */
static bool lies_in(hx_cx *cx, hx_str directory, hx_str whole, hx_file_place *out) {
  hx_str root;
  if (!hx_path_absolute(cx, directory, HX_STR(""), &root) || !hx_path_below(root, whole, &out->inside)) return false;
  if (!out->inside.len) out->inside = HX_STR(".");
  out->directory = directory;
  return true;
}

hx_file_fault hx_file_locate(hx_cx *cx, const hx_host *host, hx_str path, hx_file_place *out) {
  hx_str whole;
  if (hx_path_has_nul(path)) return HX_FILE_NAME;
  *out = (hx_file_place){ host->directory, hx_path_clean(cx, path) };
  hx_str p = out->inside;
  if (p.p[0] != '/' && !(p.len >= 2 && memcmp(p.p, "..", 2) == 0 && (p.len == 2 || p.p[2] == '/'))) return HX_FILE_FINE;
  if (!hx_path_absolute(cx, host->directory, path, &whole)) return HX_FILE_OUTSIDE;
  if (lies_in(cx, host->directory, whole, out)) return HX_FILE_FINE;
  hx_charge_steps(cx, host->folders.n);
  for (uint32_t i = 0; i < host->folders.n; i++)
    if (lies_in(cx, host->folders.p[i], whole, out)) return HX_FILE_FINE;
  return HX_FILE_OUTSIDE;
}

/* A walk from the granted folder along a path. It doesn't allocate, so that an abort can't lose a handle. */
typedef struct walk {
  int root, at;         /* handles of folders: the granted one, and the one reached, which may be the same */
  uint32_t ndone, from; /* elements passed, none a link: done[0 … ndone); elements still to pass: left[from … ROOM) */
  uint32_t links;
  uint64_t taken, most; /* elements passed so far, counting repeats; the most that the remaining steps allow */
  hx_str absolute;      /* the root's own path: absolute links may begin with it */
  char done[ROOM], left[ROOM];
  char name[NAME_MAX + 1];
} walk;

static void move_to(walk *w, int fd) {
  if (w->at != w->root) close(w->at);
  w->at = fd;
}

/* Inserts more elements of the path before the rest. Returns false if the path becomes too long. */
static bool prepend(walk *w, const char *p, size_t n) {
  if (n + 1 > w->from) return false;
  w->left[--w->from] = '/';
  w->from -= (uint32_t)n;
  memcpy(w->left + w->from, p, n);
  return true;
}

/* Moves the next element into w->name, and sets *last to whether it is the last one. Returns 1 if it was moved, 0 if no element is
** left, and -1 if its name is too long. */
static int next_name(walk *w, bool *last) {
  uint32_t n = 0;
  while (w->from < ROOM && w->left[w->from] == '/') w->from++;
  while (w->from < ROOM && w->left[w->from] != '/') {
    if (n == NAME_MAX) return -1;
    w->name[n++] = w->left[w->from++];
  }
  w->name[n] = '\0';
  while (w->from < ROOM && w->left[w->from] == '/') w->from++;
  *last = w->from == ROOM;
  return n ? 1 : 0;
}

/* Moves to a folder inside the current one. */
static hx_file_fault pass(walk *w, const char *name) {
  int fd = openat(w->at, name, PASS_FLAGS);
  size_t n = strlen(name);
  if (fd < 0) return fault_of(errno);
  move_to(w, fd);
  if (n + 1 > ROOM - w->ndone) return HX_FILE_NAME;
  memcpy(w->done + w->ndone, name, n);
  w->ndone += (uint32_t)n;
  w->done[w->ndone++] = '/';
  return HX_FILE_FINE;
}

/* Takes an element "..": walks from the root again, without the last element. The system's own ".." of a folder that was moved meanwhile
** could lead anywhere. */
static hx_file_fault back(walk *w) {
  uint32_t n = w->ndone;
  if (!n) return HX_FILE_OUTSIDE;
  for (n--; n && w->done[n - 1] != '/'; n--) continue;
  uint32_t at = 0;
  w->ndone = n;
  move_to(w, w->root);
  while (at < n) {
    char name[NAME_MAX + 1];
    uint32_t len = 0;
    while (w->done[at + len] != '/') len++;
    memcpy(name, w->done + at, len);
    name[len] = '\0';
    at += len + 1;
    int fd = openat(w->at, name, PASS_FLAGS);
    if (fd < 0) return fault_of(errno);
    move_to(w, fd);
    w->taken++;
  }
  return HX_FILE_FINE;
}

static hx_file_fault follow(walk *w) {
  char target[ROOM];
  hx_str rest;
  ssize_t n = readlinkat(w->at, w->name, target, sizeof target);
  if (n < 0) return fault_of(errno);
  if (n == 0 || n == (ssize_t)sizeof target) return HX_FILE_NAME;
  if (++w->links > LINKS_MAX) return HX_FILE_LINKS;
  if (target[0] != '/') return prepend(w, target, (size_t)n) ? HX_FILE_FINE : HX_FILE_NAME;
  if (!hx_path_below(w->absolute, hx_str_of(target, (size_t)n), &rest)) return HX_FILE_OUTSIDE;
  w->ndone = 0;
  move_to(w, w->root);
  return prepend(w, rest.p, rest.len) ? HX_FILE_FINE : HX_FILE_NAME;
}

typedef enum want { LOOK, READ, LIST } want;

/* Resolves a path from the folder `at`, and opens its file or folder as *fd unless `what` is LOOK. */
static hx_file_fault arrive(int at, const char *path, bool follows_links, want what, int *fd) {
  struct stat st;
  int flags = what == LIST ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK | O_NOCTTY;
  if (fstatat(at, path, &st, follows_links ? 0 : AT_SYMLINK_NOFOLLOW) != 0) return fault_of(errno);
  if (what != LIST && S_ISDIR(st.st_mode)) return HX_FILE_IS_FOLDER;
  if (what == LIST && !S_ISDIR(st.st_mode)) return HX_FILE_NO_FOLDER;
  if (what != LIST && !S_ISREG(st.st_mode)) return HX_FILE_SPECIAL;
  if (what == LOOK) return HX_FILE_FINE;
  *fd = openat(at, path, flags | (follows_links ? 0 : O_NOFOLLOW) | O_CLOEXEC);
  return *fd < 0 ? fault_of(errno) : HX_FILE_FINE;
}

static hx_file_fault go(walk *w, want what, int *fd) {
  for (;;) {
    struct stat st;
    bool last;
    hx_file_fault fault = HX_FILE_FINE;
    int found = next_name(w, &last);
    if (++w->taken > w->most) return HX_FILE_BROKEN; /* then find_with() aborts the activity */
    if (found < 0) return HX_FILE_NAME;
    if (found == 0) return arrive(w->at, ".", false, what, fd);
    if (strcmp(w->name, ".") == 0) continue;
    if (strcmp(w->name, "..") == 0) {
      fault = back(w);
    } else if (fstatat(w->at, w->name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
      return fault_of(errno);
    } else if (S_ISLNK(st.st_mode)) {
      fault = follow(w);
    } else if (last) {
      return arrive(w->at, w->name, false, what, fd);
    } else {
      fault = S_ISDIR(st.st_mode) ? pass(w, w->name) : HX_FILE_NOT_FOLDER;
    }
    if (fault != HX_FILE_FINE) return fault;
  }
}

/* The steps for the system calls that begin a walk, pass an element of the path, and read an entry of a folder. */
#define BEGIN_STEPS 64u
#define ELEMENT_STEPS 64u
#define ENTRY_STEPS 24u

static void charge_begin(hx_cx *cx, hx_str directory) {
  hx_charge_steps(cx, BEGIN_STEPS);
  hx_charge_memory(cx, 2 * (uint64_t)directory.len); /* the folder's path is written twice */
}

/* Walks to `inside` and opens it as *fd, or returns a fault. */
static hx_file_fault find_with(hx_cx *cx, walk *w, hx_str directory, hx_str inside, want what, int *fd) {
  w->from = ROOM;
  w->ndone = w->links = 0;
  w->taken = 0;
  charge_begin(cx, directory);
  if (!hx_path_absolute(cx, directory, HX_STR(""), &w->absolute)) w->absolute = HX_STR("\n"); /* no path begins like this */
  *fd = -1;
  if (!prepend(w, inside.p, inside.len)) return HX_FILE_NAME;
  w->root = w->at = open(hx_c_str(cx, directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (w->root < 0) {
    hx_file_fault fault = fault_of(errno);
    return fault == HX_FILE_BROKEN ? fault : HX_FILE_NO_ROOT; /* broken: too many open files, for example */
  }
  w->most = cx->steps_left / ELEMENT_STEPS;
  hx_file_fault fault = go(w, what, fd);
  move_to(w, w->root);
  close(w->root);
  if (w->taken > w->most) hx_abort(cx, HX_WHY_STEPS); /* then nothing was opened */
  hx_charge_steps(cx, ELEMENT_STEPS * w->taken);
  return fault;
}

static hx_file_fault find(hx_cx *cx, hx_str directory, hx_str inside, want what, int *fd) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  walk *w = hx_arena_alloc(&cx->scratch, sizeof *w); /* a walk would take too much of a small stack */
  hx_file_fault fault = find_with(cx, w, directory, inside, what, fd);
  hx_arena_release(&cx->scratch, mark);
  return fault;
}

hx_file_fault hx_file_look(hx_cx *cx, hx_str directory, hx_str inside) {
  int fd;
  return find(cx, directory, inside, LOOK, &fd);
}

/* Reading */

static void close_handle(void *p) {
  close((int)(intptr_t)p - 1);
}

/* Reads up to n bytes, and sets *got to their number, which is less than n at the end of the file. Returns false if reading failed. */
static bool fill(int fd, char *to, size_t n, size_t *got) {
  *got = 0;
  while (*got < n) {
    ssize_t k = read(fd, to + *got, n - *got);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return false;
    if (k == 0) break;
    *got += (size_t)k;
  }
  return true;
}

/* Reads a file to its end, even if it grows in the meantime, and charges for all of it. */
static hx_file_fault read_all(hx_cx *cx, int fd, hx_str *content) {
  struct stat st;
  size_t n = 0, room, got;
  if (fstat(fd, &st) != 0 || st.st_size < 0) return HX_FILE_BROKEN;
  if (!S_ISREG(st.st_mode)) return HX_FILE_SPECIAL;
  if ((uint64_t)st.st_size > UINT32_MAX / 2) hx_abort(cx, HX_WHY_MEMORY);
  room = (size_t)st.st_size + 1;
  hx_charge_memory(cx, room);
  hx_charge_steps(cx, room / 64);
  char *p = hx_alloc(cx, room);
  for (;;) {
    if (!fill(fd, p + n, room - n, &got)) return HX_FILE_BROKEN;
    n += got;
    if (n < room) break;
    if (room > UINT32_MAX / 4) hx_abort(cx, HX_WHY_MEMORY);
    hx_charge_memory(cx, room);
    hx_charge_steps(cx, room / 64);
    p = hx_arena_grow(&cx->arena, p, room, room * 2);
    room *= 2;
  }
  *content = hx_str_of(p, n);
  return HX_FILE_FINE;
}

/* Reads the opened file, and closes it. */
static hx_file_fault read_opened(hx_cx *cx, int fd, hx_str *content) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_arena_defer(&cx->scratch, close_handle, (void *)(intptr_t)(fd + 1));
  hx_file_fault fault = read_all(cx, fd, content);
  hx_arena_release(&cx->scratch, mark);
  return fault;
}

hx_file_fault hx_file_read(hx_cx *cx, hx_str directory, hx_str inside, hx_str *content) {
  int fd;
  hx_file_fault fault = find(cx, directory, inside, READ, &fd);
  return fault == HX_FILE_FINE ? read_opened(cx, fd, content) : fault;
}

/* Opens a path that no folder confines: the system resolves it. */
static hx_file_fault open_anywhere(hx_cx *cx, hx_str path, want what, int *fd) {
  hx_charge_steps(cx, BEGIN_STEPS);
  if (hx_path_has_nul(path)) return HX_FILE_NAME;
  return arrive(AT_FDCWD, hx_c_str(cx, hx_path_clean(cx, path)), true, what, fd);
}

hx_file_fault hx_file_read_anywhere(hx_cx *cx, hx_str path, hx_str *content) {
  int fd;
  hx_file_fault fault = open_anywhere(cx, path, READ, &fd);
  return fault == HX_FILE_FINE ? read_opened(cx, fd, content) : fault;
}

/* Folders */

static void close_folder(void *p) {
  closedir(p);
}

static int by_name(const void *a, const void *b) {
  const hx_file_entry *x = a, *y = b;
  return hx_str_cmp(x->name, y->name);
}

/* Returns the type of an entry, which many systems return with the name. */
static mode_t type_of(DIR *dir, const struct dirent *d) {
  struct stat st;
#ifdef DTTOIF
  if (d->d_type != DT_UNKNOWN) return DTTOIF((mode_t)d->d_type);
#endif
  return fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode : 0;
}

/* Finds out whether an entry is a link, and whether it leads to a folder. place: the place of the folder that is listed; NULL:
** links may lead anywhere. */
static void look_at(hx_cx *cx, const hx_file_place *place, DIR *dir, mode_t type, hx_file_entry *e) {
  int opened;
  e->link = S_ISLNK(type);
  e->folder = S_ISDIR(type);
  if (!e->link) return;
  hx_file_fault fault = place ? find(cx, place->directory, hx_path_join(cx, place->inside, e->name), LIST, &opened)
                              : arrive(dirfd(dir), e->name.p, true, LIST, &opened);
  if (fault != HX_FILE_FINE) return;
  close(opened);
  e->folder = true;
}

typedef HX_VEC(hx_file_entry) entry_list;

static void read_entries(hx_cx *cx, const hx_file_place *place, DIR *dir, entry_list *list) {
  const struct dirent *d;
  while ((d = readdir(dir)) != NULL) {
    if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
    hx_str name = hx_str_copy(cx, hx_str_of(d->d_name, strlen(d->d_name) + 1));
    hx_charge_steps(cx, ENTRY_STEPS);
    hx_charge_memory(cx, 32 + name.len);
    hx_file_entry *e = HX_VEC_PUSH(&cx->arena, list);
    *e = (hx_file_entry){ hx_str_of(name.p, name.len - 1), false, false };
    look_at(cx, place, dir, type_of(dir, d), e);
  }
}

/* Lists the opened folder, and closes it. */
static hx_file_fault list_opened(hx_cx *cx, const hx_file_place *place, int fd, hx_file_entry **entries, uint32_t *n,
                                 uint64_t dev_ino[2]) {
  struct stat st;
  entry_list list = { NULL, 0, 0 };
  DIR *dir = fstat(fd, &st) == 0 ? fdopendir(fd) : NULL;
  if (!dir) {
    hx_file_fault fault = fault_of(errno);
    close(fd);
    return fault;
  }
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_arena_defer(&cx->scratch, close_folder, dir);
  read_entries(cx, place, dir, &list);
  hx_arena_release(&cx->scratch, mark);
  if (list.n) qsort(list.p, list.n, sizeof *list.p, by_name);
  *entries = list.p;
  *n = list.n;
  dev_ino[0] = (uint64_t)st.st_dev;
  dev_ino[1] = (uint64_t)st.st_ino;
  return HX_FILE_FINE;
}

hx_file_fault hx_file_list(hx_cx *cx, hx_str directory, hx_str inside, hx_file_entry **entries, uint32_t *n, uint64_t dev_ino[2]) {
  int fd;
  hx_file_fault fault = find(cx, directory, inside, LIST, &fd);
  return fault == HX_FILE_FINE ? list_opened(cx, &(hx_file_place){ directory, inside }, fd, entries, n, dev_ino) : fault;
}

hx_file_fault hx_file_list_anywhere(hx_cx *cx, hx_str path, hx_file_entry **entries, uint32_t *n) {
  uint64_t id[2];
  int fd;
  hx_file_fault fault = open_anywhere(cx, path, LIST, &fd);
  return fault == HX_FILE_FINE ? list_opened(cx, NULL, fd, entries, n, id) : fault;
}
