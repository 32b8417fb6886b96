/* setjmp.h, which the C library for WebAssembly lacks. The compiler turns longjmp into an exception, with the help of setjmp.c. */
#ifndef PLAYGROUND_SETJMP_H
#define PLAYGROUND_SETJMP_H

typedef struct {
  void *words[4];
} jmp_buf[1];

int setjmp(jmp_buf point) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf point, int value);
#define setjmp setjmp
#define _setjmp setjmp

#endif
