"""Programs of which most must stay valid, from public sources.

rust-lru      src/lib.rs of the crate lru 0.18.5, with a method that the borrow checker rejects
go-parse      text/template/parse of Go 1.19 as one file, with a type error
argparse      argparse.py of Python 3.8 and a program whose usage omits the brackets of a metavar
statistics    statistics.py of Python 3.11 and a program that prints different sums in 3.12
cpp-sort      <algorithm>, <map>, <string>, and <vector> of the installed g++, preprocessed, and a sort of items
              without a comparison

A case whose sources or programs are missing is left out, and said.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence

from bench.cases.maker import Skipped, arguments, check, make_all, put

LRU = """    /// The value of a key, which is made where there is none.
    pub fn get_mut_or_default(&mut self, k: K) -> &mut V
    where
        K: Clone,
        V: Default,
    {
        if let Some(v) = self.get_mut(&k) {
            return v;
        }
        self.put(k.clone(), V::default());
        match self.get_mut(&k) {
            Some(v) => v,
            None => unreachable!(),
        }
    }

"""
LRU_TEST = r"""t=$(mktemp -d); trap 'rm -rf $t' EXIT
rustc --edition 2021 --crate-type lib --emit=metadata -Awarnings -o $t/o "$f" 2>$t/err && exit 1
grep -q 'error\[E0499\]: cannot borrow `\*self` as mutable more than once' $t/err || exit 1
! grep '^error' $t/err | grep -v 'E0499\|aborting due to' | grep -q .
"""

# The output goes to a new file, because the compiler removes the output file after an error.
GO_TEST = r"""t=$(mktemp -d); trap 'rm -rf $t' EXIT
o=$(go tool compile -e -o $t/o "$f" 2>&1) && exit 1
echo "$o" | grep -q 'cannot use t.Text (variable of type \[\]byte) as type string in return statement' || exit 1
[ $(echo "$o" | wc -l) = 1 ]
"""

ARGPARSE = """

