"""The corpus: cases of programs and files that packages install, in four sets.

The second, third, and fourth set have other programs and files. Each was made, and measured, to check what was
tuned on those before it. The tests are of three kinds:

- `valid`: the program accepts the file, and its output has a certain word: an instruction that it compiles to, the
  name of a warning. The word is the rarest one of the output for the original, by a hash where several are as rare,
  and not one of the output for an empty file. Candidates must be valid programs.
- `message`: the program has a certain message, about an error planted behind the text.
- `crash`: a reader fails with an assertion about what the file contains, and not with the exception that it raises
  for a file that is not well-formed.

A case depends on nothing but the installed packages. What is not installed is left out, and said.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.cases.maker import Skipped, make_all, quoted, rarest, write

RUST = f"{pathlib.Path.home()}/.cargo/registry/src/*"
QUICKJS = f"{RUST}/rquickjs-sys-*/quickjs"
NPM = "/usr/lib/node_modules/npm"
PYTHON = sysconfig.get_path("stdlib")
SYSROOT = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
GO = "/usr/lib/go-1.19/src"
ISO = "/usr/share/iso-codes/json"

C = """
static double mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t at = 0; at < count; at++) sum += values[at];
    return count ? sum / (double)count : 0;
}
int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct entry { char name[32]; int uses; struct entry *next; };
static struct entry *table[64];
static unsigned hash(const char *text) {
    unsigned value = 5381;
    while (*text) value = value * 33u ^ (unsigned char)*text++;
    return value % 64u;
}
struct entry *find(const char *name) {
    for (struct entry *at = table[hash(name)]; at; at = at->next)
        if (!strcmp(at->name, name)) { at->uses++; return at; }
    return 0;
}
int main(int argc, char **argv) {
    double values[4] = {1, 2, 3, argc};
    qsort(argv, (size_t)argc, sizeof *argv, compare);
    printf("%f %p\\n", mean(values, 4), (void *)find(argv[0]));
    return argc / 7;
}
"""
ASSERTING = """
import sys, {module}
from {module} import *
text = open(sys.argv[1], encoding="utf-8").read()
{code}
"""

Source = Callable[[], bytes]


class Set(NamedTuple):
    """The rows of a set."""

    # Name, extension, text, command (the file is `$f`), and the pattern of a word in its output.
    valid: Sequence[tuple[str, str, Source, str, str]]
    # Name, extension, text with an error, command, and a pattern of the message.
    message: Sequence[tuple[str, str, Source, str, str]]
    # Name, extension, text, a module of Python, and code that raises AssertionError for the file.
    crash: Sequence[tuple[str, str, Source, str, str]] = ()


def preprocessed(compiler: str, headers: Sequence[str], code: str, *flags: str) -> Source:
    """The headers of a compiler as one text, and code behind it that uses them."""
    def make() -> bytes:
        text = "".join(f"#include <{name}>\n" for name in headers) + code
        language = "c++" if compiler.endswith("++") else "c"
        ran = subprocess.run([compiler, "-E", *flags, "-x", language, "-"], input=text.encode(),
                             capture_output=True, check=True)
        return ran.stdout
    return make


def file(pattern: str, number: int, low: int = 10_000, high: int = 300_000, behind: str = "", front: str = "") -> Source:
    """File `number` of a pattern in the order of a hash, and a text in front of it and behind it."""
    def make() -> bytes:
        found = [path for path in glob.glob(pattern, recursive=True)
                 if low <= os.path.getsize(path) <= high]
        found.sort(key=lambda path: hashlib.sha256(os.path.basename(path).encode()).digest())
        if len(found) <= number:
            raise FileNotFoundError(f"{pattern} has {len(found)} files of a fit size")
        return front.encode() + pathlib.Path(found[number]).read_bytes() + behind.encode()
    return make


def database(behind: str) -> Source:
    """Tables of languages and countries as SQL, and a query behind them."""
    def make() -> bytes:
        base = sqlite3.connect(":memory:")
        for name in ("639-2", "3166-1", "4217", "15924"):
            rows = json.loads(pathlib.Path(f"{ISO}/iso_{name}.json").read_text())[name]
            columns = sorted(set(rows[0]) - {"flag"})
            table = "iso_" + name.replace("-", "_")
            base.execute(f"CREATE TABLE {table} ({', '.join(f'{c} TEXT' for c in columns)})")
            base.execute(f"CREATE INDEX {table}_name ON {table} (name)")
            base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})",
                             [[row.get(c) for c in columns] for row in rows[:400]])
        return ("\n".join(base.iterdump()) + "\n" + behind).encode()
    return make

def compiled(path: str, command: str, *flags: str) -> Source:
    """The output of a compiler for the source of a library, in the folder of the file."""
    def make() -> bytes:
        found = sorted(glob.glob(path))
        if not found:
            raise FileNotFoundError(path)
        ran = subprocess.run([*command.split(), *flags, found[0]], cwd=os.path.dirname(found[0]),
                             capture_output=True, check=True)
        return ran.stdout
    return make


def translated(compiler: str, path: str, *flags: str) -> Source:
    """The source of a library, preprocessed."""
    return compiled(path, f"{compiler} -E -P", *flags)


def assembly(path: str, *flags: str) -> Source:
    """The assembly of a library."""
    return compiled(path, "gcc -O1 -S -o -", *flags)


def run(command: str, text: bytes, name: str) -> subprocess.CompletedProcess[str]:
    """Runs a command on a text in a folder of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / name).write_bytes(text)
        return subprocess.run(["bash", "-c", f"f={name}\n{command}"], cwd=scratch, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60, text=True, errors="replace")


