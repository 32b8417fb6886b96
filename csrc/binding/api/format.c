/* format.c: hcl.format.
** Memory: Lua's; the memory of a call ends with it, or with its diagnostics.
** Errors: nil and diagnostics; raises if memory runs out for the result. */
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/objects/expression.h"
#include "binding/state/limits.h"
#include "config/format.h"

typedef struct job {
  hx_program *program;
  hx_str text, filename, result;
  bool terraform;
} job;

static void run_format(hx_cx *cx, void *ud) {
  job *j = ud;
  j->result = j->terraform ? hx_format_terraform(cx, hx_source_new(cx, j->text, j->filename, 1, 1)) : hx_format(cx, j->text);
}

static void run_locate(hx_cx *cx, void *ud) {
  job *j = ud;
  j->program->source = hx_source_new(cx, j->text, j->filename, 1, 1);
  hx_why_at(cx, j->program->source, (hx_range){ 0, 0 });
}

/* Reports why formatting ended, which only a limit or lack of memory can cause. The report names the file if there is memory for that. */
static void report(hx_cx *cx, hx_why why, job *j) {
  hx_arena_free(&cx->arena);
  hx_arena_free(&cx->scratch);
  (void)hx_guard_run(cx, run_locate, j);
  hx_why_report(cx, why);
}

/* core.format(source, limits, filename, terraform): returns the formatted source, or nil and Diagnostics. By default, the result
** may be longer than other results by twice the length of the source, which allows a space for each byte. Only nested indentation
** can exceed this. */
static int l_format(lua_State *L) {
  hx_limits limits = hx_limits_default;
  job j = { .text = hx_check_str(L, 1), .filename = HX_STR("") };
  hx_expression *e;
  hx_cx *cx;
  hx_why why;
  limits.output += 2 * (uint64_t)j.text.len;
  if (!lua_isnoneornil(L, 2)) hx_limits_read(L, 2, 2, &limits);
  if (!lua_isnoneornil(L, 3)) j.filename = hx_check_str(L, 3);
  j.terraform = lua_toboolean(L, 4);
  e = hx_expression_new(L, NULL); /* owns the unit if something raises */
  j.program = &e->unit->program;
  cx = &j.program->cx;
  hx_cx_init(cx, &limits, 1024);
  why = hx_guard_run(cx, run_format, &j);
  if (why != HX_WHY_NONE) {
    report(cx, why, &j);
    lua_pushnil(L);
    hx_diagnostics_push_of(L, e->unit);
    return 2;
  }
  hx_push_str(L, j.result);
  hx_expression_close(L, e);
  return 1;
}

static const luaL_Reg functions[] = { { "format", l_format }, { NULL, NULL } };

void hx_open_format(lua_State *L) {
  hx_register(L, HX_CLASS_NONE, NULL, functions);
}
