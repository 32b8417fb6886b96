/* literal.c: writes values as source text. It recurses over values, whose nesting is bounded. */
#include "binding/data/literal.h"

#include "text/data_path.h"
#include "text/quote.h"
#include "text/unicode.h"
#include "value/marks.h"
#include "value/number/number.h"

/* A sequence without containers is written on one line up to this length. */
#define ONE_LINE_MAX 72u
/* Values nested deeper than this are written on one line: indentation would grow with the square of the depth. */
#define INDENTED_LEVELS 40u
/* Numbers are written with a power of ten if the power is beyond this, or if they would otherwise need this many more characters
** for zeros. */
#define PLAIN_POWER 100
#define SPARED_ZEROS 12u

typedef struct writer {
  hx_cx *cx;
  hx_buf *b;
  hx_str name;
  const hx_literal_style *style;
  const struct step *inner; /* the current step */
} writer;

/* A step of the path to the value that is being written. */
typedef struct step {
  const struct step *outer;
  hx_str key; /* p is NULL: an index */
  uint32_t index;
} step;

static bool write_value(writer *w, const hx_val *v, uint32_t level);

/* Failure, with its path */

static bool fail(const writer *w, const char *text) {
  hx_way way = { .n = 0 };
  hx_buf b;
  for (const step *s = w->inner; s; s = s->outer) {
    if (s->key.p) hx_way_key(&way, s->key);
    else hx_way_index(&way, s->index);
  }
  hx_buf_init(&b, &w->cx->arena, 128);
  hx_buf_str(&b, w->name);
  hx_way_write(&b, &way);
  hx_buf_c(&b, ": ");
  hx_buf_c(&b, text);
  hx_diag_add_text(w->cx, HX_D_ENCODE_VALUE, NULL, hx_range_of(0, 0), hx_buf_done(&b));
  return false;
}

/* Layout */

static bool in_lines(const writer *w, uint32_t level) {
  return !w->style->one_line && level - w->style->level < INDENTED_LEVELS;
}

static void new_line(writer *w, uint32_t level) {
  hx_buf_put(w->b, '\n');
  hx_buf_fill(w->b, ' ', level * w->style->indent);
}

/* Numbers */

/* Returns the power of ten in a number of the form "d.ddde+N". */
static int power_of(hx_str e) {
  int power = 0;
  uint32_t i = e.len;
  while (i && e.p[i - 1] != 'e') i--;
  for (uint32_t j = i + 1; j < e.len && power < 1000000; j++) power = power * 10 + (e.p[j] - '0');
  return i < e.len && e.p[i] == '-' ? -power : power;
}

/* Returns the exact digits of a whole number. The shortest digits only distinguish it from other numbers of its precision. If this
** precision is lower than the precision of a number read from text, as for pow(10, 30.5), more digits are needed. */
static hx_str whole_text(hx_cx *cx, const hx_val *v, hx_str shortest) {
  hx_str text = shortest;
  for (int digits = 20; digits <= 160; digits += 20) {
    hx_val back = hx_num_parse(cx, text);
    if (back.tag != HX_T_NONE && hx_num_cmp(&back, v) == 0) break;
    text = hx_num_format(cx, v, 'e', digits);
  }
  return text;
}

static hx_str number_text(hx_cx *cx, const hx_val *v) {
  hx_str e, plain;
  int power;
  bool whole;
  if (hx_num_is_inf(v)) return hx_num_is_negative(v) ? HX_STR("-1 / 0") : HX_STR("1 / 0");
  e = hx_num_format(cx, v, 'e', -1);
  power = power_of(e);
  whole = power > 18 && hx_num_is_whole(v);
  if (whole) e = whole_text(cx, v, e);
  if (power < -PLAIN_POWER || power > PLAIN_POWER) return e;
  plain = whole ? hx_num_format(cx, v, 'f', 0) : hx_num_text(cx, v);
  return plain.len > e.len + SPARED_ZEROS ? e : plain;
}

static void write_number(writer *w, const hx_val *v) {
  hx_arena_mark mark = hx_arena_get_mark(&w->cx->arena);
  if (v->tag == HX_T_INT) hx_buf_int(w->b, v->u.i);
  else hx_buf_str(w->b, number_text(w->cx, v));
  hx_arena_release(&w->cx->arena, mark);
}

/* Types */

