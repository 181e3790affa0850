"""The command line, with a fake nubbin."""

from __future__ import annotations

import pathlib

import pytest

from bench import command, files
from bench.case import Case
from bench.run import Limits, Runner, Tool


def test_a_run_prints_its_tables_and_makes_cases(
    case: Case, nubbin: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(case.folder.parent), "--work", str(tmp_path / "work"), "--tool", f"new={nubbin}",
             "--tool", f"short={nubbin},--max-tests,3",
             "--without", "all", "--results", str(tmp_path / "results"), "--record", str(tmp_path / "record.jsonl")]
    command.run_cases(words)
    said = capsys.readouterr().out
    assert "| lines (70) | new | 21 | 9 | 1 | 6 | – | – | – | – | – |" in said
    assert "| lines (70) | short | 56 | 3 | 0 | – | – | – | – | – | – |" in said
    assert "| `lines` | tree | 1 of 1 | 88.9% | 1.000 |" in said
    made = tmp_path / "results" / "set-lines"
    assert (made / "input.c").read_text() == "line 0\nline 1\nline 2\n"
    assert str(case.test) in (made / "interesting.sh").read_text()
    command.print_record(str(tmp_path / "record.jsonl"))
    assert "| lines (70) | new | 21 | 9 | 1 | 6 | – | – | – | – | – |" in capsys.readouterr().out


@pytest.mark.parametrize(("flags", "limit"), [((), 0), (("--late",), 9)])
def test_a_run_that_time_ended_is_compared_after_as_many_tests(
    case: Case, nubbin: pathlib.Path, tmp_path: pathlib.Path, flags: tuple[str, ...], limit: int
) -> None:
    words = ["--tool", ",".join([f"new={nubbin}", *flags]), "--without", "lines", "--work", str(tmp_path / "work")]
    command.run_cases([str(case.folder.parent), *words])
    less = Tool("without lines", nubbin, (*flags, "--without", "lines"))
    assert Runner(Limits(tests=limit), work=tmp_path / "work").kept(case, less).exists()


def test_a_case_that_does_not_fail_is_left_out(
    case: Case, nubbin: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case.source.write_text("nothing\n")
    with pytest.raises(SystemExit, match="no case fails here"):
        command.run_cases([str(case.folder.parent), "--work", str(tmp_path), "--tool", f"new={nubbin}"])
    assert "left out: set/lines" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--tool", "new=/nowhere"], ["--tool", "new"], ["--peers", "nobody"], ["--tool", f"x={files.COUNTER}"]]
)
def test_a_wrong_flag_is_refused(case: Case, words: list[str]) -> None:
    with pytest.raises(SystemExit, match="not NAME=PROGRAM|no peer|the same name"):
        command.run_cases([str(case.folder.parent), "--tool", f"x={files.COUNTER}", *words])
