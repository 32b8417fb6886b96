/* body_names.c: remembers the names of a body's attributes. */
#include "base/table.h"
#include "base/vec.h"
#include "syntax/parse_state.h"

/* A few names are compared one by one; many go into a hash table. */
enum { FEW = 16 };

typedef struct name_table {
  hx_table table;
  HX_VEC(const hx_node *) attributes;
} name_table;

typedef struct wanted {
  const name_table *t;
  hx_str name;
} wanted;

static bool is_wanted(const void *ud, uint32_t i) {
  const wanted *w = ud;
  return hx_str_eq(*w->t->attributes.p[i]->u.attr.name, w->name);
}

/* Returns the attribute in the table that has the same name. If there isn't one, adds the new name and returns NULL. */
static const hx_node *put(hx_parser *p, name_table *t, const hx_node *attribute) {
  HX_ASSERT(t->attributes.p); /* reserved by make_table */
  hx_str name = *attribute->u.attr.name;
  uint32_t hash = hx_str_hash(name), *slot = hx_table_find(&t->table, p->cx, hash, is_wanted, &(wanted){ t, name });
  if (*slot) return t->attributes.p[hx_table_index(&t->table, slot)];
  hx_table_put(&t->table, slot, t->attributes.n, hash);
  *HX_VEC_PUSH(&p->cx->scratch, &t->attributes) = attribute;
  return NULL;
}

/* Makes a table of the names so far, with room for as many again. */
static name_table *make_table(hx_parser *p, hx_frame *body, uint32_t nnames) {
  name_table *t = hx_arena_alloc(&p->cx->scratch, sizeof *t);
  *t = (name_table){ .table = hx_table_new(&p->cx->scratch, nnames * UINT64_C(2)) };
  HX_VEC_RESERVE(&p->cx->scratch, &t->attributes, t->table.mask / 2 + 1); /* it never grows, so scratch after it may be freed */
  for (const hx_node *n = body->node->u.kids.first; n; n = n->next)
    if (n->kind == HX_AST_ATTRIBUTE && !(n->flags & HX_AST_DUPLICATE)) (void)put(p, t, n);
  body->extra = t;
  return t;
}

static const hx_node *find_among_few(const hx_frame *body, hx_str name) {
  for (const hx_node *n = body->node->u.kids.first; n; n = n->next)
    if (n->kind == HX_AST_ATTRIBUTE && hx_str_eq(*n->u.attr.name, name)) return n;
  return NULL;
}

const hx_node *hx_body_name_taken(hx_parser *p, hx_frame *body, const hx_node *attribute) {
  uint32_t seen = body->at++;
  if (seen < FEW) return find_among_few(body, *attribute->u.attr.name);
  name_table *t = body->extra;
  if (!t || hx_table_is_full(&t->table, seen + UINT64_C(1))) t = make_table(p, body, seen);
  return put(p, t, attribute);
}
