"""Small cases in which a person found more to remove than `auto` did. Needs node, python3, gcc, and g++."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

from bench.cases.maker import make_all, put

BODIES_TEST = r"""d=$(mktemp -d); trap "rm -rf $d" EXIT
gcc -x c -Wall -Werror=return-type -Werror=implicit -fsyntax-only $f 2> $d/e || exit 1
[ $(grep -c "step[0-9]*(total)" $f) -ge 8 ] || exit 1
gcc -w -x c $f -o $d/a && timeout 5 $d/a | grep -q 56"""


def bodies() -> str:
    """Returns functions that are called, for a test that rejects a body without a value."""
    out = ["#include <stdio.h>"]
    for function in range(12):
        out += [f"static int step{function}(int n)", "{", f"  int v = {function};"]
        out += [f"  for (int k = 0; k < {line + 3}; k++) {{ v = v * {line * 7 + function} + n; if (v > {1000 + line}) v -= k; }}"
                for line in range(8)]
        out += ["  return v;", "}"]
    out += ["int main(void)", "{", "  int total = 1;", *(f"  total += step{function}(total);" for function in range(12)),
            "  unsigned u = 7;", '  if (total < u || total) printf("%d\\n", (int)(u << 3));', "  return 0;", "}", ""]
    return "\n".join(out)


# Name, extension, test of the candidate `$f`, and text.
ROWS = [
    ("js-length", "js", 'timeout 5 node $f 2>&1 | grep -q "RangeError: Invalid array length"', """new Array(4294967296)
"""),
    ("js-eval", "js", 'timeout 5 node $f 2>&1 | grep -q "TypeError: Reduce of empty array with no initial value"', """var empty = eval('[]');
eval("empty.reduce(function (left, right) { return left + right; })");
"""),
    ("js-subclass", "js", 'timeout 5 node $f 2>&1 | grep -q "RangeError: Invalid array length"', """class Table extends Array { constructor(size) { super(size); this.size = size; } static make(n) { return new Table(n); } }
var tables = [ Table.make(1), Table.make(-1), Table.make(2) ];
tables.forEach(function (table) { console.log(table.length); });
"""),
    ("js-prototype", "js", 'timeout 5 node $f 2>&1 | grep -q "TypeError: Reduce of empty array with no initial value"', """class Holder { constructor(list) { this.list = list; } total() { return Array.prototype.reduce.call(this.list, (a, b) => a + b); } }
const holder = new Holder([]);
for (let i = 0; i < 3; i++) { console.log(holder.total(i)); }
"""),
    ("js-species", "js", r'timeout 5 node $f 2>&1 | grep -q "TypeError: object.constructor\[Symbol.species\] is not a constructor"', """function assert(condition, message) { if (!condition) { throw new Error(message); } }
class Stack extends Array {
  constructor(first, second) { super(); this.push(first); this.push(second); this.limit = 1073741824; }
  static get [Symbol.species]() { return Math.max; }
  peek() { return this[this.length - 1]; }
}
var stack = new Stack("one", "two");
var options = { prefix: "item", mapper: function (value) { return options.prefix + value; } };
assert(stack.length === 2, "length");
assert(stack.peek() === "two", "peek");
for (var round = 0; round < 3; round++) {
  var mapped = stack.map(options.mapper);
  assert(mapped.length === stack.length, "mapped");
}
"""),
    ("py-overflow", "py", 'python3 $f 2>&1 | grep -q "OverflowError: Python int too large to convert to C"', """import itertools
SIZE = 9223372036854775808
class Window:
    step = 3
    def __init__(self, items, size): self.items, self.size = items, size
    def take(self): return list(itertools.islice(itertools.repeat(self.items, self.size), Window.step))
def window(items): w = Window(items, SIZE); return w
if __name__ == "__main__":
    for part in window([1, 2, 3]).take(): print(part)
"""),
    ("cpp-deduce", "cpp", 'g++ -std=c++17 -fsyntax-only $f 2>&1 | grep -q "error: no matching function for call to" && [ $(g++ -std=c++17 -fsyntax-only $f 2>&1 | grep -c error:) = 1 ]', """template <typename T> struct list { T head; list<T> *tail; };
template <typename K, typename V> struct map { list<K> keys; list<V> values; };
template <typename T, int N> struct block { T data[N]; };
using table = map<int, block<char, 16>>;
template <typename K, typename V> V find(map<K, V> where, K what) { list<K> *at = &where.keys; while (at->tail) { if (at->head == what) return where.values.head; at = at->tail; } return V(); }
struct user { table names; long id; block<char, 16> name(int n) { return find(names, id + n); } };
int main() { user u; return u.name(3).data[0]; }
"""),
    ("cpp-valid", "cpp", r'e=$(g++ -std=c++17 -Wall -Werror=return-type -fsyntax-only $f 2>&1) && grep -q "Wmaybe-uninit\|Wsign-compare" <<< "$e"', """template <typename T> struct list { T head; list<T> *tail; };
template <typename K, typename V> struct map { list<K> keys; list<V> values; K limit; };
template <typename T, int N> struct block { T data[N]; T size; };
using table = map<int, block<char, 16>>;
template <typename K, typename V> bool find(map<K, V> &where, K what) {
  list<K> *at = &where.keys;
  unsigned count = 0, seen = 0;
  while (at->tail) { if (at->head < what) return true; at = at->tail; count++; }
  for (K i = 0; i < count; i++) { if (where.limit == i) return false; seen = seen + 1; }
  return count == seen;
}
struct user { table names; int id; bool name(int n) { return find(names, id + n); } };
int main() { user u; return u.name(3); }
"""),
    ("c-valid", "c", 'e=$(gcc -Wall -Wextra -Werror=return-type -Werror=implicit -fsyntax-only $f 2>&1) && grep -q "Wsign-compare" <<< "$e" && grep -q "Wunused-but-set-variable" <<< "$e"', """typedef struct point { int x; int y; } point_t;
typedef unsigned long size;
#define SCALE(v) ((v) * 2)
static const int offset = 17;
static int shift(point_t p, size n, int by) { int left; int right; left = p.x; right = by; if ((size) left == n) return right; return p.x + by + (int) n; }
int main(int argc, char **argv) {
  point_t p = { argc, 2 }; int r = 0; int last; size n = 3;
  if (n) { r = shift(p, n, SCALE(offset)); }
  while (n--) { int k = r + 100000; if (k > n) last = k; }
  return argv[r] != 0;
}
"""),
    ("c-bodies", "c", BODIES_TEST, bodies()),
]


def leftover(folder: pathlib.Path, name: str, extension: str, test: str, text: str) -> int:
    put(folder, name, extension, text.encode(), f"#!/bin/bash\nf=${{1:-input.{extension}}}\n{test}\n")
    return len(text)


def main(words: Sequence[str]) -> None:
    make_all([("leftover", leftover, ROWS)], words)
