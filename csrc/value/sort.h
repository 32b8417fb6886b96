/* sort.h: stable sorting of items that carry the start of what they are compared by.
** Memory: scratch of the activity, released before return.
** Errors: none but memory. n log n in the worst case. */
#ifndef HX_VALUE_SORT_H
#define HX_VALUE_SORT_H

#include "base/cx.h"

/* key decides where it differs; the comparison is asked only for equal keys. */
typedef struct hx_sort_item {
  uint64_t key;
  uint32_t i; /* whose item it is: the comparison gets these */
} hx_sort_item;

typedef int (*hx_sort_cmp)(void *ud, uint32_t a, uint32_t b);

/* cmp may be NULL: equal keys are equal then. */
void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud);

/* The first eight bytes as a number that sorts as they do. */
HX_INLINE uint64_t hx_sort_key(hx_str s) {
  uint64_t k = 0;
  uint32_t n = s.len < 8 ? s.len : 8;
  for (uint32_t i = 0; i < n; i++) k |= (uint64_t)(unsigned char)s.p[i] << (56 - 8 * i);
  return k;
}

/* Order of strings by bytes: order[0] is the index of the first. */
void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order);
bool hx_strs_sorted(const hx_str *s, uint32_t n);

#endif
