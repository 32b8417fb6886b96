/* setjmp.c: what clang calls where a function has a setjmp (-wasm-enable-sjlj). Such a function keeps a table of the points that it
** has set in this call: longjmp throws the point, and the function that finds its number in its table goes on at the label there.
** Memory: the function makes and frees its table; it grows here. */
#include <stdint.h>
#include <stdlib.h>

typedef struct row {
  uintptr_t number; /* 0: here the table ends */
  uint32_t label;
} row;

/* The first word of a jmp_buf is the number that it was given. */
typedef uintptr_t point;

typedef struct thrown {
  point *point;
  int value;
} thrown;

row *saveSetjmp(point *point, uint32_t label, row *table, uint32_t size);
uint32_t testSetjmp(uintptr_t number, const row *table, uint32_t size);
uint32_t getTempRet0(void);
void setTempRet0(uint32_t value);
_Noreturn void __wasm_longjmp(point *point, int value);

/* A second result: what saveSetjmp says of the table's size. */
static uint32_t second;

uint32_t getTempRet0(void) {
  return second;
}

void setTempRet0(uint32_t value) {
  second = value;
}

row *saveSetjmp(point *point, uint32_t label, row *table, uint32_t size) {
  static uintptr_t numbers;
  uint32_t i = 0;
  while (i < size && table[i].number) i++;
  /* Room is left for the end. */
  if (i + 1 >= size) {
    size *= 2;
    table = realloc(table, (size + 1) * sizeof *table);
    if (!table) abort();
  }
  *point = ++numbers;
  table[i] = (row){ numbers, label };
  table[i + 1].number = 0;
  second = size;
  return table;
}

uint32_t testSetjmp(uintptr_t number, const row *table, uint32_t size) {
  for (uint32_t i = 0; i < size && table[i].number; i++) {
    if (table[i].number == number) return table[i].label;
  }
  return 0;
}

void __wasm_longjmp(point *point, int value) {
  static thrown last;
  last = (thrown){ point, value ? value : 1 };
  __builtin_wasm_throw(1, &last); /* 1: clang's number for longjmp */
}
