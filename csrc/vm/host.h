/* host.h: the machine's questions to its host: named values, data not converted yet, functions, capabilities.
** The C host (binding/) answers from Lua tables and bound values without leaving C. If only a Lua callback can answer, it
** says WAIT. Then the machine suspends, the driver runs the callback and records the answer with the host, and the machine
** executes the same instruction again. The core never calls Lua.
** Memory: answers live in cx->arena or longer (bound values).
** Errors: after FAILED, the host has reported exactly once, except in `outside`. */
#ifndef HX_VM_HOST_H
#define HX_VM_HOST_H

#include "value/value.h"
#include "vm/fn.h"

/* A step of a constant path. (An hx_path has a root name, and the steps that are constant in the source.) */
typedef struct hx_path_step {
  uint8_t kind;    /* hx_step_kind: ATTR, KEY, INDEX (CONST steps end a path) */
  hx_str name;     /* ATTR, KEY */
  int64_t index;   /* INDEX, from 0 */
  uint32_t anchor; /* the host's number for a Lua string that equals the key; 0: not numbered yet */
} hx_path_step;

/* The form in which the machine wants a value. */
typedef enum hx_want {
  HX_WANT_WHOLE,    /* converted, deep */
  HX_WANT_SCALAR,   /* collections will be rejected, whatever they contain: an outline suffices */
  HX_WANT_ARGUMENT, /* as SCALAR if the called function is the built-in of that name, otherwise as WHOLE */
  HX_WANT_OPEN,     /* as WHOLE, but may also be FOREIGN: not converted yet */
  HX_WANT_PART,     /* as OPEN, for one element; a name may wait until the keys that follow are known */
} hx_want;
HX_INLINE bool hx_is_open_want(hx_want want) {
  return want >= HX_WANT_OPEN;
}

typedef struct hx_path {
  hx_str root;
  uint32_t root_anchor;
  uint8_t want;    /* hx_want: the most that any user wants */
  bool secret;     /* the path has computed keys, and must not be shown */
  uint32_t n;      /* number of steps */
  uint32_t follow; /* number of steps that a host follows by itself: all, or none if some keys are computed */
  hx_path_step *steps;
  uint32_t id; /* 0, 1, …: index among the program's paths; hosts index caches by it */
  hx_range range;
  const struct hx_node *node; /* the TRAVERSAL (or ITEM chain) that the path was made from; has the texts and ranges of the steps */
} hx_path;

typedef enum hx_answer {
  HX_ANSWER_OK,
  HX_ANSWER_ABSENT,  /* no such root name */
  HX_ANSWER_WAIT,    /* suspend and execute the instruction again */
  HX_ANSWER_FAILED,  /* reported; go on with an unknown */
  HX_ANSWER_OUTLINE, /* only for SCALAR or ARGUMENT: *out is a table's outline (vm/outline.h) */
  HX_ANSWER_LATER,   /* only for PART: the path has computed keys; ask again with the keys that follow */
} hx_answer;

/* A column of a loop: the part of each element that the body reads. */
typedef struct hx_column {
  const hx_path_step *steps;
  uint32_t n;   /* 0: the element itself */
  uint8_t want; /* hx_want */
} hx_column;

#define HX_ROWS 64u /* rows of a FOREIGN collection fetched at once, at most */

/* Folders that a scope grants besides its first one. */
typedef struct hx_folders {
  const hx_str *p;
  uint32_t n;
} hx_folders;

/* How a scope treats a name, an attribute, a key or an index whose value is null. */
typedef enum hx_absent { HX_ABSENT_NULL, HX_ABSENT_ERROR, HX_ABSENT_UNKNOWN } hx_absent;

