/* schema.c: makes schemas, sorted by name, so that items are found by binary search. */
#include "config/schema.h"

#include <stdlib.h>

static int compare_names(const hx_str *a, const hx_str *b) {
  return hx_str_cmp(*a, *b);
}

static int compare_attributes(const void *a, const void *b) {
  return compare_names(&((const hx_schema_attribute *)a)->name, &((const hx_schema_attribute *)b)->name);
}

static int compare_blocks(const void *a, const void *b) {
  return compare_names(&((const hx_schema_block *)a)->type, &((const hx_schema_block *)b)->type);
}

hx_schema *hx_schema_new(hx_cx *cx, hx_schema_attribute *attributes, uint32_t nattributes, hx_schema_block *blocks,
                         uint32_t nblocks) {
  hx_schema *s = HX_NEW(cx, hx_schema);
  *s = (hx_schema){ .attributes = attributes, .blocks = blocks, .nattributes = nattributes, .nblocks = nblocks };
  if (nattributes) qsort(attributes, nattributes, sizeof *attributes, compare_attributes);
  if (nblocks) qsort(blocks, nblocks, sizeof *blocks, compare_blocks);
  return s;
}

const hx_schema_attribute *hx_schema_attribute_of(const hx_schema *s, hx_str name) {
  hx_schema_attribute key = { .name = name };
  return s->nattributes ? bsearch(&key, s->attributes, s->nattributes, sizeof key, compare_attributes) : NULL;
}

const hx_schema_block *hx_schema_block_of(const hx_schema *s, hx_str type) {
  hx_schema_block key = { .type = type };
  return s->nblocks ? bsearch(&key, s->blocks, s->nblocks, sizeof key, compare_blocks) : NULL;
}
