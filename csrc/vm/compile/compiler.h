/* compiler.h: compiles a tree to code. The compiler is a push-down machine over the tree, with its own stack of tasks. A task is a node and
** its progress. A handler does one phase of a node, and requests a child with hx_compile_child.
** Memory: tables grow in cx->scratch. At the end each is copied in one piece to the program's arena.
** Errors: memory and the limit of steps only. Errors of an expression are reported when it is evaluated. */
#ifndef HX_VM_COMPILE_COMPILER_H
#define HX_VM_COMPILE_COMPILER_H

#include "base/vec.h"
#include "vm/compile/opcode.h"
#include "vm/compile/program.h"

/* A call in the source. */
typedef struct hx_call_site {
  hx_str name;
  const hx_node *node;
  const hx_fn *builtin;                   /* the built-in of that name, or NULL */
  uint32_t nargs;                         /* arguments as written, including the collection before `...` */
  uint32_t begin, end;                    /* addresses of CALL_BEGIN and of the instruction after the call */
  uint32_t type_end;                      /* address after a type argument, or after a HX_FORM_TEMPLATE argument */
  const struct hx_constraint *constraint; /* the type argument; NULL if it is malformed: its evaluation reports why */
  uint16_t form;                          /* HX_FORM_* of the built-in, which decided how the arguments were compiled */
  bool spread;                            /* the call has `...`: the last argument's value is below the others on the stack */
  bool sure;          /* if the host doesn't shadow the built-in, the call needs no check before its arguments */
  hx_quick_fn *quick; /* the built-in's `quick` if the call is `sure`; or NULL */
} hx_call_site;

/* A template in the source. */
typedef struct hx_template_plan {
  const hx_val *parts; /* n parts in order: a string, or NONE for the next value on the stack */
  uint32_t n, takes;   /* takes: how many parts are on the stack */
} hx_template_plan;

/* A conditional in the source. */
typedef struct hx_choice_plan {
  uint32_t yes, no; /* addresses: where each result starts; `no` ends at CHOOSE */
} hx_choice_plan;

typedef enum hx_loop_kind { HX_LOOP_TUPLE, HX_LOOP_OBJECT, HX_LOOP_GROUP, HX_LOOP_SPLAT, HX_LOOP_EACH } hx_loop_kind;

/* A `for`, splat or `dynamic` block in the source. */
typedef struct hx_loop_plan {
  const hx_node *node;
  uint8_t kind; /* hx_loop_kind */
  bool has_if;
  uint32_t rows, body, end; /* addresses: ROWS; the first instruction of an element; the instruction after the loop */
  HX_VEC(hx_column) columns;
} hx_loop_plan;

/* The meaning of a loop's names in its body. */
typedef enum hx_scope_kind {
  HX_SCOPE_FOR,   /* key and value, each by its name */
  HX_SCOPE_SPLAT, /* no name: ITEM refers to the element */
  HX_SCOPE_EACH,  /* one name, with attributes key and value */
  HX_SCOPE_BOUND, /* one name, a constant */
} hx_scope_kind;

typedef struct hx_compile_scope {
  struct hx_compile_scope *outer;
  hx_str key, value;
  uint32_t loop; /* the loop; BOUND: the constant */
  uint8_t kind;  /* hx_scope_kind */
} hx_compile_scope;

typedef struct hx_compile_task {
  const hx_node *node;
  const hx_node *kid; /* the handler's current child */
  uint32_t phase;
  uint32_t start;             /* where the node's code starts */
  uint32_t mark, count, from; /* free for use by the handler */
  uint8_t want;               /* hx_want */
} hx_compile_task;

typedef struct hx_compiler {
  hx_cx *cx; /* the cx of the program */
  hx_program *p;
  bool label; /* the task compiles the label of a `dynamic` block */
  HX_VEC(hx_compile_task) tasks;
  HX_VEC(hx_instr) code;
  HX_VEC(uint32_t) starts;
  HX_VEC(const hx_node *) nodes;
  HX_VEC(hx_val) constants;
  HX_VEC(hx_path) paths;
  HX_VEC(hx_call_site) calls;
  HX_VEC(hx_loop_plan) loops;
  HX_VEC(const hx_shape *) shapes;
  HX_VEC(hx_template_plan) templates;
  HX_VEC(hx_choice_plan) choices;
  hx_compile_scope *scope;
  uint32_t depth, max_depth; /* height of the stack now, and its maximum */
} hx_compiler;

