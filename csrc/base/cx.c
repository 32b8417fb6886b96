/* cx.c: begins and ends activities. The project's only setjmp is here. */
#define _DEFAULT_SOURCE /* _setjmp */
#include "base/cx.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>

/* The first size of a message's buffer. Bytes that the message doesn't need return to the arena. */
#define MESSAGE_SIZE 192

const hx_limits hx_limits_default = {
  .steps = 10000000,
  .memory = 64u << 20,
  .depth = 1000,
  .output = 16u << 20,
  .source = 64u << 20,
};

struct hx_guard {
  jmp_buf point;
  hx_guard *outer;  /* the enclosing guard of the same activity */
  hx_guard *before; /* the guard that was the thread's innermost before this one */
  hx_stack *stack;
  hx_why why;
};

void hx_cx_init(hx_cx *cx, const hx_limits *limits, uint32_t first_chunk) {
  memset(cx, 0, sizeof *cx);
  hx_arena_init(&cx->arena, cx, first_chunk);
  hx_arena_init(&cx->scratch, cx, first_chunk);
  hx_cx_refill(cx, limits ? limits : &hx_limits_default);
}

void hx_cx_deinit(hx_cx *cx) {
  hx_arena_free(&cx->arena);
  hx_arena_free(&cx->scratch);
  cx->diags = (hx_diags){ 0 };
}

hx_why hx_guard_run(hx_cx *cx, void (*fn)(hx_cx *cx, void *ud), void *ud) {
  hx_guard guard;
  guard.outer = cx->guard;
  guard.why = HX_WHY_NONE;
  guard.stack = &hx_stack_used;
  if (!hx_stack_enter(guard.stack)) return HX_WHY_STACK;
  guard.before = guard.stack->guard;
  cx->guard = guard.stack->guard = &guard;
#if defined(__GNUC__)
  if (_setjmp(guard.point) == 0) fn(cx, ud);
#else
  if (setjmp(guard.point) == 0) fn(cx, ud);
#endif
  cx->guard = guard.outer;
  guard.stack->guard = guard.before;
  return guard.why;
}

static _Noreturn void leave(hx_guard *guard, hx_why why) {
  guard->why = why;
  longjmp(guard->point, 1);
}

_Noreturn void hx_abort(hx_cx *cx, hx_why why) {
  HX_ASSERT(cx->guard != NULL);
  leave(cx->guard, why);
}

static inline void need(size_t n) {
  const hx_stack *s = &hx_stack_used;
  HX_ASSERT(s->guard != NULL);
  if (HX_UNLIKELY(!hx_stack_has(s, n))) leave(s->guard, HX_WHY_STACK);
}

void hx_stack_need(size_t n) {
  need(n + HX_STACK_ENTRY);
}

void hx_stack_check(void) {
  need(HX_STACK_RESERVE);
}

/* The diagnostic for each reason. Its record is part of the activity (why_diag), because no memory may be left for another one. */
static const hx_diag_id why_ids[] = {
  [HX_WHY_NONE] = HX_D_NO_MEMORY,      [HX_WHY_NO_MEMORY] = HX_D_NO_MEMORY, [HX_WHY_STEPS] = HX_D_LIMIT_STEPS,
  [HX_WHY_MEMORY] = HX_D_LIMIT_MEMORY, [HX_WHY_DEPTH] = HX_D_LIMIT_DEPTH,   [HX_WHY_OUTPUT] = HX_D_LIMIT_OUTPUT,
  [HX_WHY_SOURCE] = HX_D_LIMIT_SOURCE, [HX_WHY_STACK] = HX_D_LIMIT_STACK,
};

typedef struct why_job {
  hx_why why;
  hx_str text;
} why_job;

static hx_str text_of(hx_cx *cx, hx_diag_id id, ...) {
  hx_buf b;
  va_list args;
  hx_buf_init(&b, &cx->arena, MESSAGE_SIZE);
  va_start(args, id);
  hx_buf_vf(&b, hx_diag_format(id), &args);
  va_end(args);
  return hx_buf_done(&b);
}

