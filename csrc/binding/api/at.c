/* at.c: body:at: the node at a byte. A loop follows the tree from the body down to the innermost node that contains the byte, and
** makes a table for each node on the way. The parent of a table is the table of the enclosing node. The loop doesn't recurse,
** because a tree may be deep.
** Memory: Lua's.
** Errors: misuse raises. */
#include "binding/state/openers.h"

#include "base/ascii.h"
#include "binding/api/ast.h"
#include "binding/objects/body.h"
#include "binding/objects/uses.h"
#include "binding/data/value.h"
#include "syntax/scanner.h"
#include "vm/ops.h"
#include "vm/references.h"

typedef struct search {
  lua_State *L;
  const hx_source *src;
  hx_home *work;
  uint32_t at;
  uint32_t fresh; /* an offset before `at` where no quote or comment is open: tokens can be read from there */
} search;

/* Stack indexes: WORK: the userdata that owns the home; PLACE: the innermost table so far. New tables are filled in above them. */
enum { WORK = 3, PLACE };

/* --- Tables --- */

/* Sets the offsets of a place. `start` and `stop` are the names from before 1.0. */
static void set_bytes(lua_State *L, hx_range r) {
  hx_set_int(L, "start_byte", r.start);
  hx_set_int(L, "stop_byte", r.stop);
  hx_set_int(L, "start", r.start);
  hx_set_int(L, "stop", r.stop);
}

static void push_span(lua_State *L, hx_str text, hx_range r) {
  lua_createtable(L, 0, 6);
  hx_set_str(L, "text", text);
  set_bytes(L, r);
}

/* Pushes a table for a new innermost place, which the caller fills in, and copies it to PLACE. Its parent is the previous place. */
static void enter(search *s, const char *kind, hx_range r) {
  lua_State *L = s->L;
  lua_settop(L, PLACE);
  lua_createtable(L, 0, 10);
  hx_set_word(L, "kind", kind);
  set_bytes(L, r);
  if (!lua_isnil(L, PLACE)) {
    lua_pushvalue(L, PLACE);
    lua_setfield(L, -2, "parent");
  }
  lua_pushvalue(L, -1);
  lua_replace(L, PLACE);
}

static void set_role(lua_State *L, const char *role, uint32_t index) {
  hx_set_word(L, "role", role);
  if (index) hx_set_int(L, "index", index);
}

/* --- Choice among nodes --- */

/* Returns true if the byte may begin a word, a number or a quoted text. Then a byte between two nodes belongs to the later one. */
static bool begins_word(const search *s) {
  if (s->at >= s->src->text.len) return false;
  unsigned char c = (unsigned char)s->src->text.p[s->at];
  return hx_is_alnum((char)c) || c == '_' || c == '"' || c >= 0x80;
}

