/* template.c: evaluates templates and joined loops. Source: reference's TemplateExpr.Value and TemplateJoinExpr.Value. */
#include "vm/machine/parts.h"

#include "base/buf.h"
#include "text/unicode.h"
#include "vm/outline.h"

/* reference: an unknown string keeps at most this many bytes of its known start */
#define PREFIX_MAX 128u

/* Enough room for any whole number as text. */
#define INT_ROOM 21u

/* Returns true if all parts on the stack are plain strings, or whole numbers with at least 64 bits of precision, whose text shows all
** digits (hx_num_write). Adds to *size the most bytes that these parts need. */
static bool plain_parts(const hx_val *v, uint32_t n, uint64_t *size) {
  for (uint32_t i = 0; i < n; i++) {
    if (v[i].tag == HX_T_STR) *size += v[i].len;
    else if (v[i].tag == HX_T_INT && v[i].len >= 64) *size += INT_ROOM;
    else return false;
  }
  return true;
}

static char *put_int(char *to, int64_t i) {
  char digits[INT_ROOM], *at = digits + sizeof digits;
  uint64_t n = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  do *--at = (char)('0' + n % 10);
  while (n /= 10);
  if (i < 0) *--at = '-';
  size_t len = (size_t)(digits + sizeof digits - at);
  memcpy(to, at, len);
  return to + len;
}

/* A text of plain parts that is being joined, in a piece of memory that has room for all of them. */
typedef struct plain_text {
  char *start, *end;
  bool joins; /* a part doesn't start with ASCII: it may compose with the character before it */
} plain_text;

static inline void put_plain(plain_text *t, const hx_val *v) {
  if (v->tag == HX_T_INT) {
    t->end = put_int(t->end, v->u.i);
  } else if (v->len) {
    t->joins |= (unsigned char)v->u.s[0] >= 0x80;
    memcpy(t->end, v->u.s, v->len);
    t->end += v->len;
  }
}

/* Returns the joined text as a string. Each part is in normal form, so the whole text is too, unless characters where parts meet
** compose. */
static hx_val plain_string(hx_machine *m, const plain_text *t, uint64_t size) {
  size_t len = (size_t)(t->end - t->start);
  if (len != size) hx_arena_trim(&m->cx.arena, t->start, size, len);
  if (HX_UNLIKELY(t->joins)) return hx_string_of(&m->cx, hx_str_of(t->start, len));
  hx_charge_memory(&m->cx, 16 + len);
  return hx_string(hx_str_of(t->start, len));
}

static plain_text begin_plain(hx_machine *m, uint64_t size, uint32_t n) {
  uint64_t numbers = n * (uint64_t)INT_ROOM; /* the most bytes that the numbers need */
  if (size > UINT32_MAX || size > m->cx.memory_left + numbers) hx_abort(&m->cx, HX_WHY_MEMORY);
  char *p = hx_alloc(&m->cx, size);
  return (plain_text){ p, p, false };
}

/* Joins plain parts. v: the parts on the stack; size: the most bytes that they need. */
static hx_val concat_plain(hx_machine *m, const hx_template_plan *plan, const hx_val *v, uint64_t size) {
  const hx_val *parts = plan->parts;
  uint32_t n = plan->n;
  for (uint32_t i = 0; i < n; i++) size += parts[i].tag == HX_T_STR ? parts[i].len : 0;
  plain_text t = begin_plain(m, size, n);
  for (uint32_t i = 0; i < n; i++) put_plain(&t, parts[i].tag == HX_T_NONE ? v++ : &parts[i]);
  return plain_string(m, &t, size);
}

/* A template joined so far. */
typedef struct partial {
  hx_buf text;
  const hx_marks *marks;
  bool unknown; /* some part is unknown: text is the known start */
  bool failed;  /* an error occurred: nothing more is added */
  bool starts;  /* some part will be unknown: only a known start is wanted */
} partial;

static void add_text(hx_machine *m, partial *d, hx_str s) {
  uint32_t most = PREFIX_MAX + 1; /* one byte more than is kept, so that the cut is noticed */
  if (d->starts && s.len > most - d->text.len) s.len = most - d->text.len;
  if ((uint64_t)d->text.len + s.len > m->cx.memory_left) hx_abort(&m->cx, HX_WHY_MEMORY);
  hx_buf_str(&d->text, s);
}

static void report_part(hx_machine *m, hx_diag_id id, const hx_node *part, hx_str why) {
  hx_diag_add(&m->cx, id, m->program->source, hx_node_range(part), HX_STR_ARG(why))->context = hx_node_range(hx_machine_node(m));
}

static bool to_string(hx_machine *m, const hx_val *v, hx_val *out, hx_why_not *why) {
  if (v->tag == HX_T_STR) {
    *out = *v;
    return true;
  }
  if (hx_is_refused(v, &hx_type_string)) {
    why->text = hx_refusal(&m->cx, v, &hx_type_string);
    return false;
  }
  *out = hx_to_string_fast(&m->cx, v);
  return out->tag != HX_T_NONE || hx_convert(&m->cx, v, &hx_type_string, out, why);
}

