/* type_write.c: writes types as text: in constraint syntax, as JSON, in words. */
#include "text/quote.h"
#include "text/unicode.h"
#include "value/type.h"

static const char *const kind_names[] = {
  [HX_K_DYNAMIC] = "dynamic", [HX_K_STRING] = "string",   [HX_K_NUMBER] = "number", [HX_K_BOOL] = "bool",
  [HX_K_LIST] = "list",       [HX_K_SET] = "set",         [HX_K_MAP] = "map",       [HX_K_TUPLE] = "tuple",
  [HX_K_OBJECT] = "object",   [HX_K_CAPSULE] = "capsule",
};

const char *hx_kind_name(hx_kind k) {
  return kind_names[k];
}

static void write_name(hx_buf *b, hx_str name) {
  if (hx_is_identifier(name)) hx_buf_str(b, name);
  else hx_quote_hcl(b, name);
}

static void write_attrs(hx_buf *b, const hx_type *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    hx_buf_c(b, i ? ", " : " ");
    write_name(b, t->names[i]);
    hx_buf_c(b, " = ");
    if (hx_type_is_optional(t, i)) hx_buf_c(b, "optional(");
    hx_type_write(b, t->elems[i]);
    if (hx_type_is_optional(t, i)) hx_buf_put(b, ')');
  }
  if (t->n) hx_buf_put(b, ' ');
}

void hx_type_write(hx_buf *b, const hx_type *t) {
  if (t->kind == HX_K_DYNAMIC) {
    hx_buf_c(b, "any");
    return;
  }
  if (t->kind == HX_K_CAPSULE) {
    hx_buf_c(b, "type");
    return;
  }
  hx_stack_check();
  hx_buf_c(b, kind_names[t->kind]);
  if (hx_type_is_collection(t)) {
    hx_buf_put(b, '(');
    hx_type_write(b, t->elem);
    hx_buf_put(b, ')');
  } else if (t->kind == HX_K_TUPLE) {
    hx_buf_c(b, "([");
    for (uint32_t i = 0; i < t->n; i++) {
      if (i) hx_buf_c(b, ", ");
      hx_type_write(b, t->elems[i]);
    }
    hx_buf_c(b, "])");
  } else if (t->kind == HX_K_OBJECT) {
    hx_buf_c(b, "({");
    write_attrs(b, t);
    hx_buf_c(b, "})");
  }
}

static void write_json_optional(hx_buf *b, const hx_type *t) {
  bool first = true;
  if (!t->optional) return;
  hx_buf_c(b, ",[");
  for (uint32_t i = 0; i < t->n; i++) {
    if (!t->optional[i]) continue;
    if (!first) hx_buf_put(b, ',');
    first = false;
    hx_quote_json(b, t->names[i], false);
  }
  hx_buf_put(b, ']');
}

void hx_type_write_json(hx_buf *b, const hx_type *t) {
  const char *name = t->kind == HX_K_CAPSULE ? "type" : kind_names[t->kind];
  if (!hx_type_is_collection(t) && t->kind != HX_K_TUPLE && t->kind != HX_K_OBJECT) {
    hx_buf_f(b, "\"%s\"", name);
    return;
  }
  hx_stack_check();
  hx_buf_f(b, "[\"%s\",", name);
  if (hx_type_is_collection(t)) {
    hx_type_write_json(b, t->elem);
  } else {
    hx_buf_put(b, t->kind == HX_K_TUPLE ? '[' : '{');
    for (uint32_t i = 0; i < t->n; i++) {
      if (i) hx_buf_put(b, ',');
      if (t->kind == HX_K_OBJECT) {
        hx_quote_json(b, t->names[i], false);
        hx_buf_put(b, ':');
      }
      hx_type_write_json(b, t->elems[i]);
    }
    hx_buf_put(b, t->kind == HX_K_TUPLE ? ']' : '}');
    if (t->kind == HX_K_OBJECT) write_json_optional(b, t);
  }
  hx_buf_put(b, ']');
}

static void write_friendly(hx_buf *b, const hx_type *t, const char *any) {
  for (; hx_type_is_collection(t); t = t->elem) {
    hx_buf_c(b, kind_names[t->kind]);
    hx_buf_c(b, " of ");
  }
  hx_buf_c(b, t->kind == HX_K_DYNAMIC ? any : t->kind == HX_K_CAPSULE ? "type" : kind_names[t->kind]);
}

void hx_type_write_friendly(hx_buf *b, const hx_type *t) {
  write_friendly(b, t, "dynamic");
}

hx_str hx_type_friendly(hx_cx *cx, const hx_type *t) {
  if (cx->silent) return HX_UNSAID;
  if (!hx_type_is_collection(t) && t->kind != HX_K_DYNAMIC && t->kind != HX_K_CAPSULE) return hx_str_c(kind_names[t->kind]);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 32);
  write_friendly(&b, t, "any type");
  return hx_buf_done(&b);
}

hx_str hx_type_with_article(hx_cx *cx, const hx_type *t) {
  hx_str name = hx_type_friendly(cx, t);
  return hx_say(cx, "%s %.*s", t->kind == HX_K_OBJECT ? "an" : "a", HX_STR_ARG(name));
}
