/* diagnostics_text.c: Diagnostics as text for people, and in the forms that editors read.
** Memory: as in diagnostics.h.
** Errors: raise for wrong arguments, and if Lua is out of memory. */
#include "binding/state/openers.h"

#include "binding/data/diagnostics.h"
#include "binding/state/place.h"
#include "binding/data/value.h"
#include "text/report.h"
#include "text/unicode.h"

typedef struct report_job {
  const hx_diags *list;
  hx_report_style style;
  hx_str text;
} report_job;

static void run_report(hx_cx *cx, void *ud) {
  report_job *job = ud;
  job->text = hx_report(cx, job->list, job->style);
}

/* Pushes the report as a string. First it finds all places, since the tables of places must be made in the activities of their sources,
** where they stay; the report itself is made in a temporary activity. A source without an owner, such as a listing's copy, must not
** point to a table that is freed with that activity. */
static void push_report(lua_State *L, const hx_listing *r, hx_report_style style) {
  hx_cx *cx = &hx_work_push(L)->cx;
  int work = lua_gettop(L);
  report_job job = { &r->list, style, HX_STR("Error: Out of memory") };
  uint32_t i = 0;
  for (const hx_diag *d = r->list.first; d; d = d->next, i++) {
    hx_pos start, stop;
    if (hx_listing_unit(r, i) && hx_diag_has_place(d)) hx_place_find(hx_listing_unit(r, i), d->source, d->subject, &start, &stop);
  }
  hx_guard_run(cx, run_report, &job);
  while (job.text.len && job.text.p[job.text.len - 1] == '\n') job.text.len--;
  hx_push_str(L, job.text);
  hx_work_close(L, work);
  lua_replace(L, work);
  lua_settop(L, work);
}

static int l_tostring(lua_State *L) {
  push_report(L, hx_check_diagnostics(L, 1), (hx_report_style){ 0 });
  return 1;
}

static uint32_t width_at(lua_State *L, int at, int arg) {
  lua_Number width = lua_type(L, at) == LUA_TNUMBER ? lua_tonumber(L, at) : -1;
  luaL_argcheck(L, width >= 0 && width <= 10000, arg, "the width must be a number of columns, at most 10000");
  return (uint32_t)width;
}

static bool color_at(lua_State *L, int at, int arg) {
  luaL_argcheck(L, lua_isboolean(L, at), arg, "color must be true or false");
  return lua_toboolean(L, at);
}

static hx_str all_at(lua_State *L, int at) {
  luaL_argcheck(L, lua_type(L, at) == LUA_TSTRING, 2, "all must be a string");
  return hx_check_str(L, at);
}

/* Reads the options of a report from the table that is argument 2. */
static hx_report_style read_style(lua_State *L) {
  static const char *const known[] = { "color", "width", "all" };
  hx_report_style style = { 0 };
  luaL_argcheck(L, lua_isnoneornil(L, 3), 3, "the width is among the options");
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    int value = lua_gettop(L), row = HX_OPTION_ROW(L, 2, "unknown option '%s'", known);
    if (row == 0) style.colours = color_at(L, value, 2);
    else if (row == 1) style.width = width_at(L, value, 2);
    else style.all = all_at(L, value);
  }
  return style;
}

/* err:report(options): returns the text of tostring(err), optionally with ANSI colours and wrapped to a width. all: the command's
** option that shows all diagnostics; the text names it where it only counts similar ones. In an older form, color and width are
** arguments. */
static int l_report(lua_State *L) {
  const hx_listing *list = hx_check_diagnostics(L, 1);
  hx_report_style style = { 0 };
  if (lua_istable(L, 2)) {
    style = read_style(L);
  } else {
    if (!lua_isnoneornil(L, 2) && !lua_isboolean(L, 2)) hx_arg_error(L, 2, "table");
    style.colours = lua_toboolean(L, 2);
    if (!lua_isnoneornil(L, 3)) style.width = width_at(L, 3, 3);
  }
  push_report(L, list, style);
  return 1;
}

static int l_concat(lua_State *L) {
  for (int i = 1; i <= 2; i++) {
    if (lua_istable(L, i)) push_report(L, hx_check_diagnostics(L, i), (hx_report_style){ 0 });
    else if (lua_isstring(L, i)) lua_pushvalue(L, i);
    else return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, i));
  }
  lua_concat(L, 2);
  return 1;
}

/* Editors */

typedef enum encoding { UTF8, UTF16 } encoding;

typedef struct editor_place {
  uint32_t line; /* from 0 */
  uint32_t character;
} editor_place;

/* The last place that was computed. The next place is counted from it, because all places may be in one very long line. */
typedef struct editor_cursor {
  const hx_source *source;
  uint32_t line_start, offset, character;
} editor_cursor;

typedef struct editor_job {
  hx_source *source;
  uint32_t offset;
  encoding enc;
  editor_cursor *last;
  editor_place at;
} editor_job;

