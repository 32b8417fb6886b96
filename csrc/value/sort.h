/* sort.h: stable sorting of items by 64-bit keys, and of texts by their bytes.
** Memory: scratch of the activity, released before return.
** Errors: limits abort. Comparing long texts is charged.
** Speed: n log n at worst; input that is already in order takes linear time. */
#ifndef HX_VALUE_SORT_H
#define HX_VALUE_SORT_H

#include "base/cx.h"

/* An item is ordered by its key. cmp is called only for items with equal keys. */
typedef struct hx_sort_item {
  uint64_t key;
  uint32_t i;   /* the item's index, which is passed to cmp */
  bool repeats; /* for callers of hx_sort: the item equals the one before it */
} hx_sort_item;

typedef int (*hx_sort_cmp)(void *ud, uint32_t a, uint32_t b);
typedef hx_str (*hx_sort_text)(void *ud, uint32_t i);

/* Sorts items. If cmp is NULL, items with equal keys are equal. */
void hx_sort(hx_cx *cx, hx_sort_item *items, uint32_t n, hx_sort_cmp cmp, void *ud);
/* Sorts the texts 0 to n - 1 by their bytes: order[0] is the index of the first. The bit HX_SORT_REPEATS of an entry says that the text
** equals the one before. */
#define HX_SORT_REPEATS (UINT32_C(1) << 31)
#define HX_SORT_INDEX (HX_SORT_REPEATS - 1)
void hx_sort_texts(hx_cx *cx, uint32_t n, hx_sort_text text, void *ud, uint32_t *order);

/* Sorts strings by their bytes: order[0] is the index of the first. */
void hx_sort_strs(hx_cx *cx, const hx_str *s, uint32_t n, uint32_t *order);
bool hx_strs_sorted(const hx_str *s, uint32_t n);
/* Returns the index of a string among sorted ones, or -1. */
int64_t hx_strs_find(const hx_str *sorted, uint32_t n, hx_str s);

#endif
