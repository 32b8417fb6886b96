/* diagnostics.c: Diagnostics: an array with one table a diagnostic. Behind them is a userdata, the report; elements are made when the
** array is first looked into, where Lua lets it answer for them (hx_lua_arrays_answer), and their fields when one is first read. */
#include "binding/diagnostics.h"

#include "binding/value.h"
#include "text/report.h"
#include "text/unicode.h"

/* Where both tables keep the report: an index that neither ipairs nor # sees. */
#define HIDDEN 0
/* The like, of an element: its number if it is not the first; of an array: whether its elements have been made. */
#define HIDDEN_NUMBER (-1)
#define HIDDEN_MADE (-1)

/* The userdata: the diagnostics of a call, behind it in the same block where they are copies. A short source is copied there, too,
** which costs less than a finalizer that lets go of the program; of a long one the program is kept. */
typedef struct report {
  hx_unit *unit;   /* that is kept for its source, or NULL */
  hx_unit **units; /* one for each diagnostic where they come from several; else NULL, and `unit` is that of all */
  hx_diags list;
} report;

/* Bytes of a source that are copied. */
#define SHORT_SOURCE 1024u

static hx_unit *unit_of(const report *r, uint32_t i) {
  return r->units ? r->units[i] : r->unit;
}

/* Copies: measured first, then written into one block. */

static size_t round_up(size_t n) {
  return (n + 15) & ~(size_t)15;
}

static size_t size_of(const hx_diag *d) {
  size_t n = round_up(sizeof *d) + round_up(d->detail.len) + round_up(d->summary.len) + round_up(d->chain.len);
  for (const hx_diag_value *v = d->values; v; v = v->next) n += round_up(sizeof *v) + round_up(v->path.len) + round_up(v->text.len);
  return n;
}

static void *copy_bytes(char **at, const void *from, size_t n) {
  void *to = *at;
  if (n) memcpy(to, from, n);
  *at += round_up(n);
  return to;
}

static hx_str copy_str(char **at, hx_str s) {
  return hx_str_of(copy_bytes(at, s.p, s.len), s.len);
}

static size_t size_of_source(const hx_source *s) {
  return round_up(sizeof *s) + round_up(s->text.len) + round_up(s->name.len);
}

/* No activity owns the copy: its lines are counted when they are asked for. */
static hx_source *copy_source(char **at, const hx_source *from) {
  hx_source *s = copy_bytes(at, from, sizeof *s);
  s->text = copy_str(at, from->text);
  s->name = copy_str(at, from->name);
  s->places = NULL;
  return s;
}

/* source: the one that the copy points into. */
static void copy_diag(char **at, const hx_diag *from, const hx_source *source, hx_diags *list) {
  hx_diag *d = copy_bytes(at, from, sizeof *from);
  hx_diag_value **end = &d->values;
  d->source = from->source ? source : NULL;
  d->detail = copy_str(at, from->detail);
  d->summary = copy_str(at, from->summary);
  d->chain = copy_str(at, from->chain);
  *end = NULL;
  for (const hx_diag_value *v = from->values; v; v = v->next, end = &(*end)->next) {
    *end = copy_bytes(at, v, sizeof *v);
    **end = (hx_diag_value){ copy_str(at, v->path), copy_str(at, v->text), NULL };
  }
  hx_diags_append(list, d);
}

/* Making */

/* One that keeps a unit or will keep some is of a class of its own: the other has no finalizer. */
static report *new_report(lua_State *L, hx_class c, hx_unit *unit, size_t size) {
  report *r = hx_lua_newuserdata(L, round_up(sizeof *r) + size);
  *r = (report){ unit ? hx_unit_retain(unit) : NULL, NULL, { 0 } };
  hx_set_class(L, -1, c);
  return r;
}

static report *to_report(lua_State *L, int at) {
  report *r = hx_to_class(L, at, HX_CLASS_REPORT);
  return r ? r : hx_to_class(L, at, HX_CLASS_KEEPER);
}

/* Pushes the userdata with copies of all that is listed, and of the source if it is short. */
static report *push_copies(lua_State *L, const hx_diags *from, hx_unit *unit) {
  const hx_source *source = unit ? unit->program.source : NULL;
  bool copied = source && !source->npieces && source->text.len + source->name.len <= SHORT_SOURCE;
  size_t size = copied ? size_of_source(source) : 0;
  report *r;
  char *at;
  for (const hx_diag *d = from->first; d; d = d->next) size += size_of(d);
  r = copied || !unit ? new_report(L, HX_CLASS_REPORT, NULL, size) : new_report(L, HX_CLASS_KEEPER, unit, size);
  at = (char *)r + round_up(sizeof *r);
  if (copied) source = copy_source(&at, source);
  for (const hx_diag *d = from->first; d; d = d->next) copy_diag(&at, d, source, &r->list);
  r->list.dropped = from->dropped;
  r->list.errors = from->errors;
  return r;
}

