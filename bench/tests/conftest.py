"""A case, a fake nubbin, and a fake peer."""

from __future__ import annotations

import pathlib
import sys

import pytest

from bench.case import Case
from bench.peers.peer import Peer, Place

# Removes the last line as long as the test fails, and appends a line to `starts`.
FAKE_NUBBIN = """#!{python}
import json, os, pathlib, subprocess, sys
here = pathlib.Path(__file__).parent
with open(here / "starts", "a") as starts: starts.write("start\\n")
value = lambda flag: sys.argv[sys.argv.index(flag) + 1]
source = pathlib.Path(sys.argv[-1])
best = source.read_bytes()
events = open(value("--json-events"), "w")
log = lambda **event: events.write(json.dumps(event) + "\\n")
def ask(text):
    source.write_bytes(text)
    return subprocess.call([value("--test")], cwd=source.parent, stdout=subprocess.DEVNULL) == 0
ask(best)
log(event="started", language="c")
limit = int(value("--max-tests")) if "--max-tests" in sys.argv else 99
name = "halves" if "--without" in sys.argv else "lines"
for _ in range(limit - 1):
    less = b"".join(best.splitlines(True)[:-1])
    fails = ask(less)
    log(event="tested", **{{"pass": name}}, bytes=len(less))
    if not fails: break
    log(event="adopted", **{{"pass": name}}, bytes_before=len(best), bytes=len(less))
    best = less
log(event="ended", why="max-time" if "--late" in sys.argv else "complete")
events.close()
pathlib.Path(value("-o")).write_bytes(best)
"""


@pytest.fixture
def case(tmp_path: pathlib.Path) -> Case:
    """A text of ten lines that fails as long as it has the first three. The test counts its own starts."""
    folder = tmp_path / "set" / "lines"
    folder.mkdir(parents=True)
    (folder / "input.c").write_text("".join(f"line {nth}\n" for nth in range(10)))
    test = folder / "interesting.sh"
    test.write_text(f"#!/bin/sh\necho >> {tmp_path}/tested\necho said\n[ $(grep -c 'line [012]$' input.c) = 3 ]\n")
    test.chmod(0o755)
    return Case(folder)


@pytest.fixture
def nubbin(tmp_path: pathlib.Path) -> pathlib.Path:
    program = tmp_path / "program" / "nubbin"
    program.parent.mkdir()
    program.write_text(FAKE_NUBBIN.format(python=sys.executable))
    program.chmod(0o755)
    return program


@pytest.fixture
def peer(tmp_path: pathlib.Path) -> Peer:
    """A peer that tests the original over and over, and then an empty file."""

    def command(place: Place) -> list[str]:
        script = place.script("peer.sh", f"for _ in 1 2 3 4 5; do {place.test}; done\n: > {place.name}\n{place.test}\n")
        return [str(script)]

    return Peer("repeats", command)


def lines_of(path: pathlib.Path) -> int:
    return path.read_text().count("\n")
