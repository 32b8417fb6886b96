/* listing.c: copying, remembering and joining listings. */
#include "binding/listing.h"

#include "binding/value.h"
#include "text/source.h"

/* Sources of up to this many bytes are copied. */
#define SHORT_SOURCE 1024u

/* Copies: first measured, then written into one block. */

static size_t round_up(size_t n) {
  return (n + 15) & ~(size_t)15;
}

static size_t size_of_str(hx_str s) {
  return hx_is_draft(s) ? 0 : round_up(s.len);
}

static size_t size_of(const hx_diag *d) {
  size_t n = round_up(sizeof *d) + size_of_str(d->detail) + size_of_str(d->summary) + size_of_str(d->chain);
  for (const hx_diag_value *v = d->values; v; v = v->next) n += round_up(sizeof *v) + size_of_str(v->path) + size_of_str(v->text);
  return n;
}

static void *copy_bytes(char **at, const void *from, size_t n) {
  void *to = *at;
  if (n) memcpy(to, from, n);
  *at += round_up(n);
  return to;
}

static hx_str copy_str(char **at, hx_str s) {
  return hx_is_draft(s) ? s : hx_str_of(copy_bytes(at, s.p, s.len), s.len);
}

/* Appends the parts of drafts to those of r, which is in a block with room for them. */
static void copy_drafts(hx_listing *r, const char *from, uint32_t n) {
  if (n) memcpy((char *)(uintptr_t)r->drafts.p + r->drafts.len, from, n);
  r->drafts.len += n;
}

static size_t size_of_source(const hx_source *s) {
  return round_up(sizeof *s) + round_up(s->text.len) + round_up(s->name.len);
}

/* No activity owns the copy, so its lines are counted each time they are asked for. */
static hx_source *copy_source(char **at, const hx_source *from) {
  hx_source *s = copy_bytes(at, from, sizeof *s);
  s->text = copy_str(at, from->text);
  s->name = copy_str(at, from->name);
  s->places = (hx_places){ NULL, 0 };
  s->owner = NULL;
  return s;
}

/* source: of the copies. drafts: number of bytes before those of the copied drafts. */
static void copy_diag(char **at, const hx_diag *from, const hx_source *source, uint32_t drafts, hx_diags *list) {
  hx_diag *d = copy_bytes(at, from, sizeof *from);
  hx_diag_value **end = &d->values;
  d->source = from->source ? source : NULL;
  d->detail = hx_draft_moved(copy_str(at, from->detail), drafts);
  d->summary = hx_draft_moved(copy_str(at, from->summary), drafts);
  d->chain = hx_draft_moved(copy_str(at, from->chain), drafts);
  *end = NULL;
  for (const hx_diag_value *v = from->values; v; v = v->next, end = &(*end)->next) {
    *end = copy_bytes(at, v, sizeof *v);
    **end = (hx_diag_value){ hx_draft_moved(copy_str(at, v->path), drafts), hx_draft_moved(copy_str(at, v->text), drafts), NULL };
  }
  hx_diags_append(list, d);
}

/* Is the place of a diagnostic in a source other than the unit's? That is one made for it (hx_source_plain), to be copied with it. */
static bool is_elsewhere(const hx_unit *unit, const hx_diag *d) {
  return d->source && unit && d->source != unit->program.source;
}

static bool any_elsewhere(const hx_cx *cx, const hx_unit *unit) {
  for (const hx_diag *d = cx->diags.first; d; d = d->next)
    if (is_elsewhere(unit, d)) return true;
  return false;
}

/* Making */

/* A listing that keeps units has a class of its own; one that keeps none needs no finalizer. */
static hx_listing *new_listing(lua_State *L, hx_class c, hx_unit *unit, size_t size) {
  hx_listing *r = hx_lua_newuserdata(L, round_up(sizeof *r) + size);
  *r = (hx_listing){ unit ? hx_unit_retain(unit) : NULL, NULL, { 0 }, { NULL, 0 } };
  hx_set_class(L, -1, c);
  return r;
}

hx_listing *hx_to_listing(lua_State *L, int at) {
  hx_listing *r = hx_to_class(L, at, HX_CLASS_LISTING);
  return r ? r : hx_to_class(L, at, HX_CLASS_KEEPER);
}

