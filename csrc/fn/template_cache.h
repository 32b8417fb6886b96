/* template_cache.h: templates compiled in an activity. A loop runs the same template again and again.
** Memory: programs have memory of their own, freed with cx->arena.
** Errors: errors of a template are in its program's diagnostics and not reported here. Limits abort. */
#ifndef HX_FN_TEMPLATE_CACHE_H
#define HX_FN_TEMPLATE_CACHE_H

#include "vm/program.h"
#include "vm/references.h"

typedef struct hx_template {
  hx_program program; /* code is NULL if the source has errors */
  hx_references uses; /* the named values that it depends on */
  hx_str name, text;
  struct hx_template *next;
} hx_template;

/* The template of a text, which must be well-formed. name: for diagnostics. */
hx_template *hx_template_get(hx_cx *cx, hx_str text, hx_str name);

#endif
