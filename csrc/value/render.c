/* render.c: writes values as text for people. */
#include "value/render.h"
#include "text/quote.h"
#include "text/unicode.h"
#include "value/number/number.h"
#include "value/order.h"
#include "value/unknown.h"

/* Columns of indentation for a level of nesting, in values and in types. */
#define STEP 2u
#define TYPE_STEP 4u

static void write_value(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent);

static void new_line(hx_cx *cx, hx_buf *b, uint32_t indent) {
  /* Charges the indentation before writing it: the text of deeply nested values is mostly indentation. */
  hx_charge_output(cx, indent);
  hx_buf_put(b, '\n');
  hx_buf_fill(b, ' ', indent);
}

/* Moves the next line, without its newline, from *rest to *line. Returns false after the last line. */
static bool next_line(hx_str *rest, hx_str *line, bool *more) {
  if (!*more) return false;
  const char *nl = rest->len ? memchr(rest->p, '\n', rest->len) : NULL;
  uint32_t n = nl ? (uint32_t)(nl - rest->p) : rest->len;
  *line = (hx_str){ rest->p, n };
  *more = nl != NULL;
  if (nl) *rest = (hx_str){ rest->p + n + 1, rest->len - n - 1 };
  return true;
}

/* Returns how many underscores to add to "EOT" so that no line of the text equals it: the smallest number with which no line does. */
static uint32_t underlines(hx_cx *cx, hx_str text) {
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  hx_str rest = text, line;
  uint32_t lines = 2, n = 0;
  for (uint32_t i = 0; i < text.len; i++) lines += text.p[i] == '\n';
  bool *taken = hx_arena_alloc(&cx->scratch, lines);
  memset(taken, 0, lines);
  for (bool more = true; next_line(&rest, &line, &more);) {
    hx_str word = hx_trim_left(hx_trim_right(line));
    if (word.len < 3 || memcmp(word.p, "EOT", 3) != 0) continue;
    uint32_t count = 0;
    while (count + 3 < word.len && word.p[count + 3] == '_') count++;
    if (count + 3 == word.len && count < lines) taken[count] = true;
  }
  while (taken[n]) n++;
  hx_arena_release(&cx->scratch, mark);
  return n;
}

static void write_heredoc(hx_cx *cx, hx_buf *b, hx_str text, uint32_t indent) {
  uint32_t n = underlines(cx, text);
  hx_str rest = text, line;
  hx_buf_c(b, indent ? "<<-EOT" : "<<EOT");
  hx_buf_fill(b, '_', n);
  for (bool more = true; next_line(&rest, &line, &more);) {
    new_line(cx, b, indent);
    hx_buf_str(b, line);
  }
  new_line(cx, b, indent);
  hx_buf_c(b, "EOT");
  hx_buf_fill(b, '_', n);
}

static void write_string(hx_cx *cx, hx_buf *b, hx_str text, uint32_t indent) {
  if (text.len && memchr(text.p, '\n', text.len)) write_heredoc(cx, b, text, indent);
  else hx_order_quote(b, text);
}

static void write_null(hx_buf *b, const hx_type *t) {
  if (t->kind == HX_K_DYNAMIC) {
    hx_buf_c(b, "null");
  } else if (hx_type_is_primitive(t) || hx_type_is_collection(t)) {
    hx_buf_f(b, "to%s(null)", hx_kind_name((hx_kind)t->kind));
    if (!hx_type_is_collection(t)) return;
    hx_buf_c(b, " /* of ");
    hx_type_write_friendly(b, t->elem);
    hx_buf_c(b, " */");
  } else {
    hx_buf_c(b, "null /* ");
    hx_type_write_friendly(b, t);
    hx_buf_c(b, " */");
  }
}

static void write_seq(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent) {
  hx_buf_put(b, '[');
  for (uint32_t i = 0; i < v->len; i++) {
    new_line(cx, b, indent + STEP);
    write_value(cx, b, &v->u.seq->v[i], indent + STEP);
    hx_buf_put(b, ',');
  }
  if (v->len) new_line(cx, b, indent);
  hx_buf_put(b, ']');
}

