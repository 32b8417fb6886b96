/* record.h: the values of an expression's parts. A program that is compiled to record (hx_program.records) has a RECORD instruction after
** the code of each part, which records the part's value, or why it failed, in the order of evaluation.
** Memory: records and what they point to live in the evaluation's arena. Each record is charged, with the weight of its value.
** Errors: limits only. */
#ifndef HX_VM_MACHINE_RECORD_H
#define HX_VM_MACHINE_RECORD_H

#include "base/vec.h"
#include "vm/machine/machine.h"

typedef struct hx_record {
  const hx_node *node;
  hx_val value;         /* may be FOREIGN; NONE: the part failed, or its value was never read (`outline`) */
  const hx_diag *error; /* the error that this part itself reported, even if it was dropped later; or NULL */
  hx_str key;           /* the key of the turn; p is NULL: no key, or not a string */
  uint32_t turn;        /* the turn of the innermost loop around the part; HX_NO_TURN: outside of loops; HX_TRIAL */
  uint32_t total;       /* of a `for`: elements of its collection; HX_NO_TURN: the result doesn't show how many */
  uint32_t count;       /* number of elements of a heavy collection, whose value isn't recorded; otherwise 0 */
  bool failed;          /* the part failed, so it has no value */
  bool outline;         /* the value is a collection in a place that accepts only primitives */
  bool secret;          /* the value was part of a secret, so it got a mark, and its turns have no keys */
} hx_record;
#define HX_NO_TURN UINT32_MAX
#define HX_TRIAL (UINT32_MAX - 1) /* a `for` tried its condition, which failed */

typedef struct hx_records {
  HX_VEC(hx_record) list;
} hx_records;

#endif
