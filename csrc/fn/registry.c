/* registry.c: finds built-ins by name. Headers: vm/fn.h. */
#include "vm/fn.h"

#include <stdlib.h>

/* All tables of built-ins. A new theme needs a line here, and its declaration in vm/fn.h. */
static const hx_fn *const themes[] = {
  hx_fns_time,     hx_fns_cidr,  hx_fns_number,   hx_fns_string,
  hx_fns_format,   hx_fns_regex, hx_fns_sequence, hx_fns_sequence_search,
  hx_fns_map,      hx_fns_set,   hx_fns_convert,  hx_fns_encode,
  hx_fns_json,     hx_fns_yaml,  hx_fns_csv,      hx_fns_hash,
  hx_fns_crypto,   hx_fns_file,  hx_fns_file_set, hx_fns_path,
  hx_fns_template, hx_fns_meta,  hx_fns_assume,
};
#define THEMES (sizeof themes / sizeof *themes)

/* Compiling a source calls this for each call in it. Comparing the first character first leaves few names to compare in full. */
const hx_fn *hx_builtin(hx_str name) {
  static const char core[] = "core::";
  const uint32_t skip = (uint32_t)sizeof core - 1;
  if (name.len > skip && memcmp(name.p, core, skip) == 0) name = hx_str_from(name, skip);
  if (name.len == 0) return NULL;
  for (size_t t = 0; t < THEMES; t++) {
    for (const hx_fn *fn = themes[t]; fn->name; fn++) {
      if (fn->name[0] != name.p[0]) continue;
      if (strncmp(fn->name, name.p, name.len) == 0 && fn->name[name.len] == '\0') return fn;
    }
  }
  return NULL;
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(const hx_fn *const *)a)->name, (*(const hx_fn *const *)b)->name);
}

const hx_fn *const *hx_builtins(hx_cx *cx, uint32_t *n) {
  uint32_t count = 0;
  for (size_t t = 0; t < THEMES; t++)
    for (const hx_fn *fn = themes[t]; fn->name; fn++) count++;
  const hx_fn **all = HX_NEW_ARRAY(cx, const hx_fn *, count);
  count = 0;
  for (size_t t = 0; t < THEMES; t++) {
    for (const hx_fn *fn = themes[t]; fn->name; fn++)
      if (!(fn->flags & HX_REMOVED)) all[count++] = fn;
  }
  qsort(all, count, sizeof(const hx_fn *), by_name);
  *n = count;
  return (const hx_fn *const *)all;
}
