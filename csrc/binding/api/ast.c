/* ast.c: expr:ast(): makes plain tables of an expression's tree. The traversal has its own stack, so a tree may have any depth. */
#include "binding/api/ast.h"
#include "binding/state/openers.h"

#include "binding/data/value.h"
#include "binding/objects/body.h"
#include "binding/objects/expression.h"
#include "binding/objects/uses.h"
#include "binding/state/place.h"
#include "base/vec.h"
#include "syntax/json.h"
#include "vm/ops.h"
#include "vm/references.h"

/* Fields of nodes */

static void set_text(lua_State *L, const char *name, hx_str s) {
  if (s.len) hx_set_str(L, name, s);
}

static void set_call_name(lua_State *L, hx_unit *u, const hx_node *n) {
  int at = lua_gettop(L);
  hx_str name = hx_call_name_in(L, hx_work_push(L), u->program.source, n);
  lua_pushvalue(L, at);
  set_text(L, "name", name);
  lua_settop(L, at);
}

static void set_plain_text(lua_State *L, hx_unit *u, const hx_node *n) {
  (void)u;
  set_text(L, "text", hx_node_text(n));
}

static void set_string_text(lua_State *L, hx_unit *u, const hx_node *n) {
  (void)u;
  hx_set_str(L, "text", hx_node_text(n));
}

static void set_truth(lua_State *L, hx_unit *u, const hx_node *n) {
  (void)u;
  hx_set_bool(L, "value", n->op);
}

static void set_step_ranges(lua_State *L, hx_unit *u, const hx_node *n) {
  lua_createtable(L, (int)n->count, 0);
  for (uint32_t i = 0; i < n->count; i++) {
    hx_range_push(L, u, u->program.source, hx_range_of(n->u.trav.steps[i].start, n->u.trav.steps[i].stop));
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "step_ranges");
}

static void set_path(lua_State *L, hx_unit *u, const hx_node *n) {
  hx_reference_push(L, u, n->u.trav.steps, n->count, hx_node_range(n), HX_STR(""));
  lua_getfield(L, -1, "root");
  lua_setfield(L, -3, "root");
  lua_getfield(L, -1, "steps");
  lua_setfield(L, -3, "steps");
  lua_pop(L, 1);
  set_step_ranges(L, u, n);
}

static void set_steps(lua_State *L, hx_unit *u, const hx_node *n) {
  hx_steps_push(L, n->u.trav.steps, n->count);
  lua_setfield(L, -2, "steps");
  set_step_ranges(L, u, n);
}

static void set_operator(lua_State *L, hx_unit *u, const hx_node *n) {
  (void)u;
  hx_set_word(L, "operator", hx_op_symbol((hx_op)n->op));
}

static void set_loop_name(lua_State *L, hx_unit *u, const char *field, const char *range_field, hx_str name, hx_range range) {
  if (!name.len) return;
  set_text(L, field, name);
  hx_set_range(L, range_field, u, range);
}

static void set_loop_names(lua_State *L, hx_unit *u, const hx_node *n) {
  const hx_loop *loop = n->u.loop.names;
  set_loop_name(L, u, "key_name", "key_range", loop->key, loop->key_range);
  set_loop_name(L, u, "value_name", "value_range", loop->value, loop->value_range);
}

/* Describes the nodes of a kind: `set` adds the kind's own fields; the children get fields by `names`, up to four, or go into the array
** `list`. Every node also has kind, range and flags. */
typedef struct kind_row {
  const char *names[4];
  const char *list;
  void (*set)(lua_State *L, hx_unit *u, const hx_node *n);
} kind_row;

