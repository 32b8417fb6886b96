/* body.c: hcl.parse, and the parts of a Body. The tables that Lua sees are put together in hclexpr/body.lua from these. */
#include "binding/body.h"

#include "binding/diagnostics.h"
#include "binding/expression.h"
#include "binding/uses.h"

/* Body, Attribute and Block alike: a node of a unit's tree. */
typedef struct part {
  hx_unit *unit;
  const hx_node *node;
} part;

static part *new_part(lua_State *L, hx_class c, hx_unit *unit, const hx_node *node) {
  part *p = hx_lua_newuserdata(L, sizeof *p);
  *p = (part){ NULL, node };
  hx_set_class(L, -1, c);
  p->unit = unit ? hx_unit_retain(unit) : NULL;
  return p;
}

static part *check(lua_State *L, hx_class c) {
  return hx_check_class(L, 1, c);
}

/* core.parse(source, filename, line, column, limits) */
static int l_parse(lua_State *L) {
  hx_str text = hx_check_str(L, 1);
  hx_program_options options = { .filename = HX_STR(""), .syntax = HX_SYNTAX_BODY, .limits = hx_limits_default };
  hx_program *program;
  part *p;
  lua_settop(L, 5);
  if (!lua_isnil(L, 2)) options.filename = hx_check_str(L, 2);
  options.line = (uint32_t)luaL_optnumber(L, 3, 1);
  options.column = (uint32_t)luaL_optnumber(L, 4, 1);
  if (!lua_isnil(L, 5)) hx_limits_read(L, 5, 5, &options.limits);
  p = new_part(L, HX_CLASS_BODY, NULL, NULL);
  p->unit = hx_unit_new(NULL);
  if (!p->unit) return luaL_error(L, "not enough memory");
  program = &p->unit->program;
  hx_program_init(program, text, &options);
  p->node = program->root;
  hx_state_grown(L, program->cx.arena.held + program->cx.scratch.held + sizeof(hx_unit));
  if (!program->cx.diags.errors) return 1;
  lua_pushnil(L);
  hx_diagnostics_push_of(L, p->unit);
  if (!p->node || p->node->kind != HX_AST_BODY) return 2;
  lua_pushvalue(L, 6);
  return 3;
}

static void set_range(lua_State *L, const part *p, const char *name, hx_range range) {
  hx_range_push(L, p->unit, p->unit->program.source, range);
  lua_setfield(L, -2, name);
}

/* core.body_items(body): arrays of the Attributes and Blocks in source order. */
static int l_items(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  int nattributes = 0, nblocks = 0;
  lua_newtable(L);
  lua_newtable(L);
  for (const hx_node *n = hx_node_first(p->node); n; n = n->next) {
    if (n->kind == HX_AST_ATTRIBUTE && !(n->flags & HX_AST_DUPLICATE)) {
      new_part(L, HX_CLASS_ATTRIBUTE, p->unit, n);
      lua_rawseti(L, -3, ++nattributes);
    } else if (n->kind == HX_AST_BLOCK) {
      new_part(L, HX_CLASS_BLOCK, p->unit, n);
      lua_rawseti(L, -2, ++nblocks);
    }
  }
  return 2;
}

/* The expression of an attribute, as a program of its own that shares tree and source. */
static void push_expression(lua_State *L, const part *p) {
  hx_expression *e = hx_expression_new(L, p->unit);
  hx_why why = hx_program_init_part(&e->unit->program, &hx_unit_root(p->unit)->program, p->node->u.attr.first);
  if (why != HX_WHY_NONE) luaL_error(L, "not enough memory");
}

/* core.attribute_fields(attribute) */
static int l_attribute_fields(lua_State *L) {
  const part *p = check(L, HX_CLASS_ATTRIBUTE);
  hx_str name = *p->node->u.attr.name;
  lua_createtable(L, 0, 4);
  hx_set_str(L, -1, "name", name);
  push_expression(L, p);
  lua_setfield(L, -2, "expression");
  set_range(L, p, "range", hx_node_range(p->node));
  set_range(L, p, "name_range", hx_range_of(p->node->start, p->node->start + name.len));
  return 1;
}

/* core.attribute_name(attribute) */
static int l_attribute_name(lua_State *L) {
  hx_push_str(L, *check(L, HX_CLASS_ATTRIBUTE)->node->u.attr.name);
  return 1;
}

/* core.block_fields(block) */
static int l_block_fields(lua_State *L) {
  const part *p = check(L, HX_CLASS_BLOCK);
  const hx_block_head *head = p->node->u.block.head;
  int i = 0;
  lua_createtable(L, 0, 8);
  hx_set_str(L, -1, "type", head->type);
  set_range(L, p, "range", hx_node_range(p->node));
  set_range(L, p, "type_range", head->type_range);
  set_range(L, p, "open_brace_range", head->open_brace);
  set_range(L, p, "close_brace_range", head->close_brace);
  lua_newtable(L);
  lua_newtable(L);
  for (const hx_node *n = hx_node_first(p->node); n; n = n->next) {
    if (n->kind == HX_AST_LABEL) {
      hx_push_str(L, hx_str_of(n->u.text.p, n->u.text.len));
      lua_rawseti(L, -3, ++i);
      hx_range_push(L, p->unit, p->unit->program.source, hx_node_range(n));
      lua_rawseti(L, -2, i);
    } else if (n->kind == HX_AST_BODY) {
      new_part(L, HX_CLASS_BODY, p->unit, n);
      lua_setfield(L, -4, "body");
    }
  }
  lua_setfield(L, -3, "label_ranges");
  lua_setfield(L, -2, "labels");
  return 1;
}

static int l_references(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  return hx_references_push(L, p->unit, p->node);
}

static int l_range(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  hx_range_push(L, p->unit, p->unit->program.source, hx_node_range(p->node));
  return 1;
}

static int collect(lua_State *L, hx_class c) {
  part *p = hx_to_class(L, 1, c);
  if (!p) return 0;
  hx_unit_release(L, p->unit);
  p->unit = NULL;
  return 0;
}

static int l_body_gc(lua_State *L) {
  return collect(L, HX_CLASS_BODY);
}
static int l_attribute_gc(lua_State *L) {
  return collect(L, HX_CLASS_ATTRIBUTE);
}
static int l_block_gc(lua_State *L) {
  return collect(L, HX_CLASS_BLOCK);
}

static const luaL_Reg body_methods[] = {
  { "__gc", l_body_gc }, { "references", l_references }, { "range", l_range }, { NULL, NULL }
};
static const luaL_Reg attribute_methods[] = { { "__gc", l_attribute_gc }, { NULL, NULL } };
static const luaL_Reg block_methods[] = { { "__gc", l_block_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = {
  { "parse", l_parse },
  { "body_items", l_items },
  { "attribute_fields", l_attribute_fields },
  { "attribute_name", l_attribute_name },
  { "block_fields", l_block_fields },
  { NULL, NULL },
};

void hx_open_body(lua_State *L) {
  hx_register(L, HX_CLASS_ATTRIBUTE, attribute_methods, NULL);
  hx_register(L, HX_CLASS_BLOCK, block_methods, NULL);
  hx_register(L, HX_CLASS_BODY, body_methods, functions);
}
