"""The first set of the corpus: 36 cases of 18 languages.

Packages of Debian: gcc g++ golang-go perl ruby tcl8.6 php-cli npm sqlite3 tidy jq python3 iso-codes bash-completion
postgresql-15.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.cases.corpus import GO, ISO, NPM, PYTHON, RUST, SYSROOT, C, Set, database, file, make_set, preprocessed

CXX = """
template <class T, class Order> struct Heap {
    std::array<T, 64> items; size_t used = 0; Order order;
    void push(T item) {
        size_t at = used++;
        for (; at && order(items[(at - 1) / 2], item); at = (at - 1) / 2) items[at] = items[(at - 1) / 2];
        items[at] = item;
    }
    T top() const { return items.front(); }
};
struct Shorter {
    bool operator()(std::string_view a, std::string_view b) const { return a.size() < b.size(); }
};
int main(int argc, char **argv) {
    Heap<std::string_view, Shorter> heap;
    for (int at = 0; at < argc; at++) heap.push(argv[at]);
    return (int)heap.top().find('x');
}
"""

VALID = [
    ("c-asm", "c", preprocessed("gcc", ["stdio.h", "stdlib.h", "string.h", "math.h", "pthread.h"], C, "-P"),
     "gcc -w -O1 -S -o - $f", r"(?m)^\t([a-z]\w+)\t"),
    ("c-warning", "c", preprocessed("gcc", ["stdio.h", "stdlib.h", "string.h", "math.h", "wchar.h"],
                                   C + "int narrow(long wide) { return wide; }\n", "-P"),
     "gcc -fsyntax-only -Wall -Wextra -Wconversion -Wshadow $f 2>&1", r"\[-(W[a-z-]+)"),
    ("cpp-asm", "cc", preprocessed("g++", ["array", "string_view"], CXX, "-P"),
     "g++ -std=c++17 -w -S -o - $f", r"(?m)^\tcall\t(\w+)"),
    ("go-asm", "go", file(f"{GO}/text/tabwriter/tabwriter.go", 0),
     "go tool compile -S -o m $f 2>&1", r"(?m)\t([A-Z]{3,})\t"),
    ("py-dis-1", "py", file(f"{PYTHON}/*.py", 0), f"{sys.executable} -m dis $f", r"\b([A-Z]+_[A-Z_]+)\b"),
    ("py-dis-2", "py", file(f"{PYTHON}/*.py", 1), f"{sys.executable} -m dis $f", r"\b([A-Z]+_[A-Z_]+)\b"),
    ("py-dis-3", "py", file(f"{PYTHON}/*/*.py", 2, 40_000), f"{sys.executable} -m dis $f", r"\b([A-Z]+_[A-Z_]+)\b"),
    ("perl-ops-1", "pl", file("/usr/share/perl/5*/**/*.pm", 3), "perl -MO=Concise,-terse $f 2>/dev/null",
     r"\) (\w+)"),
    ("perl-ops-2", "pl", file("/usr/share/perl/5*/**/*.pm", 7, 30_000),
     "perl -MO=Concise,-terse $f 2>/dev/null", r"\) (\w+)"),
    ("ruby-insns-1", "rb", file("/usr/lib/ruby/3*/**/*.rb", 0), "ruby --dump=insns $f", r"(?m)^\d+ (\w+)"),
    ("ruby-insns-2", "rb", file("/usr/lib/ruby/3*/**/*.rb", 1, 25_000), "ruby --dump=insns $f",
     r"(?m)^\d+ (\w+)"),
    ("js-words-1", "js", file(f"{NPM}/**/lib/*.js", 0), "node --check $f && cat $f",
     r"\b([a-z]{5,})\b"),
    ("js-words-2", "js", file(f"{NPM}/**/lib/*.js", 1), "node --check $f && cat $f",
     r"\b([a-z]{5,})\b"),
    ("php-tokens", "php", file("/usr/lib/google-cloud-sdk/**/*.php", 0),
     "php -l $f >/dev/null && php -w $f", r"\b([a-z_]{5,})\("),
    ("bash-words", "sh", file("/usr/share/bash-completion/completions/*", 0, 2_000),
     "bash -n $f && cat $f", r"\b(\w{5,})\b"),
    ("sql-rows", "sql", database("SELECT c.name, l.name FROM iso_3166_1 c JOIN iso_639_2 l ON "
                                 "lower(c.alpha_3) = l.alpha_3 ORDER BY l.name;\n"),
     "sqlite3 -bail :memory: < $f", r"(?m)^(\w+)\|"),
    ("json-keys", "json", file(f"{ISO}/iso_639-2.json", 0, high=500_000),
     "jq -r '.[][] | select(.alpha_2) | .name' $f", r"(?m)^(\w+)$"),
    ("xml-names", "xml", file("/usr/share/xml/iso-codes/iso_15924.xml", 0),
     f"{sys.executable} -c 'import sys,xml.dom.minidom as m;print(m.parse(sys.argv[1]).toxml())' $f", r'"(\w{5,})"'),
    ("tcl-loads", "tcl", file("/usr/share/tcltk/tcl8.6/*.tcl", 0),
     "tclsh $f && cat $f", r"\b(\w{5,})\b"),
]
MESSAGE = [
    ("c-message", "c", preprocessed("gcc", ["stdio.h", "string.h", "signal.h", "sys/socket.h"], C + """
