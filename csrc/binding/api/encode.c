/* encode.c: source text of Lua data, and of names in it. hclexpr/encode.lua and edit.lua compose the bodies around it.
** Memory: Lua's.
** Errors: for wrong data nil and diagnostics. */
#include "binding/api/openers.h"

#include "binding/api/body.h"
#include "binding/api/diagnostics.h"
#include "binding/state/limits.h"
#include "binding/data/literal.h"
#include "binding/data/pull.h"
#include "binding/data/value.h"
#include "syntax/scanner.h"
#include "text/quote.h"
#include "text/suggest.h"
#include "text/unicode.h"

/* Literals */

/* Steps bound the cost of a single number; the number of values is bounded by their memory. */
#define STEPS_FACTOR 10

typedef struct encode_job {
  lua_State *L;
  hx_literal_style style;
  hx_str name, text;
  bool ok;
} encode_job;

static void run_encode(hx_cx *cx, void *ud) {
  encode_job *job = ud;
  hx_val v;
  hx_buf b;
  if (!hx_pull_data(job->L, cx, 1, job->name, &v)) return;
  hx_buf_init(&b, &cx->scratch, 256);
  job->ok = hx_literal_write(cx, &b, &v, job->name, &job->style);
  job->text = hx_buf_done(&b);
}

/* core.encode(x, name, indent, level, typed, limits): source text of x. indent: nil for one line. */
static int l_encode(lua_State *L) {
  encode_job job = { .L = L };
  hx_limits limits = hx_limits_default;
  hx_home *work;
  luaL_checkany(L, 1);
  lua_settop(L, 6);
  job.name = hx_check_str(L, 2);
  job.style.one_line = lua_isnil(L, 3);
  job.style.indent = (uint32_t)luaL_optnumber(L, 3, 0);
  job.style.level = (uint32_t)luaL_checknumber(L, 4);
  job.style.typed = lua_toboolean(L, 5) != 0;
  limits.steps *= STEPS_FACTOR;
  if (!lua_isnil(L, 6)) hx_limits_read(L, 6, 2, &limits);
  work = hx_work_push(L);
  work->cx.limits = limits;
  if (hx_home_run(work, run_encode, &job) != HX_WHY_NONE || !job.ok) return hx_fail_push(L, &work->cx, NULL);
  hx_push_str(L, job.text);
  hx_work_close(L, 7);
  return 1;
}

/* The kind of a value, for the writer of bodies. */
static const char *value_kind(const hx_value *v) {
  if (hx_value_is_closed(v)) return "closed Value";
  if (v->v.tag == HX_T_MARKED) return "marked value";
  if (hx_is_unknown(&v->v)) return "unknown value";
  if (hx_is_null(&v->v)) return "null";
  if (hx_is_seq(&v->v)) return "array";
  return hx_is_obj(&v->v) ? "object" : hx_kind_name(hx_val_kind(&v->v));
}

/* core.data_kind(x): "object", "array", "null", or the name of another kind. */
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

/* core.name_columns(name): its columns if it is an identifier, else nil. */
static int l_name_columns(lua_State *L) {
  hx_str name = hx_check_str(L, 1);
  if (!hx_is_identifier(name)) return 0;
  lua_pushinteger(L, (lua_Integer)hx_grapheme_count(name));
  return 1;
}

typedef struct quote_job {
  hx_str text;
} quote_job;

static void run_quote(hx_cx *cx, void *ud) {
  quote_job *job = ud;
  hx_buf b;
  hx_buf_init(&b, &cx->arena, job->text.len + 16);
  hx_quote_hcl(&b, job->text);
  job->text = hx_buf_done(&b);
}

/* core.quote(text): a quoted string, or nil if it isn't UTF-8. */
static int l_quote(lua_State *L) {
  quote_job job = { hx_check_str(L, 1) };
  hx_home *work;
  lua_settop(L, 1);
  if (!hx_utf8_valid(job.text)) return 0;
  work = hx_work_push(L);
  hx_home_must(L, work, run_quote, &job);
  hx_push_str(L, job.text);
  hx_work_close(L, 2);
  return 1;
}

typedef struct suggest_job {
  lua_State *L;
  hx_str given, found;
  uint32_t n;
} suggest_job;