typedef struct hx_host hx_host;
struct hx_host {
  /* Follows the simple steps of p: *out is the value after *at steps. If *at < p->n, the machine continues from that value, and finds the
  ** error, the unknown or the mark. If a Lua table lacks a key, *out is a view of the table with its keys. The result is in the form `want`
  ** if *at == p->n; otherwise *out may be FOREIGN. */
  hx_answer (*path)(hx_host *h, hx_cx *cx, const hx_path *p, hx_want want, hx_val *out, uint32_t *at);
  /* Sets *out to the answer of a path if that is a scalar which is found at once. Returns false if `path` must be called instead. The
  ** machine calls `glance` without a guard, so it must not abort. NULL: `path` is always called. */
  bool (*glance)(hx_host *h, hx_cx *cx, const hx_path *p, hx_val *out);
  /* Converts a FOREIGN value with all its parts. */
  hx_answer (*whole)(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_val *out);
  /* Describes a FOREIGN value as a collection: HX_K_TUPLE or HX_K_OBJECT, the number of elements, and for objects the keys in byte order
  ** (in cx->arena). n and keys may be NULL. If both are NULL, no element is read. */
  hx_answer (*shape)(hx_host *h, hx_cx *cx, const hx_val *foreign, hx_kind *kind, uint32_t *n, const hx_str **keys);
  /* Reads an element by key (INT or STR, known); *found is false if the value lacks the key. want is as in path. */
  hx_answer (*index)(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_val *key, hx_want want, hx_val *out, bool *found);
  /* Reads rows first … first + n - 1 of a FOREIGN collection (keys: from shape, or NULL for a tuple): cells[c * HX_ROWS + r] is column c,
  ** row r. For a cell without a simple answer (HX_T_NONE) the machine calls `cell` when the body reads it. */
  hx_answer (*rows)(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t first, uint32_t n,
                    const hx_column *columns, uint32_t ncolumns, hx_val *cells);
  /* Reads one cell, as `path` does: *out is the value after *at steps. */
  hx_answer (*cell)(hx_host *h, hx_cx *cx, const hx_val *foreign, const hx_str *keys, uint32_t row, const hx_column *column,
                    hx_val *out, uint32_t *at);
  /* Returns the function called name, or NULL. builtin: the built-in of that name, or NULL. */
  const hx_fn *(*function)(hx_host *h, hx_cx *cx, hx_str name, const hx_fn *builtin);
  /* Lists the names in scope, for "did you mean" if nothing is called `wanted`. Names of values belong to the host and are valid until its
  ** next question; names of functions stay. Returns the host's note for the end of a message about a missing name (may be empty). */
  hx_str (*names)(hx_host *h, hx_cx *cx, bool functions, hx_str wanted, const hx_str **names, uint32_t *n);
  /* Returns the host's note for the end of a message about a key that a FOREIGN value lacks. */
  hx_str (*foreign_note)(hx_host *h, const hx_val *foreign);
  bool plain;         /* functions are exactly the built-ins */
  bool console;       /* HX_CONSOLE rows are visible */
  bool check;         /* the evaluation only checks: values are unknowns of their types (vm/machine/check.c) */
  bool covers;        /* evaluations note which results of conditionals they take (vm/machine/coverage.h) */
  uint8_t absent;     /* hx_absent */
  uint8_t has;        /* granted HX_NEEDS_* */
  uint8_t forbids;    /* HX_NEEDS_* of the functions that the running template may not call */
  uint64_t functions; /* number of the host's set of functions, never reused; scopes with the same functions share the number; 0:
                      ** unnumbered */
  uint64_t serial;    /* number of the scope, never reused, if all its values are bound; otherwise 0 */
  /* Capabilities of built-ins (fn/file.c, time.c, crypto.c); NULL or false if not granted. */
  hx_str directory;   /* relative paths start in this folder; only files in it or in `folders` can be read */
  hx_folders folders; /* further folders with readable files */
  hx_str plan_timestamp;
  hx_answer (*clock)(hx_host *h, hx_cx *cx, int64_t *seconds);
  hx_answer (*random)(hx_host *h, hx_cx *cx, void *bytes, uint32_t n);
  /* Called for a path that leads out of the folders. OK: the file's content is unknown, and the host has noted the path. FAILED: this is an
  ** error, which is not reported yet. */
  hx_answer (*outside)(hx_host *h, hx_cx *cx, hx_str path);
};

#endif
