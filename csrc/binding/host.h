/* host.h: the C host of the machine (vm/host.h): named values along their paths, collections by rows, functions, capabilities.
** Memory: answers are in the evaluation's arena, or of bound values, which it keeps.
** Errors: reported here, once, with the path of the data that is wrong. */
#ifndef HX_BINDING_HOST_H
#define HX_BINDING_HOST_H

#include "binding/evaluation.h"

/* Fills in the functions of a host. */
void hx_host_init(hx_host *host);

/* rows.c */
hx_answer hx_host_whole(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_val *out);
hx_answer hx_host_shape(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_kind *kind, uint32_t *n, const hx_str **keys);
bool hx_host_outline(hx_host *h, const hx_val *foreign, hx_kind kind, uint32_t *n, hx_str *keys, uint32_t most);
hx_answer hx_host_index(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_val *key, hx_want want, hx_val *out, bool *found);
hx_answer hx_host_rows(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t first, uint32_t n,
                       const hx_column *columns, uint32_t ncolumns, hx_val *cells);
hx_answer hx_host_cell(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t row, const hx_column *column,
                       hx_val *out, uint32_t *at);

/* host_scope.c */
hx_str hx_host_names(hx_host *h, hx_cx *cx, bool functions, const hx_str **names, uint32_t *n);
hx_str hx_host_foreign_note(hx_host *h, const hx_val *foreign);
const hx_fn *hx_host_function(hx_host *h, hx_cx *cx, hx_str name);
hx_answer hx_host_clock(hx_host *h, hx_cx *cx, int64_t *seconds);
hx_answer hx_host_random(hx_host *h, hx_cx *cx, void *bytes, uint32_t n);

/* Where data comes from, for messages and for new FOREIGN values. */
typedef struct hx_origin {
  const hx_path *path;
  uint32_t steps;
  int32_t parent; /* FOREIGN value, if path is NULL */
  hx_str key;
  int64_t index;
  const hx_path_step *more;
  uint32_t nmore;
} hx_origin;

/* A walk from the Lua value on top of the stack (which it replaces and at last pops) along steps[at … n): as far as simple. */
typedef struct hx_walk {
  hx_evaluation *ev;
  hx_cx *cx;
  const hx_path_step *steps;
  uint32_t n, at;
  uint8_t want;     /* hx_want: of what it ends at */
  bool quiet;       /* failures aren't reported and lazy values not asked for: HX_ANSWER_ABSENT instead */
  bool function_ok; /* a plain function is a lazy value here (a value of `variables`) */
  hx_origin origin; /* of the value before the first step; its steps or nmore are filled in by the walk */
  hx_val out;
  int type;        /* of a root: its Lua type */
  int base;        /* the walk's own: height of the stack below the value */
  uint32_t lazies; /* its own, too: answers of lazy values it went through */
} hx_walk;
/* A walk of no steps yet, of a value that comes from nowhere: field by field, for the compiler's way to clear so many bytes at once is
** slow, and each named value begins with this. */
HX_INLINE void hx_walk_init(hx_walk *w, hx_evaluation *ev, hx_cx *cx) {
  w->ev = ev;
  w->cx = cx;
  w->steps = NULL;
  w->n = w->at = 0;
  w->want = HX_WANT_OPEN;
  w->quiet = w->function_ok = false;
  w->origin.path = NULL;
  w->origin.steps = 0;
  w->origin.parent = 0;
  w->origin.key.p = NULL;
  w->origin.key.len = 0;
  w->origin.index = 0;
  w->origin.more = NULL;
  w->origin.nmore = 0;
  w->out = hx_none();
  w->type = LUA_TNIL;
  w->base = 0;
  w->lazies = 0;
}
/* type: of the value, as lua_type gives it. */
hx_answer hx_walk_lua(hx_walk *w, int type);
/* The same from a value of the language. */
void hx_walk_value(hx_walk *w, const hx_val *v);

/* A puller of the evaluation, and the diagnostic of its failure. */
void hx_host_puller(hx_evaluation *ev, hx_cx *cx, hx_puller *p);
hx_answer hx_host_fail(hx_evaluation *ev, hx_cx *cx, const hx_puller *p, const hx_origin *o, uint32_t walked);
/* hx_puller.lazy of an evaluation, which is its ud. */
bool hx_pull_lazy(hx_puller *p, int at);
/* Pushes a path step's key, anchored. */
void hx_push_new_step(hx_evaluation *ev, const hx_path_step *s);
HX_INLINE void hx_push_step(hx_evaluation *ev, const hx_path_step *s) {
  if (HX_LIKELY(s->anchor != 0)) hx_anchor_push(ev->L, s->anchor);
  else hx_push_new_step(ev, s);
}

#endif
