"""Makers of cases."""

from __future__ import annotations

import pathlib

import pytest

from bench.case import find
from bench.cases import SETS, load, loud, merged_c
from bench.cases.maker import Skipped, make_all, quoted, rarest, write


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_a_maker(name: str) -> None:
    assert callable(load(name).main)
    assert (load(name).__doc__ or "").count("\n") < 40


def test_the_rarest_word_is_the_same_each_time() -> None:
    assert rarest(["b", "a", "b", "c", "c"]) == "a"
    assert {rarest(order) for order in (["y", "z"], ["z", "y"])} == {"z"}


def test_a_word_is_quoted_for_a_shell() -> None:
    assert quoted("it's") == "'it'\\''s'"


def test_a_case_is_written_if_its_test_holds(tmp_path: pathlib.Path) -> None:
    assert write(tmp_path, "good", "txt", b"word\n", "grep -q word $f") == 5
    assert (tmp_path / "good" / "interesting.sh").read_text() == "#!/bin/bash\nf=input.txt\ngrep -q word $f\n"
    with pytest.raises(Skipped, match="the test of bad has exit code 1"):
        write(tmp_path, "bad", "txt", b"other\n", "grep -q word $f")


def test_what_cannot_be_made_is_left_out(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    def maker(folder: pathlib.Path, name: str, text: str) -> int:
        return write(folder, name, "txt", text.encode(), "grep -q word $f")

    rows = [("one", "word"), ("two", "other"), ("three", "word")]
    make_all([("kind", maker, rows)], [str(tmp_path), "--only", "o"])
    said = capsys.readouterr()
    assert said.out == "one: kind, 4 bytes\n1 cases\n"
    assert said.err.startswith("left out: two: the test of two")
    (tmp_path / "three").mkdir()
    assert [case.name for case in find([tmp_path], "^one")] == ["one"]


@pytest.mark.parametrize(("quiet", "expected"), [
    ("out=$(cc $f 2>&1) && grep -q x <<<\"$out\"",
     "out=$(cc $f 2>&1) || exit 1\nprintf '%s\\n' \"$out\" >&2\ngrep -q x <<<\"$out\""),
    ("cc $f 2>\"$t/err\"", "cc $f 2>\"$t/err\"\ncat \"$t/err\" >&2"),
    ("cc $f 2>&1 | grep -q x", "cc $f 2>&1 | tee /dev/stderr | grep -q x"),
    ("cmp $f other", "cmp $f other"),
])
def test_a_loud_test_prints_what_it_reads(quiet: str, expected: str) -> None:
    assert loud.loud(quiet) == expected


def test_a_file_that_is_included_is_merged_once(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.h").write_text("int a;\n")
    (tmp_path / "b.h").write_text('#include "a.h"\nint b;\n')
    (tmp_path / "m.c").write_text('#include <stdio.h>\n#include "b.h"\n#include "a.h"\n#include "absent.h"\nint m;\n')
    merged = list(merged_c.lines(tmp_path / "m.c", set()))
    assert merged == ["#include <stdio.h>", "int a;", "int b;", '#include "absent.h"', "int m;"]


def test_cases_of_loud_tests_are_copies(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "from", "one", "txt", b"word\n", "cat $f 2>&1 | grep -q word")
    write(tmp_path / "from", "two", "txt", b"word\n", "true")
    loud.main([str(tmp_path / "to"), str(tmp_path / "from")])
    assert [case.name for case in find([tmp_path / "to"])] == ["one"]
    assert "tee" in (tmp_path / "to" / "one" / "interesting.sh").read_text()
