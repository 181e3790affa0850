"""The common part of all peers."""

from __future__ import annotations

import inspect
import pathlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from bench.case import Case


@dataclass
class Place:
    """The folders and files of a run."""

    # A folder for what the run needs.
    scratch: pathlib.Path
    # The input, of which `work` has a copy.
    source: pathlib.Path
    # The counting test, for a candidate in the working folder under the name of the input.
    test: pathlib.Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def work(self) -> pathlib.Path:
        return self.scratch / "work"

    @property
    def name(self) -> str:
        return self.source.name

    def script(self, name: str, text: str) -> pathlib.Path:
        """Writes a test of another form."""
        path = self.scratch / name
        path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_of_argument(self) -> pathlib.Path:
        """Returns a test whose argument is the path of the candidate."""
        return self.script("argument.sh", f'd=$(mktemp -d) || exit 125\ncp "$1" "$d/{self.name}" && cd "$d" || exit 125\n'
                                          f'{self.test}\ncode=$?\ncd / && rm -rf "$d"\nexit $code\n')


@dataclass(frozen=True)
class Peer:
    """A reducer: its program, its command for a case, and the extensions it is for (all, if there are none)."""

    name: str
    command: Callable[[Place], list[str]]
    extensions: Collection[str] = ()
    # Where the result is, below the folder of the run. A peer without one changes the input itself.
    output: str = ""
    # The program, if it does not have the name of the peer.
    executable: str = ""

    @property
    def program(self) -> str:
        return self.executable or self.name

    def fits(self, case: Case) -> bool:
        return not self.extensions or case.source.suffix[1:] in self.extensions

    def result(self, place: Place) -> pathlib.Path:
        return place.scratch / self.output if self.output else place.work / place.name

    def source(self) -> str:
        """Returns what decides how the peer is run."""
        return inspect.getsource(inspect.getmodule(self.command) or Peer)


C = (".c", ".cc", ".cpp", ".h")


def for_c(place: Place) -> list[str]:
    """Returns the flag of C-Reduce and C-Vise for languages other than C."""
    return [] if place.source.suffix in C else ["--not-c"]