/* Remembering: an expression that fails mostly fails the same way again. Its report, which nobody can change, is then used once more. */

/* Diagnostics of the longest list that is worth comparing. */
#define REMEMBERED_MAX 8u

static bool same_range(hx_range a, hx_range b) {
  return a.start == b.start && a.stop == b.stop;
}

static bool same_values(const hx_diag_value *a, const hx_diag_value *b) {
  for (; a && b; a = a->next, b = b->next)
    if (!hx_str_eq(a->path, b->path) || !hx_str_eq(a->text, b->text)) return false;
  return a == b;
}

static bool same_diag(const hx_diag *a, const hx_diag *b) {
  return a->id == b->id && a->has_range == b->has_range && same_range(a->subject, b->subject) &&
         same_range(a->context, b->context) && hx_str_eq(a->detail, b->detail) && hx_str_eq(a->summary, b->summary) &&
         hx_str_eq(a->chain, b->chain) && same_values(a->values, b->values);
}

static bool same_list(const hx_diags *a, const hx_diags *b) {
  const hx_diag *x = a->first, *y = b->first;
  if (a->kept != b->kept || a->errors != b->errors || a->dropped != b->dropped) return false;
  while (x && same_diag(x, y)) x = x->next, y = y->next;
  return !x;
}

/* Pushes a report of what an evaluation of the unit lists, which stands in its place if it was the unit's last, too. */
static const report *push_report_of(lua_State *L, const hx_diags *from, hx_unit *unit) {
  hx_state *st = hx_state_get(L);
  uint32_t slot = hx_reported_at(unit);
  hx_reported *last = &st->reported[slot];
  report *r;
  if (last->unit == unit && same_list(&((const report *)last->report)->list, from)) {
    lua_rawgeti(L, HX_UP_STORE, HX_SLOT_REPORTS + (int)slot);
    return last->report;
  }
  r = push_copies(L, from, unit);
  if (r->unit || from->kept > REMEMBERED_MAX) return r;
  last->unit = NULL;
  lua_pushvalue(L, -1);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_REPORTS + (int)slot);
  *last = (hx_reported){ unit, r };
  return r;
}

/* Arrays */

/* Fills the array at `at` with elements of r, which is at r_at; what a script has set stays. */
static void make_elements(lua_State *L, int at, const report *r, int r_at) {
  int i = 0;
  luaL_checkstack(L, 6, NULL);
  for (const hx_diag *d = r->list.first; d; d = d->next) {
    lua_createtable(L, 0, ++i > 1 ? 2 : 1);
    lua_pushvalue(L, r_at);
    lua_rawseti(L, -2, HIDDEN);
    if (i > 1) {
      lua_pushinteger(L, i);
      lua_rawseti(L, -2, HIDDEN_NUMBER);
    }
    hx_set_class(L, -1, HX_CLASS_DIAGNOSTIC);
    lua_rawseti(L, at, i);
  }
}

/* A table that is to be the array of n diagnostics. */
static void new_array(lua_State *L, uint32_t n) {
  /* One element and what is hidden lie in one part of the table. */
  if (hx_lua_arrays_answer) lua_createtable(L, 0, 1);
  else lua_createtable(L, n > 1 ? (int)n : 0, n > 1 ? 1 : 2);
}

/* Makes it the array of what r lists; r is on top of the stack, the table below. */
static void finish_array(lua_State *L, const report *r) {
  int at = lua_gettop(L) - 1;
  if (!hx_lua_arrays_answer) make_elements(L, at, r, at + 1);
  lua_rawseti(L, at, HIDDEN);
  hx_set_class(L, at, HX_CLASS_DIAGNOSTICS);
}

/* The array at `at` as a plain one: its elements are made if they aren't yet. */
static void look_into(lua_State *L, int at) {
  const report *r;
  bool made;
  lua_rawgeti(L, at, HIDDEN_MADE);
  lua_rawgeti(L, at, HIDDEN);
  made = lua_toboolean(L, -2) != 0;
  r = to_report(L, -1);
  if (!made && r) {
    make_elements(L, at, r, lua_gettop(L));
    lua_pushboolean(L, 1);
    lua_rawseti(L, at, HIDDEN_MADE);
  }
  lua_pop(L, 2);
}

