/* construct.c: compiles tuples and objects. */
#include "vm/compile/compiler.h"

#include "text/unicode.h"

void hx_compile_tuple(hx_compiler *c, hx_compile_task *t) {
  if (t->phase == 0) {
    t->phase = 1;
    t->kid = t->node->u.kids.first;
  }
  if (hx_compile_next(c, t)) return;
  uint32_t n = t->node->count;
  const hx_val *elements = hx_compile_fold(c, t, n);
  if (elements || !n) {
    hx_val v = n ? hx_tuple(c->cx, elements, n) : hx_empty_tuple;
    hx_emit_constant(c, t->node, &v);
  } else {
    hx_emit_varying(c, HX_I_TUPLE, 0, n, t->node, t->start, n);
  }
  hx_compile_done(c);
}

/* Sets *out to the name that a key denotes. Returns false if the key is an expression. */
static bool key_word(hx_compiler *c, const hx_node *key, hx_str *out) {
  hx_str word = hx_node_word(key->u.kids.first);
  if (!word.len || key->flags & HX_AST_FORCED) return false;
  *out = hx_nfc(c->cx, word);
  return true;
}

/* Sets *out to a key that is known at compile time; otherwise returns false. */
static bool constant_key(hx_compiler *c, const hx_node *key, hx_str *out) {
  const hx_node *inner = key->u.kids.first;
  hx_val v;
  if (inner->kind == HX_AST_STRING && !(inner->flags & HX_AST_UNREAD)) {
    *out = hx_node_text(inner);
    return true;
  }
  if (key_word(c, key, out)) return true;
  if (!hx_constant_of(c, inner, &v)) return false;
  if (v.tag != HX_T_STR) return false;
  *out = hx_val_str(&v);
  return true;
}

/* Up to this many keys are compared in pairs. */
#define FEW 12u

static bool few_twice(const hx_str *keys, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (hx_str_eq(keys[i], keys[j])) return true;
  return false;
}

static bool has_twice(hx_compiler *c, const hx_str *keys, uint32_t n) {
  if (n <= FEW) return few_twice(keys, n);
  hx_arena_mark mark = hx_arena_get_mark(&c->cx->arena);
  hx_obj_builder b;
  bool twice = false;
  hx_obj_builder_init(&b, c->cx, n);
  for (uint32_t i = 0; i < n && !twice; i++) {
    hx_val *at = hx_obj_builder_put(&b, keys[i]);
    twice = at->tag != HX_T_NONE;
    *at = hx_bool(true);
  }
  hx_arena_release(&c->cx->arena, mark);
  return twice;
}

/* This many of the latest shapes are searched for one to reuse. */
#define LOOK_BACK 4u

/* Finds a shape with these keys among the latest shapes. Objects in a list usually have the same keys, and so share a shape. */
static bool known_shape(const hx_compiler *c, const hx_str *keys, uint32_t n, uint32_t *out) {
  for (uint32_t i = c->shapes.n; i > 0 && c->shapes.n - i < LOOK_BACK; i--) {
    *out = i - 1;
    if (hx_shape_is_of(c->shapes.p[i - 1], keys, n)) return true;
  }
  return false;
}

/* Sets *out to the index of an object's shape. Returns false unless the keys are all constant and distinct. */
static bool constant_shape(hx_compiler *c, const hx_node *object, uint32_t *out) {
  uint32_t n = object->count / 2, i = 0;
  hx_arena_mark mark = hx_arena_get_mark(&c->cx->arena);
  hx_str *keys = HX_NEW_ARRAY(c->cx, hx_str, n + 1);
  bool constant = true;
  for (const hx_node *key = object->u.kids.first; key && constant; key = key->next->next)
    constant = constant_key(c, key, &keys[i++]);
  bool known = constant && known_shape(c, keys, n, out);
  if (!constant || known || has_twice(c, keys, n)) {
    hx_arena_release(&c->cx->arena, mark);
    return known;
  }
  const hx_shape *shape = hx_shape_new(c->cx, keys, n);
  hx_shape_order(c->cx, shape); /* ordered now, because an order made by an evaluation would be freed before the program */
  *out = c->shapes.n;
  *HX_VEC_PUSH(&c->cx->scratch, &c->shapes) = shape;
  return true;
}

enum { START, SHAPED, KEY, VALUE };

static void compile_shaped(hx_compiler *c, hx_compile_task *t) {
  const hx_node *key = t->kid;
  if (key) {
    t->kid = key->next->next;
    hx_compile_child(c, key->next, HX_WANT_WHOLE);
    return;
  }
  uint32_t n = t->node->count / 2;
  const hx_val *values = hx_compile_fold(c, t, n);
  if (values || !n) {
    hx_val v = n ? hx_object(c->cx, c->shapes.p[t->mark], values) : hx_empty_object;
    hx_emit_constant(c, t->node, &v);
  } else {
    hx_emit_varying(c, HX_I_OBJECT, 0, t->mark, t->node, t->start, n);
  }
  hx_compile_done(c);
}

void hx_compile_object(hx_compiler *c, hx_compile_task *t) {
  if (t->phase == START) {
    uint32_t shape;
    t->kid = t->node->u.kids.first;
    t->phase = KEY;
    if (constant_shape(c, t->node, &shape)) {
      t->phase = SHAPED;
      t->mark = shape;
    }
  }
  if (t->phase == SHAPED) {
    compile_shaped(c, t);
    return;
  }
  t->phase = t->phase == KEY ? VALUE : KEY;
  if (hx_compile_next(c, t)) return;
  hx_emit_varying(c, HX_I_OBJECT_OF, 0, t->node->count / 2, t->node, t->start, t->node->count);
  hx_compile_done(c);
}

/* Compiles the key of one item. The code ends in ITEM_KEY. */
void hx_compile_key(hx_compiler *c, hx_compile_task *t) {
  const hx_node *node = t->node, *inner = node->u.kids.first;
  hx_str word;
  if (t->phase == 0) {
    t->phase = 1;
    if (key_word(c, node, &word)) {
      hx_val v = hx_string(word);
      hx_emit_constant(c, node, &v);
      hx_compile_done(c);
    } else if (!(node->flags & HX_AST_FORCED) && inner->kind == HX_AST_TRAVERSAL) {
      hx_emit(c, HX_I_KEY_PATH, 0, 0, node, t->start);
      hx_compile_done(c);
    } else {
      hx_compile_child(c, inner, HX_WANT_WHOLE);
    }
    return;
  }
  hx_emit(c, HX_I_ITEM_KEY, 0, 0, node, t->start);
  hx_compile_done(c);
}
