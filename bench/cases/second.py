"""The second set of the corpus: 26 cases with other programs, files, and kinds of text.

Packages of Debian: also clang binutils luajit groff z3 debootstrap and a JDK; of Python: docutils, awscli, and PyYAML;
TypeScript 3.0.1.
"""

from __future__ import annotations

import gzip
import pathlib
import sys
import sysconfig
from collections.abc import Sequence

from bench.cases.corpus import (
    GO,
    NPM,
    PYTHON,
    QUICKJS,
    RUST,
    SYSROOT,
    Set,
    Source,
    assembly,
    database,
    file,
    make_set,
    preprocessed,
    translated,
)
from bench.files import ROOT

TYPESCRIPT = f"{pathlib.Path.home()}/reduce-bench-env/ts301/node_modules/typescript/lib"
TRANSPILE = ("const ts=require(process.argv[1]),text=require('fs').readFileSync(process.argv[2],'utf8');"
             "const made=ts.transpileModule(text,{compilerOptions:{target:'ES5'},reportDiagnostics:true});"
             "process.stdout.write(made.outputText);process.exit(made.diagnostics.length?1:0)")
OUTLINE = "import sys,docutils.core as d;print(d.publish_string(open(sys.argv[1]).read(),writer_name='pseudoxml').decode())"


def unpacked(path: str) -> Source:
    """A compressed text."""
    def make() -> bytes:
        return gzip.decompress(pathlib.Path(path).read_bytes())
    return make


def schedule() -> bytes:
    """A timetable that cannot be kept, as an SMT problem: jobs on machines, in order, within a time."""
    lines = ["(set-logic QF_LIA)"]
    for job in range(24):
        for step in range(6):
            lines += [f"(declare-fun start_{job}_{step} () Int)", f"(declare-fun machine_{job}_{step} () Int)",
                      f"(assert (and (>= start_{job}_{step} 0) (<= 1 machine_{job}_{step} 3)))"]
    for job in range(24):
        for step in range(5):
            wait = (job * 7 + step * 3) % 5 + 2
            lines.append(f"(assert (>= start_{job}_{step + 1} (+ start_{job}_{step} {wait})))")
        lines.append(f"(assert (let ((end (+ start_{job}_5 {job % 4 + 1}))) (<= end {60 + job % 9})))")
        lines.append(f"(assert (=> (= machine_{job}_0 machine_{(job + 1) % 24}_0) "
                     f"(or (< (+ start_{job}_0 3) start_{(job + 1) % 24}_0) "
                     f"(> start_{job}_0 (+ start_{(job + 1) % 24}_0 3)))))")
    lines += ["(assert (< (+ start_7_5 start_11_5) 14))", "(check-sat)"]
    return "\n".join(lines).encode()


