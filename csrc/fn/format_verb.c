/* format_verb.c: the verbs of format() and formatlist(). Source: go-cty's stdlib, which passes numbers to Go's fmt: the width of a
** number counts bytes (it is ASCII), the width of a text grapheme clusters. */
#include "fn/format_verb.h"

#include "fn/arguments.h"
#include "fn/json.h"
#include "text/quote.h"
#include "text/unicode.h"

#include <stdarg.h>

bool hx_format_fail(hx_format_job *job, const char *plain, const char *fmt, ...) {
  bool hide = hx_arg_is_marked(job->call, 0);
  va_list args;
  hx_buf b;
  hx_buf_init(&b, &job->call->cx->arena, 192);
  if (job->element >= 0 && !hx_args_are_marked(job->call)) hx_buf_f(&b, "In element %lld of the result: ", (long long)job->element);
  va_start(args, fmt);
  hx_buf_vf(&b, hide && plain ? plain : fmt, &args);
  va_end(args);
  hx_str text = hx_buf_done(&b);
  hx_fail_call(job->call, "%.*s", HX_STR_ARG(text));
  return false;
}

/* Reports that a verb needs another type. A long verb (digits can make one long) is cut. */
static bool fail_argument(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg, const char *needs) {
  hx_str type = hx_arg_type(job->call, arg);
  uint32_t shown = verb->text.len < 40 ? verb->text.len : 40;
  return hx_format_fail(job, "A verb of the format needs another type than its value has.",
                        "\"%.*s\" needs %s, but value %u is %.*s.", (int)shown, verb->text.p, needs, verb->arg, HX_STR_ARG(type));
}

static bool fail_characters(hx_format_job *job) {
  hx_fail_unknown_characters(job->call);
  return false;
}

/* Padding */

/* Checks the limits for a field, and charges it before it is made: "%999999999d" is a short format. */
static void need_field(hx_format_job *job, uint64_t n) {
  hx_cx *cx = job->call->cx;
  hx_need_memory(cx, n + job->out.len);
  hx_charge_steps(cx, n / 64);
}

static bool put_padded(hx_format_job *job, const hx_format_verb *verb, hx_str s) {
  uint32_t pad = 0;
  if (verb->width != HX_FORMAT_NONE && verb->width > 0) {
    if (!hx_unicode_knows(s)) return fail_characters(job);
    uint32_t len = hx_is_ascii(s) && !memchr(s.p, '\r', s.len) ? s.len : hx_grapheme_count(s);
    if (len < verb->width) pad = verb->width - len;
  }
  need_field(job, (uint64_t)pad + s.len);
  if (verb->minus) hx_buf_str(&job->out, s);
  hx_buf_fill(&job->out, verb->zero ? '0' : ' ', pad);
  if (!verb->minus) hx_buf_str(&job->out, s);
  return true;
}

/* Numbers */

/* Writes a number's parts, each possibly empty: [spaces] sign prefix zeros digits [spaces]. */
static void put_number(hx_format_job *job, const hx_format_verb *verb, hx_str sign, hx_str prefix, uint64_t zeros, hx_str digits,
                       bool zero_fill, bool fill_wins) {
  uint64_t len = sign.len + prefix.len + zeros + digits.len, left = 0, right = 0;
  if (verb->width != HX_FORMAT_NONE && verb->width > len) {
    uint64_t pad = verb->width - len;
    if (zero_fill && (fill_wins || !verb->minus)) zeros += pad;
    else if (verb->minus) right = pad;
    else left = pad;
  }
  need_field(job, len + zeros + left + right);
  hx_buf_fill(&job->out, ' ', (uint32_t)left);
  hx_buf_str(&job->out, sign);
  hx_buf_str(&job->out, prefix);
  hx_buf_fill(&job->out, '0', (uint32_t)zeros);
  hx_buf_str(&job->out, digits);
  hx_buf_fill(&job->out, ' ', (uint32_t)right);
}

static hx_str sign_of(const hx_format_verb *verb, bool negative) {
  return negative ? HX_STR("-") : verb->plus ? HX_STR("+") : verb->space ? HX_STR(" ") : HX_STR("");
}

static hx_str without_sign(hx_str s) {
  bool sign = s.len && (s.p[0] == '-' || s.p[0] == '+');
  return hx_str_from(s, sign);
}

typedef struct whole_form {
  char letter;
  int base;
  hx_str prefix; /* with the flag # */
} whole_form;

static const whole_form whole_forms[] = {
  { 'b', 2, { "0b", 2 } }, { 'd', 10, { "", 0 } }, { 'o', 8, { "0", 1 } }, { 'x', 16, { "0x", 2 } }, { 'X', 16, { "0X", 2 } },
};

/* Writes the reference's text for a width or precision with too many digits: Go's fmt then writes that a verb is missing, and the
** number as an extra argument. */
static bool write_no_verb(hx_format_job *job, const hx_val *v, bool whole) {
  hx_cx *cx = job->call->cx;
  hx_buf_c(&job->out, whole ? "%!(NOVERB)%!(EXTRA *big.Int=" : "%!(NOVERB)%!(EXTRA *big.Float=");
  hx_buf_str(&job->out, whole ? hx_num_digits(cx, v, 10, false) : hx_num_format(cx, v, 'g', -1));
  hx_buf_put(&job->out, ')');
  return true;
}

