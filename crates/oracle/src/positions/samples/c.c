int used(int a) { return a; }
static int bad(void) {
  int x = "text";
  return used(x, 1);
}
