/* json_write.c: values as JSON text. */
#include "fn/json.h"

#include "text/quote.h"

typedef struct json_writer {
  hx_cx *cx;
  hx_buf *out;
  uint32_t counted; /* bytes charged so far */
  uint32_t depth;
  hx_json_fault fault;
} json_writer;

static void write_value(json_writer *w, const hx_val *v);

/* What is written is charged as it grows; strings before they are written, as escapes make them at most six times longer. */
static void charge(json_writer *w) {
  hx_charge_memory(w->cx, w->out->len - w->counted);
  w->counted = w->out->len;
}

static void write_text(json_writer *w, hx_str s) {
  hx_need_memory(w->cx, s.len);
  hx_charge_steps(w->cx, s.len / 32);
  hx_quote_json(w->out, s, true);
}

static void write_number(json_writer *w, const hx_val *v) {
  if (!hx_num_is_inf(v)) hx_num_write(w->cx, w->out, v);
  else if (w->fault == HX_JSON_FINE) w->fault = HX_JSON_INFINITE;
}

static void write_seq(json_writer *w, const hx_val *v) {
  hx_buf_put(w->out, '[');
  for (uint32_t i = 0; i < v->len && w->fault != HX_JSON_UNKNOWN; i++) {
    if (i) hx_buf_put(w->out, ',');
    write_value(w, &v->u.seq->v[i]);
  }
  hx_buf_put(w->out, ']');
}

static void write_obj(json_writer *w, const hx_val *v) {
  const hx_shape *shape = v->u.obj->shape;
  const uint32_t *order = hx_shape_order(w->cx, shape);
  hx_buf_put(w->out, '{');
  for (uint32_t i = 0; i < shape->n && w->fault != HX_JSON_UNKNOWN; i++) {
    uint32_t at = order ? order[i] : i;
    if (i) hx_buf_put(w->out, ',');
    write_text(w, shape->keys[at]);
    hx_buf_put(w->out, ':');
    write_value(w, &v->u.obj->v[at]);
  }
  hx_buf_put(w->out, '}');
}

static void write_nested(json_writer *w, const hx_val *v) {
  hx_check_depth(w->cx, ++w->depth);
  hx_charge_steps(w->cx, v->len / 4 + 1);
  if (hx_is_obj(v)) write_obj(w, v);
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
    case HX_T_CAPSULE: hx_type_write_json(w->out, v->u.type); break;
    case HX_T_UNKNOWN: w->fault = HX_JSON_UNKNOWN; break;
    case HX_T_MARKED: write_value(w, hx_unmarked(v)); break;
    case HX_T_NONE:
    case HX_T_FOREIGN: HX_UNREACHABLE(); break;
  }
  charge(w);
}

hx_json_fault hx_json_write(hx_cx *cx, hx_buf *out, const hx_val *v) {
  json_writer w = { cx, out, out->len, 0, HX_JSON_FINE };
  write_value(&w, v);
  return w.fault;
}
