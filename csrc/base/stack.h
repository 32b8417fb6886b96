/* stack.h: measures how much is left of the C stack in use. Functions over values, types and trees recurse, and a thread may have a small
** stack, so they check it with hx_stack_check (cx.h). The stack's bounds are found when an activity begins on it, and are remembered for
** the thread.
** Memory: a few words for each thread.
** Errors: none. */
#ifndef HX_BASE_STACK_H
#define HX_BASE_STACK_H

#include "base/platform.h"

/* Sanitizers make frames several times as large. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HX_STACK_UNIT ((size_t)4096)
#else
#define HX_STACK_UNIT ((size_t)1024)
#endif

/* The bytes of stack for a function that checks it: enough for its own frame, and for the functions that it calls until the next check. */
#define HX_STACK_RESERVE (16 * HX_STACK_UNIT)
/* The bytes of stack that must be left when an activity begins: enough for work without recursion, or for a report. */
#define HX_STACK_ENTRY (8 * HX_STACK_UNIT)

/* The stack in use, and the innermost guard on it (cx.c). */
typedef struct hx_stack {
  uintptr_t low, size;
  struct hx_guard *guard;
} hx_stack;
extern HX_THREAD_LOCAL hx_stack hx_stack_used;

/* Returns an address in the caller's frame, or near it. */
HX_INLINE uintptr_t hx_stack_here(void) {
#if defined(__GNUC__) || defined(__clang__)
  return (uintptr_t)__builtin_frame_address(0);
#else
  char here;
  volatile uintptr_t at = (uintptr_t)&here;
  return at;
#endif
}

/* Finds the bounds of the stack on which `here` lies. */
void hx_stack_find(hx_stack *s, uintptr_t here);
/* Begins an activity. Returns false if less than HX_STACK_ENTRY is left. */
HX_INLINE bool hx_stack_enter(hx_stack *s) {
  uintptr_t here = hx_stack_here();
  if (HX_UNLIKELY(here - s->low >= s->size)) hx_stack_find(s, here);
  return here - s->low >= HX_STACK_ENTRY;
}
/* Returns true if n bytes of stack are left. For use within an activity. */
HX_INLINE bool hx_stack_has(const hx_stack *s, size_t n) {
  return hx_stack_here() >= s->low + n;
}

#endif
