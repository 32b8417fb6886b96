/* asked.h: names with computed keys. A lookup is asked once for all of `owner[h].name`. Until the value is needed, the name stays
** on the stack as an asked value: a FOREIGN value with `len` set, to which indexes and steps are added. Names that tables answer
** never become asked values.
** Memory: in the evaluation's arena.
** Errors: as in path.c. */
#ifndef HX_VM_MACHINE_ASKED_H
#define HX_VM_MACHINE_ASKED_H

#include "vm/machine/parts.h"

typedef struct hx_asked {
  const struct hx_asked *before; /* NULL: this link is the name */
  const hx_path *path;           /* the path of the name, with its constant steps */
  const hx_node *node;           /* the TRAVERSAL of the name, an INDEX, or the RELATIVE that has steps */
  hx_val key;                    /* the computed key of an INDEX; otherwise NONE */
  uint32_t links, steps;         /* number of links, and of steps, from the name up to this link */
} hx_asked;

HX_INLINE bool hx_is_asked(const hx_val *v) {
  return v->tag == HX_T_FOREIGN && v->len != 0;
}

/* Makes an asked value of the name in the instruction's path. */
hx_val hx_asked_name(hx_machine *m, const hx_path *path);
/* Adds a key (or, if NULL, the node's steps) to the asked value in *v. Unless want is PART, *v then becomes the value of the name. */
hx_answer hx_asked_go_on(hx_machine *m, hx_val *v, const hx_val *key, hx_want want);

/* path.c */
/* Follows steps [at, n) of the node from *v, which may be FOREIGN. WAIT: the host must ask Lua first. */
hx_answer hx_follow_steps(hx_machine *m, const hx_node *node, uint32_t at, uint32_t n, hx_want want, hx_val *v);
/* Sets *v to (*v)[key], for an INDEX. */
hx_answer hx_follow_index(hx_machine *m, const hx_node *node, const hx_val *key, hx_want want, hx_val *v);
void hx_report_unknown_name(hx_machine *m, const hx_path *path, const hx_node *node);

#endif
