/* body.c: hcl.parse, and the parts of a Body. hclexpr/body.lua makes the tables that Lua sees of them. */
#include "binding/objects/body.h"
#include "binding/state/openers.h"

#include "base/ascii.h"
#include "binding/data/diagnostics.h"
#include "binding/objects/expression.h"
#include "binding/state/limits.h"
#include "binding/state/place.h"
#include "binding/objects/schema.h"
#include "binding/objects/uses.h"
#include "binding/data/push.h"
#include "binding/data/value.h"
#include "config/lower.h"

#include <string.h>

/* A Body, Attribute or Block: a node of a unit's tree. */
typedef struct part {
  hx_unit *unit;
  hx_home *home; /* the home of an expanded body, or NULL */
  const hx_node *node;
  const hx_node *items; /* the items of a Body of the JSON syntax, made on first use */
  bool has_fields;      /* the userdata's table has the fields that were read so far */
} part;

static part *new_part(lua_State *L, hx_class c, const part *from) {
  part *p = hx_lua_newuserdata_table(L, sizeof *p);
  *p = (part){ 0 };
  hx_set_class(L, -1, c);
  if (!from) return p;
  *p = (part){ .unit = from->unit, .home = from->home, .node = from->node };
  if (p->unit) hx_unit_retain(p->unit);
  if (p->home) hx_home_retain(p->home);
  return p;
}

static part *check(lua_State *L, hx_class c) {
  return hx_check_class(L, 1, c);
}

static part *to_part(lua_State *L, int i) {
  static const hx_class classes[] = { HX_CLASS_BODY, HX_CLASS_ATTRIBUTE, HX_CLASS_BLOCK };
  for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
    part *p = hx_to_class(L, i, classes[c]);
    if (p) return p;
  }
  return NULL;
}

hx_unit *hx_body_unit(lua_State *L, int i) {
  const part *p = to_part(L, i);
  return p ? p->unit : NULL;
}

const hx_node *hx_check_body(lua_State *L, int arg, hx_unit **unit, hx_home **home) {
  const part *p = hx_check_class(L, arg, HX_CLASS_BODY);
  *unit = p->unit;
  if (home) *home = p->home;
  return p->node;
}

const hx_node *hx_check_depends(lua_State *L, int arg, hx_unit **unit) {
  if (hx_is_class(L, arg, HX_CLASS_EXPRESSION)) {
    *unit = hx_check_expression(L, arg)->unit;
    return (*unit)->program.root;
  }
  const part *attribute = hx_to_class(L, arg, HX_CLASS_ATTRIBUTE);
  if (!attribute) return hx_check_body(L, arg, unit, NULL);
  *unit = attribute->unit;
  return attribute->node->u.attr.first;
}

const hx_node *hx_check_block(lua_State *L, int arg, hx_unit **unit, hx_home **home) {
  const part *p = hx_check_class(L, arg, HX_CLASS_BLOCK);
  *unit = p->unit;
  *home = p->home;
  return p->node;
}

void hx_body_push(lua_State *L, hx_unit *unit, const hx_node *body) {
  part from = { .unit = unit, .node = body };
  new_part(L, HX_CLASS_BODY, &from);
}

/* Returns a number among the fields of the table on top of the stack; 0 for anything else. */
static uint32_t get_count(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  lua_Number n = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return n >= 0 && n < (lua_Number)UINT32_MAX ? (uint32_t)n : 0;
}

/* Reads the sections in the array at `at`, which have the fields that core.source returns. They are in a userdata, which stays on
** the stack. */
static const hx_section *check_sections(lua_State *L, int at, uint32_t *count) {
  uint32_t n = (uint32_t)hx_lua_rawlen(L, at);
  hx_section *s = hx_lua_newuserdata(L, n * sizeof *s);
  for (uint32_t i = 0; i < n; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, at, (int)i + 1);
    s[i] = (hx_section){ .at = get_count(L, "at"),
                         .stop = get_count(L, "stop"),
                         .line = get_count(L, "line"),
                         .column = get_count(L, "column"),
                         .byte = get_count(L, "byte") };
    lua_getfield(L, -1, "name");
    s[i].name = hx_check_str(L, lua_gettop(L)); /* the text lives as long as the section's table */
    lua_pop(L, 1);
  }
  *count = n;
  return s;
}

