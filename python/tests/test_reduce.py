"""Reduction of texts, bytes, and sequences."""

import threading
import warnings
from pathlib import Path

import pytest

import nubbin

TEXT = "first line\nthe crash is here\n" + "more of it\n" * 40
SUMS = {"<start>": ["<e>"], "<e>": ["(<e>)", "<e>+<e>", "0", "1"]}


@pytest.mark.parametrize("jobs", [1, 3])
def test_text_and_bytes_have_the_same_result(jobs):
    text = nubbin.reduce(TEXT, lambda text: "crash" in text, jobs=jobs)
    data = nubbin.reduce(TEXT.encode(), lambda data: b"crash" in data, jobs=jobs)
    assert (text.data, data.data) == ("crash", b"crash")
    assert text.tests == data.tests and text.size == 5 and text.original_size == len(TEXT)
    assert text.ended == "complete" and text.verified is True


def test_the_number_of_jobs_changes_nothing():
    fails = lambda text: text.count("more") >= 3 and "crash" in text
    one = nubbin.reduce(TEXT, fails, log=True)
    four = nubbin.reduce(TEXT, fails, jobs=4, log=True)
    assert one.data == four.data and one.log == four.log


def test_any_object_is_judged_by_its_truth():
    import re

    assert nubbin.reduce("some (x) text", lambda text: re.search(r"\(.\)", text)).size == 3
    assert nubbin.reduce("abc", lambda text: list(text)).size == 1
    assert nubbin.reduce("abc", lambda text: 1 if "b" in text else None).data == "b"


def test_verdicts_are_words_of_any_case():
    for fail, other in [("fail", "pass"), ("FAIL", "UNRESOLVED")]:
        fails = lambda text: fail if "b" in text else other
        assert nubbin.reduce("abc", fails).data == "b"
    fails = lambda text: nubbin.Verdict.FAIL if "b" in text else nubbin.Verdict.UNRESOLVED
    result = nubbin.reduce("abc", fails)
    assert result.data == "b" and result.unresolved > 0
    with pytest.raises(ValueError, match="the test returned `failed`"):
        nubbin.reduce("abc", lambda text: "failed")


def test_candidates_that_are_no_text_are_not_tested():
    seen = []

    def fails(text):
        seen.append(text)
        return "ß" in text

    assert nubbin.reduce("äöüßäöü", fails, algorithm="ddmin", atom="byte").data == "ß"
    assert all(isinstance(text, str) for text in seen)


def test_lone_surrogates_survive():
    text = "a\ud800b\udfffc"
    assert nubbin.reduce(text, lambda text: "\ud800" in text).data == "\ud800"
    assert nubbin.reduce_list(text, lambda text: "\udfff" in text).data == "\udfff"


def test_an_original_that_passes_is_an_error():
    for run in [nubbin.reduce, nubbin.reduce_list]:
        with pytest.raises(nubbin.NotFailingError, match="the test says `pass`"):
            run("abc", lambda text: False)
    assert issubclass(nubbin.NotFailingError, ValueError)


