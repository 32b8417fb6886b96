/* platform.h: compiler attributes, assertions, and the integer types that every file uses.
** Memory: none.
** Errors: HX_ASSERT stops a test build. In a release build it costs nothing. */
#ifndef HX_BASE_PLATFORM_H
#define HX_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> /* defines __GLIBC__ */

/* Declares a thread-local variable. By default, the GNU library allocates those of a loaded object when a thread first uses them, and
** ends the process if it can't. With this model they lie in memory that every thread has from its start, where our few words fit. */
#if defined(__GLIBC__)
#define HX_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define HX_THREAD_LOCAL _Thread_local
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HX_LIKELY(x) __builtin_expect(!!(x), 1)
#define HX_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HX_INLINE static inline __attribute__((always_inline, unused))
#define HX_NOINLINE __attribute__((noinline, cold))
#define HX_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
/* Makes a function visible outside its shared object. */
#define HX_EXPORT __attribute__((visibility("default")))
#else
#define HX_EXPORT
#define HX_LIKELY(x) (x)
#define HX_UNLIKELY(x) (x)
#define HX_INLINE static inline
#define HX_NOINLINE
#define HX_PRINTF(fmt, args)
#endif

/* Test builds (make test, asan, valgrind) define HX_TEST. */
#ifdef HX_TEST
#include <assert.h>
#define HX_ASSERT(c) assert(c)
#else
#define HX_ASSERT(c) ((void)0)
#endif

#ifdef HX_TEST
#define HX_UNREACHABLE() assert(0 && "unreachable")
#elif defined(__GNUC__) || defined(__clang__)
#define HX_UNREACHABLE() __builtin_unreachable()
#else
#define HX_UNREACHABLE() ((void)0)
#endif

#endif
