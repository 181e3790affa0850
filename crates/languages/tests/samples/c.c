#include <stdio.h>
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
static int level = 3;
#elif defined(OTHER) && LIMIT > 2
static int level;
#else
extern int level;
#endif

typedef unsigned long size;
enum color { RED, GREEN = 2, BLUE, };
struct point { int x, y; unsigned bits : 3; struct point *next; };
union either { int i; float f; } both = { .i = 1 };

/* Adds things. */
static inline int add(int a, const char *b, ...) {
  int sum = 0, more[3] = {1, 2, [2] = 3};
  for (int i = 0; i < a; i++) { sum += i * 2; continue; }
  while (sum > 100) --sum;
  do { sum <<= 1; } while (0);
  switch (a) {
  case 1: return sizeof(struct point);
  default: goto out;
  }
out:
  if (!b) return -1; else if (b[0] == 'x') { ; }
  return (int)sum ? add(1, "a\tb" "c", &more[1], both.f) : MAX(1, ~2);
}

int (*table[])(int, const char *, ...) = { add, 0 };
int main(void) { return printf("%d \
line\n", table[0](3, 0)); }
