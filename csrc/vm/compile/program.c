/* program.c: makes a program from a tree or a source, copies and frees it. */
#include "vm/compile/program.h"

#include "syntax/json.h"
#include "vm/compile/compiler.h"

/* The sizes of the first chunks: of a program with its own tree, and of a program whose tree is in other memory. The code and
** tables of a small expression fit in the second. */
#define FIRST_CHUNK 2048u
#define CODE_CHUNK 512u

typedef struct job {
  hx_program *p;
  hx_str text;
  const hx_program_options *options;
  hx_node *(*make)(hx_cx *cx, void *ud);
  void *ud;
} job;

static hx_node *parse(hx_program *p, hx_syntax syntax) {
  switch (syntax) {
    case HX_SYNTAX_NATIVE: return hx_parse_expression(&p->cx, p->source);
    case HX_SYNTAX_TEMPLATE: return hx_parse_template(&p->cx, p->source);
    case HX_SYNTAX_BODY: return hx_parse_body(&p->cx, p->source);
    case HX_SYNTAX_JSON: return hx_parse_json(&p->cx, p->source);
    case HX_SYNTAX_JSON_BODY: return hx_parse_json_body(&p->cx, p->source);
    case HX_SYNTAX_JSON_LITERAL: p->source->literal = true; return hx_parse_json_body(&p->cx, p->source);
  }
  HX_UNREACHABLE();
  return NULL;
}

static void build(hx_cx *cx, void *ud) {
  const job *j = ud;
  const hx_program_options *o = j->options;
  j->p->source = hx_source_new(cx, j->text, o->filename, o->line ? o->line : 1, o->column ? o->column : 1);
  j->p->source->byte = o->byte;
  if (o->nsections) hx_source_divide(cx, j->p->source, o->sections, o->nsections);
  j->p->root = parse(j->p, o->syntax);
  bool body = o->syntax == HX_SYNTAX_BODY || o->syntax == HX_SYNTAX_JSON_BODY || o->syntax == HX_SYNTAX_JSON_LITERAL;
  bool later = o->later && o->syntax != HX_SYNTAX_JSON;
  if (cx->diags.errors == 0 && !body && !later) hx_compile(j->p, j->p->root);
}

static void build_code(hx_cx *cx, void *ud) {
  const job *j = ud;
  hx_compile(j->p, j->p->root);
  /* Compiling also reads the templates of JSON syntax. Malformed templates report their errors when they are evaluated. */
  if (j->p->part) cx->diags = (hx_diags){ 0 };
}

static void build_made(hx_cx *cx, void *ud) {
  const job *j = ud;
  j->p->root = j->make(cx, j->ud);
  j->p->part = true;
  build_code(cx, ud);
}

static hx_why guarded(hx_program *p, void (*fn)(hx_cx *cx, void *ud), job *j) {
  hx_why why = hx_guard_run(&p->cx, fn, j);
  if (why == HX_WHY_NONE) return why;
  p->code = NULL;
  if (p->part) p->cx.diags = (hx_diags){ 0 };
  hx_why_report(&p->cx, why);
  return why;
}

hx_why hx_program_init(hx_program *p, hx_str text, const hx_program_options *options) {
  job j = { .p = p, .text = text, .options = options };
  hx_cx_init(&p->cx, &options->limits, options->room_size ? CODE_CHUNK : FIRST_CHUNK);
  if (options->room_size) hx_arena_seed(&p->cx.arena, options->room, options->room_size);
  return guarded(p, build, &j);
}

hx_why hx_program_ready(hx_program *p) {
  job j = { .p = p };
  if (p->code) return HX_WHY_NONE;
  if (p->cx.diags.first == &p->cx.why_diag) p->cx.diags = (hx_diags){ 0 }; /* drops the diagnostic of the last attempt */
  p->cx.steps_left = p->cx.limits.steps;
  hx_why why = guarded(p, build_code, &j);
  hx_arena_free(&p->cx.scratch); /* a program is compiled once, and thousands of programs may stay in memory */
  return why;
}

void hx_program_init_part(hx_program *p, const hx_program *of, hx_node *expression) {
  hx_cx_init(&p->cx, &of->cx.limits, CODE_CHUNK);
  p->source = of->source;
  p->root = expression;
  p->part = true;
}

hx_why hx_program_init_made(hx_program *p, hx_program *of, hx_node *(*make)(hx_cx *cx, void *ud), void *ud) {
  job j = { .p = p, .make = make, .ud = ud };
  hx_cx_init(&p->cx, &of->cx.limits, FIRST_CHUNK);
  p->source = of->source;
  return guarded(p, build_made, &j);
}

void hx_program_deinit(hx_program *p) {
  hx_cx_deinit(&p->cx);
  p->code = NULL;
}
