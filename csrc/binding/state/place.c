/* place.c: computes positions in the activity that owns the source. */
#include "binding/state/place.h"

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

void hx_place_run(hx_unit *unit, void (*fn)(hx_cx *cx, void *ud), void *job) {
  if (unit && hx_guard_run(&hx_unit_root(unit)->program.cx, fn, job) == HX_WHY_NONE) return;
  fn(NULL, job); /* without a unit, or without memory for its table of places, fn counts lines */
}

void hx_place_find(hx_unit *unit, const hx_source *source, hx_range range, hx_pos *start, hx_pos *stop) {
  place_job job = { (hx_source *)source, range, { 0, 0, 0 }, { 0, 0, 0 } };
  hx_place_run(unit, run_place, &job);
  *start = job.start;
  *stop = job.stop;
}

static void push_pos(lua_State *L, const char *name, hx_pos pos) {
  lua_createtable(L, 0, 3);
  hx_set_int(L, "line", pos.line);
  hx_set_int(L, "column", pos.column);
  hx_set_int(L, "byte", pos.byte);
  lua_setfield(L, -2, name);
}

void hx_range_push(lua_State *L, hx_unit *unit, const hx_source *source, hx_range range) {
  hx_pos start, stop;
  luaL_checkstack(L, 6, NULL);
  hx_place_find(unit, source, range, &start, &stop);
  lua_createtable(L, 0, 3);
  hx_str name = hx_source_name(source, range.start);
  if (name.len) hx_set_str(L, "filename", name);
  push_pos(L, "start", start);
  push_pos(L, "stop", stop);
}

void hx_set_range(lua_State *L, const char *name, hx_unit *unit, hx_range range) {
  hx_range_push(L, unit, unit->program.source, range);
  lua_setfield(L, -2, name);
}
