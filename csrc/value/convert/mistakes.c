/* mistakes.c: finds all reasons why a value can't become a type. hx_convert stops at the first mistake; hx_convert_mistakes continues
** with the other parts. */
#include "text/quote.h"
#include "value/convert/part.h"

/* The place in a message depends only on the kind of the type that contains the part, so one type of each kind suffices. */
static const hx_type an_object = { .kind = HX_K_OBJECT }, a_map = { .kind = HX_K_MAP }, a_list = { .kind = HX_K_LIST };

typedef struct search {
  hx_conversion conversion;
  hx_why_not why;
  hx_tell *tell;
  void *ud;
} search;

static void look(search *s, const hx_val *v, const hx_type *to, const hx_place *at);

/* Reports a mistake. Mistakes beyond the number that is kept are only counted. */
static void found(search *s, const hx_place *at, hx_str reason) {
  if (hx_is_silent(s->conversion.cx)) {
    s->tell(s->conversion.cx, s->ud, HX_STR(""));
    return;
  }
  hx_conversion_fail(&s->conversion, at, reason);
  s->tell(s->conversion.cx, s->ud, s->why.text);
}

/* Converts a value as a whole, and reports why that fails. */
static void look_at(search *s, const hx_val *v, const hx_type *to, const hx_place *at) {
  hx_why_not why = { { "", 0 } };
  hx_val out;
  if (!hx_convert(s->conversion.cx, v, to, &out, &why)) found(s, at, why.text);
}

static void look_into_elements(search *s, const hx_val *v, const hx_type *to, const hx_place *at) {
  for (uint32_t i = 0; i < v->len; i++) {
    hx_place here = { at, &a_list, { 0 }, i };
    look(s, &v->u.seq->v[i], to->kind == HX_K_TUPLE ? to->elems[i] : to->elem, &here);
  }
}

static void look_into_map(search *s, const hx_val *v, const hx_type *to, const hx_place *at) {
  const hx_type *of = v->tag == HX_T_MAP ? &a_map : &an_object;
  for (uint32_t i = 0; i < v->len; i++) {
    hx_place here = { at, of, v->u.obj->shape->keys[i], i };
    look(s, &v->u.obj->v[i], to->elem, &here);
  }
}

static void look_into_object(search *s, const hx_val *v, const hx_type *to, const hx_place *at) {
  hx_cx *cx = s->conversion.cx;
  hx_buf missing;
  uint32_t n = 0;
  hx_buf_init(&missing, &cx->arena, 64);
  for (uint32_t i = 0; i < to->n; i++) {
    if (hx_type_is_optional(to, i) || hx_obj_get(v, to->names[i])) continue;
    hx_buf_c(&missing, n++ ? ", " : "");
    hx_buf_str(&missing, hx_quote_short(cx, to->names[i], 40));
  }
  hx_str names = hx_buf_done(&missing);
  if (n) found(s, at, hx_strf(cx, n > 1 ? "attributes %.*s are missing" : "attribute %.*s is missing", HX_STR_ARG(names)));
  for (uint32_t i = 0; i < to->n; i++) {
    hx_place here = { at, v->tag == HX_T_MAP ? &a_map : &an_object, to->names[i], i };
    const hx_val *part = hx_obj_get(v, to->names[i]);
    if (part) look(s, part, to->elems[i], &here);
  }
}

/* Looks for mistakes in the parts of a value. A marked value is converted as a whole, because its parts are never shown. */
static void look(search *s, const hx_val *v, const hx_type *to, const hx_place *at) {
  bool list = to->kind == HX_K_LIST || to->kind == HX_K_SET;
  hx_stack_check();
  if (hx_is_seq(v) && (list || (to->kind == HX_K_TUPLE && v->tag == HX_T_TUPLE && to->n == v->len)))
    look_into_elements(s, v, to, at);
  else if (hx_is_obj(v) && to->kind == HX_K_MAP) look_into_map(s, v, to, at);
  else if (hx_is_obj(v) && to->kind == HX_K_OBJECT) look_into_object(s, v, to, at);
  else look_at(s, v, to, at);
}

void hx_convert_mistakes(hx_cx *cx, const hx_val *v, const hx_type *to, hx_tell *tell, void *ud) {
  search s = { .conversion = { .cx = cx, .hidden = cx->secret }, .tell = tell, .ud = ud };
  s.conversion.why = &s.why;
  look(&s, v, to, NULL);
}
