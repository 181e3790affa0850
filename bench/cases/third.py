"""The third set of the corpus: 23 cases with other programs, files, and kinds of text.

Packages of Debian: also llvm lua5.4 wabt gettext vim-runtime protobuf-compiler libprotobuf-dev xkb-data git; of Python:
graphql-core.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from bench.cases.corpus import (
    GO,
    ISO,
    NPM,
    PYTHON,
    QUICKJS,
    RUST,
    C,
    Set,
    Source,
    compiled,
    database,
    file,
    make_set,
    preprocessed,
    translated,
)

TREE_SITTER = f"{RUST}/tree-sitter-0*"
SDK = "/usr/lib/google-cloud-sdk/lib"


def ir(path: str, *flags: str) -> Source:
    """A library as text of LLVM."""
    return compiled(path, "clang -O1 -w -S -emit-llvm -fno-discard-value-names -o -", *flags)


def followed(make: Source, behind: str) -> Source:
    """A text with another behind it."""
    return lambda: make() + behind.encode()


def web_assembly() -> bytes:
    """Programs of this file as text of WebAssembly."""
    with tempfile.TemporaryDirectory() as scratch:
        declared = ("typedef unsigned long size_t; void *malloc(size_t); int strcmp(const char *, const char *);"
                    "void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int printf(const char *, ...);")
        copies = "".join(re.sub(r"\b(mean|compare|entry|table|hash|find|main)\b", rf"\1_{at}", C).replace("33u", f"{at + 31}u")
                         for at in range(24))
        (pathlib.Path(scratch) / "m.c").write_text(declared + copies)
        for command in (["clang", "--target=wasm32", "-O2", "-w", "-ffreestanding", "-c", "-o", "m.wasm", "m.c"],
                        ["wasm2wat", "--enable-all", "m.wasm", "-o", "m.wat"]):
            subprocess.run(command, cwd=scratch, capture_output=True, check=True)
        return (pathlib.Path(scratch) / "m.wat").read_bytes()


def translations(name: str, behind: str) -> Source:
    """A catalog of messages as text."""
    def make() -> bytes:
        return subprocess.run(["msgunfmt", name], capture_output=True, check=True).stdout + behind.encode()
    return make


def circuit() -> bytes:
    """Whether two ways of mixing words can differ, as an SMT problem of bit-vectors."""
    lines = ["(set-logic QF_BV)", "(set-option :produce-models true)",
             "(define-fun turn ((x (_ BitVec 32)) (by (_ BitVec 32))) (_ BitVec 32) "
             "(bvor (bvshl x by) (bvlshr x (bvsub #x00000020 by))))"]
    lines += [f"(declare-const in_{at} (_ BitVec 32))" for at in range(8)]
    for step in range(60):
        a, b = (f"in_{step % 8}" if step < 8 else f"mix_{step - 3}"), (f"in_{step * 5 % 8}" if step < 9 else f"mix_{step - 7}")
        lines += [f"(declare-const mix_{step} (_ BitVec 32))",
                  f"(assert (= mix_{step} (bvxor (bvadd {a} (turn {b} #x{step % 31 + 1:08x})) #x{step * 2654435761 % 2**32:08x})))",
                  f"(assert (=> (bvult {a} #x{step * 97 % 4096:08x}) (distinct mix_{step} {a})))"]
    lines += ["(assert (= ((_ extract 7 0) mix_41) (bvnot ((_ extract 7 0) mix_41))))", "(check-sat)"]
    return "\n".join(lines).encode()


def table() -> bytes:
    """Subdivisions of countries as comma-separated values."""
    rows = json.loads(pathlib.Path(f"{ISO}/iso_3166-2.json").read_text())["3166-2"]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["code", "name", "type", "parent"])
    writer.writerows([row["code"], row["name"], row["type"], row.get("parent", "")] for row in rows[:1800])
    return text.getvalue().encode()


def changes(pattern: str) -> Source:
    """Several patches behind one another."""
    def make() -> bytes:
        found = sorted(glob.glob(pattern), key=lambda path: hashlib.sha256(os.path.basename(path).encode()).digest())
        if not found:
            raise FileNotFoundError(pattern)
        return b"".join(pathlib.Path(path).read_bytes() for path in found[:12])
    return make


def stanzas(number: int) -> Source:
    """Descriptions of installed packages."""
    def make() -> bytes:
        found = pathlib.Path("/var/lib/dpkg/status").read_text().split("\n\n")
        return ("\n\n".join(found[:number]) + "\n\n").encode()
    return make


VALID = [
    ("ll-asm", "ll", ir(f"{TREE_SITTER}/src/node.c", "-I.", "-I../include"), "llc -o - $f", r"(?m)^\t([a-z]\w{4,})\t"),
    ("c-calls", "c", translated("gcc", f"{TREE_SITTER}/src/subtree.c", "-I../include"),
     "gcc -w -O2 -S -o - $f", r"(?m)^\tcall\t(\w+)"),
    ("cpp-warning", "cc", preprocessed("g++", ["algorithm", "optional", "string_view"], """
