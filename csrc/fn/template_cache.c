/* template_cache.c: see template_cache.h. */
#include "fn/template_cache.h"

/* Templates that are looked through before one is compiled again; values may point into them, so all stay to the end. */
#define LOOKED_MAX 64

/* Bytes of texts that are compared for one step. */
#define COMPARED_A_STEP 128u

/* What a program takes at least, and what it takes a byte of its source. */
#define LEAST 3072u
#define A_BYTE 16u

typedef struct cache {
  void **home; /* where the activity keeps the pointer to this cache */
  hx_template *first;
} cache;

static void free_cache(void *p) {
  cache *c = p;
  *c->home = NULL;
}

static cache *cache_of(hx_cx *cx) {
  if (cx->templates) return cx->templates;
  cache *c = HX_NEW(cx, cache);
  *c = (cache){ &cx->templates, NULL };
  hx_arena_defer(&cx->arena, free_cache, c);
  cx->templates = c;
  return c;
}

static void free_program(void *p) {
  hx_program_deinit(p);
}

static hx_template *compile(hx_cx *cx, hx_str text, hx_str name) {
  hx_program_options options = { .filename = name, .syntax = HX_SYNTAX_TEMPLATE, .limits = cx->limits };
  hx_charge_steps(cx, 1 + text.len / 4);
  hx_charge_memory(cx, LEAST + A_BYTE * (uint64_t)text.len);
  hx_template *t = HX_NEW(cx, hx_template);
  memset(t, 0, sizeof *t);
  t->name = hx_str_copy(cx, name);
  t->text = hx_str_copy(cx, text);
  hx_why why = hx_program_init(&t->program, t->text, &options);
  hx_arena_defer(&cx->arena, free_program, &t->program);
  if (why != HX_WHY_NONE) hx_abort(cx, why);
  if (t->program.code) hx_references_of(cx, t->program.source, t->program.root, &t->uses);
  return t;
}

hx_template *hx_template_get(hx_cx *cx, hx_str text, hx_str name) {
  cache *c = cache_of(cx);
  uint32_t looked = 0;
  for (hx_template *t = c->first; t && looked < LOOKED_MAX; t = t->next, looked++) {
    if (t->text.len == text.len) hx_charge_steps(cx, text.len / COMPARED_A_STEP);
    if (hx_str_eq(t->text, text) && hx_str_eq(t->name, name)) return t;
  }
  hx_template *t = compile(cx, text, name);
  t->next = c->first;
  c->first = t;
  return t;
}
