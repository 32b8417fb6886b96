/* fn.h: a function as a row of a table: name, parameters and what they accept, result, documentation, implementation.
** The argument protocol (vm/call.h) carries the row out, for built-ins, operators and Lua functions alike: conversion of
** arguments, null, unknown, dynamic, marks. An implementation never tests for what its row did not ask to see.
** Memory: rows are static (built-ins) or live as long as their scope (Lua functions). Results in call->cx->arena.
** Errors: an implementation reports by hx_fail* and returns what they return. */
#ifndef HX_VM_FN_H
#define HX_VM_FN_H

#include "value/convert.h"
#include "value/equal.h"
#include "value/number.h"
#include "value/value.h"

typedef struct hx_fn hx_fn;
typedef struct hx_call hx_call;

/* What a parameter wants to see itself; 0: the protocol deals with it before impl runs.
**   null: an error; unknown: the result is unknown; dynamic (unknown of type any): the result is unknown of type any;
**   marked: marks are taken off, deep, and put on the result. With HX_ALLOW_MARKED_INSIDE only the argument's own marks are:
**   those of its elements stay where they are, and no element is looked at (length(list) then costs the same for any list).
** A marked argument of a HX_ALLOW_MARKED parameter that makes the result unknown leaves no mark on it, as in the reference. */
enum { HX_ALLOW_NULL = 1, HX_ALLOW_UNKNOWN = 2, HX_ALLOW_DYNAMIC = 4, HX_ALLOW_MARKED = 8, HX_ALLOW_MARKED_INSIDE = 16 };
#define HX_ALLOW_ANY (HX_ALLOW_NULL | HX_ALLOW_UNKNOWN | HX_ALLOW_DYNAMIC) /* whatever the value is; marks aside */

typedef struct hx_param {
  const char *name;
  const hx_type *type; /* arguments are converted to it first; hx_type_dynamic: any */
  uint8_t allow;
} hx_param;

/* Rows */
enum {
  HX_NOT_NULL = 1, /* the result is never null: an unknown result says so */
  HX_CONSOLE = 2,  /* only in console scopes */
  HX_FORM_TRY = 4, /* arguments are compiled by a form of their own: try, can, convert's and type's type argument */
  HX_FORM_CAN = 8,
  HX_FORM_CONVERT = 16,
  HX_FOREIGN_OK = 32,     /* impl takes argument 0 as HX_T_FOREIGN too (length, lookup): answered on the host's table */
  HX_IMPURE = 64,         /* clock, random: never folded */
  HX_TYPE_BY_HOST = 128,  /* a Lua function whose `returns` is a function: asked before the value (hx_call.for_type) */
  HX_REMOVED = 256,       /* only there to say what to write instead: not in listings */
  HX_FORM_TEMPLATE = 512, /* argument 0 is a reference to a template: the function judges it itself (hx_call.text) */
  HX_TYPED_MARKS = 1024,  /* where an argument's type isn't known, the result has no marks, as in the reference */
};
enum { HX_NEEDS_FILES = 1, HX_NEEDS_CLOCK = 2, HX_NEEDS_RANDOM = 4 }; /* capabilities of the scope */
#define HX_NEEDS_ENTRY 8 /* runs a template (vm/entry.h); any scope grants it, but no template does */

#define HX_MAX_PARAMS 16

typedef const hx_val *hx_quick_fn(const hx_val *args, uint32_t n, hx_val *room);

struct hx_fn {
  const char *name;
  hx_param params[HX_MAX_PARAMS]; /* ends at name == NULL */
  hx_param rest;                  /* name == NULL: not variadic */
  const hx_type *type;            /* result type; NULL: by type_fn, or whatever impl gives */
  /* Result type for arguments of which some are unknown (unmarked, converted); may hx_fail (returns NULL then). It makes the
  ** checks that need no values, and is not called when all arguments are known: impl makes its checks itself.
  ** NULL with type NULL: any. */
  const hx_type *(*type_fn)(hx_call *call, const hx_val *args, uint32_t n);
  hx_val (*impl)(hx_call *call, const hx_val *args, uint32_t n);
  /* Answers the plainest of calls as impl would, but takes no memory, and charges and reports nothing: the machine needs no guard for it.
  ** The arguments are known and not marked, and none is null; their types are for it to look at. The result is one of them, part of one,
  ** or in *room. NULL: it isn't as simple as that. May be NULL. */
  hx_quick_fn *quick;
  /* Narrows an unknown result: args as given (perhaps unknown, unmarked). May be NULL. */
  hx_val (*refine)(hx_call *call, const hx_val *args, uint32_t n, hx_val unknown);
  uint16_t flags;
  uint8_t needs;
  const char *summary; /* one line, our words */
  const char *doc;     /* longer text, our words */
  const char *example; /* an expression whose answer a test checks */
  const void *host;    /* a Lua function: the binding's record; impl is NULL then */
};