/* Compiles root into p, whose source and cx are set. */
void hx_compile(hx_program *p, const hx_node *root);

/* For the handlers */

/* Requests a child: n is compiled next; then the calling task continues. */
void hx_compile_child(hx_compiler *c, const hx_node *n, hx_want want);
/* Requests the child at t->kid, wanted as a whole, and advances t->kid. Returns false if no child is left. */
bool hx_compile_next(hx_compiler *c, hx_compile_task *t);
/* Ends the current task: its code is complete. */
void hx_compile_done(hx_compiler *c);
/* Adds an instruction and returns its address. start: the address at which the code of the whole expression begins. */
uint32_t hx_emit(hx_compiler *c, hx_code op, uint16_t a, uint32_t b, const hx_node *node, uint32_t start);
/* Adds an instruction with a variable effect: it replaces `takes` values by one. */
uint32_t hx_emit_varying(hx_compiler *c, hx_code op, uint16_t a, uint32_t b, const hx_node *node, uint32_t start, uint32_t takes);
uint32_t hx_compile_constant(hx_compiler *c, const hx_val *v);
/* Sets *out to the value of n if n is a constant whose evaluation can't report anything; otherwise returns false. Looks through
** parentheses, lone interpolations and a minus before a number. */
bool hx_constant_of(hx_compiler *c, const hx_node *n, hx_val *out);
/* Emits the constant v for n. */
void hx_emit_constant(hx_compiler *c, const hx_node *n, const hx_val *v);
/* If the task's code so far consists of n constants, removes this code and returns the constants in the program's arena; otherwise,
** or if n is 0, returns NULL. So a literal becomes one constant, bottom-up, in linear time. */
const hx_val *hx_compile_fold(hx_compiler *c, const hx_compile_task *t, uint32_t n);

/* A handler does the task's current phase. t is valid until the next hx_compile_child. */
typedef void hx_compile_fn(hx_compiler *c, hx_compile_task *t);
hx_compile_fn hx_compile_traversal, hx_compile_relative, hx_compile_index, hx_compile_item; /* path.c */
hx_compile_fn hx_compile_binary, hx_compile_unary, hx_compile_conditional;                  /* operator.c */
hx_compile_fn hx_compile_template, hx_compile_join;                                         /* template.c */
hx_compile_fn hx_compile_tuple, hx_compile_object, hx_compile_key;                          /* construct.c */
hx_compile_fn hx_compile_for, hx_compile_splat;                                             /* loop.c */
hx_compile_fn hx_compile_call;                                                              /* call.c */
hx_compile_fn hx_compile_expanded, hx_compile_decoded, hx_compile_argument, hx_compile_nested, hx_compile_each, hx_compile_within,
    hx_compile_fault; /* body.c */

/* Makes the plan of a loop of any kind (loop.c), and returns its index. */
uint32_t hx_compile_loop_new(hx_compiler *c, const hx_node *node, hx_loop_kind kind);
/* Begins a loop: op takes the collection, which is on the stack. From here on the names are in scope. */
void hx_compile_loop_begin(hx_compiler *c, uint32_t loop, hx_code op, const hx_compile_task *t, hx_compile_scope scope);
/* Ends a loop, whose last instruction has been emitted. */
void hx_compile_loop_end(hx_compiler *c, uint32_t loop);

/* Returns the index of a column of a loop, and adds the column if it is new. Returns -1 if the loop has too many columns. */
int32_t hx_compile_column(hx_compiler *c, uint32_t loop, const hx_path_step *steps, uint32_t n, hx_want want);

#ifdef HX_TEST
/* Returns what is wrong with a program's code, or NULL. testing/ installs its check here. */
typedef const char *hx_check_code(const hx_program *p);
extern hx_check_code *_Atomic hx_compile_check;
#endif

#endif
