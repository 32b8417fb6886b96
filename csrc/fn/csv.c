/* csv.c: csvdecode. Headers: vm/fn.h.
** Source: go-cty's stdlib; the rules of quotes and line ends are RFC 4180's as Go reads them: \r\n is \n, even within quotes; empty
** lines are skipped; a quote may only begin a field. */
#include "fn/arguments.h"

#include "base/vec.h"

typedef struct csv_reader {
  hx_cx *cx;
  const char *p, *end;
  uint32_t line;         /* the number of the last line read, from 1 */
  HX_VEC(hx_val) fields; /* the fields of the record */
  const char *why;
} csv_reader;

/* A line of the text, without its newline. */
typedef struct csv_line {
  hx_str text;
  bool ended; /* a newline ended the line, not the end of the text */
} csv_line;

static bool wrong(csv_reader *r, const char *why) {
  r->why = why;
  return false;
}

static bool read_line(csv_reader *r, csv_line *line) {
  if (r->p == r->end) return false;
  const char *stop = memchr(r->p, '\n', (size_t)(r->end - r->p));
  line->ended = stop != NULL;
  line->text = hx_str_of(r->p, (size_t)((stop ? stop : r->end) - r->p));
  if (line->text.len && line->text.p[line->text.len - 1] == '\r') line->text.len--;
  r->p = stop ? stop + 1 : r->end;
  r->line++;
  return true;
}

static void add_field(csv_reader *r, hx_val field) {
  *HX_VEC_PUSH(&r->cx->scratch, &r->fields) = field;
}

/* Reads a field without quotes. Sets *more to whether a comma follows the field. */
static bool read_plain(csv_reader *r, hx_str *rest, bool *more) {
  const char *comma = memchr(rest->p, ',', rest->len);
  uint32_t len = comma ? (uint32_t)(comma - rest->p) : rest->len;
  if (memchr(rest->p, '"', len)) return wrong(r, "a quote is within a field that doesn't begin with one");
  add_field(r, hx_part_value(rest->p, len));
  *more = comma != NULL;
  len += *more;
  *rest = hx_str_from(*rest, len);
  return true;
}

/* Reads a field in quotes, after its first quote. The field may span several lines. Sets *rest to the rest of the last one. */
static bool read_quoted(csv_reader *r, csv_line *line, hx_str *rest, bool *more) {
  hx_buf b;
  hx_buf_init(&b, &r->cx->arena, 64);
  for (;;) {
    const char *quote = memchr(rest->p, '"', rest->len);
    uint32_t len = quote ? (uint32_t)(quote - rest->p) : rest->len;
    hx_buf_bytes(&b, rest->p, len);
    if (!quote) {
      if (line->ended) hx_buf_put(&b, '\n');
      if (!read_line(r, line)) return wrong(r, "a quote is missing at the end of a field");
      *rest = line->text;
      continue;
    }
    *rest = (hx_str){ quote + 1, rest->len - len - 1 };
    bool doubled = rest->len && rest->p[0] == '"';
    *more = rest->len && rest->p[0] == ',';
    if (rest->len && !doubled && !*more) return wrong(r, "something follows the quote that ends a field");
    if (doubled || *more) *rest = hx_str_from(*rest, 1);
    if (!doubled) break;
    hx_buf_put(&b, '"');
  }
  add_field(r, hx_string_of(r->cx, hx_buf_done(&b)));
  return true;
}

/* Reads the fields of the next record. Returns false if the record is malformed, or if no record is left (r->why is then NULL). */
static bool read_record(csv_reader *r) {
  csv_line line;
  r->fields.n = 0;
  do {
    if (!read_line(r, &line)) return false;
  } while (line.text.len == 0);
  hx_str rest = line.text;
  hx_charge_steps(r->cx, 1);
  for (bool more = true; more;) {
    bool quoted = rest.len && rest.p[0] == '"';
    if (quoted) rest = hx_str_from(rest, 1);
    if (quoted ? !read_quoted(r, &line, &rest, &more) : !read_plain(r, &rest, &more)) return false;
  }
  return true;
}

static hx_val fail_csv(hx_call *call, const csv_reader *r) {
  if (hx_args_are_marked(call)) return hx_fail_call(call, "The text is not CSV: %s.", r->why);
  return hx_fail_call(call, "The text is not CSV: in line %u %s.", r->line, r->why);
}

/* Reads the first record, which names the columns. Returns NULL after reporting a mistake. */
static const hx_shape *read_header(hx_call *call, csv_reader *r) {
  hx_cx *cx = call->cx;
  if (!read_record(r)) {
    if (r->why) fail_csv(call, r);
    else hx_fail_call(call, "The text has no header line, which names the columns.");
    return NULL;
  }
  hx_obj_builder b;
  hx_obj_builder_init(&b, cx, r->fields.n);
  for (uint32_t i = 0; i < r->fields.n; i++) {
    uint32_t at = hx_obj_builder_index(&b, hx_val_str(&r->fields.p[i]));
    if (at < i) {
      hx_fail_telling(call, HX_BLAME_CALL, "Two columns of the header line have the same name. Give each its own.",
                      "Columns %u and %u of the header line have the same name. Give each its own.", at + 1, i + 1);
      return NULL;
    }
  }
  return hx_obj_builder_object(&b).u.obj->shape;
}

static const hx_type *row_type(hx_cx *cx, const hx_shape *columns) {
  hx_val *v = HX_NEW_ARRAY(cx, hx_val, columns->n);
  for (uint32_t i = 0; i < columns->n; i++) v[i] = hx_null(&hx_type_string);
  hx_val row = hx_object(cx, columns, v);
  return hx_val_type(cx, &row);
}

static hx_val read_rows(hx_call *call, csv_reader *r) {
  hx_cx *cx = call->cx;
  const hx_shape *columns = read_header(call, r);
  if (!columns) return hx_none();
  HX_VEC(hx_val) rows = { 0 };
  while (read_record(r)) {
    if (r->fields.n != columns->n)
      return hx_fail_telling(call, HX_BLAME_CALL, "A line has more fields or fewer than the header line.",
                             "Line %u has %u fields, and the header line has %u.", r->line, r->fields.n, columns->n);
    hx_val *v = HX_NEW_ARRAY(cx, hx_val, columns->n);
    memcpy(v, r->fields.p, columns->n * sizeof *v);
    *HX_VEC_PUSH(&cx->arena, &rows) = hx_object(cx, columns, v);
  }
  if (r->why) return fail_csv(call, r);
  return hx_list(cx, row_type(cx, columns), rows.p, rows.n);
}

static hx_val fn_csvdecode(hx_call *call, const hx_val *args) {
  hx_str s = hx_val_str(&args[0]);
  csv_reader r = { .cx = call->cx, .p = s.p, .end = s.p + s.len };
  hx_arena_mark mark = hx_arena_get_mark(&call->cx->scratch);
  hx_charge_steps(call->cx, s.len / 16);
  hx_val out = read_rows(call, &r);
  hx_arena_release(&call->cx->scratch, mark);
  return out;
}

const hx_fn hx_fns_csv[] = {
  { .name = "csvdecode",
    .impl = fn_csvdecode,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("str") },
    .summary = "Parses CSV text into a list of objects.",
    .doc = "The first line names the columns. Each further line gives an object whose attributes are strings. A field in double "
           "quotes may contain commas, line ends and doubled quotes.",
    .example = "csvdecode(\"id,name\\n1,Ann\\n2,Bob\\n\")" },
  { .name = NULL },
};
