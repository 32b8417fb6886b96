/* template_cache.h: templates compiled in an activity. In a loop the same template comes again and again.
** Memory: programs have memory of their own, freed with cx->arena.
** Errors: none of the source's are reported: they are in the program's diagnostics. Limits abort. */
#ifndef HX_FN_TEMPLATE_CACHE_H
#define HX_FN_TEMPLATE_CACHE_H

#include "vm/program.h"
#include "vm/references.h"

typedef struct hx_template {
  hx_program program; /* code is NULL where the source has errors */
  hx_references uses; /* named values it depends on */
  hx_str name, text;
  struct hx_template *next;
} hx_template;

/* The template of that text, which must be well-formed; name: as diagnostics call it. */
hx_template *hx_template_get(hx_cx *cx, hx_str text, hx_str name);

#endif
