/* fn.h: a function as a row of a table: name, parameters and what they accept, result, documentation, implementation.
** The argument protocol (vm/call.h) carries out the row for built-ins, operators and Lua functions alike: it converts
** arguments and treats null, unknown, dynamic and marked ones. An implementation gets only those that its row asks for, and
** need not test for others.
** A function whose result contains parts of its arguments also needs a row in `passes` of lua/hclexpr/explain/blame.lua
** and one in `calls` of lua/hclexpr/editor/infer.lua (doc/contributing/extending.md).
** Memory: rows are static (built-ins) or live as long as their scope (Lua functions). Results in call->cx->arena.
** Errors: an implementation reports by hx_fail* and returns what they return. */
#ifndef HX_VM_FN_H
#define HX_VM_FN_H

#include "value/convert/convert.h"
#include "value/equal.h"
#include "value/number/number.h"
#include "value/value.h"

typedef struct hx_fn hx_fn;
typedef struct hx_call hx_call;

/* The kinds of arguments that a parameter accepts as they are. The protocol handles all other kinds before impl runs:
**   null     an error
**   unknown  the result is unknown
**   dynamic  (unknown of type any) the result is unknown of type any
**   marked   marks are taken off, deep, and put on the result
**   open     (an open object, value/unknown.h) as a dynamic one, but the result always has the marks of its parts
**   items    (value/unknown.h) likewise; but if they are certainly an ordered sequence, impl gets its elements
** If a marked argument of a HX_ALLOW_MARKED parameter makes the result unknown, it leaves no mark on it, as in the reference. */
enum {
  HX_ALLOW_NULL = 1,
  HX_ALLOW_UNKNOWN = 2,
  HX_ALLOW_DYNAMIC = 4,
  HX_ALLOW_MARKED = 8,
  HX_ALLOW_OPEN = 16,
  HX_ALLOW_ITEMS = 32,
  /* impl gets items in written order: if they aren't a list or tuple, the function fails or ignores the order. */
  HX_ITEMS_AS_LIST = 64,
  /* impl gets items in order, even those of blocks: if they aren't a list, set or tuple, the function fails. */
  HX_ITEM_AS_LIST = 128,
  /* impl gets items that certainly differ from each other: their order doesn't change the result. */
  HX_ITEMS_ANY_ORDER = 256,
  /* impl gets items that are certainly an ordered sequence. Implied unless items or unknown values are allowed. */
  HX_ITEMS_IN_ORDER = 512,
};
#define HX_ALLOW_ANY (HX_ALLOW_NULL | HX_ALLOW_UNKNOWN | HX_ALLOW_DYNAMIC) /* any value, except for its marks */

typedef struct hx_param {
  const char *name;
  const hx_type *type; /* arguments are first converted to it; hx_type_dynamic: any */
  uint16_t allow;
} hx_param;

/* Parameters of rows that accept only known values. */
#define HX_TEXT(name_) \
  { name_, &hx_type_string, 0 }
#define HX_NUMBER(name_) \
  { name_, &hx_type_number, 0 }

/* Flags of rows */
enum {
  HX_NOT_NULL = 1, /* the result is never null; an unknown result says so */
  HX_CONSOLE = 2,  /* only in console scopes */
  HX_FORM_TRY = 4, /* the arguments are compiled in a special way: try, can, the type argument of convert and type */
  HX_FORM_CAN = 8,
  HX_FORM_CONVERT = 16,
  HX_FOREIGN_OK = 32,     /* impl also takes argument 0 as HX_T_FOREIGN (length, lookup), and answers from the host's table */
  HX_IMPURE = 64,         /* depends on the clock or on random data: never folded */
  HX_TYPE_BY_HOST = 128,  /* a Lua function whose `returns` is a function, asked before the value (hx_call.for_type) */
  HX_REMOVED = 256,       /* exists only to say what to write instead; not listed */
  HX_FORM_TEMPLATE = 512, /* argument 0 is a reference to a template, checked by the function itself (hx_call.text) */
  HX_TYPED_MARKS = 1024,  /* if an argument's type is unknown, the result has no marks, as in the reference */
};
enum { HX_NEEDS_FILES = 1, HX_NEEDS_CLOCK = 2, HX_NEEDS_RANDOM = 4 }; /* capabilities of the scope that a function needs */
#define HX_NEEDS_ENTRY 8 /* runs a template (vm/entry.h); granted by every scope, but not inside templates */

#define HX_MAX_PARAMS 16

typedef const hx_val *hx_quick_fn(const hx_val *args, uint32_t n, hx_val *room);