/* Who is to blame, besides an argument's index: the call itself; its closing parenthesis (too few arguments). */
enum { HX_BLAME_CALL = -1, HX_BLAME_CLOSE = -2 };

/* A further fault of the same call: an argument that can't be converted. */
typedef struct hx_call_fault {
  int32_t arg;
  hx_str message;
  struct hx_call_fault *next;
} hx_call_fault;

/* One call, as an implementation sees it. */
struct hx_call {
  hx_cx *cx;
  const hx_fn *fn;
  struct hx_host *host; /* capabilities: clock, random, files (vm/host.h) */
  /* where the blame goes, filled by hx_fail* */
  int32_t bad_arg; /* argument index, or HX_BLAME_* */
  hx_str message;
  bool failed;
  bool for_type;                          /* HX_CALL_HOST: the type is wanted, not the value (call.h) */
  bool unknown_result;                    /* the protocol's: some argument is unknown, so only the type matters */
  uint64_t marked;                        /* arguments that were marked, bit i (63: 63 and later): their values are never shown */
  const hx_type *ret;                     /* fn->type, if any */
  const struct hx_constraint *constraint; /* HX_FORM_CONVERT: the type argument (vm/constraint.h); set by the machine after
                            ** hx_call_init; the argument itself is a CAPSULE of its type */
  hx_call_fault *more;                    /* in order of arguments, or NULL */
  hx_call_fault *last;                    /* of `more`: a list that is spread may have a fault in each of a million elements */
  const struct hx_text_argument *text;    /* HX_FORM_TEMPLATE (vm/entry.h); NULL otherwise */
  const struct hx_entry *entry;           /* impl wants a program run: hx_enter */
  const struct hx_diag *inner;            /* the fault came up in a program of its own: where */
};

/* Blame argument i (0-based; as the user wrote them) with a message; printf formats, no floats. Returns HX_T_NONE. Never put the
** text of a value in a message where the argument may be marked: use hx_fail_value. */
hx_val hx_fail(hx_call *call, int32_t i, const char *fmt, ...) HX_PRINTF(3, 4);
/* The same where fmt's %s is a short rendering of v, withheld if the argument was marked. */
hx_val hx_fail_value(hx_call *call, int32_t i, const hx_val *v, const char *fmt);
/* Was argument i marked, or is it part of what is? Then neither it nor a text that may quote it (hx_why_not) goes into a message. */
bool hx_arg_is_marked(const hx_call *call, uint32_t i);
/* Blame the call. */
hx_val hx_fail_call(hx_call *call, const char *fmt, ...) HX_PRINTF(2, 3);

/* Tables of built-ins, one a theme, each ending at name == NULL. */
extern const hx_fn hx_fns_number[], hx_fns_string[], hx_fns_format[], hx_fns_regex[], hx_fns_sequence[], hx_fns_sequence_search[],
    hx_fns_map[], hx_fns_set[], hx_fns_convert[], hx_fns_encode[], hx_fns_json[], hx_fns_csv[], hx_fns_yaml[], hx_fns_hash[],
    hx_fns_crypto[], hx_fns_time[], hx_fns_cidr[], hx_fns_file[], hx_fns_file_set[], hx_fns_path[], hx_fns_template[],
    hx_fns_meta[], hx_fns_assume[];

/* fn/registry.c: a built-in by name ("core::" names too), or NULL; and all of them but removed ones, sorted by name, in
** cx->arena. */
const hx_fn *hx_builtin(hx_str name);
const hx_fn *const *hx_builtins(hx_cx *cx, uint32_t *n);

#endif
