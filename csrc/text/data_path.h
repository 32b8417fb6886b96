/* data_path.h: writes a place in data as text for messages, such as .name["a key"][0].
** Memory: a way borrows its keys. Text is written to a buffer.
** Errors: none but memory. */
#ifndef HX_TEXT_DATA_PATH_H
#define HX_TEXT_DATA_PATH_H

#include "base/buf.h"

/* The way to a place in data: the steps that lead to it. Only the innermost HX_WAY_STEPS are kept. A zeroed way is empty. */
#define HX_WAY_STEPS 12u
typedef struct hx_way {
  struct {
    hx_str key; /* p is NULL if the step is an index */
    int64_t index;
  } steps[HX_WAY_STEPS]; /* innermost first */
  uint32_t n;
  bool longer;
} hx_way;

/* Add a step in front of the others. */
void hx_way_key(hx_way *w, hx_str key);
void hx_way_index(hx_way *w, int64_t index);
/* Appends the steps as text that follows the name of the data. "…" replaces steps that weren't kept. */
void hx_way_write(hx_buf *b, const hx_way *w);
/* Returns the steps alone, without the dot before the first one. */
hx_str hx_way_text(hx_cx *cx, const hx_way *w);

#endif
