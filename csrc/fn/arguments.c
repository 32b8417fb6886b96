/* arguments.c: helpers that functions over strings, lists and maps share. */
#include "fn/arguments.h"

#include "text/unicode.h"
#include "value/render.h"

#include <stdarg.h>

bool hx_arg_whole(const hx_val *v, int64_t *out) {
  if (hx_num_to_int(v, out)) return true;
  *out = 0;
  return hx_num_sign(v) == 0; /* -0 counts as 0 */
}

hx_str hx_arg_type(hx_call *call, const hx_val *v) {
  const hx_type *t = hx_val_type(call->cx, v);
  if (hx_is_null(hx_unmarked(v)) && t->kind == HX_K_DYNAMIC) return HX_STR("null");
  hx_str type = hx_type_friendly(call->cx, t);
  return hx_say(call->cx, "%s %.*s", strchr("ao", type.p[0]) ? "an" : "a", HX_STR_ARG(type));
}

hx_val hx_fail_telling(hx_call *call, int32_t i, const char *plain, const char *fmt, ...) {
  if (hx_args_are_marked(call)) return hx_fail(call, i, "%s", plain);
  va_list args;
  va_start(args, fmt);
  hx_str text = hx_say_with(call->cx, fmt, &args);
  va_end(args);
  return hx_fail(call, i, "%.*s", HX_STR_ARG(text));
}

hx_val hx_fail_lacking(hx_call *call, const char *library, const char *does, const char *package) {
  return hx_fail_call(call, "This build of hclexpr has no %s, which %s. Build it where that is installed: %s on Debian.", library,
                      does, package);
}

hx_val hx_fail_unknown_characters(hx_call *call) {
  return hx_fail_lacking(call, "utf8proc", "knows the characters beyond ASCII", "libutf8proc-dev");
}

void hx_charge_characters(hx_cx *cx, hx_str s) {
  hx_charge_steps(cx, s.len / (hx_is_ascii(s) ? 16 : 8));
}

hx_str hx_arg_text(hx_call *call, uint32_t i, const hx_val *v) {
  return hx_arg_is_marked(call, i) ? HX_STR(HX_HIDDEN_TEXT) : hx_render_in_sentence(call->cx, v);
}

hx_val hx_unknown_of(hx_cx *cx, const hx_val *like) {
  return hx_unknown(cx, hx_val_type(cx, like));
}

static bool are_equal(hx_cx *cx, const hx_val *a, const hx_val *b) {
  hx_val eq = hx_equal(cx, a, b);
  return eq.tag == HX_T_BOOL && eq.u.i != 0;
}

void hx_value_set_init(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n) {
  *s = (hx_value_set){ cx, are_equal, v, hx_table_new(&cx->scratch, n) };
}

void hx_value_set_init_elements(hx_value_set *s, hx_cx *cx, const hx_val *v, uint32_t n) {
  hx_value_set_init(s, cx, v, n);
  s->same = hx_set_same;
}

typedef struct wanted {
  const hx_value_set *set;
  const hx_val *v;
} wanted;

static inline bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return w->set->same(w->set->cx, &w->set->v[i], w->v);
}

/* Returns the table's slot that has v, or the free slot for v. */
static uint32_t *find(const hx_value_set *s, const hx_val *v, uint32_t hash) {
  return hx_table_find(&s->table, s->cx, hash, is_wanted, &(wanted){ s, v });
}

static uint32_t hash_of(const hx_value_set *s, const hx_val *v) {
  return v->tag == HX_T_STR ? hx_str_hash(hx_val_str(v)) : hx_val_hash(s->cx, v);
}

uint32_t hx_value_set_fill(hx_value_set *s, uint32_t n, bool *is_new) {
  uint32_t count = 0;
  hx_charge_steps(s->cx, n && s->v[0].tag > HX_T_STR ? n : n / 8);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t hash = hash_of(s, &s->v[i]), *slot = find(s, &s->v[i], hash);
    bool absent = !*slot;
    if (absent) hx_table_put(&s->table, slot, i, hash);
    if (is_new) is_new[i] = absent;
    count += absent;
  }
  return count;
}

bool hx_value_set_has(const hx_value_set *s, const hx_val *v) {
  if (v->tag > HX_T_STR) hx_charge_steps(s->cx, 1);
  return *find(s, v, hx_val_hash(s->cx, v)) != 0;
}
