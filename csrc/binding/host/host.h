/* host.h: the C host of the machine (vm/host.h): it answers with named values along their paths, collections by rows, functions,
** capabilities.
** Memory: answers are in the evaluation's arena, or parts of bound values, which the evaluation keeps.
** Errors: reported here, once, with the path of the wrong data. */
#ifndef HX_BINDING_HOST_HOST_H
#define HX_BINDING_HOST_HOST_H

#include "binding/host/evaluation.h"

/* Fills in the functions of a host. */
void hx_host_init(hx_host *host);
/* host_check.c: makes the host answer with unknowns of the types of the data, for an evaluation that only checks. */
void hx_host_only_checks(hx_host *host);

hx_answer hx_host_path(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at);

bool hx_host_glance(hx_host *h, hx_cx *cx, const hx_path *p, hx_val *out);

/* rows.c */
hx_answer hx_host_whole(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_val *out);
hx_answer hx_host_shape(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_kind *kind, uint32_t *n, const hx_str **keys);
hx_answer hx_host_index(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_val *key, hx_want want, hx_val *out, bool *found);
hx_answer hx_host_rows(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t first, uint32_t n,
                       const hx_column *columns, uint32_t ncolumns, hx_val *cells);
hx_answer hx_host_cell(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t row, const hx_column *column,
                       hx_val *out, uint32_t *at);

/* host_scope.c */
hx_str hx_host_names(hx_host *h, hx_cx *cx, bool functions, hx_str wanted, const hx_str **names, uint32_t *n);
hx_str hx_host_foreign_note(hx_host *h, const hx_val *foreign);
const hx_fn *hx_host_function(hx_host *h, hx_cx *cx, hx_str name, const hx_fn *builtin);
hx_answer hx_host_clock(hx_host *h, hx_cx *cx, int64_t *seconds);
hx_answer hx_host_random(hx_host *h, hx_cx *cx, void *bytes, uint32_t n);
hx_answer hx_host_outside(hx_host *h, hx_cx *cx, hx_str path);

/* A walk along steps[at … n), up to the first step that finds no element. It begins at the Lua value on top of the stack, which it replaces
** and finally pops. */
typedef struct hx_walk {
  hx_evaluation *ev;
  hx_cx *cx;
  const hx_path_step *steps;
  uint32_t n, at;
  uint8_t want;     /* hx_want, of the last value */
  bool function_ok; /* a plain function is a lazy value here, as in `variables` */
  hx_origin origin; /* origin of the value before the first step; the walk adds its steps */
  hx_val out;
  int type;        /* Lua type of a root; LUA_TNONE: the root is in `out` */
  int base;        /* private: height of the stack below the value */
  uint32_t lazies; /* private: number of lazy values answered so far */
} hx_walk;
/* Begins a walk without steps, at a value without origin. */
HX_INLINE void hx_walk_init(hx_walk *w, hx_evaluation *ev, hx_cx *cx) {
  *w = (hx_walk){ .ev = ev, .cx = cx, .want = HX_WANT_OPEN, .out = hx_none(), .type = LUA_TNIL };
}
/* Walks from the Lua value on top of the stack; type: its lua_type. */
hx_answer hx_walk_lua(hx_walk *w, int type);
/* Walks from a value of the language. */
void hx_walk_value(hx_walk *w, const hx_val *v);

/* hx_host_puller makes a puller for the evaluation. hx_host_fail reports the failure of such a puller, and returns FAILED. */
void hx_host_puller(hx_evaluation *ev, hx_cx *cx, hx_puller *p);
hx_answer hx_host_fail(hx_evaluation *ev, hx_cx *cx, const hx_puller *p, const hx_origin *o, uint32_t walked);
/* The `lazy` function of an evaluation's pullers; their ud is the evaluation. */
bool hx_pull_lazy(hx_puller *p, int at);

#endif