static const kind_row kind_rows[HX_AST_COUNT] = {
  [HX_AST_NUMBER] = { .set = set_plain_text },
  [HX_AST_STRING] = { .set = set_string_text },
  [HX_AST_BOOL] = { .set = set_truth },
  [HX_AST_TEXT] = { .set = set_string_text },
  [HX_AST_TEMPLATE] = { .list = "parts" },
  [HX_AST_WRAP] = { .names = { "inner" } },
  [HX_AST_JOIN] = { .names = { "loop" } },
  [HX_AST_TRAVERSAL] = { .set = set_path },
  [HX_AST_RELATIVE] = { .names = { "source" }, .set = set_steps },
  [HX_AST_INDEX] = { .names = { "collection", "key" } },
  [HX_AST_SPLAT] = { .names = { "source", "each" } },
  [HX_AST_CALL] = { .list = "args", .set = set_call_name },
  [HX_AST_CONDITIONAL] = { .names = { "condition", "yes", "no" } },
  [HX_AST_BINARY] = { .names = { "left", "right" }, .set = set_operator },
  [HX_AST_UNARY] = { .names = { "operand" }, .set = set_operator },
  [HX_AST_TUPLE] = { .list = "elements" },
  [HX_AST_OBJECT] = { .list = "items" },
  [HX_AST_KEY] = { .names = { "inner" } },
  [HX_AST_FOR] = { .set = set_loop_names },
  [HX_AST_PARENS] = { .names = { "inner" } },
  [HX_AST_BROKEN] = { .list = "parts" },
};

/* The flags that become fields of a node's table. */
static const struct flag_row {
  uint16_t flag;
  const char *name;
} flag_rows[] = {
  { HX_AST_FULL, "full" },       { HX_AST_EXPAND, "expand" }, { HX_AST_FORCED, "forced" },
  { HX_AST_HEREDOC, "heredoc" }, { HX_AST_GROUP, "grouped" }, { HX_AST_DIRECTIVE, "directive" },
};

/* Adds a node's fields, except its children, to the table on top of the stack. */
static void set_fields(lua_State *L, hx_unit *u, const hx_node *n) {
  hx_set_word(L, "kind", hx_ast_kind_name((hx_ast_kind)n->kind));
  hx_set_range(L, "range", u, hx_node_range(n));
  for (size_t i = 0; i < sizeof flag_rows / sizeof *flag_rows; i++) {
    if (!(n->flags & flag_rows[i].flag)) continue;
    hx_set_bool(L, flag_rows[i].name, true);
  }
  if (kind_rows[n->kind].set) kind_rows[n->kind].set(L, u, n);
}

/* Returns the field that has child i of a `for`. */
static const char *for_name(const hx_node *n, uint32_t i) {
  if (i == 0) return "collection";
  if (n->flags & HX_AST_HAS_KEY) {
    if (i == 1) return "key";
    i--;
  }
  return i == 1 ? "value" : "condition";
}

const char *hx_ast_child_name(const hx_node *n, uint32_t i) {
  if (n->kind == HX_AST_FOR) return for_name(n, i);
  return kind_rows[n->kind].list || i >= 4 ? NULL : kind_rows[n->kind].names[i];
}

/* Puts the table on top of the stack into the parent's table, at index `parent`, as child i, and leaves the child's table on the stack. */
static void attach(lua_State *L, int parent, const hx_node *n, uint32_t i) {
  const char *name = hx_ast_child_name(n, i);
  lua_pushvalue(L, -1);
  if (name) {
    lua_setfield(L, parent, name);
  } else {
    lua_getfield(L, parent, kind_rows[n->kind].list);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (int)i + 1);
    lua_pop(L, 1);
  }
}

static void push_node(lua_State *L, hx_unit *u, const hx_node *n) {
  lua_createtable(L, 0, 6);
  set_fields(L, u, n);
  if (kind_rows[n->kind].list) {
    lua_newtable(L);
    lua_setfield(L, -2, kind_rows[n->kind].list);
  }
}

/* The stack of the traversal. The nodes are here; their tables are in a Lua table, by level. */
typedef struct level {
  const hx_node *node, *kid;
  uint32_t i;
} level;

typedef struct levels {
  HX_VEC(level) v;
} levels;

static void run_push(hx_cx *cx, void *ud) {
  levels *l = ud;
  HX_VEC_RESERVE(&cx->arena, &l->v, 1);
}

static void push_level(lua_State *L, hx_home *work, levels *l, const hx_node *n) {
  if (l->v.n == l->v.cap) hx_home_must(L, work, run_push, l);
  l->v.p[l->v.n++] = (level){ n, hx_node_first(n), 0 };
}