/* Pushes the userdata with copies of all diagnostics, and of the source if it is short. */
static hx_listing *push_copies(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  const hx_diags *from = &cx->diags;
  const hx_source *source = unit ? unit->program.source : NULL;
  bool copied = source && !source->npieces && !source->nsections && source->text.len + source->name.len <= SHORT_SOURCE;
  size_t size = (copied ? size_of_source(source) : 0) + (cx->drafts ? round_up(cx->drafts->n) : 0);
  hx_listing *r;
  char *at;
  for (const hx_diag *d = from->first; d; d = d->next) size += size_of(d) + (is_elsewhere(unit, d) ? size_of_source(d->source) : 0);
  r = copied || !unit ? new_listing(L, HX_CLASS_LISTING, NULL, size) : new_listing(L, HX_CLASS_KEEPER, unit, size);
  at = (char *)r + round_up(sizeof *r);
  if (copied) source = copy_source(&at, source);
  for (const hx_diag *d = from->first; d; d = d->next)
    copy_diag(&at, d, is_elsewhere(unit, d) ? copy_source(&at, d->source) : source, 0, &r->list);
  r->drafts.p = at;
  if (cx->drafts) copy_drafts(r, cx->drafts->p, cx->drafts->n);
  r->list.dropped = from->dropped;
  r->list.errors = from->errors;
  return r;
}

/* Reading */

typedef struct read_job {
  const hx_listing *r;
  const hx_diags *list;
} read_job;

static hx_diag *write_texts(hx_cx *cx, const hx_diag *from) {
  hx_diag *d = HX_NEW(cx, hx_diag);
  *d = *from;
  d->detail = hx_draft_write(cx, from->detail);
  d->summary = hx_draft_write(cx, from->summary);
  d->chain = hx_draft_write(cx, from->chain);
  d->values = NULL;
  for (const hx_diag_value *v = from->values; v; v = v->next)
    hx_diag_add_value(cx, d, hx_draft_write(cx, v->path), hx_draft_write(cx, v->text));
  return d;
}

static void run_read(hx_cx *cx, void *ud) {
  read_job *job = ud;
  hx_diags *list = HX_NEW(cx, hx_diags);
  hx_drafts kept = { .p = (char *)(uintptr_t)job->r->drafts.p, .n = job->r->drafts.len }; /* only read */
  cx->drafts = &kept;
  *list = (hx_diags){ 0 };
  for (const hx_diag *d = job->r->list.first; d; d = d->next) hx_diags_append(list, write_texts(cx, d));
  list->dropped = job->r->list.dropped;
  list->errors = job->r->list.errors;
  cx->drafts = NULL;
  job->list = list;
}

const hx_diags *hx_listing_read(lua_State *L, const hx_listing *r) {
  read_job job = { r, &r->list };
  if (r->drafts.len) hx_home_must(L, hx_work_push(L), run_read, &job);
  else lua_pushnil(L);
  return job.list;
}

/* Remembering. An expression that fails mostly fails the same way again; then its listing, which is immutable, is used again. */

static bool same_range(hx_range a, hx_range b) {
  return a.start == b.start && a.stop == b.stop;
}

/* An empty text has no bytes to compare. Drafts are equal if they are at the same place: their parts are compared as a whole. */
static bool same_text(hx_str a, hx_str b) {
  return a.len == b.len && (hx_is_draft(a) ? a.p == b.p : !a.len || hx_str_eq(a, b));
}

static bool same_values(const hx_diag_value *a, const hx_diag_value *b) {
  for (; a && b; a = a->next, b = b->next)
    if (!same_text(a->path, b->path) || !same_text(a->text, b->text)) return false;
  return a == b;
}

/* unread: texts are not compared. */
static bool same_diag(const hx_diag *a, const hx_diag *b, bool unread) {
  if (a->id != b->id || a->has_range != b->has_range) return false;
  if (!same_range(a->subject, b->subject) || !same_range(a->context, b->context)) return false;
  return unread || (same_text(a->detail, b->detail) && same_text(a->summary, b->summary) && same_text(a->chain, b->chain) &&
                    same_values(a->values, b->values));
}

static bool same_drafts(const hx_drafts *a, hx_str b) {
  return a ? a->n == b.len && (!b.len || memcmp(a->p, b.p, b.len) == 0) : !b.len;
}

/* Does the activity list the same as r? If its diagnostics are unread, it may have ended with the first of them. */
static bool lists(const hx_cx *cx, const hx_listing *r) {
  const hx_diags *list = &cx->diags, *last = &r->list;
  const hx_diag *x = list->first, *y = last->first;
  if (cx->unread ? list->kept > last->kept
                 : list->kept != last->kept || list->errors != last->errors || list->dropped != last->dropped)
    return false;
  if (!cx->unread && !same_drafts(cx->drafts, r->drafts)) return false;
  while (x && same_diag(x, y, cx->unread)) x = x->next, y = y->next;
  return !x;
}

int hx_listing_find(const hx_state *st, const hx_unit *unit, const hx_cx *cx) {
  uint32_t slot = hx_reported_at(unit);
  const hx_reported *last = &st->reported[slot];
  return last->unit == unit && lists(cx, last->listing) && !any_elsewhere(cx, unit) ? (int)slot : -1;
}

