/* json_write.c: writes values as JSON text. */
#include "fn/json.h"

#include "text/data_path.h"
#include "text/quote.h"

typedef struct json_writer {
  hx_cx *cx;
  hx_buf *out;
  const hx_json_style *style;
  bool lines;       /* each element has a line of its own */
  uint32_t counted; /* bytes charged so far */
  uint32_t depth;   /* number of open containers */
  hx_json_fault fault;
  bool over;         /* the fault ends the text */
  const hx_val *bad; /* in exact style: the value with the fault */
  hx_way way;        /* the path to this value */
} json_writer;

static void write_value(json_writer *w, const hx_val *v);

/* Charges what was written since the last charge. Before a string is written, write_text checks that its bytes fit into the limit, because
** escapes can make the text six times longer. */
static void charge(json_writer *w) {
  hx_charge_memory(w->cx, w->out->len - w->counted);
  w->counted = w->out->len;
}

static void set_fault(json_writer *w, hx_json_fault fault, const hx_val *v) {
  if (w->fault == HX_JSON_FINE || fault == HX_JSON_UNKNOWN) w->fault = fault;
  w->over = w->style->exact || w->fault == HX_JSON_UNKNOWN;
  w->bad = v;
}

static bool is_separator(const char *p) {
  return p[0] == '\xE2' && p[1] == '\x80' && (p[2] == '\xA8' || p[2] == '\xA9');
}

/* Escapes JavaScript's line ends in any style: in the text from `at` on, each of their three bytes becomes six. */
static void escape_separators(hx_buf *b, uint32_t at) {
  uint32_t n = 0, from = b->len;
  for (uint32_t i = at; i + 3 <= from; i++) n += is_separator(b->p + i);
  hx_buf_reserve(b, 3 * n);
  b->len += 3 * n;
  for (uint32_t to = b->len; n;) {
    if (from < at + 3 || !is_separator(b->p + from - 3)) {
      b->p[--to] = b->p[--from];
      continue;
    }
    char digit = b->p[from - 1] == '\xA8' ? '8' : '9';
    from -= 3;
    to -= 6;
    memcpy(b->p + to, "\\u202", 5);
    b->p[to + 5] = digit;
    n--;
  }
}

static void write_without_html(json_writer *w, hx_str s) {
  uint32_t at = w->out->len;
  hx_quote_json(w->out, s, false);
  if (memchr(w->out->p + at, 0xE2, w->out->len - at)) escape_separators(w->out, at);
}

static void write_text(json_writer *w, hx_str s) {
  hx_need_memory(w->cx, s.len);
  hx_charge_steps(w->cx, s.len / 32);
  if (HX_LIKELY(w->style->html)) hx_quote_json(w->out, s, true);
  else write_without_html(w, s);
}

static void write_number(json_writer *w, const hx_val *v) {
  if (hx_num_is_inf(v)) set_fault(w, HX_JSON_INFINITE, v);
  else if (w->style->exact) hx_num_show(w->cx, w->out, v, HX_SHOWN_DIGITS);
  else hx_num_write(w->cx, w->out, v);
}

/* Begins the line of an element or closing bracket: writes a newline and the indentation. */
static void new_line(json_writer *w, uint32_t depth) {
  hx_buf_put(w->out, '\n');
  hx_buf_fill(w->out, ' ', w->style->indent * (w->style->depth + depth));
}

static void write_seq(json_writer *w, const hx_val *v) {
  hx_buf_put(w->out, '[');
  for (uint32_t i = 0; i < v->len && !w->over; i++) {
    if (i) hx_buf_put(w->out, ',');
    if (HX_UNLIKELY(w->lines)) new_line(w, w->depth);
    write_value(w, &v->u.seq->v[i]);
    if (w->over) hx_way_index(&w->way, i);
  }
  if (w->lines && v->len) new_line(w, w->depth - 1);
  hx_buf_put(w->out, ']');
}

static void write_obj(json_writer *w, const hx_val *v) {
  const hx_shape *shape = v->u.obj->shape;
  const uint32_t *order = hx_shape_order(w->cx, shape);
  bool any = false, omit = w->style->omit_nulls;
  hx_buf_put(w->out, '{');
  for (uint32_t i = 0; i < shape->n && !w->over; i++) {
    uint32_t at = order ? order[i] : i;
    const hx_val *e = &v->u.obj->v[at];
    if (HX_UNLIKELY(omit) && hx_is_null(hx_unmarked(e))) continue;
    if (any) hx_buf_put(w->out, ',');
    any = true;
    if (HX_UNLIKELY(w->lines)) new_line(w, w->depth);
    write_text(w, shape->keys[at]);
    hx_buf_put(w->out, ':');
    if (HX_UNLIKELY(w->lines)) hx_buf_put(w->out, ' ');
    write_value(w, e);
    if (w->over) hx_way_key(&w->way, shape->keys[at]);
  }
  if (w->lines && any) new_line(w, w->depth - 1);
  hx_buf_put(w->out, '}');
}

static void write_nested(json_writer *w, const hx_val *v) {
  hx_stack_check();
  hx_check_depth(w->cx, ++w->depth);
  bool keyed = hx_is_obj(v);
  hx_charge_steps(w->cx, 1 + (keyed ? v->len : v->len / 2));
  if (keyed) write_obj(w, v);
  else write_seq(w, v);
  w->depth--;
}

static void write_value(json_writer *w, const hx_val *v) {
  switch ((hx_tag)v->tag) {
    case HX_T_STR: write_text(w, hx_val_str(v)); break;
    case HX_T_INT:
    case HX_T_NUM: write_number(w, v); break;
    case HX_T_BOOL: hx_buf_str(w->out, v->u.i ? HX_STR("true") : HX_STR("false")); break;
    case HX_T_NULL: hx_buf_str(w->out, HX_STR("null")); break;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE:
    case HX_T_MAP:
    case HX_T_OBJECT: write_nested(w, v); break;
    case HX_T_CAPSULE:
      if (w->style->exact) set_fault(w, HX_JSON_TYPE, v);
      else hx_type_write_json(w->out, v->u.type);
      break;
    case HX_T_UNKNOWN: set_fault(w, HX_JSON_UNKNOWN, v); break;
    case HX_T_MARKED:
      if (w->style->exact) set_fault(w, HX_JSON_MARKED, v);
      else write_value(w, hx_unmarked(v));
      break;
    case HX_T_NONE:
    case HX_T_FOREIGN: HX_UNREACHABLE(); break;
  }
  charge(w);
}

hx_json_fault hx_json_write_as(hx_cx *cx, hx_buf *out, const hx_val *v, const hx_json_style *style, hx_json_place *place) {
  json_writer w = { .cx = cx, .out = out, .style = style, .lines = style->indent != 0, .counted = out->len };
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  write_value(&w, v);
  if (w.over && style->exact) *place = (hx_json_place){ w.bad, hx_way_text(cx, &w.way) };
  hx_arena_release(&cx->scratch, mark);
  return w.fault;
}

hx_json_fault hx_json_write(hx_cx *cx, hx_buf *out, const hx_val *v) {
  static const hx_json_style encode = { .html = true };
  return hx_json_write_as(cx, out, v, &encode, NULL);
}
