/* template.c: templatefile and templatestring. Headers: vm/fn.h. The machine runs the template (vm/entry.h); its names are the
** variables given. Source: the reference's MakeTemplateFileFunc and MakeTemplateStringFunc. */
#include "fn/arguments.h"
#include "fn/file.h"
#include "text/unicode.h"
#include "text/quote.h"
#include "value/marks.h"
#include "vm/entry.h"
#include "vm/compile/program.h"
#include "vm/references.h"

/* A compiled template, kept in the activity's list, because a loop runs the same template again and again. Its program has its own
** memory, which is freed with cx->arena. */
typedef struct compiled {
  hx_program program; /* code is NULL if the source has errors */
  hx_references uses; /* the named values on which it depends */
  hx_str name, text;
  struct compiled *next;
} compiled;

/* This many of the latest templates are searched before one is compiled again. Values may point into templates, so all templates
** live as long as the activity. */
#define LOOKED_MAX 64

/* Comparing this many bytes of text takes a step. */
#define COMPARED_A_STEP 128u

/* The least memory that a program takes, and the memory for each byte of its source. */
#define LEAST 3072u
#define A_BYTE 16u

static compiled **compiled_in(hx_cx *cx) {
  static const char key;
  return hx_keep(cx, &key, sizeof(compiled *), NULL);
}

static void free_program(void *p) {
  hx_program_deinit(p);
}

static compiled *compile(hx_cx *cx, hx_str text, hx_str name) {
  hx_program_options options = { .filename = name, .syntax = HX_SYNTAX_TEMPLATE, .limits = cx->limits };
  hx_charge_steps(cx, 1 + text.len / 4);
  hx_charge_memory(cx, LEAST + A_BYTE * (uint64_t)text.len);
  compiled *t = HX_NEW(cx, compiled);
  memset(t, 0, sizeof *t);
  t->name = hx_str_copy(cx, name);
  t->text = hx_str_copy(cx, text);
  hx_why why = hx_program_init(&t->program, t->text, &options);
  hx_arena_defer(&cx->arena, free_program, &t->program);
  if (why != HX_WHY_NONE) hx_abort(cx, why);
  if (t->program.code) hx_references_of(cx, t->program.source, t->program.root, &t->uses);
  return t;
}

/* Returns the template of a text, which must be well-formed UTF-8; errors are in the program's diagnostics. name: the name of the
** text in diagnostics. */
static compiled *template_of(hx_cx *cx, hx_str text, hx_str name) {
  compiled **first = compiled_in(cx);
  uint32_t looked = 0;
  for (compiled *t = *first; t && looked < LOOKED_MAX; t = t->next, looked++) {
    if (t->text.len == text.len) hx_charge_steps(cx, text.len / COMPARED_A_STEP);
    if (hx_str_eq(t->text, text) && hx_str_eq(t->name, name)) return t;
  }
  compiled *t = compile(cx, text, name);
  t->next = *first;
  *first = t;
  return t;
}

/* Checks the variables: an object or map whose keys can be names. Returns false after reporting a mistake. */
static bool check_variables(hx_call *call, const hx_val *vars) {
  if (!hx_is_obj(vars)) {
    hx_fail_with(call, 1, "A template's variables are the attributes of an object, or the keys of a map, but this is %s.",
                 hx_arg_type(call, vars));
    return false;
  }
  const hx_shape *shape = vars->u.obj->shape;
  hx_charge_steps(call->cx, vars->len);
  for (uint32_t i = 0; i < vars->len; i++) {
    if (hx_is_identifier(shape->keys[i])) continue;
    hx_str shown = hx_quote_short(call->cx, shape->keys[i], 40);
    if (hx_arg_is_marked(call, 1)) shown = HX_STR("A key");
    hx_fail(call, 1, "%.*s can't be a variable's name: names are letters, digits, _ and -, and begin with a letter.",
            HX_STR_ARG(shown));
    return false;
  }
  return true;
}

/* Checks the variables that the template names. reference: they must exist, even if they are not evaluated. Returns false after
** reporting a mistake. */
static bool check_uses(hx_call *call, const compiled *t, const hx_val *vars, bool secret) {
  for (uint32_t i = 0; i < t->uses.n; i++) {
    const hx_step *root = &t->uses.p[i].steps[0];
    hx_str name = { root->text, root->len };
    if (hx_obj_get(vars, name)) continue;
    if (secret) {
      hx_fail(call, 1, "A variable that the template uses is missing. Its name is not shown, since the template is sensitive.");
      return false;
    }
    hx_diag *inner = HX_NEW(call->cx, hx_diag);
    *inner = (hx_diag){ .source = t->program.source, .subject = t->uses.p[i].range, .has_range = true };
    call->inner = inner;
    hx_fail(call, 1, "The template uses \"%.*s\", which is not among its variables. Add it.", HX_STR_ARG(name));
    return false;
  }
  return true;
}