void hx_listing_expect(hx_state *st, hx_unit *unit, uint64_t serial, uint8_t mode) {
  hx_reported *last = &st->reported[hx_reported_at(unit)];
  if (last->unit != unit || last->listing->list.first->id == HX_D_NO_MEMORY) return;
  last->serial = serial;
  last->mode = mode;
  unit->fails = true;
}

static void remember(lua_State *L, hx_unit *unit, const hx_listing *r) {
  hx_state *st = hx_state_get(L);
  uint32_t slot = hx_reported_at(unit);
  st->reported[slot].unit = NULL;
  lua_pushvalue(L, -1);
  lua_rawseti(L, HX_UP_STORE, HX_SLOT_LISTINGS + (int)slot);
  st->reported[slot] = (hx_reported){ .unit = unit, .listing = r };
  st->reports++;
}

const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  const hx_listing *r = push_copies(L, cx, unit);
  if (unit && !r->unit && !any_elsewhere(cx, unit)) remember(L, unit, r);
  return r;
}

const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit) {
  hx_listing *r = new_listing(L, HX_CLASS_KEEPER, unit, 0);
  r->list = unit->program.cx.diags;
  return r;
}

/* Joining: the diagnostics of several calls become one listing. */

/* Is the source of diagnostic i a copy, and not that of the diagnostic before? */
static bool has_new_copy(const hx_listing *from, uint32_t i, const hx_diag *d, const hx_source *last) {
  const hx_unit *unit = hx_listing_unit(from, i);
  return d->source && d->source != last && (!unit || is_elsewhere(unit, d));
}

/* The room for the first diagnostics of a part, *left of them at most. */
static size_t size_of_part(const hx_listing *from, uint32_t *left) {
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

static void join_part(hx_listing *to, const hx_listing *from, bool wide, char **at) {
  const hx_source *last = NULL, *source = NULL;
  uint32_t i = 0;
  for (const hx_diag *d = from->list.first; d; d = d->next, i++) {
    hx_unit *unit = hx_listing_unit(from, i);
    if (to->list.kept == HX_DIAGS_MAX) {
      to->list.dropped++;
      if (hx_diag_severity(d) == HX_ERROR) to->list.errors++;
      continue;
    }
    to->units[to->list.kept] = unit ? hx_unit_retain(unit) : NULL;
    if (!to->unit && unit) to->unit = hx_unit_retain(unit);
    if (has_new_copy(from, i, d, last)) source = copy_source(at, d->source);
    last = d->source;
    copy_diag(at, d, unit && !is_elsewhere(unit, d) ? d->source : source, to->drafts.len, &to->list);
    to->list.last->wide |= wide;
  }
  copy_drafts(to, from->drafts.p, from->drafts.len);
  to->list.dropped += from->list.dropped;
  to->list.errors += from->list.dropped;
}

const hx_listing *hx_listing_push_joined(lua_State *L, int n, bool wide, const hx_listing *(*part)(lua_State *L, int i)) {
  size_t size = 0, drafts = 0;
  uint32_t left = HX_DIAGS_MAX, kept;
  hx_listing *r;
  char *at;
  for (int i = 1; i <= n; i++) {
    const hx_listing *from = part(L, i);
    drafts += from->drafts.len;
    size += size_of_part(from, &left);
  }
  kept = HX_DIAGS_MAX - left;
  r = new_listing(L, HX_CLASS_KEEPER, NULL, round_up(kept * sizeof(hx_unit *)) + round_up(drafts) + size);
  r->units = (hx_unit **)(void *)((char *)r + round_up(sizeof *r));
  memset(r->units, 0, kept * sizeof(hx_unit *));
  r->drafts.p = (char *)r->units + round_up(kept * sizeof(hx_unit *));
  at = (char *)r->units + round_up(kept * sizeof(hx_unit *)) + round_up(drafts);
  for (int i = 1; i <= n; i++) join_part(r, part(L, i), wide, &at);
  return r;
}

static int l_gc(lua_State *L) {
  hx_listing *r = hx_to_listing(L, 1);
  if (!r) return 0;
  for (uint32_t i = 0; r->units && i < r->list.kept; i++) hx_unit_release(L, r->units[i]);
  hx_unit_release(L, r->unit);
  hx_lua_unset_class(L, 1);
  return 0;
}

static const luaL_Reg methods[] = { { "__gc", l_gc }, { NULL, NULL } };

void hx_open_listing(lua_State *L) {
  hx_register(L, HX_CLASS_KEEPER, methods, NULL);
}
