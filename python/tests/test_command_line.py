"""The program `nubbin` of the wheel, whose results are those of the library."""

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

import nubbin

PROGRAM = Path(sysconfig.get_path("scripts")) / "nubbin"

C = """\
#include <stdio.h>
struct point { int x, y; };
static int sum(struct point p) { return p.x + p.y; }
int unused(int a, int b) { if (a > b) { return a; } return b; }
int main(void) {
    struct point p = { 1, 2 };
    printf("%d\\n", sum(p));
    crash(p.x, sum(p));
    return 0;
}
"""
SUMS = '{"<start>": ["<e>"], "<e>": ["(<e>)", "<e>+<e>", "0", "1"]}'
LISTS = "\n".join(f"item {number} [{number % 7}, ({number})]" for number in range(60)) + "\n"

# A name, the text, the file, what a failing text has, and options of the library and the program.
CASES = [
    ("a text", LISTS, "input", "(33)", {}, []),
    ("a program", C, "bug.c", "crash(", {}, []),
    ("a program as text", C, "bug.c", "sum(p)", {"language": "none"}, ["--language", "none"]),
    ("lines", LISTS, "input", "item 7", {"algorithm": "ddmin"}, ["--algorithm", "ddmin"]),
    (
        "characters",
        LISTS[:200],
        "input",
        "item 3",
        {"algorithm": "probdd", "atom": "char"},
        ["--algorithm", "probdd", "--atom", "char"],
    ),
    ("a tree reducer", C, "bug.c", "crash", {"algorithm": "hdd"}, ["--algorithm", "hdd"]),
    ("a seed", LISTS, "input", "(12)", {"seed": 7}, ["--seed", "7"]),
    ("a limit", LISTS, "input", "(12)", {"max_tests": 30}, ["--max-tests", "30"]),
]


def reduced_by_the_program(folder, text, name, needle, options):
    (folder / name).write_text(text)
    stats = folder / "stats.json"
    command = [PROGRAM, "reduce", name, "-o", "small", "--stats", stats, "--jobs", "1", "--quiet"]
    test = ["grep", "-qF", "--", needle, "{}"]
    done = subprocess.run(
        [*command, *options, "--", *test], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return (folder / "small").read_text(), json.loads(stats.read_text())


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_library_and_program_have_the_same_result(tmp_path, case):
    _, text, name, needle, options, flags = case
    small, stats = reduced_by_the_program(tmp_path, text, name, needle, flags)
    by_function = nubbin.reduce(text, lambda text: needle in text, filename=name, **options)
    assert (by_function.data, by_function.tests) == (small, stats["tests"])
    by_command = nubbin.reduce(
        text, ["grep", "-qF", "--", needle, "{}"], filename=name, jobs=2, **options
    )
    assert (by_command.data, by_command.tests) == (small, stats["tests"])


@pytest.mark.parametrize("algorithm", ["auto", "perses", "grabr-depth"])
def test_a_grammar_is_the_same_in_both(tmp_path, algorithm):
    grammar = tmp_path / "sums.json"
    grammar.write_text(SUMS)
    text = "(1+(0+(1)))+0+((1+1)+(0))"
    flags = ["--grammar", grammar, "--algorithm", algorithm]
    small, stats = reduced_by_the_program(tmp_path, text, "input", "((", flags)
    for source in [grammar, json.loads(SUMS)]:
        result = nubbin.reduce(text, lambda t: "((" in t, grammar=source, algorithm=algorithm)
        assert (result.data, result.tests) == (small, stats["tests"])


EXPLAINED = [
    ("a language", "bug.c", "int f(int a) { return a / 0; }\n", "/ 0", {}, []),
    ("tokens", "bug", "x = 17 / 0\n", "/ 0", {"language": "none"}, ["--language", "none"]),
    ("a seed", "bug.c", "int f(int a) { return a / 0; }\n", "/ 0", {"seed": 5}, ["--seed", "5"]),
    ("a grammar", "sum", "(1+(0))", "(0", {"grammar": SUMS}, ["--grammar", "sums.json"]),
]


@pytest.mark.parametrize("case", EXPLAINED, ids=[case[0] for case in EXPLAINED])
def test_library_and_program_have_the_same_explanation(tmp_path, case):
    _, name, text, needle, options, flags = case
    (tmp_path / name).write_text(text)
    (tmp_path / "sums.json").write_text(SUMS)
    command = [PROGRAM, "explain", name, "--json", "--quiet", "--jobs", "1"]
    done = subprocess.run(
        [*command, *flags, "--", "grep", "-qF", "--", needle, "{}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    found = nubbin.explain(text, lambda text: needle in text, filename=name, **options)
    assert "<" in found.pattern
    assert (found.pattern, found.tests) == (told["pattern"], told["tests"])
    assert [part.texts for part in found.parts] == [part["others"] for part in told["abstract"]]


def test_the_program_is_the_whole_one():
    assert shutil.which(PROGRAM) is not None
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert nubbin.__version__ in said.stdout
    listed = subprocess.run([PROGRAM, "algorithms"], capture_output=True, text=True, check=True)
    assert all(algorithm.name in listed.stdout for algorithm in nubbin.algorithms())