void hx_diagnostics_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  luaL_checkstack(L, 9, NULL);
  new_array(L, cx->diags.kept);
  finish_array(L, unit ? push_report_of(L, &cx->diags, unit) : push_copies(L, &cx->diags, NULL));
}

void hx_diagnostics_push_of(lua_State *L, hx_unit *unit) {
  report *r;
  luaL_checkstack(L, 9, NULL);
  new_array(L, unit->program.cx.diags.kept);
  r = new_report(L, HX_CLASS_KEEPER, unit, 0);
  r->list = unit->program.cx.diags;
  finish_array(L, r);
}

int hx_fail_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  lua_pushnil(L);
  hx_diagnostics_push(L, cx, unit);
  return 2;
}

/* Joining: the diagnostics of several calls as those of one. */

static report *check_report(lua_State *L, int arg);

/* Element i of the array at 1. */
static const report *joined_part(lua_State *L, int i) {
  const report *r;
  lua_rawgeti(L, 1, i);
  r = check_report(L, lua_gettop(L));
  lua_pop(L, 1);
  return r;
}

/* Is the source of diagnostic i a copy, and another one than that of the diagnostic before it? */
static bool has_new_copy(const report *from, uint32_t i, const hx_diag *d, const hx_source *last) {
  return d->source && d->source != last && !unit_of(from, i);
}

/* Room that the first of a part's diagnostics need, *left of them at most. */
static size_t size_of_part(const report *from, uint32_t *left) {
  const hx_source *last = NULL;
  size_t size = 0;
  uint32_t i = 0;
  for (const hx_diag *d = from->list.first; d && *left; d = d->next, i++, --*left) {
    size += size_of(d);
    if (has_new_copy(from, i, d, last)) size += size_of_source(d->source);
    last = d->source;
  }
  return size;
}

static void join_part(report *to, const report *from, char **at) {
  const hx_source *last = NULL, *source = NULL;
  uint32_t i = 0;
  for (const hx_diag *d = from->list.first; d; d = d->next, i++) {
    hx_unit *unit = unit_of(from, i);
    if (to->list.kept == HX_DIAGS_MAX) {
      to->list.dropped++;
      if (hx_diag_severity(d) == HX_ERROR) to->list.errors++;
      continue;
    }
    to->units[to->list.kept] = unit ? hx_unit_retain(unit) : NULL;
    if (!to->unit && unit) to->unit = hx_unit_retain(unit);
    if (has_new_copy(from, i, d, last)) source = copy_source(at, d->source);
    last = d->source;
    copy_diag(at, d, unit ? d->source : source, &to->list);
  }
  to->list.dropped += from->list.dropped;
  to->list.errors += from->list.dropped;
}

/* core.join_diagnostics{ d1, d2, … }: Diagnostics of all of them in order; nil: there are none. */
static int l_join(lua_State *L) {
  size_t size = 0;
  uint32_t left = HX_DIAGS_MAX, kept;
  int n;
  report *r;
  char *at;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 10, NULL);
  n = (int)hx_lua_rawlen(L, 1);
  if (n <= 1) {
    lua_rawgeti(L, 1, 1);
    return 1;
  }
  for (int i = 1; i <= n; i++) size += size_of_part(joined_part(L, i), &left);
  kept = HX_DIAGS_MAX - left;
  new_array(L, kept);
  r = new_report(L, HX_CLASS_KEEPER, NULL, round_up(kept * sizeof(hx_unit *)) + size);
  r->units = (hx_unit **)(void *)((char *)r + round_up(sizeof *r));
  memset(r->units, 0, kept * sizeof(hx_unit *));
  at = (char *)r->units + round_up(kept * sizeof(hx_unit *));
  for (int i = 1; i <= n; i++) join_part(r, joined_part(L, i), &at);
  finish_array(L, r);
  return 1;
}

/* Positions */

typedef struct place_job {
  hx_source *source;
  hx_range range;
  hx_pos start, stop;
} place_job;

static void run_place(hx_cx *cx, void *ud) {
  place_job *job = ud;
  job->start = hx_source_pos(cx, job->source, job->range.start);
  job->stop = hx_source_pos(cx, job->source, job->range.stop);
}