static hx_val enter(hx_call *call, const compiled *t, const hx_val *vars, uint8_t forbids, bool secret, const hx_marks *marks,
                    hx_val (*finish)(hx_call *call, hx_val result)) {
  if (!check_variables(call, vars) || !check_uses(call, t, vars, secret)) return hx_none();
  hx_entry *entry = HX_NEW(call->cx, hx_entry);
  *entry = (hx_entry){
    .program = &t->program,
    .variables = *vars,
    .forbids = forbids,
    .secret_text = secret,
    .secret_variables = hx_arg_is_marked(call, 1),
    .marks = marks,
    .finish = finish,
  };
  return hx_enter(call, entry);
}

static bool is_result(hx_call *call, const hx_val *v) {
  if (!hx_is_null(hx_unmarked(v))) return true;
  hx_fail_call(call, "The template's result is null. Replace null by a value, for example with coalesce().");
  return false;
}

/* templatefile */

static hx_val finish_file(hx_call *call, hx_val result) {
  return is_result(call, &result) ? result : hx_none();
}

static hx_val fn_templatefile(hx_call *call, const hx_val *args) {
  hx_str text;
  hx_val instead;
  bool secret = hx_arg_is_marked(call, 0);
  if (!hx_file_text(call, &args[0], &text, &instead)) return instead;
  const compiled *t = template_of(call->cx, text, secret ? HX_STR(HX_HIDDEN_TEXT) : hx_val_str(&args[0]));
  if (!t->program.code) return hx_fail_inner(call, HX_BLAME_CALL, &t->program.cx.diags, secret, false);
  return enter(call, t, &args[1], 0, secret, NULL, finish_file);
}

/* templatestring */

static hx_val finish_string(hx_call *call, hx_val result) {
  hx_val out;
  if (!is_result(call, &result)) return hx_none();
  if (hx_convert(call->cx, &result, &hx_type_string, &out, NULL)) return hx_mark(call->cx, out, call->entry->marks);
  return hx_fail_with(call, HX_BLAME_CALL,
                      "The template's result must be text, but it is %s. Write a value as text with jsonencode(), or join().",
                      hx_arg_type(call, &result));
}

/* Returns true if the first argument is a usable template. Otherwise *out is the result, or a mistake was reported. */
static bool has_template(hx_call *call, hx_val *out) {
  const hx_text_argument *text = call->text;
  const hx_val *bare = hx_unmarked(&text->v);
  *out = hx_none();
  if (text->form == HX_TEXT_LITERAL)
    hx_fail(
        call, 0,
        "A template in the source needs no templatestring(): write it as a string. The function takes a reference to a template "
        "from elsewhere.");
  else if (text->form == HX_TEXT_OTHER)
    hx_fail(call, 0, "It must be a reference to the template, such as local.greeting: put its expression into a named value.");
  else if (text->failed) hx_fail(call, 0, "The template can't be evaluated. %.*s", HX_STR_ARG(text->why));
  else if (hx_is_unknown(bare)) *out = hx_unknown(call->cx, &hx_type_string);
  else if (bare->tag == HX_T_STR) return true;
  else {
    hx_fail_with(call, 0, "The template must be a string, but this is %s.",
                 hx_is_null(bare) ? HX_STR("null") : hx_arg_type(call, bare));
  }
  return false;
}

static hx_val fn_templatestring(hx_call *call, const hx_val *args) {
  hx_val out;
  if (!has_template(call, &out)) return out;
  const hx_val *text = hx_unmarked(&call->text->v);
  bool secret = text != &call->text->v || call->cx->secret;
  const compiled *t = template_of(call->cx, hx_val_str(text), HX_STR("the template"));
  if (!t->program.code) return hx_fail_inner(call, 0, &t->program.cx.diags, secret, false);
  return enter(call, t, &args[1], HX_NEEDS_FILES, secret, hx_marks_get(&call->text->v), finish_string);
}

const hx_fn hx_fns_template[] = {
  { .name = "templatefile",
    .impl = fn_templatefile,
    .needs = HX_NEEDS_FILES | HX_NEEDS_ENTRY,
    .flags = HX_TYPED_MARKS,
    .params = { HX_TEXT("path"), { .name = "vars", .type = &hx_type_dynamic } },
    .summary = "Renders a template file.",
    .doc = "The second argument, an object or map, has all names that the template sees. The template may call the same functions "
           "as its caller, except templatefile and templatestring. The path is relative like that of file(). A template that is "
           "only ${…} gives that value, with its type.",
    .example = "templatefile(\"tmpl/list.tftpl\", { items = [\"a\", \"b\"] })" },
  { .name = "templatestring",
    .type = &hx_type_string,
    .impl = fn_templatestring,
    .needs = HX_NEEDS_ENTRY,
    .flags = HX_NOT_NULL | HX_FORM_TEMPLATE,
    .params = { HX_TEXT("template"), { .name = "vars", .type = &hx_type_dynamic } },
    .summary = "Renders a template in a named value.",
    .doc = "The first argument must be a reference, such as local.greeting, because a template in the source needs no function. "
           "The second argument, an object or map, has all names that the template sees. The template may call the same functions "
           "as its caller, except those that read files or run templates.",
    .example = "[for t in [\"Hi $${name}!\"] : templatestring(t, { name = \"Ada\" })]" },
  { .name = NULL },
};
