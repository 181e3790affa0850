"""The cells of the Fuzzing Book's chapter on reduction, run with the classes of `nubbin.fuzzingbook`.

The chapter is the module `Reducer` of the package `fuzzingbook`, which is read and not imported. Its
cells run three times, and print and return the same each time:

* *printed*: as they are, with the chapter's own classes;
* *ours*: with the reducers of nubbin in their place;
* *steps*: with the reducers of nubbin, and with the parts of `GrammarReducer` that the chapter adds
  to it by subclasses of the same name, except `reduce`. Nubbin's `reduce` has to ask these steps.

`scripts/python-chapter` does the same with the chapter's notebook in another form.
"""

import ast
import contextlib
import copy
import importlib.metadata
import io
import random
import re
import string
import subprocess
import sys
import typing
import unittest.mock

import pytest

import nubbin
from nubbin import fuzzingbook

EXPR_GRAMMAR = fuzzingbook.EXPR_GRAMMAR

# The names that the chapter defines and nubbin replaces.
REPLACED = ["Reducer", "CachingReducer", "DeltaDebuggingReducer", "GrammarReducer"]

MODES = ["printed", "ours", "steps"]

# The chapter defines its last class in parts. Before the part for depth, the class is this:
class WithoutDepth(fuzzingbook.GrammarReducer):
    algorithm = "grabr"

    def __init__(self, runner, parser, log_test=False, log_reduce=False):
        super().__init__(runner, parser, log_test, log_reduce, algorithm="grabr")


class ProgramRunner(fuzzingbook.Runner):
    def __init__(self, program):
        assert program == "python"
        self.program = sys.executable

    def run(self, inp=""):
        done = subprocess.run([self.program], input=inp, capture_output=True, text=True)
        return done, self.PASS if done.returncode == 0 else self.UNRESOLVED


def source():
    files = importlib.metadata.files("fuzzingbook") or []
    path = next(file.locate() for file in files if file.parts == ("fuzzingbook", "Reducer.py"))
    with open(path, encoding="utf-8") as file:
        return file.read()


