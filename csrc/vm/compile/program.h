/* program.h: a source ready for evaluation: text, tree, code, constants, paths. A compiled program is immutable, except for caches: anchors
** in `paths`, answers in `path_caches`, and `builtins_in`.
** Memory: everything is in the program's own activity `cx`. An evaluation may point into the program, so a program outlives its
**   evaluations.
** Errors: parse errors are in cx.diags. A program with errors is not compiled (code is NULL). */
#ifndef HX_VM_COMPILE_PROGRAM_H
#define HX_VM_COMPILE_PROGRAM_H

#include "syntax/parser.h"
#include "vm/host.h"

typedef struct hx_instr hx_instr; /* vm/compile/opcode.h */

/* The remembered answer of a path. It is valid while the host's serial is `serial` (see hx_host). */
typedef struct hx_path_cache {
  uint64_t serial; /* 0: nothing yet */
  hx_val value;
} hx_path_cache;

typedef struct hx_program {
  hx_cx cx;
  hx_source *source;
  hx_node *root;
  const hx_instr *code;
  uint32_t ncode;
  const uint32_t *starts;      /* for each instruction: the address at which the code of its whole expression starts */
  const hx_node *const *nodes; /* for each instruction: the node that it was made for */
  hx_val *constants;
  uint32_t nconstants;
  hx_path *paths;
  uint32_t npaths;
  hx_path_cache *path_caches; /* npaths of them */
  struct hx_call_site *calls; /* vm/compile/compiler.h: name, arguments, built-in row, ranges */
  uint32_t ncalls;
  struct hx_loop_plan *loops; /* columns of each `for` and splat */
  uint32_t nloops;
  const hx_shape **shapes; /* of objects whose keys are all constant */
  uint32_t nshapes;
  struct hx_template_plan *templates; /* vm/compile/compiler.h: parts */
  uint32_t ntemplates;
  struct hx_choice_plan *choices; /* vm/compile/compiler.h: the code of both results */
  uint32_t nchoices;
  uint64_t builtins_in; /* the last set of functions (hx_host.functions) in which all calls of built-ins reached them; or 0 */
  uint32_t max_stack;   /* the greatest height of the machine's stack */
  bool constant;        /* the program needs no scope at all */
  bool part;            /* the program is an expression of a body */
  bool records;         /* the values of its parts are recorded (vm/machine/record.h); set before the code is made */
} hx_program;

/* The kind of a source. */
typedef enum hx_syntax {
  HX_SYNTAX_NATIVE,       /* an expression of native syntax */
  HX_SYNTAX_TEMPLATE,     /* a bare template */
  HX_SYNTAX_JSON,         /* an expression of the JSON syntax */
  HX_SYNTAX_BODY,         /* a body of native syntax */
  HX_SYNTAX_JSON_BODY,    /* a body of the JSON syntax */
  HX_SYNTAX_JSON_LITERAL, /* as JSON_BODY, but strings aren't templates */
} hx_syntax;

typedef struct hx_program_options {
  hx_str filename;
  uint32_t line, column; /* 0 means 1 */
  uint32_t byte;
  const struct hx_section *sections; /* set if the text consists of several files (text/source.h); otherwise NULL */
  uint32_t nsections;
  hx_syntax syntax;
  bool later; /* hx_program_ready makes the code; not for JSON syntax, whose templates are read while compiling */
  hx_limits limits;
  void *room; /* memory for the program's first pieces, aligned to 16, that lives as long as the program */
  uint32_t room_size;
} hx_program_options;

/* Parses the text. Also makes the code, unless the text has errors or is a body, or the options say `later`. p is the caller's zeroed
** memory. The caller must call hx_program_deinit in any case, even after HX_WHY_NO_MEMORY or another abort. */
hx_why hx_program_init(hx_program *p, hx_str text, const hx_program_options *options);
void hx_program_deinit(hx_program *p);
/* Makes the code of a program that has no errors, unless the code exists. An expression that is only inspected never needs code. Returns
** what hx_program_init returns. After a failure it may be called again. */
hx_why hx_program_ready(hx_program *p);

/* Begins a program for an expression of a body; hx_program_ready makes its code. p is zeroed memory. The program shares the source and tree
** of `of`, which must outlive it. */
void hx_program_init_part(hx_program *p, const hx_program *of, hx_node *expression);
/* Compiles a tree that make() makes from the tree of `of`, in p's own activity. p is zeroed memory. */
hx_why hx_program_init_made(hx_program *p, hx_program *of, hx_node *(*make)(hx_cx *cx, void *ud), void *ud);

#endif