static void run_suggest(hx_cx *cx, void *ud) {
  suggest_job *job = ud;
  hx_str *candidates = HX_NEW_ARRAY(cx, hx_str, job->n);
  for (uint32_t i = 0; i < job->n; i++) {
    size_t len;
    const char *s;
    lua_rawgeti(job->L, 2, (int)i + 1);
    s = lua_tolstring(job->L, -1, &len); /* the table keeps it */
    candidates[i] = s ? hx_str_of(s, len) : HX_STR("");
    lua_pop(job->L, 1);
  }
  job->found = hx_suggest(job->given, candidates, job->n);
}

/* core.suggest(name, candidates): the nearest candidate, or nil. */
static int l_suggest(lua_State *L) {
  suggest_job job = { .L = L, .given = hx_check_str(L, 1) };
  hx_home *work;
  luaL_checktype(L, 2, LUA_TTABLE);
  job.n = (uint32_t)hx_lua_rawlen(L, 2);
  work = hx_work_push(L);
  if (hx_home_run(work, run_suggest, &job) != HX_WHY_NONE || !job.found.len) return 0;
  hx_push_str(L, job.found);
  return 1;
}

/* Places */

/* core.body_outline(body): the items of a body of native syntax in source order, cheaper than Blocks and Attributes: {
** attribute = name, start =, stop = } and { block = type, labels = { … }, number = among the blocks, start =, stop = }. */
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
    hx_set_str(L, -1, block ? "block" : "attribute", block ? n->u.block.head->type : *n->u.attr.name);
    if (block) {
      hx_labels_push(L, n);
      lua_setfield(L, -2, "labels");
      lua_pushinteger(L, ++blocks);
      lua_setfield(L, -2, "number");
    }
    lua_pushinteger(L, (lua_Integer)n->start);
    lua_setfield(L, -2, "start");
    lua_pushinteger(L, (lua_Integer)n->stop);
    lua_setfield(L, -2, "stop");
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

typedef struct lines_job {
  hx_str text;
  HX_VEC(uint32_t) starts;
  bool open_end;
} lines_job;

static bool ends_line(hx_str text, hx_token t) {
  return t.kind == HX_TOK_CHEREDOC || (t.kind == HX_TOK_COMMENT && text.p[t.start + 1] != '*');
}

static void run_lines(hx_cx *cx, void *ud) {
  lines_job *job = ud;
  hx_scanner s;
  uint32_t heredocs = 0;
  hx_scan_init(&s, &cx->scratch, job->text.p, 0, job->text.len, HX_SCAN_MAIN);
  for (hx_token t = hx_scan_next(&s); t.kind != HX_TOK_END; t = hx_scan_next(&s)) {
    if (t.kind == HX_TOK_OHEREDOC) heredocs++;
    if (t.kind == HX_TOK_CHEREDOC && heredocs) heredocs--;
    if (t.kind != HX_TOK_NEWLINE) job->open_end = heredocs || ends_line(job->text, t);
    if (heredocs || (t.kind != HX_TOK_NEWLINE && t.kind != HX_TOK_COMMENT)) continue;
    for (uint32_t i = t.start; i < t.stop; i++) {
      if (job->text.p[i] != '\n') continue;
      *HX_VEC_PUSH(&cx->arena, &job->starts) = i + 1;
    }
  }
}

/* core.code_lines(source): offsets of the lines, except the first, that begin outside heredocs: their indentation is free.
** Second result: does the source end in a heredoc (whose last line may lack its end) or a comment, so that its line must end
** there, too? */
static int l_code_lines(lua_State *L) {
  lines_job job = { .text = hx_check_str(L, 1) };
  hx_home *work = hx_work_push(L);
  hx_home_must(L, work, run_lines, &job);
  lua_createtable(L, (int)job.starts.n, 0);
  for (uint32_t i = 0; i < job.starts.n; i++) {
    lua_pushinteger(L, (lua_Integer)job.starts.p[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pushboolean(L, job.open_end);
  return 2;
}

static const luaL_Reg functions[] = {
  { "encode", l_encode }, { "data_kind", l_data_kind }, { "name_columns", l_name_columns }, { "body_outline", l_body_outline },
  { "quote", l_quote },   { "suggest", l_suggest },     { "code_lines", l_code_lines },     { NULL, NULL },
};

void hx_open_encode(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