static bool write_whole(hx_format_job *job, const hx_format_verb *verb, const hx_val *v, const whole_form *form) {
  if (hx_num_is_inf(v) || !hx_num_is_whole(v)) return fail_argument(job, verb, v, "a whole number");
  if (verb->wrapped) return write_no_verb(job, v, true);
  hx_str digits = hx_num_digits(job->call->cx, v, form->base, form->letter == 'X');
  bool negative = hx_num_sign(v) < 0, has_prec = verb->prec != HX_FORMAT_NONE;
  digits = without_sign(digits);
  uint64_t zeros = has_prec && verb->prec > digits.len ? verb->prec - digits.len : 0;
  /* Go: a zero with a precision of 0 becomes no text at all, whatever its width. */
  if (has_prec && verb->prec == 0 && hx_num_sign(v) == 0) return true;
  put_number(job, verb, sign_of(verb, negative), verb->sharp ? form->prefix : HX_STR(""), zeros, digits, verb->zero && !has_prec,
             false);
  return true;
}

static bool write_float(hx_format_job *job, const hx_format_verb *verb, const hx_val *v) {
  if (verb->wrapped) return write_no_verb(job, v, false);
  bool general = verb->letter == 'g' || verb->letter == 'G', inf = hx_num_is_inf(v);
  int prec = general ? -1 : 6;
  if (verb->prec != HX_FORMAT_NONE) {
    need_field(job, verb->prec);
    prec = verb->prec < INT32_MAX ? (int)verb->prec : INT32_MAX;
  }
  hx_str text = hx_num_format(job->call->cx, v, verb->letter, prec), sign = sign_of(verb, hx_num_is_negative(v));
  /* Go: plus infinity always has its sign, unless a space takes its place. */
  if (inf && !sign.len) sign = HX_STR("+");
  if (inf && verb->space && sign.p[0] == '+') sign = HX_STR(" ");
  put_number(job, verb, sign, HX_STR(""), 0, without_sign(text), verb->zero && !inf, true);
  return true;
}

static bool write_number(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg) {
  hx_val v;
  if (!hx_convert(job->call->cx, arg, &hx_type_number, &v, NULL)) return fail_argument(job, verb, arg, "a number");
  for (size_t i = 0; i < sizeof whole_forms / sizeof *whole_forms; i++)
    if (whole_forms[i].letter == verb->letter) return write_whole(job, verb, &v, &whole_forms[i]);
  return write_float(job, verb, &v);
}

/* Text and the rest */

/* Returns the first characters, as many as the precision says; 0 counts as no precision. */
static hx_str cut(hx_str s, uint32_t prec) {
  uint32_t at = 0;
  if (prec == HX_FORMAT_NONE || prec == 0) return s;
  for (uint32_t i = 0; i < prec && at < s.len; i++) at += hx_grapheme_len(hx_str_from(s, at));
  return (hx_str){ s.p, at };
}

static bool write_string(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg) {
  hx_cx *cx = job->call->cx;
  hx_val v;
  if (!hx_convert(cx, arg, &hx_type_string, &v, NULL)) return fail_argument(job, verb, arg, "a string");
  hx_str s = cut(hx_val_str(&v), verb->prec);
  if (s.len < v.len && !hx_unicode_knows(hx_val_str(&v))) return fail_characters(job);
  if (verb->letter == 'q') {
    hx_buf quoted;
    hx_buf_init(&quoted, &cx->arena, s.len < UINT32_MAX - 2 ? s.len + 2 : s.len);
    hx_quote_json(&quoted, s, true);
    s = hx_buf_done(&quoted);
  }
  return put_padded(job, verb, s);
}

static bool write_bool(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg) {
  hx_val v;
  if (!hx_convert(job->call->cx, arg, &hx_type_bool, &v, NULL)) return fail_argument(job, verb, arg, "a bool");
  hx_buf_str(&job->out, v.u.i ? HX_STR("true") : HX_STR("false"));
  return true;
}

/* %v: writes strings as they are, numbers as %g; anything else, and everything with #, as JSON. */
static bool write_any(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg) {
  hx_cx *cx = job->call->cx;
  hx_str s;
  if (!verb->sharp && arg->tag == HX_T_STR) {
    s = hx_val_str(arg);
  } else if (!verb->sharp && hx_is_number(arg)) {
    s = hx_num_format(cx, arg, 'g', -1);
  } else {
    hx_buf json;
    hx_buf_init(&json, &cx->arena, 64);
    if (hx_json_write(cx, &json, arg) != HX_JSON_FINE) {
      return hx_format_fail(job, "\"%%v\" writes a value as JSON, which has no infinite numbers.",
                            "\"%%v\" writes value %u as JSON, which has no infinite numbers.", verb->arg);
    }
    s = hx_buf_done(&json);
  }
  return put_padded(job, verb, s);
}

static const struct {
  const char *letters;
  bool (*write)(hx_format_job *job, const hx_format_verb *verb, const hx_val *arg);
} writers[] = {
  { "v", write_any },
  { "t", write_bool },
  { "sq", write_string },
  { "bdoxXeEfgG", write_number },
};

#define VERBS "Verbs are v t s q b d o x X e E f g G, and %%%% for a percent sign."

bool hx_format_verb_write(hx_format_job *job, const hx_format_verb *verb) {
  if (verb->arg == 0 || verb->arg > job->n) {
    return hx_format_fail(job, "The format asks for more values than are given after it.",
                          "The format asks for value %u, and only %u %s given after it.", verb->arg, job->n,
                          job->n == 1 ? "is" : "are");
  }
  const hx_val *arg = &job->args[verb->arg - 1];
  if (hx_is_null(arg) && verb->letter != 'v') {
    return hx_format_fail(job, "A value is null, which only %%v can write. Give a value in its place, as coalesce() does.",
                          "Value %u is null, which only %%v can write. Give a value in its place, as coalesce() does.", verb->arg);
  }
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
    if (strchr(writers[i].letters, verb->letter)) return writers[i].write(job, verb, arg);
  return hx_format_fail(job, "The format has an unknown verb. " VERBS, "The verb %%%c is unknown. " VERBS, verb->letter);
}
