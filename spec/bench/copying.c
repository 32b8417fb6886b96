/* copying.c: how the time of memcpy grows. Copies two pieces one after the other, as concat does with two lists, and prints the
** best times for pieces of so many bytes each and of ten times as many, in seconds.
**   copying BYTES ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct pieces {
  char *a, *b, *to;
} pieces;

/* Not in line, so that no compiler sees that nobody reads the copy. */
static __attribute__((noinline)) void copy(const pieces *p, size_t n) {
  memcpy(p->to, p->a, n);
  memcpy(p->to + n, p->b, n);
}

static double seconds(const pieces *p, size_t n) {
  double start = now(), stop;
  int count = 0;
  do {
    copy(p, n);
    count++;
  } while ((stop = now()) - start < 0.002);
  return (stop - start) / count;
}

int main(int argc, char **argv) {
  size_t small = argc > 1 ? (size_t)atol(argv[1]) : 160000, large = 10 * small;
  int rounds = argc > 2 ? atoi(argv[2]) : 100;
  pieces p = { malloc(large), malloc(large), malloc(2 * large) };
  double a = 1e9, b = 1e9;
  if (!p.a || !p.b || !p.to) return 1;
  memset(p.a, 1, large);
  memset(p.b, 1, large);
  while (rounds-- > 0) {
    double x = seconds(&p, small), y = seconds(&p, large);
    if (x < a) a = x;
    if (y < b) b = y;
  }
  printf("%.9f %.9f\n", a, b);
  return 0;
}
