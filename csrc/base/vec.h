/* vec.h: a typed vector that grows in an arena.
** Memory: elements are in the arena given at each push; a push may move them.
** Errors: no memory: hx_abort.
**
**   typedef HX_VEC(hx_val) hx_val_vec;
**   hx_val_vec v = { 0 };
**   *HX_VEC_PUSH(&cx->arena, &v) = x;          v.n elements at v.p */
#ifndef HX_BASE_VEC_H
#define HX_BASE_VEC_H

#include "base/arena.h"

#define HX_VEC(type) \
  struct {           \
    type *p;         \
    uint32_t n, cap; \
  }

void hx_vec_grow(hx_arena *a, void **p, uint32_t *cap, uint32_t n, size_t size);

/* Adds an uninitialised element at the end, and returns its address. */
#define HX_VEC_PUSH(arena, v)                                                                                            \
  ((v)->n == (v)->cap ? hx_vec_grow((arena), (void **)(void *)&(v)->p, &(v)->cap, (v)->n + 1, sizeof *(v)->p) : (void)0, \
   &(v)->p[(v)->n++])
#define HX_VEC_RESERVE(arena, v, count)                                                                                      \
  ((v)->cap - (v)->n < (count) ? hx_vec_grow((arena), (void **)(void *)&(v)->p, &(v)->cap, (v)->n + (count), sizeof *(v)->p) \
                               : (void)0)

#endif