/* What needs the places of a source: the table of lines goes to the arena of its unit. In a copy lines are counted, which takes no
** memory and no activity. */
static void run_on_source(hx_unit *unit, void (*fn)(hx_cx *cx, void *ud), void *job) {
  if (unit) hx_guard_run(&hx_unit_root(unit)->program.cx, fn, job);
  else fn(NULL, job);
}

static void find_place(hx_unit *unit, const hx_source *source, hx_range range, place_job *job) {
  *job = (place_job){ (hx_source *)source, range, { 0, 0, 0 }, { 0, 0, 0 } };
  run_on_source(unit, run_place, job);
}

static bool has_place(const hx_diag *d) {
  return d->has_range && d->source;
}

static void push_pos(lua_State *L, const char *name, hx_pos pos) {
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, (lua_Integer)pos.line);
  lua_setfield(L, -2, "line");
  lua_pushinteger(L, (lua_Integer)pos.column);
  lua_setfield(L, -2, "column");
  lua_pushinteger(L, (lua_Integer)pos.byte);
  lua_setfield(L, -2, "byte");
  lua_setfield(L, -2, name);
}

void hx_range_push(lua_State *L, hx_unit *unit, const hx_source *source, hx_range range) {
  place_job job;
  luaL_checkstack(L, 6, NULL);
  find_place(unit, source, range, &job);
  lua_createtable(L, 0, 3);
  if (source->name.len) hx_set_str(L, -1, "filename", source->name);
  push_pos(L, "start", job.start);
  push_pos(L, "stop", job.stop);
}

/* Fields of one diagnostic */

static const char *const severities[] = { [HX_ERROR] = "error", [HX_WARNING] = "warning" };

static void set_values(lua_State *L, const hx_diag *d) {
  int i = 0;
  lua_newtable(L);
  for (const hx_diag_value *v = d->values; v; v = v->next) {
    lua_createtable(L, 0, 2);
    hx_set_str(L, -1, "path", v->path);
    hx_set_str(L, -1, "text", v->text);
    lua_rawseti(L, -2, ++i);
  }
  lua_setfield(L, -2, "values");
}

/* Fills the table on top of the stack, raw: its metatable has no __newindex. */
static void fill(lua_State *L, hx_unit *unit, const hx_diag *d) {
  lua_pushstring(L, severities[hx_diag_severity(d)]);
  lua_setfield(L, -2, "severity");
  lua_pushstring(L, hx_diag_code(d));
  lua_setfield(L, -2, "code");
  hx_set_str(L, -1, "summary", hx_diag_summary(d));
  hx_set_str(L, -1, "detail", d->detail);
  if (has_place(d)) {
    hx_range_push(L, unit, d->source, d->subject);
    lua_setfield(L, -2, "range");
    hx_range_push(L, unit, d->source, d->context);
    lua_setfield(L, -2, "context");
  }
  set_values(L, d);
}

/* diagnostic[key] where key isn't there: the first time, everything is filled in. */
static int l_diagnostic_index(lua_State *L) {
  const report *r;
  const hx_diag *d;
  uint32_t at = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_rawgeti(L, 1, HIDDEN);
  r = to_report(L, 3);
  if (!r) return 0;
  luaL_checkstack(L, 10, NULL);
  lua_rawgeti(L, 1, HIDDEN_NUMBER);
  d = r->list.first;
  for (lua_Integer i = lua_isnil(L, 4) ? 1 : lua_tointeger(L, 4); i > 1 && d->next; i--, at++) d = d->next;
  lua_pushvalue(L, 1);
  fill(L, unit_of(r, at), d);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN);
  lua_pushnil(L);
  lua_rawseti(L, 1, HIDDEN_NUMBER);
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 1;
}

/* Keys as next() gives them, but for the hidden ones. */
static int l_next(lua_State *L) {
  lua_settop(L, 2);
  while (lua_next(L, 1)) {
    if (lua_type(L, 2) != LUA_TNUMBER || lua_tonumber(L, 2) >= 1) return 2;
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  return 1;
}

/* Where Lua knows __pairs, a diagnostic shows its fields also before one was asked for. */
static int l_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "code");
  lua_settop(L, 1);
  lua_pushcfunction(L, l_next);
  lua_insert(L, 1);
  lua_pushnil(L);
  return 3;
}

/* Metamethods of an array that isn't looked into before one of them is called. */