/* Reads the options of core.parse, at 2. Sections stay on the stack. */
static void read_options(lua_State *L, hx_program_options *options) {
  static const char *const syntaxes[] = { "native", "json", "json-literal", NULL };
  static const hx_syntax ids[] = { HX_SYNTAX_BODY, HX_SYNTAX_JSON_BODY, HX_SYNTAX_JSON_LITERAL };
  luaL_checktype(L, 2, LUA_TTABLE);
  hx_source_options_read(L, options);
  lua_getfield(L, 2, "syntax");
  options->syntax = ids[luaL_checkoption(L, lua_gettop(L), "native", syntaxes)];
  lua_getfield(L, 2, "sections");
  if (lua_istable(L, -1)) options->sections = check_sections(L, lua_gettop(L), &options->nsections);
}

/* core.parse(source, options): returns a Body; or nil, Diagnostics and a Body of the readable parts, if there are any. options: filename,
** line, column, limits; syntax: "native", "json", or "json-literal", where strings aren't templates (reference: a nil context); sections:
** the files whose texts make up the source, as core.source returns them, each with `at`, its offset. */
static int l_parse(lua_State *L) {
  hx_str text = hx_check_str(L, 1);
  hx_program_options options = {
    .filename = HX_STR(""), .line = 1, .column = 1, .syntax = HX_SYNTAX_BODY, .limits = hx_limits_default
  };
  if (!lua_isnoneornil(L, 2)) read_options(L, &options);
  part *p = new_part(L, HX_CLASS_BODY, NULL);
  int at = lua_gettop(L);
  p->unit = hx_unit_new(&hx_state_get(L)->pool, NULL, 0);
  if (!p->unit) return luaL_error(L, "not enough memory");
  hx_program *program = &p->unit->program;
  hx_program_init(program, text, &options);
  p->node = program->root;
  hx_state_grown(L, program->cx.arena.held + program->cx.scratch.held + sizeof(hx_unit));
  if (!program->cx.diags.errors) return 1;
  lua_pushnil(L);
  hx_diagnostics_push_of(L, p->unit);
  if (!p->node || p->node->kind == HX_AST_BROKEN) return 2;
  lua_pushvalue(L, at);
  return 3;
}

static void push_section(lua_State *L, const hx_source *src, const hx_section *s) {
  lua_createtable(L, 0, 5);
  hx_set_str(L, "text", hx_str_of(src->text.p + s->at, s->stop - s->at));
  hx_set_str(L, "name", s->name);
  hx_set_int(L, "line", s->line);
  hx_set_int(L, "column", s->column);
  hx_set_int(L, "byte", s->byte);
}