@pytest.mark.parametrize(
    "call, error, match",
    [
        (lambda: nubbin.reduce(17, len), TypeError, "the input is str or bytes"),
        (lambda: nubbin.reduce("a", "grep a {}"), TypeError, "a command is a list of strings"),
        (lambda: nubbin.reduce("a", 17), TypeError, None),
        (lambda: nubbin.reduce("a", len, jobs=0), ValueError, "`jobs` is a number from 1"),
        (lambda: nubbin.reduce("a", len, max_time=-1), ValueError, "`max_time` is a number"),
        (lambda: nubbin.reduce("a", len, algorithm="ddmim"), ValueError, "did you mean `ddmin`"),
        (lambda: nubbin.reduce("a", len, algorithm="hdd", language="none"), ValueError, "tree red"),
        (lambda: nubbin.reduce("a", len, algorithm="ddmin", atom="word"), ValueError, "`atom` is"),
        (lambda: nubbin.reduce("a", len, language="pythn"), ValueError, "did you mean `python`"),
        (lambda: nubbin.reduce("a", len, grammar={"<a>": ["<b>"]}), nubbin.GrammarError, "b"),
        (lambda: nubbin.reduce("a", ["no-such-program", "{}"]), nubbin.CommandError, "no-such"),
        (lambda: nubbin.reduce("a", []), nubbin.CommandError, None),
        (lambda: nubbin.reduce_list("a", ["true"]), ValueError, "is a callable"),
        (lambda: nubbin.reduce_list("a", len, algorithm="hdd"), ValueError, "unknown list min"),
    ],
)
def test_wrong_arguments_are_errors_that_say_so(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_a_run_ends_at_its_limits():
    result = nubbin.reduce(TEXT, lambda text: "crash" in text, max_tests=3)
    assert (result.ended, result.tests) == ("max-tests", 3)
    result = nubbin.reduce(TEXT, lambda text: "crash" in text, max_time=0)
    assert result.ended == "max-time"


def test_progress_reports_every_success():
    told = []
    result = nubbin.reduce(TEXT, lambda text: "crash" in text, on_progress=told.append)
    best = [progress.best for progress in told if progress.best is not None]
    assert best[0] == TEXT and best[-1] == result.data
    assert [len(text) for text in best] == [p.size for p in told if p.best is not None]
    assert told[0].by == "original" and all(p.original_size == len(TEXT) for p in told)


def test_the_log_has_every_test_in_order():
    seen = []

    def fails(items):
        seen.append(items)
        return 3 in items and 6 in items

    result = nubbin.reduce_list(list(range(8)), fails, algorithm="ddmin", log=True)
    assert result.data == [3, 6]
    # The last test is that of the result.
    assert [test.data for test in result.log] == seen[:-1] and seen[-1] == result.data
    assert [test.verdict == "fail" for test in result.log] == [
        3 in items and 6 in items for items in seen[:-1]
    ]
    assert nubbin.reduce("a", len).log is None


@pytest.mark.parametrize("algorithm", [a.name for a in nubbin.algorithms() if a.kind == "list"])
def test_every_list_minimizer_reduces_a_sequence(algorithm):
    fails = lambda items: 3 in items
    result = nubbin.reduce_list(range(16), fails, algorithm=algorithm)
    assert 3 in result.data and len(result.data) <= 8 and result.algorithm == algorithm


@pytest.mark.parametrize("algorithm", [a.name for a in nubbin.algorithms() if a.kind == "tree"])
def test_every_tree_reducer_runs_on_a_program(algorithm):
    program = "def f(x):\n    return x + 1\n\n\ndef g(y):\n    print(f(y), crash)\n\n\ng(1)\n"
    result = nubbin.reduce(
        program, lambda text: "crash" in text, algorithm=algorithm, language="python"
    )
    assert "crash" in result.data and len(result.data) <= len(program)


def test_options_follow_the_name_of_an_algorithm():
    fails = lambda items: 3 in items and 12 in items
    plain = nubbin.reduce_list(range(16), fails, algorithm="ddmin", log=True)
    other = nubbin.reduce_list(range(16), fails, algorithm="ddmin:backward,skip-subsets", log=True)
    assert plain.data == other.data == [3, 12] and plain.log != other.log
    with pytest.raises(ValueError, match="no option `sideways`"):
        nubbin.reduce_list("ab", len, algorithm="ddmin:sideways")


def test_sequences_keep_their_type():
    assert nubbin.reduce_list("a(b)c", lambda s: "(" in s).data == "("
    assert nubbin.reduce_list(b"a(b)c", lambda s: b"(" in s).data == b"("
    assert nubbin.reduce_list((1, 2, 3), lambda s: 2 in s).data == (2,)
    same = [object(), object(), object()]
    assert nubbin.reduce_list(same, lambda s: same[1] in s).data == [same[1]]
    assert nubbin.reduce_list(["a", "a", "b"], lambda s: "a" in s).data == ["a"]


def test_an_empty_sequence_is_its_own_result():
    assert nubbin.reduce_list([], lambda items: True).data == []


def test_ddmin_is_the_one_of_the_paper():
    items = list(range(1, 9))
    fails = lambda kept: {1, 7, 8} <= set(kept)
    assert nubbin.ddmin(items, fails) == [1, 7, 8]
    log = nubbin.reduce_list(items, fails, algorithm="ddmin", log=True).log
    assert [test.data for test in log[:5]] == [
        items,
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [1, 2],
        [3, 4],
    ]


def test_a_grammar_keeps_candidates_valid():
    seen = []

    def fails(text):
        seen.append(text)
        return "(" in text

    result = nubbin.reduce("(1+(0+(1)))+0", fails, algorithm="hdd", grammar=SUMS)
    grammar = nubbin.Grammar(SUMS)
    assert result.data == "(0)+0"
    for text in seen:
        nubbin.parse(text, grammar=grammar)


def test_a_text_that_does_not_fit_its_grammar_warns_or_fails():
    with pytest.warns(UserWarning, match="reduced without a tree"):
        assert nubbin.reduce("(1+", lambda text: "(" in text, grammar=SUMS).data == "("
    with pytest.raises(nubbin.GrammarError, match="does not fit"):
        nubbin.reduce("(1+", lambda text: "(" in text, grammar=SUMS, algorithm="hdd")


@pytest.mark.parametrize("algorithm, least", [("auto", "((0))"), ("ddmin", "(1+((1)))")])
def test_what_must_parse_does(algorithm, least):
    grammar = nubbin.Grammar(SUMS)
    seen = []

    def fails(text):
        seen.append(text)
        return "((" in text

    options = {"algorithm": algorithm, "atom": "char", "must_parse": True}
    result = nubbin.reduce("(1+((0+1)))+0", fails, grammar=grammar, **options)
    assert result.data == least
    for text in seen:
        nubbin.parse(text, grammar=grammar)
    with pytest.raises(nubbin.GrammarError, match="does not fit"):
        nubbin.reduce("((", fails, grammar=grammar, **options)
    with pytest.raises(ValueError, match="`must_parse` needs a language"):
        nubbin.reduce("((", fails, language="none", **options)


def test_the_language_is_that_of_the_file_name():
    program = "int f(int a) { return a; }\nint main(void) { return f(1); }\n"

    def candidates(**options):
        seen = []

        def fails(text):
            seen.append(text)
            return "return" in text

        nubbin.reduce(program, fails, **options)
        return seen

    assert candidates(filename="bug.c") == candidates(language="c")
    assert candidates(filename="bug.c") != candidates(language="none")


def test_a_command_receives_a_file(tmp_path):
    script = tmp_path / "test.sh"
    script.write_text('#!/bin/sh\ncase "$1" in */bug.txt) grep -q crash "$1";; *) exit 1;; esac\n')
    script.chmod(0o755)
    for jobs in [1, 2]:
        result = nubbin.reduce(TEXT, [str(script), "{}"], filename="bug.txt", jobs=jobs)
        assert result.data == "crash"
    with pytest.raises(nubbin.NotFailingError):
        nubbin.reduce(TEXT, ["false"])


def test_the_lock_is_released_while_no_python_runs():
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = ticks
        nubbin.reduce(TEXT, ["grep", "-q", "crash", "{}"], max_tests=20)
        assert ticks > before
    finally:
        done.set()
        thread.join()


def test_tests_run_on_the_thread_of_the_caller():
    seen = set()

    def fails(text):
        seen.add(threading.get_ident())
        return "b" in text

    nubbin.reduce("abc", fails)
    assert seen == {threading.get_ident()}


def test_a_run_inside_of_a_test_is_a_run_of_its_own():
    def fails(text):
        return nubbin.reduce_list(text, lambda part: "b" in part).data == "b" if "b" in text else 0

    assert nubbin.reduce("aabaa", fails).data == "b"


def test_raises_is_a_test_of_one_exception():
    def parse(text):
        if "<" in text:
            raise KeyError("bracket")
        if "!" in text:
            raise ValueError("mark")

    assert nubbin.reduce("ab<cd!ef", nubbin.raises(parse)).data == "<"
    assert nubbin.reduce("ab!cd", nubbin.raises(parse, ValueError)).data == "!"
    assert nubbin.reduce("ab!cd", nubbin.raises(parse, match="mark")).data == "!"
    assert not nubbin.raises(parse, KeyError)("a!")
    assert not nubbin.raises(parse, match="mark")("<")
    with pytest.raises(KeyboardInterrupt):
        nubbin.raises(lambda text: (_ for _ in ()).throw(KeyboardInterrupt))("x")


def test_the_catalogues_are_complete():
    names = [algorithm.name for algorithm in nubbin.algorithms()]
    assert len(names) == len(set(names)) and {"ddmin", "probdd", "hdd", "perses"} <= set(names)
    assert all(a.about and a.source for a in nubbin.algorithms())
    assert {"c", "python", "javascript"} <= set(nubbin.languages())


def test_grammars_come_from_texts_files_and_dictionaries(tmp_path):
    text = "<start> ::= '(' <start> ')' | [01]"
    path = tmp_path / "nested.bnf"
    path.write_text(text)
    for source in [text, path, nubbin.Grammar(text), {"<start>": ["(<start>)", "0", "1"]}]:
        assert nubbin.parse("((1))", grammar=source).text == "((1))"
    assert nubbin.Grammar(Path(path)).name == "nested"
    lists = nubbin.Grammar({"<start>": [["(", "<start>", ")"], ["1"]]})
    assert nubbin.parse("(1)", grammar=lists).derivation()[1][0] == ("(", [])
    assert nubbin.Grammar("a = b; b = '1';", start="b").start == "b"
    with pytest.raises(nubbin.GrammarError):
        nubbin.Grammar("<a> ::= <b>")
    with pytest.raises(ValueError):
        nubbin.Grammar("x", format="yacc")
    (tmp_path / "Words.g4").write_text("lexer grammar Words; WORD: [a-z]+; WS: ' ' -> skip;")
    main = tmp_path / "Main.g4"
    main.write_text("parser grammar Main; options { tokenVocab = Words; } main: WORD+ EOF;")
    assert nubbin.parse("ab cd", grammar=main).symbol == "main"


def test_isolation_finds_the_change():
    old, new = "a = 1\nb = 2\nc = 3\n", "a = 1\nb = 22\nc = 3\nd = 4\n"
    found = nubbin.isolate(old, new, lambda text: "22" in text)
    assert [(c.old, c.new) for c in found.changes] == [("", "2")]
    assert found.verified and "22" in found.failing and "22" not in found.passing
    data = nubbin.isolate(old.encode(), new.encode(), lambda data: b"22" in data, atoms=["line"])
    assert data.changes[0].new == b"b = 22\n" and data.atom == "line"
    for algorithm in ["dd", "dd:book"]:
        assert nubbin.isolate(old, new, lambda t: "22" in t, algorithm=algorithm).changes
    with pytest.raises(nubbin.NotFailingError):
        nubbin.isolate(old, new, lambda text: True)
    with pytest.raises(ValueError, match="unknown atom"):
        nubbin.isolate(old, new, len, atoms=["word"])
    with pytest.raises(ValueError, match="equal"):
        nubbin.isolate(old, old, len)


def test_explanation_finds_what_matters():
    found = nubbin.explain("x = 17 / 0", lambda text: "/ 0" in text, language="none")
    assert str(found) == "<name> = <int> / 0"
    assert all("/ 0" in text for text in found.examples)
    assert [part.kind for part in found.parts] == ["name", "int"]
    by_grammar = nubbin.explain("(1)+0", lambda text: "(" in text, grammar=SUMS)
    assert any(piece.label is not None for piece in by_grammar.pieces)
    assert nubbin.explain(b"x = 1", lambda data: b"=" in data, language="none").pieces[-1].text


def test_generated_texts_fit_the_grammar():
    grammar = nubbin.Grammar(SUMS)
    for limit in [{"max_depth": 4}, {"size": 50}, {"nonterminals": (5, 10)}, {}]:
        generator = nubbin.Generator(grammar, **limit)
        for seed in range(20):
            nubbin.parse(generator.text(seed), grammar=grammar)
    assert nubbin.generate(SUMS, seed=3) == nubbin.generate(grammar, seed=3)
    assert len(nubbin.generate(SUMS, size=500, seed=1)) >= 250
    with pytest.raises(ValueError, match="exclude each other"):
        nubbin.generate(SUMS, size=5, max_depth=3)


def test_trees_show_what_does_not_fit():
    tree = nubbin.parse("x = = 1", language="python")
    assert any(node.kind in ("error", "missing") for node in tree.walk())
    assert "token" in {node.kind for node in tree.walk()} and str(tree).startswith(tree.symbol)
    with pytest.raises(nubbin.GrammarError, match="language of the input is not known"):
        nubbin.parse("something")
    with pytest.raises(ValueError, match="not both"):
        nubbin.parse("1", language="c", grammar=SUMS)
    deep = nubbin.parse("(" * 3000 + "1" + ")" * 3000, grammar=SUMS)
    assert deep.derivation()[0] == "<start>"


def test_no_warning_is_raised_by_a_plain_run():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nubbin.reduce("a\nb\n", lambda text: "b" in text)
