/* mismatch.c: says in words why values of one type can't become another. */
#include "text/quote.h"
#include "value/convert/convert.h"

static hx_str needed(hx_cx *cx, const hx_type *got, const hx_type *want) {
  hx_str w = hx_type_with_article(cx, want), g = hx_type_with_article(cx, got);
  return hx_say(cx, "%.*s is required, not %.*s", HX_STR_ARG(w), HX_STR_ARG(g));
}

/* Returns the reason for a part of a type. hidden: leaves out the part's name. */
static hx_str of_part(hx_cx *cx, const char *what, hx_str name, bool hidden, hx_str why) {
  if (hidden) return hx_say(cx, "an %s: %.*s", what, HX_STR_ARG(why));
  hx_str quoted = hx_quote_short(cx, name, 40);
  return hx_say(cx, "%s %.*s: %.*s", what, HX_STR_ARG(quoted), HX_STR_ARG(why));
}

static hx_str of_element(hx_cx *cx, uint32_t i, bool hidden, hx_str why) {
  if (hidden) return of_part(cx, "element", HX_STR(""), true, why);
  return hx_say(cx, "element %u: %.*s", (unsigned)i, HX_STR_ARG(why));
}

/* Sets *text to a message with the names of all missing attributes. Returns false if none is missing. */
static bool missing(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide, hx_str *text) {
  hx_buf b;
  uint32_t n = 0;
  hx_buf_init(&b, &cx->arena, 64);
  for (uint32_t i = 0; i < want->n; i++) {
    if (hx_type_is_optional(want, i) || hx_type_attr(got, want->names[i])) continue;
    hx_buf_c(&b, n++ ? ", " : "");
    hx_buf_str(&b, hx_quote_short(cx, want->names[i], 40));
  }
  hx_str names = hx_buf_done(&b);
  if (hide & HX_HIDE_WANT) *text = HX_STR("an attribute is missing");
  else *text = hx_say(cx, n > 1 ? "attributes %.*s are missing" : "attribute %.*s is missing", HX_STR_ARG(names));
  return n > 0;
}

static hx_str of_objects(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide) {
  hx_str text;
  if (missing(cx, got, want, hide, &text)) return text;
  for (uint32_t i = 0; i < want->n; i++) {
    const hx_type *from = hx_type_attr(got, want->names[i]);
    if (from && !hx_convertible(cx, from, want->elems[i], false))
      return of_part(cx, "attribute", want->names[i], (hide & HX_HIDE_WANT) != 0, hx_mismatch(cx, from, want->elems[i], hide));
  }
  return needed(cx, got, want);
}

/* Returns the reason why a tuple's or object's elements can't be those of a collection: names the first one that doesn't fit. */
static hx_str of_elements(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide) {
  bool hidden = (hide & HX_HIDE_GOT) != 0;
  for (uint32_t i = 0; i < got->n; i++) {
    if (hx_convertible(cx, got->elems[i], want->elem, false)) continue;
    hx_str why = hx_mismatch(cx, got->elems[i], want->elem, hide);
    if (got->kind == HX_K_OBJECT) return of_part(cx, "element", got->names[i], hidden, why);
    return of_element(cx, i, hidden, why);
  }
  return hx_say(cx, "all elements of a %s must have one type", hx_kind_name((hx_kind)want->kind));
}

static hx_str of_tuples(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide) {
  bool hidden = (hide & HX_HIDE_GOT) != 0;
  if (got->n != want->n && hidden) return hx_say(cx, "%u elements are required", (unsigned)want->n);
  if (got->n != want->n) return hx_say(cx, "%u elements are required, not %u", (unsigned)want->n, (unsigned)got->n);
  for (uint32_t i = 0; i < got->n; i++)
    if (!hx_convertible(cx, got->elems[i], want->elems[i], false))
      return of_element(cx, i, hidden, hx_mismatch(cx, got->elems[i], want->elems[i], hide));
  return needed(cx, got, want);
}

static bool suits(const hx_type *got, const hx_type *want) {
  hx_kind structure = want->kind == HX_K_MAP ? HX_K_OBJECT : HX_K_TUPLE;
  return got->kind == structure;
}

