/* stack.h: how much is left of the C stack that the caller runs on. Functions over values, types and trees recurse, and a thread
** may have a small stack: those check it, by hx_stack_check (cx.h). A stack is found when an activity is entered on it, and kept
** for the thread.
** Memory: none but a few words of the thread's own.
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

/* What a checked function may count on: for its own frame, and for what it calls until the next check. */
#define HX_STACK_RESERVE (16 * HX_STACK_UNIT)
/* What an activity needs that nests nothing, or that only reports. */
#define HX_STACK_ENTRY (8 * HX_STACK_UNIT)

/* At the start of an activity: finds out which stack this is. False: less than HX_STACK_ENTRY is left. */
bool hx_stack_enter(void);
/* Within one: are n bytes left? */
bool hx_stack_has(size_t n);

#endif