static bool is_blank(const search *s, uint32_t from, uint32_t to) {
  for (; from < to; from++) {
    char c = s->src->text.p[from];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return true;
}

/* Returns true if only spaces are between the offsets, on one line. */
static bool is_gap(const search *s, uint32_t from, uint32_t to) {
  return is_blank(s, from, to) && !memchr(s->src->text.p + from, '\n', to - from);
}

static bool has(const search *s, uint32_t start, uint32_t stop) {
  return start <= s->at && s->at <= stop;
}

/* Returns true if the node from start to stop is the node at the byte. If another one was found before, this one must also begin at
** the byte, with a word. */
static bool wins(const search *s, bool found, uint32_t start, uint32_t stop) {
  if (!has(s, start, stop)) return false;
  return !found || (start == s->at && begins_word(s));
}

/* Returns true if a broken part is empty. Then its parent is the innermost place. */
static bool is_nothing(const search *s, const hx_node *n) {
  return n->kind == HX_AST_BROKEN && !n->u.kids.first && is_blank(s, n->start, n->stop);
}

/* --- Tokens in the gaps --- */

typedef struct gap_job {
  const search *s;
  uint32_t from, commas, start, stop;
  bool comment;
} gap_job;

/* Counts the commas from job->from to the byte, and finds the comment that contains the byte. */
static void run_gap(hx_cx *cx, void *ud) {
  gap_job *job = ud;
  const hx_source *src = job->s->src;
  uint32_t at = job->s->at;
  hx_scanner scan;
  hx_scan_init(&scan, &cx->scratch, src->text.p, job->from, src->text.len, HX_SCAN_MAIN);
  for (hx_token t = hx_scan_next(&scan); t.kind != HX_TOK_END && t.start < at; t = hx_scan_next(&scan)) {
    if (t.kind == HX_TOK_COMMA) job->commas++;
    /* A comment's token includes the newline; the byte after the newline isn't in the comment. */
    uint32_t stop = t.stop > t.start && src->text.p[t.stop - 1] == '\n' ? t.stop - 1 : t.stop;
    if (t.kind != HX_TOK_COMMENT || stop < at) continue;
    if (stop == at && src->text.p[stop - 1] == '/' && src->text.p[t.start + 1] == '*') continue;
    job->comment = true;
    job->start = t.start;
    job->stop = stop;
  }
}

static gap_job look_into_gap(search *s, uint32_t from) {
  gap_job job = { .s = s, .from = from };
  hx_home_must(s->L, s->work, run_gap, &job);
  return job;
}

/* --- Steps and names --- */

static void set_steps(search *s, const hx_node *n) {
  lua_State *L = s->L;
  const hx_step *steps = n->u.trav.steps;
  if (n->kind == HX_AST_TRAVERSAL) hx_set_str(L, "root", hx_str_of(steps[0].text, steps[0].len));
  lua_createtable(L, (int)n->count, 0);
  for (uint32_t i = 0; i < n->count; i++) {
    push_span(L, hx_str_of(steps[i].text, steps[i].len), hx_range_of(steps[i].start, steps[i].stop));
    hx_set_word(L, "step", hx_step_word(&steps[i]));
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "steps");
}

static void enter_step(search *s, const char *word, hx_str text, hx_range r, uint32_t index) {
  enter(s, "step", r);
  hx_set_word(s->L, "step", word);
  hx_set_str(s->L, "text", text);
  hx_set_int(s->L, "index", index);
}

/* Enters the step at the byte, if there is one. */
static void find_step(search *s, const hx_node *n) {
  uint32_t hit = n->count;
  for (uint32_t i = 0; i < n->count; i++)
    if (wins(s, hit < n->count, n->u.trav.steps[i].start, n->u.trav.steps[i].stop)) hit = i;
  if (hit == n->count) return;
  const hx_step *step = &n->u.trav.steps[hit];
  enter_step(s, hx_step_word(step), hx_str_of(step->text, step->len), hx_range_of(step->start, step->stop), hit + 1);
}

/* Returns true if the node is an expression with a dot after it, and the next step isn't written yet. */
static bool is_half(const search *s, const hx_node *n) {
  const hx_node *part = n->kind == HX_AST_BROKEN ? n->u.kids.first : NULL;
  if (!part || part->next || n->stop <= part->stop || !is_blank(s, part->stop, n->stop - 1)) return false;
  return n->start == part->start && s->src->text.p[n->stop - 1] == '.';
}

static void set_name(lua_State *L, const char *field, hx_str name, hx_range r) {
  if (!name.len) return;
  push_span(L, name, r);
  lua_setfield(L, -2, field);
}

static bool find_name(search *s, hx_str name, hx_range r, const char *role) {
  if (!name.len || !has(s, r.start, r.stop)) return false;
  enter(s, "name", r);
  set_role(s->L, role, 0);
  hx_set_str(s->L, "text", name);
  return true;
}

/* --- Expressions --- */

static void set_call_name(search *s, const hx_node *n, const char *field) {
  hx_set_str(s->L, field, hx_call_name_in(s->L, s->work, s->src, n));
}

/* Returns the number of the argument at the byte, from 1. Commas count from the last argument before the byte on. */
static uint32_t argument_at(search *s, const hx_node *n) {
  uint32_t i = 1, from = n->u.call.open;
  for (const hx_node *arg = n->u.call.first; arg; arg = arg->next, i++) {
    if (is_nothing(s, arg) || s->at < arg->start) break;
    if (s->at <= arg->stop) return i;
    from = arg->stop;
  }
  return (i > 1 ? i - 1 : 1) + look_into_gap(s, from).commas;
}

static void set_call(search *s, const hx_node *n) {
  uint32_t count = 0;
  for (const hx_node *arg = n->u.call.first; arg; arg = arg->next) count += !is_nothing(s, arg);
  set_call_name(s, n, "name");
  hx_set_int(s->L, "arguments", count);
  bool closed =
      n->stop > n->u.call.open + 1 && n->u.call.close_start + 1 == n->stop && s->src->text.p[n->u.call.close_start] == ')';
  if (s->at > n->u.call.open && (!closed || s->at < n->stop)) hx_set_int(s->L, "argument", argument_at(s, n));
}

/* Sets the field to the text of a key, if the key is constant. */
static void set_key(lua_State *L, const hx_node *key, const char *field) {
  const hx_node *inner = key->kind == HX_AST_KEY ? key->u.kids.first : NULL;
  if (!inner || key->flags & HX_AST_FORCED) return;
  hx_str word = hx_node_word(inner);
  if (inner->kind == HX_AST_STRING || inner->kind == HX_AST_NUMBER) word = hx_node_text(inner);
  if (word.len) hx_set_str(L, field, word);
}

/* Adds the fields of an expression to its place, on top of the stack. */
static void describe(search *s, const hx_node *n) {
  lua_State *L = s->L;
  switch (n->kind) {
    case HX_AST_TRAVERSAL:
    case HX_AST_RELATIVE: set_steps(s, n); break;
    case HX_AST_CALL: set_call(s, n); break;
    case HX_AST_KEY: set_key(L, n, "text"); break;
    case HX_AST_FOR:
      set_name(L, "key_name", n->u.loop.names->key, n->u.loop.names->key_range);
      set_name(L, "value_name", n->u.loop.names->value, n->u.loop.names->value_range);
      break;
    case HX_AST_BINARY:
    case HX_AST_UNARY: hx_set_word(L, "operator", hx_op_symbol((hx_op)n->op)); break;
    default: break;
  }
  if (n->flags & HX_AST_HEREDOC && (n->kind == HX_AST_TEMPLATE || n->kind == HX_AST_STRING || n->kind == HX_AST_WRAP)) {
    hx_set_bool(L, "heredoc", true);
  }
}

/* Returns the role of child i in n. *index: the child's number among those of its role, or 0 if the role has one child. */
static const char *role_of(const hx_node *n, uint32_t i, uint32_t *index) {
  *index = i + 1;
  switch (n->kind) {
    case HX_AST_CALL: return "argument";
    case HX_AST_TUPLE: return "element";
    case HX_AST_TEMPLATE:
    case HX_AST_BROKEN: return "part";
    case HX_AST_OBJECT: *index = i / 2 + 1; return i % 2 ? "value" : "key";
    default: *index = 0; return hx_ast_child_name(n, i);
  }
}

/* Returns the child of n at the byte, or NULL. Sets *number to the child's number, from 0, and *key to the child before it, which
** is the key of an object's value. */
static const hx_node *child_at(search *s, const hx_node *n, uint32_t *number, const hx_node **key) {
  const hx_node *hit = NULL, *before = NULL;
  uint32_t i = 0;
  for (const hx_node *kid = hx_node_first(n); kid; before = kid, kid = kid->next, i++) {
    if (kid->start > s->at || kid->start < n->start) break; /* the marker of x.*.y is before the steps that n has */
    if (is_nothing(s, kid) || !wins(s, hit != NULL, kid->start, kid->stop)) {
      if (kid->stop <= s->at && n->kind != HX_AST_RELATIVE && kid->stop > s->fresh) s->fresh = kid->stop;
    } else {
      hit = kid;
      *number = i;
      *key = before;
    }
    if (n->kind == HX_AST_RELATIVE) break; /* the source of a RELATIVE is its only child */
  }
  return hit;
}

/* Searches from an expression downwards, and enters its place first. */
static void search_expression(search *s, const hx_node *n, const char *role, uint32_t index, const hx_node *key) {
  for (;;) {
    if (n->kind == HX_AST_WITHIN) n = n->u.made.first;
    hx_range all = hx_node_range(n);
    bool half = is_half(s, n);
    if (half) n = n->u.kids.first;
    bool first = half && n->kind != HX_AST_TRAVERSAL && n->kind != HX_AST_RELATIVE; /* only the dot of the first step exists */
    enter(s, hx_ast_kind_name(first ? HX_AST_RELATIVE : (hx_ast_kind)n->kind), all);
    if (role) set_role(s->L, role, index);
    if (key) set_key(s->L, key, "key");
    if (first) {
      lua_newtable(s->L);
      lua_setfield(s->L, -2, "steps");
    } else {
      describe(s, n);
    }
    if (n->kind == HX_AST_CALL && has(s, n->start, n->u.call.name_stop)) {
      enter(s, "function", hx_range_of(n->start, n->u.call.name_stop));
      set_call_name(s, n, "text");
      return;
    }
    if (n->kind == HX_AST_FOR) {
      const hx_loop *loop = n->u.loop.names;
      bool found = find_name(s, loop->key, loop->key_range, "key") || find_name(s, loop->value, loop->value_range, "value");
      if (found) return;
    }
    if (half && s->at >= all.stop) {
      enter_step(s, "attr", HX_STR(""), hx_range_of(all.stop - 1, all.stop), first ? 1 : n->count + 1);
      return;
    }
    if (first && s->at > n->stop) return;
    if (first) {
      role = "source";
      index = 0;
      key = NULL;
      continue;
    }
    uint32_t i = 0;
    const hx_node *before = NULL, *kid = child_at(s, n, &i, &before);
    if (!kid) {
      if (n->kind == HX_AST_TRAVERSAL || n->kind == HX_AST_RELATIVE) find_step(s, n);
      return;
    }
    role = role_of(n, i, &index);
    key = n->kind == HX_AST_OBJECT && i % 2 ? before : NULL;
    n = kid;
  }
}

/* --- Bodies --- */

static bool is_brace(const search *s, hx_range r, char brace) {
  return r.stop == r.start + 1 && s->src->text.p[r.start] == brace;
}

static void set_labels(search *s, const hx_node *n) {
  hx_labels_push(s->L, n);
  lua_setfield(s->L, -2, "labels");
}

/* Enters a block, and the type or label at the byte. Returns the block's body if the byte is in the body, else NULL. */
static const hx_node *search_block(search *s, const hx_node *n, uint32_t stop) {
  const hx_block_head *head = n->u.block.head;
  const hx_node *kid = n->u.block.first, *hit = NULL;
  bool brace = is_brace(s, head->open_brace, '{'), open = brace || head->open_brace.start == head->open_brace.stop,
       close = open && is_brace(s, head->close_brace, '}');
  uint32_t i = 0, number = 0;
  enter(s, "block", hx_range_of(n->start, stop));
  hx_set_str(s->L, "type", head->type);
  set_labels(s, n);
  if (brace) hx_set_int(s->L, "open", head->open_brace.start);
  if (close) hx_set_int(s->L, "close", head->close_brace.start);
  for (; kid && kid->kind == HX_AST_LABEL; kid = kid->next)
    if (i++, wins(s, hit != NULL, kid->start, kid->stop)) hit = kid, number = i;
  if (open && s->at >= head->open_brace.stop + !brace && (!close || s->at <= head->close_brace.start)) {
    enter(s, "body", hx_range_of(head->open_brace.stop, close ? head->close_brace.start : stop));
    return kid;
  }
  if (hit) {
    enter(s, "label", hx_node_range(hit));
    hx_set_str(s->L, "text", hx_node_text(hit));
    hx_set_int(s->L, "index", number);
    lua_pushboolean(s->L, (hit->flags & HX_AST_QUOTED) != 0);
    lua_setfield(s->L, -2, "quoted");
  } else if (has(s, head->type_range.start, head->type_range.stop)) {
    enter(s, "type", head->type_range);
    hx_set_str(s->L, "text", head->type);
  }
  return NULL;
}

static void search_attribute(search *s, const hx_node *n, uint32_t stop) {
  const hx_node *value = n->u.attr.first;
  hx_range name = hx_attribute_name_range(n);
  enter(s, "attribute", hx_range_of(n->start, stop));
  hx_set_str(s->L, "name", *n->u.attr.name);
  if (has(s, name.start, name.stop)) {
    enter(s, "attribute_name", name);
    hx_set_str(s->L, "text", *n->u.attr.name);
  } else if (!is_nothing(s, value) && has(s, value->start, value->stop)) {
    search_expression(s, value, "expression", 0, NULL);
  }
}

/* Searches content of a body that isn't an item. A single name becomes a "word". */
static void search_broken_item(search *s, const hx_node *n) {
  const hx_node *value = n->u.kids.first;
  if (!value || value->next || value->kind != HX_AST_TRAVERSAL || value->count != 1 || value->stop != n->stop) {
    search_expression(s, n, NULL, 0, NULL);
    return;
  }
  enter(s, "word", hx_node_range(n));
  hx_set_str(s->L, "text", hx_str_of(value->u.trav.steps[0].text, value->u.trav.steps[0].len));
}

/* Returns the item that contains the byte. Between items, returns the attribute or block before the byte if both are on one line with only
** spaces between them, and it isn't a block with its closing brace; otherwise NULL. Sets *stop to the end of the item, or to the byte
** if that is later. */
static const hx_node *item_at(search *s, const hx_node *body, uint32_t *stop) {
  const hx_node *hit = NULL, *last = NULL;
  for (const hx_node *n = hx_node_first(body); n && n->start <= s->at; n = n->next) {
    last = n;
    if (wins(s, hit != NULL, n->start, n->stop)) hit = n;
    else if (n->stop < s->at) s->fresh = n->stop;
  }
  *stop = hit ? hit->stop : 0;
  if (hit || !last || last->kind == HX_AST_BROKEN || !is_gap(s, last->stop, s->at)) return hit;
  if (last->kind == HX_AST_BLOCK && is_brace(s, last->u.block.head->close_brace, '}')) return NULL;
  *stop = s->at;
  return last;
}

static void search_body(search *s, const hx_node *body) {
  while (body) {
    uint32_t stop = 0;
    const hx_node *n = item_at(s, body, &stop);
    body = NULL;
    if (!n) return;
    if (n->start > s->fresh) s->fresh = n->start;
    if (n->kind == HX_AST_BLOCK) {
      body = search_block(s, n, stop);
      if (body && s->fresh < n->u.block.head->open_brace.stop) s->fresh = n->u.block.head->open_brace.stop;
    } else if (n->kind == HX_AST_ATTRIBUTE) {
      search_attribute(s, n, stop);
    } else {
      search_broken_item(s, n);
    }
  }
}

/* Returns true if a place of this kind may have a comment in its gaps. */
static bool may_hold_comment(lua_State *L) {
  static const char *const none[] = { "string", "text", "template", "step", "name", "function",      "number",
                                      "bool",   "null", "label",    "type", "word", "attribute_name" };
  lua_getfield(L, -1, "kind");
  hx_str kind = hx_check_str(L, -1);
  bool may = true;
  for (size_t i = 0; i < sizeof none / sizeof *none && may; i++) may = !hx_str_eq(kind, hx_str_c(none[i]));
  lua_pop(L, 1);
  return may;
}

static uint32_t offset_of(lua_State *L, const char *name) {
  lua_getfield(L, PLACE, name);
  uint32_t n = (uint32_t)lua_tonumber(L, -1);
  lua_pop(L, 1);
  return n;
}

/* Enters a comment in the innermost place that contains it: a comment at the end of a broken part may reach beyond the part. */
static void enter_comment(search *s, hx_range r) {
  lua_settop(s->L, PLACE);
  while (offset_of(s->L, "start") > r.start || offset_of(s->L, "stop") < r.stop) {
    lua_getfield(s->L, PLACE, "parent");
    if (lua_isnil(s->L, -1)) break;
    lua_replace(s->L, PLACE);
  }
  enter(s, "comment", r);
}

/* body:at(byte): returns the table of the innermost place at the byte. Returns nothing if the byte isn't in the body, and for bodies that
** weren't parsed from one text of native syntax. */
static int l_at(lua_State *L) {
  hx_unit *unit;
  hx_home *home;
  const hx_node *body = hx_check_body(L, 1, &unit, &home);
  const hx_source *src = unit->program.source;
  search s = { .L = L, .src = src, .at = hx_check_offset(L, 2, src) };
  lua_settop(L, 2);
  if (home || unit->of || src->json || src->nsections || body->kind != HX_AST_BODY) return 0;
  luaL_checkstack(L, 20, NULL);
  hx_range all = body == unit->program.root ? hx_range_of(0, src->text.len) : hx_node_range(body);
  if (!has(&s, all.start, all.stop)) return 0;
  s.fresh = all.start;
  s.work = hx_work_push(L);
  lua_pushnil(L);
  enter(&s, "body", all);
  search_body(&s, body);
  lua_settop(L, PLACE);
  if (may_hold_comment(L)) {
    gap_job gap = look_into_gap(&s, s.fresh);
    if (gap.comment) enter_comment(&s, hx_range_of(gap.start, gap.stop));
    lua_settop(L, PLACE);
  }
  return 1;
}

static const luaL_Reg methods[] = { { "at", l_at }, { NULL, NULL } };

void hx_open_at(lua_State *L) {
  hx_register(L, HX_CLASS_BODY, methods, NULL);
}
