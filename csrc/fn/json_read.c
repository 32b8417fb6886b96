/* json_read.c: turns JSON text into values, without recursion: open containers are on a separate stack. */
#include "fn/json.h"

#include "base/ascii.h"
#include "base/vec.h"
#include "text/json_string.h"
#include "text/unicode.h"

/* An open container. Its elements and keys are the last ones of the reader's two vectors. */
typedef struct json_level {
  bool object;
  uint32_t elements, keys; /* where they begin in these vectors */
  const hx_shape *sibling; /* shape of the last object that is an element of this container */
} json_level;

typedef struct json_reader {
  hx_cx *cx;
  const char *start, *p, *end;
  HX_VEC(json_level) levels;
  HX_VEC(hx_val) values;
  HX_VEC(hx_str) keys;
  hx_json_error *error;
} json_reader;

static bool wrong(json_reader *r, const char *why) {
  r->error->at = (uint32_t)(r->p - r->start);
  r->error->why = hx_str_c(why);
  return false;
}

static void skip_space(json_reader *r) {
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t')) r->p++;
}

static bool is_digit(const json_reader *r) {
  return r->p < r->end && hx_is_digit(*r->p);
}

static void skip_digits(json_reader *r) {
  while (is_digit(r)) r->p++;
}

/* Numbers */

static bool scan_number(json_reader *r) {
  if (*r->p == '-') r->p++;
  if (!is_digit(r)) return wrong(r, "a digit is missing in a number");
  if (*r->p == '0') r->p++;
  else skip_digits(r);
  if (r->p < r->end && *r->p == '.') {
    r->p++;
    if (!is_digit(r)) return wrong(r, "a digit is missing after the decimal point");
    skip_digits(r);
  }
  if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
    r->p++;
    if (r->p < r->end && (*r->p == '+' || *r->p == '-')) r->p++;
    if (!is_digit(r)) return wrong(r, "a digit is missing in the exponent");
    skip_digits(r);
  }
  return true;
}

static bool read_number(json_reader *r, hx_val *out) {
  const char *from = r->p;
  if (!scan_number(r)) return false;
  *out = hx_num_parse(r->cx, hx_str_of(from, (size_t)(r->p - from)));
  return out->tag != HX_T_NONE || wrong(r, "the number is out of range");
}

/* Strings */

/* Reads a string as it is, not normalised. The text is shared with the source if it has no escapes. */
static bool read_string(json_reader *r, hx_str *out) {
  hx_json_string s;
  hx_json_string_read(r->cx, r->p, r->end, &s);
  if (s.why) {
    r->p = s.bad;
    return wrong(r, s.why);
  }
  r->p = s.end;
  *out = s.text;
  return true;
}

static bool read_word(json_reader *r, hx_str word, hx_val v, hx_val *out) {
  if ((size_t)(r->end - r->p) < word.len || memcmp(r->p, word.p, word.len) != 0) return wrong(r, "a value is expected here");
  r->p += word.len;
  *out = v;
  return true;
}

/* Reads a value that isn't a container. */
static bool read_scalar(json_reader *r, hx_val *out) {
  hx_str s;
  switch (*r->p) {
    case '"':
      if (!read_string(r, &s)) return false;
      *out = hx_string_of(r->cx, s);
      return true;
    case 't': return read_word(r, HX_STR("true"), hx_bool(true), out);
    case 'f': return read_word(r, HX_STR("false"), hx_bool(false), out);
    case 'n': return read_word(r, HX_STR("null"), hx_null(&hx_type_dynamic), out);
    default: break;
  }
  if (*r->p == '-' || is_digit(r)) return read_number(r, out);
  return wrong(r, "a value is expected here");
}

/* Reads a key and its colon. */
static bool read_key(json_reader *r) {
  hx_str key;
  if (r->p == r->end || *r->p != '"') return wrong(r, "a key in double quotes is expected here");
  if (!read_string(r, &key)) return false;
  hx_str normal = hx_nfc(r->cx, key);
  if (!hx_str_eq(normal, key)) return wrong(r, "a key must be in Unicode's composed form (NFC), but this one isn't");
  skip_space(r);
  if (r->p == r->end || *r->p != ':') return wrong(r, "a colon is expected after the key");
  r->p++;
  *HX_VEC_PUSH(&r->cx->scratch, &r->keys) = key;
  return true;
}

/* Containers */

static void open_level(json_reader *r, bool object) {
  r->p++;
  *HX_VEC_PUSH(&r->cx->scratch, &r->levels) = (json_level){ object, r->values.n, r->keys.n, NULL };
  hx_check_depth(r->cx, r->levels.n);
}

