"""The cells of the Fuzzing Book's chapter on reduction, run with the classes of `nubbin.fuzzingbook`.

The chapter is the module `Reducer` of the package `fuzzingbook`, which is read and not imported. Its
cells run twice: with the chapter's own reducers, and with those of nubbin in their place, which the
same cells use unchanged. Values and logged tests of each cell have to be equal.
"""

import ast
import contextlib
import copy
import functools
import importlib.metadata
import io
import random
import re
import string
import subprocess
import sys
import time
import typing
import unittest.mock

import pytest

from nubbin import fuzzingbook

EXPR_GRAMMAR = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list(string.digits),
}

# The names that the chapter defines and nubbin replaces.
REPLACED = ["Reducer", "CachingReducer", "DeltaDebuggingReducer", "GrammarReducer"]

# Cells that show the inside of the chapter's programs, and not their public methods: a list of trees
# is printed by a function of the chapter. The cells with `log_reduce` run, but nubbin does
# not print the steps of the search.
PRIVATE = ["tree_list_to_string(", "possible_combinations("]

# The chapter defines its last class in parts. Before the part that goes by depth, the class is this:
WITHOUT_DEPTH = functools.partial(fuzzingbook.GrammarReducer, algorithm="grabr")


class Timer:
    def __enter__(self):
        self.begun = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.elapsed = time.perf_counter() - self.begun

    def elapsed_time(self):
        return self.elapsed


class RandomFuzzer:
    def fuzz(self):
        chars = (chr(random.randrange(32, 64)) for _ in range(random.randint(10, 100)))
        return "".join(chars)


class ProgramRunner(fuzzingbook.Runner):
    def __init__(self, program):
        assert program == "python"
        self.program = sys.executable

    def run(self, inp=""):
        done = subprocess.run([self.program], input=inp, capture_output=True, text=True)
        return done, self.PASS if done.returncode == 0 else self.UNRESOLVED


def expansion_to_children(expansion):
    parts = fuzzingbook.symbols_of(expansion)
    return [(part, None if fuzzingbook.is_symbol(part) else []) for part in parts]


def source():
    files = importlib.metadata.files("fuzzingbook") or []
    path = next(file.locate() for file in files if file.parts == ("fuzzingbook", "Reducer.py"))
    with open(path, encoding="utf-8") as file:
        return file.read()


def namespace():
    # What the chapter imports from other chapters.
    names = {
        name: getattr(fuzzingbook, name)
        for name in ["Runner", "EarleyParser", "GrammarFuzzer", "all_terminals", "tree_to_string"]
    }
    names.update((name, getattr(typing, name)) for name in ["Any", "List", "Optional", "Tuple"])
    names.update(typing.__dict__)
    names.update(
        __name__="__main__",
        Timer=Timer,
        RandomFuzzer=RandomFuzzer,
        ProgramRunner=ProgramRunner,
        subprocess=subprocess,
        display_class_hierarchy=lambda *_, **__: None,
        EXPR_GRAMMAR=EXPR_GRAMMAR,
        expansion_to_children=expansion_to_children,
        display_tree=lambda tree: None,
        quiz=lambda *_: None,
        YouTubeVideo=lambda *_: None,
        ExpectError=lambda *_: contextlib.suppress(Exception),
        Outcome=str,
        Grammar=dict,
        Parser=object,
        DerivationTree=tuple,
        copy=copy,
        re=re,
        random=random,
    )
    return names


def is_cell(node):
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def run(replaced):
    """Returns the text, the last value, and the logged tests of each cell."""
    random.seed(2001)
    names = namespace()
    names.update((name, getattr(fuzzingbook, name)) for name in replaced)
    if replaced:
        names["GrammarReducer"] = WITHOUT_DEPTH
    cells = []
    for node in ast.parse(source()).body:
        if isinstance(node, ast.ClassDef) and node.name in replaced:
            if "max_height" in ast.unparse(node):
                names["GrammarReducer"] = fuzzingbook.GrammarReducer
            continue
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            exec(compile(ast.Module([node], []), "chapter", "exec"), names)
        if not is_cell(node):
            continue
        body = [part for part in node.body if not isinstance(part, ast.ImportFrom)]
        text = "\n".join(map(ast.unparse, body))
        if not body or "__package__" in text or "print('" in text or "os." in text:
            continue
        value = None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            for part in body:
                if isinstance(part, ast.Expr):
                    value = eval(compile(ast.Expression(part.value), text, "eval"), names)
                else:
                    exec(compile(ast.Module([part], []), text, "exec"), names)
        tests = [line for line in printed.getvalue().splitlines() if line.startswith("Test #")]
        cells.append((text, value, tests))
    return cells