/* Writes an object or map. rest: a last line for entries that are unknown, or NULL. */
static void write_obj(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent, const char *rest) {
  hx_iter it;
  hx_buf_put(b, '{');
  for (hx_iter_init(cx, &it, v); hx_iter_next(&it);) {
    new_line(cx, b, indent + STEP);
    write_string(cx, b, hx_val_str(&it.key), indent + STEP);
    hx_buf_c(b, " = ");
    write_value(cx, b, it.value, indent + STEP);
  }
  if (rest) {
    new_line(cx, b, indent + STEP);
    hx_buf_c(b, rest);
  }
  if (v->len || rest) new_line(cx, b, indent);
  hx_buf_put(b, '}');
}

/* Writes a type as the console's type() does: each element and attribute on a line of its own, and so the element type of a collection
** if it is a tuple or an object. */
static void write_type(hx_cx *cx, hx_buf *b, const hx_type *t, uint32_t indent) {
  bool tuple = t->kind == HX_K_TUPLE;
  hx_stack_check();
  if (hx_type_is_collection(t)) {
    bool apart = t->elem->kind == HX_K_TUPLE || t->elem->kind == HX_K_OBJECT;
    hx_buf_f(b, "%s(", hx_kind_name((hx_kind)t->kind));
    if (apart) new_line(cx, b, indent + TYPE_STEP);
    write_type(cx, b, t->elem, apart ? indent + TYPE_STEP : indent);
    if (apart) {
      hx_buf_put(b, ',');
      new_line(cx, b, indent);
    }
    hx_buf_put(b, ')');
    return;
  }
  if (!tuple && t->kind != HX_K_OBJECT) {
    hx_type_write_friendly(b, t);
    return;
  }
  hx_buf_c(b, tuple ? "tuple([" : "object({");
  for (uint32_t i = 0; i < t->n; i++) {
    new_line(cx, b, indent + TYPE_STEP);
    if (!tuple) {
      hx_buf_str(b, t->names[i]);
      hx_buf_c(b, ": ");
    }
    write_type(cx, b, t->elems[i], indent + TYPE_STEP);
    hx_buf_put(b, ',');
  }
  if (t->n) new_line(cx, b, indent);
  hx_buf_c(b, tuple ? "])" : "})");
}

static void write_unknown(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent) {
  const hx_val *open = hx_open_of(v);
  if (open && open->len) write_obj(cx, b, open, indent, "# (others known after apply)");
  else if (hx_items_of(v)) write_seq(cx, b, hx_items_of(v), indent);
  else hx_buf_c(b, "(known after apply)");
}

static void write_known(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent) {
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL: hx_buf_c(b, v->u.i ? "true" : "false"); break;
    case HX_T_INT:
    case HX_T_NUM: hx_num_show(cx, b, v, HX_SHOWN_DIGITS); break;
    case HX_T_STR: write_string(cx, b, hx_val_str(v), indent); break;
    case HX_T_TUPLE: write_seq(cx, b, v, indent); break;
    case HX_T_OBJECT: write_obj(cx, b, v, indent, NULL); break;
    case HX_T_LIST:
    case HX_T_SET:
      hx_buf_c(b, v->tag == HX_T_LIST ? "tolist(" : "toset(");
      write_seq(cx, b, v, indent);
      hx_buf_put(b, ')');
      break;
    case HX_T_MAP:
      hx_buf_c(b, "tomap(");
      write_obj(cx, b, v, indent, NULL);
      hx_buf_put(b, ')');
      break;
    case HX_T_CAPSULE: write_type(cx, b, v->u.type, indent); break;
    case HX_T_NULL: write_null(b, v->u.type); break;
    case HX_T_UNKNOWN: write_unknown(cx, b, v, indent); break;
    case HX_T_NONE:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
}

/* Returns the text that replaces a hidden value. It names the mark if the mark is one of the language's own. */
static const char *hidden_text(const hx_marks *marks) {
  if (hx_marks_has(marks, HX_STR("sensitive")) || hx_marks_has(marks, hx_mark_guarded)) return HX_HIDDEN_TEXT;
  return hx_marks_has(marks, HX_STR("ephemeral")) ? "(ephemeral value)" : "(marked value)";
}

static void write_value(hx_cx *cx, hx_buf *b, const hx_val *v, uint32_t indent) {
  const hx_marks *marks = hx_marks_get(v);
  if (v->tag > HX_T_STR) hx_stack_check();
  v = hx_unmarked(v);
  /* A type (a capsule) is shown even if it is marked, because it only describes a marked value. */
  if (marks && (v->tag != HX_T_UNKNOWN || hx_known_parts(v)) && v->tag != HX_T_CAPSULE) {
    hx_buf_c(b, hidden_text(marks));
    return;
  }
  write_known(cx, b, v, indent);
}

