"""Cases: folders with `input.EXT` and `interesting.sh`."""

from __future__ import annotations

import pathlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """An input, and a test that exits with 0 if the failure is present."""

    folder: pathlib.Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def set(self) -> str:
        """The folder that contains the case."""
        return self.folder.parent.name

    @property
    def source(self) -> pathlib.Path:
        return next(self.folder.glob("input.*"))

    @property
    def test(self) -> pathlib.Path:
        return self.folder / "interesting.sh"


def find(folders: Iterable[pathlib.Path], only: str = "") -> list[Case]:
    """Returns the cases of folders whose name, or set and name, matches a regular expression."""
    found = [Case(test.parent) for folder in folders for test in sorted(folder.resolve().glob("*/interesting.sh"))]
    return [case for case in found if re.search(only, case.name) or re.search(only, f"{case.set}/{case.name}")]


def make_of_result(folder: pathlib.Path, case: Case, left: pathlib.Path) -> None:
    """Makes a case of a result, with the test of the case that was reduced."""
    made = folder / f"{case.set}-{case.name}"
    made.mkdir(parents=True, exist_ok=True)
    shutil.copy(left, made / case.source.name)
    test = made / "interesting.sh"
    test.write_text(f"#!/bin/sh\nexec '{case.test}' \"$@\"\n", encoding="utf-8")
    test.chmod(0o755)