static bool collects(const hx_type *got, const hx_type *want) {
  bool maps = got->kind == HX_K_MAP;
  return hx_type_is_collection(got) && hx_type_is_collection(want) && maps == (want->kind == HX_K_MAP);
}

hx_str hx_mismatch(hx_cx *cx, const hx_type *got, const hx_type *want, unsigned hide) {
  if (cx->silent) return HX_UNSAID;
  hx_stack_check();
  if (got->kind == HX_K_OBJECT && want->kind == HX_K_OBJECT) return of_objects(cx, got, want, hide);
  if (hx_type_is_collection(want) && suits(got, want)) return of_elements(cx, got, want, hide);
  if (collects(got, want)) {
    hx_str why = hx_mismatch(cx, got->elem, want->elem, hide);
    return hx_say(cx, "elements of the %s: %.*s", hx_kind_name((hx_kind)got->kind), HX_STR_ARG(why));
  }
  if (got->kind == HX_K_TUPLE && want->kind == HX_K_TUPLE) return of_tuples(cx, got, want, hide);
  return needed(cx, got, want);
}

/* The difference between two types */

#define MOST_NAMED 8u

/* Returns a text with the names of the attributes that only type a has, and sets *n to their number. */
static hx_str only_in(hx_cx *cx, const hx_type *a, const hx_type *b, uint32_t *n) {
  hx_buf names;
  *n = 0;
  hx_buf_init(&names, &cx->arena, 64);
  for (uint32_t i = 0; i < a->n; i++) {
    if (hx_type_attr(b, a->names[i]) || ++*n > MOST_NAMED + 1) continue;
    hx_buf_c(&names, *n == 1 ? "" : ", ");
    if (*n <= MOST_NAMED) hx_buf_str(&names, hx_quote_short(cx, a->names[i], 40));
    else hx_buf_c(&names, "and others");
  }
  hx_str text = hx_buf_done(&names);
  return hx_say(cx, "attribute%s %.*s", *n > 1 ? "s" : "", HX_STR_ARG(text));
}

static hx_str objects_differ(hx_cx *cx, const hx_type *first, const hx_type *second, unsigned hide) {
  uint32_t n1, n2;
  hx_str one = only_in(cx, first, second, &n1), two = only_in(cx, second, first, &n2);
  if (hide && (n1 || n2)) return HX_STR("one of them has attributes that the other lacks");
  if (n1 && n2) return hx_say(cx, "only the first has the %.*s, and only the second the %.*s", HX_STR_ARG(one), HX_STR_ARG(two));
  if (n1) return hx_say(cx, "only the first has the %.*s", HX_STR_ARG(one));
  if (n2) return hx_say(cx, "only the second has the %.*s", HX_STR_ARG(two));
  for (uint32_t i = 0; i < first->n; i++) {
    const hx_type *both[2] = { first->elems[i], second->elems[i] };
    if (!hx_unify(cx, both, 2, false))
      return of_part(cx, "attribute", first->names[i], hide != 0, hx_difference(cx, both[0], both[1], hide));
  }
  return hx_mismatch(cx, second, first, hide);
}

static hx_str tuples_differ(hx_cx *cx, const hx_type *first, const hx_type *second, unsigned hide) {
  if (first->n != second->n && hide) return HX_STR("their elements differ in number, and have no type in common");
  if (first->n != second->n)
    return hx_say(cx, "the first has %u element%s and the second %u, and they have no type in common", (unsigned)first->n,
                  first->n == 1 ? "" : "s", (unsigned)second->n);
  for (uint32_t i = 0; i < first->n; i++) {
    const hx_type *both[2] = { first->elems[i], second->elems[i] };
    if (!hx_unify(cx, both, 2, false)) return of_element(cx, i, hide != 0, hx_difference(cx, both[0], both[1], hide));
  }
  return hx_mismatch(cx, second, first, hide);
}

hx_str hx_difference(hx_cx *cx, const hx_type *first, const hx_type *second, unsigned hide) {
  if (cx->silent) return HX_UNSAID;
  hx_stack_check();
  if (first->kind == second->kind && first->kind == HX_K_OBJECT) return objects_differ(cx, first, second, hide);
  if (first->kind == second->kind && first->kind == HX_K_TUPLE) return tuples_differ(cx, first, second, hide);
  return hx_mismatch(cx, second, first, hide);
}
