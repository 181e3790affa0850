package a.b;
import static java.lang.Math.*;
import java.util.List;
/** Doc. */
@SuppressWarnings({"unchecked", "x"})
public sealed abstract class Thing<T extends Comparable<? super T>> extends Base implements A, B permits C {
  private static final int[][] N = {{1, 2,}, {}};
  enum Kind { ONE(1) { void f() {} }, TWO; Kind(int... x) { } }
  record Pair<A>(A first, int second) { Pair { assert second > 0 : "x"; } }
  interface I { default void f() throws Exception, Error { } }
  static { System.out.println("init" + 'c' + 0x1FL); }
  <R> R run(final T a, List<? extends R> b) {
    for (int i = 0, j = 1; i < 3; i++, --j) { if (i == 1) continue; else break; }
    for (var x : b) synchronized (this) { x.toString(); }
    try (var r = open(); r) { throw new Error(); } catch (A | B e) { } finally { }
    int y = switch (a) { case String s when s.isEmpty() -> 1; case null, default -> { yield 2; } };
    do { y >>>= 1; } while (y != 0 && !(a instanceof Pair<?>(var p, int q)));
    Runnable l = () -> {}; java.util.function.Function<T, R> g = Thing::make;
    return y > 0 ? (R) new Object() { int z; } : new int[3][].length == 1 ? null : """
      text block""" == "" ? null : this.<R>run(a, b);
  }
}
