/* The source of values-*.ll: loops, a switch, calls with and without results, arrays, and structs. */
struct point { int x, y; };
static int table[4] = {3, 1, 4, 1};
extern void show(const char *, int);
static int add(struct point *p, int unused) { return p->x + p->y; }
int choose(int n) {
  switch (n) {
  case 1: return 10;
  case 2: return table[n];
  case 7: show("seven", n); return 70;
  default: return n;
  }
}
long sum(const int *values, int count) {
  long all = 0;
  for (int i = 0; i < count; i++) {
    if (values[i] < 0) continue;
    all += values[i] > 100 ? 100 : values[i];
  }
  return all;
}
int main(int argc, char **argv) {
  struct point p = {argc, choose(argc)};
  while (p.x < 10) { p.x += add(&p, 5); if (p.y > 3) break; }
  return (int)sum(table, 4) + add(&p, 6);
}
