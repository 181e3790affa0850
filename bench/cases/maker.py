"""The common part of the makers of cases."""

from __future__ import annotations

import argparse
import collections
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from typing import Any

# Makes a case in a folder from a row of a table, and returns the size of its input.
Maker = Callable[..., int]


class Skipped(Exception):
    """Why a case cannot be made here."""


def rarest(words: Iterable[str]) -> str:
    """Returns the word that occurs least often, by its hash where several do."""
    counts = collections.Counter(words)
    return min(counts, key=lambda word: (counts[word], hashlib.sha256(word.encode()).digest()))


def quoted(word: str) -> str:
    """Returns a word for a shell."""
    return "'" + word.replace("'", "'\\''") + "'"


def put(folder: pathlib.Path, name: str, extension: str, data: bytes, script: str) -> pathlib.Path:
    """Writes a case, and returns its test."""
    case = folder / name
    case.mkdir(parents=True, exist_ok=True)
    (case / f"input.{extension}").write_bytes(data)
    test = (case / "interesting.sh").resolve()
    test.write_text(script, encoding="utf-8")
    test.chmod(0o755)
    return test


def check(test: pathlib.Path, name: str, data: bytes) -> None:
    """Runs the test of a case on its input, in a folder of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / name).write_bytes(data)
        ran = subprocess.run([test], cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True)
    if ran.returncode != 0:
        raise Skipped(f"the test of {test.parent.name} has exit code {ran.returncode}: {ran.stderr[-300:]!r}")


def write(folder: pathlib.Path, name: str, extension: str, data: bytes, test: str) -> int:
    """Writes a case whose test is lines of bash about the file `$f`, and checks it."""
    script = put(folder, name, extension, data, f"#!/bin/bash\nf=input.{extension}\n{test}\n")
    check(script, f"input.{extension}", data)
    return len(data)


def make_all(tables: Iterable[tuple[str, Maker, Iterable[Sequence[Any]]]], words: Sequence[str]) -> None:
    """Makes the cases of tables. Each table has the kind of its cases and their maker; a row begins with a name."""
    flags = argparse.ArgumentParser("python3 -m bench cases SET")
    flags.add_argument("folder", type=pathlib.Path)
    flags.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches")
    args = flags.parse_args(words)
    made = 0
    for kind, maker, rows in tables:
        for row in rows:
            if not re.search(args.only, row[0]):
                continue
            try:
                size = maker(args.folder, *row)
            except (Skipped, OSError, ValueError, ImportError, LookupError, subprocess.SubprocessError) as error:
                print(f"left out: {row[0]}: {error}", file=sys.stderr)
                continue
            made += 1
            print(f"{row[0]}: {kind}, {size:,} bytes", flush=True)
    print(f"{made} cases")
