"""Reduces a case by a tool, and counts its tests. Every reduction of the benchmark is made here.

Each tool has one worker. Every start of a test is counted, also those of the original and those that a tool
repeats; one that is cut off by the limit of time is not. Verdicts are kept by the content of the candidate, so
that a test runs once for all tools. A run is kept by the contents of the program, the input, and the test, and
by the limits; a run of a peer by the source of its module as well. So a second comparison takes seconds.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace

from bench import files
from bench.case import Case
from bench.peers.peer import Peer, Place

# Seconds after which a tool is asked whether it has ended.
POLL = 0.1
# Seconds that nubbin has to write its result after its own limit of time.
GRACE = 30


@dataclass(frozen=True)
class Tool:
    """A build of nubbin with flags, or a peer."""

    name: str
    program: pathlib.Path | None = None
    flags: tuple[str, ...] = ()
    peer: Peer | None = None

    def identity(self) -> tuple[object, ...]:
        if self.program:
            return (self.program.read_bytes(), *self.flags)
        assert self.peer
        return (self.peer.name, self.peer.source())

    def fits(self, case: Case) -> bool:
        return self.peer is None or self.peer.fits(case)


@dataclass(frozen=True)
class Limits:
    """The limits of a run. `tests` is 0 for no limit."""

    tests: int = 0
    seconds: int = 120


@dataclass
class Counts:
    """Tests, successes, bytes, and refused candidates of a pass."""

    tests: int = 0
    adopted: int = 0
    removed: int = 0
    refused: int = 0


@dataclass
class Run:
    """A reduction: size and exit code of each test in order, and of nubbin the counts of its passes."""

    bytes: int
    tests: list[tuple[int, int]]
    passes: dict[str, Counts] = field(default_factory=dict)
    language: str = "none"
    ended: str = "stopped"
    is_text: bool = True

    @classmethod
    def load(cls, text: str) -> Run:
        values = json.loads(text)
        values["tests"] = [(size, code) for size, code in values["tests"]]
        values["passes"] = {name: Counts(**row) for name, row in values["passes"].items()}
        return cls(**values)

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @property
    def fails(self) -> bool:
        """Whether the original was tested, and failed."""
        return bool(self.tests) and self.tests[0][1] == 0


@dataclass(frozen=True)
class Trace:
    """A line of the counter."""

    size: int
    code: int
    valid: int
    content: str


def read_trace(path: pathlib.Path) -> list[Trace]:
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        size, code, valid, content = line.split()
        found.append(Trace(int(size), int(code), int(valid), content))
    return found


def read_events(lines: Iterable[str], run: Run, trace: list[Trace]) -> None:
    """Adds what the events of nubbin say to a run.

    Some tests have no event, as those of the original. An event of a test belongs to the next test of its size.
    """
    at = 0
    for line in lines:
        # A program that was ended after its last test may have left half a line.
        if not line.endswith("\n"):
            break
        event = json.loads(line)
        match event["event"]:
            case "started":
                run.language = event.get("language") or "none"
            case "ended":
                run.ended = event["why"]
            case "tested":
                counts = run.passes.setdefault(event["pass"], Counts())
                counts.tests += 1
                place = next((nth for nth in range(at, len(trace)) if trace[nth].size == event["bytes"]), None)
                if place is not None:
                    at = place + 1
                    counts.refused += trace[place].valid == 0
            case "adopted":
                counts = run.passes.setdefault(event["pass"], Counts())
                counts.adopted += 1
                counts.removed += event["bytes_before"] - event["bytes"]


@dataclass(frozen=True)
class Runner:
    """Runs tools on cases, and remembers the runs."""

    limits: Limits
    shows_output: bool = False
    verify: str = ""
    flags: tuple[str, ...] = ()
    work: pathlib.Path = files.WORK

    def limited(self, tests: int) -> Runner:
        return replace(self, limits=replace(self.limits, tests=tests))

    def kept(self, case: Case, tool: Tool) -> pathlib.Path:
        """Returns the file of a run. Its result has the extension `.left`."""
        flags = self.flags if tool.program else ()
        name = files.digest(*tool.identity(), case.source.read_bytes(), case.test.read_bytes(), *flags, self.limits,
                            self.shows_output, self.verify)
        return self.work / "runs" / f"{case.name}-{tool.name}-{name}.json"

    def verdicts(self, case: Case) -> pathlib.Path:
        """Returns the folder of the verdicts on candidates of a case."""
        return self.work / "verdicts" / files.digest(case.folder, case.test.read_bytes(), self.shows_output, self.verify)

    def run(self, case: Case, tool: Tool) -> Run:
        """Returns the run of a tool on a case, which is made unless it is known."""
        kept = self.kept(case, tool)
        if kept.exists():
            return Run.load(kept.read_text(encoding="utf-8"))
        kept.parent.mkdir(parents=True, exist_ok=True)
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="bench-"))
        try:
            run, left = self.reduce(case, tool, scratch)
            if not run.fails:
                # What the test needs may be installed later.
                shutil.rmtree(self.verdicts(case), ignore_errors=True)
                return run
            shutil.copy(left if left.exists() else case.source, kept.with_suffix(".left"))
            kept.write_text(run.dump(), encoding="utf-8")
            return run
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def reduce(self, case: Case, tool: Tool, scratch: pathlib.Path) -> tuple[Run, pathlib.Path]:
        source, text = case.source, case.source.read_bytes()
        place = Place(scratch, source, self.counting_test(case, scratch))
        place.work.mkdir()
        shutil.copy(source, place.work)
        if tool.program:
            command, left = self.nubbin(tool, place), scratch / "out"
        else:
            assert tool.peer
            command, left = tool.peer.command(place), tool.peer.result(place)
        self.wait(command, place, GRACE if tool.program else 0)
        trace = read_trace(scratch / "trace")
        run = Run(len(text), [(one.size, one.code) for one in trace][: self.limits.tests or None], is_text=b"\0" not in text)
        if tool.program and (scratch / "events").exists():
            lines = (scratch / "events").read_text(encoding="utf-8").splitlines(keepends=True)
            read_events(lines, run, trace)
        return run, left

    def counting_test(self, case: Case, scratch: pathlib.Path) -> pathlib.Path:
        """Writes the test that all tools are given: the counter around that of the case."""
        self.verdicts(case).mkdir(parents=True, exist_ok=True)
        (scratch / "trace").touch()
        settings = {"name": case.source.name, "test": case.test, "verdicts": self.verdicts(case), "trace": scratch / "trace",
                    "show": "1" if self.shows_output else "", "verify": self.verify}
        (scratch / "settings").write_text("".join(f"{key} {value}\n" for key, value in settings.items()), encoding="utf-8")
        script = scratch / "test.sh"
        # nubbin reads the text of a test, behind the end of the script that is run.
        shown = case.test.read_text(encoding="utf-8") if self.shows_output else ""
        counter = files.compiled_counter(self.work)
        script.write_text(f"#!/bin/sh\nexec {counter} {scratch / 'settings'}\n{shown}", encoding="utf-8")
        script.chmod(0o755)
        return script

    def nubbin(self, tool: Tool, place: Place) -> list[str]:
        limit = ["--max-tests", str(self.limits.tests)] if self.limits.tests else []
        command = [tool.program, "reduce", "--quiet", "-j1", "--no-config", "--max-time", self.limits.seconds, *limit,
                   "--timeout", "120", "--seed", "0", "--sandbox", "off", "-o", place.scratch / "out",
                   "--json-events", place.scratch / "events", *self.flags, *tool.flags,
                   "--test", place.test, place.work / place.source.name]
        return [str(word) for word in command]

    def wait(self, command: list[str], place: Place, grace: int) -> None:
        """Runs a tool until it ends or is ended by a limit."""
        # A tool has neither a terminal nor an input, and its tests end with it.
        process = subprocess.Popen(command, cwd=place.work, env=os.environ | place.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + self.limits.seconds + grace
        try:
            while process.poll() is None:
                time.sleep(POLL)
                # nubbin counts its tests itself, and writes its result at the end.
                over = not grace and self.limits.tests and count_lines(place.scratch / "trace") >= self.limits.tests
                if over or time.monotonic() > end:
                    break
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def count_lines(path: pathlib.Path) -> int:
    return path.read_bytes().count(b"\n")