static const hx_val *keep_values(json_reader *r, uint32_t from) {
  uint32_t n = r->values.n - from;
  hx_val *v = HX_NEW_ARRAY(r->cx, hx_val, n);
  if (n) memcpy(v, r->values.p + from, n * sizeof *v);
  return v;
}

/* Builds any object, also from repeated keys. */
static bool build_object(json_reader *r, const json_level *level, hx_val *out) {
  uint32_t n = r->keys.n - level->keys;
  hx_obj_builder b;
  hx_obj_builder_init(&b, r->cx, n);
  for (uint32_t i = 0; i < n; i++) {
    const hx_val *v = &r->values.p[level->elements + i];
    hx_val *slot = hx_obj_builder_put(&b, r->keys.p[level->keys + i]);
    if (slot->tag != HX_T_NONE && !hx_type_equal(hx_val_type(r->cx, slot), hx_val_type(r->cx, v))) {
      return wrong(r, "this object has a key twice, with values of different types");
    }
    *slot = *v;
  }
  *out = hx_obj_builder_object(&b);
  return true;
}

/* Makes the object of a level that ends. Objects in an array usually have the same keys, and then share a shape. */
static bool close_object(json_reader *r, const json_level *level, hx_val *out) {
  json_level *outer = r->levels.n > 1 ? &r->levels.p[r->levels.n - 2] : NULL;
  uint32_t n = r->keys.n - level->keys;
  if (outer && outer->sibling && hx_shape_is_of(outer->sibling, r->keys.p + level->keys, n)) {
    *out = hx_object(r->cx, outer->sibling, keep_values(r, level->elements));
    return true;
  }
  if (!build_object(r, level, out)) return false;
  if (outer && !outer->object && out->len == n && n > 0) outer->sibling = out->u.obj->shape;
  return true;
}

static bool close_level(json_reader *r, hx_val *out) {
  json_level level = r->levels.p[r->levels.n - 1];
  r->p++;
  if (!level.object) *out = hx_tuple(r->cx, keep_values(r, level.elements), r->values.n - level.elements);
  else if (!close_object(r, &level, out)) return false;
  r->levels.n--;
  r->values.n = level.elements;
  r->keys.n = level.keys;
  return true;
}

static char closing(const json_level *level) {
  return level->object ? '}' : ']';
}

/* Opens the containers that begin here. Returns true if a value that isn't a container comes next, or if an empty container ends,
** which sets *closed. */
static bool descend(json_reader *r, bool *closed) {
  *closed = false;
  for (;;) {
    skip_space(r);
    if (r->p == r->end) return wrong(r, "the text ends where a value is expected");
    if (*r->p != '{' && *r->p != '[') return true;
    open_level(r, *r->p == '{');
    skip_space(r);
    const json_level *level = &r->levels.p[r->levels.n - 1];
    if (r->p < r->end && *r->p == closing(level)) {
      *closed = true;
      return true;
    }
    if (level->object && !read_key(r)) return false;
  }
}

/* Closes the containers that end after a value. Sets *done if the outermost value is complete, in *v. */
static bool ascend(json_reader *r, hx_val *v, bool *done) {
  for (;;) {
    *done = r->levels.n == 0;
    if (*done) return true;
    *HX_VEC_PUSH(&r->cx->scratch, &r->values) = *v;
    const json_level *level = &r->levels.p[r->levels.n - 1];
    skip_space(r);
    if (r->p < r->end && *r->p == ',') {
      r->p++;
      skip_space(r);
      return !level->object || read_key(r);
    }
    if (r->p == r->end || *r->p != closing(level)) {
      return wrong(r, level->object ? "a comma or } is expected here" : "a comma or ] is expected here");
    }
    if (!close_level(r, v)) return false;
  }
}

static bool read_document(json_reader *r, hx_val *out) {
  for (bool done = false; !done;) {
    bool closed;
    if (!descend(r, &closed)) return false;
    if (closed ? !close_level(r, out) : !read_scalar(r, out)) return false;
    hx_charge_steps(r->cx, 1);
    if (!ascend(r, out, &done)) return false;
  }
  skip_space(r);
  return r->p == r->end || *r->p == ']' || *r->p == '}' || wrong(r, "only white space may follow the value");
}

bool hx_json_read(hx_cx *cx, hx_str text, hx_val *out, hx_json_error *error) {
  json_reader r = { .cx = cx, .start = text.p, .p = text.p, .end = text.p + text.len, .error = error };
  hx_arena_mark mark = hx_arena_get_mark(&cx->scratch);
  bool ok = read_document(&r, out);
  hx_arena_release(&cx->scratch, mark);
  return ok;
}