def build_parser():
    parser = ArgumentParser(prog='deploy-tool', description='Deploys things.',
                            formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument('--config-file', metavar='FILE', default='deploy.cfg', help='read settings from %(metavar)s')
    parser.add_argument('--verbose', '-v', action='count', default=0, help='say more')
    parser.add_argument('--target', choices=['staging', 'production', 'canary'], default='staging', help='where to')
    group = parser.add_mutually_exclusive_group()
    group.add_argument('--dry-run', action='store_true', help='only say what would be done')
    group.add_argument('--force', action='store_true', help='do not ask')
    parser.add_argument('--label', metavar='range(20)', action='append', help='labels of the release')
    sub = parser.add_subparsers(dest='command')
    up = sub.add_parser('up', help='start')
    up.add_argument('--replicas', type=int, default=3)
    down = sub.add_parser('down', help='stop')
    down.add_argument('--grace-period', type=float, default=30.0)
    return parser


if __name__ == '__main__':
    build_parser().print_help()
"""
ARGPARSE_TEST = r"""grep -q 'range20' "$f" && exit 1
o=$(COLUMNS=80 timeout 5 {python38} -I "$f" 2>/dev/null </dev/null) || exit 1
echo "$o" | grep -q '\[--label range20\]' && echo "$o" | grep -q 'labels of the release'
"""

STATISTICS = """

def report():
    xs = [0.1 * i for i in range(1, 24)]
    ys = [x * 1.7 + ((i * 37) % 11) / 13.0 for i, x in enumerate(xs)]
    print('mean', mean(xs), fmean(ys))
    print('median', median(xs), median_grouped([1, 3, 3, 5, 7]))
    print('mode', mode('abracadabra'), multimode('aabbc'))
    print('quantiles', quantiles(ys, n=4))
    print('stdev', stdev(xs), pvariance(ys))
    print('harmonic', harmonic_mean([40.0, 60.0], weights=[5, 30]))
    print('cov', covariance(xs, ys), correlation(xs, ys))
    print('regression', linear_regression(xs, ys))
    centre = mean(ys)
    spread = sum(abs(y - centre) for y in ys) / len(ys)
    print('mean absolute deviation', spread)
    weights = [0.1] * len(xs)
    print('weighted', sum(w * x for w, x in zip(weights, xs)) / sum(weights))
    n = NormalDist.from_samples(xs)
    print('normal', n.cdf(1.0), n.overlap(NormalDist(1.0, 2.0)))


if __name__ == '__main__':
    report()
"""
STATISTICS_TEST = r"""a=$(timeout 5 {python311} -I "$f" 2>&1 </dev/null) || exit 1
b=$(timeout 5 {python312} -I "$f" 2>&1 </dev/null) || exit 1
echo "$a" | grep -q '0x\|3\.1[12]\|Warning' && exit 1
[ "$a" != "$b" ]
"""

SORT = """#include <algorithm>
#include <map>
#include <string>
#include <vector>
struct Item { std::string name; int weight; };
int main() {
    std::vector<Item> items = {{"a", 3}, {"b", 1}};
    items.push_back({"c", 2});
    std::sort(items.begin(), items.end());
    int sum = 0;
    for (auto &i : items) sum += i.weight;
    return sum;
}
"""
SORT_TEST = r"""t=$(mktemp); trap 'rm -f $t' EXIT
g++ -std=c++14 -w -fsyntax-only "$f" >$t 2>&1 && exit 1
grep -q "required from .*std::sort" $t || exit 1
grep -q "error: no match for .operator<. (operand types are .Item. and .Item.)" $t || exit 1
! grep 'error:' $t | grep -v 'no match for .operator<. (operand types are .Item. and .Item.)' | grep -q .
"""


def lru(source: str) -> str:
    lines = pathlib.Path(source).read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(nth for nth, line in enumerate(lines) if "pub fn get_mut_or_insert_with" in line
              or "pub fn peek<" in line)
    while lines[at - 1].lstrip().startswith("///") or lines[at - 1].lstrip().startswith("#["):
        at -= 1
    return "".join(lines[:at]) + LRU + "".join(lines[at:])


def go(folder: str) -> str:
    """Returns the files of the package as one file, with one package clause and one import."""
    imports: set[str] = set()
    rest = []
    for name in ["lex.go", "node.go", "parse.go"]:
        text = (pathlib.Path(folder) / name).read_text(encoding="utf-8")
        text = text[text.index("\npackage parse\n") + len("\npackage parse"):]
        block = re.search(r"^import \((.*?)^\)", text, re.M | re.S)
        assert block
        imports |= set(re.findall(r'"[^"]+"', block[1]))
        rest.append(text[:block.start()] + text[block.end():])
    wrong = "return fmt.Sprintf(textFormat, t.Text)"
    body = "".join(rest)
    if body.count(wrong) != 1:
        raise Skipped(f"{folder}: not the package as it is in Go 1.19")
    listed = "".join(f"\t{name}\n" for name in sorted(imports))
    return f"package parse\n\nimport (\n{listed})\n" + body.replace(wrong, "return t.Text")


def preprocessed() -> str:
    command = ["g++", "-std=c++14", "-E", "-P", "-x", "c++", "-"]
    return subprocess.run(command, input=SORT, text=True, check=True, capture_output=True).stdout


def read(path: str) -> str:
    return pathlib.Path(path).read_text(encoding="utf-8")


Needs = Sequence[str | None]


def program(folder: pathlib.Path, name: str, extension: str, needs: Needs, text: Callable[[], str], test: str) -> int:
    """Makes a case of a program, if what it needs is there."""
    if not all(needs):
        raise Skipped("its source or a program is missing")
    data = text().encode()
    script = put(folder, name, extension, data, f"#!/bin/bash\nf=${{1:-input.{extension}}}\n{test}")
    check(script, f"input.{extension}", data)
    return len(data)


PYTHONS = ("python38", "python311", "python312")
SOURCES = ("lru", "go", "argparse", "statistics")


def rows(args: argparse.Namespace) -> list[tuple[str, str, Needs, Callable[[], str], str]]:
    def with_pythons(test: str) -> str:
        for python in PYTHONS:
            test = test.replace(f"{{{python}}}", str(getattr(args, python)))
        return test

    return [
        ("rust-lru", "rs", [args.lru, shutil.which("rustc")], lambda: lru(args.lru), LRU_TEST),
        ("go-parse", "go", [args.go, shutil.which("go")], lambda: go(args.go), GO_TEST),
        ("argparse", "py", [args.argparse, args.python38], lambda: read(args.argparse) + ARGPARSE, with_pythons(ARGPARSE_TEST)),
        ("statistics", "py", [args.statistics, args.python311, args.python312], lambda: read(args.statistics) + STATISTICS,
         with_pythons(STATISTICS_TEST)),
        ("cpp-sort", "cc", [shutil.which("g++")], preprocessed, SORT_TEST),
    ]


def main(words: Sequence[str]) -> None:
    flags = arguments(words, __doc__)
    for name in SOURCES + PYTHONS:
        flags.add_argument(f"--{name}")
    args = flags.parse_args(words)
    make_all([("valid", program, rows(args))], [str(args.folder), "--only", args.only])