/* array[key] where key isn't there: an element, or else a method. */
static int l_array_index(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TNUMBER) look_into(L, 1);
  else lua_rawgeti(L, HX_UP_STORE, HX_CLASS_DIAGNOSTICS);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_gettop(L) == 4 ? 3 : 1);
  return 1;
}

static int l_array_newindex(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  look_into(L, 1);
  lua_rawset(L, 1);
  return 0;
}

static int l_array_len(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  look_into(L, 1);
  lua_pushinteger(L, (lua_Integer)hx_lua_rawlen(L, 1));
  return 1;
}

static int l_array_next(lua_State *L) {
  int i = (int)luaL_checkinteger(L, 2) + 1;
  lua_settop(L, 1);
  lua_pushinteger(L, i);
  lua_rawgeti(L, 1, i);
  return lua_isnil(L, -1) ? 1 : 2;
}

static int l_array_ipairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  look_into(L, 1);
  lua_pushcfunction(L, l_array_next);
  lua_insert(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

static int l_array_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  look_into(L, 1);
  lua_pushcfunction(L, l_next);
  lua_insert(L, 1);
  lua_pushnil(L);
  return 3;
}

/* Reports */

static report *check_report(lua_State *L, int arg) {
  report *r = NULL;
  if (lua_istable(L, arg) && hx_is_class(L, arg, HX_CLASS_DIAGNOSTICS)) {
    lua_rawgeti(L, arg, HIDDEN);
    r = to_report(L, -1);
    lua_pop(L, 1);
  }
  if (!r) hx_arg_error(L, arg, hx_class_name(HX_CLASS_DIAGNOSTICS));
  return r;
}

typedef struct report_job {
  const report *r;
  hx_report_style style;
  hx_str text;
} report_job;

static void run_report(hx_cx *cx, void *ud) {
  report_job *job = ud;
  job->text = hx_report(cx, &job->r->list, job->style);
}

/* The report is made in the activity that owns the sources; its table of lines stays, the text goes once Lua has it. Without a source
** any activity does. */
static void push_report(lua_State *L, const report *r, bool colours) {
  hx_cx *cx = r->unit ? &hx_unit_root(r->unit)->program.cx : &hx_work_push(L)->cx;
  report_job job = { r, { colours }, HX_STR("Error: Out of memory") };
  hx_arena_mark mark;
  int at = lua_gettop(L) + (r->unit ? 1 : 0);
  uint32_t i = 0;
  for (const hx_diag *d = r->list.first; d; d = d->next, i++) {
    place_job place;
    if (unit_of(r, i) && has_place(d)) find_place(unit_of(r, i), d->source, d->subject, &place);
  }
  mark = hx_arena_get_mark(&cx->arena);
  hx_guard_run(cx, run_report, &job);
  while (job.text.len && job.text.p[job.text.len - 1] == '\n') job.text.len--;
  hx_push_str(L, job.text);
  hx_arena_release(&cx->arena, mark);
  if (!r->unit) lua_replace(L, at);
}

static int l_tostring(lua_State *L) {
  push_report(L, check_report(L, 1), false);
  return 1;
}

/* err:report(colours): as tostring, with ANSI colours if asked for. */
static int l_report(lua_State *L) {
  push_report(L, check_report(L, 1), lua_toboolean(L, 2) != 0);
  return 1;
}

