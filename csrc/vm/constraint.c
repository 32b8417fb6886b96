/* constraint.c: reads a type that is written as an expression, with its own stack for nested parts. */
#include "vm/constraint.h"

#include "base/vec.h"
#include "text/source.h"
#include "text/suggest.h"
#include "text/unicode.h"
#include "vm/references.h"

/* An attribute of an object type, or an element of another type. An element uses only `is`. */
typedef struct member {
  hx_str name;
  hx_constraint is;
  bool optional;
  hx_val fallback; /* HX_T_NONE: no default */
} member;

/* A constructor whose argument is being read. Nested constraints are on this stack, not on the C stack. */
typedef struct frame {
  struct frame *up;
  hx_kind kind;
  const hx_node *next; /* the type, element or KEY to read next; NULL after the last one */
  HX_VEC(member) members;
  hx_obj_builder seen;     /* OBJECT: the names that were read */
  member now;              /* the attribute whose type is being read */
  const hx_node *fallback; /* the expression of that attribute's default, or NULL */
} frame;

typedef struct reader {
  hx_cx *cx;
  const hx_source *src;
  bool with_optional;
  frame *top;
} reader;

/* The type constructors. Messages show their arguments. */
static const struct constructor {
  const char *name;
  hx_kind kind;
  const char *needs;
} constructors[] = {
  { "list", HX_K_LIST, "the type of its elements, as in list(string)" },
  { "set", HX_K_SET, "the type of its elements, as in set(string)" },
  { "map", HX_K_MAP, "the type of its elements, as in map(string)" },
  { "object", HX_K_OBJECT, "its attributes, as in object({ name = string })" },
  { "tuple", HX_K_TUPLE, "the types of its elements, as in tuple([string, number])" },
};

static const struct primitive {
  const char *name;
  const hx_type *type;
} primitives[] = {
  { "string", &hx_type_string },
  { "number", &hx_type_number },
  { "bool", &hx_type_bool },
  { "any", &hx_type_dynamic },
};

static const struct constructor *constructor_named(hx_str name) {
  for (size_t i = 0; i < sizeof constructors / sizeof *constructors; i++)
    if (hx_str_eq(name, hx_str_c(constructors[i].name))) return &constructors[i];
  return NULL;
}

static const hx_type *primitive_named(hx_str name) {
  for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
    if (hx_str_eq(name, hx_str_c(primitives[i].name))) return primitives[i].type;
  return NULL;
}

static hx_str call_name(const reader *r, const hx_node *call) {
  return hx_call_name(r->cx, r->src, call);
}

static hx_range args_range(const hx_node *call) {
  return (hx_range){ call->u.call.open, call->u.call.close_start + 1 };
}

static hx_diag *fault(const reader *r, hx_diag_id id, hx_range at) {
  return hx_diag_add(r->cx, id, r->src, at);
}

static hx_constraint nothing(void) {
  return (hx_constraint){ &hx_type_dynamic, NULL };
}

/* Names of types in other languages. */
static const struct foreign_word {
  hx_str word;
  hx_str type;
} foreign_words[] = {
  { { "int", 3 }, { "number", 6 } },    { { "integer", 7 }, { "number", 6 } }, { { "float", 5 }, { "number", 6 } },
  { { "boolean", 7 }, { "bool", 4 } },  { { "str", 3 }, { "string", 6 } },     { { "text", 4 }, { "string", 6 } },
  { { "array", 5 }, { "list", 4 } },    { { "dict", 4 }, { "map", 3 } },       { { "table", 5 }, { "map", 3 } },
  { { "struct", 6 }, { "object", 6 } }, { { "dynamic", 7 }, { "any", 3 } },
};

/* Returns a hint with the type that may have been meant. */
static hx_str hint_of(const reader *r, hx_str word) {
  enum { PRIMITIVES = sizeof primitives / sizeof *primitives, CONSTRUCTORS = sizeof constructors / sizeof *constructors };
  hx_str names[PRIMITIVES + CONSTRUCTORS];
  for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
    if (hx_str_eq(word, foreign_words[i].word)) return hx_say(r->cx, " Did you mean \"%.*s\"?", HX_STR_ARG(foreign_words[i].type));
  for (size_t i = 0; i < PRIMITIVES; i++) names[i] = hx_str_c(primitives[i].name);
  for (size_t i = 0; i < CONSTRUCTORS; i++) names[PRIMITIVES + i] = hx_str_c(constructors[i].name);
  return hx_did_you_mean(r->cx, word, names, PRIMITIVES + CONSTRUCTORS);
}

