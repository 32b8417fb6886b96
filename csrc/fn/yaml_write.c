/* yaml_write.c: turns values into YAML events. */
#include "fn/yaml.h"

#include "base/vec.h"

typedef struct yaml_value_writer {
  hx_cx *cx;
  hx_yaml_writer *out;
  hx_buf number;       /* text of the current number; not in scratch memory, since hx_num_write uses that */
  HX_VEC(hx_str) boms; /* strings that begin with a byte order mark, for which substitutes are written */
  bool stand_ins;
  uint32_t depth;
  hx_yaml_fault fault;
} yaml_value_writer;

static void write_value(yaml_value_writer *w, const hx_val *v);

/* Returns the most bytes that a string takes. Every line begins with two spaces per level, and a string in quotes may be folded at each of
** its spaces; escapes lengthen a byte to four at most, besides the quotes and an entry's markers. */
static uint64_t room_for(const yaml_value_writer *w, hx_str s) {
  uint64_t lines = 1;
  for (uint32_t i = 0; i < s.len; i++) lines += s.p[i] == ' ' || s.p[i] == '\n';
  return lines * (2 * (uint64_t)w->depth + 4) + (uint64_t)s.len * 4 + 8;
}

static void put_text(yaml_value_writer *w, hx_str s) {
  bool lines = s.len && memchr(s.p, '\n', s.len);
  if (w->stand_ins && hx_yaml_has_bom(s)) {
    hx_need_memory(w->cx, (uint64_t)s.len * 8);
    *HX_VEC_PUSH(&w->cx->arena, &w->boms) = s;
    s = hx_yaml_bom_stand_in(w->cx, s);
  }
  hx_yaml_put(w->out, HX_YAML_SCALAR, s, lines ? HX_YAML_BLOCK : HX_YAML_QUOTED, room_for(w, s));
}

static void put_plain(yaml_value_writer *w, hx_str s) {
  hx_yaml_put(w->out, HX_YAML_SCALAR, s, HX_YAML_PLAIN, room_for(w, s));
}

static void put_mark(yaml_value_writer *w, hx_yaml_kind kind) {
  hx_yaml_put(w->out, kind, HX_STR(""), HX_YAML_PLAIN, room_for(w, HX_STR("")));
}

static void write_number(yaml_value_writer *w, const hx_val *v) {
  w->number.len = 0;
  hx_num_write(w->cx, &w->number, v);
  put_plain(w, hx_str_of(w->number.p, w->number.len));
}

static void write_nested(yaml_value_writer *w, const hx_val *v) {
  bool mapping = hx_is_obj(v);
  hx_stack_check();
  hx_check_depth(w->cx, ++w->depth);
  put_mark(w, mapping ? HX_YAML_MAPPING : HX_YAML_SEQUENCE);
  hx_iter it;
  hx_iter_init(w->cx, &it, v);
  while (hx_iter_next(&it)) {
    if (mapping) put_text(w, hx_val_str(&it.key));
    write_value(w, it.value);
  }
  put_mark(w, mapping ? HX_YAML_MAPPING_END : HX_YAML_SEQUENCE_END);
  w->depth--;
}

static void write_value(yaml_value_writer *w, const hx_val *v) {
  switch ((hx_tag)v->tag) {
    case HX_T_STR: put_text(w, hx_val_str(v)); break;
    case HX_T_INT:
    case HX_T_NUM: write_number(w, v); break;
    case HX_T_BOOL: put_plain(w, v->u.i ? HX_STR("true") : HX_STR("false")); break;
    case HX_T_NULL: put_plain(w, HX_STR("null")); break;
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_TUPLE:
    case HX_T_MAP:
    case HX_T_OBJECT: write_nested(w, v); break;
    case HX_T_MARKED: write_value(w, hx_unmarked(v)); break;
    case HX_T_CAPSULE:
      w->fault = HX_YAML_CAPSULE;
      put_plain(w, HX_STR("null")); /* libyaml needs an event for the value */
      break;
    case HX_T_NONE:
    case HX_T_UNKNOWN:
    case HX_T_FOREIGN: HX_UNREACHABLE(); break;
  }
}

/* Returns true if the text ends with a line end that a literal block can have. */
static bool ends_line(hx_str s) {
  if (s.len && s.p[s.len - 1] == '\n') return true;
  return s.len >= 3 && (memcmp(s.p + s.len - 3, "\xE2\x80\xA8", 3) == 0 || memcmp(s.p + s.len - 3, "\xE2\x80\xA9", 3) == 0);
}

/* Returns the document's text with the reference's end: if the whole document is a plain scalar, a line `...` follows it. libyaml
** also writes this line after other documents. */
static hx_str end_of_document(hx_cx *cx, hx_str text, bool plain) {
  const hx_str end = HX_STR("...\n");
  hx_str before = { text.p, text.len < end.len ? 0 : text.len - end.len };
  bool has = ends_line(before) && memcmp(text.p + before.len, end.p, end.len) == 0;
  if (plain) return has ? text : hx_strf(cx, "%.*s%s", HX_STR_ARG(text), end.p);
  return has ? before : text;
}

static hx_str write_document(yaml_value_writer *w, const hx_val *v) {
  hx_arena_mark mark = hx_arena_get_mark(&w->cx->scratch);
  w->out = hx_yaml_writer_new(w->cx);
  write_value(w, v);
  hx_str text = hx_yaml_done(w->out);
  hx_arena_release(&w->cx->scratch, mark);
  return text;
}

hx_yaml_fault hx_yaml_write(hx_cx *cx, const hx_val *v, hx_str *out) {
  yaml_value_writer w = { .cx = cx, .stand_ins = true, .fault = HX_YAML_FINE };
  hx_buf_init(&w.number, &cx->arena, 32);
  v = hx_unmarked(v);
  *out = write_document(&w, v);
  if (w.boms.n && !hx_yaml_bom_restore(cx, out, w.boms.p, w.boms.n)) {
    w.stand_ins = false; /* libyaml's own escapes: they differ, but the value is the same */
    *out = write_document(&w, v);
  }
  bool plain = v->tag == HX_T_NULL || v->tag == HX_T_BOOL || hx_is_number(v);
  *out = end_of_document(cx, *out, plain);
  return w.fault;
}
