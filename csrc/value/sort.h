/* sort.h: stable sorting of items that carry the start of what they are compared by.
** Memory: scratch of the activity, released before return.
** Errors: limits abort. What is in order already, or is a few such pieces one after the other, takes linear time; so do whole
** numbers and texts (linear in their bytes), anything else n log n in the worst case. */
#ifndef HX_VALUE_SORT_H
#define HX_VALUE_SORT_H

#include "base/cx.h"

/* key decides where it differs; the comparison is asked only for equal keys. */
typedef struct hx_sort_item {
  uint64_t key;
  uint32_t i;   /* whose item it is: the comparison gets these */
  bool repeats; /* for whoever sorts: its text is the one before it again */
} hx_sort_item;

typedef int (*hx_sort_cmp)(void *ud, uint32_t a, uint32_t b);
typedef hx_str (*hx_sort_text)(void *ud, uint32_t i);

/* cmp may be NULL: equal keys are equal then. */
void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud);
/* All the texts from 0 to n - 1, by their bytes: order[0] tells which is the first. Where a text is the one before it again, the bit
** HX_SORT_REPEATS stands beside the index. */
#define HX_SORT_REPEATS (UINT32_C(1) << 31)
#define HX_SORT_INDEX (HX_SORT_REPEATS - 1)
void hx_sort_texts(hx_cx *cx, uint32_t n, hx_sort_text text, void *ud, uint32_t *order);
/* More of them than this are worth fetching before their turn: they don't all stay near. */
#define HX_SORT_LARGE 20000u

/* Order of strings by bytes: order[0] is the index of the first. */
void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order);
bool hx_strs_sorted(const hx_str *s, uint32_t n);

#endif
