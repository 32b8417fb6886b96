/* entry.c: enters a program for an implementation, and words the message if the program fails. */
#include "vm/entry.h"

hx_val hx_enter(hx_call *call, const hx_entry *entry) {
  HX_ASSERT(hx_is_obj(&entry->variables));
  call->entry = entry;
  return hx_none();
}

static hx_str count_more(hx_cx *cx, uint32_t errors) {
  if (errors < 2) return HX_STR("");
  return hx_say(cx, " (There %s %u more error%s in it.)", errors == 2 ? "is" : "are", errors - 1, errors == 2 ? "" : "s");
}

hx_val hx_fail_inner(hx_call *call, int32_t i, const hx_diags *errors, bool secret_text, bool secret_variables) {
  const hx_diag *first = errors->first;
  if (call->cx->silent) return hx_fail_call(call, "%s", "");
  if (secret_text) return hx_fail(call, i, "The template has an error, which is not shown, since the template is sensitive.");
  hx_diag *inner = HX_NEW(call->cx, hx_diag);
  *inner = *first;
  call->inner = inner;
  hx_str summary = hx_diag_summary(first), more = count_more(call->cx, errors->errors);
  if (!secret_variables)
    return hx_fail(call, i, "%.*s in the template. %.*s%.*s", HX_STR_ARG(summary), HX_STR_ARG(first->detail), HX_STR_ARG(more));
  inner->values = NULL;
  inner->reason = HX_STR(""); /* the reason says whether a similar name exists, which may be a secret */
  return hx_fail(call, i, "%.*s in the template. The details are not shown, since its variables are sensitive.%.*s",
                 HX_STR_ARG(summary), HX_STR_ARG(more));
}