static hx_constraint keyword_type(const reader *r, const hx_node *n, hx_str word) {
  const hx_type *t = primitive_named(word);
  if (t) return (hx_constraint){ t, NULL };
  const struct constructor *c = constructor_named(word);
  if (c) {
    hx_diag_add(r->cx, HX_D_TYPE_BARE, r->src, hx_node_range(n), HX_STR_ARG(word), c->needs);
    return nothing();
  }
  hx_str hint = hint_of(r, word);
  hx_diag_add(r->cx, HX_D_TYPE_KEYWORD, r->src, hx_node_range(n), HX_STR_ARG(word), HX_STR_ARG(hint));
  return nothing();
}

/* Reports a wrong number of arguments of a constructor: at the superfluous ones, or at the empty parentheses. */
static hx_constraint count_fault(const reader *r, const hx_node *call, const struct constructor *c) {
  hx_range at = args_range(call), whole = at;
  if (call->count > 1) {
    const hx_node *first = call->u.call.first->next, *last = first;
    while (last->next) last = last->next;
    at = hx_range_join(hx_node_range(first), hx_node_range(last));
  }
  hx_str name = call_name(r, call);
  hx_diag_add(r->cx, HX_D_TYPE_ONE_ARGUMENT, r->src, at, HX_STR_ARG(name), c->needs)->context = whole;
  return nothing();
}

/* Makes the frame of a constructor, whose argument is read next. Returns NULL after reporting an error. */
static frame *open_frame(reader *r, const hx_node *call, hx_kind kind) {
  const hx_node *arg = call->u.call.first, *next = arg;
  if (kind == HX_K_OBJECT || kind == HX_K_TUPLE) {
    bool object = kind == HX_K_OBJECT;
    if (arg->kind != (object ? HX_AST_OBJECT : HX_AST_TUPLE)) {
      fault(r, object ? HX_D_TYPE_OBJECT : HX_D_TYPE_TUPLE, hx_node_range(arg))->context = hx_node_range(call);
      return NULL;
    }
    next = arg->u.kids.first;
  }
  frame *f = HX_NEW(r->cx, frame);
  *f = (frame){ .up = r->top, .kind = kind, .next = next };
  if (kind == HX_K_OBJECT) hx_obj_builder_init(&f->seen, r->cx, arg->count / 2);
  return f;
}

/* Reads a type. If the type contains others, returns its frame; otherwise sets *out and returns NULL. */
static frame *enter(reader *r, const hx_node *n, hx_constraint *out) {
  *out = nothing();
  hx_str word = hx_node_word(n);
  if (word.len) {
    *out = keyword_type(r, n, word);
    return NULL;
  }
  if (n->kind != HX_AST_CALL) {
    fault(r, HX_D_TYPE_NOT_ONE, hx_node_range(n));
    return NULL;
  }
  hx_str name = call_name(r, n);
  if (primitive_named(name)) {
    hx_diag_add(r->cx, HX_D_TYPE_NO_ARGUMENT, r->src, args_range(n), HX_STR_ARG(name));
    return NULL;
  }
  const struct constructor *c = constructor_named(name);
  if (c && n->count == 1) return open_frame(r, n, c->kind);
  if (c) {
    *out = count_fault(r, n, c);
  } else if (hx_str_eq(name, HX_STR("optional"))) {
    fault(r, HX_D_TYPE_OPTIONAL_PLACE, hx_range_of(n->start, n->u.call.name_stop));
  } else {
    hx_str hint = hint_of(r, name);
    hx_diag_add(r->cx, HX_D_TYPE_KEYWORD, r->src, hx_node_range(n), HX_STR_ARG(name), HX_STR_ARG(hint));
  }
  return NULL;
}