struct hx_fn {
  const char *name;
  hx_param params[HX_MAX_PARAMS]; /* ends at name == NULL */
  hx_param rest;                  /* name == NULL: not variadic */
  const hx_type *type;            /* the result type; NULL: type_fn returns it, or the result of impl has it */
  /* Returns the result type if some arguments are unknown (they are unmarked and converted); NULL after hx_fail. It makes the checks that
  ** need no values. If all arguments are known it isn't called: impl makes its own checks. If type_fn and type are NULL, the result type is
  ** `any`. */
  const hx_type *(*type_fn)(hx_call *call, const hx_val *args);
  hx_val (*impl)(hx_call *call, const hx_val *args); /* args has call->n values */
  /* Answers the simplest calls as impl would, without memory, charges or reports, so that the machine needs no guard for it. The arguments
  ** are known, unmarked and not null; quick checks their types itself. The result is an argument, a part of one, or *room. It returns NULL
  ** for any other call. May be NULL. */
  hx_quick_fn *quick;
  uint16_t flags;
  uint8_t needs;
  uint8_t variant;     /* for an implementation that several rows share */
  const char *summary; /* one line, our words */
  const char *doc;     /* longer text, our words */
  const char *example; /* an expression whose result a test checks */
  const void *host;    /* of a Lua function: the binding's record; impl is then NULL */
};

/* Blamed instead of an argument: the call itself, or its closing parenthesis (too few arguments). */
enum { HX_BLAME_CALL = -1, HX_BLAME_CLOSE = -2 };

/* One more error of the same call: an argument that can't be converted. */
typedef struct hx_call_fault {
  int32_t arg;
  hx_str message;
  struct hx_call_fault *next;
} hx_call_fault;

/* A call as an implementation sees it. */
struct hx_call {
  hx_cx *cx;
  const hx_fn *fn;
  uint32_t n;           /* number of arguments */
  struct hx_host *host; /* capabilities: clock, random, files (vm/host.h) */
  /* the part of the call to blame, set by hx_fail* */
  int32_t bad_arg; /* argument index, or HX_BLAME_* */
  hx_str message;
  const char *reason; /* the reason of the diagnostic (hx_diag), if the call failed; or NULL */
  bool failed;
  bool for_type;       /* HX_CALL_HOST: the type is wanted, not the value (call.h) */
  bool items;          /* for the protocol: an argument was replaced by the elements of items, which may be a list */
  bool unknown_result; /* for the protocol: some argument is unknown, so only the type matters */
  uint32_t written; /* the number of arguments that the source writes one by one; the others are elements of a spread collection */
  uint64_t marked;  /* bit i: argument i was marked (63: or a later one), so its value is never shown */
  const hx_type *ret; /* the result type: fn->type, or the answer of type_fn or the host; NULL: none so far */
  /* HX_FORM_CONVERT: the type argument (vm/constraint.h), which the machine sets after hx_call_init. The argument itself is a CAPSULE of
  ** its type. The type is always written in the source, because an element of a spread collection isn't a type. */
  const struct hx_constraint *constraint;
  hx_call_fault *more; /* further errors, in order of arguments, or NULL */
  hx_call_fault *last; /* the last of `more`, to append quickly: each of a million spread elements may have a fault */
  const struct hx_text_argument *text; /* HX_FORM_TEMPLATE (vm/entry.h); NULL otherwise */
  const struct hx_entry *entry;        /* the program to run if impl called hx_enter */
  const struct hx_diag *inner;         /* the error of an entered program, with its place */
};

/* Blames argument i (0 is the first as the user wrote them) with a message; printf formats, no floats. Returns HX_T_NONE. Never put the
** text of a value that may be marked into a message: use hx_fail_value. */
hx_val hx_fail(hx_call *call, int32_t i, const char *fmt, ...) HX_PRINTF(3, 4);
/* Blames argument i with a message; fmt's %s is the text. */
hx_val hx_fail_with(hx_call *call, int32_t i, const char *fmt, hx_str text);
/* Blames argument i with a message; fmt's %s is a short rendering of v, withheld if the argument was marked. */
hx_val hx_fail_value(hx_call *call, int32_t i, const hx_val *v, const char *fmt);
/* Returns true if argument i was marked, or is part of a marked value. Then no message may contain the argument, or a text that may
** quote it (hx_why_not). */
bool hx_arg_is_marked(const hx_call *call, uint32_t i);
/* Blames the call. */
hx_val hx_fail_call(hx_call *call, const char *fmt, ...) HX_PRINTF(2, 3);
/* Blames argument i, or HX_BLAME_CALL, with a finished message and hx_diag's reason, a constant or NULL. */
hx_val hx_fail_because(hx_call *call, int32_t i, const char *reason, hx_str message);

/* Tables of built-ins, one for each theme; name == NULL ends a table. */
extern const hx_fn hx_fns_number[], hx_fns_string[], hx_fns_format[], hx_fns_regex[], hx_fns_sequence[], hx_fns_sequence_search[],
    hx_fns_map[], hx_fns_set[], hx_fns_convert[], hx_fns_encode[], hx_fns_json[], hx_fns_csv[], hx_fns_yaml[], hx_fns_hash[],
    hx_fns_crypto[], hx_fns_time[], hx_fns_cidr[], hx_fns_file[], hx_fns_file_set[], hx_fns_path[], hx_fns_template[],
    hx_fns_meta[], hx_fns_assume[];

/* hx_builtin returns the built-in called name ("core::" names too), or NULL. hx_builtins returns all built-ins except removed ones,
** sorted by name, in cx->arena. Both are in fn/registry.c. */
const hx_fn *hx_builtin(hx_str name);
const hx_fn *const *hx_builtins(hx_cx *cx, uint32_t *n);

#endif
