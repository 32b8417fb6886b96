/* cx.h: an activity (a parse, an evaluation, a conversion): its arenas, limits, diagnostics and abort point.
** A function that may allocate, charge a limit or report takes the activity as its first parameter.
** Memory: results live in cx->arena unless the function says otherwise. cx->scratch is for one function's own use, between
**   hx_arena_get_mark and hx_arena_release.
** Errors: a function that runs out of memory or of a limit calls hx_abort, which returns to the hx_guard_run of the entry
**   point. */
#ifndef HX_BASE_CX_H
#define HX_BASE_CX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/stack.h"
#include "base/str.h"

/* Why an activity ended early. */
typedef enum hx_why {
  HX_WHY_NONE,
  HX_WHY_NO_MEMORY, /* malloc failed */
  HX_WHY_STEPS,
  HX_WHY_MEMORY,
  HX_WHY_DEPTH,
  HX_WHY_STACK, /* the thread's C stack is nearly used up */
  HX_WHY_OUTPUT,
  HX_WHY_SOURCE,
} hx_why;

/* Limits as the user gives them: bytes and counts. */
typedef struct hx_limits {
  uint64_t steps;
  uint64_t memory;
  uint64_t depth; /* at most HX_DEPTH_MAX */
  uint64_t output;
  uint64_t source;
} hx_limits;

/* Data and syntax never nest deeper than HX_DEPTH_MAX, whatever limit the user sets. Functions over values may recurse if they call
** hx_stack_check. */
#define HX_DEPTH_MAX 10000u
extern const hx_limits hx_limits_default;

typedef struct hx_guard hx_guard;

typedef struct hx_cx {
  hx_arena arena;
  hx_arena scratch;
  hx_guard *guard; /* innermost abort point; NULL outside hx_guard_run */
  hx_limits limits;
  uint64_t steps_left, memory_left, output_left;
  hx_diags diags;
  hx_diag why_diag;   /* the diagnostic of an abort: memory may have run out by then */
  hx_diag spare;      /* the record shared by all diagnostics that are only counted */
  hx_range why_range; /* the place at which the activity was aborted, if known */
  const struct hx_source *why_source;
  uint32_t silent;      /* nesting count: above 0, reports are only counted, and no messages are written */
  uint32_t tries;       /* number of running try() and can(): within them, a result that may still fail is unknown as a whole */
  bool secret;          /* the activity works on an unmarked part of a secret value: messages show no values */
  struct hx_kept *kept; /* see hx_keep */
} hx_cx;

/* Returns true if reports are only counted at present, not shown. */
HX_INLINE bool hx_is_silent(const hx_cx *cx) {
  return cx->silent != 0 || cx->diags.kept >= HX_DIAGS_MAX;
}

void hx_cx_init(hx_cx *cx, const hx_limits *limits, uint32_t first_chunk);
void hx_cx_deinit(hx_cx *cx);
/* Sets the limits, and starts counting from 0 again. */
HX_INLINE void hx_cx_refill(hx_cx *cx, const hx_limits *limits) {
  cx->limits = *limits;
  cx->steps_left = limits->steps;
  cx->memory_left = limits->memory;
  cx->output_left = limits->output;
}
/* Prepares the activity for its next use: empties the arenas, which keep a chunk each, sets the limits, and drops the diagnostics. Every
** evaluation begins with hx_cx_reset. */
HX_INLINE void hx_cx_reset(hx_cx *cx, const hx_limits *limits) {
  hx_cx_refill(cx, limits);
  cx->guard = NULL;
  cx->diags = (hx_diags){ 0 };
  cx->why_source = NULL;
  cx->silent = cx->tries = 0;
  cx->secret = false;
  hx_arena_reset(&cx->arena);
  hx_arena_reset(&cx->scratch);
}

/* Notes where the activity is, for the report of an abort. */
HX_INLINE void hx_why_at(hx_cx *cx, const struct hx_source *source, hx_range range) {
  cx->why_source = source;
  cx->why_range = range;
}