/* Attributes */

/* Returns the name that is written as a key, or an empty string after reporting an error. */
static hx_str attribute_name(reader *r, frame *f, const hx_node *key) {
  hx_str name = { "", 0 };
  if (!(key->flags & HX_AST_FORCED)) name = hx_nfc(r->cx, hx_node_word(key->u.kids.first));
  if (name.len == 0) {
    fault(r, HX_D_TYPE_ATTRIBUTE_NAME, hx_node_range(key));
    return name;
  }
  if (hx_obj_builder_put(&f->seen, name)->tag != HX_T_NONE) {
    hx_diag_add(r->cx, HX_D_TYPE_ATTRIBUTE_TWICE, r->src, hx_node_range(key), HX_STR_ARG(name));
    name.len = 0;
  }
  return name;
}

static bool is_optional_call(const reader *r, const hx_node *n) {
  return n->kind == HX_AST_CALL && hx_str_eq(call_name(r, n), HX_STR("optional"));
}

/* Reads optional(type) or optional(type, default). Returns the type's expression, or NULL if the type is missing. */
static const hx_node *unwrap_optional(reader *r, frame *f, const hx_node *call) {
  if (call->count == 0) {
    fault(r, HX_D_TYPE_OPTIONAL_EMPTY, args_range(call))->context = hx_node_range(call);
    return NULL;
  }
  const hx_node *type = call->u.call.first;
  if (call->count == 1) {
    f->now.optional = true;
  } else if (call->count == 2 && r->with_optional) {
    f->fallback = type->next;
    f->now.optional = hx_default_value(r->cx, r->src, type->next, &f->now.fallback);
    if (!f->now.optional) f->fallback = NULL;
  } else {
    const char *also = r->with_optional ? " and a default" : "";
    hx_diag_add(r->cx, HX_D_TYPE_OPTIONAL_COUNT, r->src, args_range(call), also)->context = hx_node_range(call);
  }
  return type;
}

/* Returns the expression of the next attribute's type; NULL after the last one. Unreadable attributes are reported and skipped. */
static const hx_node *next_attribute(reader *r, frame *f) {
  while (f->next) {
    const hx_node *key = f->next, *value = key->next;
    f->next = value->next;
    hx_str name = attribute_name(r, f, key);
    if (name.len == 0) continue;
    f->now = (member){ .name = name, .fallback = hx_none() };
    f->fallback = NULL;
    if (!is_optional_call(r, value)) return value;
    const hx_node *type = unwrap_optional(r, f, value);
    if (type) return type;
  }
  return NULL;
}

static const hx_node *next_child(reader *r, frame *f) {
  if (f->kind == HX_K_OBJECT) return next_attribute(r, f);
  const hx_node *n = f->next;
  f->next = n && f->kind == HX_K_TUPLE ? n->next : NULL;
  return n;
}

/* Converts the attribute's default to its type t, and reports a default that doesn't fit. */
static void check_fallback(reader *r, frame *f, const hx_type *t) {
  hx_val converted;
  hx_why_not why = { { "", 0 } };
  if (hx_convert(r->cx, &f->now.fallback, t, &converted, &why)) {
    f->now.fallback = converted;
    return;
  }
  hx_diag_add(r->cx, HX_D_TYPE_DEFAULT, r->src, hx_node_range(f->fallback), HX_STR_ARG(f->now.name), HX_STR_ARG(why.text));
  f->now.fallback = hx_none();
}

static void accept(reader *r, frame *f, hx_constraint child) {
  if (f->kind == HX_K_OBJECT) {
    if (f->fallback) check_fallback(r, f, child.type);
    *hx_obj_builder_put(&f->seen, f->now.name) = hx_bool(true);
  } else {
    f->now = (member){ .fallback = hx_none() };
  }
  f->now.is = child;
  *HX_VEC_PUSH(&r->cx->arena, &f->members) = f->now;
}

/* Composite types */

