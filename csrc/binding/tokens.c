/* tokens.c: hcl.tokens: the words of a source, for tools. */
#include "binding/tokens.h"

#include "binding/state.h"
#include "binding/value.h"
#include "syntax/scanner.h"

/* The word of each kind. Signs are their own; all that no source may hold is one kind. */
static const char *const words[HX_TOK_COUNT] = {
  [HX_TOK_NEWLINE] = "newline",
  [HX_TOK_COMMENT] = "comment",
  [HX_TOK_IDENT] = "name",
  [HX_TOK_NUMBER] = "number",
  [HX_TOK_OQUOTE] = "open_quote",
  [HX_TOK_CQUOTE] = "close_quote",
  [HX_TOK_OHEREDOC] = "heredoc",
  [HX_TOK_CHEREDOC] = "heredoc_end",
  [HX_TOK_QUOTED_LIT] = "text",
  [HX_TOK_STRING_LIT] = "text",
  [HX_TOK_INTERP] = "${",
  [HX_TOK_CONTROL] = "%{",
  [HX_TOK_SEQ_END] = "}",
  [HX_TOK_OBRACE] = "{",
  [HX_TOK_CBRACE] = "}",
  [HX_TOK_OBRACK] = "[",
  [HX_TOK_CBRACK] = "]",
  [HX_TOK_OPAREN] = "(",
  [HX_TOK_CPAREN] = ")",
  [HX_TOK_STAR] = "*",
  [HX_TOK_SLASH] = "/",
  [HX_TOK_PLUS] = "+",
  [HX_TOK_MINUS] = "-",
  [HX_TOK_PERCENT] = "%",
  [HX_TOK_ASSIGN] = "=",
  [HX_TOK_EQ] = "==",
  [HX_TOK_NE] = "!=",
  [HX_TOK_LT] = "<",
  [HX_TOK_LE] = "<=",
  [HX_TOK_GT] = ">",
  [HX_TOK_GE] = ">=",
  [HX_TOK_AND] = "&&",
  [HX_TOK_OR] = "||",
  [HX_TOK_BANG] = "!",
  [HX_TOK_DOT] = ".",
  [HX_TOK_COMMA] = ",",
  [HX_TOK_DOUBLE_COLON] = "::",
  [HX_TOK_ELLIPSIS] = "...",
  [HX_TOK_FAT_ARROW] = "=>",
  [HX_TOK_QUESTION] = "?",
  [HX_TOK_COLON] = ":",
};
#define INVALID "invalid"

typedef struct found {
  uint32_t start, stop;
  uint8_t kind;
} found;

typedef struct tokens_job {
  hx_str text;
  hx_scan_kind kind;
  HX_VEC(found) tokens;
} tokens_job;

static void run_tokens(hx_cx *cx, void *ud) {
  tokens_job *job = ud;
  hx_scanner s;
  hx_scan_init(&s, &cx->scratch, job->text.p, 0, job->text.len, job->kind);
  for (hx_token t = hx_scan_next(&s); t.kind != HX_TOK_END; t = hx_scan_next(&s))
    *HX_VEC_PUSH(&cx->arena, &job->tokens) = (found){ t.start, t.stop, t.kind };
}

/* core.tokens(source, template): kinds, starts, stops. */
static int l_tokens(lua_State *L) {
  tokens_job job = { .text = hx_check_str(L, 1), .kind = lua_toboolean(L, 2) ? HX_SCAN_BARE : HX_SCAN_MAIN };
  int at;
  lua_settop(L, 2);
  hx_home_must(L, hx_work_push(L), run_tokens, &job);
  at = lua_gettop(L);
  luaL_checkstack(L, HX_TOK_COUNT + 8, NULL);
  for (int k = 0; k < HX_TOK_COUNT; k++) lua_pushstring(L, words[k] ? words[k] : INVALID);
  for (int i = 0; i < 3; i++) lua_createtable(L, (int)job.tokens.n, 0);
  for (uint32_t i = 0; i < job.tokens.n; i++) {
    const found *t = &job.tokens.p[i];
    lua_pushvalue(L, at + 1 + t->kind);
    lua_rawseti(L, -4, (int)i + 1);
    lua_pushinteger(L, (lua_Integer)t->start);
    lua_rawseti(L, -3, (int)i + 1);
    lua_pushinteger(L, (lua_Integer)t->stop);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 3;
}

static const luaL_Reg functions[] = { { "tokens", l_tokens }, { NULL, NULL } };

void hx_open_tokens(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
