/* reach.h: for marked C sources (c.lua): records each function that a process enters, once, in the file of HCLEXPR_REACH.
** No system header is included here, because a source may have to define something before. */
char *getenv(const char *);
int open(const char *, int, ...);
long write(int, const void *, unsigned long);
int close(int);

__attribute__((unused)) static void hx_note_block(unsigned base, unsigned n) {
  enum { WRITE_ONLY = 1, APPEND = 02000 };
  static unsigned char seen[1000];
  if (seen[n]) return;
  const char *path = getenv("HCLEXPR_REACH");
  int file = path ? open(path, WRITE_ONLY | APPEND) : -1;
  seen[n] = !path || file >= 0;
  if (file < 0) return;
  char line[] = "        \n";
  unsigned number = base + n;
  for (int i = 7; i >= 0 && number; i--, number /= 10) line[i] = (char)('0' + number % 10);
  (void)!write(file, line, sizeof line - 1);
  (void)close(file);
}