struct Base { virtual int weigh(int) const { return 0; } int kept; };
struct Derived : Base { int weigh(long) const { return std::max(kept, 2); } std::optional<int> last; };
int total(std::string_view text) { Derived one; int sum = one.weigh(3L); for (char c : text) sum += c; return sum; }
""", "-std=c++17"), "g++ -std=c++17 -fsyntax-only -Wall -Wextra -Weffc++ -Woverloaded-virtual $f 2>&1", r"\[-(W[a-z+-]+)"),
    ("ruby-tree", "rb", file("/usr/lib/ruby/3*/**/*.rb", 9, 30_000), "ruby --dump=parsetree $f", r"\b(NODE_\w+)"),
    ("perl-deparse", "pl", file("/usr/share/perl/5*/**/*.pm", 17, 25_000), "perl -MO=Deparse $f 2>/dev/null",
     r"\b([a-z_]{6,})\b"),
    ("lua-luac", "lua", file("/usr/share/luajit-2*/jit/*.lua", 2, 12_000), "luac5.4 -l -l -p $f", r"\b([A-Z]{3,})\b"),
    ("go-fmt", "go", file(f"{GO}/go/printer/nodes.go", 0), "gofmt -s $f", r"\b([a-z]{6,})\b"),
    ("esm-words", "mjs", file(f"{NPM}/**/*.mjs", 0, 8_000), "node --check $f && cat $f", r"\b(\w{6,})\b"),
    ("patch-files", "patch", changes(f"{pathlib.Path.home()}/.pyenv/plugins/python-build/share/python-build/patches/*/*/*.patch"),
     "git apply --numstat $f", r"(?m)^\d+\t\d+\t(.+)$"),
    ("wat-dump", "wat", web_assembly,
     "wat2wasm --enable-all $f -o m && wasm-objdump -d m", r"\| +([a-z][\w.]{4,})"),
    ("smt-bits", "smt2", circuit, "z3 -T:10 $f", r"^(unsat)$"),
]
MESSAGE = [
    ("ll-message", "ll", followed(ir(f"{QUICKJS}/dtoa.c"), """
define i32 @broken(i32 %of) {
entry:
  %first = call i32 @broken(i64 3)
  ret i32 %first
}
"""), "opt -passes=verify -disable-output $f 2>&1", r"(?m)error: '@broken' (defined with type .* but expected .*)$"),
    ("rust-lifetime", "rs", file(f"{RUST}/bit-vec-0*/src/lib.rs", 0, 5_000, behind="""
trait Weigh { fn weigh(&self) -> usize; }
fn heaviest<'a>(of: &'a [&'a (dyn Weigh + 'a)]) -> &'static dyn Weigh { let one = of[0]; one }
"""), "rustc --edition 2021 --crate-type lib --emit metadata -o m $f 2>&1", r"(lifetime may not live long enough)"),
    ("po-format", "po", translations("/usr/share/vim/vim90/lang/pl.UTF-8/LC_MESSAGES/vim.mo", """