struct entry first = { .uses = &table };
int broken(struct entry *e) { return e->next->name->uses; }
"""), "gcc -fsyntax-only $f 2>&1", r"(?m)error: (.*pointer.*|.*member.*)$"),
    ("cpp-message", "cc", preprocessed("g++", ["array"], """
struct Key { int a; };
bool before(std::array<Key, 2> a, std::array<Key, 2> b) { return a < b; }
""", "-P"), "g++ -fsyntax-only $f 2>&1", r"(?m)error: (no match for .operator<.)"),
    ("rust-message", "rs", file(f"{RUST}/indexmap-2*/src/map/*.rs", 0, 4_000, behind="""
fn first<'a>(values: &'a mut Vec<u8>) -> (&'a mut u8, &'a mut u8) {
    let one = &mut values[0]; let other = &mut values[1]; (one, other) }
"""), "rustc --edition 2021 --crate-type lib --emit metadata -o m $f 2>&1", r"(?m)^error\[(E\d+)\]"),
    ("go-message", "go", file(f"{GO}/html/escape.go", 0, 5_000, behind="""
func broken() int { var unused int; return "text" }
"""), "go tool compile -o m $f 2>&1", r"(?m): (.* declared but not used)$"),
    ("py-message", "py", file(f"{PYTHON}/*.py", 5, 30_000, behind="""
def broken():
    def inner():
        nonlocal missing
        missing = 1
"""), f"{sys.executable} -m py_compile $f 2>&1", r"(no binding for nonlocal 'missing' found)"),
    ("js-message", "js", file(f"{NPM}/**/lib/*.js", 4, behind="""
class Broken { #field = 1; static read(other) { return other.#missing } }
"""), "node --check $f 2>&1", r"(Private field '#missing' must be declared)"),
    ("ruby-message", "rb", file("/usr/lib/ruby/3*/**/*.rb", 3, 20_000, behind="""
def broken; A = 1; end
"""), "ruby -c $f 2>&1", r"(dynamic constant assignment)"),
    ("php-message", "php", file("/usr/lib/google-cloud-sdk/**/*.php", 2, behind="""
class BrokenOne extends BrokenOne { final abstract function f(); }
"""), "php -l $f 2>&1", r"(Cannot use the final modifier on an abstract \w+)"),
    ("sql-message", "sql", database("SELECT l.name FROM iso_639_2 l WHERE l.missing = 1;\n"),
     "sqlite3 -bail :memory: < $f 2>&1", r"(no such column: l.missing)"),
]
CRASH = [
    ("json-crash", "json", file(f"{ISO}/iso_639-2.json", 0), "json", """
rows = json.loads(text)
def walk(value):
    for item in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else []):
        walk(item)
    if isinstance(value, dict):
        assert not ("common_name" in value and "alpha_2" in value)
walk(rows)"""),
    ("xml-crash", "xml", file("/usr/share/xml/iso-codes/iso_3166-1.xml", 0), "xml.dom.minidom", """
for node in xml.dom.minidom.parseString(text).getElementsByTagName("*"):
    assert not (node.hasAttribute("official_name") and node.nextSibling and node.parentNode.attributes)
    assert node.getAttribute("alpha_2_code") != "ZW" """),
    ("html-crash", "html", file(f"{SYSROOT}/**/book/ch*.html", 0, 20_000), "html.parser", """
class Reader(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        assert not (tag == "a" and len(self.open) > 4 and "href" in dict(attributes))
    def handle_endtag(self, tag):
        if tag in self.open: self.open.remove(tag)
Reader().feed(text)"""),
    ("py-crash-1", "py", file(f"{PYTHON}/*.py", 8, 30_000), "ast", """
for node in ast.walk(ast.parse(text)):
    if isinstance(node, ast.ClassDef):
        for below in ast.walk(node):
            assert not (isinstance(below, ast.For) and isinstance(below.target, ast.Tuple))"""),
    ("py-crash-2", "py", file(f"{PYTHON}/*/*.py", 4, 60_000), "ast", """
for node in ast.walk(ast.parse(text)):
    for below in ast.iter_child_nodes(node):
        assert not (isinstance(node, ast.ClassDef) and isinstance(below, ast.FunctionDef)
                    and any(isinstance(last, ast.Return) for last in below.body[1:]))"""),
    ("css-crash", "css", file(f"{SYSROOT}/**/*.css", 0), "re", """
depth = 0
for token in re.findall(r"[{}]|[^{}]+", re.sub(r"/\\*.*?\\*/", "", text, flags=re.S)):
    depth += (token == "{") - (token == "}")
    if depth < 0: sys.exit(0)
    assert not (depth == 2 and re.search(r"display\\s*:\\s*none", token))"""),
    ("toml-crash", "toml", file(f"{RUST}/*/Cargo.toml", 0, 8_000), "tomllib", """
def walk(value):
    if isinstance(value, dict):
        assert not ("optional" in value and "default-features" in value)
        for below in value.values(): walk(below)
    elif isinstance(value, list):
        for below in value: walk(below)
walk(tomllib.loads(text))"""),
    ("md-crash", "md", file(f"{RUST}/*/CHANGELOG.md", 0, 15_000), "re", """
lists = 0
for line in text.splitlines():
    if line.startswith("#"): lists = 0
    lists += line.startswith(("- ", "* "))
    assert not (lists > 2 and line.startswith("  ") and "`" in line)"""),
]


def main(words: Sequence[str]) -> None:
    make_set(Set(VALID, MESSAGE, CRASH), words)
