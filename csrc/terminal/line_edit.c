/* line_edit.c: a Lua module of its own, hclexpr.line_edit: reads lines typed at a terminal, with history and completion, by libedit. Only
** the console loads it; a build without libedit has no such module. It avoids libedit's functions that have readline's names, because the
** Lua program may be linked with another library that has them.
**
** Memory: lines are Lua's strings. Editor and history are the library's, one for the process.
** Errors: a completion that raises offers nothing.
** Signals: while a line is read, signals take effect only where it waits for a key. Handlers only note that a signal came. */
#define _XOPEN_SOURCE 700 /* sigaction, pselect */
#include "binding/state/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

HX_EXPORT int luaopen_hclexpr_line_edit(lua_State *L);

static EditLine *editor;
static History *past;

/* What libedit's callbacks need while l_read runs. */
static struct {
  lua_State *L;
  const char *prompt;
  int complete; /* the stack index of the Lua function, or 0 */
} now;

/* Signals */

/* Signals that are noted while a line is read. Ctrl-C abandons the line. For signals from STOP on, the terminal is first restored, and
** then they do what they would do without us. */
static const int noted[] = { SIGINT, SIGWINCH, SIGCONT, SIGTSTP, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE };
enum { INTERRUPT, RESIZE, CONTINUE, STOP, NOTED = sizeof noted / sizeof *noted };

static volatile sig_atomic_t came[NOTED];
static struct sigaction others[NOTED]; /* the signals' actions before the line was read */
static sigset_t outside;               /* the signals that are blocked while no line is read */

static lua_State *volatile watched;

static void raise_error(lua_State *L, lua_Debug *at) {
  (void)at;
  lua_sethook(L, NULL, 0, 0);
  luaL_error(L, "interrupted!");
}

