/* listing.c: copies and joins listings. */
#include "binding/data/listing.h"
#include "binding/state/openers.h"

#include "text/report.h"

/* Sources of up to this many bytes are copied. */
#define SHORT_SOURCE 1024u

/* Copies are measured first, and then written into one block. */

static size_t round_up(size_t n) {
  return (n + 15) & ~(size_t)15;
}

static size_t size_of(const hx_diag *d) {
  size_t n = round_up(sizeof *d) + round_up(d->detail.len) + round_up(d->summary.len) + round_up(d->chain.len) +
             round_up(d->name.len) + round_up(d->reason.len);
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

/* Copies a source to *at. No activity owns the copy, so its lines are counted whenever a place is asked for. */
static hx_source *copy_source(char **at, const hx_source *from) {
  hx_source *s = copy_bytes(at, from, sizeof *s);
  s->text = copy_str(at, from->text);
  s->name = copy_str(at, from->name);
  s->places = (hx_places){ NULL, 0 };
  s->owner = NULL;
  return s;
}

/* Copies a diagnostic to *at, and adds the copy to the list. source: the source of the copy. */
static void copy_diag(char **at, const hx_diag *from, const hx_source *source, hx_diags *list) {
  hx_diag *d = copy_bytes(at, from, sizeof *from);
  hx_diag_value **end = &d->values;
  d->source = from->source ? source : NULL;
  d->detail = copy_str(at, from->detail);
  d->summary = copy_str(at, from->summary);
  d->name = copy_str(at, from->name);
  d->reason = copy_str(at, from->reason);
  d->chain = copy_str(at, from->chain);
  *end = NULL;
  for (const hx_diag_value *v = from->values; v; v = v->next, end = &(*end)->next) {
    *end = copy_bytes(at, v, sizeof *v);
    **end = (hx_diag_value){ copy_str(at, v->path), copy_str(at, v->text), NULL };
  }
  hx_diags_append(list, d);
}

/* Returns true if the place of a diagnostic is in another source than the unit's. Such a source was made for the diagnostic
** (hx_source_plain), and is copied with it. */
static bool is_elsewhere(const hx_unit *unit, const hx_diag *d) {
  return d->source && unit && d->source != unit->program.source;
}

/* Making */

/* Pushes a listing with `size` bytes after it. Only listings that keep units need a finalizer, so they have their own class. */
static hx_listing *new_listing(lua_State *L, hx_class c, hx_unit *unit, size_t size) {
  hx_listing *r = hx_lua_newuserdata(L, round_up(sizeof *r) + size);
  *r = (hx_listing){ unit ? hx_unit_retain(unit) : NULL, NULL, { 0 } };
  hx_set_class(L, -1, c);
  return r;
}

hx_listing *hx_to_listing(lua_State *L, int at) {
  hx_listing *r = hx_to_class(L, at, HX_CLASS_LISTING);
  return r ? r : hx_to_class(L, at, HX_CLASS_KEEPER);
}

const hx_listing *hx_listing_push(lua_State *L, const hx_cx *cx, hx_unit *unit) {
  const hx_diags *from = &cx->diags;
  const hx_source *source = unit ? unit->program.source : NULL;
  bool copied = source && !source->npieces && !source->nsections && source->text.len + source->name.len <= SHORT_SOURCE;
  size_t size = copied ? size_of_source(source) : 0;
  hx_listing *r;
  char *at;
  for (const hx_diag *d = from->first; d; d = d->next) size += size_of(d) + (is_elsewhere(unit, d) ? size_of_source(d->source) : 0);
  r = copied || !unit ? new_listing(L, HX_CLASS_LISTING, NULL, size) : new_listing(L, HX_CLASS_KEEPER, unit, size);
  at = (char *)r + round_up(sizeof *r);
  if (copied) source = copy_source(&at, source);
  for (const hx_diag *d = from->first; d; d = d->next)
    copy_diag(&at, d, is_elsewhere(unit, d) ? copy_source(&at, d->source) : source, &r->list);
  r->list.dropped = from->dropped;
  r->list.errors = from->errors;
  return r;
}

const hx_listing *hx_listing_push_own(lua_State *L, hx_unit *unit) {
  hx_listing *r = new_listing(L, HX_CLASS_KEEPER, unit, 0);
  r->list = unit->program.cx.diags;
  return r;
}

/* Joining: the diagnostics of several calls become one listing, without duplicates. They are chosen first, which shows how much room their
** copies take. */

typedef struct choice {
  const hx_diag *diag;
  hx_unit *unit;   /* the unit into whose source the diagnostic points; NULL: a copy */
  bool new_source; /* its source is copied, and isn't the source of the previous choice */
} choice;

typedef struct choices {
  choice all[HX_DIAGS_MAX];
  uint32_t n, dropped, errors; /* errors: number of dropped errors */
  size_t size;
  hx_str chain; /* the text to be added after each diagnostic's own chain */
} choices;

static bool is_chosen(const choices *c, const hx_diag *d) {
  for (uint32_t i = 0; i < c->n; i++)
    if (hx_report_same(c->all[i].diag, d)) return true;
  return false;
}

/* Returns the room for a chain with the text `more` after it, or 0 if the text is empty, because the chain then stays as it is. */
static size_t size_of_chain(const hx_diag *d, hx_str more) {
  return more.len ? round_up(d->chain.len + more.len) : 0;
}

static void add_chain(hx_diag *d, hx_str more, char **at) {
  char *to = *at;
  if (!more.len) return;
  if (d->chain.len) memcpy(to, d->chain.p, d->chain.len);
  memcpy(to + d->chain.len, more.p, more.len);
  *at += size_of_chain(d, more);
  d->chain = hx_str_of(to, d->chain.len + more.len);
}

static void choose(choices *c, const hx_listing *from) {
  const hx_source *last = NULL;
  uint32_t i = 0;
  for (const hx_diag *d = from->list.first; d; d = d->next, i++) {
    hx_unit *unit = hx_listing_unit(from, i);
    if (is_chosen(c, d)) continue;
    if (c->n == HX_DIAGS_MAX) {
      c->dropped++;
      if (hx_diag_severity(d) == HX_ERROR) c->errors++;
      continue;
    }
    bool new_source = d->source && d->source != last && (!unit || is_elsewhere(unit, d));
    last = d->source;
    c->all[c->n++] = (choice){ d, unit, new_source };
    c->size += size_of(d) + size_of_chain(d, c->chain) + (new_source ? size_of_source(d->source) : 0);
  }
  c->dropped += from->list.dropped;
  c->errors += from->list.dropped;
}

const hx_listing *hx_listing_push_joined(lua_State *L, int n, hx_joined more, const hx_listing *(*part)(lua_State *L, int i)) {
  choices c = { .n = 0, .chain = more.chain };
  const hx_source *source = NULL;
  for (int i = 1; i <= n; i++) choose(&c, part(L, i));
  size_t units = round_up(c.n * sizeof(hx_unit *));
  hx_listing *r = new_listing(L, HX_CLASS_KEEPER, NULL, units + c.size);
  char *at = (char *)r + round_up(sizeof *r);
  r->units = (hx_unit **)(void *)at;
  at += units;
  for (uint32_t i = 0; i < c.n; i++) {
    const choice *one = &c.all[i];
    r->units[i] = one->unit ? hx_unit_retain(one->unit) : NULL;
    if (!r->unit && one->unit) r->unit = hx_unit_retain(one->unit);
    if (one->new_source) source = copy_source(&at, one->diag->source);
    copy_diag(&at, one->diag, one->unit && !is_elsewhere(one->unit, one->diag) ? one->diag->source : source, &r->list);
    r->list.last->wide |= more.wide;
    add_chain(r->list.last, more.chain, &at);
  }
  r->list.dropped += c.dropped;
  r->list.errors += c.errors;
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