static void add_part(hx_machine *m, partial *d, const hx_node *part, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  if (hx_is_null(bare)) {
    report_part(m, HX_D_TEMPLATE_NULL, part, HX_STR(""));
    d->failed = true;
    return;
  }
  d->marks = hx_marks_join(&m->cx, d->marks, hx_marks_get(v));
  if (hx_is_unknown(bare)) d->unknown = true;
  if (hx_is_unknown(bare) && !hx_open_of(bare) && !m->host->check) return;
  hx_why_not why = { { "", 0 } };
  hx_val text;
  if (!to_string(m, bare, &text, &why)) {
    report_part(m, HX_D_TEMPLATE_TYPE, part, why.text);
    d->failed = true;
  } else if (!d->unknown && !d->failed) add_text(m, d, hx_val_str(hx_unmarked(&text)));
}

/* Returns the start of s, at most max bytes, cut between characters. Sets *within to true if a character didn't fit whole. */
static hx_str cut(hx_str s, uint32_t max, bool *within) {
  *within = false;
  if (s.len <= max) return s;
  s.len = max;
  while (s.len && ((unsigned char)s.p[s.len] & 0xC0) == 0x80) s.len--;
  *within = s.len < max;
  return s;
}

static hx_val unknown_template(hx_machine *m, hx_str start) {
  hx_val v = hx_unknown(&m->cx, &hx_type_string);
  hx_refine f;
  hx_refine_begin(&f, &v);
  hx_refine_not_null(&f);
  bool within;
  start = cut(start, PREFIX_MAX, &within);
  if (within) hx_refine_prefix_full(&m->cx, &f, hx_known_before_cut(hx_nfc(&m->cx, start)));
  else if (start.len) hx_refine_prefix(&m->cx, &f, start);
  return hx_refine_done(&m->cx, &f);
}

/* Returns how many parts on the stack come before the first one whose evaluation failed. The code of the parts is in a row before the
** template's instruction; the last instruction of each part shows where the part starts. */
static uint32_t sound_parts(const hx_machine *m, uint32_t takes) {
  const uint32_t *starts = m->program->starts;
  uint32_t end = m->pc, error = hx_errors_first(m, starts[m->pc], m->pc);
  if (error == UINT32_MAX) return takes;
  while (takes > 0 && end > error) {
    end = starts[end - 1];
    takes--;
  }
  return takes;
}

static bool any_unknown(const hx_val *v, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (hx_is_unknown(hx_unmarked(&v[i]))) return true;
  return false;
}

static hx_val concat_any(hx_machine *m, const hx_template_plan *plan, const hx_val *v) {
  partial d = { .marks = NULL, .unknown = false };
  uint32_t sound = m->cx.diags.errors ? sound_parts(m, plan->takes) : plan->takes;
  const hx_node *part = hx_machine_node(m)->u.kids.first;
  hx_buf_init(&d.text, &m->cx.arena, 64);
  d.starts = any_unknown(v, plan->takes);
  for (uint32_t i = 0; i < plan->n; i++, part = part->next) {
    bool stacked = plan->parts[i].tag == HX_T_NONE;
    if (stacked && sound == 0) d.failed = true;
    else if (stacked) sound--;
    add_part(m, &d, part, stacked ? v++ : &plan->parts[i]);
  }
  hx_str text = hx_buf_done(&d.text);
  hx_val out = d.unknown ? unknown_template(m, d.failed ? HX_STR("") : text) : hx_string_of(&m->cx, text);
  return hx_mark(&m->cx, out, d.marks);
}

hx_went hx_slow_template(hx_machine *m, const hx_instr *in) {
  const hx_template_plan *plan = &m->program->templates[in->b];
  uint32_t takes = plan->takes;
  const hx_val *v = m->top - takes;
  uint64_t size = 0;
  bool plain = plain_parts(v, takes, &size) && !m->cx.diags.errors;
  hx_val out = HX_LIKELY(plain) ? concat_plain(m, plan, v, size) : concat_any(m, plan, v);
  hx_machine_put(m, takes, out);
  return HX_WENT_ON;
}

/* Adds the text of one iteration of a loop, which is known. */
static void join_one(hx_machine *m, partial *d, const hx_val *v) {
  const hx_val *bare = hx_unmarked(v);
  HX_ASSERT(hx_val_kind(bare) == HX_K_STRING && !hx_is_null(bare));
  d->marks = hx_marks_join(&m->cx, d->marks, hx_marks_get(v));
  add_text(m, d, hx_val_str(bare));
}

hx_went hx_slow_join(hx_machine *m, const hx_instr *in) {
  (void)in;
  const hx_val *given = m->top - 1, *tuple = hx_unmarked(given);
  const hx_marks *marks = hx_marks_get(given);
  uint64_t size = 0;
  if (tuple->tag != HX_T_TUPLE) {
    hx_machine_put(m, 1, hx_unknown(&m->cx, &hx_type_string));
    return HX_WENT_ON;
  }
  const hx_val *v = tuple->u.seq->v;
  hx_val out;
  if (plain_parts(v, tuple->len, &size)) {
    plain_text t = begin_plain(m, size, tuple->len);
    for (uint32_t i = 0; i < tuple->len; i++) put_plain(&t, &v[i]);
    out = hx_mark(&m->cx, plain_string(m, &t, size), marks);
  } else if (any_unknown(v, tuple->len)) {
    out = hx_mark(&m->cx, hx_unknown(&m->cx, &hx_type_string), marks);
  } else {
    partial d = { .marks = marks };
    hx_buf_init(&d.text, &m->cx.arena, 64);
    for (uint32_t i = 0; i < tuple->len; i++) join_one(m, &d, &v[i]);
    out = hx_mark(&m->cx, hx_string_of(&m->cx, hx_buf_done(&d.text)), d.marks);
  }
  hx_machine_put(m, 1, out);
  return HX_WENT_ON;
}
