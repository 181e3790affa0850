"""The fourth set of the corpus: 22 cases, mostly in languages without a parser, and large programs in C++.

Packages of Debian: also ocaml-nox swi-prolog-nox erlang-base erlang-src yosys iverilog gdc guile-3.0-dev xsltproc
docbook-xsl ghostscript cmake emacs-nox emacs-el minisat shellcheck; of Python: ziglang; of npm: sass and bootstrap.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
from collections.abc import Sequence

from bench.cases.corpus import GO, RUST, Set, Source, file, make_set, preprocessed


def dissected(path: str, *flags: str) -> Source:
    """A source of assembly without its directives for the preprocessor."""
    def make() -> bytes:
        found = sorted(glob.glob(path))
        if not found:
            raise FileNotFoundError(path)
        text = re.sub(r"(?m)^#include.*", "", pathlib.Path(found[0]).read_text())
        return subprocess.run(["gcc", "-E", "-P", *flags, "-x", "assembler-with-cpp", "-"], input=text.encode(),
                              capture_output=True, check=True).stdout
    return make


def clauses() -> bytes:
    """A problem of clauses without an answer: pigeons without enough holes, among clauses that have one."""
    holes, others = 6, 900

    def at(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    found = [[at(pigeon, hole) for hole in range(holes)] for pigeon in range(holes + 1)]
    found += [[-at(a, hole), -at(b, hole)] for hole in range(holes) for b in range(holes + 1) for a in range(b)]
    first = (holes + 1) * holes + 1
    seed = 12345
    for _ in range(others * 3):
        clause = []
        for _ in range(3):
            seed = (seed * 1103515245 + 12345) % 2**31
            clause.append((first + (seed >> 8) % others) * (1 if seed >> 4 & 1 else -1))
        found.append(clause)
    found.sort(key=lambda clause: hashlib.sha256(repr(clause).encode()).digest())
    return "\n".join([f"p cnf {first + others - 1} {len(found)}", *(" ".join(map(str, one)) + " 0" for one in found), ""]).encode()


def unpacked(path: str, behind: str) -> Source:
    """A file that a package has compressed, and a text behind it."""
    def make() -> bytes:
        found = sorted(glob.glob(path))
        if not found:
            raise FileNotFoundError(path)
        return gzip.decompress(pathlib.Path(found[0]).read_bytes()) + behind.encode()
    return make


def inside(path: str, end: str, text: str) -> Source:
    """A file with a text in front of its end."""
    return lambda: pathlib.Path(path).read_text().replace(end, text + end).encode()


def page() -> bytes:
    """A manual as PostScript."""
    text = gzip.decompress(pathlib.Path("/usr/share/man/man1/bash.1.gz").read_bytes())[:60_000]
    return subprocess.run(["groff", "-Tps", "-man"], input=text, capture_output=True, check=True).stdout


def style() -> bytes:
    """Files of a framework for style sheets as one."""
    base = pathlib.Path("/usr/lib/node_modules/bootstrap/scss")
    names = ["_functions", "_variables", "_variables-dark", "_maps", "mixins/_deprecate", *(f"mixins/{path.stem}" for path in sorted((base / "mixins").glob("_*.scss"))
             if path.stem != "_deprecate"),
             "vendor/_rfs", "_root", "_reboot", "_type", "_grid", "_tables", "_buttons", "_card", "_nav"]
    kept = [line for name in names for line in (base / f"{name}.scss").read_text().splitlines() if "@import" not in line]
    return ("\n".join(kept) + "\n").encode()


VALID = [
    ("cpp-set", "cc", preprocessed("g++", ["set", "string", "iostream"], """
std::set<std::string> seen;
int main(int count, char **words) {
    for (int at = 0; at < count; at++) seen.insert(words[at]);
    double share = seen.size() / double(count + 1);
    std::cout << share << seen.count("one") << std::endl;
    return seen.empty();
}
""", "-std=c++17"), "g++ -std=c++17 -w -O1 -S -o - $f", r"(?m)^\t(cvt\w+|divsd)"),
    ("cpp-thread", "cc", preprocessed("g++", ["thread", "mutex", "vector", "future"], """