/* core.source(body): returns an array of the files that a Body was read from, { text, name, line, column, byte }, and the syntax as
** core.parse takes it. Returns nothing if the Body is only a part of the files, or expanded. */
static int l_source(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  const hx_source *src = p->unit->program.source;
  if (p->home || p->unit->of || p->node != p->unit->program.root) return 0;
  lua_newtable(L);
  for (uint32_t i = 0; i < src->nsections; i++) {
    push_section(L, src, &src->sections[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  if (!src->nsections) {
    hx_section all = { .name = src->name, .line = src->line, .column = src->column, .byte = src->byte, .stop = src->text.len };
    push_section(L, src, &all);
    lua_rawseti(L, -2, 1);
  }
  lua_pushstring(L, src->literal ? "json-literal" : src->json ? "json" : "native");
  return 2;
}

/* Programs made of bodies */

typedef struct lower_job {
  lua_State *L;
  const part *body;
  int schema; /* stack index of the schema, or 0 */
  hx_body_form form;
} lower_job;

static hx_node *make_lowered(hx_cx *cx, void *ud) {
  const lower_job *job = ud;
  const hx_schema *schema = job->schema ? hx_schema_read(job->L, cx, job->schema) : NULL;
  return hx_body_lower(cx, job->body->unit->program.source, job->body->node, schema, job->form);
}

/* core.lower(body, schema, decoded): returns an Expression whose value is the value of the body or, unless decoded, of its `dynamic`
** blocks; or nil and Diagnostics. schema: a table, or nil. */
static int l_lower(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  lua_settop(L, 3);
  lower_job job = { L, p, lua_istable(L, 2) ? 2 : 0, lua_toboolean(L, 3) ? HX_BODY_DECODED : HX_BODY_EXPANDED };
  hx_expression *e = hx_expression_new(L, p->unit);
  if (p->home) e->unit->home = hx_home_retain(p->home);
  hx_why why = hx_program_init_made(&e->unit->program, &p->unit->program, make_lowered, &job);
  if (why == HX_WHY_NONE) return 1;
  lua_settop(L, 4); /* an abort while the schema was read leaves values on the stack */
  lua_pushnil(L);
  hx_diagnostics_push_of(L, e->unit);
  return 2;
}

/* core.needs_schema(body): returns true if only a schema shows which items of the body are blocks. */
static int l_needs_schema(lua_State *L) {
  lua_pushboolean(L, check(L, HX_CLASS_BODY)->node->kind != HX_AST_BODY);
  return 1;
}

typedef struct expand_job {
  const hx_node *made;
  const hx_val *v;
  const hx_node *body;
} expand_job;

static void run_expand(hx_cx *cx, void *ud) {
  expand_job *job = ud;
  job->body = hx_body_expanded(cx, job->made, job->v);
}

/* core.expanded(expression, value): returns the Body made from an Expression of core.lower and its value. */
static int l_expanded(lua_State *L) {
  hx_unit *unit = hx_check_expression(L, 1)->unit;
  hx_value *v = hx_value_hold(L, 2);
  expand_job job = { unit->program.root, &v->v, NULL };
  hx_home_must(L, v->home, run_expand, &job);
  part from = { .unit = unit, .home = v->home, .node = job.body };
  new_part(L, HX_CLASS_BODY, &from);
  return 1;
}

/* Items */

static void push_range(lua_State *L, const part *p, hx_range range) {
  hx_range_push(L, p->unit, p->unit->program.source, range);
}

typedef struct items_job {
  const hx_source *source;
  const hx_node *body, *items;
} items_job;

static void run_items(hx_cx *cx, void *ud) {
  items_job *job = ud;
  job->items = hx_content_items(cx, job->source, job->body);
}

/* Raises an error with the report of the limit that ended work on the unit. The unit's earlier reports stay. */
static void raise_limit(lua_State *L, hx_unit *unit, hx_cx *cx, hx_why why) {
  hx_diags before = cx->diags;
  cx->diags = (hx_diags){ 0 };
  hx_why_report(cx, why);
  cx->why_source = NULL;
  hx_diagnostics_push(L, cx, unit);
  cx->diags = before;
  luaL_callmeta(L, -1, "__tostring");
  lua_error(L);
}

/* Returns the BODY node with the body's items. In JSON syntax the node is made on first use, in the memory of the source, whose
** limits start anew. */
static const hx_node *items_of(lua_State *L, part *p) {
  items_job job = { p->unit->program.source, p->node, NULL };
  hx_cx *cx = &hx_unit_root(p->unit)->program.cx;
  if (p->node->kind == HX_AST_BODY) return p->node;
  if (p->items) return p->items;
  hx_cx_refill(cx, &cx->limits);
  hx_why_at(cx, job.source, hx_node_start_range(p->node));
  hx_why why = hx_guard_run(cx, run_items, &job);
  if (why == HX_WHY_NO_MEMORY) luaL_error(L, "not enough memory");
  if (why != HX_WHY_NONE) raise_limit(L, p->unit, cx, why);
  cx->why_source = NULL;
  return p->items = job.items;
}

static bool is_shown(const hx_node *item) {
  return item->kind == HX_AST_ATTRIBUTE && !(item->flags & HX_AST_DUPLICATE);
}

void hx_items_push(lua_State *L, hx_unit *unit, hx_home *home, const hx_node *items) {
  part from = { .unit = unit, .home = home };
  int nattributes = 0, nblocks = 0;
  for (const hx_node *n = hx_node_first(items); n; n = n->next) {
    nattributes += is_shown(n);
    nblocks += n->kind == HX_AST_BLOCK;
  }
  lua_createtable(L, 0, nattributes);
  lua_createtable(L, nblocks, 0);
  nblocks = 0;
  for (const hx_node *n = hx_node_first(items); n; n = n->next) {
    from.node = n;
    if (is_shown(n)) {
      hx_push_str(L, *n->u.attr.name);
      new_part(L, HX_CLASS_ATTRIBUTE, &from);
      lua_rawset(L, -4);
    } else if (n->kind == HX_AST_BLOCK) {
      new_part(L, HX_CLASS_BLOCK, &from);
      lua_rawseti(L, -2, ++nblocks);
    }
  }
}

/* The most digits of a whole number that every Lua has exactly. */
#define WHOLE_DIGITS 15u

static bool push_digits(lua_State *L, hx_str digits) {
  int64_t n = 0;
  if (digits.len > WHOLE_DIGITS) return false;
  for (uint32_t i = 0; i < digits.len; i++) {
    if (!hx_is_digit(digits.p[i])) return false;
    n = n * 10 + (digits.p[i] - '0');
  }
  hx_val number = hx_int(n);
  return hx_push_scalar(L, &number, 0);
}

/* Pushes the text, bool or whole number that an expression of native syntax is, if it is a literal of the type; type NULL: any. */
static bool push_literal(lua_State *L, const hx_source *src, const hx_node *n, const hx_type *type) {
  hx_kind kind = type ? (hx_kind)type->kind : HX_K_DYNAMIC;
  if (n->flags & HX_AST_JSON) return false;
  if (n->kind == HX_AST_STRING && (kind == HX_K_STRING || kind == HX_K_DYNAMIC)) {
    hx_push_str(L, hx_node_text(n));
    return true;
  }
  if (n->kind == HX_AST_BOOL && (kind == HX_K_BOOL || kind == HX_K_DYNAMIC)) {
    lua_pushboolean(L, n->op);
    return true;
  }
  return n->kind == HX_AST_NUMBER && (kind == HX_K_NUMBER || kind == HX_K_DYNAMIC) &&
         push_digits(L, hx_str_of(src->text.p + n->start, n->stop - n->start));
}

/* Pops the value on top of the stack into the tables at `at` and after it. */
static void set_both(lua_State *L, int at, hx_str name) {
  hx_push_str(L, name);
  lua_pushvalue(L, -2);
  lua_rawset(L, at);
  hx_push_str(L, name);
  lua_insert(L, -2);
  lua_rawset(L, at + 1);
}

void hx_content_push(lua_State *L, hx_unit *unit, hx_home *home, const hx_node *items, const hx_schema *schema, int names,
                     int more) {
  part from = { .unit = unit, .home = home };
  int nattributes = 0, nblocks = 0, index = 0;
  for (const hx_node *n = hx_node_first(items); n; n = n->next) {
    nattributes += is_shown(n);
    nblocks += n->kind == HX_AST_BLOCK;
  }
  luaL_checkstack(L, 12, NULL);
  lua_createtable(L, 0, names);
  lua_createtable(L, 0, nattributes + more);
  lua_pushnil(L); /* the table of Attributes is made for the first one */
  if (nblocks) lua_createtable(L, nblocks, 0);
  else lua_pushnil(L);
  int blocks = lua_gettop(L), attributes = blocks - 1, literals = blocks - 3;
  for (const hx_node *n = hx_node_first(items); n; n = n->next) {
    from.node = n;
    if (n->kind == HX_AST_BLOCK) {
      new_part(L, HX_CLASS_BLOCK, &from);
      lua_rawseti(L, blocks, ++index);
    }
    if (!is_shown(n)) continue;
    const hx_schema_attribute *a = hx_schema_attribute_of(schema, *n->u.attr.name);
    const hx_constraint *type = a ? a->plan.type : NULL;
    if (a && a->literal && push_literal(L, unit->program.source, n->u.attr.first, type ? type->type : NULL)) {
      set_both(L, literals, *n->u.attr.name);
      continue;
    }
    if (lua_isnil(L, attributes)) {
      lua_newtable(L);
      lua_replace(L, attributes);
    }
    hx_push_str(L, *n->u.attr.name);
    new_part(L, HX_CLASS_ATTRIBUTE, &from);
    lua_rawset(L, attributes);
  }
}

/* core.attribute_list(body): returns an array of the body's Attributes in source order. */
static int l_attribute_list(lua_State *L) {
  part *p = check(L, HX_CLASS_BODY);
  part from = *p;
  int n = 0;
  lua_newtable(L);
  for (const hx_node *item = hx_node_first(items_of(L, p)); item; item = item->next) {
    if (!is_shown(item) || !item->u.attr.name->len) continue;
    from.node = item;
    new_part(L, HX_CLASS_ATTRIBUTE, &from);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* Fields */

/* A field of a Body, Attribute or Block. Fields are made only when they are read, because most never are. */
typedef struct field {
  const char *name;
  void (*push)(lua_State *L, part *p); /* pushes the field's value */
  bool kept;                           /* the value is an object that is stored, so that the field always has the same one */
} field;

/* Makes the fields `attributes`, a table by name, and `blocks`, an array in source order, together, and pushes the one named by
** argument 2. */
static void push_items(lua_State *L, part *p) {
  hx_items_push(L, p->unit, p->home, items_of(L, p));
  lua_pushvalue(L, -2);
  lua_setfield(L, 3, "attributes");
  lua_pushvalue(L, -1);
  lua_setfield(L, 3, "blocks");
  lua_pushvalue(L, 2);
  lua_rawget(L, 3);
}

/* Pushes the expression of an attribute, as a separate program that shares the tree and source. */
static void push_expression(lua_State *L, part *p) {
  hx_expression *e = hx_expression_new(L, p->unit);
  if (p->home) e->unit->home = hx_home_retain(p->home);
  hx_program_init_part(&e->unit->program, &p->unit->program, p->node->u.attr.first);
}

static void push_name(lua_State *L, part *p) {
  hx_push_str(L, *p->node->u.attr.name);
}
static void push_name_range(lua_State *L, part *p) {
  push_range(L, p, hx_attribute_name_range(p->node));
}
static void push_whole_range(lua_State *L, part *p) {
  push_range(L, p, hx_node_range(p->node));
}

static void push_secret(lua_State *L, const hx_within_plan *within) {
  if (within && hx_within_is_secret(within)) lua_pushboolean(L, 1);
  else lua_pushnil(L);
}

/* Pushes true for an attribute whose value may be part of a secret without having a mark, because the for_each of its block, or of
** an enclosing block, is marked. Otherwise pushes nil. */
static void push_attribute_secret(lua_State *L, part *p) {
  const hx_node *expression = p->node->u.attr.first;
  push_secret(L, expression->kind == HX_AST_WITHIN ? hx_plan_of(expression) : NULL);
}

static const field attribute_fields[] = {
  { "name", push_name, false },
  { "expression", push_expression, true },
  { "range", push_whole_range, true },
  { "name_range", push_name_range, true },
  { "secret", push_attribute_secret, false },
  { NULL, NULL, false },
};

void hx_labels_push(lua_State *L, const hx_node *block) {
  int i = 0;
  lua_createtable(L, 1, 0);
  for (const hx_node *n = block->u.block.first; n && n->kind == HX_AST_LABEL; n = n->next) {
    hx_push_str(L, hx_node_text(n));
    lua_rawseti(L, -2, ++i);
  }
}

static void push_labels(lua_State *L, part *p) {
  hx_labels_push(L, p->node);
}

static void push_label_ranges(lua_State *L, part *p) {
  int i = 0;
  lua_newtable(L);
  for (const hx_node *n = p->node->u.block.first; n && n->kind == HX_AST_LABEL; n = n->next) {
    push_range(L, p, hx_node_range(n));
    lua_rawseti(L, -2, ++i);
  }
}

static void push_body_of(lua_State *L, part *p) {
  part from = *p;
  from.node = hx_block_body(p->node);
  new_part(L, HX_CLASS_BODY, &from);
}

/* Pushes true for a generated block whose for_each is unknown; otherwise nil. */
static void push_unknown(lua_State *L, part *p) {
  const hx_within_plan *within = p->node->u.block.head->within;
  if (within && within->unknown.tag != HX_T_NONE) lua_pushboolean(L, 1);
  else lua_pushnil(L);
}

/* Pushes the marks of a generated block's for_each; nil if it has none. */
static void push_marks(lua_State *L, part *p) {
  const hx_within_plan *within = p->node->u.block.head->within;
  const hx_marks *marks = within ? hx_marks_get(&within->marked) : NULL;
  if (marks) hx_marks_push(L, marks);
  else lua_pushnil(L);
}

static void push_type(lua_State *L, part *p) {
  hx_push_str(L, p->node->u.block.head->type);
}
static void push_type_range(lua_State *L, part *p) {
  push_range(L, p, p->node->u.block.head->type_range);
}
static void push_head_range(lua_State *L, part *p) {
  push_range(L, p, p->node->u.block.head->range);
}
static void push_open_brace(lua_State *L, part *p) {
  push_range(L, p, p->node->u.block.head->open_brace);
}
static void push_close_brace(lua_State *L, part *p) {
  push_range(L, p, p->node->u.block.head->close_brace);
}

/* Pushes true for a block whose labels may be part of a secret without a mark of their own (see push_attribute_secret); otherwise nil. */
static void push_block_secret(lua_State *L, part *p) {
  push_secret(L, p->node->u.block.head->within);
}

static const field block_fields[] = {
  { "type", push_type, false },
  { "labels", push_labels, true },
  { "body", push_body_of, true },
  { "range", push_whole_range, true },
  { "type_range", push_type_range, true },
  { "label_ranges", push_label_ranges, true },
  { "head_range", push_head_range, true },
  { "open_brace_range", push_open_brace, true },
  { "close_brace_range", push_close_brace, true },
  { "unknown", push_unknown, false },
  { "marks", push_marks, true },
  { "secret", push_block_secret, false },
  { NULL, NULL, false },
};

static const field body_fields[] = { { "attributes", push_items, true }, { "blocks", push_items, true }, { NULL, NULL, false } };

/* The public fields of a class. */
typedef struct shown {
  hx_class class;
  const field *fields;
} shown;

static const shown shows[] = {
  { HX_CLASS_BODY, body_fields },
  { HX_CLASS_ATTRIBUTE, attribute_fields },
  { HX_CLASS_BLOCK, block_fields },
};

static const field *field_of(const field *fields, const char *name) {
  for (const field *f = fields; f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

/* The upvalues of a class's __index, where it finds methods and fields. */
#define UP_SHOWN lua_upvalueindex(HX_UPVALUES + 1)
#define UP_METHODS lua_upvalueindex(HX_UPVALUES + 2)
#define UP_MISSING lua_upvalueindex(HX_UPVALUES + 3)
#define UP_NAMES lua_upvalueindex(HX_UPVALUES + 4)
#define INDEX_UPVALUES 4

/* Pushes the table with the fields of the part that is argument 1. Each part has its own table: the collector would traverse a weak
** table for all parts several times in each cycle. */
static void push_fields(lua_State *L, part *p) {
  if (!p->has_fields) {
    lua_createtable(L, 0, p->node->kind == HX_AST_BLOCK ? 2 : 1); /* for most blocks of a folder, labels and body are read */
    hx_lua_settable_of(L, 1);
    p->has_fields = true;
  }
  hx_lua_gettable_of(L, 1);
}

/* Pushes the field of the table at i that argument 2 names. If the table lacks it, pushes nothing and returns false. */
static bool push_known(lua_State *L, int i) {
  lua_pushvalue(L, 2);
  lua_rawget(L, i);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

/* part[key]: returns a field or a method. A `kept` field is made when it is first read, and stored; any other field is made at each read.
** Other keys raise. */
static int l_index(lua_State *L) {
  const shown *s = lua_touserdata(L, UP_SHOWN);
  part *p = check(L, s->class);
  const field *f = lua_type(L, 2) == LUA_TSTRING ? field_of(s->fields, lua_tostring(L, 2)) : NULL;
  lua_settop(L, 2);
  if (f && !f->kept) {
    f->push(L, p);
    return 1;
  }
  if (f) {
    push_fields(L, p);
    if (push_known(L, 3)) return 1;
    f->push(L, p);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 3);
    return 1;
  }
  if (push_known(L, UP_METHODS)) return 1;
  lua_pushvalue(L, UP_MISSING);
  lua_pushstring(L, hx_class_name(s->class));
  lua_pushvalue(L, UP_METHODS);
  lua_pushvalue(L, UP_NAMES);
  lua_pushvalue(L, 2);
  lua_pushboolean(L, true);
  lua_call(L, 5, 0);
  return 0;
}

/* core.shows(kind, methods, missing, names): makes the __index of Body, Attribute or Block. It returns methods and fields; for other keys
** it calls missing(kind, methods, names, key, true), which raises an error at its caller's caller. */
static int l_shows(lua_State *L) {
  static const char *const kinds[] = { "Body", "Attribute", "Block", NULL };
  const shown *s = &shows[luaL_checkoption(L, 1, NULL, kinds)];
  lua_settop(L, INDEX_UPVALUES);
  lua_pushvalue(L, HX_UP_STATE);
  lua_pushvalue(L, HX_UP_STORE);
  lua_pushvalue(L, HX_UP_ANCHORS);
  lua_pushlightuserdata(L, (void *)(uintptr_t)s);
  for (int i = 2; i <= INDEX_UPVALUES; i++) lua_pushvalue(L, i);
  lua_pushcclosure(L, l_index, HX_UPVALUES + INDEX_UPVALUES);
  return 1;
}

/* core.field(part, name): returns a field of an Attribute or a Block, made anew. */
static int l_field(lua_State *L) {
  part *p = hx_to_class(L, 1, HX_CLASS_BLOCK);
  const field *fields = p ? block_fields : attribute_fields;
  if (!p) p = check(L, HX_CLASS_ATTRIBUTE);
  const field *f = field_of(fields, luaL_checkstring(L, 2));
  if (!f) return 0;
  f->push(L, p);
  return 1;
}

/* core.written(attribute): returns the string or bool if the attribute's expression is such a literal in native syntax; otherwise
** nothing. */
static int l_written(lua_State *L) {
  const hx_node *n = check(L, HX_CLASS_ATTRIBUTE)->node->u.attr.first;
  if (n->flags & HX_AST_JSON) return 0;
  if (n->kind == HX_AST_STRING) hx_push_str(L, hx_node_text(n));
  else if (n->kind == HX_AST_BOOL) lua_pushboolean(L, n->op);
  else return 0;
  return 1;
}

/* core.expression_text(attribute): returns the source of the attribute's expression, without making an Expression. */
static int l_expression_text(lua_State *L) {
  const part *p = check(L, HX_CLASS_ATTRIBUTE);
  const hx_node *n = p->node->u.attr.first;
  hx_push_str(L, hx_str_of(p->unit->program.source->text.p + n->start, n->stop - n->start));
  return 1;
}

/* Bodies */

static int l_references(lua_State *L) {
  part *p = check(L, HX_CLASS_BODY);
  return hx_references_push(L, p->unit, items_of(L, p));
}

static int l_traversals(lua_State *L) {
  part *p = check(L, HX_CLASS_BODY);
  return hx_traversals_push(L, p->unit, items_of(L, p), false);
}

static int l_functions(lua_State *L) {
  part *p = check(L, HX_CLASS_BODY);
  return hx_function_uses_push(L, p->unit, items_of(L, p));
}

uint32_t hx_check_offset(lua_State *L, int arg, const hx_source *src) {
  lua_Number n = luaL_checknumber(L, arg);
  if (!(n >= 0 && n <= (lua_Number)src->text.len && n == (lua_Number)(uint32_t)n))
    luaL_argerror(L, arg, "no offset of a byte in the source");
  return (uint32_t)n;
}

/* body:range(start, stop): returns the body's Range, or the Range between two offsets. */
static int l_range(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  const hx_source *src = p->unit->program.source;
  hx_range r = hx_node_range(p->node);
  if (!lua_isnoneornil(L, 2)) {
    r = hx_range_of(hx_check_offset(L, 2, src), hx_check_offset(L, 3, src));
    if (r.start > r.stop) return luaL_argerror(L, 3, "it stops before it starts");
  }
  push_range(L, p, r);
  return 1;
}

/* core.expanded_missing(body): returns the Range where missing items of an expanded body are reported; otherwise nothing. */
static int l_expanded_missing(lua_State *L) {
  const part *p = check(L, HX_CLASS_BODY);
  if (!(p->node->flags & HX_AST_GENERATED)) return 0;
  push_range(L, p, p->node->u.kids.mark);
  return 1;
}

static int l_gc(lua_State *L) {
  part *p = to_part(L, 1);
  if (!p) return 0;
  hx_unit_release(L, p->unit);
  hx_home_release(p->home);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg body_methods[] = {
  { "__gc", l_gc },         { "references", l_references }, { "traversals", l_traversals },
  { "calls", l_functions }, { "functions", l_functions },   { "range", l_range },
  { NULL, NULL },
};
static const luaL_Reg part_methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg functions[] = {
  { "parse", l_parse },
  { "source", l_source },
  { "lower", l_lower },
  { "needs_schema", l_needs_schema },
  { "expanded", l_expanded },
  { "attribute_list", l_attribute_list },
  { "shows", l_shows },
  { "field", l_field },
  { "written", l_written },
  { "expression_text", l_expression_text },
  { "expanded_missing", l_expanded_missing },
  { NULL, NULL },
};

void hx_open_body(lua_State *L) {
  hx_register(L, HX_CLASS_ATTRIBUTE, part_methods, NULL);
  hx_register(L, HX_CLASS_BLOCK, part_methods, NULL);
  hx_register(L, HX_CLASS_BODY, body_methods, functions);
}