@pytest.fixture(scope="module")
def runs():
    return run([]), run(REPLACED)


def test_the_cells_have_the_same_values_and_tests(runs):
    compared = 0
    for (text, value, tests), (same, own, own_tests) in zip(*runs):
        assert same == text
        if "elapsed_time" in text or any(name in text for name in PRIVATE):
            continue
        assert own_tests == tests, text
        assert own == value, text
        compared += 1
    assert len(runs[0]) == len(runs[1])
    # All cells of the chapter but its functions and its clocks.
    assert compared > 50


def test_the_cells_that_reduce_are_among_them(runs):
    reduced = [text for text, _, _ in runs[1] if ".reduce(" in text]
    assert len(reduced) >= 6
    logged = [tests for _, _, tests in runs[1] if tests]
    assert len(logged) >= 4 and all(tests[0].startswith("Test #1 ") for tests in logged)


def test_the_synopsis_reduces_a_program():
    class ZeroDivisionRunner(fuzzingbook.Runner):
        def run(self, inp=""):
            try:
                exec(inp, {})
            except ZeroDivisionError:
                return inp, self.FAIL
            except Exception:
                return inp, self.UNRESOLVED
            return inp, self.PASS

    reducer = fuzzingbook.DeltaDebuggingReducer(ZeroDivisionRunner())
    assert reducer.reduce("x = 1 + 2 * 3 / 0") == "3/0"


def test_a_passing_input_raises_an_assertion():
    runner = unittest.mock.Mock()
    runner.run.return_value = ("x", fuzzingbook.Runner.PASS)
    with pytest.raises(AssertionError):
        fuzzingbook.DeltaDebuggingReducer(runner).reduce("x")


def test_an_override_of_test_is_called():
    class Counting(fuzzingbook.DeltaDebuggingReducer):
        seen = 0

        def test(self, inp):
            self.seen += 1
            return self.runner.FAIL if "x" in inp else self.runner.PASS

    reducer = Counting(fuzzingbook.Runner())
    assert reducer.reduce("aaxbb") == "x"
    assert reducer.seen > 3


@pytest.mark.parametrize("text", ["1 + (2 * 3)", "2 * (3 + (4 - 5.5)) / -(1 * 2)"])
def test_a_tree_is_reduced_by_the_tests_of_its_text(text, capsys):
    class Mystery(fuzzingbook.Runner):
        def run(self, inp):
            return inp, self.FAIL if "(" in inp else self.PASS

    reducer = fuzzingbook.GrammarReducer(
        Mystery(), fuzzingbook.EarleyParser(EXPR_GRAMMAR), log_test=True
    )
    small = reducer.reduce(text)
    of_text = capsys.readouterr().out
    reducer.reset()
    tree = reducer.parse(text)
    # The book returns the tree, and changes the one that it was given.
    assert reducer.reduce_tree(tree) is tree
    assert fuzzingbook.all_terminals(tree) == small != text
    assert capsys.readouterr().out == of_text


@pytest.mark.parametrize("algorithm", ["ddmin", "sweep", "probdd"])
def test_other_list_minimizers_are_an_option(algorithm):
    class Mystery(fuzzingbook.Runner):
        def run(self, inp):
            return inp, self.FAIL if "(" in inp and ")" in inp else self.PASS

    reducer = fuzzingbook.DeltaDebuggingReducer(Mystery(), algorithm=algorithm)
    assert reducer.reduce("1 + (2 * 3) - 4") == "()"


@pytest.mark.parametrize("algorithm", ["grabr", "grabr-depth", "grabr-all", "perses", "hdd"])
def test_other_tree_reducers_are_an_option(algorithm):
    class Mystery(fuzzingbook.Runner):
        def run(self, inp):
            return inp, self.FAIL if "(" in inp else self.PASS

    parser = fuzzingbook.EarleyParser(EXPR_GRAMMAR)
    reducer = fuzzingbook.GrammarReducer(Mystery(), parser, algorithm=algorithm)
    left = reducer.reduce("1 + (2 * 3) - 4")
    assert "(" in left and len(left) < 12
    parser.parse(left)


