#include <vector>
namespace n::m { using namespace std; template <typename T, int N = 3> struct box { T all[N]; }; }
class base {
public:
  base() : value(1), name{"x"} {}
  virtual ~base() = default;
  virtual int get(int x = 2) const noexcept = 0;
  bool operator==(const base &other) const { return value == other.value; }
protected:
  int value;
  const char *name;
};
class derived final : public base, private n::m::box<int> {
  int get(int x) const noexcept override { return [this, &x](auto y) mutable { return x + y; }(1); }
  template <class... A> static void call(A &&...a) { (void)sizeof...(a); }
};
auto raw = R"sep(text "with" \ things)sep";
constexpr auto pi = 3.14_km;
int main() {
  for (const auto &x : std::vector<int>{1, 2, 3}) { if (int y = x; y > 1) break; }
  try { throw 1; } catch (const int &e) { } catch (...) { delete new int[3]; }
  return static_cast<int>(0x1'000u) <=> 3, nullptr == nullptr;
}