static int l_concat(lua_State *L) {
  for (int i = 1; i <= 2; i++) {
    if (lua_istable(L, i)) push_report(L, check_report(L, i), false);
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

typedef struct editor_job {
  hx_source *source;
  uint32_t offset;
  encoding enc;
  editor_place at;
} editor_job;

static void run_editor(hx_cx *cx, void *ud) {
  editor_job *job = ud;
  job->offset = hx_source_written(job->source, hx_range_of(job->offset, job->offset)).start;
  if (job->offset > job->source->text.len) job->offset = job->source->text.len;
  hx_range line = hx_source_line(cx, job->source, job->offset);
  hx_pos pos = hx_source_pos(cx, job->source, job->offset);
  const char *p = job->source->text.p + line.start, *end = job->source->text.p + job->offset;
  job->at.line = pos.line ? pos.line - 1 : 0;
  if (job->enc == UTF8) {
    job->at.character = job->offset - line.start;
    return;
  }
  while (p < end) {
    int32_t cp;
    p += hx_utf8_read(p, end, &cp);
    job->at.character += cp > 0xFFFF ? 2 : 1;
  }
}

static editor_place editor_place_of(hx_unit *unit, const hx_diag *d, uint32_t offset, encoding enc) {
  editor_job job = { (hx_source *)d->source, offset, enc, { 0, 0 } };
  if (has_place(d)) run_on_source(unit, run_editor, &job);
  return job.at;
}

static void set_integer(lua_State *L, const char *name, uint32_t n) {
  lua_pushinteger(L, (lua_Integer)n);
  lua_setfield(L, -2, name);
}

static void set_lsp_place(lua_State *L, const char *name, editor_place at) {
  lua_createtable(L, 0, 2);
  set_integer(L, "line", at.line);
  set_integer(L, "character", at.character);
  lua_setfield(L, -2, name);
}

static void set_message(lua_State *L, const hx_diag *d) {
  hx_push_str(L, hx_diag_summary(d));
  lua_pushliteral(L, ": ");
  hx_push_str(L, d->detail);
  lua_concat(L, 3);
  lua_setfield(L, -2, "message");
  lua_pushstring(L, hx_diag_code(d));
  lua_setfield(L, -2, "code");
  lua_pushliteral(L, "hclexpr");
  lua_setfield(L, -2, "source");
  set_integer(L, "severity", hx_diag_severity(d) == HX_ERROR ? 1 : 2); /* the same numbers in LSP and vim */
}

static int l_lsp(lua_State *L) {
  static const char *const encodings[] = { "utf-8", "utf-16", NULL };
  const report *r = check_report(L, 1);
  encoding enc = (encoding)luaL_checkoption(L, 2, "utf-16", encodings);
  int i = 0;
  lua_createtable(L, (int)r->list.kept, 0);
  for (const hx_diag *d = r->list.first; d; d = d->next) {
    lua_createtable(L, 0, 5);
    lua_createtable(L, 0, 2);
    set_lsp_place(L, "start", editor_place_of(unit_of(r, (uint32_t)i), d, d->subject.start, enc));
    set_lsp_place(L, "end", editor_place_of(unit_of(r, (uint32_t)i), d, d->subject.stop, enc));
    lua_setfield(L, -2, "range");
    set_message(L, d);
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

static int l_vim(lua_State *L) {
  const report *r = check_report(L, 1);
  int i = 0;
  lua_createtable(L, (int)r->list.kept, 0);
  for (const hx_diag *d = r->list.first; d; d = d->next) {
    hx_unit *unit = unit_of(r, (uint32_t)i);
    editor_place start = editor_place_of(unit, d, d->subject.start, UTF8), stop = editor_place_of(unit, d, d->subject.stop, UTF8);
    lua_createtable(L, 0, 8);
    set_integer(L, "lnum", start.line);
    set_integer(L, "col", start.character);
    set_integer(L, "end_lnum", stop.line);
    set_integer(L, "end_col", stop.character);
    set_message(L, d);
    lua_rawseti(L, -2, ++i);
  }
  return 1;
}

static int l_gc(lua_State *L) {
  report *r = to_report(L, 1);
  if (!r) return 0;
  for (uint32_t i = 0; r->units && i < r->list.kept; i++) hx_unit_release(L, r->units[i]);
  hx_unit_release(L, r->unit);
  *r = (report){ 0 };
  return 0;
}

static const luaL_Reg report_methods[] = { { "__gc", l_gc }, { NULL, NULL } };
static const luaL_Reg diagnostic_methods[] = { { "__index", l_diagnostic_index }, { "__pairs", l_pairs }, { NULL, NULL } };
static const luaL_Reg methods[] = {
  { "__pairs", l_array_pairs },
  { "__tostring", l_tostring },
  { "__concat", l_concat },
  { "lsp", l_lsp },
  { "vim", l_vim },
  { "report", l_report },
  { NULL, NULL },
};
static const luaL_Reg answers[] = {
  { "__index", l_array_index },
  { "__newindex", l_array_newindex },
  { "__len", l_array_len },
  { "__ipairs", l_array_ipairs },
  { NULL, NULL },
};
static const luaL_Reg functions[] = { { "join_diagnostics", l_join }, { NULL, NULL } };

void hx_open_diagnostics(lua_State *L) {
  hx_register(L, HX_CLASS_KEEPER, report_methods, NULL);
  hx_register(L, HX_CLASS_DIAGNOSTIC, diagnostic_methods, NULL);
  hx_register(L, HX_CLASS_DIAGNOSTICS, methods, functions);
  if (hx_lua_arrays_answer) hx_register(L, HX_CLASS_DIAGNOSTICS, answers, NULL);
}