/* Runs fn(cx, ud). Returns HX_WHY_NONE if fn returned, else why it was aborted. Guards may be nested, and Lua errors may pass through
** them. */
hx_why hx_guard_run(hx_cx *cx, void (*fn)(hx_cx *cx, void *ud), void *ud);
/* Makes the activity's guard the thread's innermost again. fn must call it after Lua code may have run, such as a finalizer: a Lua error
** in that code may have left another guard as the innermost. */
HX_INLINE void hx_guard_again(const hx_cx *cx) {
  hx_stack_used.guard = cx->guard;
}
_Noreturn void hx_abort(hx_cx *cx, hx_why why);
/* Aborts if little is left of the C stack: returns to the innermost hx_guard_run of this thread. So functions without an activity can
** call it. Every function that recurses, directly or through others, calls hx_stack_check first at each level. */
void hx_stack_check(void);
/* Aborts likewise before a call that needs n bytes of stack, more than HX_STACK_RESERVE. */
void hx_stack_need(size_t n);
/* Adds the diagnostic of an abort to cx->diags, once for each activity. If memory is lacking, its message leaves out the limit's value.
** It becomes the first in the list, because earlier diagnostics may turn out not to be errors, as within try(). */
void hx_why_report(hx_cx *cx, hx_why why);
/* Returns the reason in a few words, for a Lua error. */
const char *hx_why_word(hx_why why);

HX_INLINE void *hx_alloc(hx_cx *cx, size_t n) {
  return hx_arena_alloc(&cx->arena, n);
}
#define HX_NEW(cx, type) ((type *)hx_alloc((cx), sizeof(type)))
/* Allocates n elements of `size` bytes. The product is checked for overflow. */
HX_INLINE void *hx_alloc_array(hx_cx *cx, size_t n, size_t size) {
  if (HX_UNLIKELY(size && n > SIZE_MAX / size)) hx_abort(cx, HX_WHY_NO_MEMORY);
  return hx_alloc(cx, n * size);
}
#define HX_NEW_ARRAY(cx, type, n) ((type *)hx_alloc_array((cx), (n), sizeof(type)))

/* Returns the memory that a layer keeps for an activity under `key` (for compiled patterns, say). `key` is an address that only its
** owner knows. The first call allocates the memory, zeroed, in cx->arena. When the arena ends or is released below it, `end` is called
** unless it is NULL. */
void *hx_keep(hx_cx *cx, const void *key, size_t size, void (*end)(void *piece));

hx_str hx_str_copy(hx_cx *cx, hx_str s);
/* Returns a copy that ends with a NUL. */
const char *hx_c_str(hx_cx *cx, hx_str s);
/* Formats text into the arena, with the conversions of hx_buf_f (base/buf.h). */
hx_str hx_strf(hx_cx *cx, const char *fmt, ...) HX_PRINTF(2, 3);
/* Formats a message, or a part of one, as hx_strf does, but cuts long texts among the arguments. While cx is silent, formats nothing and
** returns HX_UNSAID, which isn't empty: an empty text always means that no text was given. */
hx_str hx_say(hx_cx *cx, const char *fmt, ...) HX_PRINTF(2, 3);
hx_str hx_say_with(hx_cx *cx, const char *fmt, va_list *args);
#define HX_UNSAID HX_STR("...")

/* Charges memory, by logical sizes: 16 for a value or element, the bytes of a string, 16 more for a key. */
HX_INLINE void hx_charge_memory(hx_cx *cx, uint64_t n) {
  if (HX_UNLIKELY(n > cx->memory_left)) hx_abort(cx, HX_WHY_MEMORY);
  cx->memory_left -= n;
}
HX_INLINE void hx_charge_steps(hx_cx *cx, uint64_t n) {
  if (HX_UNLIKELY(n > cx->steps_left)) hx_abort(cx, HX_WHY_STEPS);
  cx->steps_left -= n;
}
HX_INLINE void hx_charge_output(hx_cx *cx, uint64_t n) {
  if (HX_UNLIKELY(n > cx->output_left)) hx_abort(cx, HX_WHY_OUTPUT);
  cx->output_left -= n;
}
/* The weight of a value counts a shared part each time it occurs: nesting `[x, x]` forty times gives 2^40 parts. A walk through the
** value takes time in proportion to its weight. So the weight has a limit as well, and a walk is charged beforehand. */
#define HX_WEIGHT_FACTOR 2u
HX_INLINE uint64_t hx_check_weight(hx_cx *cx, uint64_t weight) {
  if (HX_UNLIKELY(weight / HX_WEIGHT_FACTOR > cx->limits.memory)) hx_abort(cx, HX_WHY_MEMORY);
  return weight;
}
HX_INLINE void hx_charge_walk(hx_cx *cx, uint64_t weight) {
  hx_charge_steps(cx, weight >> 8);
}
/* Aborts if depth exceeds the limit; for code that handles nested data. */
HX_INLINE void hx_check_depth(hx_cx *cx, uint64_t depth) {
  if (HX_UNLIKELY(depth > cx->limits.depth)) hx_abort(cx, HX_WHY_DEPTH);
}

#endif