static hx_constraint finish_tuple(reader *r, const frame *f) {
  uint32_t n = f->members.n;
  const hx_type **types = HX_NEW_ARRAY(r->cx, const hx_type *, n);
  const hx_defaults **defaults = HX_NEW_ARRAY(r->cx, const hx_defaults *, n);
  for (uint32_t i = 0; i < n; i++) {
    types[i] = f->members.p[i].is.type;
    defaults[i] = f->members.p[i].is.defaults;
  }
  return (hx_constraint){ hx_type_tuple(r->cx, types, n), hx_defaults_of_tuple(r->cx, defaults, n) };
}

static hx_constraint finish_object(reader *r, const frame *f) {
  uint32_t n = f->members.n;
  hx_str *names = HX_NEW_ARRAY(r->cx, hx_str, n);
  const hx_type **types = HX_NEW_ARRAY(r->cx, const hx_type *, n);
  bool *optional = HX_NEW_ARRAY(r->cx, bool, n), any = false;
  hx_val *values = HX_NEW_ARRAY(r->cx, hx_val, n);
  const hx_defaults **defaults = HX_NEW_ARRAY(r->cx, const hx_defaults *, n);
  for (uint32_t i = 0; i < n; i++) {
    const member *m = &f->members.p[i];
    names[i] = m->name;
    types[i] = m->is.type;
    optional[i] = m->optional;
    any |= m->optional;
    values[i] = m->fallback;
    defaults[i] = m->is.defaults;
  }
  return (hx_constraint){ hx_type_object(r->cx, names, types, any ? optional : NULL, n),
                          hx_defaults_of_object(r->cx, names, values, defaults, n) };
}

static hx_constraint finish(reader *r, const frame *f) {
  if (f->kind == HX_K_TUPLE) return finish_tuple(r, f);
  if (f->kind == HX_K_OBJECT) return finish_object(r, f);
  HX_ASSERT(f->members.p); /* enter has checked that there is an argument */
  hx_constraint elem = f->members.p[0].is;
  return (hx_constraint){ hx_type_collection(r->cx, f->kind, elem.type), hx_defaults_of_collection(r->cx, f->kind, elem.defaults) };
}

static hx_constraint read_type(reader *r, const hx_node *n) {
  hx_constraint result;
  for (;;) {
    frame *f = enter(r, n, &result);
    if (f) {
      r->top = f;
      n = next_child(r, f);
      if (n) continue;
      result = finish(r, f);
      r->top = f->up;
    }
    for (;;) {
      if (!r->top) return result;
      accept(r, r->top, result);
      n = next_child(r, r->top);
      if (n) break;
      result = finish(r, r->top);
      r->top = r->top->up;
    }
  }
}

const hx_constraint *hx_constraint_parse(hx_cx *cx, const struct hx_source *src, const hx_node *n, bool with_optional) {
  reader r = { cx, src, with_optional, NULL };
  uint32_t before = cx->diags.errors;
  hx_constraint b = read_type(&r, n);
  if (cx->diags.errors != before) return NULL;
  hx_constraint *c = HX_NEW(cx, hx_constraint);
  *c = (hx_constraint){ b.type, b.defaults };
  return c;
}

bool hx_constraint_convert(hx_cx *cx, const hx_constraint *c, const hx_val *v, hx_val *out, hx_why_not *why) {
  hx_val filled = c->defaults ? hx_defaults_apply(cx, c->defaults, v) : *v;
  return hx_convert(cx, &filled, c->type, out, why);
}

void hx_constraint_mistakes(hx_cx *cx, const hx_constraint *c, const hx_val *v, hx_tell *tell, void *ud) {
  hx_val filled = c->defaults ? hx_defaults_apply(cx, c->defaults, v) : *v;
  hx_convert_mistakes(cx, &filled, c->type, tell, ud);
}

const hx_constraint *hx_constraint_copy(hx_cx *to, const hx_constraint *c) {
  hx_constraint *out = HX_NEW(to, hx_constraint);
  *out = (hx_constraint){ hx_type_copy(to, c->type), hx_defaults_copy(to, c->defaults) };
  return out;
}

const hx_constraint *hx_constraint_of(hx_cx *cx, const hx_type *t) {
  hx_constraint *out = HX_NEW(cx, hx_constraint);
  *out = (hx_constraint){ t, NULL };
  return out;
}