VALID = [
    ("clang-ir", "c", translated("clang", f"{QUICKJS}/libregexp.c", "-D_GNU_SOURCE", '-DCONFIG_VERSION="1"'),
     "clang -w -O1 -S -emit-llvm -o - $f", r"call [^@\n]*@(\w+)"),
    ("gas-dump", "s", assembly(f"{QUICKJS}/dtoa.c", "-fno-asynchronous-unwind-tables"),
     "as -o made.o $f && objdump -d made.o", r"(?m)^ +[0-9a-f]+:\t[0-9a-f ]+\t(\w{4,})"),
    ("lua-list", "lua", file("/usr/share/luajit-2*/jit/*.lua", 0), "luajit -bl $f", r"\b([A-Z]{4,})\b"),
    ("rust-mir", "rs", file(f"{RUST}/fastrand-2*/src/lib.rs", 0),
     "rustc --edition 2021 --crate-type lib -Awarnings --emit mir -o m $f && cat m", r"(?m)= (\w+::<?\w+)"),
    ("go-lists", "go", file(f"{GO}/bufio/bufio.go", 0), "go tool compile -S -o m $f", r"(?m)\t([A-Z]{3,})\t"),
    ("man-words", "1", unpacked("/usr/share/man/man1/bash.1.gz"), "groff -man -Tascii -ww $f",
     r"\b([a-z]{6,})\b"),
    ("html-warnings", "html", file(f"{SYSROOT}/share/doc/rust/html/std/vec/*.html", 0, 20_000),
     "(tidy -q -e $f 2>&1; true) | grep Warning", r"Warning: (?:missing |trimming )?<?(\w+)"),
    ("ts-es5", "ts", file(f"{TYPESCRIPT}/typescriptServices.d.ts", 0, behind="""
class Row<T> { constructor(public readonly items: T[]) {} copy() { return new Row([0, ...this.items]); } }
"""), f"node -e \"{TRANSPILE}\" {TYPESCRIPT}/typescript.js $f", r"\b(\w*concat\w*)\b"),
    ("py-fix", "py", file(f"{PYTHON}/*.py", 11, 30_000), f"{sys.executable} -W ignore -m lib2to3 $f",
     r"(?m)^\+.*?\b([a-z_]{5,})\b"),
    ("ruby-warnings", "rb", file("/usr/lib/ruby/3*/**/*.rb", 7, 30_000), "ruby -wc $f 2>&1 && cat $f",
     r"\b([a-z_]{6,})\b"),
    ("rst-outline", "rst", file(f"{sysconfig.get_path('purelib')}/awscli/examples/ec2/*.rst", 0, 8_000),
     f"{sys.executable} -c \"{OUTLINE}\" $f", r"<(\w{5,})"),
    ("sh-text", "sh", file("/usr/sbin/debootstrap", 0), "dash -n $f && cat $f", r"\b(\w{6,})\b"),
    ("smt-unsat", "smt2", schedule, "z3 -T:10 $f", r"^(unsat)$"),
]
MESSAGE = [
    ("clang-message", "c", translated("clang", f"{QUICKJS}/libunicode.c", "-D_GNU_SOURCE"),
     "clang -fsyntax-only -Weverything $f 2>&1", r"\[(-W[a-z0-9-]+)\]"),
    ("cpp-clang", "cc", preprocessed("clang++", ["vector", "map", "string"], """
std::map<std::string, std::vector<int>> found;
int sum(const std::map<std::string, std::vector<int>> &of) { return of["all"].size(); }
""", "-P", "-std=c++17"), "clang++ -std=c++17 -fsyntax-only $f 2>&1", r"(no viable overloaded operator\[\])"),
    ("ts-message", "ts", file(f"{TYPESCRIPT}/lib.es5.d.ts", 0, behind="""
function pick<T, K extends keyof T>(of: T, key: K): T[K] { return of[key]; }
var chosen: string = pick({ width: 3, name: "n" }, "width");
"""), f"node {TYPESCRIPT}/tsc.js --noEmit --noLib $f", r"(Type 'number' is not assignable to type 'string')"),
    ("perl-message", "pl", file("/usr/share/perl/5*/**/*.pm", 12, 20_000, front="""package Broken; use strict; sub broken { return $undeclared + 1; }
"""), "perl -c $f 2>&1", r"(Global symbol \"\$undeclared\" requires explicit package name)"),
    ("go-types", "go", file(f"{GO}/encoding/csv/reader.go", 0, 5_000, behind="""
type closer interface { Close() error; Name() string }
var _ closer = (*Reader)(nil)
"""), "go tool compile -o m $f 2>&1", r"(missing Close method)"),
    ("js-strict", "js", file(f"{NPM}/**/*.js", 12, 15_000, behind="""
async function* each(of) { for await (const one of of) { yield* one; } break outer; }
"""), "node --check $f 2>&1", r"(Undefined label 'outer')"),
    ("tcl-message", "tcl", file("/usr/share/tcltk/tcl8.6/*.tcl", 1, behind="""
proc last {values} { return [lindex $values end }
last {1 2}
"""), "tclsh $f 2>&1", r"(missing close-bracket)"),
    ("java-message", "java", file(f"{ROOT}/../shared/grammars/java-java20/examples/*.java", 0, 3_000), "javac $f 2>&1",
     r"error: (.*)"),
]
CRASH = [
    ("yaml-crash", "yaml", file("/usr/lib/google-cloud-sdk/lib/googlecloudsdk/schemas/compute/*/*.yaml", 0), "yaml", """
def walk(value, depth):
    if isinstance(value, dict):
        assert not (depth > 1 and isinstance(value.get("type"), str) and "additionalProperties" in value)
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        walk(below, depth + 1)
walk(yaml.safe_load(text), 0)"""),
    ("svg-crash", "svg", file(f"{SYSROOT}/**/*.svg", 0), "xml.etree.ElementTree", """
root = xml.etree.ElementTree.fromstring(text)
for node in root.iter():
    assert not (node.tag.endswith("}g") and any(len(below.get("d", "")) > 40 for below in node))"""),
    ("lock-crash", "toml", lambda: (ROOT / "Cargo.lock").read_bytes(), "tomllib", """
packages = {package["name"]: package for package in tomllib.loads(text)["package"]}
for package in packages.values():
    for name in package.get("dependencies", []):
        below = packages.get(name.split()[0], {}).get("dependencies", [])
        assert "windows-sys" not in " ".join(below)"""),
    ("py-crash-3", "py", file(f"{PYTHON}/*.py", 14, 40_000), "ast", """
for node in ast.walk(ast.parse(text)):
    if isinstance(node, ast.Try) and node.finalbody:
        for below in ast.walk(node):
            assert not (isinstance(below, ast.Call) and below.keywords and isinstance(below.func, ast.Attribute))"""),
    ("sql-crash", "sql", database("SELECT count(*) FROM iso_4217;\n"), "sqlite3", """
base = sqlite3.connect(":memory:")
try:
    base.executescript(text)
    names = {row[0] for row in base.execute("SELECT name FROM iso_3166_1 WHERE alpha_3 LIKE 'Z%'")}
except sqlite3.Error:
    sys.exit(0)
assert not ("Zambia" in names)"""),
]


def main(words: Sequence[str]) -> None:
    make_set(Set(VALID, MESSAGE, CRASH), words)
