/* encode.c: writes Lua data and names as source text, and reads JSON as Lua data. hclexpr/body/encode.lua and edit.lua use these
** functions to write bodies.
** Memory: Lua's.
** Errors: for wrong data nil and diagnostics. */
#include "binding/state/openers.h"

#include "binding/objects/body.h"
#include "binding/data/diagnostics.h"
#include "binding/state/limits.h"
#include "binding/data/literal.h"
#include "binding/data/pull.h"
#include "binding/data/push.h"
#include "binding/data/value.h"
#include "fn/json.h"
#include "syntax/scanner.h"
#include "text/quote.h"
#include "text/suggest.h"
#include "text/unicode.h"

/* Literals */

/* The limit of steps is multiplied by this factor, and then bounds only the cost of single numbers: memory bounds how many values there
** are. */
#define STEPS_FACTOR 10

/* core.encode(x, name, indent, level, typed, limits): returns x as source text, or nil and Diagnostics. name: what messages call the whole
** value. indent: number of spaces for a level, nil for one line. level: the level of the line in which the text begins. typed: write calls
** such as tolist([…]) for types that a literal doesn't have. */
static int encode(lua_State *L, hx_cx *cx) {
  hx_literal_style style = { .one_line = lua_isnil(L, 3),
                             .indent = (uint32_t)luaL_optnumber(L, 3, 0),
                             .level = (uint32_t)luaL_checknumber(L, 4),
                             .typed = lua_toboolean(L, 5) != 0 };
  hx_str name = hx_check_str(L, 2);
  hx_limits limits = hx_limits_default;
  hx_val v;
  hx_buf b;
  limits.steps *= STEPS_FACTOR;
  if (!lua_isnil(L, 6)) hx_limits_read(L, 6, 2, &limits);
  hx_cx_refill(cx, &limits);
  if (!hx_pull_data(L, cx, 1, name, &v)) return hx_fail_push(L, cx, NULL);
  hx_buf_init(&b, &cx->scratch, 256);
  if (!hx_literal_write(cx, &b, &v, name, &style)) return hx_fail_push(L, cx, NULL);
  hx_push_str(L, hx_buf_done(&b));
  return 1;
}

/* core.json_decode(text, limits): returns the Lua data of a JSON text, with core.null and core.array_mt, and with Values for numbers that
** Lua lacks; or nil and Diagnostics. */
static int json_decode(lua_State *L, hx_cx *cx) {
  static const hx_convert_options options = { .exact = true };
  hx_limits limits = hx_limits_default;
  hx_json_error error = { 0, { "", 0 } };
  hx_val text, v;
  hx_check_str(L, 1);
  if (!lua_isnil(L, 2)) hx_limits_read(L, 2, 2, &limits);
  hx_cx_refill(cx, &limits);
  if (!hx_pull_data(L, cx, 1, HX_STR("JSON"), &text)) return hx_fail_push(L, cx, NULL);
  if (!hx_json_read(cx, hx_val_str(&text), &v, &error)) {
    hx_str why = hx_strf(cx, "The text isn't JSON: at byte %u %.*s.", error.at, HX_STR_ARG(error.why));
    hx_diag_add_text(cx, HX_D_DATA_TEXT, NULL, hx_range_of(0, 0),
                     text.len ? why : HX_STR("The text is empty, and JSON has at least one value."));
    return hx_fail_push(L, cx, NULL);
  }
  hx_pusher p = { .L = L, .cx = cx, .options = &options };
  return hx_push(&p, &v) ? 1 : hx_fail_push(L, cx, NULL);
}

/* Names the kind of a value, for the writer of bodies. */
static const char *value_kind(const hx_value *v) {
  if (hx_value_is_closed(v)) return "closed Value";
  if (v->v.tag == HX_T_MARKED) return "marked value";
  if (hx_is_unknown(&v->v)) return "unknown value";
  if (hx_is_null(&v->v)) return "null";
  if (hx_is_seq(&v->v)) return "array";
  return hx_is_obj(&v->v) ? "object" : hx_kind_name(hx_val_kind(&v->v));
}

/* core.data_kind(x): returns "object", "array", "null", or the name of another kind. */
static int l_data_kind(lua_State *L) {
  const hx_value *v = hx_to_class(L, 1, HX_CLASS_VALUE);
  hx_puller p;
  size_t n;
  const char *kind;
  hx_odd odd = v ? HX_ODD_NOTHING : hx_odd_value(L, 1, NULL);
  lua_settop(L, 1);
  hx_puller_init(&p, L, NULL, HX_STR(""));
  if (v) kind = value_kind(v);
  else if (lua_istable(L, 1)) kind = hx_table_is_array(&p, 1, &n) ? "array" : "object";
  else if (odd != HX_ODD_NOTHING) kind = odd == HX_ODD_NULL ? "null" : "array";
  else kind = luaL_typename(L, 1);
  lua_pushstring(L, kind);
  return 1;
}

/* Names and labels */

/* core.name_columns(name): returns the number of columns that an identifier takes, or nothing if the name isn't an identifier. */
static int l_name_columns(lua_State *L) {
  hx_str name = hx_check_str(L, 1);
  if (!hx_is_identifier(name)) return 0;
  lua_pushinteger(L, (lua_Integer)(hx_is_ascii(name) ? name.len : hx_grapheme_count(name)));
  return 1;
}

/* core.is_text(bytes): returns true if the bytes are well-formed UTF-8. */
static int l_is_text(lua_State *L) {
  lua_pushboolean(L, hx_utf8_valid(hx_check_str(L, 1)));
  return 1;
}

