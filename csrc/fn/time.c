/* time.c: functions about time, such as formatdate, timeadd and timestamp. Headers: vm/fn.h. */
#include "fn/time.h"

#include "fn/arguments.h"
#include "value/render.h"
#include "value/unknown.h"
#include "vm/host.h"

#define RESULT_PREC 64u

/* Reads the timestamp that is argument i; a mistake is blamed on `who` (the argument or the call). */
static bool read_time(hx_call *call, uint32_t i, const hx_val *v, int32_t who, hx_time_style style, hx_time *out) {
  const char *why = NULL;
  if (hx_time_read(hx_val_str(v), style, out, &why)) return true;
  hx_str shown = hx_arg_text(call, i, v);
  hx_fail(call, who, "%.*s isn't a timestamp like \"2031-04-09T07:05:03Z\" (RFC 3339). %s", HX_STR_ARG(shown), why);
  return false;
}

static hx_val text_of_time(hx_cx *cx, const hx_time *t) {
  hx_buf b;
  hx_buf_init(&b, &cx->arena, 32);
  hx_time_write(&b, t);
  return hx_string_of(cx, hx_buf_done(&b));
}

static hx_val fn_formatdate(hx_call *call, const hx_val *args) {
  hx_time t;
  hx_buf b;
  hx_str bad = HX_STR("");
  const char *why = NULL;
  if (!read_time(call, 1, &args[1], 1, HX_TIME_STRICT, &t)) return hx_none();
  hx_civil civil = hx_time_civil(&t);
  hx_buf_init(&b, &call->cx->arena, args[0].len + 16);
  if (hx_time_format(&b, hx_val_str(&args[0]), &civil, &bad, &why)) return hx_string_of(call->cx, hx_buf_done(&b));
  if (hx_arg_is_marked(call, 0)) return hx_fail(call, 0, "The format has something that formatdate() can't write.");
  hx_val part = hx_string(bad);
  hx_str shown = hx_render_short(call->cx, &part);
  return hx_fail(call, 0, "The format has %.*s, which formatdate() can't write. %s", HX_STR_ARG(shown), why);
}

/* timeadd. reference: mistakes in either argument are blamed on the call. */
static hx_val fn_timeadd(hx_call *call, const hx_val *args) {
  hx_time t;
  int64_t nanos;
  const char *why = NULL;
  if (!read_time(call, 0, &args[0], HX_BLAME_CALL, HX_TIME_STRICT, &t)) return hx_none();
  hx_charge_steps(call->cx, args[1].len / 8);
  if (!hx_duration_read(hx_val_str(&args[1]), &nanos, &why)) {
    hx_str shown = hx_arg_text(call, 1, &args[1]);
    return hx_fail_call(call, "%.*s isn't a duration. %s", HX_STR_ARG(shown), why);
  }
  t = hx_time_add(&t, nanos);
  return text_of_time(call->cx, &t);
}

static hx_val fn_timecmp(hx_call *call, const hx_val *args) {
  hx_time a, b;
  if (!read_time(call, 0, &args[0], 0, HX_TIME_LOOSE, &a) || !read_time(call, 1, &args[1], 1, HX_TIME_LOOSE, &b)) return hx_none();
  return hx_int_prec(hx_time_cmp(&a, &b), RESULT_PREC);
}

/* timestamp: returns NONE without a failure if the machine must wait for the host's clock and call again. */
static hx_val fn_timestamp(hx_call *call, const hx_val *args) {
  hx_host *host = call->host;
  hx_time now = { 0 };
  (void)args;
  hx_answer answer = host->clock(host, call->cx, &now.seconds);
  HX_ASSERT(answer == HX_ANSWER_OK || answer == HX_ANSWER_WAIT);
  return answer == HX_ANSWER_OK ? text_of_time(call->cx, &now) : hx_none();
}

static hx_val fn_plantimestamp(hx_call *call, const hx_val *args) {
  hx_host *host = call->host;
  const char *why;
  hx_time t;
  (void)args;
  if (!host || host->plan_timestamp.len == 0) {
    return hx_fail_because(call, HX_BLAME_CALL, "plan_timestamp",
                           HX_STR("This scope has no time of a plan. Give it one with the scope's `plan_timestamp`."));
  }
  bool ok = hx_time_read(host->plan_timestamp, HX_TIME_STRICT, &t, &why);
  HX_ASSERT(ok); /* hcl.scope has checked the timestamp */
  (void)ok;
  return text_of_time(call->cx, &t);
}

const hx_fn hx_fns_time[] = {
  { .name = "formatdate",
    .type = &hx_type_string,
    .impl = fn_formatdate,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("format"), HX_TEXT("time") },
    .summary = "Formats a timestamp.",
    .doc = "Letters of the format are parts of the time: YYYY, YY year; M, MM, MMM, MMMM month (4, 04, Apr, April); D, DD day; "
           "EEE, EEEE day of the week; h, hh hour; H, HH hour of twelve with AA or aa for AM or PM; m, mm minute; s, ss second; Z, "
           "ZZZ, ZZZZ, ZZZZZ offset from UTC. Put literal letters in single quotes; '' is a quote. All other characters are "
           "copied. Names are English, and the time zone is that of the timestamp.",
    .example = "formatdate(\"EEE, DD MMM YYYY 'at' hh:mm\", \"2031-04-09T07:05:03Z\")" },
  { .name = "timeadd",
    .type = &hx_type_string,
    .impl = fn_timeadd,
    .params = { HX_TEXT("timestamp"), HX_TEXT("duration") },
    .summary = "Adds a duration to a timestamp.",
    .doc = "A duration has numbers with the units h, m, s, ms, us, ns, such as \"1h30m\", \"0.5s\" or, for the past, \"-24h\". The "
           "result keeps the offset from UTC, and has no fraction of a second.",
    .example = "timeadd(\"2031-04-09T07:05:03Z\", \"-36h\")" },
  { .name = "timecmp",
    .type = &hx_type_number,
    .impl = fn_timecmp,
    .flags = HX_NOT_NULL,
    .params = { HX_TEXT("timestamp_a"), HX_TEXT("timestamp_b") },
    .summary = "Compares two timestamps.",
    .doc = "The result is -1 if the first is earlier, 1 if it is later, and 0 for the same moment, whatever their time zones are.",
    .example = "timecmp(\"2031-04-09T09:05:03+02:00\", \"2031-04-09T07:05:03Z\")" },
  { .name = "timestamp",
    .type = &hx_type_string,
    .impl = fn_timestamp,
    .flags = HX_NOT_NULL | HX_IMPURE,
    .needs = HX_NEEDS_CLOCK,
    .summary = "Returns the current time.",
    .doc =
        "The time is in UTC, such as \"2031-04-09T07:05:03Z\", and differs in each call. A scope may have its own clock, or none.",
    .example = "timecmp(timestamp(), \"2000-01-01T00:00:00Z\")" },
  { .name = "plantimestamp",
    .type = &hx_type_string,
    .impl = fn_plantimestamp,
    .flags = HX_NOT_NULL | HX_IMPURE,
    .summary = "Returns the time of the plan.",
    .doc = "Each call returns the same time: the scope's `plan_timestamp`. Without that, the function is an error.",
    .example = "can(plantimestamp())" },
  { .name = NULL },
};