/* Returns true if the type can be written as a constraint. The names of its attributes must be identifiers. */
static bool has_constraint(const hx_type *t) {
  hx_stack_check();
  if (hx_type_is_collection(t)) return has_constraint(t->elem);
  if (t->kind == HX_K_CAPSULE) return false;
  if (t->kind != HX_K_TUPLE && t->kind != HX_K_OBJECT) return true;
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->kind == HX_K_OBJECT && !hx_is_identifier(t->names[i])) return false;
    if (!has_constraint(t->elems[i])) return false;
  }
  return true;
}

static bool write_converted(writer *w, const char *what, const hx_type *t) {
  if (!has_constraint(t)) return fail(w, "The type of this empty value has attributes that a type constraint can't name.");
  hx_buf_f(w->b, "convert(%s, ", what);
  hx_type_write(w->b, t);
  hx_buf_put(w->b, ')');
  return true;
}

static bool write_null(writer *w, const hx_type *t) {
  if (!w->style->typed || t->kind == HX_K_DYNAMIC) {
    hx_buf_c(w->b, "null");
    return true;
  }
  if (!hx_type_is_primitive(t)) return write_converted(w, "null", t);
  hx_buf_f(w->b, "to%s(null)", hx_kind_name((hx_kind)t->kind));
  return true;
}

static const hx_type *elem_type(const hx_val *v) {
  return hx_is_seq(v) ? v->u.seq->elem : v->u.obj->elem;
}

/* Returns true if the value is a list, set or map without elements, and its type differs from that of an empty literal. */
static bool is_empty_typed(const writer *w, const hx_val *v) {
  const hx_type *elem = elem_type(v);
  return w->style->typed && !v->len && elem && elem->kind != HX_K_DYNAMIC;
}

/* Writes the call that gives the elements their type, such as `tolist(`, if one is needed. Returns true if a `)` must follow the
** elements. */
static bool open_call(writer *w, const hx_val *v) {
  if (!w->style->typed || !elem_type(v)) return false;
  hx_buf_f(w->b, "to%s(", hx_kind_name(hx_val_kind(v)));
  return true;
}

/* Arrays */

static bool is_scalar(const writer *w, const hx_val *v) {
  if (hx_is_null(v)) return !w->style->typed || hx_type_is_primitive(v->u.type) || v->u.type->kind == HX_K_DYNAMIC;
  return v->tag == HX_T_BOOL || hx_is_number(v) || (v->tag == HX_T_STR && v->len <= ONE_LINE_MAX);
}

/* Writes the elements on one line. If they are too long or not scalars, writes nothing and returns false. */
static bool write_short(writer *w, const hx_val *v) {
  uint32_t from = w->b->len;
  for (uint32_t i = 0; i < v->len; i++) {
    if (!is_scalar(w, &v->u.seq->v[i])) break;
    if (i) hx_buf_c(w->b, ", ");
    write_value(w, &v->u.seq->v[i], 0);
    if (w->b->len - from > ONE_LINE_MAX) break;
    if (i + 1 == v->len) return true;
  }
  w->b->len = from;
  return v->len == 0;
}

static bool write_elements(writer *w, const hx_val *v, uint32_t level) {
  step here = { w->inner, { NULL, 0 }, 0 };
  bool lines = in_lines(w, level), ok = true;
  w->inner = &here;
  for (; ok && here.index < v->len; here.index++) {
    if (lines) new_line(w, level + 1);
    else if (here.index) hx_buf_c(w->b, ", ");
    ok = write_value(w, &v->u.seq->v[here.index], level + 1);
    if (lines) hx_buf_put(w->b, ',');
  }
  if (lines) new_line(w, level);
  w->inner = here.outer;
  return ok;
}

static bool write_seq(writer *w, const hx_val *v, uint32_t level) {
  bool call;
  if (is_empty_typed(w, v)) return write_converted(w, "[]", hx_val_type(w->cx, v));
  call = open_call(w, v);
  hx_buf_put(w->b, '[');
  if (!write_short(w, v) && !write_elements(w, v, level)) return false;
  hx_buf_c(w->b, call ? "])" : "]");
  return true;
}

/* Objects */

/* Returns true if the key can be written without quotes. Some words can't: in braces they begin something else, or readers take
** them for constants. */
static bool is_bare_key(hx_str key) {
  static const char *const words[] = { "for", "null", "true", "false" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hx_str_eq(key, hx_str_c(words[i]))) return false;
  return hx_is_identifier(key);
}