void hx_render_console(hx_cx *cx, hx_buf *b, const hx_val *v) {
  uint32_t start = b->len;
  uint64_t left = cx->output_left;
  write_value(cx, b, v, 0);
  uint64_t indents = left - cx->output_left;
  hx_charge_output(cx, b->len - start - indents);
}

/* The short form, for diagnostics */

#define SHORT_CLUSTERS 40
#define SHORT_DIGITS 40u

static hx_str short_number(hx_cx *cx, const hx_val *v) {
  /* Limits the digits, because the exact text may have millions of them. */
  if (v->tag == HX_T_INT) return hx_say(cx, "%lld", (long long)v->u.i);
  hx_str s = hx_num_format(cx, v, 'g', 20);
  return s.len <= SHORT_DIGITS ? s : hx_say(cx, "%.*s…", (int)SHORT_DIGITS, s.p);
}

static hx_str short_tuple(hx_cx *cx, const hx_val *v) {
  if (!v->len) return HX_STR("empty tuple");
  return hx_say(cx, v->len == 1 ? "tuple with %u element" : "tuple with %u elements", (unsigned)v->len);
}

static hx_str short_collection(hx_cx *cx, const hx_val *v) {
  hx_str type = hx_type_friendly(cx, hx_val_type(cx, v));
  if (!v->len) return hx_say(cx, "empty %.*s", HX_STR_ARG(type));
  return hx_say(cx, v->len == 1 ? "%.*s with %u element" : "%.*s with %u elements", HX_STR_ARG(type), (unsigned)v->len);
}

static hx_str short_type(hx_cx *cx, const hx_type *t) {
  hx_str type = hx_type_friendly(cx, t);
  return hx_say(cx, "the type %.*s", HX_STR_ARG(type));
}

static hx_str short_known(hx_cx *cx, const hx_val *v) {
  switch ((hx_tag)v->tag) {
    case HX_T_BOOL: return v->u.i ? HX_STR("true") : HX_STR("false");
    case HX_T_INT:
    case HX_T_NUM: return short_number(cx, v);
    case HX_T_STR: return hx_quote_short(cx, hx_val_str(v), SHORT_CLUSTERS);
    case HX_T_LIST:
    case HX_T_SET:
    case HX_T_MAP: return short_collection(cx, v);
    case HX_T_TUPLE: return short_tuple(cx, v);
    case HX_T_OBJECT: return v->len ? HX_STR("object") : HX_STR("empty object");
    /* Names of attributes are left out, because the type may be that of a hidden value. */
    case HX_T_CAPSULE: return short_type(cx, v->u.type);
    case HX_T_NULL: return HX_STR("null");
    case HX_T_NONE:
    case HX_T_UNKNOWN:
    case HX_T_MARKED:
    case HX_T_FOREIGN: break;
  }
  return HX_STR("");
}

hx_str hx_render_short(hx_cx *cx, const hx_val *v) {
  if (cx->silent) return HX_UNSAID;
  const hx_marks *marks = hx_marks_get(v);
  v = hx_unmarked(v);
  if (marks && v->tag != HX_T_CAPSULE) return hx_str_c(hidden_text(marks));
  if (cx->secret && v->tag != HX_T_NULL && v->tag != HX_T_UNKNOWN) return HX_STR(HX_HIDDEN_TEXT);
  if (v->tag != HX_T_UNKNOWN) return short_known(cx, v);
  if (hx_open_of(v)) return HX_STR("an object that is not wholly known");
  if (v->u.unk->type->kind == HX_K_DYNAMIC) return HX_STR("an unknown value");
  hx_str type = hx_type_friendly(cx, v->u.unk->type);
  return hx_say(cx, "an unknown %.*s", HX_STR_ARG(type));
}

hx_str hx_render_in_sentence(hx_cx *cx, const hx_val *v) {
  hx_str text = hx_render_short(cx, v);
  bool counted = text.len && text.p[0] >= 'a' && text.p[0] <= 'z' && (hx_is_seq(v) || hx_is_obj(v));
  if (!counted || cx->silent) return text;
  return hx_say(cx, "%s %.*s", text.p[0] == 'e' || text.p[0] == 'o' ? "an" : "a", HX_STR_ARG(text));
}
