/* element.c: makes the anchors of path steps. */
#include "binding/host/element.h"

/* Gives the step its anchor, and pushes its key. The step belongs to the program, which is otherwise immutable; its anchor belongs to the
** host. */
void hx_push_new_step(hx_evaluation *ev, const hx_path_step *s) {
  hx_path_step *step = (hx_path_step *)(uintptr_t)s;
  hx_anchor_put(ev->L, s->name, &step->anchor);
  hx_push_str(ev->L, s->name);
  hx_guard_again(&ev->machine.cx);
}
