"""The counter of tests."""

from __future__ import annotations

import pathlib
import subprocess

from bench.case import Case
from bench.run import Limits, Runner, read_trace
from bench.tests.conftest import lines_of


def counted(case: Case, tmp_path: pathlib.Path, texts: list[bytes], runner: Runner) -> list[subprocess.CompletedProcess[str]]:
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    test = runner.counting_test(case, scratch)
    found = []
    for text in texts:
        (scratch / "input.c").write_bytes(text)
        found.append(subprocess.run([test], cwd=scratch, capture_output=True, text=True))
    return found


def test_each_start_is_counted_and_each_content_is_tested_once(case: Case, tmp_path: pathlib.Path) -> None:
    text = case.source.read_bytes()
    ran = counted(case, tmp_path, [text, b"line 0\n", text, b"line 0\n", b""], Runner(Limits(), work=tmp_path / "work"))
    assert [one.returncode for one in ran] == [0, 1, 0, 1, 1]
    trace = read_trace(tmp_path / "scratch" / "trace")
    assert [(one.size, one.code) for one in trace] == [(70, 0), (7, 1), (70, 0), (7, 1), (0, 1)]
    assert [one.valid for one in trace] == [-1] * 5
    assert trace[0].content == trace[2].content != trace[1].content
    assert lines_of(tmp_path / "tested") == 3


def test_output_is_shown_only_if_it_is_asked_for(case: Case, tmp_path: pathlib.Path) -> None:
    text = case.source.read_bytes()
    quiet = counted(case, tmp_path, [text], Runner(Limits(), work=tmp_path / "work"))
    loud = counted(case, tmp_path, [text, text], Runner(Limits(), shows_output=True, work=tmp_path / "work"))
    assert [one.stdout for one in quiet + loud] == ["", "said\n", "said\n"]
    assert "grep -c" in (tmp_path / "scratch" / "test.sh").read_text()


def test_a_command_refuses_candidates_that_are_not_valid(case: Case, tmp_path: pathlib.Path) -> None:
    runner = Runner(Limits(), verify='grep -q "line 1" "$0"', work=tmp_path / "work")
    counted(case, tmp_path, [b"line 1\n", b"line 7\n", b"line 7\n"], runner)
    assert [one.valid for one in read_trace(tmp_path / "scratch" / "trace")] == [1, 0, 0]
