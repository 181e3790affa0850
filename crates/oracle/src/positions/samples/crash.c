int before;
int inner(int a) {
#pragma clang __debug crash
  return a;
}