def test_a_text_that_does_not_fit_is_a_syntax_error():
    parser = fuzzingbook.EarleyParser(EXPR_GRAMMAR)
    with pytest.raises(SyntaxError):
        parser.parse("1 +")
    with pytest.raises(SyntaxError):
        fuzzingbook.GrammarReducer(fuzzingbook.Runner(), parser).reduce("1 +")


def test_the_trees_are_derivation_trees():
    tree = fuzzingbook.EarleyParser(EXPR_GRAMMAR).parse("1")[0]
    chain = ["<start>", "<expr>", "<term>", "<factor>", "<integer>", "<digit>", "1"]
    assert [node[0] for node in fuzzingbook.nodes(tree)] == chain
    assert fuzzingbook.max_height(tree) == fuzzingbook.number_of_nodes(tree) == 7


@pytest.mark.parametrize("least", [0, 100])
def test_fuzzers_repeat_with_the_state_of_random(least):
    parser = fuzzingbook.EarleyParser(EXPR_GRAMMAR)
    fuzzer = fuzzingbook.GrammarFuzzer(
        EXPR_GRAMMAR, min_nonterminals=least, max_nonterminals=least + 10
    )
    random.seed(5)
    texts = [fuzzer.fuzz() for _ in range(3)]
    random.seed(5)
    assert texts == [fuzzer.fuzz() for _ in range(3)]
    assert all(parser.parse(text) for text in texts)
    assert max(map(len, texts)) > least


ASSIGNMENTS = {
    "<start>": [["<assignments>"]],
    "<assignments>": [["<assign>", ";\n"], ["<assign>", ";\n", "<assignments>"]],
    "<assign>": [["<var>", " = ", "<expr>"]],
    "<expr>": [
        ["<expr>", " + ", "<expr>"],
        ["<expr>", " - ", "<expr>"],
        ["(", "<expr>", ")"],
        ["<var>"],
        ["<digit>"],
    ],
    "<digit>": [["0"], ["1"]],
    "<var>": [[letter] for letter in string.ascii_lowercase],
}


def defining(fuzzer, tree):
    fuzzer._vars.append(fuzzer.tree_to_str(tree))
    return tree


def defined(fuzzer, token, expand):
    assert token == "<var>"
    return (fuzzer.select(fuzzer.vars), []) if fuzzer.vars else ("00", [])


def sync(fuzzer, tree):
    fuzzer.vars.extend(fuzzer._vars)
    fuzzer._vars.clear()
    return tree


# The grammar of the article on the choices of a generator: names are defined before they are used.
SCOPED = {
    **ASSIGNMENTS,
    "<assignments>": [
        ["<assign>", (";\n", {"post": sync})],
        ["<assign>", (";\n", {"post": sync}), "<assignments>"],
    ],
    "<assign>": [[("<var>", {"post": defining}), " = ", "<expr>"]],
    "<expr>": [
        ["<expr>", " + ", "<expr>"],
        ["<expr>", " - ", "<expr>"],
        ["(", "<expr>", ")"],
        [("<var>", {"pre": defined})],
        ["<digit>"],
    ],
}


def test_the_limit_fuzzer_keeps_to_its_depth():
    random.seed(1)
    fuzzer = fuzzingbook.LimitFuzzer(ASSIGNMENTS)
    assert {fuzzer.fuzz("<digit>") for _ in range(20)} == {"0", "1"}
    assert len(fuzzer.fuzz(max_depth=1)) < 20
    assert all(fuzzer.fuzz().endswith(";\n") for _ in range(20))


def test_a_sequence_of_choices_replays():
    random.seed(9)
    choices = fuzzingbook.ChoiceSeq()
    text = fuzzingbook.ChoiceFuzzer(SCOPED, choices).fuzz()
    again = fuzzingbook.ChoiceFuzzer(SCOPED, fuzzingbook.ChoiceSeq(choices.ints))
    assert again.fuzz() == text
    with pytest.raises(IndexError):
        fuzzingbook.ChoiceFuzzer(SCOPED, fuzzingbook.ChoiceSeq(choices.ints[:-1])).fuzz()


@pytest.mark.parametrize("seed", [1, 5, 9, 16])
def test_the_article_s_assignments_are_reduced_by_choices(seed):
    # The article ends with texts such as `d = ((00));`, from its seeds 1, 5, 9, and 16.
    result = fuzzingbook.ChoiceFuzzer(SCOPED).reduce(
        lambda text: "((" in text and "))" in text, seed=seed * 1000
    )
    assert re.fullmatch(r"[a-z] = \(\((00|0)\)\);\n", result.data), result.data
