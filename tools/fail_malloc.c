/* fail_malloc.c: for spec/unit/starved_spec.lua. Preloaded (LD_PRELOAD), it replaces malloc, and makes the n-th call fail in a
** separate process for each n. Lua calls two functions of it by package.loadlib; neither uses Lua.
**
**   fail_fork  FAIL="FIRST STEP": counts the calls of one undisturbed child, then makes a child for each n of FIRST, FIRST + STEP, …;
**              returns in each child. The parent prints each n that failed badly, then their number, and never returns.
**   fail_stop  no more calls fail. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
int fail_fork(void *L);
int fail_stop(void *L);

static long failing; /* the call that fails; 0: none */
static long *count;  /* of calls since fail_fork, shared with the parent; NULL: not counting */

static int fails(void) {
  if (!count || ++*count != failing) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) {
  return fails() ? NULL : __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
  return fails() ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t n) {
  return n && fails() ? NULL : __libc_realloc(p, n);
}

int fail_stop(void *L) {
  (void)L;
  count = NULL;
  return 0;
}

/* True in the child. */
static int child(long *calls, long n, int *status) {
  fflush(NULL);
  *calls = 0;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(30);
    failing = n;
    count = calls;
    return 1;
  }
  waitpid(pid, status, 0);
  return 0;
}

int fail_fork(void *L) {
  const char *how = getenv("FAIL");
  long first = 1, step = 1, tried = 0, bad = 0;
  int status;
  long *calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  (void)L;
  if (how) sscanf(how, "%ld %ld", &first, &step);
  if (child(calls, 0, &status)) return 0;
  if (status != 0) printf("without a failure: status %x\n", (unsigned)status);
  for (long n = first, most = *calls; n <= most; n += step, tried++) {
    if (child(calls, n, &status)) return 0;
    if (status == 0) continue;
    bad++;
    printf("%ld of %ld: %s %d\n", n, most, WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  printf("tried %ld, bad %ld\n", tried, bad);
  fflush(stdout);
  _exit(bad != 0);
}