#, c-format
msgid "%d lines of %s"
msgstr "%s wierszy z %d"
"""), "msgfmt -c -o m $f 2>&1", r"(format specifications in .* are not the same)"),
    ("proto-number", "proto", file("/usr/include/google/protobuf/descriptor.proto", 0, behind="""
message Broken { optional FileOptions first = 3; repeated DescriptorProto second = 3; }
"""), "protoc -o m $f 2>&1", r"(Field number 3 has already been used)"),
    ("php-parameter", "php", file(f"{SDK}/../**/*.php", 3, behind="""
interface Broken { const A = 1; public function twice(int $one, ?string $one = null): void; }
"""), "php -l $f 2>&1", r"(Redefinition of parameter .one)"),
    ("py-warning", "py", file(f"{PYTHON}/*.py", 17, 30_000, behind="""
def same(of): return of is "one" or of is 2
"""), f"{sys.executable} -W error -m py_compile $f 2>&1", r"(\"is\" with a literal)"),
    ("sql-message-2", "sql", database("CREATE VIEW both AS SELECT l.name, c.name FROM iso_639_2 l, iso_4217 c;\n"
                                      "SELECT name FROM both JOIN iso_3166_1 USING (alpha_9);\n"),
     "sqlite3 -bail :memory: < $f 2>&1", r"(cannot join using column alpha_9)"),
]
CRASH = [
    ("csv-crash", "csv", table, "csv", """
kinds = {}
for row in csv.DictReader(text.splitlines()):
    kinds.setdefault(row["code"].split("-")[0], set()).add(row["type"])
assert not any(len(found) > 5 for found in kinds.values())"""),
    ("xkb-crash", "xml", file("/usr/share/X11/xkb/rules/base.xml", 0), "xml.etree.ElementTree", """
root = xml.etree.ElementTree.fromstring(text)
for layout in root.iter("layout"):
    names = [node.text for node in layout.findall("variantList/variant/configItem/name")]
    assert not ("mac" in names and len(names) > 4 and layout.find("configItem/languageList/iso639Id") is not None)"""),
    ("api-crash", "json", file(f"{SDK}/third_party/botocore/data/*/*/service-2.json", 0, 60_000), "json", """
shapes = json.loads(text)["shapes"]
def deep(name, seen):
    below = shapes.get(name, {})
    for to in [below.get("member", {}).get("shape"), *(one["shape"] for one in below.get("members", {}).values())]:
        assert not (to and below["type"] == "list" and shapes[to]["type"] == "structure" and len(seen) > 1)
        if to and to not in seen: deep(to, seen + [to])
for name in shapes: deep(name, [name])"""),
    ("dpkg-crash", "txt", stanzas(120), "email.parser", """
packages = {}
for part in text.split("\\n\\n"):
    if part.strip():
        one = email.parser.Parser().parsestr(part)
        packages[one["Package"]] = one
for one in packages.values():
    for name in (one["Depends"] or "").split(", "):
        below = packages.get(name.split(" ")[0])
        assert not (below and below["Breaks"] and one["Multi-Arch"] == "foreign")"""),
    ("graphql-crash", "graphql", file(f"{RUST}/trustfall-rustdoc-adapter-*/src/rustdoc_schema.graphql", 0), "graphql", """
import graphql
made = graphql.build_schema(text)
for kind in made.type_map.values():
    if isinstance(kind, graphql.GraphQLObjectType) and kind.interfaces:
        assert not any(isinstance(getattr(field.type, "of_type", None), graphql.GraphQLList) for field in kind.fields.values())"""),
]


def main(words: Sequence[str]) -> None:
    make_set(Set(VALID, MESSAGE, CRASH), words)
