/* format.c: format() and formatlist(): texts with verbs in them. Headers: vm/fn.h. Source: go-cty's stdlib. */
#include "fn/format_verb.h"
#include "base/ascii.h"
#include "text/unicode.h"

/* Reading a format */

typedef struct scanner {
  const char *start, *p, *end;
} scanner;

/* Reads digits as a number. reference: 64-bit integers wrap around, and a negative result counts as no number: then it returns
** `none`. Other numbers that are too large become HX_FORMAT_NONE - 1. Sets *wrapped if the number needs more than 64 bits. */
static uint32_t scan_number(scanner *s, uint32_t none, bool *wrapped) {
  uint64_t n = 0;
  for (; s->p < s->end && hx_is_digit(*s->p); s->p++) {
    uint64_t digit = (uint64_t)(*s->p - '0');
    *wrapped = *wrapped || n > (UINT64_MAX - digit) / 10;
    n = n * 10 + digit;
  }
  if (n > INT64_MAX) return none;
  return n < HX_FORMAT_NONE ? (uint32_t)n : HX_FORMAT_NONE - 1;
}

static void scan_flags(scanner *s, hx_format_verb *verb) {
  for (; s->p < s->end; s->p++) {
    switch (*s->p) {
      case '0': verb->zero = true; break;
      case '#': verb->sharp = true; break;
      case '-': verb->minus = true; break;
      case '+': verb->plus = true; break;
      case ' ': verb->space = true; break;
      default: return;
    }
  }
}

/* Reads the rest of a verb after the `%`: flags, width, precision, [index], letter. Returns false if it is malformed at s->p, which
** may be the end. */
static bool scan_verb(scanner *s, hx_format_verb *verb) {
  scan_flags(s, verb);
  if (s->p < s->end && hx_is_digit(*s->p)) verb->width = scan_number(s, HX_FORMAT_NONE, &verb->wrapped);
  if (s->p < s->end && *s->p == '.') {
    s->p++;
    verb->prec = scan_number(s, HX_FORMAT_NONE, &verb->wrapped);
  }
  if (s->p < s->end && *s->p == '[') {
    s->p++;
    if (s->p == s->end || !hx_is_digit(*s->p) || *s->p == '0') return false;
    bool wrapped = false; /* the number of the argument may have any size */
    verb->arg = scan_number(s, 0, &wrapped);
    if (s->p == s->end || *s->p != ']') return false;
    s->p++;
  }
  if (s->p == s->end || !hx_is_letter(*s->p)) return false;
  verb->letter = *s->p++;
  return true;
}

#define VERB_FORM "one is %%, flags, width, .precision, [number of the value], letter. Write %%%% for a percent sign."

static bool fail_scan(hx_format_job *job, const scanner *s) {
  int32_t cp;
  unsigned offset = (unsigned)(s->p - s->start);
  if (s->p == s->end) return hx_format_fail(job, NULL, "The format ends within a verb. Write %%%% for a percent sign.");
  uint32_t len = hx_utf8_read(s->p, s->end, &cp);
  return hx_format_fail(job, "The format has a percent sign that begins no verb: " VERB_FORM,
                        "\"%.*s\" at byte %u of the format is not a part of a verb: " VERB_FORM, (int)len, s->p, offset);
}

/* Writes the whole format to job->out. Sets *used to the greatest number of a value that was used. Returns false after reporting a
** mistake. */
static bool run(hx_format_job *job, uint32_t *used) {
  scanner s = { job->format.p, job->format.p, job->format.p + job->format.len };
  uint32_t next = 1;
  *used = 0;
  hx_charge_steps(job->call->cx, job->format.len / 64);
  while (s.p < s.end) {
    const char *percent = memchr(s.p, '%', (size_t)(s.end - s.p)), *text = s.p;
    if (!percent) percent = s.end;
    hx_buf_bytes(&job->out, text, (uint32_t)(percent - text));
    if (percent == s.end) break;
    s.p = percent + 1;
    if (s.p < s.end && *s.p == '%') {
      hx_buf_put(&job->out, '%');
      s.p++;
      continue;
    }
    hx_format_verb verb = { .arg = next, .width = HX_FORMAT_NONE, .prec = HX_FORMAT_NONE };
    if (!scan_verb(&s, &verb)) return fail_scan(job, &s);
    verb.text = hx_str_of(percent, (size_t)(s.p - percent));
    if (!hx_format_verb_write(job, &verb)) return false;
    if (verb.arg > *used) *used = verb.arg;
    next = verb.arg + 1;
  }
  return true;
}

/* Returns the text, or NONE after reporting a mistake. */
static hx_val format_text(hx_call *call, hx_str format, const hx_val *args, uint32_t n, int64_t element) {
  hx_format_job job = { .call = call, .format = format, .args = args, .n = n, .element = element };
  uint32_t used;
  hx_buf_init(&job.out, &call->cx->arena, format.len < (1u << 30) ? format.len + 16 : format.len);
  if (!run(&job, &used)) return hx_none();
  if (used < n) {
    const char *why = used ? "The format doesn't use this value." : "The format has no verb, so it uses no value.";
    /* reference: formatlist() doesn't say which argument it was. */
    if (element < 0) return hx_fail(call, (int32_t)used + 1, "%s Leave it out, or write a verb such as %%s for it.", why);
    hx_format_fail(&job, "The format doesn't use all values. Leave the others out, or write verbs such as %%s for them.",
                   "The format uses %u of %u values. Leave the others out, or write verbs such as %%s for them.", used, n);
    return hx_none();
  }
  return hx_string_of(call->cx, hx_buf_done(&job.out));
}