/* core.quote(text): returns the text as a quoted string; bytes that aren't UTF-8 become U+FFFD. */
static int quote(lua_State *L, hx_cx *cx) {
  hx_str text = hx_check_str(L, 1);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, text.len + 16);
  hx_quote_hcl(&b, text);
  hx_push_str(L, hx_buf_done(&b));
  return 1;
}

/* core.key_source(text): returns the text as a key of an object in a source, or nothing if it isn't UTF-8. */
static int key_source(lua_State *L, hx_cx *cx) {
  hx_str text = hx_check_str(L, 1);
  hx_buf b;
  if (!hx_utf8_valid(text)) return 0;
  hx_buf_init(&b, &cx->arena, text.len + 16);
  hx_literal_key(&b, text);
  hx_push_str(L, hx_buf_done(&b));
  return 1;
}

/* core.plain(text, one_line): returns the text in a form that is safe for a terminal (hx_put_plain). */
static int plain(lua_State *L, hx_cx *cx) {
  hx_str text = hx_check_str(L, 1);
  hx_buf b;
  hx_buf_init(&b, &cx->arena, text.len + 16);
  hx_put_plain(&b, text, lua_toboolean(L, 2) != 0);
  hx_push_str(L, hx_buf_done(&b));
  return 1;
}

/* core.suggest(name, candidates): returns the candidate that is most similar to the name, or nothing. */
static int suggest(lua_State *L, hx_cx *cx) {
  hx_str given = hx_check_str(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint32_t n = (uint32_t)hx_lua_rawlen(L, 2);
  hx_str *candidates = HX_NEW_ARRAY(cx, hx_str, n);
  for (uint32_t i = 0; i < n; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, 2, (int)i + 1);
    /* The text lives as long as the table of candidates. */
    candidates[i] = lua_type(L, -1) == LUA_TSTRING ? hx_check_str(L, -1) : HX_STR("");
  }
  hx_str found = hx_suggest(given, candidates, n);
  if (!found.len) return 0;
  hx_push_str(L, found);
  return 1;
}

/* Places */

/* core.body_outline(body): returns an array of the items of a body in source order, without duplicate Attributes, which is cheaper than
** making Blocks and Attributes. For a body of JSON syntax the array is empty. An Attribute is { attribute = name, start =, stop = }. A
** Block is { block = type, labels = { … }, number =, start =, stop = }; number: among the blocks, from 1. */
static int l_body_outline(lua_State *L) {
  hx_unit *unit;
  const hx_node *body = hx_check_body(L, 1, &unit, NULL);
  int i = 0, blocks = 0;
  lua_newtable(L);
  if (body->kind != HX_AST_BODY) return 1;
  for (const hx_node *n = hx_node_first(body); n; n = n->next) {
    bool block = n->kind == HX_AST_BLOCK;
    if (!block && (n->kind != HX_AST_ATTRIBUTE || (n->flags & HX_AST_DUPLICATE))) continue;
    lua_createtable(L, 0, block ? 5 : 3);
    hx_set_str(L, block ? "block" : "attribute", block ? n->u.block.head->type : *n->u.attr.name);
    if (block) {
      hx_labels_push(L, n);
      lua_setfield(L, -2, "labels");
      hx_set_int(L, "number", (uint64_t)++blocks);
    }
    hx_set_int(L, "start", n->start);
    hx_set_int(L, "stop", n->stop);
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

static bool ends_line(hx_str text, hx_token t) {
  return t.kind == HX_TOK_CHEREDOC || (t.kind == HX_TOK_COMMENT && text.p[t.start + 1] != '*');
}

/* core.code_lines(source): returns the offsets of the lines, except the first, that begin outside heredocs: their indentation may change.
** The second result is true if the source ends in a heredoc (whose last line may lack its newline) or in a comment of one line, so that a
** newline must follow. */
static int code_lines(lua_State *L, hx_cx *cx) {
  hx_str text = hx_check_str(L, 1);
  hx_scanner s;
  uint32_t heredocs = 0;
  bool open_end = false;
  int n = 0;
  hx_scan_init(&s, &cx->scratch, text.p, 0, text.len, HX_SCAN_MAIN);
  lua_newtable(L);
  for (hx_token t = hx_scan_next(&s); t.kind != HX_TOK_END; t = hx_scan_next(&s)) {
    if (t.kind == HX_TOK_OHEREDOC) heredocs++;
    if (t.kind == HX_TOK_CHEREDOC && heredocs) heredocs--;
    if (t.kind != HX_TOK_NEWLINE) open_end = heredocs || ends_line(text, t);
    if (heredocs || (t.kind != HX_TOK_NEWLINE && t.kind != HX_TOK_COMMENT)) continue;
    for (uint32_t i = t.start; i < t.stop; i++) {
      if (text.p[i] != '\n') continue;
      lua_pushinteger(L, (lua_Integer)i + 1);
      lua_rawseti(L, -2, ++n);
    }
  }
  lua_pushboolean(L, open_end);
  return 2;
}

static const luaL_Reg functions[] = {
  { "data_kind", l_data_kind },       { "is_text", l_is_text }, { "name_columns", l_name_columns },
  { "body_outline", l_body_outline }, { NULL, NULL },
};
static const hx_work_row work[] = {
  { "encode", 6, encode, true },          { "json_decode", 2, json_decode, true },
  { "quote", 1, quote, false },           { "key_source", 1, key_source, false },
  { "plain", 2, plain, false },           { "suggest", 2, suggest, false },
  { "code_lines", 1, code_lines, false },
};

void hx_open_encode(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
  HX_REGISTER_WORK(L, work);
}
