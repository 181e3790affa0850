#include <vector>
#include <algorithm>
struct key { int a; };
template <class T> bool less(T a, T b) { return a < b; }
template <class T> void sort_all(std::vector<T> &v) {
  std::sort(v.begin(), v.end(), less<T>);
}
int main() {
  std::vector<key> keys;
  sort_all(keys);
  int unused;
  return keys;
}