static uint32_t count_units(const hx_source *src, uint32_t from, uint32_t to) {
  const char *p = src->text.p + from, *end = src->text.p + to;
  uint32_t units = 0;
  while (p < end) {
    int32_t cp;
    p += hx_utf8_read(p, end, &cp);
    units += cp > 0xFFFF ? 2 : 1;
  }
  return units;
}

static uint32_t find_character(editor_cursor *last, const hx_source *src, uint32_t line_start, uint32_t offset) {
  if (last->source != src || last->line_start != line_start) *last = (editor_cursor){ src, line_start, line_start, 0 };
  if (offset >= last->offset) last->character += count_units(src, last->offset, offset);
  else if (last->offset - offset < offset - line_start) last->character -= count_units(src, offset, last->offset);
  else last->character = count_units(src, line_start, offset);
  last->offset = offset;
  return last->character;
}

static void run_editor(hx_cx *cx, void *ud) {
  editor_job *job = ud;
  job->offset = hx_source_written(job->source, hx_range_of(job->offset, job->offset)).start;
  if (job->offset > job->source->text.len) job->offset = job->source->text.len;
  hx_range line = hx_source_line(cx, job->source, job->offset);
  hx_pos pos = hx_source_pos(cx, job->source, job->offset);
  job->at.line = pos.line ? pos.line - 1 : 0;
  if (job->offset < line.start) return; /* a byte order mark comes before the first line */
  job->at.character = job->enc == UTF8 ? job->offset - line.start : find_character(job->last, job->source, line.start, job->offset);
}

/* Returns the editor's place of an offset. last: the last computed place, zeroed at first; not used for UTF8. Starts have one and ends
** another, because starts mostly come in order, and so do ends. */
static editor_place editor_place_of(hx_unit *unit, const hx_diag *d, uint32_t offset, encoding enc, editor_cursor *last) {
  editor_job job = { (hx_source *)d->source, offset, enc, last, { 0, 0 } };
  if (hx_diag_has_place(d)) hx_place_run(unit, run_editor, &job);
  return job.at;
}

static void set_lsp_place(lua_State *L, const char *name, editor_place at) {
  lua_newtable(L);
  hx_set_int(L, "line", at.line);
  hx_set_int(L, "character", at.character);
  lua_setfield(L, -2, name);
}

static void set_message(lua_State *L, const hx_diag *d) {
  hx_push_str(L, hx_diag_summary(d));
  lua_pushliteral(L, ": ");
  hx_push_str(L, d->detail);
  lua_concat(L, 3);
  lua_setfield(L, -2, "message");
  hx_set_word(L, "code", hx_diag_code(d));
  hx_set_word(L, "source", "hclexpr");
  hx_set_int(L, "severity", hx_diag_severity(d) == HX_ERROR ? 1 : 2); /* the same numbers in LSP and vim */
}

static int l_lsp(lua_State *L) {
  static const char *const encodings[] = { "utf-8", "utf-16", NULL };
  const hx_listing *r = hx_check_diagnostics(L, 1);
  encoding enc = (encoding)luaL_checkoption(L, 2, "utf-16", encodings);
  editor_cursor starts = { 0 }, ends = { 0 };
  const hx_diags *list = &r->list;
  int i = 0;
  lua_createtable(L, (int)list->kept, 0);
  for (const hx_diag *d = list->first; d; d = d->next) {
    lua_newtable(L);
    lua_newtable(L);
    hx_unit *unit = hx_listing_unit(r, (uint32_t)i);
    set_lsp_place(L, "start", editor_place_of(unit, d, d->subject.start, enc, &starts));
    set_lsp_place(L, "end", editor_place_of(unit, d, d->subject.stop, enc, &ends));
    lua_setfield(L, -2, "range");
    set_message(L, d);
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

static int l_vim(lua_State *L) {
  const hx_listing *r = hx_check_diagnostics(L, 1);
  const hx_diags *list = &r->list;
  int i = 0;
  lua_createtable(L, (int)list->kept, 0);
  for (const hx_diag *d = list->first; d; d = d->next) {
    hx_unit *unit = hx_listing_unit(r, (uint32_t)i);
    editor_place start = editor_place_of(unit, d, d->subject.start, UTF8, NULL);
    editor_place stop = editor_place_of(unit, d, d->subject.stop, UTF8, NULL);
    lua_newtable(L);
    hx_set_int(L, "lnum", start.line);
    hx_set_int(L, "col", start.character);
    hx_set_int(L, "end_lnum", stop.line);
    hx_set_int(L, "end_col", stop.character);
    set_message(L, d);
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

static const luaL_Reg methods[] = {
  { "__tostring", l_tostring }, { "__concat", l_concat }, { "lsp", l_lsp }, { "vim", l_vim },
  { "report", l_report },       { NULL, NULL },
};

void hx_open_diagnostics_text(lua_State *L) {
  hx_register(L, HX_CLASS_DIAGNOSTICS, methods, NULL);
}
