"""Runs of tools, and what is kept of them."""

from __future__ import annotations

import pathlib

import pytest

from bench.case import Case
from bench.peers import PEERS
from bench.peers.peer import Peer, Place
from bench.run import Counts, Limits, Run, Runner, Tool, Trace, read_events
from bench.tests.conftest import lines_of


@pytest.fixture
def runner(tmp_path: pathlib.Path) -> Runner:
    return Runner(Limits(seconds=60), work=tmp_path / "work")


def test_a_run_of_nubbin_has_its_tests_and_its_passes(case: Case, nubbin: pathlib.Path, runner: Runner) -> None:
    tool = Tool("new", nubbin)
    run = runner.run(case, tool)
    assert run.bytes == 70
    assert run.tests == [(70, 0), (63, 0), (56, 0), (49, 0), (42, 0), (35, 0), (28, 0), (21, 0), (14, 1)]
    assert run.passes == {"lines": Counts(tests=8, adopted=7, removed=49)}
    assert (run.language, run.ended, run.is_text, run.fails) == ("c", "complete", True, True)
    assert runner.kept(case, tool).with_suffix(".left").read_text() == "line 0\nline 1\nline 2\n"


def test_a_known_run_is_not_made_again(case: Case, nubbin: pathlib.Path, runner: Runner) -> None:
    starts = nubbin.parent / "starts"
    first = runner.run(case, Tool("new", nubbin))
    assert runner.run(case, Tool("new", nubbin)) == first
    assert lines_of(starts) == 1
    tested = lines_of(case.folder.parent.parent / "tested")
    # Another build of the program is run, but no content is tested twice.
    nubbin.write_text(nubbin.read_text() + "# another build\n")
    assert runner.run(case, Tool("new", nubbin)) == first
    assert lines_of(starts) == 2
    assert lines_of(case.folder.parent.parent / "tested") == tested
    case.test.write_text(case.test.read_text() + "# another test\n", encoding="utf-8")
    runner.run(case, Tool("new", nubbin))
    assert lines_of(starts) == 3
    case.source.write_bytes(case.source.read_bytes() + b"line 10\n")
    assert runner.run(case, Tool("new", nubbin)).bytes == 78
    assert lines_of(starts) == 4
    assert lines_of(case.folder.parent.parent / "tested") == 2 * tested + 1


def test_limits_and_flags_make_another_run(case: Case, nubbin: pathlib.Path, runner: Runner) -> None:
    whole = runner.run(case, Tool("new", nubbin))
    short = runner.limited(3).run(case, Tool("new", nubbin))
    assert short.tests == whole.tests[:3]
    less = runner.run(case, Tool("less", nubbin, ("--without", "lines")))
    assert less.passes.keys() == {"halves"}


def test_a_peer_is_counted_by_the_same_test(case: Case, nubbin: pathlib.Path, peer: Peer, runner: Runner) -> None:
    runner.run(case, Tool("new", nubbin))
    tested = lines_of(case.folder.parent.parent / "tested")
    run = runner.run(case, Tool("repeats", peer=peer))
    assert run.tests == [(70, 0)] * 5 + [(0, 1)]
    # The verdict on the original was known.
    assert lines_of(case.folder.parent.parent / "tested") == tested + 1


def test_the_limit_of_tests_ends_a_peer(case: Case, tmp_path: pathlib.Path) -> None:
    def command(place: Place) -> list[str]:
        return [str(place.script("endless.sh", f"while :; do {place.test}; done\n"))]

    runner = Runner(Limits(tests=4, seconds=3600), work=tmp_path / "work")
    run = runner.run(case, Tool("endless", peer=Peer("endless", command)))
    assert run.tests == [(70, 0)] * 4


def test_a_test_that_does_not_fail_is_not_remembered(case: Case, nubbin: pathlib.Path, runner: Runner) -> None:
    test = case.test.read_text()
    case.test.write_text(test.replace("[ ", f"[ -e {nubbin.parent}/installed ] && [ "), encoding="utf-8")
    assert not runner.run(case, Tool("new", nubbin)).fails
    (nubbin.parent / "installed").touch()
    assert runner.run(case, Tool("new", nubbin)).fails


def test_refused_candidates_are_those_of_their_pass() -> None:
    trace = [Trace(9, 0, 1, "a"), Trace(9, 0, 1, "a"), Trace(5, 1, 0, "b"), Trace(7, 0, 1, "c"), Trace(5, 1, 1, "d")]
    run = Run(9, [])
    tested = '{{"event": "tested", "pass": "{}", "bytes": {}}}\n'
    lines = [tested.format("one", 5), tested.format("one", 5), '{"event": "tes']
    read_events(lines, run, trace)
    assert run.passes == {"one": Counts(tests=2, refused=1)}


def test_a_run_is_read_as_it_was_written() -> None:
    run = Run(9, [(9, 0), (3, 1)], {"lines": Counts(3, 1, 4)}, "c", "complete", False)
    assert Run.load(run.dump()) == run


@pytest.mark.parametrize("name", PEERS)
def test_each_peer_has_a_command_with_a_test(name: str, tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path, tmp_path / "input.c", tmp_path / "test.sh")
    place.work.mkdir()
    words = PEERS[name].command(place)
    assert words[0] == PEERS[name].program
    scripts = [path.read_text() for path in tmp_path.glob("*.*")]
    assert any(str(place.test) in text for text in words + scripts)
    assert PEERS[name].result(place).is_relative_to(tmp_path)


def test_a_peer_of_a_language_is_not_for_others(case: Case) -> None:
    assert PEERS["cvise"].fits(case)
    assert not PEERS["llvm-reduce"].fits(case)
