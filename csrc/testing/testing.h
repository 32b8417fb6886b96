/* testing.h: internals for specs; only test builds (HX_TEST) have this folder. testing.c gives it to Lua.
** Memory: results in cx->arena.
** Errors: memory only. */
#ifndef HX_TESTING_TESTING_H
#define HX_TESTING_TESTING_H

#include "vm/compile/program.h"

/* Returns what is wrong with a program's code (operands, targets of jumps, the balance of the stack), or NULL if it is sound. */
const char *hx_program_verify(const hx_program *p);
/* Returns the code as text. */
hx_str hx_program_disassemble(hx_cx *cx, const hx_program *p);

/* Compares the schoolbook methods with GMP on random limbs. Returns the name of a group of operations that differ, "" if all agree, or
** NULL without GMP. */
const char *hx_limbs_compare(uint64_t seed, uint32_t rounds);

#endif
