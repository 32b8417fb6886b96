/* stack.c: finds the end of a thread's C stack. */
#if defined(__linux__)
#define _GNU_SOURCE /* pthread_getattr_np, syscall */
#endif
#include "base/stack.h"

#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* The main thread's stack grows as it is used. We rely on at most this much of it. */
#define GROWN_MOST ((uintptr_t)64 << 20)
/* A coroutine of the host may run on a stack of its own. We know only one place on that stack: where the host called us. We rely on this
** much of the stack below that place. */
#define FOREIGN (HX_STACK_RESERVE + 32 * HX_STACK_UNIT)

typedef struct span {
  uintptr_t low, size;
} span;

HX_THREAD_LOCAL hx_stack hx_stack_used;
static HX_THREAD_LOCAL span own;    /* the thread's own stack */
static HX_THREAD_LOCAL bool looked; /* own_stack() was called for this thread */

#if defined(__linux__)
/* Returns the main thread's stack. It begins below the strings that the kernel puts at the top of the stack, and may grow to
** RLIMIT_STACK. pthread_getattr_np doesn't help here: musl reports only how far the stack has grown, and the GNU library reads a file. */
static span first_stack(void) {
  struct rlimit limit;
  uintptr_t high = (uintptr_t)getauxval(AT_EXECFN), size = GROWN_MOST;
  if (!high || getrlimit(RLIMIT_STACK, &limit) != 0) return (span){ 0, 0 };
  if (limit.rlim_cur < size) size = (uintptr_t)limit.rlim_cur;
  return (span){ high - size, size };
}

static span own_stack(void) {
  pthread_attr_t a;
  void *low;
  size_t size, guard;
  span s = { 0, 0 };
  if (syscall(SYS_gettid) == getpid()) return first_stack();
  if (pthread_getattr_np(pthread_self(), &a) != 0) return s;
  /* Some systems count the guard pages as part of the stack. */
  if (pthread_attr_getstack(&a, &low, &size) == 0 && pthread_attr_getguardsize(&a, &guard) == 0 && guard < size)
    s = (span){ (uintptr_t)low + guard, size - guard };
  pthread_attr_destroy(&a);
  return s;
}
#elif defined(__APPLE__)
static span own_stack(void) {
  size_t size = pthread_get_stacksize_np(pthread_self());
  return (span){ (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size, size };
}
#else
static span own_stack(void) {
  return (span){ 0, 0 };
}
#endif

HX_NOINLINE void hx_stack_find(hx_stack *s, uintptr_t here) {
  if (!looked) own = own_stack();
  looked = true;
  bool ours = here - own.low < own.size;
  s->low = ours ? own.low : here - FOREIGN;
  s->size = ours ? own.size : FOREIGN + HX_STACK_UNIT;
}
