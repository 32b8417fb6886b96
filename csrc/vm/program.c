#include "vm/program.h"

#include "vm/compiler.h"

/* The first chunk: a small expression with its tree, code and tables fits. */
#define FIRST_CHUNK 2048u

typedef struct job {
  hx_program *p;
  hx_str text;
  const hx_program_options *options;
} job;

static void init(hx_program *p, const hx_limits *limits) {
  memset(p, 0, sizeof *p);
  hx_cx_init(&p->cx, limits, FIRST_CHUNK);
}

static hx_node *parse(hx_program *p, hx_syntax syntax) {
  switch (syntax) {
    case HX_SYNTAX_NATIVE: return hx_parse_expression(&p->cx, p->source);
    case HX_SYNTAX_TEMPLATE: return hx_parse_template(&p->cx, p->source);
    case HX_SYNTAX_BODY: return hx_parse_body(&p->cx, p->source);
    case HX_SYNTAX_JSON: break;
  }
  hx_diag_add(&p->cx, HX_D_SYNTAX_JSON, p->source, hx_range_of(0, 0));
  return NULL;
}

static void build(hx_cx *cx, void *ud) {
  const job *j = ud;
  const hx_program_options *o = j->options;
  j->p->source = hx_source_new(cx, j->text, o->filename, o->line ? o->line : 1, o->column ? o->column : 1);
  j->p->root = parse(j->p, o->syntax);
  if (cx->diags.errors == 0 && j->p->root && o->syntax != HX_SYNTAX_BODY) hx_compile(j->p, j->p->root);
}

static void build_part(hx_cx *cx, void *ud) {
  const job *j = ud;
  (void)cx;
  hx_compile(j->p, j->p->root);
}

static hx_why guarded(hx_program *p, void (*fn)(hx_cx *cx, void *ud), job *j) {
  hx_why why = hx_guard_run(&p->cx, fn, j);
  if (why == HX_WHY_NONE) return why;
  p->code = NULL;
  hx_why_report(&p->cx, why);
  return why;
}

hx_why hx_program_init(hx_program *p, hx_str text, const hx_program_options *options) {
  job j = { p, text, options };
  init(p, &options->limits);
  return guarded(p, build, &j);
}

hx_why hx_program_init_part(hx_program *p, hx_program *of, hx_node *expression) {
  job j = { .p = p };
  init(p, &of->cx.limits);
  p->source = of->source;
  p->root = expression;
  return guarded(p, build_part, &j);
}

void hx_program_deinit(hx_program *p) {
  hx_cx_deinit(&p->cx);
  p->code = NULL;
}
