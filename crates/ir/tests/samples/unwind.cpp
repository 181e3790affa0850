// The source of unwind-*.ll: exceptions, virtual calls, and an alias of a constructor.
struct shape { virtual int area() const; virtual ~shape(); };
struct square : shape { int side; square(int); int area() const override; };
square::square(int side) : side(side) { if (side < 0) throw side; }
int square::area() const { return side * side; }
void log(int);
int measure(int n) {
  square s(n);
  try { log(s.area()); return s.area(); }
  catch (int code) { log(code); return -1; }
  catch (...) { throw; }
}