std::mutex lock; long total;
long weigh(const std::vector<int> &values) {
    auto half = std::async([&] { std::lock_guard<std::mutex> hold(lock); for (int one : values) total += one / 3; return 0.5; });
    return long(half.get() * total);
}
""", "-std=c++17"), "g++ -std=c++17 -w -O1 -S -o - $f", r"(?m)^\tcall\t(\w*mutex\w*)"),
    ("ocaml-code", "ml", file("/usr/lib/ocaml/*.ml", 3, 12_000), "ocamlc -w -a -dinstr -c -o m $f 2>&1", r"(?m)^\t([a-z_]{6,})"),
    ("erl-code", "erl", file("/usr/lib/erlang/lib/stdlib-*/src/*.erl", 4, 25_000, 90_000), "erlc -S -o . $f && cat *.S",
     r"\{([a-z_]{6,}),"),
    ("verilog-cells", "v", file("/usr/share/yosys/gowin/cells_sim.v", 0), "yosys -q -p \"read_verilog $f; proc; write_rtlil\"",
     r"\bcell \$([a-z_]{3,})"),
    ("d-calls", "d", file("/usr/lib/gcc/x86_64-linux-gnu/12/include/d/std/*.d", 5, 20_000, 120_000), "gdc -w -S -o - $f",
     r"(?m)^\tcall\t(\w+)"),
    ("scheme-code", "scm", file("/usr/share/guile/3.0/**/*.scm", 6, 15_000, 60_000),
     "guild compile -O0 -o m.go $f >/dev/null 2>&1 && guild disassemble m.go", r"\(([a-z-]{8,})"),
    ("ps-words", "ps", page, "gs -q -dBATCH -dNOPAUSE -sDEVICE=txtwrite -o - $f", r"\b([a-z]{7,})\b"),
    ("scss-words", "scss", style, "sass --no-source-map $f", r"(?m)^ +([a-z-]{8,}):"),
    ("gas-code", "s", dissected(f"{RUST}/ring-0*/pregenerated/chacha-x86_64-elf.S", "-DOPENSSL_X86_64", "-D_CET_ENDBR="),
     "gcc -c -o m.o $f && objdump -d m.o", r"\t([a-z]\w{4,}) "),
    ("rust-asm", "rs", file(f"{RUST}/smallvec-1*/src/lib.rs", 0), "rustc --edition 2021 --crate-type lib -A warnings -C opt-level=1 --emit asm -o - $f",
     r"(?m)^\t([a-z]\w{3,})\t"),
    ("go-asm", "go", file(f"{GO}/text/tabwriter/tabwriter.go", 0), "go tool compile -S -p p -o m.o $f", r"\t([A-Z]{5,})\t"),
]
MESSAGE = [
    ("cpp-regex", "cc", preprocessed("g++", ["regex", "map", "memory"], """
struct Table { std::map<std::string, std::unique_ptr<int>> rows; };
bool find(const Table &table, const std::string &text) {
    static const std::regex word("[a-z]+");
    Table copy = table;
    return std::regex_match(text, word) && copy.rows.empty();
}
""", "-std=c++17"), "g++ -std=c++17 -fsyntax-only -w $f 2>&1", r"(use of deleted function)"),
    ("cpp-ranges", "cc", preprocessed("g++", ["ranges", "vector", "algorithm"], """
struct Word { int length; };
int longest(std::vector<Word> &words) { std::ranges::sort(words); return words.back().length; }
""", "-std=c++20"), "g++ -std=c++20 -fsyntax-only -w $f 2>&1", r"(no match for call to .*__sort_fn)"),
    ("zig-unused", "zig", file(f"{sysconfig.get_path('purelib')}/ziglang/lib/std/*.zig", 5, 20_000, 90_000, behind="""
fn broken(first: usize) usize {
    const second = first + 1;
    return first;
}
"""), f"{sys.executable} -m ziglang ast-check $f 2>&1", r"(unused local constant)"),
    ("prolog-together", "pl", file("/usr/lib/swi-prolog/library/*.pl", 5, 20_000, 80_000, behind="""
weigh(nothing, 0).
other(nothing, 1).
weigh([H|T], N) :- weigh(T, M), N is M + H.
"""), "swipl -q -g halt $f 2>&1", r"(Clauses of .*weigh/2 are not together)"),
    ("verilog-port", "v", file("/usr/share/yosys/**/cells_sim*.v", 4, 15_000, behind="""
module inner(input a, output b); assign b = ~a; endmodule
module outer(input x, output y); wire z; inner one(.a(x), .c(y)); endmodule
"""), "iverilog -o m $f 2>&1", r"(port ..c.. is not a port of one)"),
    ("lisp-argument", "el", unpacked("/usr/share/emacs/2*/lisp/image-dired.el.gz", """
(defun broken-inner (one) (cdr one))
(defun broken-outer (list) (broken-inner list (car list)))
"""), "emacs -Q --batch -f batch-byte-compile $f 2>&1", r"(broken-inner called with 2 arguments)"),
    ("xslt-template", "xsl", inside("/usr/share/xml/docbook/stylesheet/nwalsh/common/refentry.xsl", "</xsl:stylesheet>", """
<xsl:template name="broken.outer"><xsl:param name="node"/><xsl:if><xsl:value-of select="$node"/></xsl:if></xsl:template>
"""), "xsltproc $f $f 2>&1", r"(xsl:if : test is not defined)"),
    ("cmake-string", "cmake", file("/usr/share/cmake-3*/Modules/GetPrerequisites.cmake", 0, behind="""
function(broken first)
  string(SHORTEN "${first}" made)
endfunction()
broken(one)
"""), "cmake -P $f 2>&1", r"(does not recognize sub-command SHORTEN)"),
    ("shell-check", "sh", file("/usr/share/debootstrap/functions", 0),
     "shellcheck -s sh -f gcc $f", r"\[(SC2\d+)\]"),
    ("cnf-unsat", "cnf", clauses, "minisat -verb=0 $f", r"(?m)^(UNSATISFIABLE)$"),
]


def main(words: Sequence[str]) -> None:
    make_set(Set(VALID, MESSAGE), words)