/* Removes finished levels, and returns the next node: a child of the last level's node. Returns NULL at the end. */
static const hx_node *next_node(levels *l) {
  while (l->v.n) {
    level *top = &l->v.p[l->v.n - 1];
    const hx_node *kid = top->kid;
    if (kid) {
      top->kid = kid->next;
      return kid;
    }
    l->v.n--;
  }
  return NULL;
}

typedef struct read_job {
  const hx_source *source;
  const hx_node *node;
} read_job;

static void run_read(hx_cx *cx, void *ud) {
  read_job *job = ud;
  job->node = hx_json_template(cx, job->source, job->node);
}

/* Returns the node to show: the template for a string of JSON syntax, the bare expression in an expanded body, and n otherwise. */
static const hx_node *read_node(lua_State *L, hx_unit *u, hx_home *work, const hx_node *n) {
  if (n->kind == HX_AST_WITHIN) n = n->u.made.first;
  read_job job = { u->program.source, n };
  if (!(n->flags & HX_AST_UNREAD)) return n;
  hx_home_must(L, work, run_read, &job);
  return job.node;
}

static int l_ast(lua_State *L) {
  hx_unit *u = hx_check_expression(L, 1)->unit;
  hx_home *work;
  const hx_node *root, *kid;
  levels l = { { NULL, 0, 0 } };
  int tables;
  lua_settop(L, 1);
  luaL_checkstack(L, 20, NULL);
  work = hx_work_push(L);
  root = read_node(L, u, work, u->program.root);
  lua_newtable(L);
  tables = lua_gettop(L);
  push_node(L, u, root);
  lua_pushvalue(L, -1);
  lua_rawseti(L, tables, 1);
  push_level(L, work, &l, root);
  while ((kid = next_node(&l))) {
    level *top = &l.v.p[l.v.n - 1];
    kid = read_node(L, u, work, kid);
    lua_rawgeti(L, tables, (int)l.v.n);
    push_node(L, u, kid);
    attach(L, lua_gettop(L) - 1, top->node, top->i++);
    lua_rawseti(L, tables, (int)l.v.n + 1);
    lua_pop(L, 1);
    push_level(L, work, &l, kid);
  }
  return 1;
}

/* Conditionals */

static void push_result(lua_State *L, hx_unit *u, const char *name, const hx_node *n, bool taken) {
  lua_createtable(L, 0, 2);
  hx_set_range(L, "range", u, hx_node_range(n));
  hx_set_bool(L, "taken", taken);
  lua_setfield(L, -2, name);
}

static void push_conditional(lua_State *L, hx_unit *u, const hx_node *n) {
  const hx_node *yes = n->u.kids.first->next;
  lua_createtable(L, 0, 4);
  hx_set_range(L, "range", u, hx_node_range(n));
  hx_set_range(L, "condition", u, hx_node_range(n->u.kids.first));
  push_result(L, u, "yes", yes, (n->flags & HX_AST_TOOK_YES) != 0);
  push_result(L, u, "no", yes->next, (n->flags & HX_AST_TOOK_NO) != 0);
}

/* core.conditionals(body): returns an array of the conditionals of a Body, also those in templates, in source order: { range, condition,
** yes, no }. Both results have `range` and `taken`, which is true if an evaluation under a scope that records coverage took the
** result. In JSON syntax the array is empty. */
static int l_conditionals(lua_State *L) {
  hx_unit *u;
  hx_home *work;
  const hx_node *root = hx_check_body(L, 1, &u, NULL), *kid;
  levels l = { { NULL, 0, 0 } };
  int found = 0;
  lua_settop(L, 1);
  luaL_checkstack(L, 20, NULL);
  work = hx_work_push(L);
  lua_newtable(L);
  push_level(L, work, &l, root);
  while ((kid = next_node(&l))) {
    if (kid->kind == HX_AST_CONDITIONAL) {
      push_conditional(L, u, kid);
      lua_rawseti(L, -2, ++found);
    }
    push_level(L, work, &l, kid);
  }
  return 1;
}

static const luaL_Reg methods[] = { { "ast", l_ast }, { NULL, NULL } };
static const luaL_Reg functions[] = { { "conditionals", l_conditionals }, { NULL, NULL } };

void hx_open_ast(lua_State *L) {
  hx_register(L, HX_CLASS_EXPRESSION, methods, functions);
}