void hx_literal_key(hx_buf *b, hx_str key) {
  if (is_bare_key(key)) hx_buf_str(b, key);
  else hx_quote_hcl(b, key);
}

static uint32_t key_columns(writer *w, hx_str key) {
  uint32_t from = w->b->len, n;
  hx_literal_key(w->b, key);
  n = hx_grapheme_count(hx_str_of(w->b->p + from, w->b->len - from));
  w->b->len = from;
  return n;
}

/* Returns true if the value ends on the line of its key. Then the formatter aligns the entry's `=` with those of its neighbours. */
static bool is_inline(writer *w, const hx_val *v) {
  uint32_t from = w->b->len;
  if (hx_is_obj(v)) return !v->len;
  if (!hx_is_seq(v)) return true;
  if (!write_short(w, v)) return false;
  w->b->len = from;
  return true;
}

/* Returns the width of the widest key in the run of one-line entries that begins here, and sets *n to the number of these entries,
** which is 0 if this entry takes more than a line. */
static uint32_t run_columns(writer *w, hx_iter it, uint32_t *n) {
  uint32_t widest = 0;
  *n = 0;
  do {
    uint32_t columns;
    if (!is_inline(w, it.value)) break;
    columns = key_columns(w, hx_val_str(&it.key));
    if (columns > widest) widest = columns;
    ++*n;
  } while (hx_iter_next(&it));
  return widest;
}

static bool write_entries(writer *w, const hx_val *v, uint32_t level) {
  hx_iter it;
  step here = { w->inner, { NULL, 0 }, 0 };
  bool lines = in_lines(w, level), first = true, ok = true;
  uint32_t columns = 0, run = 0;
  w->inner = &here;
  for (hx_iter_init(w->cx, &it, v); ok && hx_iter_next(&it); first = false) {
    here.key = hx_val_str(&it.key);
    if (lines) new_line(w, level + 1);
    else hx_buf_c(w->b, first ? " " : ", ");
    if (lines && !run) columns = run_columns(w, it, &run);
    hx_literal_key(w->b, here.key);
    if (run) {
      uint32_t blanks = columns - key_columns(w, here.key);
      hx_charge_output(w->cx, blanks); /* one long key pads each key in its run to its own width */
      hx_buf_fill(w->b, ' ', blanks);
      run--;
    }
    hx_buf_c(w->b, " = ");
    ok = write_value(w, it.value, level + 1);
  }
  if (lines) new_line(w, level);
  else hx_buf_put(w->b, ' ');
  w->inner = here.outer;
  return ok;
}

static bool write_obj(writer *w, const hx_val *v, uint32_t level) {
  bool call;
  if (is_empty_typed(w, v)) return write_converted(w, "{}", hx_val_type(w->cx, v));
  call = open_call(w, v);
  hx_buf_put(w->b, '{');
  if (v->len && !write_entries(w, v, level)) return false;
  hx_buf_c(w->b, call ? "})" : "}");
  return true;
}

static bool write_value(writer *w, const hx_val *v, uint32_t level) {
  if (v->tag > HX_T_STR) hx_stack_check();
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL: hx_buf_c(w->b, v->u.i ? "true" : "false"); return true;
    case HX_T_INT:
    case HX_T_NUM: write_number(w, v); return true;
    case HX_T_STR: hx_quote_hcl(w->b, hx_val_str(v)); return true;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE: return write_seq(w, v, level);
    case HX_T_MAP:
    case HX_T_OBJECT: return write_obj(w, v, level);
    case HX_T_NULL: return write_null(w, v->u.type);
    case HX_T_UNKNOWN: return fail(w, "The value is not known yet, so it has no source text. Leave it out, or encode it later.");
    case HX_T_MARKED:
      return fail(w, "The value is marked, as sensitive values are, and source text would reveal it. Call unmark() first.");
    case HX_T_CAPSULE:
    case HX_T_NONE:
    case HX_T_FOREIGN: break;
  }
  return fail(w, "A value of this kind has no source text.");
}

bool hx_literal_write(hx_cx *cx, hx_buf *b, const hx_val *v, hx_str name, const hx_literal_style *style) {
  writer w = { cx, b, name, style, NULL };
  return write_value(&w, v, style->level);
}
