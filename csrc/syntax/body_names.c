/* body_names.c: the names of the attributes that a body has so far. */
#include "syntax/parse_state.h"

/* Few names are compared one by one; many go into a hash table. Its seed is an address, so that no source can be written to
** make all names collide. */
enum { FEW = 16 };

typedef struct name_table {
  uint32_t mask;
  const hx_node **slots;
} name_table;

static uint64_t hash_name(hx_str s, uint64_t seed) {
  uint64_t h = seed ^ s.len;
  for (uint32_t i = 0; i < s.len; i++) {
    h = (h ^ (unsigned char)s.p[i]) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return h ^ h >> 32;
}

/* The slot of a name: taken by it, or free. */
static const hx_node **find_slot(const hx_parser *p, const name_table *t, hx_str name) {
  uint32_t i = (uint32_t)hash_name(name, (uint64_t)(uintptr_t)p->cx) & t->mask;
  while (t->slots[i] && !hx_str_eq(*t->slots[i]->u.attr.name, name)) i = (i + 1) & t->mask;
  return &t->slots[i];
}

/* A table of at least twice as many slots as there are names, and room for as many again. */
static void make_table(hx_parser *p, hx_frame *body, uint32_t nnames) {
  name_table *t = hx_arena_alloc(&p->cx->scratch, sizeof *t);
  uint32_t size = FEW * 4;
  while (size < nnames * 4) size *= 2;
  t->mask = size - 1;
  t->slots = hx_arena_alloc(&p->cx->scratch, size * sizeof *t->slots);
  memset(t->slots, 0, size * sizeof *t->slots);
  for (const hx_node *n = body->node->u.kids.first; n; n = n->next)
    if (n->kind == HX_AST_ATTRIBUTE && !(n->flags & HX_AST_DUPLICATE)) *find_slot(p, t, *n->u.attr.name) = n;
  body->extra = t;
}

static const hx_node *find_among_few(const hx_frame *body, hx_str name) {
  for (const hx_node *n = body->node->u.kids.first; n; n = n->next)
    if (n->kind == HX_AST_ATTRIBUTE && hx_str_eq(*n->u.attr.name, name)) return n;
  return NULL;
}

const hx_node *hx_body_name_taken(hx_parser *p, hx_frame *body, const hx_node *attribute) {
  hx_str name = *attribute->u.attr.name;
  uint32_t seen = body->at++;
  if (seen < FEW) return find_among_few(body, name);
  name_table *t = body->extra;
  if (!t || t->mask + 1 < seen * 2) {
    make_table(p, body, seen);
    t = body->extra;
  }
  const hx_node **slot = find_slot(p, t, name);
  if (*slot) return *slot;
  *slot = attribute;
  return NULL;
}