static void note(int signal) {
  for (int i = 0; i < NOTED; i++) {
    if (noted[i] == signal) came[i] = 1;
  }
  if (signal == SIGINT && watched) lua_sethook(watched, raise_error, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

/* Installs our handler for a signal, unless the signal is ignored. System calls are restarted after it, except pselect. */
static void note_signal(int signal, struct sigaction *before) {
  struct sigaction made = { .sa_handler = note, .sa_flags = SA_RESTART };
  sigemptyset(&made.sa_mask);
  sigaction(signal, NULL, before);
  if (before->sa_handler != SIG_IGN) sigaction(signal, &made, NULL);
}

static void begin_noting(void) {
  sigset_t ours;
  sigemptyset(&ours);
  for (int i = 0; i < NOTED; i++) sigaddset(&ours, noted[i]);
  sigprocmask(SIG_BLOCK, &ours, &outside);
  for (int i = 0; i < NOTED; i++) {
    note_signal(noted[i], &others[i]);
  }
}

static void end_noting(void) {
  for (int i = 0; i < NOTED; i++) sigaction(noted[i], &others[i], NULL);
  sigprocmask(SIG_SETMASK, &outside, NULL);
}

/* Does what a signal would do without us: stops or ends the process. When the process continues, its shell may have changed the
** terminal. */
static void act(int i) {
  struct sigaction ours;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, noted[i]);
  el_set(editor, EL_PREP_TERM, 0);
  if (i != CONTINUE) {
    sigaction(noted[i], &others[i], &ours);
    (void)raise(noted[i]);
    sigprocmask(SIG_UNBLOCK, &one, NULL); /* the signal takes effect here */
    sigprocmask(SIG_BLOCK, &one, NULL);
    sigaction(noted[i], &ours, NULL);
  }
  el_set(editor, EL_PREP_TERM, 1);
  el_set(editor, EL_REFRESH);
}

static bool any_came(void) {
  for (int i = 0; i < NOTED; i++) {
    if (came[i]) return true;
  }
  return false;
}

static void act_on_signals(void) {
  for (int i = INTERRUPT + 1; i < NOTED; i++) {
    if (!came[i]) continue;
    came[i] = 0;
    if (i == RESIZE) el_resize(editor);
    else act(i);
  }
}

/* Keys */

/* Lets in signals that came before a byte was read. pselect does so only if no byte waits. */
static void let_in(void) {
  sigset_t blocked, pending;
  sigpending(&pending);
  for (int i = 0; i < NOTED; i++) {
    if (sigismember(&pending, noted[i]) != 1) continue;
    sigprocmask(SIG_SETMASK, &outside, &blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    return;
  }
}

/* Waits for a byte. Returns false after Ctrl-C, or at the end of the input. */
static bool read_byte(char *byte) {
  while (!came[INTERRUPT]) {
    act_on_signals(); /* also on a signal that came with an earlier Ctrl-C: nothing else would end the wait */
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    int ready = pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &outside);
    let_in();
    if (ready < 0 && errno != EINTR) return false;
    /* Signals come first: while the process is stopped, another process may take the byte. */
    if (ready <= 0 || any_came()) continue;
    ssize_t n = read(STDIN_FILENO, byte, 1);
    if (n >= 0) return n == 1;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
  return false;
}

/* Reads the next character. Returns 0 to end the line, otherwise 1. Skips bytes that are not a character, and NUL: a Ctrl-D that is
** typed while no line is read arrives as NUL. */
static int read_key(EditLine *e, wchar_t *key) {
  mbstate_t state;
  char byte;
  (void)e;
  memset(&state, 0, sizeof state);
  while (read_byte(&byte)) {
    size_t n = mbrtowc(key, &byte, 1, &state);
    if (n == (size_t)-1) {
      memset(&state, 0, sizeof state);
      n = mbrtowc(key, &byte, 1, &state);
    }
    if (n == (size_t)-1) memset(&state, 0, sizeof state);
    else if (n != (size_t)-2 && n != 0) return 1;
  }
  return 0;
}

static char *prompt_of(EditLine *e) {
  (void)e;
  return (char *)(uintptr_t)now.prompt;
}

/* Handles Ctrl-Z, for which the terminal sends no signal in libedit's mode. */
static unsigned char stop(EditLine *e, int key) {
  (void)e;
  (void)key;
  act(STOP);
  return CC_NORM;
}

/* Handles Tab by completing the line. No Lua error may pass through libedit. */
static unsigned char complete(EditLine *e, int key) {
  const LineInfo *line = el_line(e);
  unsigned char done = CC_REFRESH_BEEP;
  lua_State *L = now.L;
  int top = lua_gettop(L);
  (void)key;
  if (!now.complete || !lua_checkstack(L, 8)) return done;
  lua_pushvalue(L, now.complete);
  lua_pushlstring(L, line->buffer, (size_t)(line->cursor - line->buffer));
  if (lua_pcall(L, 1, 2, 0) == 0) {
    if (lua_type(L, -2) == LUA_TSTRING && el_insertstr(e, lua_tostring(L, -2)) == 0) done = CC_REFRESH;
    if (lua_type(L, -1) == LUA_TSTRING) {
      (void)fprintf(stdout, "\n%s\n", lua_tostring(L, -1));
      done = CC_REDISPLAY;
    }
  }
  lua_settop(L, top);
  return done;
}

/* read(prompt, complete?): returns the line without its newline, nil at the end of the input, or false after Ctrl-C. complete(before)
** returns the text to insert at the cursor, and the text to show below the line; before is the line's text before the cursor. */
static int l_read(lua_State *L) {
  const char *prompt = luaL_checkstring(L, 1);
  int n = 0;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_checkstack(L, 8, NULL);
  now.L = L;
  now.prompt = prompt;
  now.complete = lua_isnil(L, 2) ? 0 : 2;
  begin_noting();
  const char *line = el_gets(editor, &n);
  bool left = came[INTERRUPT] != 0;
  came[INTERRUPT] = 0;
  end_noting();
  now.L = NULL;
  if (left) lua_pushboolean(L, 0);
  else if (!line || n <= 0) return 0;
  else lua_pushlstring(L, line, (size_t)n - (line[n - 1] == '\n'));
  return 1;
}

/* start(): from now on, until the process ends, Ctrl-C ends only a line or a call of guard. */
static int l_start(lua_State *L) {
  struct sigaction before;
  (void)L;
  note_signal(SIGINT, &before);
  return 0;
}

/* guard(function, ...): calls the function as pcall does. Each Ctrl-C raises an error in it, even one that came after the line was read. */
static int l_guard(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  watched = L;
  if (came[INTERRUPT]) note(SIGINT);
  bool failed = lua_pcall(L, lua_gettop(L) - 1, 0, 0) != 0;
  watched = NULL;
  if (lua_gethook(L) == raise_error) lua_sethook(L, NULL, 0, 0); /* Ctrl-C came after the function had ended */
  came[INTERRUPT] = 0;
  lua_pushboolean(L, !failed);
  lua_insert(L, 1);
  return failed ? 2 : 1;
}

/* History: a file in libedit's format, a line for each entry. Lines are appended as they are typed, so earlier entries stay however the
** process ends, and whatever else writes to the file. */

#define COOKIE "_HiStOrY_V2_\n"

/* Appends a line in the form that libedit reads, by one write. Only the user may read the file. */
static bool append(const char *path, const char *line) {
  size_t n = strlen(line), cookie = strlen(COOKIE);
  char *text = malloc(cookie + 4 * n + 1), *at = text;
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600);
  struct stat st;
  bool done = text && fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  if (done) {
    if (st.st_size == 0) {
      memcpy(at, COOKIE, cookie);
      at += cookie;
    }
    for (size_t i = 0; i < n; i++) {
      unsigned char c = (unsigned char)line[i];
      if (c > ' ' && c < 0x7F && c != '\\') {
        *at++ = (char)c;
      } else {
        const char escape[] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)) };
        memcpy(at, escape, sizeof escape);
        at += sizeof escape;
      }
    }
    *at++ = '\n';
    done = write(fd, text, (size_t)(at - text)) == at - text;
  }
  free(text);
  if (fd >= 0) (void)close(fd);
  return done;
}

