/* tokens.c: hcl.tokens: the tokens of a source, for tools.
** Memory: Lua's.
** Errors: raises if Lua is out of memory. */
#include "binding/state/openers.h"

#include "binding/state/state.h"
#include "binding/data/value.h"
#include "syntax/scanner.h"

/* The names of the kinds of tokens. Punctuation and operators are their own names; everything that no source may contain is "invalid". */
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

/* core.tokens(source, template): returns three arrays: the kinds of the tokens, where they start, and where they stop. */
static int tokens(lua_State *L, hx_cx *cx) {
  hx_str text = hx_check_str(L, 1);
  int kinds, n = 0;
  hx_scanner s;
  hx_scan_init(&s, &cx->scratch, text.p, 0, text.len, lua_toboolean(L, 2) ? HX_SCAN_BARE : HX_SCAN_MAIN);
  luaL_checkstack(L, HX_TOK_COUNT + 8, NULL);
  kinds = lua_gettop(L) + 1;
  for (int k = 0; k < HX_TOK_COUNT; k++) lua_pushstring(L, words[k] ? words[k] : INVALID);
  for (int i = 0; i < 3; i++) lua_newtable(L);
  for (hx_token t = hx_scan_next(&s); t.kind != HX_TOK_END; t = hx_scan_next(&s)) {
    n++;
    lua_pushvalue(L, kinds + t.kind);
    lua_rawseti(L, -4, n);
    lua_pushinteger(L, (lua_Integer)t.start);
    lua_rawseti(L, -3, n);
    lua_pushinteger(L, (lua_Integer)t.stop);
    lua_rawseti(L, -2, n);
  }
  return 3;
}

static const hx_work_row work[] = { { "tokens", 2, tokens, false } };

void hx_open_tokens(lua_State *L) {
  HX_REGISTER_WORK(L, work);
}