/* format. reference: whatever the unknown values will be, the text before the first percent sign begins the result. */
static hx_val fn_format(hx_call *call, const hx_val *args) {
  hx_str format = hx_val_str(&args[0]);
  for (uint32_t i = 1; i < call->n; i++) {
    if (hx_is_wholly_known(&args[i])) continue;
    hx_val unknown = hx_unknown(call->cx, &hx_type_string);
    const char *percent = memchr(format.p, '%', format.len);
    if (!percent || percent == format.p) return unknown;
    hx_refine f;
    hx_refine_begin(&f, &unknown);
    hx_refine_prefix(call->cx, &f, hx_str_of(format.p, (size_t)(percent - format.p)));
    return hx_refine_done(call->cx, &f);
  }
  return format_text(call, format, args + 1, call->n - 1, -1);
}

/* formatlist */

static bool is_list_like(const hx_val *v) {
  hx_kind kind = hx_val_kind(v);
  return !hx_is_null(v) && hx_kind_is_seq(kind);
}

typedef enum lengths { LENGTHS_NONE, LENGTHS_KNOWN, LENGTHS_UNKNOWN, LENGTHS_FAILED } lengths;

/* Finds the number of elements that all lists have. A list of another length is reported. An unknown tuple has a known number, so it is
** checked as well. */
static lengths common_length(hx_call *call, const hx_val *args, uint32_t n, uint32_t *length) {
  lengths found = LENGTHS_NONE;
  bool unknown = false;
  uint32_t first = 0;
  for (uint32_t i = 1; i < n; i++) {
    const hx_val *v = &args[i];
    if (!is_list_like(v)) {
      if (hx_is_unknown(v) && v->u.unk->type->kind == HX_K_DYNAMIC) unknown = true;
      continue;
    }
    uint32_t len = v->len;
    if (hx_is_unknown(v)) {
      unknown = true;
      if (v->u.unk->type->kind != HX_K_TUPLE) continue;
      len = v->u.unk->type->n;
    } else if (hx_set_may_shrink(v)) {
      unknown = true;
      continue;
    }
    if (found == LENGTHS_NONE) {
      found = LENGTHS_KNOWN;
      first = i;
      *length = len;
    } else if (len != *length) {
      hx_fail_telling(call, (int32_t)i, "Its length differs from that of an earlier list. All lists must have the same length.",
                      "It has %u elements, but argument %u has %u. All lists must have the same length.", len, first + 1, *length);
      return LENGTHS_FAILED;
    }
  }
  return unknown ? LENGTHS_UNKNOWN : found;
}

/* Makes one text. Its values are the elements of the lists at an index, and the arguments that aren't lists. */
static hx_val format_element(hx_call *call, const hx_val *args, uint32_t n, uint32_t index, hx_val *row) {
  for (uint32_t i = 1; i < n; i++) {
    const hx_val *v = &args[i];
    row[i - 1] = is_list_like(v) ? v->u.seq->v[index] : *v;
    if (!hx_is_wholly_known(&row[i - 1])) return hx_unknown_not_null(call->cx, &hx_type_string);
  }
  return format_text(call, hx_val_str(&args[0]), row, n - 1, n > 1 ? (int64_t)index : -1);
}

static hx_val fn_formatlist(hx_call *call, const hx_val *args) {
  uint32_t n = call->n;
  hx_cx *cx = call->cx;
  uint32_t length = 0;
  lengths found = common_length(call, args, n, &length);
  if (found == LENGTHS_FAILED) return hx_none();
  if (found == LENGTHS_UNKNOWN) return hx_unknown(cx, &hx_type_list_string);
  if (found == LENGTHS_NONE) length = 1;
  hx_need_memory(cx, (uint64_t)length * sizeof(hx_val));
  hx_val *out = HX_NEW_ARRAY(cx, hx_val, length), *row = HX_NEW_ARRAY(cx, hx_val, n);
  for (uint32_t i = 0; i < length; i++) {
    hx_charge_steps(cx, n);
    out[i] = format_element(call, args, n, i, row);
    if (call->failed) return hx_none();
  }
  return hx_list(cx, &hx_type_string, out, length);
}

const hx_fn hx_fns_format[] = {
  { .name = "format",
    .type = &hx_type_string,
    .impl = fn_format,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("format") },
    .rest = { "args", &hx_type_dynamic, HX_ALLOW_ANY },
    .summary = "Formats values as a text.",
    .doc = "The format has a verb for each value: %, flags, a width, a precision after a point, the number of a value in brackets, "
           "and a letter, such as %5.2f, %-10s or %[1]d. Letters: v any value (a string as it is, other values as JSON; %#v always "
           "JSON), s string, q string as JSON, t bool, d whole number, b o x X the same in base 2, 8, 16, f e E g G number with a "
           "point or an exponent. Flags: - pads on the right, 0 pads with zeros, + and space put a sign or a space before a "
           "number, # adds a prefix such as 0x. Widths count characters. %% is a percent sign. Every value must be used.",
    .example = "format(\"%s has %d of %05.1f%%\", \"disk\", 3, 99.5)" },
  { .name = "formatlist",
    .type = &hx_type_list_string,
    .impl = fn_formatlist,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("format") },
    .rest = { "args", &hx_type_dynamic, HX_ALLOW_ANY },
    .summary = "Formats a text for each element of lists.",
    .doc = "Like format(), but a value may be a list: then the result has a text for each element. All lists must have the same "
           "length. A value that isn't a list is the same in all texts.",
    .example = "formatlist(\"%s-%d\", [\"a\", \"b\"], 7)" },
  { .name = NULL },
};