def namespace():
    # What the chapter imports from other chapters.
    names = {
        name: getattr(fuzzingbook, name)
        for name in [
            "Runner",
            "RandomFuzzer",
            "EarleyParser",
            "GrammarFuzzer",
            "Timer",
            "all_terminals",
            "tree_to_string",
            "expansion_to_children",
        ]
    }
    names.update((name, getattr(typing, name)) for name in ["Any", "List", "Optional", "Tuple"])
    names.update(typing.__dict__)
    names.update(
        __name__="__main__",
        ProgramRunner=ProgramRunner,
        subprocess=subprocess,
        display_class_hierarchy=lambda *_, **__: None,
        # The chapter sorts the alternatives in place.
        EXPR_GRAMMAR=copy.deepcopy(EXPR_GRAMMAR),
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


def is_replaced(node, mode):
    """Returns whether nubbin's class stands for a class of the chapter, or a part of it."""
    if mode == "printed" or not isinstance(node, ast.ClassDef) or node.name not in REPLACED:
        return False
    is_part = any(ast.unparse(base) == node.name for base in node.bases)
    methods = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
    return mode == "ours" or not is_part or methods == ["reduce"]


def run(chapter, mode):
    """Returns the text, the last value, and the printed lines of each cell."""
    random.seed(2001)
    names = namespace()
    if mode != "printed":
        names.update((name, getattr(fuzzingbook, name)) for name in REPLACED)
        names["GrammarReducer"] = WithoutDepth
    cells = []
    for node in chapter:
        if is_replaced(node, mode):
            if "max_height" in ast.unparse(node):
                names["GrammarReducer"] = fuzzingbook.GrammarReducer
            continue
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            exec(compile(ast.Module([node], []), "chapter", "exec"), names)
        if not is_cell(node):
            continue
        body = [part for part in node.body if not isinstance(part, (ast.Import, ast.ImportFrom))]
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
        cells.append((text, value, printed.getvalue().splitlines()))
    return cells


def difference(printed, other):
    """Returns the first cell with another value or other lines, and the number of cells before."""
    compared = 0
    for (text, value, lines), (same, own, own_lines) in zip(printed, other):
        if "elapsed_time" in text:
            continue
        if (text, value, lines) != (same, own, own_lines):
            return (text, value, lines, own, own_lines), compared
        compared += 1
    return (None if len(printed) == len(other) else "fewer cells"), compared


@pytest.fixture(scope="module")
def runs():
    chapter = ast.parse(source()).body
    return {mode: run(chapter, mode) for mode in MODES}


@pytest.mark.parametrize("mode", MODES[1:])
def test_the_cells_have_the_same_values_and_tests(runs, mode):
    found, compared = difference(runs["printed"], runs[mode])
    assert found is None
    # All cells of the chapter but its functions and its clocks.
    assert compared > 50


def test_the_cells_that_reduce_are_among_them(runs):
    reduced = [text for text, _, _ in runs["ours"] if ".reduce(" in text]
    assert len(reduced) >= 6
    logged = [lines for _, _, lines in runs["ours"] if any("Test #1 " in line for line in lines)]
    assert len(logged) >= 4


class Opens(fuzzingbook.Runner):
    def run(self, inp):
        return inp, self.FAIL if "(" in inp else self.PASS


def expressions(reducer, **options):
    return reducer(Opens(), fuzzingbook.EarleyParser(EXPR_GRAMMAR), **options)


STEPS = [
    "parse",
    "reduce_tree",
    "reduce_subtree",
    "symbol_reductions",
    "alternate_reductions",
    "subtrees_with_symbol",
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("algorithm", ["grabr", "grabr-depth", "perses"])
def test_a_step_of_a_subclass_is_asked(step, algorithm, capsys):
    asked = []

    def override(self, *args, **options):
        asked.append(step)
        return getattr(super(Asking, self), step)(*args, **options)

    Asking = type("Asking", (fuzzingbook.GrammarReducer,), {step: override})
    text = "1 + (2 * (3 - 4)) + 5"
    plain = expressions(fuzzingbook.GrammarReducer, log_test=True, algorithm=algorithm)
    small = plain.reduce(text)
    lines = capsys.readouterr().out
    assert not asked and "(" in small and len(small) < len(text)
    assert expressions(Asking, log_test=True, algorithm=algorithm).reduce(text) == small
    assert capsys.readouterr().out == lines
    # Another algorithm has no steps below the tree.
    assert bool(asked) == (algorithm != "perses" or step in STEPS[:2])


def test_the_exercise_that_generates_is_a_subclass():
    """The second exercise: smallest texts in the place of symbols that do not occur."""

    class Generative(fuzzingbook.GrammarReducer):
        def subtrees_with_symbol(self, tree, symbol, depth=-1, ignore_root=True):
            found = super().subtrees_with_symbol(tree, symbol, depth, ignore_root)
            if not found and symbol in self.grammar and depth <= 0:
                text = "0" if symbol == "<digits>" else None
                return [(symbol, [(text, [])])] if text else []
            return found

    grammar = {
        "<start>": ["<number>"],
        "<number>": ["<float>", "<integer>"],
        "<float>": ["<digits>.<digits>"],
        "<integer>": ["<digits>"],
        "<digits>": ["<digit><digits>", "<digit>"],
        "<digit>": list(string.digits),
    }

    class HasDigit(fuzzingbook.Runner):
        def run(self, inp):
            return inp, self.FAIL if any(map(str.isdigit, inp)) else self.PASS

    reducer = Generative(HasDigit(), fuzzingbook.EarleyParser(grammar))
    seen = []
    reducer.test = lambda inp: seen.append(inp) or Generative.test(reducer, inp)
    assert len(reducer.reduce("100.99")) < len("100.99")
    assert seen


def test_a_subclass_without_a_constructor_of_ours_reduces():
    class Own(fuzzingbook.GrammarReducer):
        def __init__(self, runner):
            fuzzingbook.CachingReducer.__init__(self, runner)
            self.parser = fuzzingbook.EarleyParser(EXPR_GRAMMAR)
            self.grammar = EXPR_GRAMMAR
            self.start_symbol = "<start>"

    assert Own(Opens()).reduce("1 + (2 * 3)") == expressions(
        fuzzingbook.GrammarReducer
    ).reduce("1 + (2 * 3)")


def test_steps_are_printed_on_request(capsys):
    reducer = expressions(fuzzingbook.GrammarReducer, log_reduce=True)
    assert reducer.reduce("1 + (2)") == "(2)"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 + (2)" and "Reducing 1 + (2) with depth 0" in lines
    assert "Replacing 1 + (2) by (2)" in lines and "New tree: (2)" in lines


def test_random_texts_are_those_of_the_book():
    random.seed(3)
    text = fuzzingbook.RandomFuzzer().fuzz()
    random.seed(3)
    length = random.randrange(10, 101)
    assert text == "".join(chr(random.randrange(32, 64)) for _ in range(length))
    assert fuzzingbook.RandomFuzzer(5, 5).run(Opens())[1] in ("PASS", "FAIL")
    assert len(fuzzingbook.RandomFuzzer(5, 5).runs(Opens(), 3)) == 3


def test_a_tree_is_drawn():
    tree = fuzzingbook.EarleyParser(EXPR_GRAMMAR).parse("1 + 2")[0]
    picture = fuzzingbook.display_tree(tree)
    svg = picture._repr_svg_()
    nodes = fuzzingbook.number_of_nodes(tree)
    assert svg.count("<text ") == nodes and svg.count("<path ") == nodes - 1
    assert "&lt;expr&gt;" in svg and str(picture).count("\n") == nodes - 1


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


DEFAULTS = {
    "<start>": "a=0;\n",
    "<assignments>": "a=0;\n",
    "<assign>": "a=0",
    "<expr>": "0",
    "<digit>": "0",
    "<var>": "0",
}


def text_of(ints, default=None):
    try:
        choices = fuzzingbook.ChoiceSeq(list(ints))
        return fuzzingbook.ChoiceFuzzer(SCOPED, choices, default=default).fuzz()
    except IndexError:
        return None


@pytest.mark.parametrize("default", [None, DEFAULTS])
@pytest.mark.parametrize("seed", [1, 5, 9, 16])
def test_ddmin_makes_choices_fewer(seed, default):
    def causal(ints):
        text = text_of(ints, default)
        return text is not None and "((" in text and "))" in text

    random.seed(seed)
    while True:
        choices = fuzzingbook.ChoiceSeq()
        fuzzingbook.ChoiceFuzzer(SCOPED, choices).fuzz()
        if causal(choices.ints):
            break
    left = fuzzingbook.ddmin(choices.ints, causal, default=None if default is None else -1)
    assert causal(left) and len(left) < len(choices.ints)
    if default is None:
        own = nubbin.reduce_list(choices.ints, causal, algorithm="ddmin-halving")
        assert left == own.data
    else:
        assert -1 in left


def test_a_complex_fuzzer_defines_names_before_their_use():
    random.seed(6)
    for _ in range(50):
        defined_names = set()
        text = fuzzingbook.ComplexFuzzer(SCOPED).fuzz()
        for line in text.splitlines():
            name, expression = line.split(" = ")
            used = set(re.findall("[a-z]", expression))
            assert used <= defined_names, text
            defined_names.add(name)


@pytest.mark.parametrize("algorithm", ["choices", "choice-ddmin", "choice-ddmin-nop"])
def test_choices_are_reduced_by_other_algorithms(algorithm):
    result = fuzzingbook.ChoiceFuzzer(SCOPED, default=DEFAULTS).reduce(
        lambda text: "((" in text and "))" in text, algorithm=algorithm
    )
    assert "((" in result.data and result.size < result.original_size