static void run_text(hx_cx *cx, void *ud) {
  why_job *job = ud;
  const hx_limits *limits = &cx->limits;
  const uint64_t by_why[] = {
    [HX_WHY_NONE] = 0,
    [HX_WHY_NO_MEMORY] = 0,
    [HX_WHY_STEPS] = limits->steps,
    [HX_WHY_MEMORY] = limits->memory,
    [HX_WHY_DEPTH] = limits->depth,
    [HX_WHY_STACK] = 0,
    [HX_WHY_OUTPUT] = limits->output,
    [HX_WHY_SOURCE] = limits->source,
  };
  hx_str limit = hx_strf(cx, "%llu", (unsigned long long)by_why[job->why]);
  job->text = text_of(cx, why_ids[job->why], HX_STR_ARG(limit));
}

/* Returns the message of an abort. It names the limit's value, unless no memory is left to format that. */
static hx_str why_text(hx_cx *cx, hx_why why) {
  why_job job = { why, HX_STR("This is more than the limit allows. Make it less, or raise that limit.") };
  if (why == HX_WHY_NO_MEMORY || why == HX_WHY_STACK) return hx_str_c(hx_diag_format(why_ids[why]));
  hx_guard_run(cx, run_text, &job);
  return job.text;
}

void hx_why_report(hx_cx *cx, hx_why why) {
  hx_diag *d = &cx->why_diag;
  if (cx->diags.first == d) return;
  *d = (hx_diag){ .id = (uint16_t)why_ids[why], .source = cx->why_source, .subject = cx->why_range, .context = cx->why_range };
  d->has_range = cx->why_source != NULL;
  d->detail = why_text(cx, why);
  hx_diags_prepend(&cx->diags, d);
}

const char *hx_why_word(hx_why why) {
  return why == HX_WHY_STACK ? "too little is left of the C stack" : "not enough memory";
}

typedef struct hx_kept {
  const void *key;
  hx_cx *cx;
  struct hx_kept *before;
  void (*end)(void *piece);
} hx_kept;

/* Ends a piece of hx_keep. The newest piece, the first of the list, always ends first. */
static void end_kept(void *p) {
  hx_kept *k = p;
  if (k->end) k->end(k + 1);
  k->cx->kept = k->before;
}

void *hx_keep(hx_cx *cx, const void *key, size_t size, void (*end)(void *piece)) {
  hx_kept *k = cx->kept;
  while (k && k->key != key) k = k->before;
  if (k) return k + 1;
  k = hx_alloc(cx, sizeof *k + size);
  *k = (hx_kept){ key, cx, cx->kept, end };
  memset(k + 1, 0, size);
  cx->kept = k;
  hx_arena_defer(&cx->arena, end_kept, k);
  return k + 1;
}

hx_str hx_str_copy(hx_cx *cx, hx_str s) {
  char *p = hx_alloc(cx, s.len);
  if (s.len) memcpy(p, s.p, s.len);
  return (hx_str){ p, s.len };
}

const char *hx_c_str(hx_cx *cx, hx_str s) {
  char *p = hx_alloc(cx, (size_t)s.len + 1);
  if (s.len) memcpy(p, s.p, s.len);
  p[s.len] = '\0';
  return p;
}

hx_str hx_strf(hx_cx *cx, const char *fmt, ...) {
  hx_buf b;
  va_list args;
  hx_buf_init(&b, &cx->arena, MESSAGE_SIZE);
  va_start(args, fmt);
  hx_buf_vf(&b, fmt, &args);
  va_end(args);
  return hx_buf_done(&b);
}

hx_str hx_say_with(hx_cx *cx, const char *fmt, va_list *args) {
  if (cx->silent) return HX_UNSAID;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, MESSAGE_SIZE);
  hx_buf_say(&b, fmt, args);
  return hx_buf_done(&b);
}

hx_str hx_say(hx_cx *cx, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  hx_str s = hx_say_with(cx, fmt, &args);
  va_end(args);
  return s;
}