/* add(line, path?): adds the line to the history, and to its file. Returns false if the file can't be written. */
static int l_add(lua_State *L) {
  const char *line = luaL_checkstring(L, 1), *path = luaL_optstring(L, 2, NULL);
  HistEvent event;
  history(past, &event, H_ENTER, line);
  lua_pushboolean(L, !path || append(path, line));
  return 1;
}

/* load(path): loads the history of a file. Returns false if that fails. */
static int l_load(lua_State *L) {
  HistEvent event;
  lua_pushboolean(L, history(past, &event, H_LOAD, luaL_checkstring(L, 1)) >= 0);
  return 1;
}

static const luaL_Reg functions[] = {
  { "read", l_read }, { "start", l_start }, { "guard", l_guard }, { "add", l_add }, { "load", l_load }, { NULL, NULL },
};

static bool open_editor(void) {
  HistEvent event;
  editor = el_init("hclexpr", stdin, stdout, stderr);
  past = history_init();
  if (!editor || !past) return false;
  history(past, &event, H_SETSIZE, 1000);
  el_set(editor, EL_HIST, history, past);
  el_set(editor, EL_PROMPT, prompt_of);
  el_set(editor, EL_SIGNAL, 0);
  el_set(editor, EL_EDITOR, "emacs");
  el_wset(editor, EL_GETCFN, read_key);
  el_set(editor, EL_ADDFN, "hclexpr-complete", "names that fit here", complete);
  el_set(editor, EL_ADDFN, "hclexpr-stop", "stop the process", stop);
  el_set(editor, EL_BIND, "^I", "hclexpr-complete", NULL);
  el_set(editor, EL_BIND, "^Z", "hclexpr-stop", NULL);
  el_source(editor, NULL);
  return true;
}

int luaopen_hclexpr_line_edit(lua_State *L) {
  (void)setlocale(LC_CTYPE, ""); /* the library asks the locale what a character is */
  if (!editor && !open_editor()) return luaL_error(L, "not enough memory");
  lua_newtable(L);
  hx_lua_setfuncs(L, functions, 0);
  return 1;
}