def crash(folder: pathlib.Path, name: str, extension: str, source: Source, module: str, code: str) -> int:
    """Makes a case of a reader that fails with an assertion."""
    text = source()
    (folder / name).mkdir(parents=True, exist_ok=True)
    reader = (folder / name / "reader.py").resolve()
    reader.write_text(ASSERTING.format(module=module, code=code), encoding="utf-8")
    test = f"{sys.executable} {reader} $f 2>&1 | tail -n 1 | grep -qx AssertionError"
    return write(folder, name, extension, text, test)


def words_of(source: Source, extension: str, command: str, pattern: str) -> tuple[bytes, int, list[str]]:
    """Returns a text, and the exit code and words of the output of its command."""
    text = source()
    ran = run(command, text, f"input.{extension}")
    words: list[str] = re.findall(pattern, ran.stdout)
    if not words:
        raise Skipped(f"exit code {ran.returncode}, no words: {ran.stdout[-200:]}{ran.stderr[-300:]}")
    return text, ran.returncode, words


def valid(folder: pathlib.Path, name: str, extension: str, source: Source, command: str, pattern: str) -> int:
    """Makes a case of a program that must stay valid."""
    text, code, words = words_of(source, extension, command, pattern)
    always = set(re.findall(pattern, run(command, b"", f"input.{extension}").stdout))
    words = [word for word in words if word not in always]
    if not words or code != 0:
        raise Skipped(f"exit code {code}, {len(words)} words that are not in all outputs")
    test = f'set -o pipefail\nout=$({command}) && grep -qwF -- {quoted(rarest(words))} <<<"$out"'
    return write(folder, name, extension, text, test)


def message(folder: pathlib.Path, name: str, extension: str, source: Source, command: str, pattern: str) -> int:
    """Makes a case of a message."""
    text, _, words = words_of(source, extension, command, pattern)
    return write(folder, name, extension, text, f'out=$({command})\ngrep -qwF -- {quoted(rarest(words))} <<<"$out"')


def make_set(rows: Set, words: Sequence[str]) -> None:
    """Makes the cases of a set, for the arguments of its command."""
    make_all([("valid", valid, rows.valid), ("message", message, rows.message), ("crash", crash, rows.crash)], words)
