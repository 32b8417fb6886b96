/* lookups.h: the answers of an evaluation's lookups, found by hash, because a source may use any number of names.
** Memory: in the arena given, and lost with it: then hx_lookups_init begins again.
** Errors: hx_abort when memory or steps run out. */
#ifndef HX_BINDING_OBJECTS_LOOKUPS_H
#define HX_BINDING_OBJECTS_LOOKUPS_H

#include "base/vec.h"
#include "binding/objects/scope.h"
#include "vm/compile/program.h"

/* The answer of a lookup. It holds for all paths that share the root and the first n steps with `path`. */
typedef struct hx_lookup_answer {
  const hx_scope *scope;
  const hx_path *path;
  uint32_t n;
  int slot;              /* slot of the value in the ledger; 0: no such name, or a failure */
  hx_str failure;        /* p is NULL: none */
  const hx_diags *diags; /* the failure, if it isn't a text; or NULL */
} hx_lookup_answer;

/* Returns true if the answer is "no such name". */
HX_INLINE bool hx_lookup_is_none(const hx_lookup_answer *a) {
  return !a->slot && !a->failure.p && !a->diags;
}

typedef struct hx_lookups {
  HX_VEC(hx_lookup_answer) all; /* in order of arrival */
  hx_table table;               /* by scope, root and first n steps; empty while there are few answers */
  uint64_t lengths;             /* bit n: some answer covers n steps (63: 63 or more) */
} hx_lookups;

HX_INLINE void hx_lookups_init(hx_lookups *l) {
  l->all.n = l->all.cap = 0;
  l->table = (hx_table){ NULL, 0 };
  l->lengths = 0;
}
void hx_lookups_add(hx_lookups *l, hx_cx *cx, const hx_lookup_answer *a);
/* Returns the first answer of the scope's lookup that holds for the path; otherwise the answer "no such name", or NULL. */
const hx_lookup_answer *hx_lookups_find(const hx_lookups *l, hx_cx *cx, const hx_scope *s, const hx_path *p);

#endif
